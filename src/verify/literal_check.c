/* SPDX-License-Identifier: Apache-2.0
 *
 * Literals: whether their text is of the kind of their type, and in its range. */
#include "base/chars.h"
#include "verify/checker.h"

/* JAX prints integers that do not fit (an unsigned constant narrowed); they are worth a word, not an error */
static void
check_range(struct checker *c, struct slice text, dtype_t dtype, struct span at)
{
    u32 bits = dtype_bits(dtype);
    if (bits == 0 || bits > 64 || text.n == 0)
        return;
    bool minus = text.at[0] == '-', is_signed = dtype_class(dtype) == CLASS_SIGNED;
    u64 limit = is_signed ? (1ull << (bits - 1)) - !minus : bits == 64 ? UINT64_MAX : (1ull << bits) - 1, value = 0;
    bool over = false;
    for (size_t i = minus; i < text.n; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return;
        over |= __builtin_mul_overflow(value, 10ull, &value) ||
                __builtin_add_overflow(value, (u64)(text.at[i] - '0'), &value);
    }
    if (over || value > limit || (minus && !is_signed && value))
        diag_add(c->ds, DIAG_T028, at.at, at.n, "the literal does not fit %s",
                 diag_quote(c->ds, dtype_text(&c->m->names, dtype)));
}

bool
literal_fits(const struct module *m, const struct literal *l)
{
    if (l->type == NONE)
        return true;
    const struct type *t = type_get(&m->types, l->type);
    if (t->kind != TYPE_ARRAY || t->dtype == NONE || t->dtype >= DT_EXTENDED)
        return true;
    enum dtype_class class = dtype_class(t->dtype);
    switch (l->kind) {
    case LIT_BOOL:
        return class == CLASS_BOOL;
    case LIT_INT:
        return class == CLASS_SIGNED || class == CLASS_UNSIGNED ||
               (class == CLASS_FLOAT && t->dtype != DT_f16 && dtype_bits(t->dtype) <= 16);
    case LIT_FLOAT:
        return class == CLASS_FLOAT || class == CLASS_COMPLEX;
    case LIT_COMPLEX:
        return class == CLASS_COMPLEX;
    case LIT_FLOAT0:
        return class == CLASS_FLOAT0;
    default:
        return true;
    }
}

/* what is wrong with the type of a literal that is none of an array; NULL where nothing is known */
static const char *
literal_type_fault(const struct type *t)
{
    const char *fault = type_fault(t);
    size_t word = 0;
    while (word < t->text.n && is_word_char(t->text.at[word]))
        word++;
    return fault ? fault : word == t->text.n ? "its shape is missing, as in `f32[]`" : NULL;
}

bool
check_literal(struct checker *c, const struct literal *l)
{
    if (l->type == NONE)
        return true; /* most are */
    const struct type *t = type_get(&c->m->types, l->type);
    struct slice text = module_bytes(c->m, l->value);
    bool odd = t->kind == TYPE_OPAQUE || (t->kind == TYPE_ARRAY && t->dtype != NONE && t->dtype >= DT_EXTENDED);
    if (unlikely(odd) && literal_type_fault(t)) {
        bool scalar = dtype_find(t->text) != NONE; /* the documentation of JAX 0.6 has `2:i32` */
        diag_add(c->ds, DIAG_D108, l->value.at, l->value.n, "`%s` is not the type of a literal: %s",
                 diag_quote(c->ds, t->text), literal_type_fault(t));
        if (scalar)
            diag_relevel(c->ds, LEVEL_WARNING);
        return scalar;
    }
    if (!literal_fits(c->m, l)) {
        diag_add(c->ds, DIAG_T004, l->value.at, l->value.n, "the literal `%.*s` is not a number of type %.*s",
                 (int)(text.n < 60 ? text.n : 60), text.at, (int)(t->text.n < 60 ? t->text.n : 60), t->text.at);
        return false;
    }
    if (l->kind == LIT_INT && t->kind == TYPE_ARRAY && t->dtype != NONE &&
        (dtype_class(t->dtype) == CLASS_SIGNED || dtype_class(t->dtype) == CLASS_UNSIGNED))
        check_range(c, text, t->dtype, l->value);
    return true;
}
