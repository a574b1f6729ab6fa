/* SPDX-License-Identifier: Apache-2.0
 *
 * From matches outward: the equations that compute the operands of two matched equations match, too, and so do the only
 * users of their results, if their kinds are equal. Linear in equations and their operands. */
#include "diff/diff.h"

/* the most uses of a value that are examined */
enum { MOST_USERS = 16 };

static void
try(struct diff *d, eqn_t a, eqn_t b, bool strict)
{
    if (a == NONE || b == NONE || d->a.match[a] != NONE || d->b.match[b] != NONE || d->a.kind[a] != d->b.kind[b] ||
        (strict && d->a.whole[a] != d->b.whole[b]))
        return;
    diff_match_eqns(d, a, b);
}

/* the only user without a partner that has this kind and uses the value as operand i; NONE if there are several */
static eqn_t
only_user(const struct diff_side *s, var_t v, u64 kind, u32 i)
{
    eqn_t found = NONE;
    u32 seen = 0;
    for (u32 u = s->users[v]; u != NONE; u = s->uses.at[u].next) {
        const struct diff_use *use = &s->uses.at[u];
        if (++seen > MOST_USERS)
            return NONE;
        if (use->i != i || s->match[use->e] != NONE || s->kind[use->e] != kind)
            continue;
        if (found != NONE)
            return NONE;
        found = use->e;
    }
    return found;
}

static void
look_around(struct diff *d, eqn_t a, bool strict)
{
    const struct diff_side *l = &d->a, *r = &d->b;
    const struct eqn *ea = &l->m->eqns.at[a], *eb = &r->m->eqns.at[l->match[a]];
    for (u32 i = 0; i < ea->n_atoms && ea->n_atoms == eb->n_atoms; i++)
        try(d, diff_producer(l, l->m->atoms.at[ea->atoms + i]), diff_producer(r, r->m->atoms.at[eb->atoms + i]),
            strict);
    for (var_t v = ea->vars; v < ea->vars + ea->n_vars && !strict; v++) {
        u32 seen = 0, first = l->partner[v] != NONE ? l->users[v] : NONE;
        for (u32 u = first; u != NONE && seen < MOST_USERS; u = l->uses.at[u].next, seen++) {
            const struct diff_use use = l->uses.at[u];
            if (l->match[use.e] == NONE && only_user(l, v, l->kind[use.e], use.i) == use.e)
                try(d, use.e, only_user(r, l->partner[v], l->kind[use.e], use.i), false);
        }
    }
}

/* marks the equations that compute operands of unmatched equations, by their index in the jaxpr */
static u8 *
mark_producers(struct diff *d)
{
    const struct diff_side *s = &d->a;
    u8 *marks = mem_zeroed(d->mem, s->eqns.n + 1ull);
    diff_keep_unmatched(&d->a);
    for (u32 k = 0; k < s->unmatched.n; k++) {
        const struct eqn *e = &s->m->eqns.at[s->eqns.at[s->unmatched.at[k]]];
        for (u32 i = 0; i < e->n_atoms; i++) {
            eqn_t producer = diff_producer(s, s->m->atoms.at[e->atoms + i]);
            if (producer != NONE)
                marks[s->rank[producer]] = 1;
        }
    }
    return marks;
}

/* keeps of d->fresh only pairs with an unmatched neighbour: usually few */
static void
keep_next_to_single(struct diff *d)
{
    const struct diff_side *s = &d->a;
    u8 *marks = mark_producers(d);
    u32 n = 0;
    for (u32 k = 0; k < d->fresh.n; k++) {
        const struct eqn *e = &s->m->eqns.at[d->fresh.at[k]];
        if (s->match[d->fresh.at[k]] == NONE)
            continue; /* it was separated meanwhile */
        bool beside = marks[s->rank[d->fresh.at[k]]];
        for (u32 i = 0; i < e->n_atoms && !beside; i++) {
            eqn_t producer = diff_producer(s, s->m->atoms.at[e->atoms + i]);
            beside = producer != NONE && s->match[producer] == NONE;
        }
        if (beside)
            d->fresh.at[n++] = d->fresh.at[k];
    }
    d->fresh.n = n;
    mem_free(d->mem, marks);
}

void
diff_look_again(struct diff *d)
{
    const struct diff_side *s = &d->a;
    u8 *marks = mark_producers(d);
    for (u32 k = 0; k < s->unmatched.n; k++) {
        const struct eqn *e = &s->m->eqns.at[s->eqns.at[s->unmatched.at[k]]];
        for (u32 i = 0; i < e->n_vars; i++)
            for (u32 u = s->users[e->vars + i]; u != NONE; u = s->uses.at[u].next)
                marks[s->rank[s->uses.at[u].e]] = 1;
    }
    d->fresh.n = 0;
    for (u32 i = 0; i < s->eqns.n; i++)
        if (marks[i] && s->match[s->eqns.at[i]] != NONE)
            *vec_push(d->mem, &d->fresh) = s->eqns.at[i];
    mem_free(d->mem, marks);
}

/* Results of two jaxprs being aligned. */
struct results {
    struct diff *d;
    u32 a, b; /* the first of each */
    bool strict;
};

static void
try_results(void *arg, u32 i, u32 k)
{
    const struct results *r = arg;
    try(r->d, diff_producer(&r->d->a, r->d->a.m->atoms.at[r->a + i]),
        diff_producer(&r->d->b, r->d->b.m->atoms.at[r->b + k]), r->strict);
}

static u64 *
result_types(struct diff_side *s, u32 first, u32 n)
{
    u64 *keys = mem_alloc(s->m->mem, (n + 1ull) * sizeof *keys);
    for (u32 i = 0; i < n; i++)
        keys[i] = diff_type(s, atom_type(s->m, atom_without_index(s->m, s->m->atoms.at[first + i])));
    return keys;
}

/* tries to match the equations that compute the results: one by one if the numbers are equal, else those of the same
 * type, in order */
static void
look_at_results(struct diff *d, const struct jaxpr *ja, const struct jaxpr *jb, bool strict)
{
    struct results r = {d, ja->outs, jb->outs, strict};
    for (u32 i = 0; i < ja->n_outs && ja->n_outs == jb->n_outs; i++)
        try_results(&r, i, i);
    if (ja->n_outs == jb->n_outs)
        return;
    u64 *a = result_types(&d->a, ja->outs, ja->n_outs), *b = result_types(&d->b, jb->outs, jb->n_outs);
    diff_anchor(d->mem, (struct diff_keys){a, ja->n_outs}, (struct diff_keys){b, jb->n_outs}, try_results, &r);
    mem_free(d->a.m->mem, a);
    mem_free(d->b.m->mem, b);
}

void
diff_propagate(struct diff *d, jaxpr_t a, jaxpr_t b, bool strict)
{
    look_at_results(d, &d->a.m->jaxprs.at[a], &d->b.m->jaxprs.at[b], strict);
    keep_next_to_single(d);
    while (d->fresh.n > 0)
        look_around(d, d->fresh.at[--d->fresh.n], strict);
}

void
diff_find_users(struct diff_side *s)
{
    const struct module *m = s->m;
    s->uses.n = 0;
    for (u32 k = s->eqns.n; k-- > 0;) {
        const struct eqn *e = &m->eqns.at[s->eqns.at[k]];
        bool single = s->match[s->eqns.at[k]] == NONE;
        for (u32 i = e->n_atoms; i-- > 0;) {
            atom_t a = atom_without_index(m, m->atoms.at[e->atoms + i]);
            eqn_t producer = diff_producer(s, a);
            if (atom_kind(a) != ATOM_VAR || (!single && (producer == NONE || s->match[producer] != NONE)))
                continue;
            *vec_push(m->mem, &s->uses) = (struct diff_use){s->eqns.at[k], i, s->users[atom_id(a)]};
            s->users[atom_id(a)] = s->uses.n - 1;
        }
    }
}
