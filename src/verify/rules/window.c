/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows that slide over an array (jax/_src/lax/windowed_reductions.py: _common_reduce_window_shape_rule and the
 * rules built on it). Linear in operands and ranks. */
#include "verify/axes.h"

/* checks that a parameter has one entry per axis of operand i */
static bool
one_each_axis(struct rule *r, const char *key, u32 i, u32 n, const char *one, const char *many)
{
    return n == r->in[i].rank ||
           rule_stricter(r, DIAG_T009, at_param(r, key), "`%s` of `%s` has %s for the %s of `%s`, which is %s", key,
                         format_prim(r), format_count(r, n, one, many), format_count(r, r->in[i].rank, "axis", "axes"),
                         format_operand(r, i), format_aval(r, &r->in[i])) ||
           rule_note_operand(r, i);
}

/* reads `((lo, hi), ..)`, a pair for each axis of an operand */
static bool
read_pads(struct rule *r, struct dim (*pads)[2], u32 operand)
{
    struct slice text, element;
    u32 count;
    if (!param_text(r, "padding", &text) || !value_count(text, &count))
        return false;
    if (!one_each_axis(r, "padding", operand, count, "pair", "pairs"))
        return false;
    struct cursor c = cursor_inside(text);
    for (u32 i = 0; i < count; i++) {
        struct dims pair;
        if (!value_element(&c, &element) || !read_dims(r, element, &pair))
            return false;
        if (pair.n != 2)
            return rule_stricter(r, DIAG_T010, at_item(r, "padding", i),
                                 "`padding` of `%s` has %s for axis %u instead of (low, high)", format_prim(r),
                                 format_count(r, pair.n, "number", "numbers"), i);
        memcpy(pads[i], pair.at, sizeof pads[i]);
    }
    return true;
}

/* a dilation without a parameter is 1 everywhere: select_and_scatter_add has none */
static struct ints
no_dilation(struct rule *r, u32 rank)
{
    i64 *ones = rule_alloc(r, (rank + 1u) * sizeof *ones);
    for (u32 i = 0; i < rank; i++)
        ones[i] = 1;
    return (struct ints){ones, rank, {"", 0}};
}

/* reads one of the window parameters: one entry for each axis of an operand, none below 1. False if it cannot be read,
 * or after a report */
static bool
window_ints(struct rule *r, const char *key, u32 operand, struct ints *out)
{
    if (!param_ints(r, key, out)) {
        if (prim_role(r->prim, slice_of(key)).n &&
            (rule_param(r, key) != NONE || !slice_contains(slice_of(key), SLICE("dilation"))))
            return false;
        *out = no_dilation(r, r->in[operand].rank);
    }
    if (!one_each_axis(r, key, operand, out->n, "entry", "entries"))
        return false;
    for (u32 i = 0; i < out->n; i++)
        if (out->at[i] < 1)
            return rule_stricter(r, DIAG_T010, at_entry(r, key, out, i),
                                 "`%s` of `%s` is %lld on axis %u, but must be at least 1", key, format_prim(r),
                                 (long long)out->at[i], i);
    return true;
}

/* computes in *out the shape of the grid of windows in an operand, with the operand's element type */
static bool
window_shape(struct rule *r, u32 operand, struct aval *out)
{
    const struct aval *a = &r->in[operand];
    struct ints window, strides, base, dilation;
    *out = *a;
    if (!a->ranked)
        return unranked(r, out);
    struct dim(*pads)[2] = rule_alloc(r, (a->rank + 1u) * sizeof *pads);
    bool known = window_ints(r, "window_dimensions", operand, &window); /* all are read, as each may be wrong */
    known &= window_ints(r, "window_strides", operand, &strides);
    known &= window_ints(r, "base_dilation", operand, &base);
    known &= window_ints(r, "window_dilation", operand, &dilation);
    known &= read_pads(r, pads, operand);
    if (!known)
        return unsized(r, out, a->rank);
    struct dim *dims = rule_alloc(r, (a->rank + 1u) * sizeof *dims);
    for (u32 i = 0; i < a->rank; i++) {
        struct dim room = dim_add(dim_add(dim_dilate(a->dims[i], base.at[i]), pads[i][0]), pads[i][1]);
        dims[i] = dim_stride(room, dim_dilate(dim_of(window.at[i]), dilation.at[i]), strides.at[i]);
    }
    *out = aval_reshaped(a, a->rank, dims);
    return true;
}

/* reduce_window_sum, reduce_window_max, reduce_window_min */
bool
shape_window(struct rule *r, struct aval *out)
{
    return window_shape(r, 0, out);
}

/* reduce_window: operands, then as many scalar initial values */
bool
shape_reduce_window(struct rule *r, struct aval *out)
{
    u32 half = r->n / 2;
    if (!paired_initials(r) || !combines_scalars(r, "jaxpr", half, false))
        return false;
    if (half == 0 || !window_shape(r, 0, out))
        return half == 0;
    for (u32 i = 0; i < half; i++) {
        struct aval result = aval_reshaped(&r->in[i], out->rank, out->dims);
        result.ranked = out->ranked;
        rule_result(r, i, &result);
    }
    return true;
}

/* warns of operands of different element types, which JAX finds when it compiles the program */
static void
warn_dtypes(struct rule *r, u32 one, u32 other)
{
    if (dtypes_agree(&r->in[one], &r->in[other]) != NO)
        return;
    rule_warning(r, DIAG_T007, at_operand(other),
                 "`%s` can be compiled only with operands of one element type: `%s` is %s, `%s` is %s", format_prim(r),
                 format_operand(r, one), format_aval(r, &r->in[one]), format_operand(r, other),
                 format_aval(r, &r->in[other]));
    rule_note_operand(r, one);
    rule_note_operand(r, other);
}

/* select_and_gather_add tangents operand */
bool
shape_select_gather(struct rule *r, struct aval *out)
{
    if (shapes_agree(&r->in[0], &r->in[1]) == NO)
        return rule_error_pair(r, DIAG_T008, 0, 1, "the operands of `%s` must have the same shape", format_prim(r));
    warn_dtypes(r, 0, 1);
    struct slice prim;
    if (param_text(r, "select_prim", &prim) && !value_has(SLICE("ge,le"), prim))
        return rule_stricter(r, DIAG_T010, at_param(r, "select_prim"),
                             "`select_prim` of `%s` must be `ge` or `le`, got `%s`", format_prim(r),
                             format_slice(r, prim));
    return window_shape(r, 1, out);
}

/* checks that a source has an element for each window of an operand; JAX leaves this to XLA */
static bool
source_fits(struct rule *r, u32 operand, u32 source)
{
    struct aval windows;
    const struct aval *a = &r->in[source];
    if (!window_shape(r, operand, &windows))
        return false;
    if (shapes_agree(&windows, a) != NO)
        return true;
    rule_stricter(
        r, DIAG_T008, at_operand(source),
        "`%s` requires one source element per window: the grid of windows of `%s` has shape %s, but `%s` is %s",
        format_prim(r), format_operand(r, operand), format_dims(r, windows.dims, windows.rank),
        format_operand(r, source), format_aval(r, a));
    rule_note(r, at_param(r, "window_dimensions"),
              "the grid is determined by `window_dimensions`, `window_strides` and `padding`");
    rule_note_operand(r, operand);
    return rule_note_operand(r, source);
}

/* select_and_scatter_add source operand: shaped like operand */
bool
shape_scatter_windows(struct rule *r, struct aval *out)
{
    *out = r->in[1];
    warn_dtypes(r, 0, 1);
    return source_fits(r, 1, 0);
}

/* select_and_scatter operand source init: shaped like operand */
bool
shape_select_scatter(struct rule *r, struct aval *out)
{
    struct ints window, strides;
    *out = r->in[0];
    if (!combines_scalars(r, "select_jaxpr", 1, true) || !combines_scalars(r, "scatter_jaxpr", 1, false))
        return false;
    if (param_ints(r, "window_dimensions", &window) && param_ints(r, "window_strides", &strides) &&
        window.n != strides.n)
        return rule_error(r, DIAG_T009, at_param(r, "window_strides"),
                          "`%s` has %u window strides, but %u window dimensions", format_prim(r), strides.n, window.n);
    return source_fits(r, 0, 1);
}
