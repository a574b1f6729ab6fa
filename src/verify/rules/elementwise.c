/* SPDX-License-Identifier: Apache-2.0
 *
 * Elementwise primitives: element types by class and position, equal types, shapes that are equal but for scalars and
 * extents of 1 (jax/_src/lax/lax.py: naryop_dtype_rule, unop_dtype_rule, broadcasting_shape_rule), and the few of
 * them with a rule of their own: select_n, clamp, casts. Linear in operands and their ranks. */
#include "verify/axes.h"

/* from 0.4.15 to 0.4.37 */
#define MIXED_DTYPES ((struct version_range){{JAX_DTYPES_NOT_COMPARED}, {JAX_DTYPES_COMPARED - 1u}})

/* the operand that determines the element type: the first whose dtype is known, else the first */
static u32
leading_operand(const struct rule *r)
{
    for (u32 i = 0; i < r->n; i++)
        if (r->in[i].dtype != NONE)
            return i;
    return 0;
}

/* true if some version that may have printed the program traces most elementwise primitives with mixed element types
 * (lax.py, naryop: require_same_dtypes=False), although it cannot compile them */
static bool
mixed_in_some_version(struct rule *r)
{
    return range_given(range_meet(rule_versions(r), MIXED_DTYPES));
}

/* whether two operands have different element types. Of the untyped literals `1.0` and `2`, the second may have only
 * few float types, and the result shows which */
static bool
dtypes_differ(struct rule *r, const struct aval *a, const struct aval *b)
{
    enum truth agree = dtypes_agree(a, b);
    if (agree != MAYBE || a->classes == b->classes || !a->literal || !b->literal || a->dtype != b->dtype)
        return agree == NO;
    struct aval result = rule_binder(r, 0);
    return result.dtype != NONE && result.classes & IN_FLOAT &&
           (dtypes_agree(&result, a) == NO || dtypes_agree(&result, b) == NO);
}

/* reports two operands with different element types */
static bool
same_dtypes(struct rule *r, u32 from, bool mixed_once)
{
    u32 lead = from;
    for (u32 i = from; i < r->n; i++)
        if (r->in[i].dtype != NONE) {
            lead = i;
            break;
        }
    for (u32 i = from; i < r->n; i++) {
        if (i == lead || !dtypes_differ(r, &r->in[lead], &r->in[i]))
            continue;
        u32 first = i < lead ? i : lead, second = i < lead ? lead : i;
        bool constant = r->in[first].literal && !r->in[second].literal;
        u32 wrong = constant ? first : second, right = constant ? second : first;
        bool mixed = mixed_once && r->options->as_jax && mixed_in_some_version(r);
        /* lax.py, check_same_dtypes: extended element types are not compared yet */
        bool extended = !mixed && (r->in[right].classes | r->in[wrong].classes) & IN_KEY;
        if (mixed)
            rule_warning(r, DIAG_T007, at_operand(wrong),
                         "JAX %s requires operands of the same element type in `%s`: `%s` is %s, `%s` is %s",
                         range_text(r->m->mem, range_since(JAX_DTYPES_COMPARED)).at, format_prim(r),
                         format_operand(r, right), format_dtype(r, &r->in[right]), format_operand(r, wrong),
                         format_dtype(r, &r->in[wrong]));
        if (extended)
            rule_warning(r, DIAG_T007, at_operand(wrong),
                         "`%s` mixes an extended element type with another: `%s` is %s, `%s` is %s", format_prim(r),
                         format_operand(r, right), format_dtype(r, &r->in[right]), format_operand(r, wrong),
                         format_dtype(r, &r->in[wrong]));
        if (mixed || extended)
            return !rule_note_operand(r, right) && !rule_note_operand(r, wrong);
        rule_error_pair(r, DIAG_T007, right, wrong, "`%s` requires operands of the same element type", format_prim(r));
        if (!r->in[wrong].literal)
            rule_hint_convert(r, wrong);
        return false;
    }
    r->one_dtype = true;
    return true;
}

/* reports two operands whose shapes are incompatible: i and the first before it that conflicts with it */
static bool
shapes_differ(struct rule *r, u32 i)
{
    const struct aval *a = &r->in[i];
    u32 other = 0;
    for (u32 k = 0; k < i; k++) {
        const struct aval *b = &r->in[k];
        bool against = b->ranked && b->rank && b->rank != a->rank;
        for (u32 axis = 0; !against && b->ranked && b->rank && axis < a->rank; axis++)
            against = dim_equal(&a->dims[axis], &b->dims[axis]) == NO && !dim_is(a->dims[axis], 1) &&
                      !dim_is(b->dims[axis], 1);
        if (against) {
            other = k;
            break;
        }
    }
    bool ranks = r->in[other].rank != a->rank;
    rule_error_pair(r, DIAG_T008, other, i, "`%s` requires operands of equal %s", format_prim(r),
                    ranks ? "ranks" : "shapes");
    if (ranks)
        rule_hint(r, "only a scalar may differ in rank; is a `broadcast_in_dim` missing?");
    return false;
}

/* combines operand i's shape with the shape so far; scalars are compatible with any */
static bool
broadcast_operand(struct rule *r, struct aval *out, struct dim *dims, u32 i)
{
    const struct aval *a = &r->in[i];
    if (a->rank == 0)
        return true;
    if (out->rank == 0) {
        memcpy(dims, a->dims, a->rank * sizeof *dims);
        out->rank = a->rank;
        out->dims = dims;
        return true;
    }
    if (out->rank != a->rank)
        return shapes_differ(r, i);
    for (u32 k = 0; k < a->rank; k++) {
        if (dim_is(a->dims[k], 1) || dim_equal(&dims[k], &a->dims[k]) == YES)
            continue;
        if (dim_is(dims[k], 1)) {
            dims[k] = a->dims[k];
        } else if (dim_equal(&dims[k], &a->dims[k]) == MAYBE) {
            if (dims[k].kind != DIM_INT)
                dims[k] = a->dims[k];
            if (dims[k].kind != DIM_INT)
                dims[k] = dim_unknown();
        } else {
            return shapes_differ(r, i);
        }
    }
    return true;
}

/* the shape all operands broadcast to */
static bool
broadcast_all(struct rule *r, struct aval *out)
{
    u32 rank = 0;
    for (u32 i = 0; i < r->n; i++)
        rank = r->in[i].rank > rank ? r->in[i].rank : rank;
    struct dim *dims = rule_alloc(r, rank * sizeof *dims);
    bool ranked = true;
    out->kind = AVAL_ARRAY;
    out->type = NONE;
    out->rank = 0;
    for (u32 i = 0; i < r->n; i++) {
        if (!r->in[i].ranked)
            ranked = false;
        else if (!broadcast_operand(r, out, dims, i))
            return false;
    }
    out->ranked = ranked || (r->again && out->rank > 0); /* a reported shape is that of a scalar, or has this rank */
    for (u32 d = 0; !ranked && d < out->rank; d++)
        if (dim_is(dims[d], 1))
            dims[d] = dim_unknown();
    return true;
}

bool
shape_elementwise(struct rule *r, struct aval *out)
{
    *out = r->n ? r->in[leading_operand(r)] : aval_unknown();
    struct slice accumulator;
    bool mixed = param_text(r, "out_dtype", &accumulator) && !slice_eq(accumulator, SLICE("None"));
    return (mixed || same_dtypes(r, 0, true)) && broadcast_all(r, out);
}

bool
shape_mixed(struct rule *r, struct aval *out)
{
    *out = r->n ? r->in[0] : aval_unknown();
    return broadcast_all(r, out);
}

/* add_any: both operands must have one type (jax/_src/ad_util.py, add_abstract) */
bool
shape_equal(struct rule *r, struct aval *out)
{
    *out = r->n ? r->in[leading_operand(r)] : aval_unknown();
    for (u32 i = 1; i < r->n; i++)
        if (avals_agree(&r->in[0], &r->in[i]) == NO) {
            bool elements = dtypes_agree(&r->in[0], &r->in[i]) == NO;
            return rule_error_pair(r, elements ? DIAG_T007 : DIAG_T008, 0, i, "`%s` requires operands of the same %s",
                                   format_prim(r), elements ? "element type" : "shape");
        }
    return true;
}

/* the result has the shape of the first operand; the others are not checked */
bool
shape_first(struct rule *r, struct aval *out)
{
    *out = r->n ? r->in[0] : aval_unknown();
    return true;
}

/* maybe_set pred array value index ..: the array, with a value replaced if pred holds */
bool
shape_second(struct rule *r, struct aval *out)
{
    *out = r->in[1];
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* the operand's elements are combined into a scalar */
bool
shape_scalar(struct rule *r, struct aval *out)
{
    *out = aval_reshaped(&r->in[0], 0, NULL);
    return true;
}

bool
shape_last(struct rule *r, struct aval *out)
{
    *out = r->n ? r->in[r->n - 1] : aval_unknown();
    return true;
}

/* select_n (lax.py, _select_shape_rule, _select_dtype_rule): the predicate is a bool, which selects one of two cases,
 * or an integer */
static bool
select_predicate(struct rule *r)
{
    const struct aval *which = &r->in[0];
    if (which->classes && !(which->classes & (IN_BOOL | IN_INT))) {
        rule_error(r, DIAG_T007, at_operand(0), "the first operand of `%s` must be bool or i32: `%s` is %s",
                   format_prim(r), format_operand(r, 0), format_dtype(r, which));
        return rule_note_operand(r, 0);
    }
    if (which->classes == IN_BOOL && r->n > 3)
        return rule_error(r, DIAG_T005, at_operand(3), "a bool selects one of two cases, but `%s` has %u",
                          format_prim(r), r->n - 1);
    return true;
}

/* whether a case is a bool or an integer, and might be the predicate in a wrong place */
static bool
has_predicate_case(const struct rule *r)
{
    u32 i = 1;
    while (i < r->n && r->in[i].classes & ~(u32)(IN_BOOL | IN_INT))
        i++;
    return i < r->n;
}

/* checks that the cases have one type */
static bool
cases_agree(struct rule *r)
{
    if (!same_dtypes(r, 1, false))
        return false;
    for (u32 i = 2; i < r->n; i++)
        if (shapes_agree(&r->in[1], &r->in[i]) == NO)
            return rule_error_pair(r, DIAG_T008, 1, i, "the cases of `%s` must have equal shapes", format_prim(r));
    return true;
}

bool
shape_select(struct rule *r, struct aval *out)
{
    u32 lead = 1;
    for (u32 i = 1; i < r->n; i++)
        if (r->in[i].dtype != NONE) {
            lead = i;
            break;
        }
    *out = r->in[lead];
    bool several = r->several, right = select_predicate(r);
    r->several |= !right;
    right = (right || !has_predicate_case(r)) && cases_agree(r) && right;
    r->several = several;
    if (!right)
        return false;
    if (r->in[0].ranked && r->in[0].rank != 0 && shapes_agree(&r->in[0], &r->in[1]) == NO)
        return rule_error_pair(r, DIAG_T008, 1, 0,
                               "the first operand of `%s` must be a scalar or have the shape of the cases",
                               format_prim(r));
    return true;
}

/* clamp min x max (lax.py, _clamp_shape_rule): bounds are scalars or shaped like x */
bool
shape_clamp(struct rule *r, struct aval *out)
{
    *out = r->in[1].dtype != NONE ? r->in[1] : r->in[leading_operand(r)];
    if (!same_dtypes(r, 0, false))
        return false;
    for (u32 i = 0; i < 3; i += 2)
        if (r->in[i].ranked && r->in[i].rank != 0 && shapes_agree(&r->in[i], &r->in[1]) == NO)
            return rule_error_pair(r, DIAG_T008, 1, i,
                                   "the %s bound of `%s` must be a scalar or have the shape of `%s`",
                                   i ? "upper" : "lower", format_prim(r), format_operand(r, 1));
    *out = aval_reshaped(out, r->in[1].rank, r->in[1].dims);
    out->ranked = r->in[1].ranked;
    return true;
}

/* ---- element types of results ---- */

/* checks that a number of bits is at least `least`, and an i32, as StableHLO requires */
static bool
bits_fit(struct rule *r, const char *key, i64 least)
{
    i64 bits;
    if (!param_int(r, key, &bits) || (bits >= least && bits <= INT32_MAX))
        return true;
    if (bits < least)
        return rule_error(r, DIAG_T010, at_param(r, key), "`%s` of `%s` must be at least %lld, got %lld", key,
                          format_prim(r), (long long)least, (long long)bits);
    return rule_stricter(r, DIAG_T010, at_param(r, key),
                         "`%s` can be compiled only with `%s` of at most 2147483647, got %lld", format_prim(r), key,
                         (long long)bits);
}

/* reduce_precision: a float format must have exponent bits */
bool
shape_reduce_precision(struct rule *r, struct aval *out)
{
    return bits_fit(r, "exponent_bits", 1) && bits_fit(r, "mantissa_bits", 0) && shape_elementwise(r, out);
}

/* integer_pow[y]: an integer base requires a nonnegative power (lax.py, _integer_pow_dtype_rule) */
bool
shape_integer_pow(struct rule *r, struct aval *out)
{
    i64 y;
    if (param_int(r, "y", &y) && y < 0 && r->in[0].dtype != NONE && r->in[0].classes & IN_INT) {
        rule_error(r, DIAG_T010, at_param(r, "y"),
                   "`%s` of an integer requires an exponent of at least 0, but `y` is %lld and `%s` is %s",
                   format_prim(r), (long long)y, format_operand(r, 0), format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    return shape_elementwise(r, out);
}

bool
dtype_same(struct rule *r, struct aval *out)
{
    (void)r, (void)out;
    return true;
}

/* the element type of operand 0, independently of the shape */
bool
dtype_first(struct rule *r, struct aval *out)
{
    out->dtype = r->in[0].dtype;
    out->classes = r->in[0].classes;
    return true;
}

bool
dtype_bool(struct rule *r, struct aval *out)
{
    (void)r;
    aval_set_dtype(out, DT_bool);
    return true;
}

bool
dtype_i32(struct rule *r, struct aval *out)
{
    (void)r;
    aval_set_dtype(out, DT_i32);
    return true;
}

/* abs, real, imag: the parts of a complex number (lax.py, _complex_basetype) */
bool
dtype_real(struct rule *r, struct aval *out)
{
    (void)r;
    if (out->dtype == DT_c64)
        aval_set_dtype(out, DT_f32);
    else if (out->dtype == DT_c128)
        aval_set_dtype(out, DT_f64);
    else if (out->dtype == NONE && (out->classes & IN_COMPLEX))
        out->classes |= IN_FLOAT;
    return true;
}

/* complex, conj: the complex type over a float (lax.py, _complex_dtype) */
bool
dtype_complex(struct rule *r, struct aval *out)
{
    if (out->classes & ~(IN_FLOAT | IN_COMPLEX) && out->dtype != NONE)
        return true;
    if (out->dtype == DT_f32)
        aval_set_dtype(out, DT_c64);
    else if (out->dtype == DT_f64)
        aval_set_dtype(out, DT_c128);
    else if (out->dtype != DT_c64 && out->dtype != DT_c128 && out->dtype != NONE)
        return rule_error_operand(r, DIAG_T007, 0, "the operands of `%s` must be f32, f64 or complex", format_prim(r));
    else if (out->dtype == NONE)
        out->classes = IN_COMPLEX;
    return true;
}

/* pow (lax.py, _pow_dtype_rule): an integer exponent is compatible with any base, other exponents must have the base's
 * type */
bool
dtype_pow(struct rule *r, struct aval *out)
{
    out->dtype = r->in[0].dtype;
    out->classes = r->in[0].classes;
    if (r->in[1].classes & IN_INT) {
        if (!out->literal)
            return true;
    } else if (dtypes_agree(&r->in[0], &r->in[1]) == NO) {
        return rule_error_pair(r, DIAG_T007, 0, 1,
                               "the exponent of `pow` must be an integer or have the type of the base");
    } else if (r->in[0].dtype == NONE) {
        out->dtype = r->in[1].dtype;
        out->classes = r->in[1].classes;
    }
    return true;
}

/* the element type in a parameter; trusted if the parameter is missing */
static bool
dtype_of_param(struct rule *r, struct aval *out, const char *key)
{
    dtype_t dtype;
    aval_set_dtype(out, param_dtype(r, key, &dtype) ? dtype : NONE);
    out->bounded = false; /* the parameter must name a key or number type */
    return true;
}

bool
forget_width(struct rule *r, struct aval *out)
{
    static const u8 narrow[][2] = {{DT_f64, DT_f32}, {DT_i64, DT_i32}, {DT_u64, DT_u32}, {DT_c128, DT_c64}};
    dtype_t bound = r->n_results ? rule_binder(r, 0).dtype : NONE;
    for (u32 i = 0; i < countof(narrow); i++)
        if (out->dtype == narrow[i][0] && (bound == narrow[i][1] || bound == NONE)) {
            out->dtype = bound;
            return bound != NONE;
        }
    return false;
}

/* accepts a result with the narrower of the types of forget_width. If 64-bit types are off, the wider type is printed
 * only as the class that a user gave, `<class 'numpy.float64'>`, and by systems with objects of their own, so this
 * warns in other programs */
static void
take_asked(struct rule *r, const char *key, struct aval *out)
{
    struct aval asked = aval_scalar(out->dtype), binder = rule_binder(r, 0);
    struct slice text;
    if (!forget_width(r, out) || r->probe || rule_objects(r) ||
        (param_text(r, key, &text) && slice_starts(text, SLICE("<class "))))
        return;
    rule_warning(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but `%s` of `%s` is %s", format_result(r, 0),
                 format_aval(r, &binder), key, format_prim(r), format_dtype(r, &asked));
    rule_note(r, at_param(r, key), DETERMINED_BY, "the element type of the result", key);
    rule_hint(r, "jax_enable_x64=False does not explain this: JAX would print the narrower type in `%s` as well", key);
}

bool
dtype_new(struct rule *r, struct aval *out)
{
    dtype_of_param(r, out, "new_dtype");
    take_asked(r, "new_dtype", out);
    bool key = r->in[0].dtype != NONE && slice_starts(dtype_text(&r->m->names, r->in[0].dtype), SLICE("key<"));
    bool makes = out->dtype != NONE && slice_starts(dtype_text(&r->m->names, out->dtype), SLICE("key<"));
    bool bound = rule_binder(r, 0).classes & IN_KEY; /* else JAX compares the types */
    if (makes && (bound || !r->options->as_jax) && r->in[0].classes && !(r->in[0].classes & IN_KEY)) {
        rule_stricter(r, DIAG_T007, bound ? at_operand(0) : at_param(r, "new_dtype"),
                      "`%s` cannot convert %s to a key: `%s` is %s", format_prim(r), format_dtype(r, &r->in[0]),
                      format_operand(r, 0), format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    if (!key || out->dtype == NONE || out->classes & IN_KEY)
        return true;
    rule_stricter(r, DIAG_T007, at_operand(0), "`%s` cannot convert a key to %s: `%s` is %s", format_prim(r),
                  format_dtype(r, out), format_operand(r, 0), format_aval(r, &r->in[0]));
    return rule_note_operand(r, 0);
}

bool
dtype_param(struct rule *r, struct aval *out)
{
    return dtype_of_param(r, out, "dtype");
}

bool
dtype_target(struct rule *r, struct aval *out)
{
    return dtype_of_param(r, out, "target_dtype");
}

/* mul's out_dtype (0.10 on): None means the operands' type */
bool
dtype_out(struct rule *r, struct aval *out)
{
    dtype_t dtype;
    if (!param_dtype(r, "out_dtype", &dtype))
        return true;
    aval_set_dtype(out, dtype);
    take_asked(r, "out_dtype", out);
    return true;
}

/* operand 0 with its elements reinterpreted in another width: a trailing axis whose extent is the ratio of the widths
 * is added or removed. False if the axis to be removed has another extent */
static bool
recast(struct rule *r, u32 from, u32 to, struct aval *out)
{
    const struct aval *a = &r->in[0];
    *out = *a;
    if (to == from)
        return true;
    struct dim *dims = copy_dims(r, 0, 1), ratio = dim_of(to > from ? to / from : from / to);
    if (to > from) {
        bool goes = a->rank && dim_equal(&dims[a->rank - 1], &ratio) != NO;
        if (goes)
            *out = aval_reshaped(a, a->rank - 1, dims);
        return goes;
    }
    dims[a->rank] = ratio;
    *out = aval_reshaped(a, a->rank + 1, dims);
    return true;
}

/* bitcast_convert_type (lax.py, _bitcast_convert_type_shape_rule): 0.4.28 counts widths in bytes and 0.5.3 in bits. For
 * types of less than a byte both are accepted if the text may be that old */
bool
shape_bitcast(struct rule *r, struct aval *out)
{
    dtype_t to;
    const struct aval *a = &r->in[0];
    struct aval binder = rule_binder(r, 0);
    *out = *a;
    const u32 others = IN_BOOL | IN_COMPLEX | IN_FLOAT0 | IN_KEY;
    bool literal = a->dtype == NONE && a->classes && !(a->classes & ~others); /* `True` without a type */
    if (!param_dtype(r, "new_dtype", &to) || (a->dtype == NONE && !literal) || !a->ranked)
        return unranked(r, out);
    struct aval other = aval_scalar(to);
    bool same = literal ? dtypes_agree(&other, a) != NO : a->dtype == to;
    if (!same && a->classes & others)
        return rule_error_operand(r, DIAG_T007, 0,
                                  "`%s` converts only between integers and floats, and cannot convert %s to %s",
                                  format_prim(r), format_dtype(r, a), format_dtype(r, &other));
    if (!same && 1u << dtype_class(to) & others) {
        rule_error(r, DIAG_T007, at_param(r, "new_dtype"),
                   "`%s` converts only between integers and floats, and cannot convert %s to %s: `%s` is %s",
                   format_prim(r), format_dtype(r, a), format_dtype(r, &other), format_operand(r, 0),
                   format_aval(r, a));
        return rule_note_operand(r, 0);
    }
    u32 from_bits = literal ? 0 : dtype_bits(a->dtype), to_bits = dtype_bits(to);
    if (from_bits == 0 || to_bits == 0)
        return unranked(r, out);
    bool bytes = (from_bits < 8 || to_bits < 8) && !range_has(rule_versions(r), JAX_SUB_BYTE_BITCASTS);
    if (bytes && recast(r, from_bits < 8 ? 8 : from_bits, to_bits < 8 ? 8 : to_bits, out) &&
        shapes_agree(out, &binder) != NO)
        return unranked(r, out);
    if (recast(r, from_bits, to_bits, out))
        return true;
    return rule_error_operand(r, DIAG_T008, 0, "`%s` from %s to %s requires a last axis of size %u", format_prim(r),
                              format_dtype(r, a), format_dtype(r, &other), to_bits / from_bits);
}
