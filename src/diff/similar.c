/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations that changed keep something: their primitive, an operand, their uses, their position. Candidates come from
 * these four, a bounded number for each equation, and the best are taken first. n log n in the unmatched equations. */
#include "diff/diff.h"

#include <stdlib.h>

enum { NEAR = 4, MOST = 12, ENOUGH = 5 };

static bool
is_pair(const struct diff *d, atom_t a, atom_t b)
{
    return atom_kind(a) == ATOM_VAR && atom_kind(b) == ATOM_VAR && d->a.partner[atom_id(a)] == atom_id(b);
}

static u32
operand_score(struct diff *d, eqn_t a, eqn_t b)
{
    const struct module *ma = d->a.m, *mb = d->b.m;
    const struct eqn *ea = &ma->eqns.at[a], *eb = &mb->eqns.at[b];
    const atom_t no_operand = atom_make(ATOM_NAME, 0);
    u32 score = 0, literals = 0;
    for (u32 i = 0; i < ea->n_atoms && i < MOST; i++) {
        atom_t x = ma->atoms.at[ea->atoms + i], y = i < eb->n_atoms ? mb->atoms.at[eb->atoms + i] : no_operand;
        if (is_pair(d, x, y) || (atom_kind(x) == ATOM_REF && atom_kind(y) == ATOM_REF &&
                                 is_pair(d, ma->refs.at[atom_id(x)].ref, mb->refs.at[atom_id(y)].ref)))
            score += 3;
        else if (atom_kind(x) == ATOM_LIT && atom_kind(y) == ATOM_LIT)
            literals = 1;
        else
            for (u32 k = 0; k < eb->n_atoms && k < MOST; k++)
                if (is_pair(d, x, mb->atoms.at[eb->atoms + k])) {
                    score += 1;
                    break;
                }
    }
    return (score > 9 ? 9 : score) + literals;
}

/* how many equations that are partners use their first results, as a score */
static u32
user_score(struct diff *d, eqn_t a, eqn_t b)
{
    const struct eqn *ea = &d->a.m->eqns.at[a], *eb = &d->b.m->eqns.at[b];
    u32 score = 0, seen = 0;
    if (ea->n_vars == 0 || eb->n_vars == 0)
        return 0;
    for (u32 u = d->a.users[ea->vars]; u != NONE && seen < NEAR && score < 6; u = d->a.uses.at[u].next, seen++) {
        eqn_t match = d->a.match[d->a.uses.at[u].e];
        u32 looked = 0;
        for (u32 v = d->b.users[eb->vars]; match != NONE && v != NONE && looked < MOST;
             v = d->b.uses.at[v].next, looked++)
            if (d->b.uses.at[v].e == match) {
                score += 3;
                break;
            }
    }
    return score;
}

static bool
same_primitive(struct diff *d, eqn_t a, eqn_t b)
{
    struct name_buffer x, y;
    return slice_eq(canon_prim(&d->a.c, d->a.m->eqns.at[a].prim, &x), canon_prim(&d->b.c, d->b.m->eqns.at[b].prim, &y));
}

struct slice
diff_call_name(const struct diff_side *s, eqn_t e)
{
    param_t name = eqn_param(s->m, e, SLICE("name"));
    return name == NONE ? (struct slice){"", 0} : module_bytes(s->m, s->m->params.at[name].span);
}

/* whether two equations call functions of the same name */
static bool
same_name(const struct diff *d, eqn_t a, eqn_t b)
{
    struct slice x = diff_call_name(&d->a, a);
    return x.n > 0 && slice_eq(x, diff_call_name(&d->b, b));
}

/* how much two equations have in common */
static u32
score_of(struct diff *d, eqn_t a, eqn_t b)
{
    const struct eqn *ea = &d->a.m->eqns.at[a], *eb = &d->b.m->eqns.at[b];
    bool same = same_primitive(d, a, b);
    u32 score = operand_score(d, a, b);
    if (!same && (ea->n_atoms != eb->n_atoms || (score == 0 && ea->n_atoms > 0)))
        return 0; /* neither primitive nor operands in common */
    score += user_score(d, a, b);
    if (same)
        score += 4;
    if (d->a.kind[a] == d->b.kind[b] || (same && same_name(d, a, b)))
        score += 2;
    if (ea->n_atoms == eb->n_atoms)
        score++;
    if (ea->n_vars == eb->n_vars) {
        score++;
        if (ea->n_vars &&
            diff_type(&d->a, d->a.m->vars.at[ea->vars].type) == diff_type(&d->b, d->b.m->vars.at[eb->vars].type))
            score++;
    } else if (!same) {
        return 0;
    }
    return score;
}

static void
consider(struct diff *d, eqn_t a, eqn_t b, u32 distance)
{
    if (a == NONE || b == NONE || d->a.match[a] != NONE || d->b.match[b] != NONE)
        return;
    u32 score = score_of(d, a, b);
    if (score > ENOUGH)
        *vec_push(d->mem, &d->candidates) = (struct diff_candidate){score, distance, a, b};
}

/* considers equations at similar positions in a gap of both sides */
static void
consider_gap(struct diff *d, const struct diff_unmatched_range *gap)
{
    for (u32 k = 0; k < gap->b.n; k++) {
        u32 middle = (u32)((u64)k * gap->a.n / gap->b.n);
        u32 first = middle > NEAR ? middle - NEAR : 0, end = middle + NEAR + 1;
        for (u32 i = first; i < end && i < gap->a.n; i++)
            consider(d, d->a.eqns.at[gap->a.at[i]], d->b.eqns.at[gap->b.at[k]], i > k ? i - k : k - i);
    }
}

/* considers for equation b the equations of the left that use the partners of its operands, or compute operands of the
 * partners of its users */
static void
consider_flow(struct diff *d, eqn_t b)
{
    const struct module *ma = d->a.m, *mb = d->b.m;
    const struct eqn e = mb->eqns.at[b];
    u32 seen = 0;
    for (u32 i = 0; i < e.n_atoms && i < NEAR; i++) {
        atom_t a = mb->atoms.at[e.atoms + i];
        var_t v = atom_kind(a) == ATOM_VAR ? d->b.partner[atom_id(a)] : NONE;
        for (u32 u = v != NONE ? d->a.users[v] : NONE; u != NONE && seen < MOST; u = d->a.uses.at[u].next, seen++)
            consider(d, d->a.uses.at[u].e, b, MOST);
    }
    seen = 0;
    for (u32 i = 0; i < e.n_vars && i < NEAR; i++)
        for (u32 u = d->b.users[e.vars + i]; u != NONE && seen < MOST; u = d->b.uses.at[u].next, seen++) {
            eqn_t user = d->b.match[d->b.uses.at[u].e];
            u32 at = d->b.uses.at[u].i;
            if (user != NONE && at < ma->eqns.at[user].n_atoms)
                consider(d, diff_producer(&d->a, ma->atoms.at[ma->eqns.at[user].atoms + at]), b, MOST);
        }
}

static int
compare(const void *x, const void *y)
{
    const struct diff_candidate *p = x, *q = y;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return p->a < q->a ? -1 : p->a > q->a;
}

/* separates partners that differ in both primitive and relative position */
static void
separate_unrelated(struct diff *d)
{
    u8 *line = diff_in_line(d);
    for (u32 i = 0; i < d->a.eqns.n; i++) {
        eqn_t a = d->a.eqns.at[i], b = d->a.match[a];
        if (b == NONE || line[i] || same_primitive(d, a, b))
            continue;
        d->a.match[a] = d->b.match[b] = NONE;
        for (u32 k = 0; k < d->a.m->eqns.at[a].n_vars; k++)
            d->a.partner[d->a.m->eqns.at[a].vars + k] = NONE;
        for (u32 k = 0; k < d->b.m->eqns.at[b].n_vars; k++)
            d->b.partner[d->b.m->eqns.at[b].vars + k] = NONE;
    }
    mem_free(d->mem, line);
}

bool
diff_similar(struct diff *d)
{
    bool any = false, differing = false;
    d->candidates.n = 0;
    diff_match_unmatched(d, consider_gap);
    for (u32 i = 0; i < d->b.eqns.n; i++)
        if (d->b.match[d->b.eqns.at[i]] == NONE)
            consider_flow(d, d->b.eqns.at[i]);
    if (d->candidates.n > 1)
        qsort(d->candidates.at, d->candidates.n, sizeof *d->candidates.at, compare);
    for (u32 i = 0; i < d->candidates.n; i++) {
        const struct diff_candidate *c = &d->candidates.at[i];
        if (d->a.match[c->a] != NONE || d->b.match[c->b] != NONE)
            continue;
        bool same = same_primitive(d, c->a, c->b);
        if (!same && diff_is_replaced(d, c->a, c->b))
            continue;
        diff_match_eqns(d, c->a, c->b);
        any = true;
        differing |= !same;
    }
    if (differing)
        separate_unrelated(d);
    return any;
}
