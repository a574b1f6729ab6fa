/* SPDX-License-Identifier: Apache-2.0
 *
 * Literals: whether their text is of the kind of their type, and in its range. */
#include "base/chars.h"
#include "base/decimal.h"
#include "resolve/dim_resolve.h"
#include "types/type_fault.h"
#include "verify/checker.h"

#include <math.h>

static void
report_range(struct checker *c, dtype_t dtype, struct span at)
{
    bool is_signed = dtype_class(dtype) == CLASS_SIGNED;
    u64 most = UINT64_MAX >> (64 - dtype_bits(dtype) + is_signed);
    diag_add(c->ds, DIAG_T028, at.at, at.n, "the literal `%s` is out of range for %s, %lld to %llu",
             diag_quote(c->ds, module_bytes(c->m, at)), diag_quote(c->ds, dtype_text(&c->m->names, dtype)),
             is_signed ? -(long long)most - 1 : 0, (unsigned long long)most);
}

static void
report_rounded(struct checker *c, dtype_t dtype, struct span at)
{
    struct slice text = module_bytes(c->m, at);
    double value;
    bool small = decimal_read(text, &value) && value < 1 && value > -1;
    diag_add(c->ds, DIAG_T028, at.at, at.n, "the literal `%s` is too %s for %s and becomes %s", diag_quote(c->ds, text),
             small ? "small" : "large", diag_quote(c->ds, dtype_text(&c->m->names, dtype)),
             small             ? "0.0"
             : *text.at == '-' ? "-inf"
                               : "inf");
}

/* reports an integer that does not fit its type, and returns false: as a warning, because JAX prints such integers
 * (narrowed unsigned constants) */
static bool
check_range(struct checker *c, struct slice text, dtype_t dtype, struct span at)
{
    bool over = dtype_overflows(dtype, text);
    if (over)
        report_range(c, dtype, at);
    return !over;
}

bool
check_untyped(struct checker *c, const struct eqn *eqn)
{
    const atom_t *atoms = &c->m->atoms.at[eqn->atoms];
    dtype_t dtype = NONE;
    bool fits = true;
    for (u32 i = eqn->n_atoms > 2; i < eqn->n_atoms; i++) { /* the first of three may have a type of its own */
        type_t type = atom_kind(atoms[i]) == ATOM_VAR ? c->m->vars.at[atom_id(atoms[i])].type : NONE;
        if (type != NONE && type_get(&c->m->types, type)->kind == TYPE_ARRAY)
            dtype = type_get(&c->m->types, type)->dtype;
    }
    if (dtype == NONE || (dtype_class(dtype) != CLASS_SIGNED && dtype_class(dtype) != CLASS_UNSIGNED))
        return true;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        const struct literal *l = atom_kind(atoms[i]) == ATOM_LIT ? &c->m->literals.at[atom_id(atoms[i])] : NULL;
        if (l && l->type == NONE && l->kind == LIT_INT)
            fits = check_range(c, module_bytes(c->m, l->value), dtype, l->value) && fits;
    }
    return fits;
}

/* false for a float that its type rounds to infinity or zero: JAX prints 1e40 as an f32 as `inf` */
static bool
float_in_range(struct slice text, dtype_t dtype)
{
    const char *exponent = memchr(text.at, 'e', text.n);
    double most, least, value;
    switch (dtype) {
    case DT_f16:
        most = 65520, least = 0x1p-25;
        break;
    case DT_bf16:
        most = 0x1.ffp127, least = 0x1p-134;
        break;
    case DT_f32:
        most = 0x1.ffffffp127, least = 0x1p-150;
        break;
    case DT_f64:
        most = HUGE_VAL, least = 0;
        break;
    default:
        return true;
    }
    if (!is_digit(text.at[text.n - 1]) || !decimal_read(text, &value))
        return true;
    bool zero = true;
    for (const char *p = text.at, *end = exponent ? exponent : p + text.n; p < end; p++)
        zero &= *p < '1' || *p > '9';
    double magnitude = value < 0 ? -value : value;
    return magnitude < most && (zero || magnitude > least);
}

bool
float_may_be_out_of_range(const struct module *m, const struct literal *l)
{
    enum { LONG = 40 }; /* types wider than f16 hold shorter numbers without an exponent */
    struct slice text = module_bytes(m, l->value);
    return text.n >= LONG || memchr(text.at, 'e', text.n) != NULL ||
           (l->type != NONE && type_get(&m->types, l->type)->dtype == DT_f16);
}

bool
literal_fits(const struct module *m, const struct literal *l)
{
    if (l->type == NONE)
        return true;
    const struct type *t = type_get(&m->types, l->type);
    if (t->kind != TYPE_ARRAY || t->dtype == NONE || t->dtype >= DT_EXTENDED)
        return t->kind != TYPE_ARRAY || t->dtype == NONE || slice_starts(t->text, SLICE("bint{"));
    enum dtype_class class = dtype_class(t->dtype);
    switch (l->kind) {
    case LIT_BOOL:
        return class == CLASS_BOOL;
    case LIT_INT:
        return class == CLASS_SIGNED || class == CLASS_UNSIGNED ||
               (class == CLASS_FLOAT && t->dtype != DT_f16 && dtype_bits(t->dtype) <= 16);
    case LIT_FLOAT:
        return class == CLASS_FLOAT;
    case LIT_COMPLEX:
        return class == CLASS_COMPLEX;
    case LIT_FLOAT0:
        return class == CLASS_FLOAT0;
    default:
        return true;
    }
}

/* what is wrong with the type of a literal if it is not that of an array; NULL if unknown */
static const char *
literal_type_fault(struct mem *mem, const struct type *t)
{
    const char *fault = type_fault(mem, t);
    size_t word = word_until(t->text, 0);
    if (dtype_find(t->text) != NONE) /* type_fault suggests a shape with sizes, which no literal has */
        return "its shape is missing; a scalar has the type f32[]";
    const char *end = t->text.at + t->text.n;
    bool bare = word == t->text.n || (t->kind == TYPE_OPAQUE && value_find(t->text.at, end, "[({<") == end);
    return fault ? fault : bare ? "expected an element type and brackets, as in f32[]" : NULL;
}

/* the exponent of a number if it lost its sign, or NULL: Python prints `1e-05` and `1e+16`, never `1e05` or `1e16` */
static const char *
unsigned_exponent(struct slice s)
{
    const char *p = memchr(s.at, 'e', s.n);
    return p && p > s.at && p + 1 < s.at + s.n && is_digit(p[1]) ? p + 1 : NULL;
}

static void
check_exponent(struct checker *c, const struct literal *l)
{
    struct slice text = module_bytes(c->m, l->value);
    const char *exponent = unsigned_exponent(text);
    if (likely(!exponent))
        return;
    size_t before = (size_t)(exponent - text.at);
    char *corrected = arena_alloc(c->ds->mem, text.n + 1);
    memcpy(corrected, text.at, before);
    corrected[before] = '-';
    memcpy(corrected + before + 1, exponent, text.n - before);
    diag_add(c->ds, DIAG_S008, l->value.at, l->value.n,
             "the exponent of `%s` lacks its sign; if it is negative, JAX prints `%s`", diag_quote(c->ds, text),
             diag_quote(c->ds, (struct slice){corrected, text.n + 1}));
    diag_relevel(c->ds, LEVEL_WARNING);
}

/* the place of the type after `value:`, or of the value if they were joined from two lines */
static struct span
type_span(const struct module *m, const struct literal *l, const struct type *t)
{
    struct span place = {l->value.at + l->value.n + 1, (u32)t->text.n};
    bool apart = place.at + place.n > m->text.n || !slice_eq(module_bytes(m, place), t->text);
    return apart ? l->value : place;
}

/* whether a literal is printed as an array that has axes */
static inline bool
is_list(struct slice text)
{
    return text.n && *text.at == '[';
}

/* whether a type prints axes of a mesh after its shape, `{V:x}` */
static inline bool
is_over_axes(const struct type *t)
{
    return t->kind == TYPE_ARRAY && t->vary.n && *t->vary.at == '{';
}

/* false for a literal in a memory space or over axes of a mesh, for a number of a type with axes, as JAX prints arrays
 * as `[...]`, and for a list of a type without: `[4+0j]:c64[]` was `(4+0j):c64[]` */
static bool
literal_shaped(struct checker *c, const struct literal *l, const struct type *t)
{
    struct slice text = module_bytes(c->m, l->value);
    bool list = t->kind == TYPE_ARRAY && !t->rank && is_list(text);
    if (!t->space.n && !is_over_axes(t) && !list && (t->rank == 0 || l->kind == LIT_ARRAY || l->kind == LIT_OTHER))
        return true;
    struct span place = type_span(c->m, l, t);
    diag_add(c->ds, DIAG_T004, place.at, place.n, "`%.*s` is not a literal of type %.*s: %s",
             (int)(text.n < 60 ? text.n : 60), text.at, (int)(t->text.n < 60 ? t->text.n : 60), t->text.at,
             t->space.n        ? "literals have no memory space"
             : is_over_axes(t) ? "literals are neither varying, unreduced nor reduced"
             : list            ? "square brackets enclose an array that has axes"
                               : "a number has no axes");
    if (c->options->as_jax) /* only newer versions compare it */
        diag_relevel(c->ds, LEVEL_WARNING);
    return false;
}

/* whether each size of the type of an array literal is one; reports the first that is not */
static bool
literal_sized(struct checker *c, const struct literal *l, const struct type *t)
{
    const struct dim *dims = type_dims(&c->m->types, t);
    for (u32 i = 0; i < t->rank; i++) {
        if (dims[i].kind != DIM_EXPR || dim_expression(dims[i].text))
            continue;
        struct span place = type_span(c->m, l, t);
        diag_add(c->ds, DIAG_D104, place.at, place.n, NO_SIZE, diag_quote(c->ds, dims[i].text));
        return false;
    }
    return true;
}

/* the first word in brackets that no array contains, `[repeated 3x across cluster]`; empty if there is none */
static struct slice
word_in_array(struct slice text)
{
    for (size_t i = 0, end; is_list(text) && i < text.n; i = end + 1) {
        end = word_until(text, i);
        struct slice word = {text.at + i, end - i};
        if (word.n && is_word_start(*word.at) && (!i || is_blank(text.at[i - 1]) || text.at[i - 1] == '[') &&
            !words_have("True False nan inf", word))
            return word;
    }
    return SLICE("");
}

static void
check_array(struct checker *c, const struct literal *l, struct slice text)
{
    struct slice word = word_in_array(text);
    if (!word.n)
        return;
    diag_add(c->ds, DIAG_S008, l->value.at, l->value.n, "`%s` is not an array: it contains the word `%s`",
             diag_quote(c->ds, text), diag_quote(c->ds, word));
    diag_relevel(c->ds, LEVEL_WARNING);
}

bool
check_literal(struct checker *c, const struct literal *l)
{
    struct slice text = module_bytes(c->m, l->value);
    if (l->kind == LIT_FLOAT)
        check_exponent(c, l);
    if (l->type == NONE) { /* most have none */
        if (l->kind == LIT_OTHER && text.n > 3 && is_digit(*text.at) && slice_ends(text, SLICE("..."))) {
            diag_add(c->ds, DIAG_S008, l->value.at, l->value.n, "the number `%s` is incomplete: it ends with `...`",
                     diag_quote(c->ds, text));
            diag_relevel(c->ds, LEVEL_WARNING);
        }
        if (l->kind == LIT_OTHER)
            check_array(c, l, text);
        return true;
    }
    const struct type *t = type_get(&c->m->types, l->type);
    bool scalar_text = t->text.n > 1 && t->text.at[t->text.n - 2] == '['; /* `f32[]`, not `f32[,]` */
    bool odd = t->kind == TYPE_OPAQUE || t->vary.n ||
               (t->kind == TYPE_ARRAY && (!scalar_text || (t->dtype != NONE && t->dtype >= DT_EXTENDED)));
    if (unlikely(odd) && literal_type_fault(NULL, t)) {
        bool scalar = dtype_find(t->text) != NONE; /* the documentation of JAX 0.6 has `2:i32` */
        struct span place = type_span(c->m, l, t);
        diag_add(c->ds, DIAG_D108, place.at, place.n, "`%s` is not the type of a literal: %s",
                 diag_quote(c->ds, t->text), literal_type_fault(c->ds->mem, t));
        if (scalar)
            diag_relevel(c->ds, LEVEL_WARNING);
        return scalar;
    }
    if (unlikely(t->kind == TYPE_ARRAY && t->dynamic) && !literal_sized(c, l, t))
        return false;
    if (!literal_fits(c->m, l)) {
        bool extended = t->kind == TYPE_ARRAY && t->dtype != NONE && dtype_class(t->dtype) == CLASS_EXTENDED;
        diag_add(c->ds, DIAG_T004, l->value.at, l->value.n,
                 extended ? "`%.*s` cannot be of type %.*s: JAX prints no literals of this type"
                          : "`%.*s` is not a literal of type %.*s",
                 (int)(text.n < 60 ? text.n : 60), text.at, (int)(t->text.n < 60 ? t->text.n : 60), t->text.at);
        if (t->dtype >= DT_EXTENDED && c->options->as_jax) { /* only newer versions compare it with the type */
            diag_relevel(c->ds, LEVEL_WARNING);
            return true;
        }
        return false;
    }
    if (unlikely(t->kind == TYPE_ARRAY && (t->space.n || t->rank || is_over_axes(t) || is_list(text))) &&
        !literal_shaped(c, l, t))
        return c->options->as_jax;
    if (l->kind == LIT_INT && t->kind == TYPE_ARRAY && t->dtype != NONE &&
        (dtype_class(t->dtype) == CLASS_SIGNED || dtype_class(t->dtype) == CLASS_UNSIGNED))
        check_range(c, text, t->dtype, l->value);
    else if (l->kind == LIT_FLOAT && t->kind == TYPE_ARRAY && float_may_be_out_of_range(c->m, l) &&
             !float_in_range(text, t->dtype))
        report_rounded(c, t->dtype, l->value);
    return true;
}
