/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear algebra (jax/_src/lax/linalg.py, linalg_shape_rule and the *_shape_rule of each). Operands are matrices or
 * vectors behind axes that are worked through in parallel, as many for every operand (JAX compares their number, not
 * their extents); results have those of the first. Linear in ranks. */
#include "check/bind.h"

/* The operands' own axes: those behind the parallel ones. */
struct parts {
    u32 batch;              /* how many parallel axes */
    const struct dim *d[4]; /* by operand: its first own axis */
    bool known;
};

/* cuts operands into parallel and own axes, `ranks[i]` of them for operand i; reports T008. parts.known is false where
 * an operand's shape is not known */
static bool
cut(struct rule *r, const u8 *ranks, u32 n, struct parts *p)
{
    p->known = true;
    for (u32 i = 0; i < n; i++) {
        const struct aval *a = &r->in[i];
        if (!a->ranked) {
            p->known = false;
            continue;
        }
        if (a->rank < ranks[i]) {
            rule_error(r, DIAG_T008, at_operand(i), "`%s` takes a %s here: `%s` is %s", say_prim(r),
                       ranks[i] == 2 ? "matrix" : "vector", say_operand(r, i), say_aval(r, a));
            rule_note_operand(r, i);
            return false;
        }
        p->d[i] = a->dims + (a->rank - ranks[i]);
        u32 batch = a->rank - ranks[i];
        if (i == 0 || !p->known) {
            p->batch = batch;
            continue;
        }
        if (batch != p->batch) {
            rule_error(r, DIAG_T008, at_operand(i), "`%s` works through the leading axes of its operands in parallel: "
                       "`%s` is %s, `%s` is %s", say_prim(r), say_operand(r, 0), say_aval(r, &r->in[0]),
                       say_operand(r, i), say_aval(r, a));
            rule_note_operand(r, 0);
            rule_note_operand(r, i);
            return false;
        }
    }
    return true;
}

/* the smaller of two extents, unknown where that cannot be told */
static struct dim
smaller(struct dim a, struct dim b)
{
    if (dim_at_most(a, b) == YES)
        return a;
    return dim_at_most(b, a) == YES ? b : dim_unknown();
}

/* an array of operand 0's parallel axes and n more */
static struct aval
batched(struct rule *r, const struct parts *p, dtype_t dtype, u32 n, struct dim first, struct dim second)
{
    struct dim *dims = rule_alloc(r, (p->batch + 3u) * sizeof *dims);
    if (!p->known) {
        struct aval a = aval_array(dtype, 0, NULL);
        a.ranked = false;
        return a;
    }
    if (p->batch)
        memcpy(dims, r->in[0].dims, p->batch * sizeof *dims);
    dims[p->batch] = first;
    dims[p->batch + 1] = second;
    return aval_array(dtype, p->batch + n, dims);
}

/* results in order; an element type of NONE means operand 0's, known or not */
static bool
results_are(struct rule *r, struct aval *types, u32 n)
{
    bool right = rule_results(r, n);
    for (u32 i = 0; right && i < n; i++) {
        if (types[i].dtype == NONE)
            types[i].classes = r->in[0].classes;
        right = rule_result(r, i, &types[i]);
    }
    return right;
}

/* operand 0's own axes are a square */
static bool
is_square(struct rule *r, const struct parts *p)
{
    if (!p->d[0] || dim_equal(&p->d[0][0], &p->d[0][1]) != NO)
        return true;
    rule_error(r, DIAG_T008, at_operand(0), "`%s` takes square matrices: `%s` is %s", say_prim(r), say_operand(r, 0),
               say_aval(r, &r->in[0]));
    rule_note_operand(r, 0);
    return false;
}

/* the real type of a complex one, the type itself for others */
static dtype_t
real_of(dtype_t dtype)
{
    return dtype == DT_c64 ? DT_f32 : dtype == DT_c128 ? DT_f64 : dtype;
}

static dtype_t
complex_of(dtype_t dtype)
{
    if (dtype == NONE || dtype >= DT_EXTENDED)
        return NONE;
    return dtype == DT_f64 || dtype == DT_c128 ? DT_c128 : DT_c64;
}

/* all operands have operand 0's element type */
static bool
one_type(struct rule *r)
{
    for (u32 i = 1; i < r->n; i++)
        if (dtypes_agree(&r->in[0], &r->in[i]) == NO) {
            rule_error(r, DIAG_T007, at_operand(i), "`%s` needs equal element types: `%s` is %s, `%s` is %s", say_prim(r),
                       say_operand(r, 0), say_dtype(r, &r->in[0]), say_operand(r, i), say_dtype(r, &r->in[i]));
            rule_note_operand(r, 0);
            rule_note_operand(r, i);
            return false;
        }
    return true;
}

/* operand i has the extent `wanted` on its own axis k; `what` says what it must match */
static bool
extent_is(struct rule *r, const struct parts *p, u32 i, u32 k, struct dim wanted, const char *what)
{
    if (!p->d[i] || dim_equal(&p->d[i][k], &wanted) != NO)
        return true;
    rule_error(r, DIAG_T008, at_operand(i), "`%s` needs %s on `%s`, which is %s; `%s` is %s", say_prim(r),
               say(r, "%s (%s)", what, say_dim(r, wanted)), say_operand(r, i), say_aval(r, &r->in[i]),
               say_operand(r, 0), say_aval(r, &r->in[0]));
    rule_note_operand(r, 0);
    rule_note_operand(r, i);
    return false;
}

static const u8 one_matrix[] = {2};

/* own axis k of operand 0, unknown where its shape is not known */
static struct dim
own(const struct parts *p, u32 k)
{
    return p->d[0] ? p->d[0][k] : dim_unknown();
}

bool
shape_square(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    *out = r->in[0];
    return cut(r, one_matrix, 1, &p) && is_square(r, &p);
}

bool
shape_lu(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p))
        return false;
    struct dim m = own(&p, 0), n = own(&p, 1), none = dim_unknown();
    struct aval types[] = {r->in[0], batched(r, &p, DT_i32, 1, smaller(m, n), none), batched(r, &p, DT_i32, 1, m, none)};
    return results_are(r, types, 3);
}

bool
shape_pivots(struct rule *r, struct aval *out)
{
    static const u8 vector[] = {1};
    struct parts p = {0};
    i64 size;
    *out = aval_unknown();
    if (!cut(r, vector, 1, &p))
        return false;
    if (!param_int(r, "permutation_size", &size))
        return rule_results(r, 1);
    if (p.d[0] && p.d[0][0].kind == DIM_INT && p.d[0][0].value > size) {
        rule_error(r, DIAG_T009, at_param(r, "permutation_size"), "`%s` permutes %lld rows, fewer than the %s pivots of "
                   "`%s`", say_prim(r), (long long)size, say_dim(r, p.d[0][0]), say_operand(r, 0));
        rule_note_operand(r, 0);
        return false;
    }
    struct aval types[] = {batched(r, &p, DT_i32, 1, dim_of(size), dim_unknown())};
    return results_are(r, types, 1);
}

bool
shape_geqrf(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p))
        return false;
    struct aval types[] = {r->in[0], batched(r, &p, r->in[0].dtype, 1, smaller(own(&p, 0), own(&p, 1)), dim_unknown())};
    return results_are(r, types, 2);
}

bool
shape_geqp3(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {2, 1};
    struct parts p = {0};
    *out = aval_unknown();
    if (!cut(r, ranks, 2, &p))
        return false;
    struct aval types[] = {r->in[0], r->in[1],
                           batched(r, &p, r->in[0].dtype, 1, smaller(own(&p, 0), own(&p, 1)), dim_unknown())};
    return results_are(r, types, 3);
}

bool
shape_householder_product(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {2, 1};
    struct parts p = {0};
    *out = r->in[0];
    if (!one_type(r) || !cut(r, ranks, 2, &p))
        return false;
    struct dim least = smaller(own(&p, 0), own(&p, 1));
    bool wide = dim_at_most(own(&p, 1), own(&p, 0)) == NO;
    if (!wide && (!p.d[1] || dim_at_most(p.d[1][0], least) != NO))
        return rule_results(r, 1) && rule_result(r, 0, out);
    rule_error(r, DIAG_T008, at_operand(wide ? 0 : 1), "`%s` takes at most as many columns as rows, and at most as many "
               "reflections as columns: `%s` is %s, `%s` is %s", say_prim(r), say_operand(r, 0), say_aval(r, &r->in[0]),
               say_operand(r, 1), say_aval(r, &r->in[1]));
    rule_note_operand(r, 0);
    rule_note_operand(r, 1);
    return false;
}

bool
shape_ormqr(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {2, 1, 2};
    struct parts p = {0};
    bool left = true;
    *out = r->in[2];
    if (!one_type(r) || !cut(r, ranks, 3, &p))
        return false;
    if (param_bool(r, "left", &left) && p.d[0] && !extent_is(r, &p, 2, left ? 0 : 1, own(&p, 0), "as many rows as the first"))
        return false;
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* (m, k) and (k, n), k being the smaller of m and n unless full matrices are wanted; pivots behind them */
bool
shape_qr(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    bool full = false, pivoting = false;
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p))
        return false;
    param_bool(r, "pivoting", &pivoting);
    struct dim m = own(&p, 0), n = own(&p, 1);
    struct dim k = !param_bool(r, "full_matrices", &full) ? dim_unknown() : full ? m : smaller(m, n);
    dtype_t dtype = r->in[0].dtype;
    struct aval types[] = {batched(r, &p, dtype, 2, m, k), batched(r, &p, dtype, 2, k, n),
                           batched(r, &p, DT_i32, 1, n, dim_unknown())};
    return results_are(r, types, pivoting ? 3 : 2);
}

/* reads the length of subset_by_index=(low, high); false where there is none */
static bool
subset(struct rule *r, i64 *length)
{
    struct ints range;
    if (!param_ints(r, "subset_by_index", &range) || range.n != 2)
        return false;
    *length = range.at[1] - range.at[0];
    return true;
}

bool
shape_svd(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    bool full = false, vectors = false;
    i64 length;
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p))
        return false;
    if (!param_bool(r, "compute_uv", &vectors))
        return rule_trust(r, at_prim(), "`%s` does not say what it computes", say_prim(r));
    struct dim m = own(&p, 0), n = own(&p, 1), rank = smaller(m, n);
    if (subset(r, &length))
        rank = smaller(rank, dim_of(length));
    bool known = param_bool(r, "full_matrices", &full);
    dtype_t dtype = r->in[0].dtype;
    struct aval types[] = {batched(r, &p, real_of(dtype), 1, rank, dim_unknown()),
                           batched(r, &p, dtype, 2, m, !known ? dim_unknown() : full ? m : rank),
                           batched(r, &p, dtype, 2, !known ? dim_unknown() : full ? n : rank, n)};
    if (dtype == NONE)
        types[0].classes = IN_FLOAT;
    return results_are(r, types, vectors ? 3 : 1);
}

bool
shape_eig(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    bool left = false, right = false;
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p) || !is_square(r, &p))
        return false;
    if (!param_bool(r, "compute_left_eigenvectors", &left) || !param_bool(r, "compute_right_eigenvectors", &right))
        return rule_trust(r, at_prim(), "`%s` does not say what it computes", say_prim(r));
    struct dim n = own(&p, 0);
    dtype_t dtype = complex_of(r->in[0].dtype);
    struct aval vectors = batched(r, &p, dtype, 2, n, n),
                types[] = {batched(r, &p, dtype, 1, n, dim_unknown()), vectors, vectors};
    return results_are(r, types, 1u + left + right);
}

bool
shape_eigh(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    i64 length;
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p) || !is_square(r, &p))
        return false;
    struct dim n = own(&p, 0), d = subset(r, &length) ? dim_of(length) : n;
    dtype_t dtype = r->in[0].dtype;
    struct aval types[] = {batched(r, &p, dtype, 2, n, d), batched(r, &p, real_of(dtype), 1, d, dim_unknown())};
    if (dtype == NONE)
        types[1].classes = IN_FLOAT;
    return results_are(r, types, 2);
}

bool
shape_schur(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    bool vectors = false;
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p) || !is_square(r, &p))
        return false;
    struct aval types[] = {r->in[0], r->in[0]};
    return param_bool(r, "compute_schur_vectors", &vectors)
               ? results_are(r, types, vectors ? 2 : 1)
               : rule_trust(r, at_prim(), "`%s` does not say what it computes", say_prim(r));
}

bool
shape_hessenberg(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p) || !is_square(r, &p))
        return false;
    struct aval types[] = {r->in[0],
                           batched(r, &p, r->in[0].dtype, 1, dim_sub(own(&p, 1), dim_of(1)), dim_unknown())};
    return results_are(r, types, 2);
}

bool
shape_tridiagonal(struct rule *r, struct aval *out)
{
    struct parts p = {0};
    *out = aval_unknown();
    if (!cut(r, one_matrix, 1, &p) || !is_square(r, &p))
        return false;
    struct dim n = own(&p, 0), less = dim_sub(n, dim_of(1)), none = dim_unknown();
    dtype_t dtype = r->in[0].dtype, real = real_of(dtype);
    struct aval types[] = {r->in[0], batched(r, &p, real, 1, n, none), batched(r, &p, real, 1, less, none),
                           batched(r, &p, dtype, 1, less, none)};
    if (dtype == NONE)
        types[1].classes = types[2].classes = IN_FLOAT;
    return results_are(r, types, 4);
}

bool
shape_triangular_solve(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {2, 2};
    struct parts p = {0};
    bool left;
    if (!one_type(r) || !cut(r, ranks, 2, &p) || !is_square(r, &p))
        return false;
    *out = p.known ? batched(r, &p, r->in[1].dtype, 2, p.d[1][0], p.d[1][1]) : r->in[1];
    out->classes = r->in[1].classes;
    if (param_bool(r, "left_side", &left) && p.d[0] &&
        !extent_is(r, &p, 1, left ? 0 : 1, own(&p, 1), left ? "as many rows" : "as many columns"))
        return false;
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* three diagonals of one shape and the right-hand sides */
bool
shape_tridiagonal_solve(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {1, 1, 1, 2};
    struct parts p = {0};
    *out = r->in[3];
    if (!one_type(r) || !cut(r, ranks, 4, &p))
        return false;
    for (u32 i = 1; p.d[0] && i < 4; i++)
        if (!extent_is(r, &p, i, 0, own(&p, 0), "the extent of the first"))
            return false;
    return rule_results(r, 1) && rule_result(r, 0, out);
}

bool
shape_symmetric_product(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {2, 2};
    struct parts p = {0};
    *out = r->in[1];
    if (!one_type(r) || !cut(r, ranks, 2, &p))
        return false;
    for (u32 k = 0; p.d[0] && k < 2; k++)
        if (!extent_is(r, &p, 1, k, own(&p, 0), "as many rows as columns as the first has rows"))
            return false;
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* a square matrix and a vector of its extent */
bool
shape_cholesky_update(struct rule *r, struct aval *out)
{
    static const u8 ranks[] = {2, 1};
    struct parts p = {0};
    *out = r->in[0];
    if (!one_type(r) || !cut(r, ranks, 2, &p) || !is_square(r, &p))
        return false;
    if (p.d[0] && !extent_is(r, &p, 1, 0, own(&p, 0), "the extent of the matrix"))
        return false;
    return rule_results(r, 1) && rule_result(r, 0, out);
}
