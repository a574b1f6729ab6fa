/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a window or kernel overlaps the array it slides over. In a convolution, pairs in the padding or in the
 * holes of a dilated operand cost nothing and are not counted if extents are numbers: O(kernel extent) for each
 * axis, at most EXTENT steps; beyond that, and with symbolic sizes, every pair counts. */
#include "cost/costing.h"

#include "base/value.h"

enum { EXTENT = 1 << 16, STRIDE = 1 << 24 };

/* the elements of one window */
static bool
window_elements(const struct op_view *q, double *out)
{
    struct slice text;
    i64 at[COST_RANK];
    u32 n;
    if (!cost_text(q, "window_dimensions", &text) || !value_ints(text, at, COST_RANK, &n))
        return false;
    *out = 1;
    for (u32 i = 0; i < n; i++)
        *out *= (double)at[i];
    return *out >= 1;
}

bool
count_windows(const struct op_view *q, struct amount *out)
{
    double window;
    if (!window_elements(q, &window) || !cost_result_elements(q, 0, out))
        return false;
    amount_scale(out, window - 1);
    return true;
}

bool
count_sources(const struct op_view *q, struct amount *out)
{
    double window;
    if (!window_elements(q, &window) || !cost_operand_elements(q, 0, out))
        return false;
    amount_scale(out, window);
    return true;
}

/* One spatial axis of a convolution. */
struct axis {
    i64 input, kernel, output;
    i64 stride, low, base, dilation;
};

/* How many outputs o of [0, output) have an input index o * stride + offset that is in range and not in a hole. */
static double
inputs_in_range(const struct axis *a, i64 offset)
{
    i64 last = (a->input - 1) * a->base; /* the last index of an element */
    i64 from = offset >= 0 ? 0 : (-offset + a->stride - 1) / a->stride;
    i64 to = last < offset ? 0 : (last - offset) / a->stride + 1;
    to = to < a->output ? to : a->output;
    i64 period = 1; /* after this many outputs, the positions of holes repeat */
    while (period < a->base && period * a->stride % a->base != 0)
        period++;
    i64 found = from;
    while (found < to && found < from + period && (found * a->stride + offset) % a->base != 0)
        found++;
    return found < to && found < from + period ? (double)((to - found + period - 1) / period) : 0;
}

static double
taps_of(const struct axis *a)
{
    double taps = 0;
    if (a->kernel * a->base > EXTENT)
        return (double)a->kernel * (double)a->output;
    for (i64 k = 0; k < a->kernel; k++)
        taps += inputs_in_range(a, k * a->dilation - a->low);
    return taps;
}

static bool
spec(const struct op_view *q, const char *field, i64 *at, u32 rank)
{
    struct slice text, value;
    u32 n;
    if (!cost_text(q, "dimension_numbers", &text) || !value_field(text, field, &value) ||
        !value_ints(value, at, COST_RANK, &n) || n != rank)
        return false;
    for (u32 i = 0; i < n; i++)
        if (at[i] < 0 || at[i] >= rank)
            return false;
    return true;
}

/* entry i of a parameter such as `(1, 1)`; 1 if it is missing */
static i64
entry(const struct op_view *q, const char *key, u32 i)
{
    struct slice text;
    i64 at[COST_RANK];
    u32 n;
    bool read = cost_text(q, key, &text) && value_ints(text, at, COST_RANK, &n) && i < n && at[i] > 0 && at[i] < STRIDE;
    return read ? at[i] : 1;
}

/* the low padding of axis i of `((0, 1), (1, 1))` */
static bool
padding(const struct op_view *q, u32 axis, i64 *low)
{
    struct slice text, pair;
    i64 at[2];
    u32 n;
    if (!cost_text(q, "padding", &text))
        return false;
    struct cursor c = cursor_of(text);
    if (!value_open(&c))
        return false;
    for (u32 i = 0; i <= axis; i++)
        if (!value_element(&c, &pair))
            return false;
    *low = 0;
    if (!value_ints(pair, at, 2, &n) || n != 2 || at[0] > (i64)NONE || at[0] < -(i64)NONE)
        return false;
    *low = at[0];
    return true;
}

/* multiplies *out by the pairs of spatial axis i; `dims` and the axis in each: of input, kernel, output */
static bool
multiply_axis(const struct op_view *q, u32 i, const struct dim *dims[3], const i64 place[3], struct amount *out)
{
    struct amount extent[3];
    double number[3];
    bool open = false;
    for (u32 k = 0; k < 3; k++) {
        if (!cost_dim(q->c, q->j, &dims[k][place[k]], &extent[k]))
            return false;
        open |= !amount_number(&extent[k], &number[k]) || number[k] > (double)NONE;
    }
    struct axis a = {.stride = entry(q, "window_strides", i),
                     .base = entry(q, "lhs_dilation", i),
                     .dilation = entry(q, "rhs_dilation", i)};
    open |= !padding(q, i, &a.low);
    if (open) {
        amount_multiply(q->c->t, out, &extent[1]);
        amount_multiply(q->c->t, out, &extent[2]);
        return true;
    }
    a.input = (i64)number[0];
    a.kernel = (i64)number[1];
    a.output = (i64)number[2];
    amount_scale(out, taps_of(&a));
    return true;
}

bool
count_taps(const struct op_view *q, struct amount *out)
{
    u32 rank, kernel_rank;
    i64 in[COST_RANK], kernel[COST_RANK], result[COST_RANK];
    const struct dim *dims[3] = {cost_operand_dims(q, 0, &rank), cost_operand_dims(q, 1, &kernel_rank)};
    const struct type *t = q->eqn->n_vars ? type_array(q->c->m, q->c->m->vars.at[q->eqn->vars].type) : NULL;
    if (!dims[0] || !dims[1] || !t || rank != kernel_rank || t->rank != rank || rank < 2 ||
        !spec(q, "lhs_spec", in, rank) || !spec(q, "rhs_spec", kernel, rank) || !spec(q, "out_spec", result, rank))
        return false;
    dims[2] = type_dims(&q->c->m->types, t);
    struct amount extent;
    /* the batch size of the input, times the features of the output, times the input features that each of these
     * reads */
    if (!cost_dim(q->c, q->j, &dims[0][in[0]], out) || !cost_dim(q->c, q->j, &dims[2][result[1]], &extent))
        return false;
    amount_multiply(q->c->t, out, &extent);
    if (!cost_dim(q->c, q->j, &dims[1][kernel[1]], &extent))
        return false;
    amount_multiply(q->c->t, out, &extent);
    i64 groups = eqn_int(q->c->m, q->e, SLICE("batch_group_count"), 1);
    amount_scale(out, 1.0 / (double)(groups > 0 ? groups : 1));
    for (u32 i = 2; i < rank; i++)
        if (!multiply_axis(q, i - 2, dims, (i64[3]){in[i], kernel[i], result[i]}, out))
            return false;
    return true;
}
