/* SPDX-License-Identifier: Apache-2.0
 *
 * Literals. Versions print one value in several ways (`0.1`, `0.10000000149011612`; `1` of bf16) and with a type or
 * without: a number is rounded to its element type, and that type is written only where its position does not
 * determine it. O(length) for each, and linear in the other operands. */
#include "base/decimal.h"
#include "canon/canon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* the nearest number with `bits` bits of significand, ties to even, where 2^least is the smallest step */
static double
round_to(double value, int bits, int least)
{
    double magnitude = value < 0 ? -value : value, step = 1;
    if (!(magnitude > 0) || magnitude > 1e300)
        return value;
    while (magnitude >= step * 2)
        step *= 2;
    while (magnitude < step)
        step /= 2;
    for (int i = 1; i < bits; i++)
        step /= 2;
    double smallest = 1;
    for (int i = 0; i > least; i--)
        smallest /= 2;
    step = step < smallest ? smallest : step;
    double steps = magnitude / step, whole = (double)(u64)steps, rest = steps - whole;
    if (rest > 0.5 || (rest == 0.5 && (u64)whole % 2 == 1))
        whole += 1;
    return value < 0 ? -whole * step : whole * step;
}

static double
round_dtype(double value, dtype_t dtype)
{
    switch (dtype) {
    case DT_f32:
        return (double)(float)value;
    case DT_f16:
        return round_to(value, 11, -24);
    case DT_bf16:
        return round_to(value, 8, -133);
    default:
        return value;
    }
}

/* finds a literal's element type; true if the literal is to be spelled as a number of this type, which *value then
 * is */
static bool
literal_number(const struct module *m, const struct literal *l, dtype_t expected, dtype_t *dtype, double *value)
{
    struct slice text = module_bytes(m, l->value);
    const struct type *type = l->type == NONE ? NULL : type_get(&m->types, l->type);
    bool scalar = type != NULL && type->kind == TYPE_ARRAY && type->rank == 0;
    *dtype = scalar ? type->dtype : type == NULL ? expected : NONE;
    bool real = *dtype != NONE && *dtype < DT_COUNT && dtype_class(*dtype) == CLASS_FLOAT;
    if (type == NULL && (*dtype == DT_f64 || *dtype == DT_f32 || *dtype == DT_f16))
        real = false; /* only small floats are printed without a point */
    if ((l->kind != LIT_FLOAT && (l->kind != LIT_INT || !real)) || !decimal_read(text, value))
        return false;
    double read = *value;
    *value = round_dtype(read, *dtype);
    if (type != NULL || isfinite(*value) || !isfinite(read))
        return true;
    *dtype = NONE; /* it is too large for this type, so it has another */
    return false;
}

/* the element type of an array, else NONE */
static dtype_t
element_type(const struct type *t)
{
    return t != NULL && t->kind == TYPE_ARRAY ? t->dtype : NONE;
}

/* The type of the corresponding argument of a nested program. This is independent of the region map, because another
 * result would change digests */
static dtype_t
argument_dtype(const struct canon *c, eqn_t e, u32 i)
{
    const struct module *m = c->m;
    struct nested h = nested_start(m, e);
    u8 control = eqn_columns(m, e)->control;
    bool loop = control == CONTROL_WHILE, cond = control == CONTROL_COND;
    jaxpr_t j = nested_unpasted(m, &h), last = j;
    if (j == NONE)
        return NONE;
    if (cond) {
        if (i == 0)
            return DT_i32;
        i--;
    } else if (loop) {
        /* body_jaxpr comes first; constants of the condition come before the operands */
        last = nested_unpasted(m, &h);
        const struct jaxpr *body = &m->jaxprs.at[j];
        u32 n = m->eqns.at[e].n_atoms;
        if (body->n_ins > n)
            return NONE;
        u32 first_in = n - body->n_ins;
        if (i < first_in)
            j = last;
        else
            i -= first_in;
    }
    if (j == NONE || i >= m->jaxprs.at[j].n_ins)
        return NONE;
    if (!cond && !loop && m->jaxprs.at[j].n_ins != m->eqns.at[e].n_atoms)
        return NONE;
    return element_type(canon_var_type(c, jaxpr_in(&m->jaxprs.at[j], i)));
}

/* the element type of the first variable among the operands from the n-th on that is an array, except a bool as the
 * first of several; if there is none and `results` is true, of the first result */
static dtype_t
common_dtype(const struct canon *c, const struct eqn *e, u32 n, bool results)
{
    for (u32 i = n; i < e->n_atoms; i++) {
        atom_t a = c->m->atoms.at[e->atoms + i];
        dtype_t d = atom_kind(a) == ATOM_VAR ? element_type(canon_var_type(c, atom_id(a))) : NONE;
        if (d != NONE && (i > 0 || d != DT_bool || e->n_atoms == 1))
            return d;
    }
    return results ? element_type(canon_result_type(c, e)) : NONE;
}

/* the element type of a Python number in JAX, for an integer the first that holds it; NONE for other literals */
static dtype_t
plain_dtype(u32 kind, bool wide, struct slice text)
{
    switch (kind) {
    case LIT_INT:
        if (likely(!wide && !dtype_overflows(DT_i32, text)))
            return DT_i32;
        return !wide && !dtype_overflows(DT_u32, text) ? DT_u32 : dtype_overflows(DT_i64, text) ? DT_u64 : DT_i64;
    case LIT_FLOAT:
        return wide ? DT_f64 : DT_f32;
    case LIT_BOOL:
        return DT_bool;
    case LIT_COMPLEX:
        return wide ? DT_c128 : DT_c64;
    default:
        return NONE;
    }
}

/* the row of an equation's primitive; NULL for results of a program and for unknown primitives */
static const struct prim *
row_of(struct canon *c, eqn_t e)
{
    return e == NONE ? NULL : prims_find(&c->prims, c->m, c->m->eqns.at[e].prim);
}

/* true for Catalyst's instructions, loops and derivatives, whose numbers always have 64 bits */
static bool
is_wide(struct canon *c, eqn_t e)
{
    const struct prim *row = row_of(c, e);
    if (row == NULL || !row->is.wide_reported)
        return row != NULL && row->is.wide;
    return eqn_param(c->m, e, SLICE("body_nconsts")) != NONE || eqn_param(c->m, e, SLICE("grad_params")) != NONE;
}

/* the element type that its position gives a literal: that of the argument it is passed to, the common one of the other
 * operands, or that of the result; NONE if the position does not determine it */
static dtype_t
place_dtype(struct canon *c, eqn_t id, u32 i)
{
    if (id == NONE)
        return NONE;
    const struct eqn *e = &c->m->eqns.at[id];
    if (e->form > EQN_CALL_BARE)
        return common_dtype(c, e, 0, true);
    if (e->params != NONE) {
        dtype_t d = argument_dtype(c, id, i);
        if (d != NONE)
            return d;
    }
    struct name_buffer buffer;
    struct slice prim = canon_prim(c, e->prim, &buffer);
    if (slice_eq(prim, SLICE("random_fold_in")) && i == 1)
        return DT_u32;
    const struct prim *row = row_of(c, id);
    if (row != NULL && row->is.indices && i >= row->is.indices)
        return common_dtype(c, e, row->is.indices, false);
    if (row != NULL && row->is.alike && e->n_vars == e->n_atoms)
        return element_type(canon_var_type(c, e->vars + i));
    bool compares = row != NULL && row->dtype == DTYPE_bool;
    bool alike = row != NULL && (row->dtype == DTYPE_same || row->dtype == DTYPE_out || compares);
    const struct type *result = canon_result_type(c, e);
    bool base = row != NULL && row->dtype == DTYPE_pow;
    if (((alike && !compares) || base) && i == 0 && result != NULL && result->kind == TYPE_ARRAY)
        return result->dtype; /* the operands after this one may be sizes, or an integer exponent */
    if (alike)
        return common_dtype(c, e, 0, !compares);
    /* an exponent, and operands of `complex` and products, have one type if possible, whatever the result's type */
    return row != NULL && row->dtype != DTYPE_own ? common_dtype(c, e, 0, false) : NONE;
}

/* true if a literal of this form can have the element type */
static bool
fits(u32 kind, bool number, dtype_t dtype)
{
    if (dtype == NONE || dtype >= DT_COUNT)
        return false;
    enum dtype_class class = dtype_class(dtype);
    if (number || kind == LIT_FLOAT)
        return class == CLASS_FLOAT;
    return kind == LIT_BOOL      ? class == CLASS_BOOL
           : kind == LIT_COMPLEX ? class == CLASS_COMPLEX
                                 : class == CLASS_SIGNED || class == CLASS_UNSIGNED;
}

static bool
is_real(const struct type *t)
{
    return t->kind == TYPE_ARRAY && t->rank == 0 && t->dtype < DT_COUNT && dtype_class(t->dtype) == CLASS_FLOAT;
}

/* finds whether numbers have 64 bits in a text none of whose variables prints a type; once */
static void
find_wide(struct canon *c)
{
    bool typed = c->m->vars.n == 0;
    if (c->wide_known)
        return;
    c->wide_known = true;
    for (u32 v = 0; v < c->m->vars.n && !typed; v++)
        typed = c->m->vars.at[v].type != NONE;
    for (eqn_t e = 0; !typed && e < c->m->eqns.n && !c->wide; e++)
        c->wide = is_wide(c, e);
}

dtype_t
canon_expected(struct canon *c, eqn_t e, u32 i, const struct literal *l, bool *decided)
{
    const struct type *type = l->type == NONE ? NULL : type_get(&c->m->types, l->type);
    u32 kind = l->kind == LIT_INT && type != NULL && is_real(type) ? LIT_FLOAT : l->kind; /* `1:f32[]` is 1.0 */
    dtype_t d = kind == LIT_BOOL ? (dtype_t)DT_bool : place_dtype(c, e, i);
    bool small = d != NONE && d < DT_COUNT && kind == LIT_INT && dtype_class(d) == CLASS_FLOAT && dtype_bits(d) <= 16;
    if (!small && kind <= LIT_COMPLEX && !fits(kind, false, d)) /* `pow x 2` */
        d = NONE;
    *decided = d != NONE;
    if (d != NONE)
        return d;
    find_wide(c);
    return plain_dtype(kind, c->wide || is_wide(c, e), module_bytes(c->m, l->value));
}

/* whether the equation has an untyped operand or result: a literal operand of it may have any type */
static bool
has_untyped(struct canon *c, eqn_t id)
{
    const struct eqn *e = id == NONE ? NULL : &c->m->eqns.at[id];
    bool untyped = false;
    for (u32 i = 0; e != NULL && i < e->n_atoms; i++) {
        atom_t a = c->m->atoms.at[e->atoms + i];
        untyped |= atom_kind(a) == ATOM_VAR && c->m->vars.at[atom_id(a)].type == NONE;
    }
    for (u32 i = 0; e != NULL && i < e->n_vars; i++)
        untyped |= c->m->vars.at[e->vars + i].type == NONE;
    return untyped;
}

bool
canon_literal_value(struct canon *c, u32 id, eqn_t e, u32 i, dtype_t *dtype, double *value)
{
    const struct literal *l = &c->m->literals.at[id];
    bool decided;
    dtype_t expected = canon_expected(c, e, i, l, &decided);
    bool number = literal_number(c->m, l, expected, dtype, value);
    const struct prim *row = row_of(c, e);
    bool free = e == NONE && i != NONE; /* a result of the outermost program: nothing depends on its type */
    bool inferred = row != NULL && row->dtype != DTYPE_own && !has_untyped(c, e);
    bool sure = decided || free || inferred || is_wide(c, e);
    if (l->type == NONE && (!sure || !fits(l->kind, number, *dtype)))
        *dtype = NONE;
    return number;
}

double
canon_fewest_digits(double value, dtype_t dtype)
{
    enum { MOST = 9 }; /* of f32 */
    char text[40];     /* with the locale's decimal point, for strtod */
    for (int digits = 1; digits <= MOST; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        double shortest = strtod(text, NULL);
        if (round_dtype(shortest, dtype) == value)
            return shortest;
    }
    return value;
}

/* a number in the format `%a` */
static void
write_hexadecimal(struct sink *out, double value)
{
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    u64 fraction = bits & (((u64)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 2047);
    if (exponent == 2047) {
        sink_printf(out, "%a", value);
        return;
    }
    char text[32], *p = text;
    if (bits >> 63)
        *p++ = '-';
    *p++ = '0';
    *p++ = 'x';
    *p++ = exponent ? '1' : '0';
    if (fraction)
        *p++ = '.';
    for (; fraction; fraction = fraction << 4 & (((u64)1 << 52) - 1))
        *p++ = "0123456789abcdef"[fraction >> 48];
    exponent = exponent ? exponent - 1023 : bits << 1 ? -1022 : 0;
    *p++ = 'p';
    *p++ = exponent < 0 ? '-' : '+';
    sink_write(out, text, (size_t)(p - text));
    sink_number(out, (u32)(exponent < 0 ? -exponent : exponent));
}

void
canon_literal(struct canon *c, struct sink *out, u32 id, dtype_t expected)
{
    const struct module *m = c->m;
    const struct literal *l = &m->literals.at[id];
    dtype_t dtype;
    double value;
    if (literal_number(m, l, expected, &dtype, &value))
        write_hexadecimal(out, value);
    else
        sink_slice(out, module_bytes(m, l->value));
    if (l->type == NONE)
        return;
    const struct type *type = type_get(&m->types, l->type);
    if (type->kind == TYPE_ARRAY && type->rank == 0 && type->dtype == expected && type->space.n == 0 &&
        type->vary.n == 0)
        return;
    sink_char(out, ':');
    canon_type(c, out, l->type);
}
