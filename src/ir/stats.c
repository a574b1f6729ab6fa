/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting without expanding. Sharing makes a program a graph: a `let` may be used many times, so that the expanded
 * size can be exponential in the text. Each jaxpr is therefore visited once, after all that contain it, when the
 * number of its uses is known. Linear; no recursion. */
#include "ir/stats.h"

#include "base/memo.h"
#include "ir/reach.h"

#include <stdlib.h>

struct counter {
    struct module *m;
    struct jaxprs all;  /* inner ones before those that contain them */
    struct memo place;  /* by jaxpr: its index in `all`, plus one */
    u64 *times;         /* by index: how often it occurs .. */
    u32 *depth;         /* .. and how deep it is nested, itself included */
    struct memo counts; /* by primitive: its index in stats->prims, plus one */
    name_t gap;         /* the primitive of an omitted equation: `...` */
    struct stats *stats;
};

static u64
add_saturated(u64 a, u64 b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void
count_prim(struct counter *c, name_t prim, u64 times)
{
    struct stats *s = c->stats;
    u64 found = memo_get(&c->counts, prim);
    if (found == 0) {
        *vec_push(c->m->mem, &s->prims) = (struct prim_count){prim, 0};
        memo_set(c->m->mem, &c->counts, prim, found = s->prims.n);
    }
    u64 *n = &s->prims.at[found - 1].n;
    *n = add_saturated(*n, times);
    s->equations = add_saturated(s->equations, times);
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

/* counts the contents of one jaxpr, and the uses of those nested in it; a recursive use is not followed */
static void
count_jaxpr(struct counter *c, u32 at)
{
    const struct module *m = c->m;
    const struct jaxpr *j = &m->jaxprs.at[c->all.at[at]];
    c->stats->depth = c->depth[at] > c->stats->depth ? c->depth[at] : c->stats->depth;
    count_constants(c, j);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        if (m->eqns.at[e].prim != c->gap)
            count_prim(c, m->eqns.at[e].prim, c->times[at]);
        struct nested nested = nested_start(m, e);
        for (jaxpr_t held; (held = nested_next(m, &nested)) != NONE;) {
            u32 in = (u32)memo_get(&c->place, held) - 1;
            if (in >= at)
                continue;
            c->times[in] = add_saturated(c->times[in], c->times[at]);
            c->depth[in] = c->depth[at] + 1 > c->depth[in] ? c->depth[at] + 1 : c->depth[in];
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
    reach_from(m, root, &c.all);
    c.times = mem_zeroed(mem, (c.all.n + 1ull) * sizeof *c.times);
    c.depth = mem_zeroed(mem, (c.all.n + 1ull) * sizeof *c.depth);
    for (u32 i = 0; i < c.all.n; i++) {
        memo_set(mem, &c.place, c.all.at[i], i + 1ull);
        c.times[i] = c.depth[i] = i + 1 == c.all.n;
    }
    for (u32 i = c.all.n; i-- > 0;)
        count_jaxpr(&c, i);
    sort_prims(m, stats);
    mem_free_all(mem, c.all.at, c.place.slots, c.counts.slots, c.times, c.depth);
}
