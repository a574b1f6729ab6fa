/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes at computed places (jax/_src/lax/slicing.py: _dynamic_slice_shape_rule,
 * _dynamic_update_slice_shape_rule, _gather_shape_rule, _scatter_shape_rule and their dtype rules). The index vector
 * is always the last axis of the indices. Linear in ranks. */
#include "verify/axes.h"

/* checks that n operands from `first` on are scalars of one integer type; a variable that is wrong is reported once */
static bool
scalar_indices(struct rule *r, u32 first, u32 n)
{
    const atom_t *atoms = &r->m->atoms.at[r->eqn->atoms];
    bool right = true, several = r->several;
    for (u32 i = first; i < first + n && i < r->n; i++) {
        const struct aval *a = &r->in[i];
        bool integer = a->kind != AVAL_ARRAY || a->classes & IN_INT, scalar = !a->ranked || !a->rank;
        if ((!integer || !scalar) && i > first && atoms[i] == atoms[i - 1])
            continue;
        if (!integer)
            right = rule_error_operand(r, DIAG_T007, i, "an index of `%s` must be an integer", format_prim(r));
        else if (!scalar)
            right = rule_error_operand(r, DIAG_T008, i, "an index of `%s` must be a scalar", format_prim(r));
        else if (right && i > first && dtypes_agree(&r->in[first], a) == NO)
            right =
                rule_error_pair(r, DIAG_T007, first, i, "the indices of `%s` must have the same type", format_prim(r));
        r->several |= !right;
    }
    r->several = several;
    return right;
}

/* reports that the operands from `first` on, the indices, are not one for each axis of the first operand */
static bool
report_index_count(struct rule *r, u32 first, bool as_jax)
{
    u32 rank = r->in[0].rank;
    (as_jax ? rule_error : rule_stricter)(
        r, DIAG_T005, r->n > first + rank ? at_operand(first + rank) : at_prim(),
        "`%s` takes one index for each axis of `%s`, which is %s and has %s, but %s given", format_prim(r),
        format_operand(r, 0), format_aval(r, &r->in[0]), format_count(r, rank, "axis", "axes"),
        format_count(r, r->n - first, "index is", "indices are"));
    return rule_note_operand(r, 0);
}

bool
shape_dynamic_slice(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct dims sizes;
    *out = *a;
    if (!a->ranked)
        return unranked(r, out);
    bool known = param_dims(r, "slice_sizes", &sizes);
    u32 holes = 0;
    for (u32 i = 0; known && i < sizes.n; i++)
        holes += sizes.at[i].kind == DIM_UNKNOWN;
    if (r->n < 1 + a->rank || (known && r->n != 1 + a->rank + holes)) {
        report_index_count(r, 1, false);
        for (u32 i = 1; i < r->n && !a->rank; i++)
            if (r->in[i].ranked && r->in[i].rank) {
                rule_hint(r, "`%s` is %s; the array comes first, then its indices", format_operand(r, i),
                          format_aval(r, &r->in[i]));
                break;
            }
        return false;
    }
    if (!scalar_indices(r, 1, a->rank))
        return false;
    if (!known)
        return unranked(r, out);
    if (!one_each(r, "slice_sizes", sizes.n) || !sizes_fit(r, "slice_sizes", &sizes))
        return false;
    for (u32 i = 0; i < sizes.n; i++) {
        if (!at_most(r, at_item(r, "slice_sizes", i), sizes.at[i], a->dims[i])) {
            rule_error(r, DIAG_T009, at_item(r, "slice_sizes", i), "`%s` takes %s elements on axis %u, but `%s` has %s",
                       format_prim(r), format_dim(r, sizes.at[i]), i, format_operand(r, 0), format_dim(r, a->dims[i]));
            return rule_note_operand(r, 0);
        }
    }
    *out = aval_reshaped(a, sizes.n, sizes.at);
    return true;
}

bool
shape_dynamic_update_slice(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0], *update = &r->in[1];
    *out = *a;
    if (dtypes_agree(a, update) == NO && (a->classes | update->classes) & IN_KEY)
        return same_element_type(r, 0, 1);
    if (dtypes_agree(a, update) == NO)
        return rule_error_pair(r, DIAG_T007, 0, 1, "the update of `%s` must have the element type of the array",
                               format_prim(r));
    if (!a->ranked)
        return unranked(r, out);
    if (r->n != 2 + a->rank)
        return report_index_count(r, 2, true);
    if (!scalar_indices(r, 2, a->rank))
        return false;
    if (update->ranked && update->rank != a->rank)
        return rule_error_pair(r, DIAG_T008, 0, 1, "the update of `%s` must have as many axes as the array",
                               format_prim(r));
    for (u32 i = 0; update->ranked && i < a->rank; i++)
        if (!at_most(r, at_operand(1), update->dims[i], a->dims[i]))
            return rule_error_pair(r, DIAG_T008, 0, 1,
                                   "axis %u of the update of `%s` has size %s, but axis %u of the array has size %s", i,
                                   format_prim(r), format_dim(r, update->dims[i]), i, format_dim(r, a->dims[i]));
    return true;
}

/* ---- gather and scatter ---- */

enum { OPERAND, INDICES, UPDATES };

/* The dimension numbers of gather and scatter, by their common roles. */
struct numbers {
    struct ints window;        /* offset_dims / update_window_dims: of the result / the updates */
    struct ints dropped;       /* collapsed_slice_dims / inserted_window_dims: of the operand */
    const char *map_field;     /* start_index_map / scatter_dims_to_operand_dims */
    struct ints map;           /* of the operand */
    struct ints batch;         /* operand_batching_dims */
    struct ints indices_batch; /* start_indices_batching_dims / scatter_indices_batching_dims: of the indices */
};

/* checks a list of axes: in range, without repetitions, and with `sorted` in order */
static bool
axes_list(struct rule *r, const char *what, const struct ints *axes, u32 rank, bool sorted)
{
    u8 *seen = axis_marks(r, rank);
    for (u32 i = 0; i < axes->n; i++) {
        i64 axis = axes->at[i];
        bool within = axis >= 0 && axis < rank, ordered = !sorted || !i || axis >= axes->at[i - 1];
        if (within && !seen[axis] && ordered) {
            seen[axis] = 1;
            continue;
        }
        struct where where = at_entry(r, "dimension_numbers", axes, i);
        if (!within)
            return rule_error(r, DIAG_T009, where, "%s of `%s` names axis %lld, but there %s %u ax%s%s", what,
                              format_prim(r), (long long)axis, rank == 1 ? "is" : "are", rank, rank == 1 ? "is" : "es",
                              rank ? ", numbered from 0" : "");
        if (seen[axis])
            return rule_error(r, DIAG_T010, where, "%s of `%s` names axis %lld twice", what, format_prim(r),
                              (long long)axis);
        return rule_error(r, DIAG_T010, where, "%s of `%s` is not sorted: axis %lld comes after axis %lld", what,
                          format_prim(r), (long long)axis, (long long)axes->at[i - 1]);
    }
    return true;
}

static bool
axes_disjoint(struct rule *r, const char *what, const struct ints *a, const struct ints *b, u32 rank)
{
    u8 *seen = axis_marks(r, rank);
    for (u32 i = 0; i < a->n; i++)
        seen[a->at[i]] = 1;
    for (u32 i = 0; i < b->n; i++)
        if (seen[b->at[i]])
            return rule_error(r, DIAG_T010, at_entry(r, "dimension_numbers", b, i), "%s of `%s` share axis %lld", what,
                              format_prim(r), (long long)b->at[i]);
    return true;
}

/* checks the indices: integers with an axis of index vectors */
static bool
check_indices(struct rule *r)
{
    const struct aval *a = &r->in[INDICES];
    if (a->kind == AVAL_ARRAY && !(a->classes & IN_INT))
        return rule_error_operand(r, DIAG_T007, INDICES, "the indices of `%s` must be integers", format_prim(r));
    return !a->ranked || a->rank ||
           rule_error_operand(r, DIAG_T008, INDICES, "the indices of `%s` must have an axis for the index vectors",
                              format_prim(r));
}

/* checks the dimension numbers against operand and indices, for gather and scatter */
static bool
check_numbers(struct rule *r, const struct numbers *n)
{
    const struct aval *operand = &r->in[OPERAND], *indices = &r->in[INDICES];
    u32 vector = indices->rank - 1;
    struct dim size = dim_of(n->map.n);
    if (dim_equal(&indices->dims[vector], &size) == NO) {
        rule_error(r, DIAG_T009, at_list(r, "dimension_numbers", &n->map),
                   "`%s` of `%s` has %s, but the index vectors have size %s, that of the last axis of `%s`: `%s` is %s",
                   n->map_field, format_prim(r), format_count(r, n->map.n, "entry", "entries"),
                   format_dim(r, indices->dims[vector]), format_operand(r, INDICES), format_operand(r, INDICES),
                   format_aval(r, indices));
        return rule_note_operand(r, INDICES);
    }
    if (!axes_list(r, format_text(r, "`%s`", n->map_field), &n->map, operand->rank, false) ||
        !axes_list(r, "the list of collapsed axes", &n->dropped, operand->rank, true) ||
        !axes_list(r, "`operand_batching_dims`", &n->batch, operand->rank, true) ||
        !axes_disjoint(r, "the collapsed axes and `operand_batching_dims`", &n->dropped, &n->batch, operand->rank) ||
        !axes_disjoint(r, format_text(r, "`%s` and `operand_batching_dims`", n->map_field), &n->map, &n->batch,
                       operand->rank) ||
        !axes_list(r, "the batching axes of the indices", &n->indices_batch, indices->rank, false))
        return false;
    if (n->batch.n != n->indices_batch.n)
        return rule_error(r, DIAG_T010, at_list(r, "dimension_numbers", &n->indices_batch),
                          "`%s` requires as many batching axes of the operand as of the indices, but names %u and %u",
                          format_prim(r), n->batch.n, n->indices_batch.n);
    for (u32 i = 0; i < n->batch.n; i++) {
        if (n->indices_batch.at[i] == vector)
            return rule_error(r, DIAG_T010, at_entry(r, "dimension_numbers", &n->indices_batch, i),
                              "`%s` batches axis %u of the indices, which is the axis of the index vectors",
                              format_prim(r), vector);
        if (dim_equal(&operand->dims[n->batch.at[i]], &indices->dims[n->indices_batch.at[i]]) == NO)
            return rule_error(r, DIAG_T008, at_operand(INDICES),
                              "batching axis %u of `%s` has %s elements in `%s` and %s in `%s`", i, format_prim(r),
                              format_dim(r, operand->dims[n->batch.at[i]]), format_operand(r, OPERAND),
                              format_dim(r, indices->dims[n->indices_batch.at[i]]), format_operand(r, INDICES)) ||
                   rule_note_operand(r, OPERAND) || rule_note_operand(r, INDICES);
    }
    return true;
}

/* checks slice_sizes against the operand; `empty`: there are no indices, so nothing is read */
static bool
check_slices(struct rule *r, const struct numbers *n, const struct dims *sizes, bool empty)
{
    const struct aval *a = &r->in[OPERAND];
    if (!one_each(r, "slice_sizes", sizes->n))
        return false;
    if (sizes->n != n->window.n + n->dropped.n + n->batch.n)
        return rule_error(r, DIAG_T009, surely(at_param(r, "dimension_numbers")),
                          "`slice_sizes` of `%s` has %s, but there are %u offset, %u collapsed and %u batching axes",
                          format_prim(r), format_count(r, sizes->n, "entry", "entries"), n->window.n, n->dropped.n,
                          n->batch.n);
    for (u32 i = 0; i < sizes->n && !empty; i++)
        if ((sizes->at[i].kind == DIM_INT && sizes->at[i].value < 0) ||
            !at_most(r, at_item(r, "slice_sizes", i), sizes->at[i], a->dims[i])) {
            rule_error(r, DIAG_T009, surely(at_item(r, "slice_sizes", i)),
                       "`%s` takes slices of size %s on axis %u, but `%s` has %s", format_prim(r),
                       format_dim(r, sizes->at[i]), i, format_operand(r, OPERAND), format_dim(r, a->dims[i]));
            return rule_note_operand(r, OPERAND);
        }
    for (u32 i = 0; i < n->dropped.n; i++) {
        struct dim size = sizes->at[n->dropped.at[i]];
        if (size.kind == DIM_INT && size.value != 1)
            return rule_error(r, DIAG_T009, surely(at_item(r, "slice_sizes", (u32)n->dropped.at[i])),
                              "`%s` collapses axis %lld, whose slice size is %s instead of 1", format_prim(r),
                              (long long)n->dropped.at[i], format_dim(r, size)) ||
                   rule_note(r, at_entry(r, "dimension_numbers", &n->dropped, i), "the axis is collapsed here");
    }
    for (u32 i = 0; i < n->batch.n; i++) {
        struct dim size = sizes->at[n->batch.at[i]];
        if (size.kind == DIM_INT && size.value > 1)
            return rule_error(r, DIAG_T009, surely(at_item(r, "slice_sizes", (u32)n->batch.at[i])),
                              "`%s` batches axis %lld, whose slice size is %s instead of 1", format_prim(r),
                              (long long)n->batch.at[i], format_dim(r, size)) ||
                   rule_note(r, at_entry(r, "dimension_numbers", &n->batch, i), "the axis is batched here");
    }
    return true;
}

/* checks the mode: JAX does not implement ONE_HOT, and always gives FILL_OR_DROP a fill value */
static bool
check_mode(struct rule *r)
{
    struct slice mode;
    if (!param_text(r, "mode", &mode))
        return true;
    if (slice_eq(mode, SLICE("GatherScatterMode.ONE_HOT")))
        return rule_stricter(r, DIAG_T010, at_param(r, "mode"),
                             "`%s` with mode ONE_HOT cannot be compiled: JAX does not implement this mode",
                             format_prim(r));
    if (slice_eq(mode, SLICE("GatherScatterMode.FILL_OR_DROP")) && param_is_none(r, "fill_value"))
        return rule_stricter(r, DIAG_T010, at_param(r, "fill_value"),
                             "`%s` with mode FILL_OR_DROP requires a `fill_value`, got None", format_prim(r)) ||
               rule_note(r, at_param(r, "mode"), "the mode is set here");
    return true;
}

bool
shape_gather(struct rule *r, struct aval *out)
{
    const struct aval *operand = &r->in[OPERAND], *indices = &r->in[INDICES];
    struct slice text;
    struct numbers n = {.map_field = "start_index_map"};
    struct dims sizes;
    *out = *operand;
    if (!check_indices(r) || !check_mode(r))
        return false;
    if (!operand->ranked || !indices->ranked || !param_text(r, "dimension_numbers", &text) ||
        !read_numbers(r, text, "offset_dims", false, &n.window) ||
        !read_numbers(r, text, "collapsed_slice_dims", false, &n.dropped) ||
        !read_numbers(r, text, n.map_field, false, &n.map) ||
        !read_numbers(r, text, "operand_batching_dims", true, &n.batch) ||
        !read_numbers(r, text, "start_indices_batching_dims", true, &n.indices_batch) ||
        !param_dims(r, "slice_sizes", &sizes))
        return unranked(r, out);
    u32 rank = n.window.n + indices->rank - 1;
    bool empty = false;
    for (u32 i = 0; i < indices->rank; i++)
        empty |= dim_is(indices->dims[i], 0);
    if (!axes_list(r, "`offset_dims`", &n.window, rank, true) || !check_numbers(r, &n) ||
        !check_slices(r, &n, &sizes, empty))
        return false;
    u8 *gone = axis_marks(r, operand->rank), *offset = axis_marks(r, rank);
    for (u32 i = 0; i < n.dropped.n; i++)
        gone[n.dropped.at[i]] = 1;
    for (u32 i = 0; i < n.batch.n; i++)
        gone[n.batch.at[i]] = 1;
    for (u32 i = 0; i < n.window.n; i++)
        offset[n.window.at[i]] = 1;
    struct dim *dims = rule_alloc(r, (rank + 1u) * sizeof *dims);
    for (u32 i = 0, slice = 0, index = 0; i < rank; i++) {
        while (offset[i] && gone[slice])
            slice++;
        dims[i] = offset[i] ? sizes.at[slice++] : indices->dims[index++];
    }
    *out = aval_reshaped(operand, rank, dims);
    return true;
}

/* checks the updates of a scatter: windows must not be larger than the operand, other axes are those of the indices */
static bool
check_updates(struct rule *r, const struct numbers *n)
{
    const struct aval *operand = &r->in[OPERAND], *indices = &r->in[INDICES], *updates = &r->in[UPDATES];
    u8 *window = axis_marks(r, updates->rank), *gone = axis_marks(r, operand->rank);
    for (u32 i = 0; i < n->window.n; i++)
        window[n->window.at[i]] = 1;
    for (u32 i = 0; i < n->dropped.n; i++)
        gone[n->dropped.at[i]] = 1;
    for (u32 i = 0; i < n->batch.n; i++)
        gone[n->batch.at[i]] = 1;
    for (u32 i = 0, of = 0, index = 0; i < updates->rank; i++) {
        while (window[i] && of < operand->rank && gone[of])
            of++;
        bool right = window[i] ? at_most(r, at_operand(UPDATES), updates->dims[i], operand->dims[of])
                               : dim_equal(&updates->dims[i], &indices->dims[index]) != NO;
        if (!right) {
            return rule_error_pair(
                r, DIAG_T008, window[i] ? OPERAND : INDICES, UPDATES,
                window[i]
                    ? "axis %u of the updates of `%s` has size %s, more than axis %u of the operand, which has size %s"
                    : "axis %u of the updates of `%s` has size %s, but axis %u of the indices has size %s",
                i, format_prim(r), format_dim(r, updates->dims[i]), window[i] ? of : index,
                format_dim(r, window[i] ? operand->dims[of] : indices->dims[index]));
        }
        if (window[i])
            of++;
        else
            index++;
    }
    return true;
}

bool
shape_scatter(struct rule *r, struct aval *out)
{
    const struct aval *operand = &r->in[OPERAND], *indices = &r->in[INDICES], *updates = &r->in[UPDATES];
    struct slice text;
    struct numbers n = {.map_field = "scatter_dims_to_operand_dims"};
    *out = *operand;
    if (!check_indices(r) || !combines_scalars(r, "update_jaxpr", 1, false))
        return false;
    if (dtypes_agree(operand, updates) == NO)
        return (operand->classes | updates->classes) & IN_KEY
                   ? same_element_type(r, OPERAND, UPDATES)
                   : rule_error_pair(r, DIAG_T007, OPERAND, UPDATES,
                                     "the updates of `%s` must have the element type of the operand", format_prim(r));
    if (!operand->ranked || !indices->ranked || !updates->ranked || !param_text(r, "dimension_numbers", &text) ||
        !read_numbers(r, text, "update_window_dims", false, &n.window) ||
        !read_numbers(r, text, "inserted_window_dims", false, &n.dropped) ||
        !read_numbers(r, text, n.map_field, false, &n.map) ||
        !read_numbers(r, text, "operand_batching_dims", true, &n.batch) ||
        !read_numbers(r, text, "scatter_indices_batching_dims", true, &n.indices_batch))
        return !r->failed;
    if (updates->rank != n.window.n + indices->rank - 1)
        return rule_error_pair(r, DIAG_T008, INDICES, UPDATES,
                               "the updates of `%s` must have %s: %u of `update_window_dims` and %u of the indices",
                               format_prim(r), format_count(r, n.window.n + indices->rank - 1, "axis", "axes"),
                               n.window.n, indices->rank - 1);
    if (!axes_list(r, "`update_window_dims`", &n.window, updates->rank, true) || !check_numbers(r, &n))
        return false;
    if (operand->rank != n.window.n + n.dropped.n + n.batch.n)
        return rule_error(r, DIAG_T009, at_param(r, "dimension_numbers"),
                          "`%s` names %s (%u window, %u inserted and %u batching axes), but `%s` is %s", format_prim(r),
                          format_count(r, n.window.n + n.dropped.n + n.batch.n, "axis", "axes"), n.window.n,
                          n.dropped.n, n.batch.n, format_operand(r, OPERAND), format_aval(r, operand)) ||
               rule_note_operand(r, OPERAND);
    return check_updates(r, &n);
}
