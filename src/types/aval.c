/* SPDX-License-Identifier: Apache-2.0
 *
 * Abstract values. An aval points into the module's type table. Linear in what is read. */
#include "types/aval.h"
#include "types/type_fault.h"

struct aval
aval_of_kind(enum aval_kind kind)
{
    return (struct aval){.kind = (u8)kind, .dtype = NONE, .type = NONE, .placed = NONE, .classes = IN_ANY};
}

struct aval
aval_unknown(void)
{
    return aval_of_kind(AVAL_UNKNOWN);
}

void
aval_set_dtype(struct aval *a, dtype_t dtype)
{
    a->dtype = dtype;
    a->classes = dtype == NONE ? IN_ANY : (u8)(1u << dtype_class(dtype));
    a->bounded = dtype != NONE && dtype >= DT_EXTENDED;
    a->type = NONE;
}

struct aval
aval_array(dtype_t dtype, u32 rank, const struct dim *dims)
{
    struct aval a = {.kind = AVAL_ARRAY, .ranked = true, .rank = rank, .dims = dims, .placed = NONE};
    aval_set_dtype(&a, dtype);
    return a;
}

struct aval
aval_scalar(dtype_t dtype)
{
    return aval_array(dtype, 0, NULL);
}

struct aval
aval_reshaped(const struct aval *a, u32 rank, const struct dim *dims)
{
    struct aval out = *a;
    if (out.kind == AVAL_UNKNOWN)
        out.kind = AVAL_ARRAY;
    out.ranked = true;
    out.rank = rank;
    out.dims = dims;
    out.type = NONE;
    return out;
}

/* whether an opaque type is an object of some class (`Log`, `QArrayTy(shape=(3, 4))`), and neither an array of an
 * extended element type that is printed as a repr nor a damaged type such as `i32` */
static bool
is_class_name(struct slice text)
{
    return text.n && text.at[0] >= 'A' && text.at[0] <= 'Z' && text.at[text.n - 1] != ']';
}

/* longer shapes are not compared, nor searched for their bracket: any number of short equations may have such an
 * operand */
enum { MOST_AXES = 1024 };

/* whether an opaque type is an array whose element type is printed as a repr: `Test.<locals>.Scale(name='s')[3]` */
static bool
is_extended_array(struct slice text)
{
    if (text.n == 0 || text.at[text.n - 1] != ']')
        return false;
    size_t open = text.n, least = text.n > MOST_AXES ? text.n - MOST_AXES : 1;
    while (open > least && text.at[open - 1] != '[')
        open--;
    return open > least && text.at[open - 2] == ')';
}

/* whether a type has a long spelling (`float32[8]`, `int32[]`), used by people and the oldest printers: its second and
 * third letters decide */
static bool
spelled_long(struct slice text)
{
    if (text.n < 6)
        return false;
    char second = text.at[1], third = text.at[2];
    return (second == 'l' && third == 'o') || (second == 'n' && third == 't') || (second == 'i' && third == 'n') ||
           (second == 'o' && third == 'm') || (second == 'f' && third == 'l');
}

type_t
ref_element(const struct module *m, type_t ref)
{
    const struct type *t = ref == NONE ? NULL : type_get(&m->types, ref);
    return t && t->kind == TYPE_REF ? t->inner : NONE;
}

bool
is_nested_ref(const struct module *m, const struct aval *a)
{
    type_t element = a->kind == AVAL_REF ? ref_element(m, a->type) : NONE;
    return element != NONE && type_get(&m->types, element)->kind == TYPE_REF;
}

struct aval
aval_of_type(const struct module *m, type_t type)
{
    if (type == NONE)
        return aval_unknown();
    const struct type *t = type_get(&m->types, type), *array = t;
    struct aval a = {.kind = AVAL_ARRAY, .classes = IN_ANY, .dtype = NONE, .type = type, .placed = type};
    switch (t->kind) {
    case TYPE_REF:
        a.kind = AVAL_REF;
        if (t->inner == NONE)
            return a;
        array = type_get(&m->types, t->inner);
        if (array->kind != TYPE_ARRAY)
            return a;
        break;
    case TYPE_TOKEN:
        a.kind = AVAL_TOKEN;
        return a;
    case TYPE_ARRAY:
        break;
    default:
        if (is_extended_array(t->text))
            a.classes = IN_KEY;
        else
            a.kind = is_class_name(t->text) && !type_fault(NULL, t) ? AVAL_OTHER : AVAL_UNKNOWN;
        return a;
    }
    if (array->dtype != NONE && array->dtype >= DT_EXTENDED && type_fault(NULL, array))
        return aval_unknown(); /* reported by check_dims */
    a.dtype = array->dtype;
    a.classes = a.dtype == NONE ? IN_ANY : (u8)(1u << dtype_class(a.dtype));
    a.ranked = array->rank <= MOST_AXES;
    a.bounded = a.dtype != NONE && a.dtype >= DT_EXTENDED && slice_starts(array->text, SLICE("bint"));
    a.long_spelling = array == t && spelled_long(t->text);
    if (a.ranked) {
        a.rank = array->rank;
        a.dims = type_dims(&m->types, array);
    }
    return a;
}

struct aval
aval_of_atom(const struct module *m, atom_t atom)
{
    if (atom_kind(atom) == ATOM_VAR)
        return aval_of_type(m, m->vars.at[atom_id(atom)].type);
    if (atom_kind(atom) != ATOM_LIT)
        return aval_unknown();
    const struct literal *l = &m->literals.at[atom_id(atom)];
    struct aval a;
    if (l->type != NONE) {
        a = aval_of_type(m, l->type);
        a.literal = true;
        return a;
    }
    static const u8 classes[] = {[LIT_INT] = IN_INT,
                                 [LIT_FLOAT] = IN_FLOAT,
                                 [LIT_BOOL] = IN_BOOL,
                                 [LIT_COMPLEX] = IN_COMPLEX,
                                 [LIT_FLOAT0] = IN_FLOAT0};
    if (l->kind >= countof(classes) || !classes[l->kind])
        return aval_unknown();
    a = aval_array(NONE, 0, NULL);
    a.classes = classes[l->kind];
    a.literal = true;
    a.pointed = l->kind == LIT_FLOAT && slice_ends(module_bytes(m, l->value), SLICE(".0"));
    return a;
}

/* true for the float types that old versions print without a point: `1` (ml_dtypes) */
static bool
prints_like_int(dtype_t dtype)
{
    return dtype_class(dtype) == CLASS_FLOAT && dtype != DT_f16 && dtype_bits(dtype) <= 16;
}

enum truth
dtypes_agree(const struct aval *a, const struct aval *b)
{
    if (a->dtype != NONE && b->dtype != NONE) {
        if (a->dtype == b->dtype)
            return YES;
        /* `bint{..}` is an i32 in JAX's own rules */
        const struct aval *bounded = a->bounded ? a : b, *other = a->bounded ? b : a;
        return bounded->bounded && other->classes & (IN_INT | IN_KEY) ? MAYBE : NO;
    }
    if (a->classes & b->classes)
        return MAYBE;
    const struct aval *known = a->dtype != NONE ? a : b, *literal = a->dtype != NONE ? b : a;
    if (a->literal && b->literal && a->dtype == b->dtype) /* `0` and `inf` of bf16, but not `0` and `1.0` */
        return (a->classes | b->classes) == (IN_INT | IN_FLOAT) && !a->pointed && !b->pointed ? MAYBE : NO;
    if (known->dtype != NONE && literal->classes == IN_INT && literal->literal &&
        (prints_like_int(known->dtype) || (known->long_spelling && known->classes & IN_FLOAT)))
        return MAYBE;
    return NO;
}

enum truth
shapes_agree(const struct aval *a, const struct aval *b)
{
    if (!a->ranked || !b->ranked)
        return MAYBE;
    if (a->rank != b->rank)
        return NO;
    return a->dims == b->dims ? YES : dims_equal(a->dims, b->dims, a->rank);
}

enum truth
avals_agree(const struct aval *a, const struct aval *b)
{
    if (a->type != NONE && a->type == b->type)
        return YES;
    if (a->kind == AVAL_UNKNOWN || b->kind == AVAL_UNKNOWN)
        return MAYBE;
    if (a->kind == AVAL_OTHER || b->kind == AVAL_OTHER) {
        /* an object differs from tokens, and from arrays of known rank and element type; others may be unreadable */
        const struct aval *other = a->kind == AVAL_OTHER ? b : a;
        return other->kind == AVAL_TOKEN || (other->kind == AVAL_ARRAY && other->ranked && other->dtype != NONE)
                   ? NO
                   : MAYBE;
    }
    if (a->kind != b->kind)
        return NO;
    if (a->kind == AVAL_TOKEN)
        return YES;
    enum truth dtype = dtypes_agree(a, b), shape = shapes_agree(a, b);
    if (dtype == NO || shape == NO)
        return NO;
    return dtype == YES && shape == YES ? YES : MAYBE;
}

bool
refs_agree(const struct module *m, const struct aval *a, const struct aval *b)
{
    type_t one = ref_element(m, a->type), other = ref_element(m, b->type);
    for (; one != NONE && other != NONE && one != other; one = ref_element(m, one), other = ref_element(m, other)) {
        struct aval x = aval_of_type(m, one), y = aval_of_type(m, other);
        if (avals_agree(&x, &y) == NO)
            return false;
    }
    return true;
}

bool
aval_lacks_size(const struct aval *a)
{
    for (u32 d = 0; d < a->rank; d++)
        if (a->dims[d].kind == DIM_UNKNOWN)
            return true;
    return false;
}

struct slice
vary_axes(const struct type *t)
{
    struct slice text = t->vary, varying = type_axes(t, 'V');
    if (varying.n || text.n < 3 || *text.at != '{')
        return varying;
    const char *end = text.at + text.n, *p = end - 1;
    while (p > text.at && *p != '{') /* `{x}`, alone or after others, up to JAX 0.7 */
        p--;
    if (memchr(p, ':', (size_t)(end - p)))
        return SLICE("");
    return (struct slice){p + 1, (size_t)(end - p - 2)};
}

struct slice
vary_list(const struct module *m, type_t type)
{
    return type == NONE ? SLICE("") : vary_axes(type_get(&m->types, type));
}

struct slice
aval_over(const struct module *m, const struct aval *a, char letter)
{
    type_t of = aval_axes(a);
    if (of == NONE)
        return SLICE("");
    return letter == 'V' ? vary_list(m, of) : type_axes(type_get(&m->types, of), letter);
}
