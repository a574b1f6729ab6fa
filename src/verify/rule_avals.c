/* SPDX-License-Identifier: Apache-2.0
 *
 * The types that a rule reads: of results, of operands as sizes, of nested programs. Linear in ranks. */
#include "verify/checker.h"

struct aval
rule_binder(const struct rule *r, u32 i)
{
    bool read = i < r->eqn->n_vars && likely(!(i < 64 && r->unread.results >> i & 1));
    return read ? aval_of_type(r->m, r->m->vars.at[r->eqn->vars + i].type) : aval_unknown();
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

/* an inferred type of another scope; sizes that are variables of that scope may be any size here */
static struct aval
inferred_elsewhere(const struct rule *r, const struct aval *inferred)
{
    struct aval a = *inferred;
    if (!a.ranked || a.rank == 0)
        return a;
    struct dim *dims = scratch_alloc(r->c, a.rank * sizeof *dims);
    for (u32 d = 0; d < a.rank; d++) {
        dims[d] = a.dims[d];
        if (dims[d].kind == DIM_NAME && dims[d].value == DIM_VARIABLE)
            dims[d].value = DIM_ANY_NAME;
    }
    a.dims = dims;
    return a;
}

struct aval
aval_elsewhere(const struct rule *r, atom_t atom)
{
    const struct dim *view = r->m->types.view;
    if (view == r->m->types.variables)
        r->m->types.view = NULL;
    struct aval a = aval_of_atom(r->m, atom);
    r->m->types.view = view;
    if (r->c->inferred && a.kind == AVAL_UNKNOWN && atom_kind(atom) == ATOM_VAR)
        return inferred_elsewhere(r, &r->c->inferred[atom_id(atom)]);
    return a;
}

struct aval
aval_here(const struct rule *r, atom_t atom)
{
    struct aval a = aval_of_atom(r->m, atom);
    return r->c->inferred && a.type == NONE && atom_kind(atom) == ATOM_VAR ? r->c->inferred[atom_id(atom)] : a;
}

struct aval
jaxpr_in_aval(const struct rule *r, jaxpr_t j, u32 i)
{
    return aval_elsewhere(r, atom_make(ATOM_VAR, jaxpr_in(&r->m->jaxprs.at[j], i)));
}

struct aval
jaxpr_out_aval(const struct rule *r, jaxpr_t j, u32 i)
{
    return aval_elsewhere(r, r->m->atoms.at[r->m->jaxprs.at[j].outs + i]);
}
