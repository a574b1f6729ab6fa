/* SPDX-License-Identifier: Apache-2.0
 *
 * Live bytes: one walk over a program, with the sum of the values that are bound and still to be read. The peak of a
 * nested program is added at its equation; its binders are the operands, except those that a loop carries or slices,
 * which are copies. Linear in equations and operands. */
#include "cost/costing.h"

#include <stdlib.h>

enum { OUTPUT = UINT32_MAX };

struct living {
    struct costing *c;
    jaxpr_t j;
    struct amount live, peak;
    double most; /* the largest estimate so far, and its equation */
    eqn_t at;
};

static void
read_at(struct costing *c, atom_t a, u32 when)
{
    const struct module *m = c->m;
    if (atom_kind(a) == ATOM_VAR)
        memo_set(m->mem, &c->last, atom_id(a), when);
    if (atom_kind(a) != ATOM_REF)
        return;
    const struct refexpr *r = &m->refs.at[atom_id(a)];
    if (atom_kind(r->ref) == ATOM_VAR)
        memo_set(m->mem, &c->last, atom_id(r->ref), when);
    for (u32 i = 0; i < r->n_uses; i++)
        if (atom_kind(m->uses.at[r->uses + i]) == ATOM_VAR)
            memo_set(m->mem, &c->last, atom_id(m->uses.at[r->uses + i]), when);
}

/* finds the last use of every variable of one program */
static void
find_last(struct costing *c, jaxpr_t j)
{
    const struct module *m = c->m;
    const struct jaxpr *program = &m->jaxprs.at[j];
    for (eqn_t e = cost_first(c, j); e != NONE; e = cost_next(c, e))
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            read_at(c, m->atoms.at[m->eqns.at[e].atoms + i], e + 1);
    for (u32 i = 0; i < program->n_outs; i++)
        read_at(c, m->atoms.at[program->outs + i], OUTPUT);
}

/* bytes of binders [first, last) of a program, constants counted first */
static void
add_binders(struct costing *c, jaxpr_t j, u32 first, u32 last, struct amount *to)
{
    const struct jaxpr *program = &c->m->jaxprs.at[j];
    struct amount one;
    for (u32 i = first; i < last; i++) {
        cost_bytes(c, j, c->m->vars.at[program->vars + i].type, &one);
        amount_add(to, &one);
    }
}

/* adds the largest peak of the programs in c->sites, which their equation runs */
static void
add_inner(struct costing *c, eqn_t e, struct amount *to)
{
    struct amount most, one;
    amount_set(&most, 0);
    for (u32 i = 0; i < c->sites.n; i++) {
        const struct site *site = &c->sites.at[i];
        u64 node = memo_get(&c->node_of, site->jaxpr);
        if (!node || site_applies(site))
            continue;
        amount_load(c->t, &one, &c->out->jaxprs.at[node - 1].peak);
        if (site_loops(site)) { /* its constants are the operands themselves */
            const struct jaxpr *program = &c->m->jaxprs.at[site->jaxpr];
            bool loops = region_map_again(c->m, e, &c->map) && region_map_loops(&c->map);
            add_binders(c, site->jaxpr, loops ? c->map.body_carry : program->n_consts, jaxpr_binders(program), &one);
        }
        amount_most(&most, &one);
    }
    amount_add(to, &most);
}

/* records the memory live at an equation, with `inner` including the programs it runs */
static void
note(struct living *l, eqn_t e, bool inner)
{
    struct amount now;
    amount_copy(&now, &l->live);
    if (inner)
        add_inner(l->c, e, &now);
    if (e != NONE && l->c->equations)
        amount_keep(l->c->t, &cost_equations_find(l->c->equations, e)->live, &now);
    double guess = amount_guess(l->c->t, &now);
    if (l->c->detail && l->j == l->c->out->jaxprs.at[0].jaxpr)
        *vec_push(l->c->m->mem, &l->c->detail->moments) = (struct cost_moment){e, guess};
    if (guess > l->most) {
        l->most = guess;
        l->at = e;
    }
    amount_most(&l->peak, &now);
}

static bool
bound_here(const struct eqn *eqn, var_t v)
{
    return v >= eqn->vars && v - eqn->vars < eqn->n_vars;
}

static void
drop(struct living *l, var_t v)
{
    struct amount one;
    cost_bytes(l->c, l->j, l->c->m->vars.at[v].type, &one);
    amount_add_times(&l->live, &one, -1);
}

/* subtracts the values that are not used after an equation; arguments and constants stay */
static void
drop_dead(struct living *l, eqn_t e)
{
    struct costing *c = l->c;
    const struct eqn *eqn = &c->m->eqns.at[e];
    const struct jaxpr *program = &c->m->jaxprs.at[l->j];
    for (u32 i = 0; i < eqn->n_vars; i++)
        if (!memo_get(&c->last, eqn->vars + i))
            drop(l, eqn->vars + i);
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = atom_without_index(c->m, c->m->atoms.at[eqn->atoms + i]);
        var_t v = atom_id(a);
        bool binder = jaxpr_binds(program, v);
        if (atom_kind(a) != ATOM_VAR || binder || bound_here(eqn, v) || memo_get(&c->last, v) != e + 1ull)
            continue;
        memo_set(c->m->mem, &c->last, v, OUTPUT); /* once, even if the equation reads it several times */
        drop(l, v);
    }
}

void
cost_peak(struct costing *c, u32 program)
{
    struct cost_jaxpr *p = &c->out->jaxprs.at[program];
    struct living l = {.c = c, .j = p->jaxpr, .at = NONE, .most = -1};
    struct amount one;
    amount_set(&l.live, 0);
    amount_set(&l.peak, 0);
    find_last(c, l.j);
    const struct jaxpr *own = &c->m->jaxprs.at[l.j];
    add_binders(c, l.j, 0, program == 0 ? jaxpr_binders(own) : own->n_consts, &l.live);
    note(&l, NONE, false);
    for (eqn_t e = cost_first(c, l.j); e != NONE; e = cost_next(c, e)) {
        const struct eqn *eqn = &c->m->eqns.at[e];
        for (u32 i = 0; i < eqn->n_vars; i++) {
            cost_bytes(c, l.j, c->m->vars.at[eqn->vars + i].type, &one);
            amount_add(&l.live, &one);
        }
        cost_sites(c, e);
        note(&l, e, c->sites.n > 0);
        drop_dead(&l, e);
    }
    amount_keep(c->t, &p->peak, &l.peak);
    p->peak_at = l.at;
}

static int
by_bytes_descending(const void *a, const void *b)
{
    const struct cost_held *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : (x->var > y->var) - (x->var < y->var);
}

static void
hold(struct costing *c, var_t v)
{
    struct amount bytes;
    const struct cost_jaxpr *main = &c->out->jaxprs.at[0];
    cost_bytes(c, main->jaxpr, c->m->vars.at[v].type, &bytes);
    *vec_push(c->m->mem, &c->detail->held) = (struct cost_held){v, amount_guess(c->t, &bytes)};
}

void
cost_held_at_peak(struct costing *c)
{
    const struct module *m = c->m;
    const struct cost_jaxpr *main = &c->out->jaxprs.at[0];
    const struct jaxpr *j = &m->jaxprs.at[main->jaxpr];
    struct memo passed = {0};
    find_last(c, main->jaxpr);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        hold(c, j->vars + i);
    if (main->peak_at != NONE)
        for (eqn_t e = cost_first(c, main->jaxpr); e != main->peak_at; e = cost_next(c, e))
            memo_set(m->mem, &passed, e, 1);
    bool before = main->peak_at != NONE;
    for (eqn_t e = cost_first(c, main->jaxpr); before; e = cost_next(c, e)) {
        before = e != main->peak_at;
        for (u32 v = m->eqns.at[e].vars; v < m->eqns.at[e].vars + m->eqns.at[e].n_vars; v++) {
            u64 last = memo_get(&c->last, v);
            if (!before || last == OUTPUT || (last && !memo_get(&passed, (u32)last - 1)))
                hold(c, v);
        }
    }
    memo_free(m->mem, &passed);
    if (c->detail->held.n)
        qsort(c->detail->held.at, c->detail->held.n, sizeof *c->detail->held.at, by_bytes_descending);
}
