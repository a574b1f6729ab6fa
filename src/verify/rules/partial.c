/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives whose text determines only some of their types: the number of results, and types that do not depend on a
 * workspace or a Python object. The rest is trusted. Linear in operands, and in an einsum's letters times its
 * operands. */
#include "verify/axes.h"
#include "base/value.h"

/* get_global, prng_join and others: one result of a type of its own */
bool
shape_single(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return rule_results(r, 1);
}

/* prng_split key: the words of a key, each a scalar u32 (jax/_src/pallas/mosaic/primitives.py,
 * _split_key_scalar_abstract_eval) */
bool
shape_key_words(struct rule *r, struct aval *out)
{
    struct aval word = aval_scalar(DT_u32);
    bool right = true;
    *out = aval_unknown();
    for (u32 i = 0; i < r->n_results; i++)
        right &= rule_result(r, i, &word);
    return right;
}

/* prng_join words..: the scalar key with these words (_join_key_scalar_abstract_eval) */
bool
shape_key_joined(struct rule *r, struct aval *out)
{
    *out = aval_scalar(NONE);
    out->classes = IN_KEY;
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* query_cluster_cancel[grid_names]: an index for each axis of the grid, and whether more work remains
 * (jax/_src/pallas/mosaic_gpu/primitives.py) */
bool
shape_cluster_query(struct rule *r, struct aval *out)
{
    struct slice text;
    struct aval index = aval_scalar(DT_i32), more = aval_scalar(DT_bool);
    u32 n;
    bool right = true;
    *out = aval_unknown();
    if (!param_text(r, "grid_names", &text) || !value_count(text, &n))
        return true;
    if (!rule_results(r, n + 1))
        return false;
    for (u32 i = 0; i < n; i++)
        right &= rule_result(r, i, &index);
    return right && rule_result(r, n, &more);
}

/* rnn_bwd: the derivatives with respect to x, h, c and the weights, operands 3 to 6 (jax/experimental/rnn.py) */
bool
shape_rnn_bwd(struct rule *r, struct aval *out)
{
    enum { FIRST = 3, DERIVATIVES = 4 };
    bool right = true;
    *out = aval_unknown();
    if (!rule_results(r, DERIVATIVES))
        return false;
    for (u32 i = 0; i < DERIVATIVES; i++)
        right &= rule_result(r, i, &r->in[FIRST + i]);
    return right;
}

/* rnn_fwd x h c weights lengths: outputs, h and c, and a workspace (jax/experimental/rnn.py, rnn_abstract_eval) */
bool
shape_rnn_fwd(struct rule *r, struct aval *out)
{
    const struct aval *x = &r->in[0];
    i64 hidden;
    bool both;
    *out = aval_unknown();
    if (!rule_results(r, 4) || !rule_result(r, 1, &r->in[1]) || !rule_result(r, 2, &r->in[2]))
        return false;
    if (!x->ranked || x->rank != 3 || !param_int(r, "hidden_size", &hidden) || !param_bool(r, "bidirectional", &both))
        return true;
    struct dim *dims = copy_dims(r, 0, 0);
    dims[2] = dim_mul(dim_of(hidden), dim_of(both ? 2 : 1));
    struct aval outputs = aval_reshaped(x, 3, dims);
    return rule_result(r, 0, &outputs);
}

/* ---- Einsum ---- */

enum { LETTERS = 128 };

/* checks that the axes of operand i have the extents of their letters in other operands, except for extent 1, which is
 * broadcast */
static bool
letters_fit(struct rule *r, u32 i, struct slice letters, struct dim *sizes, u32 *owners)
{
    const struct aval *a = &r->in[i];
    if (!a->ranked)
        return true;
    if (a->rank != letters.n)
        return rule_error_operand(r, DIAG_T009, i, "the subscripts `%s` name %s, but `%s` has %u",
                                  format_slice(r, letters), format_count(r, (u32)letters.n, "axis", "axes"),
                                  format_operand(r, i), a->rank);
    for (u32 d = 0; d < a->rank; d++) {
        u8 letter = (u8)letters.at[d];
        struct dim *size = &sizes[letter];
        if (!dim_is(*size, 1) && !dim_is(a->dims[d], 1) && dim_equal(size, &a->dims[d]) == NO)
            return rule_error_pair(r, DIAG_T008, owners[letter], i,
                                   "the index `%c` of `%s` has both size %s and size %s", letter, format_prim(r),
                                   format_dim(r, *size), format_dim(r, a->dims[d]));
        if (size->kind == DIM_UNKNOWN || dim_is(*size, 1)) {
            *size = a->dims[d];
            owners[letter] = i;
        }
    }
    return true;
}

/* Einsum[subscripts=ij,jk->ik] operands..: axes with the same letter have equal extents, and those after the arrow are
 * the result's (jax/_src/numpy/hijax.py, Einsum) */
bool
shape_einsum(struct rule *r, struct aval *out)
{
    struct dim sizes[LETTERS], *dims;
    struct slice text;
    u32 operands = 0, owners[LETTERS];
    size_t from = 0, i = 0;
    *out = r->in[0];
    if (!param_text(r, "subscripts", &text))
        return unranked(r, out);
    for (u32 k = 0; k < LETTERS; k++)
        sizes[k] = dim_unknown();
    for (; i < text.n && text.at[i] != '-'; i++)
        if ((u8)text.at[i] >= LETTERS)
            return unranked(r, out);
    for (size_t k = 0; k <= i; k++) {
        if (k < i && text.at[k] != ',')
            continue;
        if (operands < r->n && !letters_fit(r, operands, (struct slice){text.at + from, k - from}, sizes, owners))
            return false;
        operands++;
        from = k + 1;
    }
    if (operands != r->n)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` names the axes of %s, but %u are given", format_prim(r),
                          format_count(r, operands, "operand", "operands"), r->n);
    dims = rule_alloc(r, (text.n + 1) * sizeof *dims);
    u32 rank = 0;
    for (size_t k = i + 2; k < text.n; k++)
        dims[rank++] = (u8)text.at[k] < LETTERS ? sizes[(u8)text.at[k]] : dim_unknown();
    *out = aval_reshaped(out, rank, dims);
    return true;
}

/* preferred_element_type, or the common type of the operands */
bool
dtype_einsum(struct rule *r, struct aval *out)
{
    dtype_t dtype = r->in[0].dtype, preferred;
    for (u32 i = 1; i < r->n; i++)
        if (r->in[i].dtype != dtype)
            dtype = NONE;
    aval_set_dtype(out, param_dtype(r, "preferred_element_type", &preferred) ? preferred : dtype);
    return true;
}
