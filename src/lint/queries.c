/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions that several rules ask: types, parameters, and what an equation does beside computing its results. O(1) but
 * for the parameters of one equation. */
#include "lint/facts.h"

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

static bool
is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static u32
traits_of(const struct prim *row)
{
    /* what rows without an effect of their own do all the same: make what is not to be made twice, or hold a place */
    static const char *const once[] = {
        "create_token", "after_all",     "rng_uniform", "optimization_barrier",
        "empty",        "empty2",        "new_ref",     "empty_ref",
        "freeze",       "free_ref",      "copy",        "consume",
        "tie",          "name",          "device_put",  "random_clone",
        "id_tap_dep",   "stop_gradient", NULL,
    };
    static const char *const impure[] = {"assert", "outside_call", NULL};
    static const char *const loops[] = {
        "scan", "while", "for", "for_loop", "while_loop", "pallas_call", "parallel_loop", "emit_pipeline", NULL,
    };
    static const char *const kernels[] = {"pallas_call", "core_map", NULL};
    static const char *const consumers[] = {"random_bits", "random_split", "random_gamma", "consume", NULL};
    static const char *const forwarders[] = {
        "random_wrap", "random_unwrap", "broadcast_in_dim", "convert_element_type",
        "reshape",     "squeeze",       "stop_gradient",    "optimization_barrier",
        "device_put",  "name",          "transpose",        NULL,
    };
    if (!row)
        return 0;
    u32 traits = is_one_of(row->name, loops) ? TRAIT_LOOP : 0;
    traits |= is_one_of(row->name, kernels) ? TRAIT_KERNEL : 0;
    traits |= is_one_of(row->name, consumers) ? TRAIT_CONSUMES : 0;
    traits |= is_one_of(row->name, forwarders) ? TRAIT_FORWARDS : 0;
    bool axis = strcmp(row->effects, "NamedAxis") == 0; /* a mesh axis is only read */
    if ((row->effects[0] && !axis) || row->is.trusted || is_one_of(row->name, impure))
        return traits;
    return traits | TRAIT_PURE | (is_one_of(row->name, once) ? 0 : TRAIT_REPEATABLE);
}

static struct lint_prim
learn_prim(struct lint *l, name_t name)
{
    const struct prim *row = prims_find(&l->prims, l->m, name);
    u64 rules = l->wanted;
    u32 traits = traits_of(row) | (lint_is_old(l, row, name) ? TRAIT_OLD : 0);
    for (u64 left = l->wanted; left; left &= left - 1) {
        u32 r = (u32)__builtin_ctzll(left);
        bool any = l->letters[r] == UINT32_MAX, first = row && l->letters[r] >> (row->name[0] & 31) & 1;
        if (!any && !(first && words_have(lint_rows[r].prims, slice_of(row->name))))
            rules &= ~(left & -left);
    }
    if (!(traits & TRAIT_OLD))
        rules &= ~(1ull << RULE_H703);
    return (struct lint_prim){name, traits, rules, row};
}

const struct lint_prim *
lint_prim_of(struct lint *l, eqn_t e)
{
    name_t name = l->m->eqns.at[e].prim;
    struct lint_prim *slot = &l->slots[name * 0x9e3779b1u >> (32 - LINT_SLOT_BITS)];
    if (likely(slot->name == name))
        return slot;
    u64 at = memo_get(&l->known_at, name);
    if (at == 0) {
        *vec_push(l->m->mem, &l->known) = learn_prim(l, name);
        memo_set(l->m->mem, &l->known_at, name, at = l->known.n);
    }
    *slot = l->known.at[at - 1];
    return slot;
}

static bool
all_arrays(const struct lint *l, const struct eqn *eqn)
{
    const struct module *m = l->m;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        type_t type = lint_atom_type(l, a);
        if (atom_kind(a) == ATOM_REF || atom_kind(a) == ATOM_NAME ||
            (atom_kind(a) == ATOM_VAR && (type == NONE || type_get(&m->types, type)->kind != TYPE_ARRAY)))
            return false;
    }
    for (u32 i = 0; i < eqn->n_vars; i++) {
        type_t type = m->vars.at[eqn->vars + i].type;
        if (type == NONE || type_get(&m->types, type)->kind != TYPE_ARRAY)
            return false;
    }
    return true;
}

/* what the programs inside an equation do is pure, too */
static bool
holds_pure(struct lint *l, eqn_t e)
{
    return !l->holds[e] || (effects_eqn(&l->effects, e) & ~(u32)EFFECT_AXIS) == 0;
}

bool
lint_is_pure(struct lint *l, eqn_t e)
{
    const struct eqn *eqn = &l->m->eqns.at[e];
    return lint_prim_of(l, e)->traits & TRAIT_PURE && eqn->form == EQN_CALL && all_arrays(l, eqn) && holds_pure(l, e);
}

bool
lint_is_repeatable(struct lint *l, eqn_t e)
{
    return lint_prim_of(l, e)->traits & TRAIT_REPEATABLE && lint_is_pure(l, e);
}
