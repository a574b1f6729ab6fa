/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects propagate from the inside out: an equation has those of its primitive's row and those of its nested programs,
 * whose effects on arguments are effects on the operands (jax/_src/core.py, JaxprInputEffect). Writes to refs that are
 * made inside are not seen outside. Linear in the equations. */
#include "regions/effect_analysis.h"

void
effects_init(struct effects *x, struct module *m, struct prims *prims, struct version_range version)
{
    *x = (struct effects){.m = m, .prims = prims, .version = version};
}

void
effects_end(struct effects *x)
{
    mem_free_all(x->m->mem, x->records.slots, x->jaxprs.at, x->writes.at, x->written.at);
    region_map_free(x->m, &x->map);
}

const struct jaxpr_effects *
effects_of(const struct effects *x, jaxpr_t j)
{
    u64 record = memo_get(&x->records, j);
    return record == 0 ? NULL : &x->jaxprs.at[record - 1];
}

/* true if a parameter declares a foreign call pure */
static bool
is_switched_off(const struct module *m, eqn_t e)
{
    param_t p = eqn_param(m, e, SLICE("has_side_effect"));
    return p != NONE && slice_eq(param_bytes(m, &m->params.at[p]), SLICE("False"));
}

/* unknown primitives count as pure, unless their name or a parameter is an effect */
static bool
calls_itself_effect(const struct module *m, eqn_t e)
{
    struct name_buffer buffer;
    return slice_contains(module_name(m, m->eqns.at[e].prim, &buffer), SLICE("effect")) ||
           eqn_param(m, e, SLICE("effect")) != NONE;
}

static u8
row_flags(struct effects *x, const struct prim *row, eqn_t e)
{
    if (row == NULL)
        return calls_itself_effect(x->m, e) ? EFFECT_KEPT : EFFECT_UNKNOWN;
    struct slice words = slice_of(row->effects);
    if (words.n == 0)
        return row->is.unprinted ? EFFECT_KEPT : 0; /* its result is not printed, and may be used */
    if (slice_eq(words, SLICE("NamedAxis")))
        return EFFECT_AXIS;
    if (slice_eq(words, SLICE("Read")))
        return EFFECT_READ;
    if (slice_eq(words, SLICE("Write")) || slice_eq(words, SLICE("Accum")))
        return EFFECT_WRITE;
    if (slice_eq(words, SLICE("InternalMutableArray")))
        return EFFECT_LOCAL;
    if (slice_eq(words, SLICE("KeyReuse")) && range_lacks(x->version, JAX_KEY_REUSE_EFFECTS))
        return 0;
    bool foreign = slice_contains(words, SLICE("FFI")) || slice_contains(words, SLICE("BufferCallback"));
    if (foreign && is_switched_off(x->m, e))
        return 0;
    return EFFECT_KEPT;
}

static bool
is_ref(const struct module *m, atom_t a)
{
    if (atom_kind(a) == ATOM_REF)
        return true;
    if (atom_kind(a) != ATOM_VAR)
        return false;
    type_t t = m->vars.at[atom_id(a)].type;
    return t != NONE && type_get(&m->types, t)->kind == TYPE_REF;
}

/* the effects of a nested program, seen from its equation; without a region map, operands correspond to invars by
 * position. Only for writes, the operand of an argument is needed */
static u8
nested_flags(struct effects *x, eqn_t id, jaxpr_t inner)
{
    const struct eqn *e = &x->m->eqns.at[id];
    const struct jaxpr *j = &x->m->jaxprs.at[inner];
    const struct jaxpr_effects *f = effects_of(x, inner);
    if (f == NULL)
        return 0;
    u8 flags = f->flags & (u8)~EFFECT_WRITE;
    if (flags == f->flags)
        return flags;
    region_map_again(x->m, id, &x->map);
    const struct region *in = region_of(&x->map, inner);
    bool placed = in != NULL || j->n_ins <= e->n_atoms;
    for (u32 i = 0; placed && i < jaxpr_binders(j); i++) {
        u32 operand = !x->writes.at[f->writes + i] ? NONE : in ? region_operand(in, i) : i - j->n_consts;
        if (operand < e->n_atoms && is_ref(x->m, x->m->atoms.at[e->atoms + operand])) {
            x->written.at[operand] = 1;
            flags |= EFFECT_WRITE;
        }
    }
    return flags;
}

/* the effects of an equation that may have some */
static never_inline u8
effects_found(struct effects *x, eqn_t id, const struct prim *row, bool effects)
{
    struct module *m = x->m;
    const struct eqn *e = &m->eqns.at[id];
    struct nested h = nested_start(m, id);
    jaxpr_t (*next)(const struct module *, struct nested *) = x->unpasted ? nested_unpasted : nested_next;
    jaxpr_t inner = next(m, &h);
    if (inner == NONE && !effects)
        return 0;
    if (e->n_atoms)
        memset(vec_push_n(m->mem, &x->written, e->n_atoms), 0, e->n_atoms);
    u8 flags = row_flags(x, row, id);
    if (flags & EFFECT_WRITE && e->n_atoms)
        x->written.at[0] = 1;
    if (inner == NONE || (row && row->is.sealed))
        return flags;
    x->map.of = 0; /* the program may have changed since */
    for (; inner != NONE; inner = next(m, &h))
        flags |= nested_flags(x, id, inner);
    return flags;
}

u8
effects_eqn(struct effects *x, eqn_t id)
{
    const struct prim *row = prims_find(x->prims, x->m, x->m->eqns.at[id].prim);
    bool effects = row == NULL || row->effects[0] != 0 || row->is.unprinted;
    x->written.n = 0;
    return effects || eqn_holding(x->m, id) != NONE ? effects_found(x, id, row, effects) : 0;
}

static void
mark_written(struct effects *x, const struct jaxpr *j, u32 writes, atom_t a)
{
    a = atom_without_index(x->m, a);
    if (atom_kind(a) == ATOM_VAR && jaxpr_binds(j, atom_id(a)))
        x->writes.at[writes + atom_id(a) - j->vars] = 1;
}

void
effects_add(struct effects *x, jaxpr_t id)
{
    struct module *m = x->m;
    const struct jaxpr j = m->jaxprs.at[id];
    u32 n = jaxpr_binders(&j), writes = x->writes.n;
    u8 flags = 0;
    if (n)
        memset(vec_push_n(m->mem, &x->writes, n), 0, n);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        u8 own = effects_eqn(x, e);
        if (own & EFFECT_WRITE)
            for (u32 i = 0; i < x->written.n; i++)
                if (x->written.at[i])
                    mark_written(x, &j, writes, m->atoms.at[m->eqns.at[e].atoms + i]);
        flags |= own & (u8)~EFFECT_WRITE;
    }
    for (u32 i = 0; i < n; i++)
        if (x->writes.at[writes + i])
            flags |= EFFECT_WRITE;
    *vec_push(m->mem, &x->jaxprs) = (struct jaxpr_effects){flags, writes};
    memo_set(m->mem, &x->records, id, x->jaxprs.n);
}
