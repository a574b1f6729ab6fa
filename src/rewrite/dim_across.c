/* SPDX-License-Identifier: Apache-2.0
 *
 * A carried size is another size after the loop: a result, unless the loop returns it unchanged. The same is true
 * of branches, which may return different ones. */
#include "rewrite/dim_across.h"

#include "rewrite/dim_subst.h"

/* whether a loop carries binder k of a region */
static bool
is_carried(const struct region_map *map, const struct region *in, u32 k)
{
    u32 operand = region_operand(in, k);
    return region_map_loops(map) && operand != NONE && operand - in->consts >= in->n_consts;
}

/* whether the body returns its binder k unchanged at its position */
static bool
is_returned(const struct module *m, const struct region_map *map, u32 k)
{
    const struct jaxpr *body = &m->jaxprs.at[map->regions.at[0].jaxpr];
    u32 at = k - map->body_carry - (map->index != NONE && k > map->index);
    return at < body->n_outs && m->atoms.at[body->outs + at] == atom_make(ATOM_VAR, body->vars + k);
}

/* the outer value of a size in result i of region 0: a number, an operand, or an earlier result; else SIZE_LOOSE.
 * `inner` is open for the region's program. Linear in the results */
static struct size
size_outside(const struct module *m, const struct binders *inner, eqn_t e, const struct region_map *map, u32 i,
             const struct dim *dim)
{
    const struct region *in = &map->regions.at[0];
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    struct size size = {.kind = dim->kind == DIM_INT ? SIZE_INT : SIZE_LOOSE, .value = dim->value, .text = dim->text};
    var_t v = dim->kind == DIM_NAME ? binders_find(inner, dim->name) : NONE;
    if (v == NONE)
        return size;
    u32 k = v - j->vars;
    bool binder = v >= j->vars && k < jaxpr_binders(j);
    bool passed =
        binder && region_operand(in, k) != NONE &&
        (map->kind == REGION_CALL || (region_map_loops(map) && (!is_carried(map, in, k) || is_returned(m, map, k))));
    for (u32 r = 0; r < i && !passed; r++)
        if (m->atoms.at[j->outs + r] == atom_make(ATOM_VAR, v))
            return (struct size){.kind = SIZE_VAR, .var = m->eqns.at[e].vars + r};
    if (!passed)
        return size;
    struct dim operand = {.kind = DIM_INDBIDX, .value = region_operand(in, k)};
    return size_of_dim(m, NULL, &operand, NONE, e);
}

/* the text of a size that is a number or a named variable, else an empty slice */
static struct slice
text_of(struct module *m, struct size size)
{
    if (size.kind == SIZE_INT)
        return arena_printf(m->mem, "%lld", (long long)size.value);
    struct slice text = size.kind == SIZE_VAR ? var_text(m, size.var) : (struct slice){NULL, 0};
    return slice_eq(text, SLICE("_")) ? (struct slice){NULL, 0} : text;
}

/* types with more axes are not translated */
enum { MOST_AXES = 32 };

type_t
type_outside(struct module *m, const struct binders *inner, eqn_t e, const struct region_map *map, u32 i, type_t type)
{
    const struct type *t = type_array(m, type);
    struct slice sizes[MOST_AXES];
    if (!t || !t->dynamic)
        return type;
    for (u32 k = 0; k < t->rank; k++) {
        if (t->rank > MOST_AXES)
            return NONE;
        sizes[k] = text_of(m, size_outside(m, inner, e, map, i, &type_dims(&m->types, t)[k]));
        if (!sizes[k].at)
            return NONE;
    }
    return type_with_sizes(m, type, sizes);
}

/* the binder before binder k that receives the outer value of a size; NONE if there is none, or several do, which is
 * ambiguous */
static u32
receiver(const struct module *m, eqn_t e, const struct region_map *map, const struct region *in, u32 k,
         const struct dim *dim)
{
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    u32 found[2] = {NONE, NONE}, n[2] = {0, 0};
    for (u32 b = 0; b < k; b++) {
        u32 operand = region_operand(in, b);
        bool carried = is_carried(map, in, b);
        if (operand == NONE || operand >= m->eqns.at[e].n_atoms || (carried && !is_carried(map, in, k)))
            continue;
        struct dim reference = {.kind = DIM_INDBIDX, .value = operand};
        struct size size = size_of_dim(m, NULL, &reference, NONE, e);
        bool same = dim->kind == DIM_INT ? size.kind == SIZE_INT && size.value == dim->value
                                         : size.kind == SIZE_VAR && m->vars.at[size.var].name == dim->name;
        if (same && n[carried]++ == 0)
            found[carried] = j->vars + b;
    }
    bool carried = n[1] > 0;
    return n[carried] == 1 ? found[carried] : NONE;
}

type_t
type_inside(struct module *m, eqn_t e, const struct region_map *map, const struct region *in, u32 k, type_t type)
{
    const struct type *t = type_array(m, type);
    struct slice sizes[MOST_AXES];
    bool resizes = map->implicit && is_carried(map, in, k); /* if so, a number may be an implicit argument, too */
    if (!t || (!t->dynamic && !resizes))
        return type;
    for (u32 a = 0; a < t->rank; a++) {
        const struct dim *dim = &type_dims(&m->types, t)[a];
        if (t->rank > MOST_AXES || (dim->kind != DIM_INT && dim->kind != DIM_NAME))
            return NONE;
        u32 v = dim->kind == DIM_INT && !resizes ? NONE : receiver(m, e, map, in, k, dim);
        if (dim->kind == DIM_INT && v != NONE)
            return NONE;
        sizes[a] = dim->kind == DIM_INT ? dim->text : v == NONE ? (struct slice){NULL, 0} : var_text(m, v);
        if (!sizes[a].at)
            return NONE;
    }
    return type_with_sizes(m, type, sizes);
}
