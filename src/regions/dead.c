/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds equations whose results nothing reads, backwards through one jaxpr. Results of nested programs count as read.
 * Linear. */
#include "regions/dead.h"

static bool
is_array(const struct module *m, type_t type)
{
    return type != NONE && type_get(&m->types, type)->kind == TYPE_ARRAY;
}

static bool
all_arrays(const struct module *m, const struct eqn *eqn)
{
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        u32 kind = atom_kind(a);
        if (kind == ATOM_REF || kind == ATOM_NAME || (kind == ATOM_VAR && !is_array(m, m->vars.at[atom_id(a)].type)))
            return false;
    }
    for (u32 i = 0; i < eqn->n_vars; i++)
        if (!is_array(m, m->vars.at[eqn->vars + i].type))
            return false;
    return true;
}

bool
eqn_is_pure(struct module *m, const struct prim *row, struct effects *effects, eqn_t e)
{
    const struct eqn *eqn = &m->eqns.at[e];
    return row && prim_is_pure(row) && eqn->form == EQN_CALL && all_arrays(m, eqn) &&
           (!eqn_nests(m, e) || (effects_eqn(effects, e) & ~(u32)EFFECT_AXIS) == 0);
}

static bool
is_read(const struct readers *readers, const struct eqn *eqn)
{
    for (u32 i = 0; i < eqn->n_vars; i++) {
        const u32 *reads = readers_of(readers, eqn->vars + i);
        if (!reads || *reads)
            return true;
    }
    return false;
}

void
dead_equations(struct module *m, struct effects *effects, const struct readers *readers, jaxpr_t j, struct eqns *dead)
{
    struct eqns all = {0};
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        *vec_push(m->mem, &all) = e;
    for (u32 i = all.n; i-- > 0;) {
        eqn_t e = all.at[i];
        const struct eqn *eqn = &m->eqns.at[e];
        if (is_read(readers, eqn) || !eqn_is_pure(m, prims_find(effects->prims, m, eqn->prim), effects, e))
            continue;
        for (u32 k = 0; k < eqn->n_atoms; k++) {
            atom_t a = m->atoms.at[eqn->atoms + k];
            u32 *reads = atom_kind(a) == ATOM_VAR ? readers_of(readers, atom_id(a)) : NULL;
            if (reads)
                --*reads;
        }
        *vec_push(m->mem, dead) = e;
    }
    vec_free(m->mem, &all);
}
