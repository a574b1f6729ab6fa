/* SPDX-License-Identifier: Apache-2.0
 *
 * Batched sparse arrays (jax/experimental/sparse: bcoo.py, bcsr.py). BCOO keeps data [batch, nse, dense] and indices
 * [batch, nse, sparse]; BCSR keeps data and column indices [batch, nse] and where rows begin [batch, rows + 1]. Batch
 * axes may have extent 1, which is broadcast. The dense shape is a parameter. Linear in ranks. */
#include "verify/dot.h"
#include "verify/memory_space.h"
#include "verify/value_kinds.h"

/* The layout of a sparse array in its buffers. */
struct layout {
    struct dims shape;
    struct where shape_at; /* the parameter that lists it, or the primitive */
    u32 batch, sparse, dense;
    struct dim nse;
    u32 indices; /* the operand that determines it */
};

static bool
bad_shape(struct rule *r, const char *info, struct slice shape)
{
    return rule_error(r, DIAG_T010, at_slice(r, info, shape),
                      "the shape in `%s` of `%s` must be a tuple of sizes, got `%s`", info, format_prim(r),
                      format_slice(r, shape));
}

/* the dense shape in a parameter: `SparseInfo(shape=(5, 3), ..)`, or (up to 0.3) the shape itself */
static bool
sparse_shape(struct rule *r, const char *info, const char *bare, struct layout *l)
{
    struct slice text, field;
    l->shape_at = at_param(r, bare);
    if (!param_text(r, info, &text) || !value_field(text, "shape", &field))
        return param_dims(r, bare, &l->shape);
    l->shape_at = at_slice(r, info, field);
    return (read_dims(r, field, &l->shape) && is_dims(field) && !memchr(field.at, '.', field.n)) ||
           bad_shape(r, info, field);
}

static bool
note_shape(struct rule *r, const struct layout *l)
{
    return l->shape_at.kind != AT_PRIM && rule_note(r, l->shape_at, "the shape of the sparse array is here");
}

/* reports that buffer i does not fit the array's shape and its indices; `what` describes the expected form */
static bool
buffer_error(struct rule *r, u32 i, const struct layout *l, const char *what)
{
    const char *where = format_text(r, "in the sparse array of shape %s of `%s`",
                                    format_dims(r, l->shape.at, l->shape.n), format_prim(r));
    if (i == l->indices)
        rule_error_operand(r, DIAG_T008, i, "%s, %s", where, what);
    else
        rule_error_pair(r, DIAG_T008, l->indices, i, "%s, %s", where, what);
    return note_shape(r, l);
}

/* checks that the batch axes of a buffer have the sizes of the array's, or 1 */
static bool
batch_fits(struct rule *r, u32 i, const struct layout *l)
{
    const struct dim one = dim_of(1);
    const struct aval *a = &r->in[i];
    for (u32 d = 0; d < l->batch && d < a->rank; d++)
        if (dim_equal(&a->dims[d], &l->shape.at[d]) == NO && dim_equal(&a->dims[d], &one) == NO)
            return buffer_error(r, i, l,
                                format_text(r, "batch axis %u of `%s` has size %s, but must have size %s or 1", d,
                                            format_operand(r, i), format_dim(r, a->dims[d]),
                                            format_dim(r, l->shape.at[d])));
    return true;
}

static bool
are_integers(struct rule *r, u32 i)
{
    if (r->in[i].kind != AVAL_ARRAY || r->in[i].classes & IN_INT)
        return true;
    return rule_error_operand(r, DIAG_T007, i, "the indices of `%s` must be integers", format_prim(r));
}

/* derives the layout from the indices of a BCOO array. MAYBE if it is unknown; NO after a report */
static enum truth
coo_layout(struct rule *r, u32 indices, struct layout *l)
{
    const struct aval *a = &r->in[indices];
    l->indices = indices;
    if (!are_integers(r, indices))
        return NO;
    if (a->kind != AVAL_ARRAY || !a->ranked)
        return MAYBE;
    if (a->rank < 2)
        return buffer_error(r, indices, l,
                            "the indices must have an axis for the elements and one for their coordinates");
    struct dim sparse = a->dims[a->rank - 1];
    if (sparse.kind != DIM_INT)
        return MAYBE;
    if (sparse.value < 0 || sparse.value > (i64)l->shape.n - (a->rank - 2))
        return buffer_error(r, indices, l,
                            format_text(r, "the indices have more axes than the array: %u batch and %lld sparse ones",
                                        a->rank - 2, (long long)sparse.value));
    l->batch = a->rank - 2;
    l->sparse = (u32)sparse.value;
    l->dense = l->shape.n - l->batch - l->sparse;
    l->nse = a->dims[l->batch];
    return batch_fits(r, indices, l) ? YES : NO;
}

/* checks that data is [batch, nse, dense] */
static bool
data_fits(struct rule *r, u32 data, const struct layout *l)
{
    const struct aval *a = &r->in[data];
    if (a->kind != AVAL_ARRAY || !a->ranked)
        return true;
    if (a->rank != l->batch + 1 + l->dense)
        return buffer_error(r, data, l,
                            format_text(r, "the data must have %s, one for the elements and %s",
                                        format_count(r, l->batch, "batch axis", "batch axes"),
                                        format_count(r, l->dense, "dense axis", "dense axes")));
    if (dim_equal(&a->dims[l->batch], &l->nse) == NO)
        return buffer_error(r, data, l,
                            format_text(r, "axis %u of the data must have size %s, the number of indices", l->batch,
                                        format_dim(r, l->nse)));
    for (u32 d = 0; d < l->dense; d++)
        if (dim_equal(&a->dims[l->batch + 1 + d], &l->shape.at[l->batch + l->sparse + d]) == NO)
            return buffer_error(r, data, l,
                                format_text(r, "axis %u of the data is a dense axis and must have size %s",
                                            l->batch + 1 + d, format_dim(r, l->shape.at[l->batch + l->sparse + d])));
    return batch_fits(r, data, l);
}

/* derives the layout of a BCOO array of shape l->shape from its indices, and checks both buffers; as coo_layout */
static enum truth
coo_parts(struct rule *r, u32 data, u32 indices, struct layout *l)
{
    enum truth known = coo_layout(r, indices, l);
    return known == YES && !data_fits(r, data, l) ? NO : known;
}

/* derives the layout from the column indices of a BCSR array, and checks the row starts; MAYBE if it is unknown, NO
 * after a report */
static enum truth
csr_layout(struct rule *r, u32 indices, u32 starts, struct layout *l)
{
    const struct aval *a = &r->in[indices], *rows = &r->in[starts];
    l->indices = indices;
    if (!are_integers(r, indices) || !are_integers(r, starts))
        return NO;
    if (a->kind != AVAL_ARRAY || !a->ranked || rows->kind != AVAL_ARRAY || !rows->ranked)
        return MAYBE;
    if (a->rank < 1 || a->rank + 1 > l->shape.n)
        return buffer_error(r, indices, l, "the column indices must have batch axes and one for the elements");
    l->batch = a->rank - 1;
    l->sparse = 2;
    l->dense = l->shape.n - l->batch - 2;
    l->nse = a->dims[l->batch];
    struct dim ends = dim_add(l->shape.at[l->batch], dim_of(1));
    if (rows->rank != a->rank)
        return rule_error_pair(r, DIAG_T008, indices, starts,
                               "the column indices and the row pointers of `%s` must have equally many axes",
                               format_prim(r)) ||
               note_shape(r, l);
    if (dim_equal(&rows->dims[l->batch], &ends) == NO)
        return rule_error_operand(
                   r, DIAG_T008, starts,
                   "the row pointers of `%s` must end with an axis of size %s, one more than the %s rows "
                   "of the sparse array of shape %s",
                   format_prim(r), format_dim(r, ends), format_dim(r, l->shape.at[l->batch]),
                   format_dims(r, l->shape.at, l->shape.n)) ||
               note_shape(r, l);
    return batch_fits(r, indices, l) && batch_fits(r, starts, l) ? YES : NO;
}

/* bcoo_todense data indices */
bool
shape_bcoo_todense(struct rule *r, struct aval *out)
{
    struct layout l;
    *out = r->in[0];
    if (!sparse_shape(r, "spinfo", "shape", &l))
        return unranked(r, out);
    if (coo_parts(r, 0, 1, &l) == NO)
        return false;
    *out = aval_reshaped(&r->in[0], l.shape.n, l.shape.at);
    return true;
}

/* bcsr_todense data indices starts */
bool
shape_bcsr_todense(struct rule *r, struct aval *out)
{
    struct layout l;
    *out = r->in[0];
    if (!sparse_shape(r, "spinfo", "shape", &l))
        return unranked(r, out);
    enum truth known = csr_layout(r, 1, 2, &l);
    if (known == NO || (known == YES && !data_fits(r, 0, &l)))
        return false;
    *out = aval_reshaped(&r->in[0], l.shape.n, l.shape.at);
    return true;
}

/* the elements at the indices in a dense array: [batch, nse, dense] */
static void
extracted(struct rule *r, const struct aval *dense, const struct layout *l, struct aval *out)
{
    struct dim *dims = rule_alloc(r, ((size_t)l->batch + l->dense + 1) * sizeof *dims);
    for (u32 d = 0; d < l->batch; d++)
        dims[d] = l->shape.at[d];
    dims[l->batch] = l->nse;
    for (u32 d = 0; d < l->dense; d++)
        dims[l->batch + 1 + d] = l->shape.at[l->batch + l->sparse + d];
    *out = aval_reshaped(dense, l->batch + 1 + l->dense, dims);
}

/* bcoo_extract indices dense, bcsr_extract indices starts dense; up to 0.4.2 bcoo_extract had more parameters but the
 * same operands */
bool
shape_sparse_extract(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[r->n - 1];
    struct layout l = {.shape = {a->dims, a->rank}};
    *out = *a;
    if (a->kind != AVAL_ARRAY || !a->ranked)
        return unranked(r, out);
    enum truth known = r->n == 3 ? csr_layout(r, 0, 1, &l) : coo_layout(r, 0, &l);
    if (known == YES)
        extracted(r, a, &l, out);
    return known == YES || (known == MAYBE && unranked(r, out));
}

/* checks the two results of an operation that keeps a BCOO array sparse: data and indices with nse elements */
static bool
coo_results(struct rule *r, const struct layout *l, struct dim nse)
{
    const struct dim one = dim_of(1);
    const struct aval *from = &r->in[0], *at = &r->in[1];
    if (!rule_results(r, 2))
        return false;
    struct dim *data = copy_dims(r, 0, 0), *indices = copy_dims(r, 1, 0);
    for (u32 d = 0; d < l->batch && d < from->rank; d++)
        if (dim_equal(&data[d], &one) == YES)
            data[d] = indices[d];
    if (l->batch < from->rank)
        data[l->batch] = nse;
    indices[l->batch] = nse;
    struct aval first = aval_reshaped(from, from->rank, data), second = aval_reshaped(at, at->rank, indices);
    first.ranked = from->ranked;
    bool right = rule_result(r, 0, &first);
    return rule_result(r, 1, &second) && right;
}

/* bcoo_sort_indices, bcoo_sum_duplicates[nse=] */
bool
shape_bcoo_sorted(struct rule *r, struct aval *out)
{
    struct layout l;
    struct slice text;
    *out = aval_unknown();
    if (!sparse_shape(r, "spinfo", "shape", &l))
        return true;
    enum truth known = coo_parts(r, 0, 1, &l);
    if (known != YES)
        return known == MAYBE;
    struct dim nse = l.nse;
    bool merges = param_text(r, "nse", &text); /* bcoo_sum_duplicates */
    if (merges && !read_dim(r, text, &nse))
        nse = dim_unknown();
    return coo_results(r, &l, nse) && (merges || (result_beside(r, 0, l.sparse ? NONE : 0) && result_beside(r, 1, 1)));
}

/* bcoo_transpose[permutation=]: batch, sparse and dense axes are permuted separately */
bool
shape_bcoo_transpose(struct rule *r, struct aval *out)
{
    struct layout l;
    struct ints to;
    *out = aval_unknown();
    if (!sparse_shape(r, "spinfo", "shape", &l) || !param_ints(r, "permutation", &to))
        return true;
    enum truth known = coo_parts(r, 0, 1, &l);
    if (known != YES)
        return known == MAYBE;
    if (!axes_fit(r, "permutation", &to, l.shape.n, axis_marks(r, l.shape.n)))
        return false;
    if (to.n != l.shape.n)
        return rule_error(r, DIAG_T009, at_param(r, "permutation"),
                          "`permutation` of `%s` has %u entries, but the array has %u axes", format_prim(r), to.n,
                          l.shape.n);
    struct dim *data = copy_dims(r, 0, 0), *indices = copy_dims(r, 1, 0);
    for (u32 i = 0; i < to.n; i++) {
        u32 axis = (u32)to.at[i], end = l.batch + l.sparse;
        if ((i < l.batch) != (axis < l.batch) || (i < end) != (axis < end))
            return rule_error(r, DIAG_T010, at_entry(r, "permutation", &to, i),
                              "`%s` may only permute axes of the same kind, but moves axis %u to %u: the array has %s, "
                              "%s and %s",
                              format_prim(r), axis, i, format_count(r, l.batch, "batch axis", "batch axes"),
                              format_count(r, l.sparse, "sparse axis", "sparse axes"),
                              format_count(r, l.dense, "dense axis", "dense axes")) ||
                   rule_note_operand(r, 1);
        if (i < l.batch) {
            indices[i] = r->in[1].dims[axis];
            if (r->in[0].ranked)
                data[i] = r->in[0].dims[axis];
        } else if (i >= end && r->in[0].ranked) {
            data[i - l.sparse + 1] = r->in[0].dims[axis - l.sparse + 1];
        }
    }
    if (!rule_results(r, 2))
        return false;
    struct aval first = aval_reshaped(&r->in[0], r->in[0].rank, data);
    struct aval second = aval_reshaped(&r->in[1], r->in[1].rank, indices);
    first.ranked = r->in[0].ranked;
    bool right = rule_result(r, 0, &first);
    return rule_result(r, 1, &second) && right;
}

/* ---- products ---- */

/* computes the dense product of two sides, and checks their axes and element types */
static bool
dense_product(struct rule *r, struct dot *d, const struct aval *left, const struct aval *right, struct aval *out)
{
    const struct aval *operands = r->in;
    struct aval *both = rule_alloc(r, (r->n + 1u) * sizeof *both);
    d->sides[LEFT] = left;
    d->sides[RIGHT] = right;
    bool good = dot_shape(r, "dimension_numbers", d, NULL, out);
    both[LEFT] = *left;
    both[RIGHT] = *right;
    r->in = both; /* whose element types the rule of products reads */
    good = good && dtype_dot(r, out);
    r->in = operands;
    return good;
}

/* checks the axes of a sparse side: batched ones must be batch axes of the array, contracted ones must not be dense */
static bool
sparse_side_fits(struct rule *r, const struct dot *d, u32 side, const struct layout *l)
{
    for (u32 i = 0; i < d->batch[side].n; i++)
        if (d->batch[side].at[i] >= l->batch)
            return rule_error(r, DIAG_T010, at_param(r, "dimension_numbers"),
                              "`%s` batches axis %lld of a sparse array, which has only %u batch axes", format_prim(r),
                              (long long)d->batch[side].at[i], l->batch);
    for (u32 i = 0; i < d->contract[side].n; i++)
        if (d->contract[side].at[i] >= l->batch + l->sparse)
            return rule_error(r, DIAG_T010, at_param(r, "dimension_numbers"),
                              "`%s` contracts axis %lld of a sparse array, which is a dense axis", format_prim(r),
                              (long long)d->contract[side].at[i]);
    return true;
}

/* bcoo_dot_general data indices right, bcsr_dot_general data indices starts right */
bool
shape_sparse_dot(struct rule *r, struct aval *out)
{
    struct dot d;
    struct layout l;
    struct slice text;
    u32 last = r->n - 1;
    *out = r->in[0];
    if (!r->in[last].ranked || !sparse_shape(r, "lhs_spinfo", "lhs_shape", &l) ||
        !param_text(r, "dimension_numbers", &text) || !read_dot(r, text, &d))
        return unranked(r, out);
    set_sides(r, &d, 0, last);
    struct aval left = aval_reshaped(&r->in[0], l.shape.n, l.shape.at);
    /* JAX checks only the element type of BCSR data */
    enum truth known = r->n == 4 ? csr_layout(r, 1, 2, &l) : coo_parts(r, 0, 1, &l);
    return known != NO && dense_product(r, &d, &left, &r->in[last], out) &&
           (known != YES || sparse_side_fits(r, &d, LEFT, &l));
}

/* bcoo_dot_general_sampled left right indices: the product of two dense arrays at the indices */
bool
shape_sampled_dot(struct rule *r, struct aval *out)
{
    struct dot d;
    struct slice text;
    struct aval product = r->in[0];
    *out = r->in[0];
    if (!r->in[0].ranked || !r->in[1].ranked || !param_text(r, "dimension_numbers", &text) || !read_dot(r, text, &d))
        return unranked(r, out);
    set_sides(r, &d, 0, 1);
    if (!dense_product(r, &d, &r->in[0], &r->in[1], &product))
        return false;
    struct layout l = {.shape = {product.dims, product.rank}};
    enum truth known = coo_layout(r, 2, &l);
    *out = product;
    if (known == YES)
        extracted(r, &product, &l, out);
    return known == YES || (known == MAYBE && unranked(r, out));
}

/* appends the batch axes of a side that the product does not batch, and returns the new rank */
static u32
add_batches(struct rule *r, struct dim *dims, u32 rank, const struct dot *d, u32 side, const struct layout *l)
{
    const struct aval *data = &r->in[2 * side], *indices = &r->in[2 * side + 1];
    const struct dim one = dim_of(1);
    for (u32 i = 0; i < l->batch; i++) {
        bool shared = false;
        for (u32 k = 0; k < d->batch[side].n; k++)
            shared |= d->batch[side].at[k] == i;
        if (!shared)
            dims[rank++] = data->ranked && dim_equal(&indices->dims[i], &one) == YES ? data->dims[i] : indices->dims[i];
    }
    return rank;
}

/* how many elements the product of two sparse arrays stores: a side whose sparse axes are all contracted adds none, and
 * there are never more than elements of the dense product; unknown if a size is symbolic */
static struct dim
stored_elements(const struct dot *d, const struct layout *l, const struct aval *product)
{
    struct dim stored = dim_of(1);
    for (u32 side = LEFT; side <= RIGHT; side++)
        if (l[side].sparse > d->contract[side].n)
            stored = dim_mul(stored, l[side].nse);
    u32 batch = l[LEFT].batch + l[RIGHT].batch - d->batch[LEFT].n;
    struct dim most = dims_product(product->dims + batch, product->rank - batch);
    if (stored.kind != DIM_INT || most.kind != DIM_INT)
        return dim_unknown();
    return stored.value < most.value ? stored : most;
}

/* checks that there is none of what bcoo_spdot_general does not support: dense axes, contracted batch axes, and unused
 * batch axes on the right beside unused sparse axes on the left */
static bool
sparse_sides_fit(struct rule *r, const struct dot *d, const struct layout *l)
{
    for (u32 side = LEFT; side <= RIGHT; side++) {
        if (l[side].dense)
            return rule_error_operand(r, DIAG_T008, 2 * side, "`%s` takes no sparse arrays with dense axes",
                                      format_prim(r));
        for (u32 i = 0; i < d->contract[side].n; i++)
            if (d->contract[side].at[i] < l[side].batch)
                return rule_error(r, DIAG_T010, at_param(r, "dimension_numbers"),
                                  "`%s` contracts axis %lld of a sparse array, which is a batch axis", format_prim(r),
                                  (long long)d->contract[side].at[i]);
    }
    return (l[RIGHT].batch <= d->batch[RIGHT].n || l[LEFT].sparse <= d->contract[LEFT].n) ||
           rule_error(r, DIAG_T010, at_param(r, "dimension_numbers"),
                      "`%s` must batch all batch axes of the right array, or contract all sparse axes of the left one",
                      format_prim(r));
}

/* bcoo_spdot_general data indices data indices: both sides and the result are sparse */
bool
shape_sparse_sparse_dot(struct rule *r, struct aval *out)
{
    struct dot d;
    struct layout l[2];
    struct slice text;
    struct aval product = r->in[0];
    *out = aval_unknown();
    if (!rule_results(r, 2) || !sparse_shape(r, "lhs_spinfo", "lhs_shape", &l[0]) ||
        !sparse_shape(r, "rhs_spinfo", "rhs_shape", &l[1]) || !param_text(r, "dimension_numbers", &text) ||
        !read_dot(r, text, &d))
        return !r->failed;
    enum truth left = coo_parts(r, 0, 1, &l[0]), right = left == NO ? NO : coo_parts(r, 2, 3, &l[1]);
    set_sides(r, &d, 0, 2);
    struct aval sides[2] = {aval_reshaped(&r->in[0], l[0].shape.n, l[0].shape.at),
                            aval_reshaped(&r->in[2], l[1].shape.n, l[1].shape.at)};
    if (left == NO || right == NO || !dense_product(r, &d, &sides[0], &sides[1], &product) || left != YES ||
        right != YES)
        return !r->failed;
    if (!sparse_side_fits(r, &d, LEFT, &l[0]) || !sparse_side_fits(r, &d, RIGHT, &l[1]) || !sparse_sides_fit(r, &d, l))
        return false;
    struct dim *dims = rule_alloc(r, ((size_t)l[0].shape.n + l[1].shape.n + 2) * sizeof *dims);
    u32 rank = 0, sparse = l[0].sparse + l[1].sparse - 2 * d.contract[LEFT].n;
    for (u32 i = 0; i < d.batch[LEFT].n; i++)
        dims[rank++] = l[0].shape.at[d.batch[LEFT].at[i]];
    rank = add_batches(r, dims, rank, &d, LEFT, &l[0]);
    rank = add_batches(r, dims, rank, &d, RIGHT, &l[1]);
    dims[rank++] = stored_elements(&d, l, &product);
    struct aval data = aval_reshaped(&product, rank, dims);
    dims[rank] = dim_of(sparse);
    struct aval indices = aval_reshaped(&r->in[1], rank + 1, dims);
    bool good = rule_result(r, 0, &data);
    return rule_result(r, 1, &indices) && good;
}
