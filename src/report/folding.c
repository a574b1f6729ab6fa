/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth first: expands the outermost program, then what it contains, as long as the nodes fit. */
#include "report/folding.h"

#include "ir/reach.h"

enum { ARGUMENTS = 24 }; /* in a graph with folds, more binders than this are one node */

/* A cluster that can be expanded. */
struct closed {
    u32 jaxpr; /* an index into folding.jaxprs */
    u32 cluster;
};

struct opening {
    struct module *m;
    struct folding *f;
    u32 depth, nodes;
    u64 used;
    VEC(struct closed) queue;
};

static u32
add_jaxpr(struct opening *o, jaxpr_t j, u32 depth)
{
    struct folding *f = o->f;
    struct mem *mem = o->m->mem;
    struct folded_jaxpr *one = vec_push(mem, &f->jaxprs);
    one->jaxpr = j;
    one->base = f->open.n;
    clusters_read(o->m, j, f->active ? CLUSTER_HOLDS : UINT32_MAX, &one->clusters);
    for (u32 i = 0; i < one->clusters.list.n; i++)
        *vec_push(mem, &f->open) = !f->active;
    memo_set(mem, &f->drawn, j, f->jaxprs.n);
    memo_set(mem, &f->depth, j, depth);
    return f->jaxprs.n - 1;
}

/* the number of equations of all programs down to a depth, outer ones first; a number above `most` as soon as it is
 * exceeded */
static u64
count_equations(struct module *m, jaxpr_t main, u32 depth, u64 most)
{
    struct memo levels = {0};
    VEC(jaxpr_t) list = {0};
    u64 n = 0;
    *vec_push(m->mem, &list) = main;
    memo_set(m->mem, &levels, main, 1);
    for (u32 i = 0; i < list.n && n <= most; i++) {
        u32 level = (u32)memo_get(&levels, list.at[i]);
        n += m->jaxprs.at[list.at[i]].n_eqns;
        eqn_t e = depth && level >= depth ? NONE : m->jaxprs.at[list.at[i]].eqns;
        for (e = eqn_with_params(m, e); e != NONE; e = eqn_with_params(m, m->eqns.at[e].next)) {
            struct nested h = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;) {
                if (memo_get(&levels, j))
                    continue;
                memo_set(m->mem, &levels, j, level + 1);
                *vec_push(m->mem, &list) = j;
            }
        }
    }
    memo_free(m->mem, &levels);
    vec_free(m->mem, &list);
    return n;
}

/* how many nodes an expanded cluster has: equations and nested clusters */
static u64
count_items(const struct folded_jaxpr *one, u32 cluster)
{
    const struct cluster *k = &one->clusters.list.at[cluster];
    u64 n = k->n;
    for (u32 c = k->child; c != NONE; c = one->clusters.list.at[c].next)
        n -= one->clusters.list.at[c].n - 1;
    return n;
}

/* adds the programs of a visible equation to the queue, if they are new and not too deep */
static void
queue_nested(struct opening *o, eqn_t e, u32 depth)
{
    struct nested h = nested_start(o->m, e);
    if (o->depth && depth >= o->depth)
        return;
    for (jaxpr_t j; (j = nested_next(o->m, &h)) != NONE;) {
        if (memo_get(&o->f->depth, j))
            continue;
        /* initially folded clusters are not read: they may be large */
        const struct jaxpr *program = &o->m->jaxprs.at[j];
        u32 binders = jaxpr_binders(program);
        u64 least =
            (program->n_eqns < CLUSTER_HOLDS ? program->n_eqns : CLUSTER_HOLDS) + (binders > ARGUMENTS ? 1 : binders);
        if (o->f->active && o->used + least > o->nodes)
            continue;
        o->used += least;
        *vec_push(o->m->mem, &o->queue) = (struct closed){add_jaxpr(o, j, depth + 1), 0};
    }
}

static void
open_cluster(struct opening *o, const struct closed *it)
{
    struct folded_jaxpr *one = &o->f->jaxprs.at[it->jaxpr];
    const struct clusters c = one->clusters;
    u32 depth = (u32)memo_get(&o->f->depth, one->jaxpr), child = c.list.at[it->cluster].child;
    o->f->open.at[one->base + it->cluster] = 1;
    for (u32 i = c.list.at[it->cluster].first; i < c.list.at[it->cluster].first + c.list.at[it->cluster].n;) {
        if (child != NONE && c.list.at[child].first == i) {
            *vec_push(o->m->mem, &o->queue) = (struct closed){it->jaxpr, child};
            i += c.list.at[child].n;
            child = c.list.at[child].next;
            continue;
        }
        queue_nested(o, c.eqns.at[i++], depth);
    }
}

/* maps equations to the folded clusters that hide them, and the binders of programs that have many to one node */
static void
hide(struct opening *o)
{
    struct mem *mem = o->m->mem;
    struct folding *f = o->f;
    for (u32 n = 0; n < f->jaxprs.n; n++) {
        const struct folded_jaxpr *one = &f->jaxprs.at[n];
        const struct jaxpr *j = &o->m->jaxprs.at[one->jaxpr];
        u32 binders = jaxpr_binders(j);
        for (u32 k = one->clusters.list.n; k-- > 0;) /* parents last: the outermost folded cluster is recorded */
            for (u32 i = 0; !f->open.at[one->base + k] && i < one->clusters.list.at[k].n; i++)
                memo_set(mem, &f->hidden, one->clusters.eqns.at[one->clusters.list.at[k].first + i],
                         one->base + k + 1ull);
        for (u32 v = j->vars; binders > ARGUMENTS && v < j->vars + binders; v++)
            memo_set(mem, &f->arguments, v, j->vars + 1ull);
    }
}

void
folding_read(struct module *m, jaxpr_t main, u32 depth, u32 nodes, struct folding *f)
{
    struct opening o = {.m = m, .f = f, .depth = depth, .nodes = nodes};
    *f = (struct folding){0};
    f->active = nodes > 0 && count_equations(m, main, depth, nodes) > nodes;
    *vec_push(m->mem, &o.queue) = (struct closed){add_jaxpr(&o, main, 1), 0};
    for (u32 i = 0; i < o.queue.n; i++) {
        struct closed it = o.queue.at[i];
        const struct folded_jaxpr *one = &f->jaxprs.at[it.jaxpr];
        u64 items = count_items(one, it.cluster);
        if (f->active && it.cluster > 0 && o.used + items > nodes)
            continue;
        o.used += it.cluster > 0 || it.jaxpr == 0 ? items : 0; /* others were counted when queued */
        open_cluster(&o, &it);
    }
    if (f->active)
        hide(&o);
    vec_free(m->mem, &o.queue);
}

void
folding_drop(struct module *m, struct folding *f)
{
    for (u32 i = 0; i < f->jaxprs.n; i++)
        clusters_drop(m, &f->jaxprs.at[i].clusters);
    mem_free_all(m->mem, f->jaxprs.at, f->open.at, f->drawn.slots, f->hidden.slots, f->arguments.slots, f->depth.slots);
}
