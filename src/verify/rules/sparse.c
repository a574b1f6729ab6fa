/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse arrays of jax.experimental.sparse (coo.py, csr.py, and the conversions of dense arrays in bcoo.py and
 * bcsr.py): data and indices are plain arrays, the dense shape is a parameter. Linear in ranks. */
#include "verify/axes.h"
#include "verify/value_kinds.h"

/* reads the dense shape: `shape=(5, 3)`, or that inside `spinfo=SparseInfo(shape=(5, 3), ..)` */
static bool
dense_shape(struct rule *r, struct dims *out)
{
    struct slice text, field;
    if (param_dims(r, "shape", out))
        return true;
    if (!param_text(r, "spinfo", &text) || !value_field(text, "shape", &field))
        return false;
    return (is_dims(field) && read_dims(r, field, out)) ||
           rule_error(r, DIAG_T010, at_slice(r, "spinfo", field),
                      "the shape in `spinfo` of `%s` must be a tuple of sizes, got `%s`", format_prim(r),
                      format_slice(r, field));
}

/* checks the buffers of coo and csr: data and two index arrays of one axis each; csr's last contains the row starts */
static bool
check_buffers(struct rule *r, const struct dims *shape)
{
    bool rows = !slice_starts(slice_of(r->prim->name), SLICE("coo"));
    for (u32 i = 0; i < 3; i++) {
        const struct aval *a = &r->in[i];
        struct dim want = rows && i == 2 && shape->n ? dim_add(shape->at[0], dim_of(1)) : dim_unknown();
        if (a->ranked && i && r->in[0].ranked && r->in[0].rank == 1 && !(rows && i == 2))
            want = r->in[0].dims[0];
        if (!a->ranked || (a->rank == 1 && dim_equal(&a->dims[0], &want) != NO))
            continue;
        static const char *const coo[] = {"data", "row indices", "column indices"}, *const csr[] = {"data",
                                                                                                    "column indices",
                                                                                                    "row pointers"};
        const char *why = !(rows && i == 2) ? ", as the data"
                                            : format_text(r, ", one more than the %s rows",
                                                          format_dim(r, shape->n ? shape->at[0] : dim_unknown()));
        rule_stricter(r, DIAG_T008, at_operand(i), "the %s of `%s` must be a one-dimensional array%s: `%s` is %s",
                      (rows ? csr : coo)[i], format_prim(r),
                      want.kind == DIM_INT ? format_text(r, " of size %s%s", format_dim(r, want), why) : "",
                      format_operand(r, i), format_aval(r, a));
        return rule_note_operand(r, i);
    }
    return true;
}

/* checks that the two index arrays have one element type, which of those of coo only coo_matvec requires */
static bool
indices_agree(struct rule *r)
{
    bool coo = slice_starts(slice_of(r->prim->name), SLICE("coo"));
    return (coo && strcmp(r->prim->name, "coo_matvec") != 0) || dtypes_agree(&r->in[1], &r->in[2]) != NO ||
           rule_error_pair(r, DIAG_T007, 1, 2, "the indices of `%s` must have the same type", format_prim(r));
}

/* coo_todense, csr_todense */
bool
shape_buffers_todense(struct rule *r, struct aval *out)
{
    struct dims shape = {NULL, 0};
    *out = r->in[0];
    bool known = dense_shape(r, &shape);
    if (r->failed || !check_buffers(r, &shape) || !indices_agree(r))
        return false;
    if (!known)
        return unranked(r, out);
    *out = aval_reshaped(&r->in[0], shape.n, shape.at);
    return true;
}

/* the type of a result that contains indices */
static struct aval
index_result(struct rule *r, u32 rank, const struct dim *dims)
{
    dtype_t dtype;
    return aval_array(param_dtype(r, "index_dtype", &dtype) ? dtype : NONE, rank, dims);
}

/* coo_fromdense, csr_fromdense: data, then two index arrays (the last of csr: one more than there are rows) */
bool
shape_fromdense(struct rule *r, struct aval *out)
{
    struct slice text;
    bool rows = slice_starts(slice_of(r->prim->name), SLICE("csr"));
    struct dim *nse = rule_alloc(r, 2 * sizeof *nse);
    (void)out;
    if (!rule_results(r, 3))
        return false;
    if (rows && r->in[0].ranked && r->in[0].rank == 0)
        return rule_error_operand(r, DIAG_T008, 0, "the operand of `%s` must be a matrix", format_prim(r));
    if (r->in[0].ranked && r->in[0].rank != 2) { /* JAX cannot compile it (jax/experimental/sparse, 0.12) */
        rule_stricter(r, DIAG_T008, at_operand(0), "the operand of `%s` must be a matrix: `%s` is %s", format_prim(r),
                      format_operand(r, 0), format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    nse[0] = nse[1] = dim_unknown();
    if (param_text(r, "nse", &text))
        read_dim(r, text, &nse[0]);
    if (!rows)
        nse[1] = nse[0];
    else if (r->in[0].ranked && r->in[0].rank)
        nse[1] = dim_add(r->in[0].dims[0], dim_of(1));
    struct aval data = aval_reshaped(&r->in[0], 1, nse), first = index_result(r, 1, nse),
                last = index_result(r, 1, nse + 1);
    rule_result(r, 0, &data);
    rule_result(r, 1, &first);
    return rule_result(r, 2, &last);
}

/* checks products of coo and csr: operands are data, two index arrays, and the dense right side, which has `rank`
 * axes */
static bool
sparse_product(struct rule *r, u32 rank, struct aval *out)
{
    const struct aval *right = &r->in[3];
    struct dims shape = {NULL, 0};
    bool transposed = false;
    *out = r->in[0];
    if (dtypes_agree(&r->in[0], right) == NO)
        return rule_error_pair(r, DIAG_T007, 0, 3,
                               "the data and the dense operand of `%s` must have the same element type",
                               format_prim(r));
    if (right->ranked && right->rank != rank)
        return rule_error_operand(r, DIAG_T008, 3, "the last operand of `%s` must have %s", format_prim(r),
                                  format_count(r, rank, "axis", "axes"));
    if (!indices_agree(r))
        return false;
    bool known = dense_shape(r, &shape);
    if (!known && (r->failed || !check_buffers(r, &shape)))
        return false;
    if (!right->ranked || right->rank == 0)
        return unranked(r, out);
    if (!known || !param_bool(r, "transpose", &transposed))
        return unsized(r, out, right->rank);
    if (shape.n != 2)
        return rule_error(r, DIAG_T010, at_param(r, rule_param(r, "shape") != NONE ? "shape" : "spinfo"),
                          "`%s` takes matrices, but %s has %u axes", format_prim(r), format_dims(r, shape.at, shape.n),
                          shape.n);
    if (!check_buffers(r, &shape))
        return false;
    if (dim_equal(&shape.at[!transposed], &right->dims[0]) == NO)
        return rule_error_operand(r, DIAG_T008, 3, "`%s` contracts axis %u of its `shape`, %s, with an axis of size %s",
                                  format_prim(r), (u32)!transposed, format_dims(r, shape.at, shape.n),
                                  format_dim(r, right->dims[0]));
    struct dim *dims = copy_dims(r, 3, 0);
    dims[0] = shape.at[transposed];
    *out = aval_reshaped(&r->in[0], right->rank, dims);
    return true;
}

bool
shape_sparse_matvec(struct rule *r, struct aval *out)
{
    return sparse_product(r, 1, out);
}

bool
shape_sparse_matmat(struct rule *r, struct aval *out)
{
    return sparse_product(r, 2, out);
}

/* checks the numbers of batch and dense axes of a dense array, whose other axes are sparse; `rows`: exactly two are.
 * JAX checks only their sum */
static bool
counts_fit(struct rule *r, i64 batch, i64 dense, bool rows)
{
    const struct aval *a = &r->in[0];
    bool fits = rows ? batch + dense + 2 == a->rank : batch + dense <= a->rank;
    const char *key = batch < 0 ? "n_batch" : "n_dense";
    if (batch < 0 || dense < 0)
        return (fits ? rule_stricter : rule_error)(r, DIAG_T009, at_param(r, key),
                                                   "`%s` of `%s` must not be negative, got %lld", key, format_prim(r),
                                                   (long long)(batch < 0 ? batch : dense));
    return fits ||
           rule_error(r, DIAG_T009, at_param(r, "n_batch"),
                      rows ? "`%s` requires two sparse axes, got %lld batch and %lld dense axes: `%s` is %s"
                           : "`%s` has %lld batch and %lld dense axes, but `%s` is %s",
                      format_prim(r), (long long)batch, (long long)dense, format_operand(r, 0), format_aval(r, a)) ||
           rule_note_operand(r, 0);
}

/* checks the element types of data and indices, the results of bcoo_fromdense and bcsr_fromdense */
static bool
parts_unranked(struct rule *r)
{
    struct aval data = r->in[0], index = index_result(r, 0, NULL);
    bool right = unranked(r, &data) && unranked(r, &index);
    for (u32 i = 0; i < r->n_results; i++)
        right &= rule_result(r, i, i ? &index : &data);
    return right;
}

/* bcoo_fromdense: data [batch, nse, dense], indices [batch, nse, sparse] */
bool
shape_bcoo_fromdense(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice text;
    i64 batch, dense;
    struct dim nse = dim_unknown();
    (void)out;
    if (!rule_results(r, 2))
        return false;
    if (!a->ranked || !param_int(r, "n_batch", &batch) || !param_int(r, "n_dense", &dense))
        return parts_unranked(r);
    if (!counts_fit(r, batch, dense, false))
        return false;
    if (param_text(r, "nse", &text))
        read_dim(r, text, &nse);
    u32 b = (u32)batch, d = (u32)dense;
    struct dim *dims = rule_alloc(r, ((size_t)a->rank + 2) * sizeof *dims), *at = copy_dims(r, 0, 2);
    if (a->rank)
        memcpy(dims, a->dims, b * sizeof *dims);
    dims[b] = nse;
    for (u32 i = 0; i < d; i++)
        dims[b + 1 + i] = a->dims[a->rank - d + i];
    at[b] = nse;
    at[b + 1] = dim_of(a->rank - b - d);
    struct aval data = aval_reshaped(a, b + 1 + d, dims), indices = index_result(r, b + 2, at);
    rule_result(r, 0, &data);
    return rule_result(r, 1, &indices);
}

/* bcsr_fromdense: data [batch, nse, dense], indices [batch, nse], and the row starts */
bool
shape_bcsr_fromdense(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice text;
    i64 batch, dense;
    (void)out;
    if (!rule_results(r, 3))
        return false;
    if (!a->ranked || !param_int(r, "n_batch", &batch) || !param_int(r, "n_dense", &dense))
        return parts_unranked(r);
    if (!counts_fit(r, batch, dense, true))
        return false;
    u32 b = (u32)batch, d = (u32)dense;
    struct dim *dims = copy_dims(r, 0, 0), *rows = copy_dims(r, 0, 0);
    dims[b] = dim_unknown();
    if (param_text(r, "nse", &text))
        read_dim(r, text, &dims[b]);
    for (u32 i = 0; i < d; i++)
        dims[b + 1 + i] = a->dims[b + 2 + i];
    rows[b] = dim_add(a->dims[b], dim_of(1));
    struct aval data = aval_reshaped(a, b + 1 + d, dims), indices = index_result(r, b + 1, dims);
    struct aval starts = index_result(r, b + 1, rows);
    rule_result(r, 0, &data);
    rule_result(r, 1, &indices);
    return rule_result(r, 2, &starts);
}

/* todense[tree=..] of any sparse pytree: the shape is in the tree's text, which is not read */
bool
shape_any_todense(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    return unranked(r, out);
}

/* spsolve data indices rows right (jax/experimental/sparse/linalg.py): a square csr matrix */
bool
shape_spsolve(struct rule *r, struct aval *out)
{
    *out = r->in[3];
    if (!r->in[3].ranked || r->in[3].rank != 1)
        return unranked(r, out);
    return check_buffers(r, &(struct dims){r->in[3].dims, 1}) && indices_agree(r);
}
