/* SPDX-License-Identifier: Apache-2.0
 *
 * Constvars to arguments. Both are adjacent in a jaxpr's variables, constvars first, so that only counts change. */
#include "base/memo.h"
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "ir/reach.h"
#include "rewrite/rewrite.h"

/* the constvars of a jaxpr become its first arguments */
static void
consume_constvars(struct jaxpr *j)
{
    j->n_ins += j->n_consts;
    j->n_consts = 0;
}

enum outcome
pass_constants(struct passes *p, program_t program)
{
    struct module *m = p->m;
    jaxpr_t main = m->programs.at[program].main;
    if (main == NONE || m->jaxprs.at[main].n_consts == 0)
        return OUTCOME_NOTHING;
    consume_constvars(&m->jaxprs.at[main]);
    return OUTCOME_DONE;
}

/* whether equation e, which contains j, may have an operand for each of its constvars; l is scratch */
static bool
may_bind_constvars(const struct module *m, eqn_t e, jaxpr_t j, struct region_map *l)
{
    const struct jaxpr *inner = &m->jaxprs.at[j];
    const struct eqn *eqn = &m->eqns.at[e];
    u32 binders = jaxpr_binders(inner);
    if (!region_map_again(m, e, l) || l->kind == REGION_MAPPED)
        return eqn_int(m, e, SLICE("n_consts"), 0) == inner->n_consts && eqn->n_atoms >= binders;
    /* branches with constants of their own: see pad_branches.c */
    return l->kind != REGION_BRANCH || l->system != SYSTEM_CATALYST || eqn->n_atoms == l->selectors + binders;
}

/* whether equation e has an operand for each constvar of the program of a region */
static bool
binds_constvars(const struct module *m, eqn_t e, const struct region *in)
{
    u32 n = in->jaxpr == NONE ? 0 : m->jaxprs.at[in->jaxpr].n_consts;
    for (u32 k = 0; k < n; k++) {
        u32 operand = region_operand(in, k);
        if (operand == NONE || operand >= m->eqns.at[e].n_atoms)
            return false;
    }
    return true;
}

/* notes in `holders` whether e passes the constants of its nested programs; see pass_nested_constants */
static void
check_nested(struct module *m, eqn_t e, struct region_map *l, struct memo *holders)
{
    struct nested held = nested_start(m, e);
    bool any = false;
    l->of = 0;
    for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;)
        if (m->jaxprs.at[j].n_consts && memo_get(holders, j) != 2) {
            memo_set(m->mem, holders, j, may_bind_constvars(m, e, j, l) ? 1 : 2);
            any = true;
        }
    for (u32 i = 0; any && l->kind != REGION_NONE && i < l->regions.n; i++)
        if (!binds_constvars(m, e, &l->regions.at[i]))
            memo_set(m->mem, holders, l->regions.at[i].jaxpr, 2);
}

enum outcome
pass_nested_constants(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct jaxprs list = {0};
    struct region_map l = {0};
    struct memo holders = {0}; /* by jaxpr_t: 1 if all its equations pass its constants, 2 if one does not */
    bool any = false;
    reach_all(m, program, &list);
    for (u32 i = 0; i < list.n; i++)
        for (eqn_t e = m->jaxprs.at[list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next)
            check_nested(m, e, &l, &holders);
    for (u32 i = 0; i < list.n; i++)
        if (memo_get(&holders, list.at[i]) == 1) {
            consume_constvars(&m->jaxprs.at[list.at[i]]);
            any = true;
        }
    memo_free(m->mem, &holders);
    region_map_free(m, &l);
    vec_free(m->mem, &list);
    return any ? OUTCOME_DONE : OUTCOME_NOTHING;
}

enum outcome
pass_args_to_consts(struct passes *p, program_t program)
{
    struct module *m = p->m;
    jaxpr_t main = m->programs.at[program].main;
    u32 n = p->count, stays = NONE;
    if (main == NONE)
        return OUTCOME_NOTHING;
    struct jaxpr *j = &m->jaxprs.at[main];
    p->stays = j->n_ins;
    if (n > j->n_ins)
        return OUTCOME_STUCK;
    struct binders staying;
    binders_init(&staying, m);
    for (u32 i = n; i < j->n_ins; i++)
        binders_bind(&staying, jaxpr_in(j, i));
    for (u32 i = 0; i < n && stays == NONE; i++) {
        const struct type *t = type_array(m, m->vars.at[jaxpr_in(j, i)].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            var_t size = d->kind == DIM_NAME ? binders_find(&staying, d->name) : NONE;
            if (size != NONE) {
                stays = i;
                p->size = size;
            }
        }
    }
    binders_drop(&staying);
    p->stays = stays;
    if (stays != NONE)
        return OUTCOME_STUCK;
    j->n_consts += n;
    j->n_ins -= n;
    return n ? OUTCOME_DONE : OUTCOME_NOTHING;
}
