/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear algebra on the last axes of its operands; the axes before them are batch axes (jax/_src/lax/linalg.py:
 * linalg_shape_rule and the *_shape_rule of each primitive; up to 0.4 the *_abstract_eval of lax/linalg.py). The batch
 * axes of the results are those of the first operand. Linear in ranks. */
#include "verify/axes.h"

/* checks that operand i has at least ranks[i] axes, and that all operands have equally many before those. NO after a
 * report; MAYBE if a rank is unknown */
static enum truth
batched(struct rule *r, const char *ranks)
{
    enum truth known = YES;
    for (u32 i = 0; ranks[i]; i++) {
        const struct aval *a = &r->in[i];
        u32 rank = (u32)(ranks[i] - '0');
        if (!a->ranked) {
            known = MAYBE;
        } else if (a->rank < rank) {
            rule_error_operand(r, DIAG_T008, i, "the %s operand of `%s` must be %s", ordinal_of(i).text, format_prim(r),
                               rank == 1 ? "a vector" : "a matrix");
            return NO;
        } else if (i && r->in[0].ranked && a->rank - rank != r->in[0].rank - (u32)(ranks[0] - '0')) {
            rule_error_pair(r, DIAG_T008, 0, i, "the operands of `%s` must have the same number of batch axes",
                            format_prim(r));
            return NO;
        }
    }
    return known;
}

/* the k-th axis of an operand from its end, counted from 1 */
static struct dim
from_end(const struct aval *a, u32 k)
{
    return a->dims[a->rank - k];
}

static struct dim
smaller(struct dim a, struct dim b)
{
    if (dim_at_most(a, b) == YES)
        return a;
    return dim_at_most(b, a) == YES ? b : dim_unknown();
}

/* operand 0 with n axes in place of its last `own` axes */
static struct aval
with_batch(struct rule *r, u32 own, const struct dim *tail, u32 n)
{
    const struct aval *a = &r->in[0];
    u32 batch = a->rank - own;
    struct dim *dims = rule_alloc(r, ((size_t)batch + n + 1) * sizeof *dims);
    if (batch)
        memcpy(dims, a->dims, batch * sizeof *dims);
    memcpy(dims + batch, tail, n * sizeof *dims);
    return aval_reshaped(a, batch + n, dims);
}

static struct aval
vector_of(struct rule *r, struct dim n)
{
    return with_batch(r, 2, &n, 1);
}

static struct aval
matrix_of(struct rule *r, struct dim m, struct dim n)
{
    return with_batch(r, 2, (struct dim[]){m, n}, 2);
}

static struct aval
typed(struct aval a, dtype_t dtype)
{
    aval_set_dtype(&a, dtype);
    return a;
}

/* the type with the real element type of a complex one */
static struct aval
real_part(struct rule *r, struct aval a)
{
    dtype_real(r, &a);
    return a;
}

static struct aval
complexified(struct aval a)
{
    aval_set_dtype(&a, a.dtype == DT_f32 || a.dtype == DT_c64    ? DT_c64
                       : a.dtype == DT_f64 || a.dtype == DT_c128 ? DT_c128
                                                                 : NONE);
    return a;
}

/* checks that the last two axes of operand 0 have equal extents */
static bool
square(struct rule *r)
{
    struct dim m = from_end(&r->in[0], 2), n = from_end(&r->in[0], 1);
    if (dim_equal(&m, &n) != NO)
        return true;
    return rule_error_operand(r, DIAG_T008, 0, "the matrices of `%s` must be square", format_prim(r));
}

/* checks that the operands have one element type, and are batches of arrays of these ranks. False if there is nothing
 * more to check: after a report, or if a rank is unknown, which makes *out unranked */
static bool
batched_operands_fit(struct rule *r, const char *ranks, struct aval *out)
{
    if (!same_element_types(r))
        return false;
    enum truth known = batched(r, ranks);
    if (known == MAYBE)
        unranked(r, out);
    return known == YES;
}

/* compares the results with the binders */
static bool
compare_results(struct rule *r, const struct aval *results, u32 n)
{
    if (!rule_results(r, n))
        return false;
    bool right = true;
    for (u32 i = 0; i < n; i++)
        right &= rule_result(r, i, &results[i]);
    return right;
}

/* ---- one result ---- */

bool
shape_cholesky(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    enum truth known = batched(r, "2");
    return known == MAYBE ? unranked(r, out) : known == YES && square(r);
}

bool
shape_cholesky_update(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    if (!batched_operands_fit(r, "21", out))
        return !r->failed;
    if (r->in[0].rank != 2)
        return rule_error_operand(r, DIAG_T008, 0, "`%s` takes a matrix and a vector, no batches of them",
                                  format_prim(r));
    struct dim n = from_end(&r->in[0], 1), w = from_end(&r->in[1], 1);
    return square(r) && (dim_equal(&n, &w) != NO ||
                         rule_error_pair(r, DIAG_T008, 0, 1, "`%s` of a %s x %s matrix requires a vector of size %s",
                                         format_prim(r), format_dim(r, n), format_dim(r, n), format_dim(r, n)));
}

bool
shape_householder(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    if (!batched_operands_fit(r, "21", out))
        return !r->failed;
    struct dim m = from_end(&r->in[0], 2), n = from_end(&r->in[0], 1), k = from_end(&r->in[1], 1);
    if (!at_most(r, at_operand(0), n, m))
        return rule_error_operand(r, DIAG_T008, 0, "`%s` requires at least as many rows as columns", format_prim(r));
    return at_most(r, at_operand(1), k, n) ||
           rule_error_pair(r, DIAG_T008, 0, 1, "`%s` takes at most one reflector per column", format_prim(r));
}

/* the shape of operand i with the batch axes of operand 0, with which they are not compared */
static struct aval
batched_as_first(struct rule *r, u32 i)
{
    struct dim *dims = copy_dims(r, i, 0);
    memcpy(dims, r->in[0].dims, (r->in[0].rank - 2) * sizeof *dims);
    return aval_reshaped(&r->in[i], r->in[i].rank, dims);
}

bool
shape_ormqr(struct rule *r, struct aval *out)
{
    bool left;
    *out = r->in[2];
    if (!batched_operands_fit(r, "212", out))
        return !r->failed;
    *out = batched_as_first(r, 2);
    if (!param_bool(r, "left", &left))
        return unranked(r, out);
    struct dim m = from_end(&r->in[0], 2), c = from_end(&r->in[2], left ? 2 : 1);
    return dim_equal(&m, &c) != NO ||
           rule_error_pair(r, DIAG_T008, 0, 2,
                           "`%s` with left=%s requires the third operand to have as many %s as the first%s",
                           format_prim(r), left ? "True" : "False", left ? "rows" : "columns", left ? "" : " has rows");
}

bool
shape_symmetric_product(struct rule *r, struct aval *out)
{
    *out = r->in[1];
    if (!batched_operands_fit(r, "22", out))
        return !r->failed;
    struct dim m = from_end(&r->in[0], 2), c = from_end(&r->in[1], 1), d = from_end(&r->in[1], 2);
    *out = batched_as_first(r, 1);
    return (dim_equal(&m, &c) != NO && dim_equal(&c, &d) != NO) ||
           rule_error_pair(r, DIAG_T008, 0, 1, "`%s` of a matrix with %s rows requires a %s x %s second operand",
                           format_prim(r), format_dim(r, m), format_dim(r, m), format_dim(r, m));
}

bool
shape_triangular_solve(struct rule *r, struct aval *out)
{
    bool left;
    *out = r->in[1];
    if (!same_element_types(r))
        return false;
    enum truth known = batched(r, "22");
    if (known != YES)
        return known == MAYBE && unranked(r, out);
    if (!square(r) || !param_bool(r, "left_side", &left))
        return !r->failed;
    struct dim n = from_end(&r->in[0], 1), b = from_end(&r->in[1], left ? 2 : 1);
    if (dim_equal(&n, &b) == NO) {
        struct dim other = from_end(&r->in[1], left ? 1 : 2);
        rule_error_pair(r, DIAG_T008, 0, 1, "`%s` with left_side=%s requires a right-hand side of %s %s, got %s",
                        format_prim(r), left ? "True" : "False", format_dim(r, n), left ? "rows" : "columns",
                        format_dim(r, b));
        if (dim_equal(&n, &other) == YES)
            rule_hint(r, "with left_side=%s it would match", left ? "False" : "True");
        return false;
    }
    if (dims_equal(r->in[0].dims, r->in[1].dims, r->in[0].rank - 2) == NO) {
        rule_warning(r, DIAG_T008, at_operand(1), "`%s` requires equal batch axes: `%s` is %s, `%s` is %s",
                     format_prim(r), format_operand(r, 0), format_aval(r, &r->in[0]), format_operand(r, 1),
                     format_aval(r, &r->in[1]));
        rule_note_operand(r, 0);
        rule_note_operand(r, 1);
    }
    struct aval shaped = matrix_of(r, from_end(&r->in[1], 2), from_end(&r->in[1], 1));
    *out = aval_reshaped(&r->in[1], shaped.rank, shaped.dims);
    return true;
}

static bool
differs(struct dim size, i64 value)
{
    struct dim printed = dim_of(value);
    return dims_equal(&size, &printed, 1) == NO;
}

/* checks the sizes and the element type that JAX up to 0.4 prints for tridiagonal_solve: those of its operands, ranked,
 * of which it compares none (jax/_src/lax/linalg.py 0.4.28, tridiagonal_solve) */
static bool
printed_sizes_fit(struct rule *r)
{
    static const struct {
        const char *key;
        u8 operand, from_end;
    } sizes[] = {{"m", 0, 1}, {"ldb", 3, 2}, {"n", 3, 1}};
    dtype_t printed;
    i64 value;
    for (u32 i = 0; i < countof(sizes); i++) {
        const struct aval *a = &r->in[sizes[i].operand];
        if (param_int(r, sizes[i].key, &value) && differs(from_end(a, sizes[i].from_end), value))
            return rule_stricter(r, DIAG_T009, at_param(r, sizes[i].key), "`%s` of `%s` is %lld, but `%s` is %s",
                                 sizes[i].key, format_prim(r), (long long)value, format_operand(r, sizes[i].operand),
                                 format_aval(r, a)) ||
                   rule_note_operand(r, sizes[i].operand);
    }
    if (!param_dtype(r, "t", &printed) || r->in[0].dtype == NONE || r->in[0].dtype == printed)
        return true;
    return rule_stricter(r, DIAG_T009, at_param(r, "t"), "`t` of `%s` is %s, but `%s` is %s", format_prim(r),
                         format_param(r, "t"), format_operand(r, 0), format_aval(r, &r->in[0])) ||
           rule_note_operand(r, 0);
}

/* tridiagonal_solve lower diagonal upper right-hand-side; up to 0.4, which prints sizes, types were not checked */
bool
shape_tridiagonal_solve(struct rule *r, struct aval *out)
{
    *out = r->in[3];
    if (rule_param(r, "ldb") == NONE && !same_element_types(r))
        return false;
    if (!r->in[3].ranked)
        return unranked(r, out);
    for (u32 i = 0; i < 3; i++) {
        if (!r->in[i].ranked)
            continue;
        if (r->in[i].rank == 0 && rule_param(r, "ldb") == NONE)
            return rule_error_operand(r, DIAG_T008, i, "the diagonals of `%s` must be vectors, or batches of them",
                                      format_prim(r));
        if (shapes_agree(&r->in[0], &r->in[i]) == NO)
            return rule_error_pair(r, DIAG_T008, 0, i, "the three diagonals of `%s` must have the same shape",
                                   format_prim(r));
        if (r->in[i].rank + 1 != r->in[3].rank || dims_equal(r->in[i].dims, r->in[3].dims, r->in[i].rank) == NO)
            return rule_error_pair(r, DIAG_T008, i, 3,
                                   "the right-hand side of `%s` must have the shape of the diagonals and one more axis",
                                   format_prim(r));
    }
    return !r->in[0].ranked || !r->in[0].rank || rule_param(r, "ldb") == NONE || printed_sizes_fit(r);
}

bool
shape_pivots(struct rule *r, struct aval *out)
{
    struct slice text;
    struct dim size = dim_unknown();
    *out = r->in[0];
    enum truth known = batched(r, "1");
    if (known == NO)
        return false;
    if (r->in[0].dtype != NONE && r->in[0].dtype != DT_i32)
        return rule_error_operand(r, DIAG_T007, 0, "the pivots of `%s` must be i32", format_prim(r));
    if (known == MAYBE)
        return unranked(r, out);
    if (param_text(r, "permutation_size", &text))
        read_dim(r, text, &size);
    if (!at_most(r, at_param(r, "permutation_size"), from_end(&r->in[0], 1), size)) {
        rule_error(r, DIAG_T009, at_param(r, "permutation_size"),
                   "`permutation_size` of `%s` must be at least the number of pivots: it is %s, but `%s` is %s",
                   format_prim(r), format_dim(r, size), format_operand(r, 0), format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    *out = with_batch(r, 1, &size, 1);
    return true;
}

/* ---- several results ---- */

bool
shape_lu(struct rule *r, struct aval *out)
{
    (void)out;
    if (batched(r, "2") != YES)
        return !r->failed && rule_results(r, 3);
    struct dim m = from_end(&r->in[0], 2), n = from_end(&r->in[0], 1);
    return compare_results(
        r, (struct aval[]){r->in[0], typed(vector_of(r, smaller(m, n)), DT_i32), typed(vector_of(r, m), DT_i32)}, 3);
}

bool
shape_geqrf(struct rule *r, struct aval *out)
{
    (void)out;
    if (batched(r, "2") != YES)
        return !r->failed && rule_results(r, 2);
    return compare_results(
        r, (struct aval[]){r->in[0], vector_of(r, smaller(from_end(&r->in[0], 2), from_end(&r->in[0], 1)))}, 2);
}

/* geqp3 a pivots */
bool
shape_geqp3(struct rule *r, struct aval *out)
{
    (void)out;
    if (batched(r, "21") != YES)
        return !r->failed && rule_results(r, 3);
    struct dim m = from_end(&r->in[0], 2), n = from_end(&r->in[0], 1);
    return compare_results(r, (struct aval[]){r->in[0], r->in[1], vector_of(r, smaller(m, n))}, 3);
}

bool
shape_hessenberg(struct rule *r, struct aval *out)
{
    (void)out;
    if (batched(r, "2") != YES)
        return !r->failed && rule_results(r, 2);
    struct aval reflectors = vector_of(r, dim_sub(from_end(&r->in[0], 1), dim_of(1)));
    return square(r) && compare_results(r, (struct aval[]){r->in[0], reflectors}, 2);
}

bool
shape_tridiagonal(struct rule *r, struct aval *out)
{
    (void)out;
    u32 results = r->n_results == 5 ? 5 : 4; /* before 0.5, one more: whether LAPACK succeeded (linalg.py 0.4) */
    if (batched(r, "2") != YES)
        return !r->failed && rule_results(r, results);
    if (!square(r))
        return false;
    struct dim n = from_end(&r->in[0], 1);
    if (n.kind == DIM_INT && n.value == 0) /* linalg.py 0.12, _tridiagonal_shape_rule */
        return rule_error_operand(r, DIAG_T008, 0, "the matrices of `%s` must have at least 1 row", format_prim(r));
    struct aval diagonal = vector_of(r, n), beside = vector_of(r, dim_sub(n, dim_of(1)));
    struct aval info = typed(aval_reshaped(&r->in[0], r->in[0].rank - 2, r->in[0].dims), DT_i32);
    return compare_results(r, (struct aval[]){r->in[0], real_part(r, diagonal), real_part(r, beside), beside, info},
                           results);
}

/* rule_results, with a note at the parameter that determines the number */
static bool
results_by(struct rule *r, u32 n, const char *key)
{
    if (rule_results(r, n))
        return true;
    if (rule_param(r, key) != NONE)
        rule_note(r, at_param(r, key), "their number is determined by `%s`", key);
    return false;
}

bool
shape_qr(struct rule *r, struct aval *out)
{
    bool full, pivoting = false;
    (void)out;
    enum truth known = batched(r, "2");
    if (!param_bool(r, "pivoting", &pivoting) && param_is_unread(r, "pivoting"))
        return known != NO;
    if (known == NO || !results_by(r, pivoting ? 3 : 2, "pivoting"))
        return false;
    if (known == MAYBE || !param_bool(r, "full_matrices", &full))
        return true;
    struct dim m = from_end(&r->in[0], 2), n = from_end(&r->in[0], 1), k = full ? m : smaller(m, n);
    return compare_results(r, (struct aval[]){matrix_of(r, m, k), matrix_of(r, k, n), typed(vector_of(r, n), DT_i32)},
                           pivoting ? 3 : 2);
}

/* how many of n values `subset_by_index=(lo, hi)` selects */
static struct dim
subset(struct rule *r, struct dim n)
{
    struct dims range;
    if (rule_param(r, "subset_by_index") == NONE || param_is_none(r, "subset_by_index"))
        return n;
    if (!param_dims(r, "subset_by_index", &range))
        return dim_unknown();
    if (range.n < 2)
        rule_error(r, DIAG_T010, at_param(r, "subset_by_index"),
                   "`subset_by_index` of `%s` must be (low, high), but one end is missing", format_prim(r));
    return range.n >= 2 ? dim_sub(range.at[1], range.at[0]) : dim_unknown(); /* _svd_shape_rule reads no more */
}

bool
shape_svd(struct rule *r, struct aval *out)
{
    bool full, vectors;
    struct slice text;
    (void)out;
    enum truth known = batched(r, "2");
    if (known == NO || !param_bool(r, "compute_uv", &vectors))
        return known != NO;
    if (!results_by(r, vectors ? 3 : 1, "compute_uv"))
        return false;
    if (known == MAYBE)
        return true;
    bool read = param_bool(r, "full_matrices", &full);
    struct dim m = from_end(&r->in[0], 2), n = from_end(&r->in[0], 1), rank = smaller(m, n);
    struct dim whole = rank;
    rank = smaller(rank, subset(r, rank));
    if (read && full && dim_equal(&whole, &rank) == NO) /* _svd_shape_rule */
        return rule_error(r, DIAG_T010, at_param(r, "subset_by_index"),
                          "with full_matrices=True, `subset_by_index` of `%s` must be None or (0, %s), got %s",
                          format_prim(r), format_dim(r, whole),
                          format_slice(r, param_text(r, "subset_by_index", &text) ? text : SLICE("another value"))) ||
               rule_note_operand(r, 0);
    if (rank.kind == DIM_UNKNOWN && r->n_results && !r->failed) {
        /* a constraint that is not printed may determine the smaller of two symbols: the printed type decides */
        struct aval values = rule_binder(r, 0);
        struct dims stated = values.ranked ? rule_stated_dims(r, &values) : (struct dims){NULL, 0};
        if (stated.n && stated.n + 1 == r->in[0].rank)
            rank = stated.at[stated.n - 1];
    }
    return compare_results(r,
                           (struct aval[]){real_part(r, vector_of(r, rank)),
                                           matrix_of(r, m,
                                                     !read  ? dim_unknown()
                                                     : full ? m
                                                            : rank),
                                           matrix_of(r,
                                                     !read  ? dim_unknown()
                                                     : full ? n
                                                            : rank,
                                                     n)},
                           vectors ? 3 : 1);
}

bool
shape_eig(struct rule *r, struct aval *out)
{
    bool left, right;
    (void)out;
    enum truth known = batched(r, "2");
    if (known == NO || !param_bool(r, "compute_left_eigenvectors", &left) ||
        !param_bool(r, "compute_right_eigenvectors", &right))
        return known != NO;
    u32 n = 1u + left + right;
    if (!results_by(r, n, "compute_left_eigenvectors"))
        return false;
    if (known == MAYBE)
        return true;
    if (!square(r))
        return false;
    struct aval vectors = complexified(aval_reshaped(&r->in[0], r->in[0].rank, r->in[0].dims));
    return compare_results(r, (struct aval[]){complexified(vector_of(r, from_end(&r->in[0], 1))), vectors, vectors}, n);
}

/* eigh: vectors, then values */
bool
shape_eigh(struct rule *r, struct aval *out)
{
    (void)out;
    if (batched(r, "2") != YES)
        return !r->failed && rule_results(r, 2);
    if (!square(r))
        return false;
    struct dim n = from_end(&r->in[0], 1), d = subset(r, n);
    return compare_results(r, (struct aval[]){matrix_of(r, n, d), real_part(r, vector_of(r, d))}, 2);
}

/* eigh_jacobi: values, then vectors */
bool
shape_eigh_jacobi(struct rule *r, struct aval *out)
{
    (void)out;
    if (batched(r, "2") != YES)
        return !r->failed && rule_results(r, 2);
    struct aval values = real_part(r, vector_of(r, from_end(&r->in[0], 1)));
    return square(r) && compare_results(r, (struct aval[]){values, r->in[0]}, 2);
}

bool
shape_schur(struct rule *r, struct aval *out)
{
    bool vectors;
    (void)out;
    enum truth known = batched(r, "2");
    if (known == NO || (known == YES && !square(r)))
        return false;
    return !param_bool(r, "compute_schur_vectors", &vectors) ||
           (results_by(r, vectors ? 2 : 1, "compute_schur_vectors") &&
            compare_results(r, (struct aval[]){r->in[0], r->in[0]}, vectors ? 2 : 1));
}
