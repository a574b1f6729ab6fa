/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives of Pallas kernels other than those of lax (jax/_src/pallas: primitives.py, mosaic/primitives.py,
 * mosaic/sc_primitives.py, mosaic_gpu/primitives.py, triton/primitives.py) and of cuDNN
 * (jax/_src/cudnn/fused_attention_stablehlo.py). Linear in operands. */
#include "verify/axes.h"

/* checks that all operands are shaped like the first */
static bool
one_shape(struct rule *r)
{
    for (u32 i = 1; i < r->n; i++)
        if (shapes_agree(&r->in[0], &r->in[i]) == NO)
            return rule_error_pair(r, DIAG_T008, 0, i, "`%s` requires operands of equal shapes", format_prim(r));
    return true;
}

/* operands and the result of one shape: masked_cumsum, stochastic_round */
bool
shape_alike(struct rule *r, struct aval *out)
{
    *out = r->n ? r->in[0] : aval_unknown();
    return one_shape(r);
}

/* scan_count x mask: the number of occurrences of each x, and a mask */
bool
shape_scan_count(struct rule *r, struct aval *out)
{
    struct aval counts = r->in[0];
    *out = aval_unknown();
    aval_set_dtype(&counts, DT_i32);
    counts.type = NONE;
    return one_shape(r) && rule_results(r, 2) && rule_result(r, 0, &counts) && rule_result(r, 1, &r->in[1]);
}

/* elementwise_inline_asm[result_shape_dtypes]: results are listed */
bool
shape_inline_asm(struct rule *r, struct aval *out)
{
    return one_shape(r) && shape_listed(r, out);
}

/* atomic_cas ref compared value: the previous contents of the ref (triton/primitives.py, _atomic_cas_abstract_eval) */
bool
shape_atomic_cas(struct rule *r, struct aval *out)
{
    *out = r->in[2];
    for (u32 i = 1; i < 3; i++)
        if (r->in[i].ranked && r->in[i].rank)
            return rule_error_operand(r, DIAG_T008, i, "the %s operand of `%s` must be a scalar", ordinal_of(i).text,
                                      format_prim(r));
    if (dtypes_agree(&r->in[1], &r->in[2]) != NO)
        return true;
    return rule_error_pair(r, DIAG_T007, 1, 2, "`%s` requires operands of the same element type", format_prim(r));
}

/* all_reduce_*[reduce] of a mask: a number for each `reduce` lanes */
bool
shape_mask_count(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    i64 by;
    *out = *a;
    if (a->ranked && a->rank != 1)
        return rule_error_operand(r, DIAG_T008, 0, "the operand of `%s` must be a vector", format_prim(r));
    if (!a->ranked || !param_int(r, "reduce", &by))
        return unranked(r, out);
    if (by < 1 || !divisible_by(r, at_param(r, "reduce"), a->dims[0], by))
        return rule_error(r, DIAG_T010, at_param(r, "reduce"),
                          "`reduce` of `%s` must be positive and divide %s, the size of axis 0 of `%s`, got %lld",
                          format_prim(r), format_dim(r, a->dims[0]), format_operand(r, 0), (long long)by) ||
               rule_note_operand(r, 0);
    struct dim *dims = copy_dims(r, 0, 0);
    dims[0] = dim_floordiv(dims[0], dim_of(by));
    *out = aval_reshaped(a, 1, dims);
    return true;
}

/* ---- numbers in parts of words ---- */

/* the element type in a parameter and its number of bits; false if unknown */
static bool
param_bits(struct rule *r, const char *key, dtype_t *dtype, u32 *bits)
{
    return param_dtype(r, key, dtype) && (*bits = dtype_bits(*dtype)) != 0;
}

/* bitcast: an axis grows or shrinks by the ratio of the widths: `dim`, or the second to last if only `ty` is printed
 * (up to 0.11), or the last for SparseCore, which prints `dtype` */
bool
shape_bitcast_axis(struct rule *r, struct aval *out)
{
    const char *key = rule_param(r, "ty") != NONE ? "ty" : "dtype";
    const struct aval *a = &r->in[0];
    u32 bits, had = a->dtype == NONE ? 0 : dtype_bits(a->dtype);
    dtype_t to;
    i64 dim;
    *out = *a;
    bool known = param_bits(r, key, &to, &bits);
    aval_set_dtype(out, known ? to : NONE);
    if (!known || !had || !a->ranked)
        return unranked(r, out);
    bool placed = param_int(r, "dim", &dim);
    if (!placed && param_is_unread(r, "dim"))
        return unranked(r, out);
    if (!placed)
        dim = (i64)a->rank - (key[0] == 't' ? 2 : 1);
    if (bits == had)
        return true;
    if (dim < 0 || dim >= a->rank)
        return (rule_param(r, "dim") != NONE
                    ? rule_error(r, DIAG_T009, at_param(r, "dim"), "`dim` of `%s` is %lld, but `%s` is %s",
                                 format_prim(r), (long long)dim, format_operand(r, 0), format_aval(r, a))
                    : rule_error(r, DIAG_T009, at_operand(0), "`%s` requires an operand of rank %u or more: `%s` is %s",
                                 format_prim(r), key[0] == 't' ? 2u : 1u, format_operand(r, 0), format_aval(r, a))) ||
               rule_note_operand(r, 0);
    struct dim *dims = copy_dims(r, 0, 0), all = dim_mul(dims[dim], dim_of(had));
    if (!divisible_by(r, at_param(r, key), all, bits))
        return rule_error(r, DIAG_T009, at_param(r, key),
                          "`%s` cannot reinterpret axis %lld of `%s` (%s) as elements of %u bits", format_prim(r),
                          (long long)dim, format_operand(r, 0), format_aval(r, a), bits) ||
               rule_note_operand(r, 0);
    dims[dim] = dim_floordiv(all, dim_of(bits));
    *out = aval_reshaped(out, a->rank, dims);
    return true;
}

static dtype_t
word_of(u32 bits)
{
    return bits == 8 ? DT_u8 : bits == 16 ? DT_u16 : bits == 32 ? DT_u32 : bits == 64 ? DT_u64 : NONE;
}

/* pack_elementwise[packed_dtype] x..: as many operands as fit into a word of their width */
bool
shape_pack_words(struct rule *r, struct aval *out)
{
    u32 part, bits = r->in[0].dtype == NONE ? 0 : dtype_bits(r->in[0].dtype);
    dtype_t packed;
    *out = r->in[0];
    if (!same_element_types(r) || !one_shape(r))
        return false;
    bool known = param_bits(r, "packed_dtype", &packed, &part) && bits;
    if (known && (bits % part || r->n != bits / part))
        return rule_error(r, DIAG_T010, at_param(r, "packed_dtype"),
                          "`%s` of %u operand%s of %u bits cannot produce parts of %u bits", format_prim(r), r->n,
                          r->n == 1 ? "" : "s", bits, part);
    aval_set_dtype(out, known ? word_of(bits) : NONE);
    return true;
}

/* unpack_elementwise[index packed_dtype unpacked_dtype]: one part of each word, as wide as the word */
bool
shape_unpack_words(struct rule *r, struct aval *out)
{
    u32 part, bits, had = r->in[0].dtype == NONE ? 0 : dtype_bits(r->in[0].dtype);
    dtype_t packed, unpacked;
    i64 index;
    *out = r->in[0];
    bool known = param_bits(r, "unpacked_dtype", &unpacked, &bits);
    aval_set_dtype(out, known ? unpacked : NONE);
    if (known && had && had != bits)
        return rule_error(r, DIAG_T010, at_param(r, "unpacked_dtype"),
                          "`%s` produces elements of %u bits from `%s`, which is %s", format_prim(r), bits,
                          format_operand(r, 0), format_aval(r, &r->in[0])) ||
               rule_note_operand(r, 0);
    if (known && param_bits(r, "packed_dtype", &packed, &part) && param_int(r, "index", &index) &&
        (bits % part || index < 0 || index >= bits / part))
        return rule_error(r, DIAG_T010, at_param(r, "index"),
                          "`%s` has no part %lld: words of %u bits are split into parts of %u bits", format_prim(r),
                          (long long)index, bits, part);
    return true;
}

/* the type of half or double width that pack and unpack give: preferred_element_type, or the default */
static dtype_t
repacked(struct rule *r, bool wider)
{
    static const dtype_t pairs[][2] = {{DT_f32, DT_bf16}, {DT_i32, DT_i16}};
    dtype_t preferred;
    if (param_dtype(r, "preferred_element_type", &preferred))
        return preferred;
    for (u32 i = 0; i < countof(pairs); i++)
        if (r->in[0].dtype == pairs[i][wider])
            return pairs[i][!wider];
    return NONE;
}

/* SparseCore's pack[format] a b: two vectors in one, interleaved or side by side */
bool
shape_pack(struct rule *r, struct aval *out)
{
    struct slice format;
    *out = r->in[0];
    if (!same_element_types(r) || !one_shape(r))
        return false;
    aval_set_dtype(out, repacked(r, false));
    if (!param_text(r, "format", &format) || !r->in[0].ranked || r->in[0].rank != 1)
        return unranked(r, out);
    bool pairs = slice_contains(format, SLICE("COMPRESSED"));
    struct dim *dims = copy_dims(r, 0, 1);
    dims[pairs] = pairs ? dim_of(2) : dim_mul(dims[0], dim_of(2));
    *out = aval_reshaped(out, 1 + pairs, dims);
    return true;
}

/* unpack[format] ab: both vectors */
bool
shape_unpack(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    *out = *a;
    aval_set_dtype(out, repacked(r, true));
    if (!rule_results(r, 2))
        return false;
    struct dim *half = rule_alloc(r, sizeof *half);
    *half = a->ranked ? dim_floordiv(dims_product(a->dims, a->rank), dim_of(2)) : dim_unknown();
    *out = aval_reshaped(out, 1, half);
    return rule_result(r, 0, out) && rule_result(r, 1, out);
}

/* ---- attention ---- */

/* The results of attention, one letter for each: o like operand 0 with operand 2's last extent, q k v b like operands 0
 * to 3 (b if variadic_args say that a bias has a gradient), s the softmax statistics stored for training, a the largest
 * value, `f32[1,1,1,1]`. */
static const struct attention {
    const char *prim, *gives;
} attentions[] = {
    {"dot_product_attention_fwd", "os"},
    {"dot_product_attention_bwd", "qkvb"},
    {"dot_product_attention_fp8_fwd", "oaas"},
    {"dot_product_attention_fp8_bwd", "qkvaaaa"},
};

/* whether this variant has the result of a letter; MAYBE if parameters do not determine it */
static enum truth
attention_gives(struct rule *r, char letter)
{
    struct slice args;
    bool training;
    if (letter == 's')
        return !param_bool(r, "is_training", &training) ? MAYBE : training ? YES : NO;
    if (letter != 'b')
        return YES;
    return !param_text(r, "variadic_args", &args)   ? MAYBE
           : slice_contains(args, SLICE(", True"))  ? YES
           : slice_contains(args, SLICE(", False")) ? NO
                                                    : MAYBE;
}

static struct aval
attention_type(struct rule *r, char letter)
{
    static const char inputs[] = "qkvb";
    if (strchr(inputs, letter))
        return r->in[strchr(inputs, letter) - inputs];
    if (letter == 'o') {
        struct aval type = r->in[0];
        if (!type.ranked || type.rank != 4 || !r->in[2].ranked || r->in[2].rank != 4)
            return type;
        struct dim *dims = copy_dims(r, 0, 0);
        dims[3] = r->in[2].dims[3];
        return aval_reshaped(&type, 4, dims);
    }
    u32 rank = letter == 'a' ? 4 : 3;
    struct dim *dims = rule_alloc(r, rank * sizeof *dims);
    for (u32 i = 0; i < rank; i++)
        dims[i] = letter == 'a' ? dim_of(1) : dim_unknown();
    return aval_array(DT_f32, rank, dims);
}

bool
shape_attention(struct rule *r, struct aval *out)
{
    const char *gives = "";
    u32 n = 0;
    *out = aval_unknown();
    for (u32 i = 0; i < countof(attentions); i++)
        if (strcmp(attentions[i].prim, r->prim->name) == 0)
            gives = attentions[i].gives;
    for (u32 i = 0; gives[i]; i++) {
        enum truth given = attention_gives(r, gives[i]);
        if (given == MAYBE)
            return rule_trust_results(r);
        n += given == YES;
    }
    if (!rule_results(r, n))
        return false;
    for (u32 i = 0; i < n; i++) {
        struct aval type = attention_type(r, gives[i]);
        if (!rule_result(r, i, &type))
            return false;
    }
    return true;
}
