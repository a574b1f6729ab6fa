/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting without unfolding. Sharing makes a program a graph: a `let` may be referred to many times, so its unfolded
 * size can be exponential in its text. Each let is therefore walked once to find what it refers to, and once more,
 * after everything that refers to it, with the number of times it occurs known. Linear; no recursion. */
#include "ir/stats.h"

#include <stdlib.h>

/* 32-bit keys to small indices: open addressing, at most half full. */
struct index {
    struct {
        u32 key, value; /* value NONE: free */
    } * slots;
    u32 mask, n;
};

/* One let, or the program itself, as a node of the graph. */
struct node {
    jaxpr_t root;
    u32 edges, n_edges; /* references out of it */
    u32 waiting;        /* references into it not counted yet */
    u64 times;          /* how often it occurs */
    u32 depth;          /* at how many programs deep its own begins */
};

/* A reference from one node to another, `depth` programs below the first one's own. */
struct edge {
    u32 to, depth;
};

struct level {
    jaxpr_t jaxpr;
    u32 depth;
};

struct counter {
    struct module *m;
    VEC(struct node) nodes; /* 0 is the program, the others lets in the order they were met */
    VEC(struct edge) edges;
    VEC(struct level) stack;
    VEC(u32) ready;             /* nodes whose number of occurrences is known */
    name_t gap;                 /* the primitive of an equation that is not there: `...` */
    struct index node_of_let;   /* let -> index into nodes */
    struct index count_of_prim; /* prim -> index into stats->prims */
    struct stats *stats;
};

static u32 *
index_slot(struct index *x, u32 key)
{
    u32 at = key * 2654435769u & x->mask;
    while (x->slots[at].value != NONE && x->slots[at].key != key)
        at = (at + 1) & x->mask;
    x->slots[at].key = key;
    return &x->slots[at].value;
}

static void
index_resize(struct mem *mem, struct index *x, u32 size)
{
    struct index old = *x;
    x->slots = mem_alloc(mem, size * sizeof *x->slots);
    memset(x->slots, 0xff, size * sizeof *x->slots);
    x->mask = size - 1;
    for (u32 i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i].value != NONE)
            *index_slot(x, old.slots[i].key) = old.slots[i].value;
    mem_free(mem, old.slots);
}

/* The value of a key, to be read or, where it is NONE, to be set at once. */
static u32 *
index_find(struct mem *mem, struct index *x, u32 key)
{
    if (x->slots == NULL || x->n * 2 > x->mask)
        index_resize(mem, x, x->slots == NULL ? 64 : (x->mask + 1) * 2);
    u32 *value = index_slot(x, key);
    x->n += *value == NONE;
    return value;
}

static u64
add_saturated(u64 a, u64 b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void
count_prim(struct counter *c, name_t prim, u64 times)
{
    struct stats *s = c->stats;
    u32 *found = index_find(c->m->mem, &c->count_of_prim, prim);
    if (*found == NONE) {
        *found = s->prims.n;
        *vec_push(c->m->mem, &s->prims) = (struct prim_count){prim, 0};
    }
    s->prims.at[*found].n = add_saturated(s->prims.at[*found].n, times);
    s->equations = add_saturated(s->equations, times);
}

static void
push_jaxpr(struct counter *c, jaxpr_t j, u32 depth)
{
    if (j != NONE)
        *vec_push(c->m->mem, &c->stack) = (struct level){j, depth};
}

/* Notes a reference to a let, which becomes a node when it is met first. */
static void
push_edge(struct counter *c, u32 let, u32 depth)
{
    struct mem *mem = c->m->mem;
    if (let == NONE || c->m->lets.at[let].jaxpr == NONE)
        return;
    u32 *node = index_find(mem, &c->node_of_let, let);
    if (*node == NONE) {
        *node = c->nodes.n;
        *vec_push(mem, &c->nodes) = (struct node){.root = c->m->lets.at[let].jaxpr};
    }
    c->nodes.at[*node].waiting++;
    *vec_push(mem, &c->edges) = (struct edge){*node, depth};
}

/* Takes what a parameter holds: nested programs onto the stack, shared ones as edges when `edges` is set. */
static void
visit_param(struct counter *c, const struct param *p, u32 depth, bool edges)
{
    const struct module *m = c->m;
    if (p->kind == PARAM_JAXPR) {
        push_jaxpr(c, p->a, depth + 1);
    } else if (p->kind == PARAM_SHARED && edges) {
        push_edge(c, p->a, depth + 1);
    } else if (p->kind == PARAM_TUPLE || p->kind == PARAM_MIXED) {
        for (u32 s = p->a; s != NONE; s = m->segments.at[s].next) {
            const struct segment *segment = &m->segments.at[s];
            if (segment->kind == SEGMENT_JAXPR)
                push_jaxpr(c, segment->a, depth + 1);
            else if (segment->kind == SEGMENT_PROGRAM && segment->a != NONE)
                push_jaxpr(c, m->programs.at[segment->a].main, depth + 1);
            else if (segment->kind == SEGMENT_SHARED && edges)
                push_edge(c, segment->a, depth + 1);
        }
    }
}

static void
count_constants(struct counter *c, const struct jaxpr *j)
{
    struct stats *s = c->stats;
    s->constants += j->n_consts;
    for (u32 i = 0; i < j->n_consts; i++) {
        bool known;
        u64 bytes = type_bytes(&c->m->types, c->m->vars.at[jaxpr_const(j, i)].type, &known);
        s->constant_bytes = add_saturated(s->constant_bytes, known ? bytes : 0);
    }
}

/* Walks everything written inside one node: with `count`, what it holds is counted, else its edges are collected. */
static void
walk_node(struct counter *c, u32 node, bool count)
{
    const struct module *m = c->m;
    push_jaxpr(c, c->nodes.at[node].root, 0);
    while (c->stack.n > 0) {
        struct level level = c->stack.at[--c->stack.n];
        const struct jaxpr *j = &m->jaxprs.at[level.jaxpr];
        if (count) {
            u32 depth = c->nodes.at[node].depth + level.depth;
            c->stats->depth = depth > c->stats->depth ? depth : c->stats->depth;
            count_constants(c, j);
        }
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            const struct eqn *eqn = &m->eqns.at[e];
            if (count && eqn->prim != c->gap)
                count_prim(c, eqn->prim, c->nodes.at[node].times);
            for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next)
                visit_param(c, &m->params.at[p], level.depth, !count);
        }
    }
}

/* Finds every node the program reaches, and its edges. */
static void
find_edges(struct counter *c)
{
    for (u32 i = 0; i < c->nodes.n; i++) {
        u32 first = c->edges.n;
        walk_node(c, i, false);
        c->nodes.at[i].edges = first;
        c->nodes.at[i].n_edges = c->edges.n - first;
    }
}

/* Counts nodes whose every reference has been counted. */
static void
drain_ready(struct counter *c)
{
    while (c->ready.n > 0) {
        u32 from = c->ready.at[--c->ready.n];
        walk_node(c, from, true);
        const struct node *node = &c->nodes.at[from];
        for (u32 i = 0; i < node->n_edges; i++) {
            struct edge edge = c->edges.at[node->edges + i];
            struct node *to = &c->nodes.at[edge.to];
            if (to->waiting == 0)
                continue; /* counted already: a program that contains itself */
            to->times = add_saturated(to->times, node->times);
            to->depth = node->depth + edge.depth > to->depth ? node->depth + edge.depth : to->depth;
            if (--to->waiting == 0)
                *vec_push(c->m->mem, &c->ready) = edge.to;
        }
    }
}

struct named_count {
    struct prim_count count;
    struct slice name;
    struct name_buffer buffer;
};

static int
by_count_then_name(const void *a, const void *b)
{
    const struct named_count *x = a, *y = b;
    if (x->count.n != y->count.n)
        return x->count.n < y->count.n ? 1 : -1;
    struct slice p = x->name.n <= sizeof x->buffer ? (struct slice){x->buffer.at, x->name.n} : x->name;
    struct slice q = y->name.n <= sizeof y->buffer ? (struct slice){y->buffer.at, y->name.n} : y->name;
    return slice_order(&p, &q);
}

static void
sort_prims(struct module *m, struct stats *s)
{
    if (s->prims.n == 0)
        return;
    struct named_count *named = mem_alloc(m->mem, s->prims.n * sizeof *named);
    for (u32 i = 0; i < s->prims.n; i++) {
        named[i].count = s->prims.at[i];
        named[i].name = module_name(m, s->prims.at[i].prim, &named[i].buffer);
        if (named[i].name.n <= sizeof named[i].buffer && named[i].name.at != named[i].buffer.at)
            memcpy(named[i].buffer.at, named[i].name.at, named[i].name.n);
    }
    qsort(named, s->prims.n, sizeof *named, by_count_then_name);
    for (u32 i = 0; i < s->prims.n; i++)
        s->prims.at[i] = named[i].count;
    mem_free(m->mem, named);
}

void
stats_program(struct module *m, program_t program, struct stats *stats)
{
    stats_jaxpr(m, m->programs.at[program].main, stats);
}

void
stats_jaxpr(struct module *m, jaxpr_t root, struct stats *stats)
{
    struct counter c = {.m = m, .stats = stats, .gap = names_find(&m->names, SLICE("..."))};
    struct mem *mem = m->mem;
    memset(stats, 0, sizeof *stats);
    *vec_push(mem, &c.nodes) = (struct node){.root = root, .times = 1, .depth = 1};
    find_edges(&c);
    *vec_push(mem, &c.ready) = 0;
    drain_ready(&c);
    /* programs that contain themselves still wait for their own references: count them with what is known */
    for (u32 i = 1; i < c.nodes.n; i++) {
        if (c.nodes.at[i].waiting > 0) {
            c.nodes.at[i].waiting = 0;
            *vec_push(mem, &c.ready) = i;
            drain_ready(&c);
        }
    }
    sort_prims(m, stats);
    vec_free(mem, &c.nodes);
    vec_free(mem, &c.edges);
    vec_free(mem, &c.stack);
    vec_free(mem, &c.ready);
    mem_free(mem, c.node_of_let.slots);
    mem_free(mem, c.count_of_prim.slots);
}
