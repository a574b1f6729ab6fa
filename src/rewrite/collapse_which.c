/* SPDX-License-Identifier: Apache-2.0
 *
 * Every use of an implicit value is visited once. If another candidate uses it as an implicit value of its own, the
 * candidate that binds it keeps its values if that one does; after any other use it keeps them. Then this is
 * propagated. Linear. */
#include "rewrite/collapse.h"

/* finds the equation that holds each program in a jaxpr: dce and inline copy equations, and the parent of a program in
 * one may be the original */
static void
find_holders(struct collapsing *c, jaxpr_t in)
{
    struct module *m = c->m;
    for (eqn_t e = eqn_with_params(m, m->jaxprs.at[in].eqns); e != NONE; e = eqn_with_params(m, m->eqns.at[e].next)) {
        struct nested held = nested_start(m, e);
        for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;)
            memo_set(m->mem, &c->holders, j, memo_get(&c->holders, j) ? UINT64_MAX : e + 1ull);
    }
}

void
collapsing_init(struct collapsing *c, struct module *m, const struct jaxprs *list)
{
    *c = (struct collapsing){.m = m};
    for (u32 i = 0; i < list->n; i++)
        find_holders(c, list->at[i]);
}

void
collapsing_end(struct collapsing *c)
{
    mem_free_all(c->m->mem, c->candidates.at, c->needs.at, c->failed.at, c->by_eqn.slots, c->owners.slots,
                 c->bodies.slots, c->holders.slots);
}

void
collapsing_add(struct collapsing *c, eqn_t e, const struct region_map *l, const struct implicit *run)
{
    struct module *m = c->m;
    for (u32 i = 0; i < l->regions.n; i++) {
        jaxpr_t j = l->regions.at[i].jaxpr;
        if (m->jaxprs.at[j].parent == NONE || memo_get(&c->holders, j) != e + 1ull)
            return;
    }
    *vec_push(m->mem, &c->candidates) = (struct candidate){*run, false, NONE};
    u32 id = c->candidates.n;
    memo_set(m->mem, &c->by_eqn, e, id);
    for (u32 k = 0; k < run->n; k++)
        memo_set(m->mem, &c->owners, m->eqns.at[e].vars + k, id);
    for (u32 i = 0; i < l->regions.n; i++) {
        jaxpr_t j = l->regions.at[i].jaxpr;
        if (l->kind == REGION_BRANCH || i == 0)
            memo_set(m->mem, &c->bodies, j, id);
        for (u32 k = 0; k < run->n && l->kind != REGION_BRANCH; k++)
            memo_set(m->mem, &c->owners, m->jaxprs.at[j].vars + run->binder[i] + k, id);
    }
}

void
atoms_start(struct atoms_walk *w, const struct module *m, jaxpr_t j)
{
    *w = (struct atoms_walk){m, j, m->jaxprs.at[j].eqns, 0, 0};
}

bool
atoms_next(struct atoms_walk *w, atom_t *a)
{
    const struct module *m = w->m;
    const struct jaxpr *j = &m->jaxprs.at[w->jaxpr];
    for (;;) {
        u32 n = w->e == NONE ? j->n_outs : m->eqns.at[w->e].n_atoms;
        u32 first = w->e == NONE ? j->outs : m->eqns.at[w->e].atoms;
        if (w->at == n && w->e == NONE)
            return false;
        if (w->at == n) {
            w->e = m->eqns.at[w->e].next;
            w->at = 0;
            continue;
        }
        atom_t atom = m->atoms.at[first + w->at];
        if (atom_kind(atom) != ATOM_REF) {
            w->at++;
            *a = atom;
            return true;
        }
        const struct refexpr *ref = &m->refs.at[atom_id(atom)];
        if (w->use > ref->n_uses) {
            w->use = 0;
            w->at++;
            continue;
        }
        *a = w->use == 0 ? ref->ref : m->uses.at[ref->uses + w->use - 1];
        w->use++;
        return true;
    }
}

static void
fail(struct collapsing *c, u32 candidate)
{
    if (c->candidates.at[candidate].stays)
        return;
    c->candidates.at[candidate].stays = true;
    *vec_push(c->m->mem, &c->failed) = candidate;
}

/* variable v is read at position `at` of e, or, if e is NONE, among the results of j */
static void
look(struct collapsing *c, jaxpr_t j, eqn_t e, u32 at, var_t v)
{
    u64 owner = memo_get(&c->owners, v);
    if (owner == 0)
        return;
    u64 reader = e == NONE ? memo_get(&c->bodies, j) : memo_get(&c->by_eqn, e);
    const struct implicit *run = reader ? &c->candidates.at[reader - 1].run : NULL;
    u32 first = e == NONE || !run ? 0 : run->operand;
    if (!run || first == NONE || at < first || at - first >= run->n) {
        fail(c, (u32)owner - 1);
    } else if (reader != owner) {
        *vec_push(c->m->mem, &c->needs) = (struct need){(u32)owner - 1, c->candidates.at[reader - 1].first_needed};
        c->candidates.at[reader - 1].first_needed = c->needs.n - 1;
    }
}

void
collapsing_decide(struct collapsing *c, const struct jaxprs *list)
{
    for (u32 i = 0; i < list->n && c->candidates.n; i++) {
        struct atoms_walk w;
        atom_t a;
        for (atoms_start(&w, c->m, list->at[i]); atoms_next(&w, &a);)
            if (atom_kind(a) == ATOM_VAR) /* w is one position after the operand, except inside a ref */
                look(c, list->at[i], w.e, w.use ? NONE : w.at - 1, atom_id(a));
    }
    while (c->failed.n)
        for (u32 k = c->candidates.at[c->failed.at[--c->failed.n]].first_needed; k != NONE; k = c->needs.at[k].next)
            fail(c, c->needs.at[k].candidate);
}

const struct implicit *
collapsing_find(const struct collapsing *c, eqn_t e)
{
    u64 id = memo_get(&c->by_eqn, e);
    return id && !c->candidates.at[id - 1].stays ? &c->candidates.at[id - 1].run : NULL;
}
