/* SPDX-License-Identifier: Apache-2.0
 *
 * The sharding rules of gather and scatter, which relate axes of their operands by dimension numbers
 * (jax/_src/lax/slicing.py 0.12: _gather_spec_computation, _scatter_spec_computation). The shape rules have checked the
 * numbers. Linear in ranks. */
#include "verify/axes.h"
#include "verify/sharding_rules.h"

enum { OPERAND, INDICES, UPDATES };

/* Which axes go together. The windows are those of the result of a gather, or of the updates of a scatter. */
struct numbers {
    u32 rank;          /* of the result of a gather, or of the updates */
    u32 *window;       /* axis of the operand for each of these axes; NONE: it comes from the indices */
    u32 *query;        /* axis of the indices for each of these axes; NONE: it is of a window */
    u32 *batched;      /* axis of the indices for each axis of the operand; NONE: not a batching axis */
    u8 *batches;       /* whether an axis of the indices is a batching axis */
    u8 *dropped;       /* whether an axis of the operand is collapsed */
    struct ints map;   /* the axes of the operand that are indexed */
    struct dims sizes; /* of slices, of a gather */
};

static bool
read_axes_of(struct rule *r, struct numbers *n, const struct ints *window, const struct ints *dropped,
             const struct ints *batch, const struct ints *indices_batch)
{
    const struct aval *operand = &r->in[OPERAND], *indices = &r->in[INDICES];
    n->rank = window->n + indices->rank - 1;
    n->window = rule_alloc(r, (2ul * n->rank + operand->rank + 1) * sizeof *n->window);
    n->query = n->window + n->rank;
    n->batched = n->query + n->rank;
    n->batches = axis_marks(r, indices->rank);
    n->dropped = axis_marks(r, operand->rank);
    u8 *offset = axis_marks(r, n->rank);
    for (u32 d = 0; d < operand->rank; d++)
        n->batched[d] = NONE;
    for (u32 i = 0; i < dropped->n; i++)
        n->dropped[dropped->at[i]] = 1;
    for (u32 i = 0; i < batch->n; i++) {
        n->batched[batch->at[i]] = (u32)indices_batch->at[i];
        n->batches[indices_batch->at[i]] = 1;
    }
    for (u32 i = 0; i < window->n; i++)
        offset[window->at[i]] = 1;
    for (u32 i = 0, of = 0, index = 0; i < n->rank; i++) {
        while (offset[i] && of < operand->rank && (n->dropped[of] || n->batched[of] != NONE))
            of++;
        n->window[i] = offset[i] ? of++ : NONE;
        n->query[i] = offset[i] ? NONE : index++;
        if (offset[i] && of > operand->rank)
            return false;
    }
    return true;
}

/* false if the equation does not print them */
static bool
read_axes(struct rule *r, struct numbers *n)
{
    bool scatters = r->n > 2;
    struct slice text;
    struct ints window, dropped, batch = {NULL, 0}, indices_batch = {NULL, 0};
    *n = (struct numbers){0};
    return r->in[INDICES].rank && param_text(r, "dimension_numbers", &text) &&
           read_numbers(r, text, scatters ? "update_window_dims" : "offset_dims", false, &window) &&
           read_numbers(r, text, scatters ? "inserted_window_dims" : "collapsed_slice_dims", false, &dropped) &&
           read_numbers(r, text, scatters ? "scatter_dims_to_operand_dims" : "start_index_map", false, &n->map) &&
           read_numbers(r, text, "operand_batching_dims", true, &batch) &&
           read_numbers(r, text, scatters ? "scatter_indices_batching_dims" : "start_indices_batching_dims", true,
                        &indices_batch) &&
           (scatters || param_dims(r, "slice_sizes", &n->sizes)) &&
           read_axes_of(r, n, &window, &dropped, &batch, &indices_batch);
}

/* the axes of the indices are not sharded, except those that batch the operand, which are sharded like its axes */
static bool
indices_allowed(struct rule *r, const struct numbers *n)
{
    const char *what = format_text(r, "the axes of the indices of `%s` that are not batching axes", format_prim(r));
    for (u32 d = 0; d < r->in[INDICES].rank; d++)
        if (!n->batches[d] && !axis_must_be_whole(r, what, INDICES, d))
            return false;
    what = format_text(r, "the batching axes of `%s`", format_prim(r));
    for (u32 d = 0; d < r->in[OPERAND].rank; d++)
        if (n->batched[d] != NONE && !axes_must_be_alike(r, what, (struct operand_axis){OPERAND, d},
                                                         (struct operand_axis){INDICES, n->batched[d]}, false))
            return false;
    return true;
}

bool
gather_allowed(struct rule *r)
{
    struct numbers n;
    if (!read_axes(r, &n))
        return true;
    const char *what = format_text(r, "an axis that `%s` does not slice as a whole", format_prim(r));
    for (u32 i = 0; i < n.map.n; i++) {
        u32 d = (u32)n.map.at[i];
        if (d < n.sizes.n && dim_equal(&n.sizes.at[d], &r->in[OPERAND].dims[d]) == NO &&
            !axis_must_be_whole(r, what, OPERAND, d))
            return false;
    }
    return indices_allowed(r, &n);
}

bool
scatter_allowed(struct rule *r)
{
    const struct aval *operand = &r->in[OPERAND], *updates = &r->in[UPDATES];
    struct numbers n;
    if (!read_axes(r, &n) || updates->rank != n.rank)
        return true;
    const char *inserted = format_text(r, "the inserted axes of the operand of `%s`", format_prim(r));
    for (u32 d = 0; d < operand->rank; d++)
        if (n.dropped[d] && !axis_must_be_whole(r, inserted, OPERAND, d))
            return false;
    const char *part = format_text(r, "an axis that the updates of `%s` cover in part", format_prim(r));
    const char *query = format_text(r, "the axes of the updates of `%s` for each index", format_prim(r));
    const char *whole = format_text(r, "the axes of the operand and of the updates of `%s`", format_prim(r));
    const char *batch = format_text(r, "the batching axes of `%s`", format_prim(r));
    for (u32 i = 0; i < n.rank; i++) {
        struct operand_axis update = {UPDATES, i}, of = {OPERAND, n.window[i]};
        if (of.axis == NONE) {
            if (!n.batches[n.query[i]] && !axis_must_be_whole(r, query, UPDATES, i))
                return false;
            continue;
        }
        if (dim_equal(&updates->dims[i], &operand->dims[of.axis]) == NO
                ? !axis_must_be_whole(r, part, OPERAND, of.axis) || !axis_must_be_whole(r, part, UPDATES, i)
                : !axes_must_be_alike(r, whole, of, update, true))
            return false;
    }
    if (!indices_allowed(r, &n))
        return false;
    for (u32 d = 0; d < operand->rank; d++)
        for (u32 i = 0; n.batched[d] != NONE && i < n.rank; i++)
            if (n.query[i] == n.batched[d] && (!axes_must_be_alike(r, batch, (struct operand_axis){OPERAND, d},
                                                                   (struct operand_axis){UPDATES, i}, false) ||
                                               !axes_must_be_alike(r, batch, (struct operand_axis){INDICES, n.query[i]},
                                                                   (struct operand_axis){UPDATES, i}, false)))
                return false;
    return true;
}

bool
place_gathered(struct placing *p)
{
    const struct aval *operand = &p->r->in[OPERAND], *indices = &p->r->in[INDICES];
    struct numbers n;
    if (!read_axes(p->r, &n) || n.rank != p->rank)
        return false;
    for (u32 i = 0; i < n.rank; i++)
        p->over[i] =
            axis_sharding(n.window[i] != NONE ? operand : indices, n.window[i] != NONE ? n.window[i] : n.query[i]);
    for (u32 d = 0; d < operand->rank; d++)
        for (u32 i = 0; n.batched[d] != NONE && i < n.rank; i++)
            if (n.query[i] == n.batched[d] && !p->over[i].n)
                p->over[i] = axis_sharding(operand, d);
    return true;
}

bool
place_scattered(struct placing *p)
{
    const struct aval *operand = &p->r->in[OPERAND], *indices = &p->r->in[INDICES], *updates = &p->r->in[UPDATES];
    struct numbers n;
    if (!read_axes(p->r, &n) || operand->rank != p->rank || updates->rank != n.rank)
        return false;
    for (u32 d = 0; d < p->rank; d++) {
        p->over[d] = axis_sharding(operand, d);
        if (!p->over[d].n && n.batched[d] != NONE)
            p->over[d] = axis_sharding(indices, n.batched[d]);
        for (u32 i = 0; !p->over[d].n && i < n.rank; i++)
            if (n.window[i] == d || (n.batched[d] != NONE && n.query[i] == n.batched[d]))
                p->over[d] = axis_sharding(updates, i);
    }
    return true;
}
