/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes as values, and values without operands: the primitives of shape polymorphism (jax/_src/export/shape_poly.py),
 * conversions to and from extended element types (jax/_src/lax/lax.py), and the hijax primitives that jax.numpy uses
 * from 0.12 on. Linear in ranks. */
#include "verify/axes.h"
#include "verify/mesh.h"

/* an integer scalar: i32, or i64 where 64-bit types are on (jax/_src/export/shape_poly.py, dim_value_dtype) */
static struct aval
integer_scalar(const struct rule *r)
{
    return aval_scalar(rule_binder(r, 0).dtype == DT_i64 ? DT_i64 : DT_i32);
}

bool
shape_dimension_size(struct rule *r, struct aval *out)
{
    i64 axis;
    *out = integer_scalar(r);
    if (r->in[0].ranked && param_int(r, "dimension", &axis) && (axis < 0 || axis >= r->in[0].rank))
        return rule_warning(r, DIAG_T009, at_param(r, "dimension"),
                            "`dimension` of `%s` is %lld, which is out of range: `%s` is %s", format_prim(r),
                            (long long)axis, format_operand(r, 0), format_aval(r, &r->in[0])) &&
               !rule_note_operand(r, 0);
    return true;
}

bool
shape_dim_as_value(struct rule *r, struct aval *out)
{
    *out = integer_scalar(r);
    return true;
}

/* shape_assertion what inputs..: a bool scalar, then the integers in the message */
bool
shape_shape_assertion(struct rule *r, struct aval *out)
{
    const struct aval *what = &r->in[0];
    (void)out;
    if (what->kind == AVAL_ARRAY && !(what->classes & IN_BOOL)) {
        rule_warning(r, DIAG_T007, at_operand(0), "the first operand of `%s` must be a bool: `%s` is %s",
                     format_prim(r), format_operand(r, 0), format_aval(r, what));
        rule_note_operand(r, 0);
    }
    return rule_results(r, 0);
}

/* the dims of a type; those of an extended type that is printed as a repr are read from its end */
static bool
printed_dims(struct rule *r, const struct aval *a, struct dims *out)
{
    *out = (struct dims){a->dims, a->rank};
    if (a->ranked || a->type == NONE)
        return a->ranked;
    struct slice text = type_get(&r->m->types, a->type)->text;
    size_t open = text.n;
    while (open > 0 && text.at[open - 1] != '[')
        open--;
    return open > 0 && text.at[text.n - 1] == ']' &&
           read_dims(r, (struct slice){text.at + open - 1, text.n - open + 1}, out);
}

/* checks that the representation of an extended element type appends axes to those of the array, and changes none */
static bool
edtype_shapes_fit(struct rule *r, const struct aval *a, bool from)
{
    if (!rule_results(r, 1))
        return false;
    struct aval binder = rule_binder(r, 0);
    struct dims extended, plain;
    if (!printed_dims(r, from ? a : &binder, &extended) || !printed_dims(r, from ? &binder : a, &plain))
        return true;
    u32 i = 0;
    while (i < extended.n && i < plain.n && dim_equal(&extended.at[i], &plain.at[i]) != NO)
        i++;
    if (i == extended.n)
        return true;
    rule_error(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but `%s` keeps %s", format_result(r, 0),
               format_aval(r, &binder), format_prim(r),
               i < plain.n ? format_text(r, "the size of axis %u of `%s`, %s", i, format_operand(r, 0),
                                         format_dim(r, (from ? extended : plain).at[i]))
                           : format_text(r, "the sizes of `%s`, which is %s", format_operand(r, 0), format_aval(r, a)));
    return rule_note_operand(r, 0);
}

/* the parameter of to_edtype is an extended element type, and so is that of its result */
static bool
edtype_fits(struct rule *r)
{
    dtype_t dtype;
    struct aval binder = rule_binder(r, 0), asked = aval_unknown();
    if (param_dtype(r, "edtype", &dtype))
        asked = aval_scalar(dtype);
    if (asked.classes && !(asked.classes & IN_KEY))
        return rule_error(r, DIAG_T010, at_param(r, "edtype"),
                          "`edtype` of `%s` must be an extended element type, but is %s", format_prim(r),
                          format_dtype(r, &asked));
    if (binder.kind != AVAL_ARRAY || binder.dtype == NONE || binder.classes & IN_KEY)
        return true;
    return rule_error(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but `%s` gives an extended element type",
                      format_result(r, 0), format_aval(r, &binder), format_prim(r)) ||
           rule_note(r, at_param(r, "edtype"), DETERMINED_BY, "the element type of the result", "edtype");
}

/* from_edtype, to_edtype: the shape may gain or lose the axes of the representation */
bool
shape_edtype(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    bool from = slice_starts(slice_of(r->prim->name), SLICE("from"));
    *out = *a;
    aval_set_dtype(out, NONE);
    out->kind = AVAL_ARRAY;
    if (from && a->kind == AVAL_ARRAY && !a->bounded && !(a->classes & IN_KEY))
        return rule_error_operand(r, DIAG_T007, 0, "the operand of `%s` must have an extended element type",
                                  format_prim(r));
    return (from || edtype_fits(r)) && edtype_shapes_fit(r, a, from) && unranked(r, out);
}

/* checks the operands after the first, if any: one for each of n results, of their element type */
static bool
fills_fit(struct rule *r, u32 n, dtype_t dtype)
{
    struct aval fill = aval_scalar(dtype);
    if (r->n > 1 && r->n != n + 1)
        return rule_error(r, DIAG_T005, at_operand(r->n - 1),
                          "`%s` takes either no fill values or one per result, but %u are given for %s", format_prim(r),
                          r->n - 1, format_count(r, n, "result", "results"));
    for (u32 i = 1; i < r->n && dtype != NONE; i++)
        if (dtypes_agree(&r->in[i], &fill) == NO)
            return rule_error_operand(r, DIAG_T007, i, "the fill values of `%s` must be %s indices", format_prim(r),
                                      format_dtype(r, &fill));
    return true;
}

/* checks that the shapes of the fill values are broadcast to that of the axes which are not searched */
static bool
fills_broadcast(struct rule *r, const struct aval *rest)
{
    for (u32 i = 1; i < r->n; i++) {
        const struct aval *fill = &r->in[i];
        bool fits = !fill->ranked || fill->rank <= rest->rank;
        for (u32 d = 0; fits && fill->ranked && d < fill->rank; d++)
            fits =
                dim_is(fill->dims[d], 1) || dim_equal(&fill->dims[d], &rest->dims[rest->rank - fill->rank + d]) != NO;
        if (!fits)
            return rule_error_pair(r, DIAG_T008, 0, i,
                                   "the fill values of `%s` must be broadcast to the axes that are not searched",
                                   format_prim(r));
    }
    return true;
}

/* Nonzero[size axes out_dtype] a fills..: one index array per axis, and a fill value for each or none
 * (jax/_src/numpy/hijax.py, Nonzero) */
bool
shape_nonzero(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct ints axes;
    struct slice text;
    dtype_t dtype;
    (void)out;
    bool named = param_ints(r, "axes", &axes), typed = param_dtype(r, "out_dtype", &dtype);
    if (!named || !rule_results(r, axes.n) || !fills_fit(r, axes.n, typed ? dtype : NONE) || !a->ranked)
        return !r->failed;
    u8 *seen = axis_marks(r, a->rank);
    if (!axes_fit(r, "axes", &axes, a->rank, seen))
        return false;
    struct aval rest = without_axes(r, a, seen);
    if (!fills_broadcast(r, &rest))
        return false;
    struct dim *dims = rule_alloc(r, (rest.rank + 1u) * sizeof *dims), *size = dims + rest.rank;
    if (rest.rank)
        memcpy(dims, rest.dims, rest.rank * sizeof *dims);
    *size = dim_unknown();
    if (param_text(r, "size", &text))
        read_dim(r, text, size);
    struct aval index = aval_array(typed ? dtype : NONE, rest.rank + 1, dims);
    for (u32 i = 0; i < r->n_results; i++)
        rule_result(r, i, &index);
    return true;
}

/* warns if a parameter names another type than operand i has (jax/_src/numpy/ufuncs.py, Ldexp: in_avals) */
static void
operand_as_stated(struct rule *r, u32 i, const char *key)
{
    struct slice text;
    struct aval stated;
    if (!param_text(r, key, &text) || !read_aval(r, text, &stated) || avals_agree(&stated, &r->in[i]) != NO)
        return;
    rule_warning(r, DIAG_T009, at_param(r, key), "`%s` of `%s` is %s, but `%s` is %s", key, format_prim(r),
                 format_aval(r, &stated), format_operand(r, i), format_aval(r, &r->in[i]));
    rule_note_operand(r, i);
}

/* Ldexp x1 x2: broadcast shapes, the first operand's float type */
bool
shape_ldexp(struct rule *r, struct aval *out)
{
    if (!shape_mixed(r, out))
        return false;
    operand_as_stated(r, 0, "x1_aval");
    operand_as_stated(r, 1, "x2_aval");
    aval_set_dtype(out, r->in[0].dtype);
    return true;
}

/* Frexp x: mantissa and exponent */
bool
shape_frexp(struct rule *r, struct aval *out)
{
    (void)out;
    if (!rule_results(r, 2))
        return false;
    operand_as_stated(r, 0, "x_aval");
    struct aval mantissa = r->in[0], exponent = r->in[0];
    mantissa.type = NONE;
    aval_set_dtype(&exponent, DT_i32);
    rule_result(r, 0, &mantissa);
    return rule_result(r, 1, &exponent);
}

/* checks that both operands have the same batch axes, which come first */
static bool
batches_agree(struct rule *r, i64 batch)
{
    const struct aval *a = &r->in[0], *query = &r->in[1];
    if (query->rank < batch)
        return rule_error_pair(r, DIAG_T008, 0, 1, "the second operand of `%s` must have %lld batch axes",
                               format_prim(r), (long long)batch);
    for (u32 i = 0; i < batch; i++)
        if (dim_equal(&a->dims[i], &query->dims[i]) == NO)
            return rule_error_pair(r, DIAG_T008, 0, 1,
                                   "the operands of `%s` must have equal batch sizes; axis %u differs", format_prim(r),
                                   i);
    return true;
}

/* SearchSorted[dimension batch_dims] sorted query: an index for each query and each searched array, batch axes first
 * (jax/_src/numpy/hijax.py, SearchSorted) */
bool
shape_search_sorted(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0], *query = &r->in[1];
    i64 batch, axis;
    *out = *query;
    out->kind = AVAL_ARRAY;
    aval_set_dtype(out, integer_scalar(r).dtype);
    if (!same_element_types(r))
        return false;
    if (!a->ranked || !query->ranked || !param_int(r, "batch_dims", &batch) || !param_int(r, "dimension", &axis))
        return unranked(r, out);
    if (batch < 0 || batch > axis)
        return rule_error(r, DIAG_T009, at_param(r, "batch_dims"),
                          "`batch_dims` of `%s` must be from 0 to `dimension` (%lld), got %lld", format_prim(r),
                          (long long)axis, (long long)batch);
    if (!axis_fits(r, "dimension", axis, a->rank, NULL) || !batches_agree(r, batch))
        return false;
    struct dim *dims = copy_dims(r, 0, query->rank);
    u32 rank = (u32)axis;
    for (u32 i = rank + 1; i < a->rank; i++)
        dims[rank++] = a->dims[i];
    for (u32 i = (u32)batch; i < query->rank; i++)
        dims[rank++] = query->dims[i];
    if (a->dims[axis].kind == DIM_INT && a->dims[axis].value <= INT32_MAX)
        aval_set_dtype(out, DT_i32); /* it holds every index (jax/_src/lax/utils.py, int_dtype_for_dim) */
    *out = aval_reshaped(out, rank, dims);
    return true;
}

/* program_id, num_programs: an i32[]; `axis` must be one of the enclosing kernel's grid */
bool
shape_grid_index(struct rule *r, struct aval *out)
{
    i64 axis;
    struct where grid;
    u32 n = param_int(r, "axis", &axis) ? rule_grid_axes(r, &grid) : NONE;
    *out = aval_scalar(DT_i32);
    return n == NONE || (axis >= 0 && axis < n) ||
           rule_stricter(r, DIAG_T009, at_param(r, "axis"),
                         "`axis` of `%s` is %lld, which is out of range: the grid of its kernel has %s", format_prim(r),
                         (long long)axis, format_count(r, n, "axis", "axes")) ||
           rule_note(r, grid, "the grid is here");
}
