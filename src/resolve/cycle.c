/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether equations that read names too early define each other. By name, as nothing is bound yet: linear in the
 * program, once for a name that is reported. */
#include "resolve/cycle.h"

#include "base/memo.h"
#include "regions/span.h"

static name_t
name_of(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_NAME ? atom_id(a) : atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].name : NONE;
}

struct equation_operand
equation_needs(const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted)
{
    struct memo owner = {0}; /* of a name: the equation that binds it, plus 1; 0 once it was visited */
    VEC(eqn_t) open = {0};
    struct equation_operand met = {NONE, 0};
    if (from == NONE)
        return met;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            memo_set(m->mem, &owner, m->vars.at[m->eqns.at[e].vars + i].name, (u64)e + 1);
    *vec_push(m->mem, &open) = from;
    while (open.n && met.e == NONE) {
        eqn_t e = open.at[--open.n];
        const struct eqn *eqn = &m->eqns.at[e];
        for (u32 i = 0; i < eqn->n_atoms && met.e == NONE; i++) {
            name_t name = name_of(m, m->atoms.at[eqn->atoms + i]);
            u64 definition = name == NONE ? 0 : memo_get(&owner, name);
            if (definition == (u64)wanted + 1)
                met = (struct equation_operand){e, i};
            if (definition == 0 || met.e != NONE)
                continue;
            memo_set(m->mem, &owner, name, 0);
            *vec_push(m->mem, &open) = (eqn_t)(definition - 1);
        }
    }
    memo_free(m->mem, &owner);
    vec_free(m->mem, &open);
    return met;
}

void
note_cycle(struct diags *ds, const struct module *m, struct equation_operand needs, struct slice name)
{
    struct name_buffer buffer;
    if (needs.e == NONE)
        return;
    struct span at = eqn_operand_span(m, needs.e, needs.i);
    struct slice operand = module_name(m, name_of(m, m->atoms.at[m->eqns.at[needs.e].atoms + needs.i]), &buffer);
    diag_note(ds, at.at, at.n, "it depends on `%s`, a result of the equation that reads `%s`", diag_quote(ds, operand),
              diag_quote(ds, name));
}
