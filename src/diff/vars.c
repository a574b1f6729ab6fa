/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches variables if one of two lists is longer: binders of two jaxprs, or results of two equations. Criteria are
 * used in rounds, the most certain first; each round aligns both lists and keeps earlier matches. Linear in the lists
 * and in the uses of results. */
#include "diff/diff.h"

#include "ir/reach.h"

/* what the key of a variable without a partner consists of */
enum { BY_TYPE = 1, BY_NAME = 2, BY_USE = 4, BY_PRODUCER = 8 };

enum { ANCHOR = 0x71, UNKNOWN, UNPAIRED };

/* how many uses of a value, and how many programs of an equation, are examined */
enum { MOST_USES = 16, MOST_PROGRAMS = 4 };

/* Two lists of variables being aligned. */
struct lists {
    struct diff *d;
    eqn_t ea, eb; /* the owner of the results; NONE for binders */
    var_t a, b;   /* the first variable of each list */
    u32 n, m;
};

static void
take_vars(void *arg, u32 i, u32 k)
{
    struct lists *l = arg;
    l->d->a.partner[l->a + i] = l->b + k;
    l->d->b.partner[l->b + k] = l->a + i;
}

static void
part_all(struct lists *l)
{
    for (u32 i = 0; i < l->n; i++)
        l->d->a.partner[l->a + i] = NONE;
    for (u32 i = 0; i < l->m; i++)
        l->d->b.partner[l->b + i] = NONE;
}

/* a hash of the uses of a value in s->users; 0 if there is none */
static u64
use_key(const struct diff_side *s, var_t v)
{
    u64 h = 0;
    u32 seen = 0;
    for (u32 u = s->users[v]; u != NONE && seen < MOST_USES; u = s->uses.at[u].next, seen++)
        h += hash_seeded(s->kind[s->uses.at[u].e], s->uses.at[u].i);
    return h;
}

/* a hash of the equation that computes a result inside the first program with as many results; 0 if it is unknown */
static u64
producer_key(const struct diff_side *s, eqn_t e, u32 i)
{
    const struct module *m = s->m;
    struct nested h = nested_start(m, e);
    jaxpr_t j; /* pasted programs are compared as text: their equations are unknown */
    for (u32 seen = 0; seen < MOST_PROGRAMS && (j = nested_unpasted(m, &h)) != NONE; seen++) {
        if (m->jaxprs.at[j].n_outs != m->eqns.at[e].n_vars)
            continue;
        atom_t a = m->atoms.at[m->jaxprs.at[j].outs + i];
        eqn_t producer = diff_producer(s, a);
        return producer == NONE ? 0 : hash_seeded(s->kind[producer], atom_id(a) - m->eqns.at[producer].vars);
    }
    return 0;
}

/* the key of variable i of a list: that of its pair, or of the properties `what` */
static u64
var_key(struct lists *l, bool left, u32 i, u32 what)
{
    struct diff_side *s = left ? &l->d->a : &l->d->b;
    eqn_t e = left ? l->ea : l->eb;
    var_t v = (left ? l->a : l->b) + i, partner = s->partner[v];
    struct name_buffer buffer;
    u64 h = s->seed, known = 0;
    if (partner != NONE)
        return hash_seeded(h + ANCHOR, left ? v : partner);
    if (what & BY_TYPE)
        h = hash_seeded(h, diff_type(s, s->m->vars.at[v].type));
    if (what & BY_NAME)
        h = hash_slice(h, module_name(s->m, s->m->vars.at[v].name, &buffer));
    if (what & BY_PRODUCER)
        h = hash_seeded(h, known = producer_key(s, e, i));
    if (what & BY_USE) {
        u64 use = use_key(s, v);
        if (use == 0 && known == 0) /* nothing is known, so it equals no other key */
            return hash_seeded(hash_seeded(h, UNKNOWN + left), i);
        h = hash_seeded(h, use);
    }
    return h;
}

/* one round: existing pairs are kept, and variables between them are paired by the given criterion; returns the number
 * of pairs */
static u32
align_by(struct lists *l, u32 what)
{
    struct mem *mem = l->d->mem;
    u64 *a = mem_alloc(mem, (l->n + 1) * sizeof *a), *b = mem_alloc(mem, (l->m + 1) * sizeof *b);
    u32 paired = 0;
    for (u32 i = 0; i < l->n; i++)
        a[i] = var_key(l, true, i, what);
    for (u32 i = 0; i < l->m; i++)
        b[i] = var_key(l, false, i, what);
    part_all(l);
    diff_anchor(mem, (struct diff_keys){a, l->n}, (struct diff_keys){b, l->m}, take_vars, l);
    for (u32 i = 0; i < l->n; i++)
        paired += l->d->a.partner[l->a + i] != NONE;
    mem_free(mem, a);
    mem_free(mem, b);
    return paired;
}

void
diff_pair_results(struct diff *d, eqn_t a, eqn_t b)
{
    static const u32 rounds[] = {BY_TYPE | BY_PRODUCER | BY_USE, BY_TYPE | BY_PRODUCER | BY_NAME, BY_TYPE | BY_PRODUCER,
                                 BY_TYPE, 0};
    const struct eqn *ea = &d->a.m->eqns.at[a], *eb = &d->b.m->eqns.at[b];
    struct lists l = {d, a, b, ea->vars, eb->vars, ea->n_vars, eb->n_vars};
    part_all(&l);
    for (u32 i = 0; i < countof(rounds); i++)
        align_by(&l, rounds[i]);
}

/* pairs binders like the operands passed to them, if all operands, or all but the first (as for `cond`), are passed;
 * false otherwise */
static bool
follow_operands(struct lists *l, const struct diff_alignment *operands)
{
    u32 skip = operands->n_a - l->n;
    if (operands->n_a < l->n || skip > 1 || operands->n_b != l->m + skip)
        return false;
    for (u32 i = 0; i < operands->n; i++) {
        struct diff_place at = l->d->aligned.at[operands->first + i];
        if (at.a >= skip && at.b >= skip)
            take_vars(l, at.a - skip, at.b - skip);
    }
    return true;
}

/* hashes both jaxprs again, using the pairs of their binders for arguments */
static void
hash_by_pairs(struct lists *l, jaxpr_t ja, jaxpr_t jb)
{
    struct diff *d = l->d;
    u64 *a = mem_alloc(d->mem, (l->n + 1) * sizeof *a), *b = mem_alloc(d->mem, (l->m + 1) * sizeof *b);
    for (u32 i = 0; i < l->n; i++)
        a[i] = hash_seeded(d->a.seed + ANCHOR, l->a + i);
    for (u32 i = 0; i < l->m; i++) {
        var_t partner = d->b.partner[l->b + i];
        b[i] = partner != NONE ? hash_seeded(d->a.seed + ANCHOR, partner) : hash_seeded(d->a.seed + UNPAIRED, i);
    }
    diff_side_jaxpr(&d->a, ja, a);
    diff_side_jaxpr(&d->b, jb, b);
    mem_free(d->mem, a);
    mem_free(d->mem, b);
}

bool
diff_pair_inputs(struct diff *d, jaxpr_t ja, jaxpr_t jb, const struct diff_alignment *operands)
{
    const struct jaxpr *a = &d->a.m->jaxprs.at[ja], *b = &d->b.m->jaxprs.at[jb];
    struct lists l = {d, NONE, NONE, a->vars, b->vars, jaxpr_binders(a), jaxpr_binders(b)};
    for (u32 i = 0; i < l.n && l.n == l.m; i++)
        take_vars(&l, i, i);
    if (l.n == l.m)
        return true;
    if (!follow_operands(&l, operands)) {
        if (2 * align_by(&l, BY_TYPE | BY_NAME) < (l.n < l.m ? l.n : l.m))
            part_all(&l); /* few have the same names on both sides */
        align_by(&l, BY_TYPE);
    }
    hash_by_pairs(&l, ja, jb);
    return false;
}
