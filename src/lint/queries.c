/* SPDX-License-Identifier: Apache-2.0
 *
 * Queries that several rules use, about types, parameters, and effects of an equation. O(1), or linear in the
 * parameters of one equation. */
#include "lint/facts.h"

eqn_t
lint_undone(const struct lint *l, eqn_t e, var_t *start)
{
    const struct module *m = l->m;
    var_t middle = lint_operand(l, e, 0);
    eqn_t inner = middle == NONE ? NONE : l->facts.producer[middle];
    *start = inner == NONE ? NONE : lint_operand(l, inner, 0);
    type_t type = *start == NONE ? NONE : m->vars.at[*start].type;
    return type != NONE && m->eqns.at[e].n_vars == 1 && m->vars.at[m->eqns.at[e].vars].type == type ? inner : NONE;
}

type_t
lint_atom_type(const struct lint *l, atom_t a)
{
    return atom_type(l->m, atom_without_index(l->m, a));
}

dtype_t
lint_dtype(const struct lint *l, type_t type)
{
    const struct type *t = type_array(l->m, type);
    return t ? t->dtype : NONE;
}

u32
lint_float_bits(const struct lint *l, var_t v)
{
    dtype_t d = lint_dtype(l, l->m->vars.at[v].type);
    if (d == NONE || (dtype_class(d) != CLASS_FLOAT && dtype_class(d) != CLASS_COMPLEX))
        return 0;
    return dtype_class(d) == CLASS_COMPLEX ? dtype_bits(d) / 2 : dtype_bits(d);
}

struct slice
lint_name(const struct lint *l, eqn_t e)
{
    static const char none[] = "";
    if (l->row)
        return slice_of(l->row->name);
    struct name_buffer buffer;
    struct slice s = module_name(l->m, l->m->eqns.at[e].prim, &buffer);
    return s.at == buffer.at ? (struct slice){none, 0} : s; /* a numeral: not a primitive that a rule knows */
}

static u64
multiply(u64 a, u64 b)
{
    u64 product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

u64
lint_type_elements(const struct lint *l, type_t type, bool *known)
{
    const struct type *t = type_array(l->m, type);
    *known = t != NULL;
    u64 n = t != NULL;
    for (u32 i = 0; t && i < t->rank; i++) {
        const struct dim *d = &type_dims(&l->m->types, t)[i];
        if (d->kind == DIM_INT && d->value >= 0)
            n = multiply(n, (u64)d->value);
        else
            *known = false;
    }
    return n;
}

u64
lint_type_bytes(const struct lint *l, type_t type, bool *known)
{
    const struct type *t = type_array(l->m, type);
    u64 n = lint_type_elements(l, type, known);
    u32 bits = t ? dtype_bits(t->dtype) : 0;
    return bits < 8 ? multiply(n, bits) / 8 + (multiply(n, bits) % 8 != 0) : multiply(n, bits / 8);
}

static struct lint_prim
learn_prim(struct lint *l, name_t name)
{
    const struct prim *row = prims_find(&l->known.table, l->m, name);
    u64 rules = l->known.wanted;
    for (u64 left = l->known.wanted; left; left &= left - 1) {
        u32 r = (u32)__builtin_ctzll(left);
        bool any = l->known.letters[r] == UINT32_MAX, first = row && l->known.letters[r] >> (row->name[0] & 31) & 1;
        if (!any && !(first && words_have(lint_rows[r].prims, slice_of(row->name))))
            rules &= ~(left & -left);
    }
    if (!lint_is_old(l, row, name))
        rules &= ~(1ull << RULE_H703);
    return (struct lint_prim){name, rules, row};
}

const struct lint_prim *
lint_prim_of(struct lint *l, eqn_t e)
{
    name_t name = l->m->eqns.at[e].prim;
    struct lint_prim *slot = &l->known.slots[name * 0x9e3779b1u >> (32 - LINT_SLOT_BITS)];
    if (likely(slot->name == name))
        return slot;
    u64 at = memo_get(&l->known.index, name);
    if (at == 0) {
        *vec_push(l->m->mem, &l->known.all) = learn_prim(l, name);
        memo_set(l->m->mem, &l->known.index, name, at = l->known.all.n);
    }
    *slot = l->known.all.at[at - 1];
    return slot;
}

/* true if the equation has no known effects: it may be removed if its results are unused */
static bool
lint_is_pure(struct lint *l, eqn_t e)
{
    return eqn_is_pure(l->m, lint_prim_of(l, e)->row, &l->effects, e);
}

bool
lint_is_repeatable(struct lint *l, eqn_t e)
{
    const struct prim *row = lint_prim_of(l, e)->row;
    return row && !row->is.once && lint_is_pure(l, e);
}
