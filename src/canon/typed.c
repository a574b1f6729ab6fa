/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters whose value follows from types: canonical text leaves such a value out, and older versions print it. Which
 * parameters these are is in grammar/spellings.def. Linear in the rank. */
#include "canon/spelling.h"

#include "rewrite/values.h"

/* the type of the first result; NULL if it is not an array */
static const struct type *
result_array(const struct canon *c, const struct eqn *e)
{
    const struct type *t = canon_result_type(c, e);
    return t != NULL && t->kind == TYPE_ARRAY ? t : NULL;
}

/* whether a value is the shape of a type, spelled canonically */
static bool
shape_is(const struct canon *c, const struct type *t, struct slice value)
{
    if (value.n < 2)
        return false;
    size_t at = 1;
    const struct dim *dims = type_dims(&c->m->types, t);
    for (u32 i = 0; i < t->rank; i++) {
        if (i > 0) {
            if (at + 2 > value.n || value.at[at] != ',' || value.at[at + 1] != ' ')
                return false;
            at += 2;
        }
        if (at + dims[i].text.n > value.n || memcmp(value.at + at, dims[i].text.at, dims[i].text.n) != 0)
            return false;
        at += dims[i].text.n;
    }
    return at + 1 == value.n;
}

static struct slice
shape_value(const struct canon *c, const struct type *t)
{
    struct slices sizes = {0};
    for (u32 i = 0; i < t->rank; i++)
        *vec_push(c->m->mem, &sizes) = type_dims(&c->m->types, t)[i].text;
    struct slice value = tuple_join(c->m->mem, sizes.at, sizes.n);
    vec_free(c->m->mem, &sizes);
    return value;
}

/* whether neither of the first two operands is known to have another element type than t */
static bool
operands_have(const struct canon *c, const struct eqn *e, const struct type *t)
{
    for (u32 i = 0; i < e->n_atoms && i < 2; i++) {
        atom_t a = c->m->atoms.at[e->atoms + i];
        const struct type *operand = atom_kind(a) == ATOM_VAR ? canon_var_type(c, atom_id(a)) : NULL;
        if (operand != NULL && operand->dtype != t->dtype)
            return false;
    }
    return true;
}

/* the size of the last axis of a matrix, or the one before it; empty for types of a lower rank */
static struct slice
matrix_size(const struct canon *c, const struct type *t, enum typed what)
{
    return t->rank < 2 ? SLICE("") : type_dims(&c->m->types, t)[t->rank - (what == TYPED_ROWS ? 2 : 1)].text;
}

/* `()` if the first operand is not known to have axes, else empty */
static struct slice
no_axes(const struct canon *c, const struct eqn *e)
{
    const struct type *t = NULL;
    if (e->n_atoms > 0 && atom_kind(c->m->atoms.at[e->atoms]) == ATOM_VAR)
        t = canon_var_type(c, atom_id(c->m->atoms.at[e->atoms]));
    return t && t->kind == TYPE_ARRAY && t->rank > 0 ? SLICE("") : SLICE("()");
}

/* whether the first operand has axes and the parameter that says what becomes of them is lost: without the shape, too,
 * the equation would be one of a scalar */
static bool
axes_lost(const struct canon *c, const struct eqn *e)
{
    name_t key = names_find(&c->m->names, SLICE("broadcast_dimensions"));
    for (param_t p = e->params; p != NONE; p = c->m->params.at[p].next)
        if (c->m->params.at[p].key == key)
            return false;
    return no_axes(c, e).n == 0;
}

bool
typed_is(const struct canon *c, const struct eqn *e, enum typed what, struct slice value)
{
    const struct type *t = result_array(c, e);
    if (t == NULL)
        return false;
    switch (what) {
    case TYPED_NOT:
        break;
    case TYPED_NO_AXES:
        return slice_eq(value, no_axes(c, e));
    case TYPED_SHAPE:
        return shape_is(c, t, value) && !axes_lost(c, e);
    case TYPED_DTYPE:
        return t->rank > 1 && t->dtype == dtype_find(value);
    case TYPED_PREFERRED:
        return t->dtype == dtype_find(value) && operands_have(c, e, t);
    case TYPED_ROWS:
    case TYPED_COLUMNS:
        return t->rank > 1 && slice_eq(value, matrix_size(c, t, what));
    case TYPED_LAST_AXIS:
        return t->rank > 0 && text_int(value) + 1 == (i64)t->rank;
    }
    return false;
}

struct slice
typed_value(const struct canon *c, const struct eqn *e, enum typed what)
{
    const struct type *t = result_array(c, e);
    struct slice value = SLICE("");
    if (t == NULL)
        return value;
    switch (what) {
    case TYPED_NOT:
        break;
    case TYPED_NO_AXES:
        return no_axes(c, e);
    case TYPED_SHAPE:
        return shape_value(c, t);
    case TYPED_DTYPE:
        return t->rank > 1 ? dtype_long(&c->m->names, t->dtype) : value;
    case TYPED_PREFERRED:
        value = dtype_long(&c->m->names, t->dtype);
        return typed_is(c, e, what, value) ? value : SLICE("");
    case TYPED_ROWS:
    case TYPED_COLUMNS:
        return matrix_size(c, t, what);
    case TYPED_LAST_AXIS:
        return t->rank > 0 ? arena_printf(c->m->mem, "%u", t->rank - 1) : value;
    }
    return value;
}
