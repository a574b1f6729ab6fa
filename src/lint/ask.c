/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions that several rules ask: types, parameters, and what an equation does beside computing its results. O(1) but
 * for the parameters of one equation. */
#include "lint/facts.h"

type_t
lint_atom_type(const struct lint *l, atom_t a)
{
    const struct module *m = l->m;
    switch (atom_kind(a)) {
    case ATOM_VAR:
        return m->vars.at[atom_id(a)].type;
    case ATOM_LIT:
        return m->literals.at[atom_id(a)].type;
    case ATOM_REF: {
        atom_t ref = m->refs.at[atom_id(a)].ref;
        return atom_kind(ref) == ATOM_VAR ? m->vars.at[atom_id(ref)].type : NONE;
    }
    case ATOM_NAME:
        break;
    }
    return NONE;
}

dtype_t
lint_dtype(const struct lint *l, type_t type)
{
    const struct type *t = type_array(l->m, type);
    return t ? t->dtype : NONE;
}

struct slice
lint_name(const struct lint *l, eqn_t e)
{
    static const char none[] = "";
    if (l->row)
        return slice_of(l->row->name);
    struct name_buffer buffer;
    struct slice s = module_name(l->m, l->m->eqns.at[e].prim, &buffer);
    return s.at == buffer.at ? (struct slice){none, 0} : s; /* a numeral: no primitive that a rule knows */
}

bool
lint_param(const struct lint *l, eqn_t e, struct slice key, struct slice *value)
{
    param_t p = eqn_param(l->m, e, key);
    if (p == NONE)
        return false;
    *value = value_trim(module_bytes(l->m, l->m->params.at[p].span));
    return true;
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

/* what rows without an effect of their own do all the same: make what is not to be made twice, or hold a place */
static bool
is_special(const struct prim *row)
{
    static const char *const names[] = {
        "create_token", "after_all", "rng_uniform", "optimization_barrier", "empty", "empty2", "new_ref", "empty_ref",
        "freeze",       "free_ref",  "copy",        "consume",              "tie",   "name",   "device_put",
        "random_clone", "id_tap_dep", "assert",     "outside_call", "stop_gradient",
    };
    for (u32 i = 0; i < countof(names); i++)
        if (strcmp(row->name, names[i]) == 0)
            return true;
    return false;
}

static bool
all_arrays(const struct lint *l, const struct eqn *eqn)
{
    const struct module *m = l->m;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        type_t type = lint_atom_type(l, a);
        if (atom_kind(a) == ATOM_REF || (atom_kind(a) == ATOM_VAR && (type == NONE || type_get(&m->types, type)->kind != TYPE_ARRAY)))
            return false;
    }
    for (u32 i = 0; i < eqn->n_vars; i++) {
        type_t type = m->vars.at[eqn->vars + i].type;
        if (type == NONE || type_get(&m->types, type)->kind != TYPE_ARRAY)
            return false;
    }
    return true;
}

bool
lint_is_pure(struct lint *l, eqn_t e)
{
    const struct eqn *eqn = &l->m->eqns.at[e];
    const struct prim *row = prims_find(&l->prims, l->m, eqn->prim);
    if (!row || row->shape == shape_trusted || eqn->form != EQN_CALL || strcmp(row->name, "assert") == 0 ||
        strcmp(row->name, "outside_call") == 0 || !all_arrays(l, eqn))
        return false;
    return effects_eqn(&l->effects, e) == 0 || effects_eqn(&l->effects, e) == EFFECT_AXIS;
}

bool
lint_is_repeatable(struct lint *l, eqn_t e)
{
    const struct prim *row = prims_find(&l->prims, l->m, l->m->eqns.at[e].prim);
    return row && !is_special(row) && lint_is_pure(l, e);
}
