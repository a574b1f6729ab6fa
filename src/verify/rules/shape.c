/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives that move, cut and make dimensions (jax/_src/lax/lax.py and slicing.py: the *_shape_rule of each). A
 * shape that cannot be computed is unranked and agrees with any. Linear in ranks and operands. */
#include "verify/axes.h"

/* checks that `broadcast_dimensions` increases up to axis i; any order is fine since JAX_BROADCAST_UNORDERED */
static bool
comes_in_order(struct rule *r, const struct ints *axes, u32 i)
{
    if (i == 0 || axes->at[i] > axes->at[i - 1])
        return true;
    struct version_range versions = rule_versions(r);
    if (range_has(versions, JAX_BROADCAST_UNORDERED))
        return true;
    bool old = range_lacks(versions, JAX_BROADCAST_UNORDERED);
    (old ? rule_stricter : rule_warning)(
        r, DIAG_T010, at_entry(r, "broadcast_dimensions", axes, i),
        "`broadcast_dimensions` of `%s` must increase before JAX 0.10, but axis %lld comes after axis %lld",
        format_prim(r), (long long)axes->at[i], (long long)axes->at[i - 1]);
    return !old;
}

bool
shape_broadcast_in_dim(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct dims shape, stated = {NULL, 0};
    struct ints axes = {NULL, 0};
    bool printed = rule_param(r, "shape") != NONE, known;
    *out = *a;
    if (printed) {
        if (!param_dims(r, "shape", &shape))
            return unranked(r, out);
        if (!fill_holes(r, "shape", &shape, 1) || !sizes_fit(r, "shape", &shape))
            return false;
        *out = aval_reshaped(a, shape.n, shape.at);
    } else {
        /* from 0.9.1 on the shape is not printed: that of the binder is used */
        struct aval binder = rule_binder(r, 0);
        if (r->n != 1)
            return rule_error(r, DIAG_T005, at_operand(1), "`%s` takes 1 operand, but %u are given", format_prim(r),
                              r->n);
        if (!binder.ranked)
            return unranked(r, out);
        shape = (struct dims){binder.dims, binder.rank};
        stated = rule_stated_dims(r, &binder);
        *out = aval_reshaped(a, shape.n, stated.at);
    }
    known = param_ints(r, "broadcast_dimensions", &axes);
    if (!known && (printed || rule_param(r, "broadcast_dimensions") != NONE))
        return rule_trust_param(r, at_param(r, "broadcast_dimensions"), "broadcast_dimensions");
    if (!a->ranked)
        return true;
    if (!one_each(r, "broadcast_dimensions", axes.n))
        return false;
    u8 *seen = axis_marks(r, shape.n);
    for (u32 i = 0; i < axes.n; i++) {
        i64 to = axes.at[i];
        if (!entry_fits(r, "broadcast_dimensions", &axes, i, shape.n, seen) || !comes_in_order(r, &axes, i))
            return false;
        if (!dim_is(a->dims[i], 1) && dim_equal(&a->dims[i], &shape.at[to]) == NO) {
            rule_error(r, DIAG_T008, printed ? at_item(r, "shape", (u32)to) : at_operand(0),
                       "`%s` broadcasts axis %u of `%s` from %s to %s, but only size 1 can be broadcast",
                       format_prim(r), i, format_operand(r, 0), format_dim(r, a->dims[i]), format_dim(r, shape.at[to]));
            return rule_note_operand(r, 0);
        }
        if (r->probe && !printed && !dim_is(a->dims[i], 1))
            ((struct dim *)(uintptr_t)stated.at)[to] = a->dims[i];
    }
    return true;
}

/* checks that `dimensions` names each axis once; JAX compares only the sets of axes (lax.py 0.12,
 * _reshape_shape_rule) */
static bool
reordered(struct rule *r)
{
    struct ints order;
    u32 rank = r->in[0].rank, named = 0;
    if (!r->in[0].ranked || !param_ints(r, "dimensions", &order))
        return true;
    u8 *seen = axis_marks(r, rank);
    for (u32 i = 0; i < order.n; i++) {
        if (!axis_fits(r, "dimensions", order.at[i], rank, NULL))
            return false;
        named += !seen[order.at[i]];
        seen[order.at[i]] = 1;
    }
    bool all = named == rank;
    return (named == order.n || axes_permute(r, "dimensions", &order, rank, all ? 0 : rank, rank)) &&
           one_each(r, "dimensions", order.n);
}

/* " (4*n elements)", or "" if the product of these sizes or of the others is unknown */
static const char *
format_elements(struct rule *r, const struct dims *sizes, const struct dims *others)
{
    struct dim product = dims_product(sizes->at, sizes->n), other = dims_product(others->at, others->n);
    bool known = product.kind != DIM_UNKNOWN && other.kind != DIM_UNKNOWN;
    return known ? format_text(r, " (%s elements)", format_dim(r, product)) : "";
}

bool
shape_reshape(struct rule *r, struct aval *out)
{
    struct dims sizes;
    *out = r->in[0];
    if (!reordered(r))
        return false;
    if (!param_dims(r, "new_sizes", &sizes))
        return unranked(r, out);
    if (!fill_holes(r, "new_sizes", &sizes, 1) || !sizes_fit(r, "new_sizes", &sizes))
        return false;
    *out = aval_reshaped(&r->in[0], sizes.n, sizes.at);
    if (!r->in[0].ranked)
        return true;
    enum truth fits = dims_products_equal(r->in[0].dims, r->in[0].rank, sizes.at, sizes.n);
    if (fits == MAYBE)
        rule_trust(r, at_param(r, "new_sizes"), "the number of elements of `%s` and of %s cannot be compared",
                   format_operand(r, 0), format_dims(r, sizes.at, sizes.n));
    if (fits != NO)
        return true;
    /* if the binder differs from the parameter, too, this is one mistake */
    struct aval binder = rule_binder(r, 0);
    struct dims before = {r->in[0].dims, r->in[0].rank};
    report_fn *report = binder.ranked && shapes_agree(&binder, out) == NO            ? rule_error
                        : reshape_is_free(r->m, r->e, rule_versions(r))              ? rule_warning
                        : range_lacks(rule_versions(r), JAX_RESHAPE_SIZES_UNCHECKED) ? rule_error
                                                                                     : rule_stricter;
    report(r, DIAG_T009, at_param(r, "new_sizes"),
           "`%s` must not change the number of elements: `%s` is %s%s, but `new_sizes` is %s%s", format_prim(r),
           format_operand(r, 0), format_aval(r, &r->in[0]), format_elements(r, &before, &sizes),
           format_dims(r, sizes.at, sizes.n), format_elements(r, &sizes, &before));
    rule_note_operand(r, 0);
    return !r->failed;
}

/* roll x shift: like x; JAX takes any shift (pallas/mosaic/primitives.py, _roll_abstract_eval) */
bool
shape_roll(struct rule *r, struct aval *out)
{
    const struct aval *shift = &r->in[1];
    i64 axis, stride;
    *out = r->in[0];
    static const char *const keys[] = {"stride_axis", "axis"};
    if (param_int(r, "stride", &stride) && param_is_none(r, "stride_axis"))
        return rule_stricter(r, DIAG_T009, at_param(r, "stride_axis"),
                             "`%s` with stride=%lld requires a `stride_axis`, got None", format_prim(r),
                             (long long)stride);
    for (u32 k = 0; k < countof(keys); k++)
        if (out->ranked && param_int(r, keys[k], &axis) && (axis >= out->rank || axis < -(i64)out->rank))
            return rule_stricter(r, DIAG_T009, at_param(r, keys[k]),
                                 "`%s` of `%s` is %lld, which is out of range: `%s` is %s", keys[k], format_prim(r),
                                 (long long)axis, format_operand(r, 0), format_aval(r, out)) ||
                   rule_note_operand(r, 0);
    return shift->kind != AVAL_ARRAY || !shift->classes || shift->classes & IN_INT ||
           rule_stricter(r, DIAG_T007, at_operand(1), "`%s` requires an integer shift: `%s` is %s", format_prim(r),
                         format_operand(r, 1), format_dtype(r, shift)) ||
           rule_note_operand(r, 1);
}

bool
shape_squeeze(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct ints axes;
    *out = *a;
    if (!a->ranked || !param_ints(r, "dimensions", &axes))
        return unranked(r, out);
    u8 *seen = axis_marks(r, a->rank);
    const struct dim one = dim_of(1);
    for (u32 i = 0; i < axes.n; i++) {
        if (!entry_fits(r, "dimensions", &axes, i, a->rank, seen))
            return false;
        if (dim_equal(&a->dims[axes.at[i]], &one) == NO) {
            rule_error(r, DIAG_T009, at_entry(r, "dimensions", &axes, i),
                       "`%s` can only remove axes of size 1: axis %lld of `%s` has size %s", format_prim(r),
                       (long long)axes.at[i], format_operand(r, 0), format_dim(r, a->dims[axes.at[i]]));
            return rule_note_operand(r, 0);
        }
    }
    *out = without_axes(r, a, seen);
    return true;
}

bool
shape_transpose(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct ints order;
    *out = *a;
    if (!a->ranked)
        return unranked(r, out);
    if (!param_ints(r, "permutation", &order))
        return unsized(r, out, a->rank);
    if (!one_each(r, "permutation", order.n))
        return false;
    u8 *seen = axis_marks(r, a->rank);
    struct dim *dims = copy_dims(r, 0, 0);
    for (u32 i = 0; i < order.n; i++) {
        if (!entry_fits(r, "permutation", &order, i, a->rank, seen))
            return false;
        dims[i] = a->dims[order.at[i]];
    }
    *out = aval_reshaped(a, a->rank, dims);
    return true;
}

bool
shape_slice(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct dims start, limit;
    struct ints strides = {NULL, 0};
    bool strided = param_ints(r, "strides", &strides);
    bool starts = param_dims(r, "start_indices", &start), limits = param_dims(r, "limit_indices", &limit);
    *out = *a;
    if (!a->ranked)
        return unranked(r, out);
    if ((starts && !one_each(r, "start_indices", start.n)) || (limits && !one_each(r, "limit_indices", limit.n)) ||
        (strided && !one_each(r, "strides", strides.n)))
        return false;
    if (!starts || !limits || (!strided && param_is_unread(r, "strides")))
        return unsized(r, out, a->rank);
    struct dim *dims = copy_dims(r, 0, 0);
    for (u32 i = 0; i < a->rank; i++) {
        i64 stride = strided ? strides.at[i] : 1;
        if (start.at[i].kind == DIM_INT && start.at[i].value < 0)
            return rule_error(r, DIAG_T010, at_item(r, "start_indices", i), "`%s` starts before 0 on axis %u",
                              format_prim(r), i);
        if (stride <= 0)
            return rule_error(r, DIAG_T010, at_item(r, "strides", i),
                              "the stride of `%s` on axis %u must be at least 1, got %lld", format_prim(r), i,
                              (long long)stride);
        if (!at_most(r, at_item(r, "limit_indices", i), limit.at[i], a->dims[i])) {
            rule_error(r, DIAG_T009, at_item(r, "limit_indices", i),
                       "`%s` ends at %s on axis %u, but `%s` has size %s there", format_prim(r),
                       format_dim(r, limit.at[i]), i, format_operand(r, 0), format_dim(r, a->dims[i]));
            return rule_note_operand(r, 0);
        }
        if (!at_most(r, at_item(r, "limit_indices", i), start.at[i], limit.at[i]))
            return rule_error(r, DIAG_T009, at_item(r, "limit_indices", i),
                              "`%s` ends at %s on axis %u, before its start at %s", format_prim(r),
                              format_dim(r, limit.at[i]), i, format_dim(r, start.at[i]));
        struct dim extent = dim_sub(limit.at[i], start.at[i]);
        dims[i] = stride == 1 ? extent : dim_stride(extent, dim_of(1), stride);
    }
    *out = aval_reshaped(a, a->rank, dims);
    return true;
}

/* reads `(lo, hi, interior)` */
static bool
read_padding(struct rule *r, struct cursor *c, struct dim lhi[2], i64 *interior)
{
    struct slice element;
    if (!value_open(c))
        return false;
    for (u32 k = 0; k < 2; k++)
        if (!value_element(c, &element) || !read_dim(r, element, &lhi[k]))
            return false;
    return value_int(c, interior) && value_close(c);
}

bool
shape_pad(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice text;
    u32 count;
    *out = *a;
    if (dtypes_agree(&r->in[0], &r->in[1]) == NO)
        return rule_error_pair(r, DIAG_T007, 0, 1,
                               "the padding value of `pad` must have the element type of the operand");
    r->one_dtype = true;
    if (r->in[1].ranked && r->in[1].rank)
        return rule_error_operand(r, DIAG_T008, 1, "the padding value of `pad` must be a scalar");
    if (!a->ranked)
        return unranked(r, out);
    if (!param_text(r, "padding_config", &text) || !value_count(text, &count))
        return unsized(r, out, a->rank);
    if (!one_each(r, "padding_config", count))
        return false;
    struct dim *dims = copy_dims(r, 0, 0);
    struct cursor c = cursor_inside(text);
    for (u32 i = 0; i < a->rank; i++) {
        struct dim lhi[2];
        i64 interior;
        struct slice triple;
        if (!value_element(&c, &triple) || !value_count(triple, &count))
            return unsized(r, out, a->rank);
        if (count != 3)
            return rule_error(r, DIAG_T010, at_item(r, "padding_config", i),
                              "`padding_config` of `%s` has %s for axis %u instead of (low, high, interior)",
                              format_prim(r), format_count(r, count, "number", "numbers"), i);
        struct cursor of_axis = cursor_of(triple);
        if (!read_padding(r, &of_axis, lhi, &interior))
            return unsized(r, out, a->rank);
        if (interior < 0 || interior == INT64_MAX)
            return rule_error(r, DIAG_T010, at_item(r, "padding_config", i),
                              "the interior padding of `pad` must %s, got %lld on axis %u",
                              interior < 0 ? "not be negative" : "be less than 2^63-1", (long long)interior, i);
        dims[i] = dim_add(dim_add(lhi[0], lhi[1]), dim_dilate(a->dims[i], interior + 1));
        if (dims[i].kind == DIM_INT && dims[i].value < 0)
            return rule_error(r, DIAG_T009, at_item(r, "padding_config", i),
                              "`pad` leaves a negative size, %s, on axis %u: `%s` is %s", format_dim(r, dims[i]), i,
                              format_operand(r, 0), format_aval(r, a)) ||
                   rule_note_operand(r, 0);
    }
    *out = aval_reshaped(a, a->rank, dims);
    return true;
}

bool
shape_concatenate(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    i64 axis;
    *out = *a;
    if (!same_element_types(r))
        return false;
    for (u32 i = 0; i < r->n; i++)
        if (!r->in[i].ranked)
            return unranked(r, out);
    for (u32 i = 1; i < r->n; i++)
        if (r->in[i].rank != a->rank)
            return rule_error_pair(r, DIAG_T008, 0, i, "the operands of `%s` must have the same rank", format_prim(r));
    if (!param_int(r, "dimension", &axis))
        return unsized(r, out, a->rank);
    if (!axis_fits(r, "dimension", axis, a->rank, NULL))
        return false;
    struct dim *dims = copy_dims(r, 0, 0);
    for (u32 i = 1; i < r->n; i++)
        for (u32 k = 0; k < a->rank; k++) {
            if (k == axis)
                dims[k] = dim_add(dims[k], r->in[i].dims[k]);
            else if (dim_equal(&a->dims[k], &r->in[i].dims[k]) == NO)
                return rule_error_pair(
                    r, DIAG_T008, 0, i,
                    "operands of `%s` along axis %lld must have equal sizes on the other axes; axis %u differs",
                    format_prim(r), (long long)axis, k);
        }
    *out = aval_reshaped(a, a->rank, dims);
    return true;
}

/* the axis that a number as Python counts names, `-1` for the last; the number itself if there is none */
static i64
axis_from_start(i64 axis, u32 rank)
{
    return axis < 0 && axis >= -(i64)rank ? axis + rank : axis;
}

/* checks results that are parts of operand 0, with `fewer` axes and of unknown sizes */
static bool
parts_unsized(struct rule *r, u32 fewer)
{
    struct aval part = r->in[0];
    bool right = part.ranked && part.rank >= fewer ? unsized(r, &part, part.rank - fewer) : unranked(r, &part);
    for (u32 i = 0; i < r->n_results; i++)
        right &= rule_result(r, i, &part);
    return right;
}

bool
shape_split(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct dims sizes;
    i64 axis;
    (void)out;
    bool known = param_dims(r, "sizes", &sizes);
    if (known && !rule_results(r, sizes.n))
        return rule_note(r, at_param(r, "sizes"), DETERMINED_BY, "their number", "sizes");
    if (known && !sizes_fit(r, "sizes", &sizes))
        return false;
    if (!known || !a->ranked || !param_int(r, "axis", &axis))
        return parts_unsized(r, 0);
    axis = axis_from_start(axis, a->rank); /* lax.py 0.12, _split_shape_rule */
    if (!axis_fits(r, "axis", axis, a->rank, NULL))
        return false;
    struct dim sum = dim_of(0);
    for (u32 i = 0; i < sizes.n; i++)
        sum = i && sum.kind == DIM_UNKNOWN ? sum : dim_add(sum, sizes.at[i]);
    if (!same_size(r, at_param(r, "sizes"), sum, a->dims[axis])) {
        rule_error(r, DIAG_T009, at_param(r, "sizes"),
                   "the sizes of `split` add up to %s, but axis %lld of `%s` has size %s", format_dim(r, sum),
                   (long long)axis, format_operand(r, 0), format_dim(r, a->dims[axis]));
        return rule_note_operand(r, 0);
    }
    for (u32 i = 0; i < sizes.n; i++) {
        struct dim *dims = copy_dims(r, 0, 0);
        dims[axis] = sizes.at[i];
        struct aval part = aval_reshaped(a, a->rank, dims);
        rule_result(r, i, &part);
    }
    return true;
}

bool
shape_rev(struct rule *r, struct aval *out)
{
    struct ints axes;
    *out = r->in[0];
    if (!out->ranked || !param_ints(r, "dimensions", &axes))
        return true;
    u8 *seen = axis_marks(r, out->rank);
    for (u32 i = 0; i < axes.n; i++)
        if (!entry_fits(r, "dimensions", &axes, i, out->rank, seen))
            return false;
    return true;
}

bool
shape_iota(struct rule *r, struct aval *out)
{
    struct dims shape;
    dtype_t dtype;
    i64 axis;
    *out = aval_of_kind(AVAL_ARRAY);
    if (param_dtype(r, "dtype", &dtype) && !(1u << dtype_class(dtype) & IN_NUM)) {
        struct aval other = aval_scalar(dtype);
        return rule_error(r, DIAG_T010, at_param(r, "dtype"),
                          "`dtype` of `%s` must be a numeric element type, got `%s`", format_prim(r),
                          format_dtype(r, &other));
    }
    if (!param_dims(r, "shape", &shape))
        return true;
    if (!fill_holes(r, "shape", &shape, 0) || !sizes_fit(r, "shape", &shape))
        return false;
    *out = aval_reshaped(out, shape.n, shape.at);
    return !param_int(r, "dimension", &axis) || axis_fits(r, "dimension", axis, shape.n, NULL);
}

bool
shape_tile(struct rule *r, struct aval *out)
{
    struct dims reps;
    *out = r->in[0];
    if (!out->ranked || !param_dims(r, "reps", &reps))
        return unranked(r, out);
    if (!one_each(r, "reps", reps.n))
        return false;
    struct dim *dims = copy_dims(r, 0, 0);
    for (u32 i = 0; i < reps.n; i++)
        dims[i] = dim_mul(dims[i], reps.at[i]);
    *out = aval_reshaped(&r->in[0], reps.n, dims);
    return true;
}

bool
shape_repeat(struct rule *r, struct aval *out)
{
    i64 axis, repeats;
    *out = r->in[0];
    if (!out->ranked || !param_int(r, "axis", &axis) || !param_int(r, "repeats", &repeats))
        return unranked(r, out);
    if (!axis_fits(r, "axis", axis, out->rank, NULL))
        return false;
    struct dim *dims = copy_dims(r, 0, 0);
    dims[axis] = dim_mul(dims[axis], dim_of(repeats));
    *out = aval_reshaped(&r->in[0], out->rank, dims);
    return true;
}

bool
shape_stack(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    i64 axis;
    *out = *a;
    if (!same_element_types(r))
        return false;
    for (u32 i = 1; i < r->n; i++)
        if (shapes_agree(a, &r->in[i]) == NO)
            return rule_error_pair(r, DIAG_T008, 0, i, "the operands of `stack` must have the same shape");
    if (!a->ranked)
        return unranked(r, out);
    if (!param_int(r, "axis", &axis))
        return unsized(r, out, a->rank + 1u);
    if (axis < 0 || axis > a->rank)
        return rule_stricter(r, DIAG_T009, at_param(r, "axis"),
                             "`axis` of `%s` is %lld, which is out of range: the result has %s, one more than `%s`",
                             format_prim(r), (long long)axis, format_count(r, a->rank + 1u, "axis", "axes"),
                             format_operand(r, 0)) ||
               rule_note_operand(r, 0);
    struct dim *dims = copy_dims(r, 0, 1);
    memmove(dims + axis + 1, dims + axis, (a->rank - (size_t)axis) * sizeof *dims);
    dims[axis] = dim_of(r->n);
    *out = aval_reshaped(a, a->rank + 1, dims);
    return true;
}

bool
shape_unstack(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    i64 axis;
    (void)out;
    if (!a->ranked || !param_int(r, "axis", &axis))
        return parts_unsized(r, 1);
    axis = axis_from_start(axis, a->rank); /* lax.py 0.12, _unstack_shape_rule */
    if (!axis_fits(r, "axis", axis, a->rank, NULL))
        return false;
    struct dim *dims = copy_dims(r, 0, 0);
    memmove(dims + axis, dims + axis + 1, (a->rank - 1u - (size_t)axis) * sizeof *dims);
    struct aval part = aval_reshaped(a, a->rank - 1, dims);
    if (a->dims[axis].kind == DIM_INT &&
        !rule_results(r, (u32)(a->dims[axis].value < UINT32_MAX ? a->dims[axis].value : UINT32_MAX)))
        return false;
    for (u32 i = 0; i < r->n_results; i++)
        rule_result(r, i, &part);
    return true;
}

/* broadcast[sizes]: the sizes are prepended (lax.py up to 0.2) */
bool
shape_broadcast(struct rule *r, struct aval *out)
{
    struct dims sizes;
    *out = r->in[0];
    if (!out->ranked || !param_dims(r, "sizes", &sizes))
        return unranked(r, out);
    struct dim *dims = rule_alloc(r, ((size_t)sizes.n + out->rank + 1) * sizeof *dims);
    memcpy(dims, sizes.at, sizes.n * sizeof *dims);
    if (out->rank)
        memcpy(dims + sizes.n, out->dims, out->rank * sizeof *dims);
    *out = aval_reshaped(&r->in[0], sizes.n + out->rank, dims);
    return true;
}

/* the shape is a parameter, the element type operand 0's or a parameter's */
bool
shape_param(struct rule *r, struct aval *out)
{
    struct dims shape;
    *out = r->n ? r->in[0] : aval_of_kind(AVAL_ARRAY);
    if (out->kind == AVAL_REF) /* JAX takes the ref's element type for that of the result */
        return rule_needs_array(r, 0, false);
    if (!param_dims(r, "shape", &shape))
        return unranked(r, out);
    if (!sizes_fit(r, "shape", &shape))
        return false;
    *out = aval_reshaped(out, shape.n, shape.at);
    return true;
}
