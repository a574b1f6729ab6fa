/* SPDX-License-Identifier: Apache-2.0
 *
 * Literals as a version prints them: with a type or without, and with its digits. A type that the text needs, because
 * the position of the literal gives another, is kept. Linear in the literals. */
#include "base/decimal.h"
#include "canon/respell.h"

/* prints a number that was a double with the fewest digits that distinguish it from others of its type, as numpy does;
 * if numpy releases differ, the text stays. The reverse is impossible: Python's numbers are never rounded, and the text
 * does not show which were Python's */
static void
respell_digits(const struct literal_style *r, struct literal *l, dtype_t dtype, double value)
{
    struct mem *mem = r->c->m->mem;
    double size = value < 0 ? -value : value, shortest = canon_fewest_digits(value, dtype);
    bool sure = (dtype == DT_f32 && (size < 1e6 || size >= 1e16)) || (dtype == DT_f16 && size < 1e3);
    if (!sure || (size < 1e-4 && (shortest >= 1e-4 || shortest <= -1e-4)) ||
        !slice_eq(decimal_text(mem, value), module_bytes(r->c->m, l->value)))
        return;
    l->value = module_add_bytes(r->c->m, decimal_text(mem, shortest));
    l->kind = LIT_FLOAT;
}

/* whether a literal would be read as one of another type without the type that is printed after it */
static bool
needs_type(const struct literal_style *r, atom_t a, eqn_t e, u32 i)
{
    if (atom_kind(a) != ATOM_LIT || r->c->m->literals.at[atom_id(a)].type == NONE)
        return false;
    struct literal plain = r->c->m->literals.at[atom_id(a)];
    const struct type *t = type_get(&r->c->m->types, plain.type);
    bool decided, scalar = t->kind == TYPE_ARRAY && t->rank == 0 && t->space.n == 0 && t->vary.n == 0;
    plain.type = NONE;
    return !scalar || canon_expected(r->c, e, i, &plain, &decided) != t->dtype;
}

bool
literals_typed(const struct literal_style *r, const struct jaxprs *all)
{
    const struct module *m = r->c->m;
    bool needs = range_has(r->version, JAX_LITERALS_TYPED);
    for (u32 i = 0; i < all->n && !needs; i++) {
        const struct jaxpr *j = &m->jaxprs.at[all->at[i]];
        for (eqn_t e = j->eqns; e != NONE && !needs; e = m->eqns.at[e].next)
            for (u32 k = 0; k < m->eqns.at[e].n_atoms; k++)
                needs |= needs_type(r, m->atoms.at[m->eqns.at[e].atoms + k], e, k);
        for (u32 k = 0; k < j->n_outs; k++)
            needs |= needs_type(r, m->atoms.at[j->outs + k], NONE, k);
    }
    return needs;
}

void
respell_literal(const struct literal_style *r, atom_t a, eqn_t e, u32 i)
{
    struct module *m = r->c->m;
    dtype_t dtype;
    double value;
    if (atom_kind(a) != ATOM_LIT)
        return;
    struct literal *l = &m->literals.at[atom_id(a)];
    bool typed = l->type != NONE, number = canon_literal_value(r->c, atom_id(a), e, i, &dtype, &value);
    if (number && range_has(r->version, JAX_NUMBERS_BY_NUMPY) && !range_has(r->version, JAX_NUMBERS_BY_PYTHON))
        respell_digits(r, l, dtype, value);
    if (!r->typed) {
        l->type = NONE;
    } else if (!typed && range_has(r->version, JAX_LITERALS_TYPED) && dtype != NONE && dtype < DT_COUNT) {
        struct slice text = dtype_text(&m->names, dtype);
        l->type = types_intern(&m->types, arena_printf(m->mem, "%.*s[]", (int)text.n, text.at));
    }
}
