/* SPDX-License-Identifier: Apache-2.0
 *
 * The types that a rule reads: of results, of operands as sizes, of nested programs. O(1) but for results called `_`.
 */
#include "verify/checker.h"

struct aval
rule_binder(const struct rule *r, u32 i)
{
    return i < r->eqn->n_vars ? aval_of_type(r->m, r->m->vars.at[r->eqn->vars + i].type) : aval_unknown();
}

/* ---- operands, and other programs' types ---- */

struct dim
operand_dim(struct rule *r, u32 i)
{
    r->wide = true;
    atom_t a = r->m->atoms.at[r->eqn->atoms + i];
    struct dim d = dim_unknown();
    if (atom_kind(a) == ATOM_VAR)
        d = (struct dim){.kind = DIM_NAME, .name = r->m->vars.at[atom_id(a)].name, .value = DIM_VARIABLE};
    else if (atom_kind(a) == ATOM_LIT)
        read_dim(r, module_bytes(r->m, r->m->literals.at[atom_id(a)].value), &d);
    return d;
}

/* a type of another scope: its names are not told apart from those of this one (check_dims compares across scopes) */
struct aval
aval_elsewhere(const struct rule *r, atom_t atom)
{
    const struct dim *view = r->m->types.view;
    if (view == r->m->types.variables)
        r->m->types.view = NULL;
    struct aval a = aval_of_atom(r->m, atom);
    r->m->types.view = view;
    if (r->c->inferred && a.kind == AVAL_UNKNOWN && atom_kind(atom) == ATOM_VAR)
        return r->c->inferred[atom_id(atom)];
    return a;
}

struct aval
jaxpr_in_aval(const struct rule *r, jaxpr_t j, u32 i)
{
    return aval_elsewhere(r, atom_make(ATOM_VAR, jaxpr_in(&r->m->jaxprs.at[j], i)));
}

/* Which types the variables of a jaxpr have that are called `_`: its result i may be any of them. */
struct dropped {
    bool alike; /* they are all of one type */
    bool fits;  /* some have the type that the equation around gives the result */
};

/* not looked for in long programs with many results */
static struct dropped
find_dropped(const struct module *m, const struct jaxpr *j, u32 i)
{
    enum { WORTH = 4096 };
    var_t v = atom_id(m->atoms.at[j->outs + i]);
    name_t name = m->vars.at[v].name;
    type_t type = m->vars.at[v].type, given = NONE;
    struct dropped d = {true, true};
    if ((u64)j->n_eqns * j->n_outs > WORTH)
        return (struct dropped){false, true};
    if (j->parent != NONE && m->eqns.at[j->parent].n_vars == j->n_outs) {
        given = m->vars.at[m->eqns.at[j->parent].vars + i].type;
        d.fits = given == NONE;
    }
    for (u32 k = 0; k < j->n_consts + j->n_ins; k++)
        if (m->vars.at[j->vars + k].name == name) {
            d.alike &= m->vars.at[j->vars + k].type == type;
            d.fits |= m->vars.at[j->vars + k].type == given;
        }
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
            if (m->vars.at[m->eqns.at[e].vars + k].name == name) {
                d.alike &= m->vars.at[m->eqns.at[e].vars + k].type == type;
                d.fits |= m->vars.at[m->eqns.at[e].vars + k].type == given;
            }
    return d;
}

struct aval
jaxpr_out_aval(const struct rule *r, jaxpr_t j, u32 i)
{
    atom_t out = r->m->atoms.at[r->m->jaxprs.at[j].outs + i];
    if (atom_kind(out) == ATOM_VAR && var_is_dropped(r->m, atom_id(out))) {
        struct dropped d = find_dropped(r->m, &r->m->jaxprs.at[j], i);
        if (d.alike || !d.fits)
            return aval_of_type(r->m, r->m->vars.at[atom_id(out)].type);
    }
    return aval_elsewhere(r, out);
}
