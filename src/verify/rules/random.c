/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys and bits (jax/_src/prng.py: random_seed, random_split, random_fold_in, random_bits, random_wrap,
 * random_unwrap and the counter-based generators; lax/lax.py: rng_bit_generator, rng_uniform; random.py:
 * random_gamma). A key array is an array of an extended element type, `key<fry>[2]`; the shape of its data depends
 * on its implementation. Linear in ranks. */
#include "verify/axes.h"

/* checks that operand 0 is an array of keys */
static bool
takes_key(struct rule *r)
{
    const struct aval *a = &r->in[0];
    if (a->kind != AVAL_ARRAY || a->classes & IN_KEY)
        return true;
    rule_stricter(r, DIAG_T007, at_operand(0), "the operand of `%s` must be a key: `%s` is %s", format_prim(r),
                  format_operand(r, 0), format_aval(r, a));
    rule_note_operand(r, 0);
    if (a->dtype == DT_u32)
        rule_hint(r, "`random_wrap` turns key data into keys");
    return false;
}

/* a's dims followed by more */
static struct aval
extended(struct rule *r, const struct aval *a, const struct dim *more, u32 n)
{
    struct dim *dims = rule_alloc(r, ((size_t)a->rank + n + 1) * sizeof *dims);
    if (a->rank)
        memcpy(dims, a->dims, a->rank * sizeof *dims);
    if (n)
        memcpy(dims + a->rank, more, n * sizeof *dims);
    return aval_reshaped(a, a->rank + n, dims);
}

/* makes *out an array of keys, and checks that the result's keys are of the implementation in `impl=`, if both are
 * known */
static bool
key_result(struct rule *r, struct aval *out)
{
    struct slice impl;
    struct aval binder = rule_binder(r, 0);
    aval_set_dtype(out, NONE);
    out->classes = IN_KEY;
    if (!param_text(r, "impl", &impl) || binder.kind != AVAL_ARRAY)
        return true;
    struct slice tag = dtype_key(&r->m->names, binder.dtype);
    if (tag.n && !slice_contains(impl, SLICE("(")) && !slice_eq(tag, impl))
        return rule_error(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but the keys that `%s` gives are key<%s>",
                          format_result(r, 0), format_aval(r, &binder), format_prim(r), format_slice(r, impl)) ||
               rule_note(r, at_param(r, "impl"), DETERMINED_BY, "their implementation", "impl");
    if (tag.n && slice_eq(tag, impl))
        aval_set_dtype(out, binder.dtype);
    return true;
}

/* whether an operand can be a seed: an integer of at least 8 bits. JAX rejects others when it compiles the program */
static bool
seeds(const struct aval *a)
{
    return a->kind != AVAL_ARRAY || !a->classes ||
           (a->classes & IN_INT && (a->dtype >= DT_COUNT || dtype_bits(a->dtype) >= 8));
}

/* random_seed seeds: a key for each; other types are warned of, as older wrappers accept floats */
bool
shape_random_seed(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    if (!seeds(a)) {
        rule_warning(r, DIAG_T007, at_operand(0), "the seed of `%s` must be an integer of at least 8 bits: `%s` is %s",
                     format_prim(r), format_operand(r, 0), format_aval(r, a));
        rule_note_operand(r, 0);
    }
    *out = r->in[0];
    return key_result(r, out);
}

/* random_wrap words: the last axis becomes the key */
bool
shape_random_wrap(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice impl;
    *out = *a;
    if (a->kind == AVAL_ARRAY && !(a->classes & IN_UNSIGNED)) {
        rule_stricter(r, DIAG_T007, at_operand(0), "the operand of `%s` must be the u32 words of a key: `%s` is %s",
                      format_prim(r), format_operand(r, 0), format_aval(r, a));
        return rule_note_operand(r, 0);
    }
    if (!key_result(r, out))
        return false;
    if (!a->ranked)
        return unranked(r, out);
    u32 words = param_text(r, "impl", &impl) ? key_words(impl) : 0;
    if (words == 0)
        return unranked(r, out);
    if (a->dtype != NONE && a->dtype != DT_u32) {
        rule_warning(r, DIAG_T007, at_operand(0), "`random_wrap` with impl=%s requires u32 data: `%s` is %s",
                     format_slice(r, impl), format_operand(r, 0), format_aval(r, a));
        rule_note_operand(r, 0);
    }
    if (a->rank == 0 || (a->dims[a->rank - 1].kind == DIM_INT && a->dims[a->rank - 1].value != words)) {
        rule_stricter(r, DIAG_T008, at_operand(0), "`%s` with impl=%s requires a last axis of size %u: `%s` is %s",
                      format_prim(r), format_slice(r, impl), words, format_operand(r, 0), format_aval(r, a));
        return rule_note_operand(r, 0);
    }
    struct aval keys = aval_reshaped(out, a->rank - 1, a->dims);
    *out = keys;
    return true;
}

bool
shape_random_unwrap(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    if (!takes_key(r))
        return false;
    u32 words = key_words(dtype_key(&r->m->names, r->in[0].dtype));
    aval_set_dtype(out, DT_u32);
    out->kind = AVAL_ARRAY;
    if (!r->in[0].ranked || words == 0)
        return unranked(r, out);
    struct dim last = dim_of(words);
    struct aval bits = extended(r, &r->in[0], &last, 1);
    aval_set_dtype(&bits, DT_u32);
    *out = bits;
    return true;
}

/* random_split[shape]; JAX 0.4.13 and before print count */
bool
shape_random_split(struct rule *r, struct aval *out)
{
    struct dims shape;
    struct dim count;
    struct slice text;
    *out = r->in[0];
    if (!takes_key(r))
        return false;
    bool counted = param_text(r, "count", &text) && read_dim(r, text, &count);
    if (counted)
        shape = (struct dims){&count, 1};
    if (!r->in[0].ranked || (!counted && !param_dims(r, "shape", &shape)))
        return unranked(r, out);
    *out = extended(r, &r->in[0], shape.at, shape.n);
    return true;
}

/* random_fold_in keys data: shapes are broadcast */
bool
shape_random_fold_in(struct rule *r, struct aval *out)
{
    if (!takes_key(r))
        return false;
    /* threefry takes integers of any width (jax/_src/random/prng.py, threefry_fold_in) */
    bool any = r->in[1].classes & IN_INT && slice_eq(dtype_key(&r->m->names, r->in[0].dtype), SLICE("fry"));
    if (!any && !seeds(&r->in[1])) {
        rule_warning(r, DIAG_T007, at_operand(1),
                     "the data that `%s` folds in must be an integer of at least 8 bits: `%s` is %s", format_prim(r),
                     format_operand(r, 1), format_aval(r, &r->in[1]));
        rule_note_operand(r, 1);
    }
    return shape_mixed(r, out) && dtype_first(r, out);
}

/* random_bits[bit_width shape] */
bool
shape_random_bits(struct rule *r, struct aval *out)
{
    struct dims shape;
    i64 width;
    dtype_t dtype = NONE;
    *out = r->in[0];
    if (!takes_key(r))
        return false;
    if (param_int(r, "bit_width", &width)) {
        dtype = width == 8 ? DT_u8 : width == 16 ? DT_u16 : width == 32 ? DT_u32 : width == 64 ? DT_u64 : NONE;
        if (dtype == NONE)
            return rule_stricter(r, DIAG_T010, at_param(r, "bit_width"),
                                 "`bit_width` of `%s` must be 8, 16, 32 or 64, got %lld", format_prim(r),
                                 (long long)width);
    }
    bool known = r->in[0].ranked && param_dims(r, "shape", &shape);
    if (known)
        *out = extended(r, &r->in[0], shape.at, shape.n);
    aval_set_dtype(out, dtype);
    forget_width(r, out);
    out->kind = AVAL_ARRAY;
    return known || unranked(r, out);
}

/* threefry2x32 etc.: the words of keys and counters, u32, broadcast; as many results as counter words, given by the
 * digit in the name */
bool
shape_counters(struct rule *r, struct aval *out)
{
    u32 n = strchr(r->prim->name, '4') ? 4 : 2;
    for (u32 i = 0; i < r->n; i++)
        if (r->in[i].kind == AVAL_ARRAY && r->in[i].dtype != NONE && r->in[i].dtype != DT_u32)
            return rule_error_operand(r, DIAG_T007, i, "the operands of `%s` must be u32", format_prim(r));
    if (!shape_mixed(r, out) || !rule_results(r, n))
        return false;
    aval_set_dtype(out, DT_u32);
    for (u32 i = 0; i < n; i++)
        rule_result(r, i, out);
    return true;
}

/* iota_2x32_shape[shape]: the two words of a 64-bit count */
bool
shape_iota_words(struct rule *r, struct aval *out)
{
    struct dims shape;
    (void)out;
    if (!rule_results(r, 2) || !param_dims(r, "shape", &shape))
        return !r->failed;
    struct aval words = aval_array(DT_u32, shape.n, shape.at);
    bool right = rule_result(r, 0, &words);
    return rule_result(r, 1, &words) && right;
}

/* rng_bit_generator[algorithm dtype shape] key: the next key, then bits */
bool
shape_rng_bits(struct rule *r, struct aval *out)
{
    const struct aval *key = &r->in[0];
    struct dims shape;
    dtype_t dtype;
    (void)out;
    if (!rule_results(r, 2))
        return false;
    bool words = key->dtype == DT_u32,
         odd = key->kind == AVAL_ARRAY && key->dtype != NONE && !words && key->dtype != DT_u64;
    if (key->ranked && key->dtype != NONE)
        odd |= key->rank != 1 || (key->dims[0].kind == DIM_INT && key->dims[0].value != (words ? 4 : 2));
    if (odd) {
        rule_warning(r, DIAG_T008, at_operand(0), "the key of `%s` must be u32[4] or u64[2]: `%s` is %s",
                     format_prim(r), format_operand(r, 0), format_aval(r, key));
        rule_note_operand(r, 0);
    }
    struct aval bits = aval_unknown();
    if (param_dims(r, "shape", &shape))
        bits = aval_array(param_dtype(r, "dtype", &dtype) ? dtype : NONE, shape.n, shape.at);
    bool right = rule_result(r, 0, key);
    return rule_result(r, 1, &bits) && right;
}

/* rng_uniform[shape] low high */
bool
shape_rng_uniform(struct rule *r, struct aval *out)
{
    struct dims shape;
    *out = r->in[0];
    for (u32 i = 0; i < 2; i++)
        if (r->in[i].ranked && r->in[i].rank)
            return rule_error_operand(r, DIAG_T008, i, "the bounds of `%s` must be scalars", format_prim(r));
    if (!same_element_types(r))
        return false;
    if (!param_dims(r, "shape", &shape))
        return unranked(r, out);
    *out = aval_reshaped(&r->in[0], shape.n, shape.at);
    return true;
}

/* random_gamma keys alpha: shaped like alpha */
bool
shape_random_gamma(struct rule *r, struct aval *out)
{
    *out = r->in[1];
    for (u32 i = 0; i < 2; i++)
        if (r->in[i].kind == AVAL_ARRAY && r->in[i].classes && !(r->in[i].classes & (i ? IN_FLOAT : IN_KEY))) {
            rule_warning(r, DIAG_T007, at_operand(i), "the %s operand of `%s` must be %s: `%s` is %s",
                         ordinal_of(i).text, format_prim(r), i ? "a float array" : "a key", format_operand(r, i),
                         format_aval(r, &r->in[i]));
            rule_note_operand(r, i);
        }
    if (r->in[0].ranked && r->in[1].ranked && r->in[0].rank <= r->in[1].rank &&
        dims_equal(r->in[0].dims, r->in[1].dims, r->in[0].rank) == NO) {
        rule_warning(
            r, DIAG_T008, at_operand(1),
            "the shape of the keys of `%s` must be a prefix of the shape of the second operand: `%s` is %s, `%s` is %s",
            format_prim(r), format_operand(r, 0), format_aval(r, &r->in[0]), format_operand(r, 1),
            format_aval(r, &r->in[1]));
        rule_note_operand(r, 0);
        rule_note_operand(r, 1);
    }
    return true;
}
