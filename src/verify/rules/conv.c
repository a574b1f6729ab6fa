/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolutions and Fourier transforms (jax/_src/lax/convolution.py: _conv_general_dilated_shape_rule,
 * conv_shape_tuple; fft.py: fft_abstract_eval). Linear in ranks. */
#include "verify/dot.h"

enum { INPUT, KERNEL, OUTPUT };

/* The dimension numbers of a convolution: for each array the batch axis (output features for the kernel), the feature
 * axis and the spatial axes. */
struct conv {
    struct ints spec[3];
    struct ints strides, lhs_dilation, rhs_dilation;
    bool sized; /* these are integers; sizes may be symbols, as in `rhs_dilation=(1, n)` */
    i64 feature_groups, batch_groups;
};

/* reads the parameters; false if one cannot be read */
static bool
read_conv(struct rule *r, struct conv *c)
{
    static const char *const fields[] = {"lhs_spec", "rhs_spec", "out_spec"};
    struct slice text;
    if (!param_text(r, "dimension_numbers", &text))
        return false;
    for (u32 i = 0; i < 3; i++)
        if (!read_numbers(r, text, fields[i], false, &c->spec[i]))
            return false;
    c->sized = param_ints(r, "window_strides", &c->strides) && param_ints(r, "lhs_dilation", &c->lhs_dilation) &&
               param_ints(r, "rhs_dilation", &c->rhs_dilation);
    return param_int(r, "feature_group_count", &c->feature_groups) &&
           param_int(r, "batch_group_count", &c->batch_groups);
}

/* checks that each spec is a permutation of the axes. JAX indexes shapes with the specs of operands, whose entries may
 * be negative, as in Python, and sorts that of the result (convolution.py 0.12, _conv_general_dilated_shape_rule) */
static bool
check_specs(struct rule *r, const struct conv *c, u32 rank)
{
    for (u32 i = 0; i < 3; i++) {
        if (c->spec[i].n != rank)
            return rule_stricter(r, DIAG_T009, at_param(r, "dimension_numbers"),
                                 "`dimension_numbers` of `%s` names %u axes, but `%s` is %s", format_prim(r),
                                 c->spec[i].n, format_operand(r, 0), format_aval(r, &r->in[0])) ||
                   rule_note_operand(r, 0);
        bool sorted = i == OUTPUT;
        if (!axes_permute(r, "dimension_numbers", &c->spec[i], rank, sorted ? INT64_MIN : -(i64)rank,
                          sorted ? INT64_MAX : (i64)rank - 1))
            return false;
    }
    return true;
}

/* reports if `part` does not divide a dim */
static bool
divides(struct rule *r, const char *key, i64 part, struct dim whole, u32 operand, const char *what)
{
    if (part <= 0)
        return rule_error(r, DIAG_T010, at_param(r, key), "`%s` of `%s` must be at least 1, got %lld", key,
                          format_prim(r), (long long)part);
    if (divisible_by(r, at_param(r, key), whole, part))
        return true;
    rule_error(r, DIAG_T009, at_param(r, key),
               "`%s` of `%s` is %lld, which does not divide the number of %s of `%s`, %s", key, format_prim(r),
               (long long)part, what, format_operand(r, operand), format_dim(r, whole));
    return rule_note_operand(r, operand);
}

static bool
check_groups(struct rule *r, const struct conv *c)
{
    const struct aval *in = &r->in[INPUT], *kernel = &r->in[KERNEL];
    struct dim features = in->dims[c->spec[INPUT].at[1]], taken = kernel->dims[c->spec[KERNEL].at[1]];
    struct dim made = kernel->dims[c->spec[KERNEL].at[0]];
    if (!divides(r, "feature_group_count", c->feature_groups, features, INPUT, "features"))
        return false;
    struct dim share = dim_floordiv(features, dim_of(c->feature_groups));
    if (!same_size(r, at_operand(KERNEL), share, taken))
        return rule_error_pair(r, DIAG_T008, INPUT, KERNEL,
                               "the input feature axis of the kernel of `%s` must have size %s (the size of the "
                               "input's feature axis, %s, divided by feature_group_count, %lld), got %s",
                               format_prim(r), format_dim(r, share), format_dim(r, features),
                               (long long)c->feature_groups, format_dim(r, taken));
    if (c->feature_groups > 1 && c->batch_groups > 1)
        return rule_error(r, DIAG_T010, at_param(r, "batch_group_count"), "`%s` cannot group both features and batch",
                          format_prim(r));
    return divides(r, "feature_group_count", c->feature_groups, made, KERNEL, "output features") &&
           divides(r, "batch_group_count", c->batch_groups, in->dims[c->spec[INPUT].at[0]], INPUT, "examples") &&
           divides(r, "batch_group_count", c->batch_groups, made, KERNEL, "output features");
}

/* checks that a parameter has one entry for each spatial axis */
static bool
one_each_spatial(struct rule *r, const char *key, u32 n, u32 spatial)
{
    return n == spatial ||
           rule_stricter(r, DIAG_T009, at_param(r, key), "`%s` of `%s` has %s for the %s of `%s`, which is %s", key,
                         format_prim(r), format_count(r, n, "entry", "entries"),
                         format_count(r, spatial, "spatial axis", "spatial axes"), format_operand(r, INPUT),
                         format_aval(r, &r->in[INPUT])) ||
           rule_note_operand(r, INPUT);
}

/* reports the size of a spatial axis from 2^63 on, which overflows in JAX's int64 */
static bool
size_fits(struct rule *r, const char *key, u32 k, u32 operand, i64 axis, struct dim size)
{
    if (size.kind != DIM_HUGE)
        return true;
    return rule_stricter(r, DIAG_T009, at_item(r, key, k),
                         "`%s` of `%s` makes spatial axis %u, which is axis %lld of `%s`, larger than 2^63-1", key,
                         format_prim(r), k, (long long)axis, format_operand(r, operand)) ||
           rule_note_operand(r, operand);
}

/* computes the extent of spatial axis k of the result. Negative padding removes at most the whole extent
 * (convolution.py 0.12, conv_shape_tuple) */
static bool
spatial_extent(struct rule *r, const struct conv *c, u32 k, const struct dim *pad, struct dim *out)
{
    i64 axis = c->spec[INPUT].at[k + 2], kernel_axis = c->spec[KERNEL].at[k + 2];
    if (!c->sized) {
        *out = dim_unknown();
        return true;
    }
    struct dim in = dim_dilate(r->in[INPUT].dims[axis], c->lhs_dilation.at[k]);
    struct dim window = dim_dilate(r->in[KERNEL].dims[kernel_axis], c->rhs_dilation.at[k]);
    if (!size_fits(r, "lhs_dilation", k, INPUT, axis, in) ||
        !size_fits(r, "rhs_dilation", k, KERNEL, kernel_axis, window))
        return false;
    struct dim padded = dim_add(dim_add(in, pad[0]), pad[1]);
    *out = dim_stride(padded, window, c->strides.at[k]);
    if (!size_fits(r, "padding", k, INPUT, axis, padded))
        return false;
    if (padded.kind != DIM_INT || padded.value >= 0)
        return true;
    return rule_error(r, DIAG_T009, at_item(r, "padding", k),
                      "`padding` of `%s` leaves a negative size, %s, on spatial axis %u, which is axis %lld of `%s`: "
                      "`%s` is %s",
                      format_prim(r), format_dim(r, padded), k, (long long)c->spec[INPUT].at[k + 2],
                      format_operand(r, INPUT), format_operand(r, INPUT), format_aval(r, &r->in[INPUT])) ||
           rule_note_operand(r, INPUT);
}

static bool
all_positive(struct rule *r, const char *key, const struct ints *list)
{
    for (u32 i = 0; i < list->n; i++)
        if (list->at[i] < 1)
            return rule_stricter(r, DIAG_T010, at_entry(r, key, list, i),
                                 "`%s` of `%s` is %lld on spatial axis %u, but must be at least 1", key, format_prim(r),
                                 (long long)list->at[i], i);
    return true;
}

/* checks the strides and dilations: one for each spatial axis, and at least 1 */
static bool
check_spatial(struct rule *r, const struct conv *c, u32 spatial)
{
    return one_each_spatial(r, "window_strides", c->strides.n, spatial) &&
           one_each_spatial(r, "lhs_dilation", c->lhs_dilation.n, spatial) &&
           one_each_spatial(r, "rhs_dilation", c->rhs_dilation.n, spatial) &&
           all_positive(r, "window_strides", &c->strides) && all_positive(r, "lhs_dilation", &c->lhs_dilation) &&
           all_positive(r, "rhs_dilation", &c->rhs_dilation);
}

/* checks the shape of an operand, which JAX before 0.4 prints in a parameter and does not compare */
static bool
printed_shape_fits(struct rule *r, const char *key, u32 operand)
{
    struct dims shape;
    const struct aval *a = &r->in[operand];
    if (!param_dims(r, key, &shape) || (shape.n == a->rank && dims_equal(shape.at, a->dims, shape.n) != NO))
        return true;
    return rule_stricter(r, DIAG_T009, at_param(r, key), "`%s` of `%s` is %s, but `%s` is %s", key, format_prim(r),
                         format_dims(r, shape.at, shape.n), format_operand(r, operand), format_aval(r, a)) ||
           rule_note_operand(r, operand);
}

bool
shape_conv(struct rule *r, struct aval *out)
{
    const struct aval *in = &r->in[INPUT], *kernel = &r->in[KERNEL];
    struct conv c;
    struct slice padding, element;
    u32 pads;
    *out = *in;
    if (!same_element_types(r))
        return false;
    if (!in->ranked || !kernel->ranked)
        return unranked(r, out);
    if (in->rank != kernel->rank)
        return rule_error_pair(r, DIAG_T008, INPUT, KERNEL, "the input and the kernel of `%s` must have the same rank",
                               format_prim(r));
    if (!read_conv(r, &c))
        return unsized(r, out, in->rank);
    if (!check_specs(r, &c, in->rank) || in->rank < 2 || !check_groups(r, &c))
        return in->rank < 2 && unranked(r, out);
    u32 spatial = in->rank - 2;
    if (c.sized && !check_spatial(r, &c, spatial))
        return false;
    if (!param_text(r, "padding", &padding) || !value_count(padding, &pads))
        return unsized(r, out, in->rank);
    if (!one_each_spatial(r, "padding", pads, spatial))
        return false;
    struct dim *dims = copy_dims(r, 0, 0);
    struct dim batch = in->dims[c.spec[INPUT].at[0]];
    dims[c.spec[OUTPUT].at[0]] = c.batch_groups > 1 ? dim_floordiv(batch, dim_of(c.batch_groups)) : batch;
    dims[c.spec[OUTPUT].at[1]] = kernel->dims[c.spec[KERNEL].at[0]];
    struct cursor at = cursor_inside(padding);
    for (u32 k = 0; k < spatial; k++) {
        struct dims pad;
        if (!value_element(&at, &element) || !read_dims(r, element, &pad))
            return unsized(r, out, in->rank);
        if (pad.n != 2)
            return rule_error(r, DIAG_T010, at_item(r, "padding", k),
                              "`padding` of `%s` has %s for spatial axis %u instead of (low, high)", format_prim(r),
                              format_count(r, pad.n, "number", "numbers"), k);
        if (!spatial_extent(r, &c, k, pad.at, &dims[c.spec[OUTPUT].at[k + 2]]))
            return false;
    }
    *out = aval_reshaped(in, in->rank, dims);
    return printed_shape_fits(r, "lhs_shape", INPUT) && printed_shape_fits(r, "rhs_shape", KERNEL);
}

/* lax.py, _validate_preferred_element_type: the preferred type is of the same kind as the input's and at least as wide;
 * integers may give floats */
bool
dtype_conv(struct rule *r, struct aval *out)
{
    dtype_t from = r->in[INPUT].dtype, to;
    if (!param_dtype(r, "preferred_element_type", &to)) {
        if (rule_param(r, "preferred_element_type") != NONE && !param_is_none(r, "preferred_element_type"))
            aval_set_dtype(out, NONE);
        return true;
    }
    if (from != NONE && from < DT_EXTENDED && from != to) {
        enum dtype_class a = dtype_class(from), b = dtype_class(to);
        bool integer = a == CLASS_SIGNED || a == CLASS_UNSIGNED, to_integer = b == CLASS_SIGNED || b == CLASS_UNSIGNED;
        bool apart = integer ? !to_integer || (a == CLASS_SIGNED && b != CLASS_SIGNED) : a != b && a != CLASS_BOOL;
        if (!(integer && b == CLASS_FLOAT) && (apart || dtype_bits(to) < dtype_bits(from)))
            return wrong_preference(r, INPUT, to);
    }
    aval_set_dtype(out, to);
    return true;
}

/* ---- fft ---- */

enum fft_type { FFT, IFFT, RFFT, IRFFT, FFT_UNKNOWN };

static const char *const fft_words[] = {".FFT", ".IFFT", ".RFFT", ".IRFFT"};

/* `0`, `FftType.RFFT`, `jaxlib.xla_extension.FftType.RFFT`, `<FftType.RFFT: 2>` */
static enum fft_type
read_fft_type(const struct rule *r)
{
    struct slice text;
    i64 number;
    if (param_int(r, "fft_type", &number))
        return number >= 0 && number <= 3 ? (enum fft_type)number : FFT_UNKNOWN;
    if (!param_text(r, "fft_type", &text))
        return FFT_UNKNOWN;
    for (size_t at = 0; at < text.n; at++)
        for (u32 i = 0; i < countof(fft_words) && text.at[at] == '.'; i++)
            if (slice_starts((struct slice){text.at + at, text.n - at}, slice_of(fft_words[i])))
                return (enum fft_type)i;
    return FFT_UNKNOWN;
}

/* `RFFT`, with the number where that is printed instead */
static const char *
format_transform(struct rule *r, enum fft_type type)
{
    i64 number;
    const char *word = fft_words[type] + 1;
    return param_int(r, "fft_type", &number) ? format_text(r, "%s (fft_type=%d)", word, (int)number) : word;
}

/* checks that the last extents of the operand are the lengths; only the first `compared` lengths are compared */
static bool
lengths_fit(struct rule *r, const struct dims *lengths, u32 compared)
{
    const struct aval *a = &r->in[0];
    if (dims_equal(a->dims + (a->rank - lengths->n), lengths->at, compared) != NO)
        return true;
    const struct dim *last = a->dims + (a->rank - lengths->n);
    bool one = lengths->n == 1;
    rule_error(r, DIAG_T009, at_param(r, "fft_lengths"), "`fft_lengths` of `%s` is %s, but the last %s of `%s` %s %s",
               format_prim(r), format_dims(r, lengths->at, lengths->n), one ? "axis" : "axes", format_operand(r, 0),
               one ? "has size" : "have sizes", one ? format_dim(r, last[0]) : format_dims(r, last, lengths->n));
    return rule_note_operand(r, 0);
}

bool
shape_fft(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct dims lengths;
    enum fft_type type = read_fft_type(r);
    *out = *a;
    if (type == FFT_UNKNOWN) {
        struct slice text;
        if (param_text(r, "fft_type", &text) && !slice_eq(text, SLICE("...")))
            return rule_stricter(
                r, DIAG_T010, at_param(r, "fft_type"),
                "`fft_type` of `%s` must be a member such as `FftType.RFFT`, or 0 (FFT), 1 (IFFT), 2 (RFFT) "
                "or 3 (IRFFT), got `%s`",
                format_prim(r), format_slice(r, text));
        aval_set_dtype(out, NONE);
        return unranked(r, out);
    }
    bool real = type == RFFT;
    bool narrow = real && a->dtype != NONE && a->dtype != DT_f32 && a->dtype != DT_f64;
    if (a->kind == AVAL_ARRAY && (narrow || !(a->classes & (real ? IN_FLOAT : IN_COMPLEX))))
        return rule_error_operand(r, DIAG_T007, 0, "`fft` requires %s operands for %s", real ? "f32 or f64" : "complex",
                                  format_transform(r, type));
    if (real)
        aval_set_dtype(out, a->dtype == DT_f64 ? DT_c128 : a->dtype == DT_f32 ? DT_c64 : NONE);
    else if (type == IRFFT)
        aval_set_dtype(out, a->dtype == DT_c128 ? DT_f64 : a->dtype == DT_c64 ? DT_f32 : NONE);
    if (!a->ranked || !param_dims(r, "fft_lengths", &lengths))
        return unranked(r, out);
    if (lengths.n > a->rank)
        return rule_error(r, DIAG_T009, at_param(r, "fft_lengths"), "`%s` transforms %s, but `%s` is %s",
                          format_prim(r), format_count(r, lengths.n, "axis", "axes"), format_operand(r, 0),
                          format_aval(r, a)) ||
               rule_note_operand(r, 0);
    if (lengths.n == 0)
        return a->rank == 0 || rule_error(r, DIAG_T010, at_param(r, "fft_lengths"),
                                          "`fft_lengths` of `%s` must have at least one length", format_prim(r));
    if (!lengths_fit(r, &lengths, type == IRFFT ? lengths.n - 1 : lengths.n))
        return false;
    struct aval shaped = aval_reshaped(out, a->rank, a->dims);
    struct dim *dims = copy_dims(r, 0, 0), last = lengths.at[lengths.n - 1];
    struct dim half = dim_add(dim_floordiv(last, dim_of(2)), dim_of(1));
    if (lengths.n > 3)
        rule_warning(r, DIAG_T009, at_param(r, "fft_lengths"), "XLA transforms at most 3 axes, but `%s` transforms %u",
                     format_prim(r), lengths.n);
    else if (type == IRFFT && dim_equal(&dims[a->rank - 1], &half) == NO) {
        rule_warning(r, DIAG_T009, at_param(r, "fft_lengths"),
                     "XLA requires a last axis of size %s for %s of length %s: `%s` is %s", format_dim(r, half),
                     format_transform(r, type), format_dim(r, last), format_operand(r, 0), format_aval(r, a));
        rule_note_operand(r, 0);
    }
    if (real)
        dims[a->rank - 1] = half;
    else if (type == IRFFT)
        dims[a->rank - 1] = last;
    *out = aval_reshaped(&shaped, a->rank, dims);
    return true;
}
