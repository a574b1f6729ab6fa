/* SPDX-License-Identifier: Apache-2.0
 *
 * The common arguments of branches, as jaxpr_pad_consts (catalyst/jax_extras/tracing.py) and
 * _initial_style_jaxprs_with_common_consts (jax/_src/lax/control_flow/common.py) make them. */
#include "rewrite/pad_branches.h"

#include "ir/reach.h"
#include "rewrite/const_operands.h"
#include "rewrite/rewrite.h"

void
branches_pad(struct module *m, const struct region_map *l, const u32 *own, u32 *fresh)
{
    VEC(var_t) all = {0}, pads = {0};
    u32 before = 0;
    for (u32 i = 0; i < l->regions.n; i++)
        for (u32 k = 0; k < own[i]; k++)
            *vec_push(m->mem, &all) = m->jaxprs.at[l->regions.at[i].jaxpr].vars + k;
    for (u32 i = 0; i < l->regions.n; i++) {
        jaxpr_t j = l->regions.at[i].jaxpr;
        u32 after = before + own[i];
        pads.n = 0;
        binders_like(m, all.at, before, true, fresh, &pads);
        binders_insert(m, j, 0, pads.at, pads.n, false);
        pads.n = 0;
        binders_like(m, all.at + after, all.n - after, true, fresh, &pads);
        binders_insert(m, j, after, pads.at, pads.n, false);
        before = after;
    }
    vec_free(m->mem, &all);
    vec_free(m->mem, &pads);
}

/* the number of each branch's own arguments; false if they have one list already, or none at all */
static bool
own_arguments(const struct module *m, eqn_t e, const struct region_map *l, u32 *own)
{
    u64 total = 0, given = m->eqns.at[e].n_atoms - l->selectors, common = 0;
    bool jax = l->system == SYSTEM_JAX, padded = true;
    for (u32 i = 0; i < l->regions.n; i++) {
        if (l->regions.at[i].jaxpr == NONE)
            return false;
        const struct jaxpr *j = &m->jaxprs.at[l->regions.at[i].jaxpr];
        own[i] = jax ? j->n_consts : jaxpr_binders(j);
        total += own[i];
        padded &= j->n_consts == 0 && (jax || own[i] == given);
        if (jax && i > 0 && common != j->n_ins)
            return false;
        common = jax ? j->n_ins : 0;
    }
    return !padded && total + common == given;
}

enum outcome
pass_pad_branches(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct region_map l = {0};
    struct jaxprs list = {0};
    VEC(u32) own = {0};
    u32 fresh = 0;
    bool any = false;
    reach_all(m, program, &list);
    for (u32 i = 0; i < list.n; i++)
        for (eqn_t e = m->jaxprs.at[list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            if (m->eqns.at[e].params == NONE || !region_map_read(m, e, &l) || l.kind != REGION_BRANCH ||
                l.system == SYSTEM_PENNYLANE || m->eqns.at[e].n_atoms < l.selectors)
                continue;
            own.n = 0;
            for (u32 k = 0; k < l.regions.n; k++)
                *vec_push(m->mem, &own) = 0;
            if (!own_arguments(m, e, &l, own.at))
                continue;
            for (u32 k = 0; k < l.regions.n; k++) {
                struct jaxpr *j = &m->jaxprs.at[l.regions.at[k].jaxpr];
                j->n_ins += j->n_consts;
                j->n_consts = 0;
            }
            branches_pad(m, &l, own.at, &fresh);
            any = true;
        }
    vec_free(m->mem, &list);
    vec_free(m->mem, &own);
    region_map_free(m, &l);
    return any ? OUTCOME_RENAMES : OUTCOME_NOTHING;
}
