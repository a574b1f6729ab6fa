/* SPDX-License-Identifier: Apache-2.0
 *
 * The sharding rules of jax/_src/lax (lax.py, slicing.py, linalg.py, convolution.py, windowed_reductions.py: functions
 * named _.._sharding_rule). */
#include "verify/sharding_rules.h"

#define RESHARD_HELPS "`reshard` changes the sharding of an array"

static const struct slice nowhere = {"", 0};

struct slice
axis_sharding(const struct aval *a, u32 d)
{
    return a->dims[d].kind < DIM_WINDOWS && a->dims[d].sharding.n ? a->dims[d].sharding : nowhere;
}

bool
is_unsharded(const struct aval *a)
{
    for (u32 d = 0; d < a->rank; d++)
        if (axis_sharding(a, d).n)
            return false;
    return true;
}

bool
may_lack_mesh(const struct rule *r, const struct aval *a)
{
    return is_unsharded(a) && (a->type == NONE || type_get(&r->m->types, a->type)->vary.n == 0);
}

bool
sharded_over(const struct aval *a, struct slice axis)
{
    bool over = false;
    for (u32 d = 0; d < a->rank && !over; d++) {
        struct slice sharding = axis_sharding(a, d), name;
        for (struct cursor c = cursor_inside(sharding); !over && value_element(&c, &name);)
            over = slice_eq(name, axis);
    }
    return over;
}

/* ---- one function for each kind of rule ---- */

typedef bool place_rule(struct placing *p);

/* as operand i; false if that has another rank */
static bool
place_as(struct placing *p, u32 i)
{
    const struct aval *a = i < p->r->n ? &p->r->in[i] : NULL;
    for (u32 d = 0; a && d < p->rank && d < a->rank; d++)
        p->over[d] = axis_sharding(a, d);
    return a && a->rank == p->rank;
}

/* as operand 0. False if that may have no mesh but another operand is sharded: the others may then decide in ways that
 * depend on the primitive */
static bool
place_as_first(struct placing *p)
{
    for (u32 k = 1; k < p->r->n && may_lack_mesh(p->r, &p->r->in[0]); k++)
        if (!is_unsharded(&p->r->in[k]))
            return false;
    return place_as(p, 0);
}

static bool
place_as_second(struct placing *p)
{
    return place_as(p, 1);
}

static bool
place_as_last(struct placing *p)
{
    return place_as(p, p->r->n - 1);
}

/* each result as the operand of its number; one without such an operand is not sharded */
static bool
place_each(struct placing *p)
{
    return p->result < p->r->n ? place_as(p, p->result) : place_nowhere(p);
}

/* as operand i without some of its axes */
static bool
place_without(struct placing *p, u32 i, struct ints axes)
{
    const struct aval *a = i < p->r->n ? &p->r->in[i] : NULL;
    u32 kept = 0;
    for (u32 d = 0; a && d < a->rank; d++) {
        bool gone = false;
        for (u32 k = 0; k < axes.n; k++)
            gone |= axes.at[k] == d;
        if (!gone && kept < p->rank)
            p->over[kept++] = axis_sharding(a, d);
    }
    return a && a->rank == p->rank + axes.n && kept == p->rank;
}

static bool
place_reduced(struct placing *p)
{
    struct ints axes = {NULL, 0};
    return param_ints(p->r, "dimensions", &axes) && place_without(p, p->result, axes);
}

static bool
place_unstacked(struct placing *p)
{
    i64 axis;
    return param_int(p->r, "axis", &axis) && place_without(p, 0, (struct ints){&axis, 1});
}

/* as operand 0, though extents may change; an array of one element is not sharded from some version on */
static bool
place_resized(struct placing *p)
{
    struct aval binder = rule_binder(p->r, p->result);
    bool single = true;
    for (u32 d = 0; d < p->rank; d++)
        single &= dim_is(binder.dims[d], 1);
    return !single && place_as_first(p);
}

/* how many batch axes operand i of a function of matrices and vectors has */
static u32
batch_axes(const struct rule *r, u32 i)
{
    u32 cores = r->prim->is.cores, core = cores ? cores >> 4 * i & 15 : 2;
    return r->in[i].rank < core ? 0 : r->in[i].rank - core;
}

/* the batch axes as operand 0 */
static bool
place_batch(struct placing *p)
{
    u32 batch = batch_axes(p->r, 0);
    if (p->rank < batch)
        return false;
    for (u32 d = 0; d < p->rank; d++)
        p->over[d] = d < batch ? axis_sharding(&p->r->in[0], d) : nowhere;
    return true;
}

/* the shape rule copied the sharding of the axes it keeps */
static bool
place_kept(struct placing *p)
{
    if (!p->type->ranked || p->type->rank != p->rank)
        return false;
    for (u32 d = 0; d < p->rank; d++)
        p->over[d] = axis_sharding(p->type, d);
    return true;
}

/* as the first operand that is sharded, with one more axis, which is not */
static bool
place_stacked(struct placing *p)
{
    u32 from = 0;
    i64 axis;
    while (from + 1 < p->r->n && is_unsharded(&p->r->in[from]))
        from++;
    const struct aval *a = &p->r->in[from];
    if (!param_int(p->r, "axis", &axis) || axis < 0 || axis > a->rank || a->rank + 1u != p->rank)
        return false;
    for (u32 d = 0; d < p->rank; d++)
        p->over[d] = d == axis ? nowhere : axis_sharding(a, d - (d > axis));
    return true;
}

/* the axes that an array of keys has as operand 0, which is one or holds the words of one, and no others */
static bool
place_keys(struct placing *p)
{
    const struct aval *a = &p->r->in[0];
    for (u32 d = 0; d < p->rank; d++)
        p->over[d] = d < a->rank ? axis_sharding(a, d) : nowhere;
    return true;
}

/* each axis as in the first operand that shards it; the others leave it unsharded or agree */
static bool
place_merged(struct placing *p)
{
    for (u32 d = 0; d < p->rank; d++) {
        p->over[d] = nowhere;
        for (u32 i = 0; i < p->r->n && !p->over[d].n; i++)
            if (p->r->in[i].rank == p->rank)
                p->over[d] = axis_sharding(&p->r->in[i], d);
    }
    return true;
}

/* the solution of a triangular system: the axis that it shares with the matrix as there, the other as operand 1 has it
 */
static bool
place_solved(struct placing *p)
{
    const struct aval *a = &p->r->in[0], *b = &p->r->in[1];
    struct slice left, transposed;
    if (a->rank < 2 || a->rank != p->rank || b->rank != a->rank || !param_text(p->r, "left_side", &left) ||
        !param_text(p->r, "transpose_a", &transposed))
        return false;
    bool on_left = slice_eq(left, SLICE("True")), flipped = slice_eq(transposed, SLICE("True"));
    u32 batch = a->rank - 2;
    for (u32 d = 0; d < p->rank; d++)
        p->over[d] = axis_sharding(d < batch ? a : b, d);
    p->over[batch + !on_left] = axis_sharding(a, batch + (on_left == flipped));
    return true;
}

bool
place_nowhere(struct placing *p)
{
    for (u32 d = 0; d < p->rank; d++)
        p->over[d] = nowhere;
    return true;
}

static bool
place_broadcast(struct placing *p)
{
    const struct aval *a = &p->r->in[0];
    struct ints axes = {NULL, 0};
    if (!param_ints(p->r, "broadcast_dimensions", &axes) && a->rank)
        return false;
    place_nowhere(p);
    for (u32 i = 0; i < axes.n && i < a->rank; i++)
        if (i && axes.at[i] < axes.at[i - 1])
            return false; /* JAX places the axes of the operand in the order of those of the result */
        else if (axes.at[i] >= 0 && axes.at[i] < p->rank)
            p->over[axes.at[i]] = axis_sharding(a, i);
    return true;
}

/* ---- the table ---- */

static place_rule *const places[] = {
    [SHARD_UNKNOWN] = NULL,
    [SHARD_FIRST] = place_as_first,
    [SHARD_SECOND] = place_as_second,
    [SHARD_LAST] = place_as_last,
    [SHARD_EACH] = place_each,
    [SHARD_REDUCED] = place_reduced,
    [SHARD_UNSTACKED] = place_unstacked,
    [SHARD_MERGED] = place_merged,
    [SHARD_KEPT] = place_kept,
    [SHARD_STACKED] = place_stacked,
    [SHARD_KEYS] = place_keys,
    [SHARD_RESIZED] = place_resized,
    [SHARD_BATCH] = place_batch,
    [SHARD_SOLVED] = place_solved,
    [SHARD_NOWHERE] = place_nowhere,
    [SHARD_BROADCAST] = place_broadcast,
    [SHARD_RESHAPED] = place_reshaped,
    [SHARD_GATHERED] = place_gathered,
    [SHARD_SCATTERED] = place_scattered,
};

bool
placing_find(struct placing *p)
{
    const struct prim *row = p->r->prim;
    struct slice text;
    const char *key = prim_role(row, SLICE("sharding")).n ? "sharding" : "out_sharding"; /* the requested sharding */
    if (!places[row->is.sharding])
        return false;
    if (param_text(p->r, key, &text) && !slice_eq(text, SLICE("None")))
        return false; /* spec_check.c compares the result with it */
    p->guessed = row->is.sharding_hidden && rule_param(p->r, key) == NONE;
    return places[row->is.sharding](p);
}

/* ---- comparing ---- */

bool
placings_agree(const struct aval *a, const struct aval *b)
{
    return placings_equal(a, b) || is_unsharded(a) || is_unsharded(b);
}

bool
placings_equal(const struct aval *a, const struct aval *b)
{
    if (a->kind != b->kind || (a->kind != AVAL_ARRAY && a->kind != AVAL_REF) || !a->ranked || !b->ranked ||
        a->rank != b->rank || a->dims == b->dims)
        return true;
    for (u32 d = 0; d < a->rank; d++)
        if (!value_alike(axis_sharding(a, d), axis_sharding(b, d)))
            return false;
    return true;
}

/* ---- operands ---- */

const char *
format_sharding(struct rule *r, struct slice axes)
{
    return axes.n ? format_text(r, "sharded over `%s`", format_slice(r, axes)) : "not sharded";
}

/* what is compatible with any sharding: an axis that is not sharded, only an operand that may have no mesh, or nothing
 */
enum compatible { UNSHARDED_AXES, OPERANDS_WITHOUT_MESH, NO_OTHER };

/* whether older versions accept what newer ones do not, and the text does not show the version */
static bool
only_warns(struct rule *r)
{
    u8 operands = r->prim->is.operands;
    return operands == AXES_NUMBERED ||
           (operands == AXIS_WHOLE_LATER && !range_has(rule_versions(r), JAX_SHARDED_AXES_REFUSED));
}

/* reports operands that newer versions of JAX refuse for their shardings; text is from format_text */
static bool
report_sharding(struct rule *r, enum diag_code code, struct where where, const char *text)
{
    return only_warns(r) ? rule_warning(r, code, where, "%s", text) : bind_error(r, AS_NEWER_JAX, code, where, text);
}

/* whether axis d of operand i is compatible with any sharding */
static bool
fits_any_sharding(const struct rule *r, u32 i, u32 d, enum compatible free)
{
    return free == UNSHARDED_AXES          ? axis_sharding(&r->in[i], d).n == 0
           : free == OPERANDS_WITHOUT_MESH ? may_lack_mesh(r, &r->in[i])
                                           : false;
}

/* checks that axis d of operands [from, n) has equal shardings, apart from what is compatible with any */
static bool
axis_sharded_alike(struct rule *r, u32 from, u32 n, u32 d, enum compatible free)
{
    for (u32 i = from + 1; i < n; i++) {
        if (r->in[from].rank != r->in[i].rank)
            continue;
        struct slice one = axis_sharding(&r->in[from], d), other = axis_sharding(&r->in[i], d);
        if (fits_any_sharding(r, from, d, free)) {
            from = i;
            continue;
        }
        if (value_alike(one, other) || fits_any_sharding(r, i, d, free))
            continue;
        bool fine = report_sharding(
            r, DIAG_T008, at_operand(i),
            format_text(r, "operands of `%s` must have the same sharding: axis %u of `%s` is %s, that of `%s` is %s",
                        format_prim(r), d, format_operand(r, from), format_sharding(r, one), format_operand(r, i),
                        format_sharding(r, other)));
        rule_note_operand(r, from);
        rule_note_operand(r, i);
        rule_hint(r, RESHARD_HELPS);
        return fine;
    }
    return true;
}

/* checks that operands [from, n) have equal shardings, apart from what is compatible with any */
static bool
have_same_sharding(struct rule *r, u32 from, u32 n, enum compatible free)
{
    for (u32 d = 0; from < n && d < r->in[from].rank; d++)
        if (!axis_sharded_alike(r, from, n, d, free))
            return false;
    return true;
}

/* checks that the axis in the row's parameter of role AXIS is not sharded */
static bool
axis_whole(struct rule *r)
{
    i64 axis;
    struct prim_param param = {0};
    for (const char *at = r->prim->params; !slice_eq(param.role, SLICE("AXIS"));)
        if (!prim_param_next(&at, &param))
            return true;
    const char *key = format_slice(r, param.key);
    const struct aval *a = &r->in[0];
    if (!param_int(r, key, &axis) || axis < 0 || axis >= a->rank || !axis_sharding(a, (u32)axis).n)
        return true;
    bool fine = report_sharding(
        r, DIAG_T009, at_param(r, key),
        format_text(r,
                    "`%s` operates along axis %lld, which must not be sharded%s, but is sharded over `%s`: `%s` is %s",
                    format_prim(r), (long long)axis, only_warns(r) ? " since JAX 0.10" : "",
                    format_slice(r, axis_sharding(a, (u32)axis)), format_operand(r, 0), format_aval(r, a)));
    rule_note_operand(r, 0);
    rule_hint(r, RESHARD_HELPS);
    return fine;
}

bool
axis_must_be_whole(struct rule *r, const char *what, u32 i, u32 d)
{
    struct slice over = axis_sharding(&r->in[i], d);
    if (!over.n)
        return true;
    const char *operand = format_operand(r, i), *axes = format_slice(r, over);
    bool fine = report_sharding(
        r, DIAG_T008, at_operand(i),
        format_text(r, "%s must not be sharded, but axis %u of `%s` is sharded over `%s`", what, d, operand, axes));
    rule_note_operand(r, i);
    rule_hint(r, RESHARD_HELPS);
    return fine;
}

bool
axes_must_be_alike(struct rule *r, const char *what, struct operand_axis one, struct operand_axis other, bool exact)
{
    struct slice first = axis_sharding(&r->in[one.operand], one.axis);
    struct slice second = axis_sharding(&r->in[other.operand], other.axis);
    if (value_alike(first, second) || (!exact && (!first.n || !second.n)))
        return true;
    const char *are = format_text(r, "axis %u of `%s` is %s, axis %u of `%s` is %s", one.axis,
                                  format_operand(r, one.operand), format_sharding(r, first), other.axis,
                                  format_operand(r, other.operand), format_sharding(r, second));
    bool fine = report_sharding(r, DIAG_T008, at_operand(other.operand),
                                format_text(r, "%s must have the same sharding: %s", what, are));
    rule_note_operand(r, one.operand);
    rule_note_operand(r, other.operand);
    rule_hint(r, RESHARD_HELPS);
    return fine;
}

/* of matrices and vectors, only batch axes are sharded, and alike (linalg.py, linalg_sharding_rule) */
static bool
matrices_whole(struct rule *r)
{
    for (u32 i = 0; i < r->n; i++) {
        u32 batch = batch_axes(r, i), core = r->in[i].rank - batch;
        const char *what = core == 2 ? format_text(r, "the last two axes of %s of `%s`",
                                                   r->n == 1 ? "the operand" : "an operand", format_prim(r))
                                     : format_text(r, "the last axis of an operand of `%s`", format_prim(r));
        for (u32 d = batch; d < r->in[i].rank; d++)
            if (!axis_must_be_whole(r, what, i, d))
                return false;
        what = i && batch ? format_text(r, "the batch axes of the operands of `%s`", format_prim(r)) : NULL;
        for (u32 d = 0; what && d < batch && d < r->in[0].rank; d++)
            if (!axes_must_be_alike(r, what, (struct operand_axis){0, d}, (struct operand_axis){i, d}, true))
                return false;
    }
    return true;
}

/* a triangular system: the axes that the product of `a` with the solution contracts are whole (linalg.py,
 * _tri_solve_sharding) */
static bool
system_whole(struct rule *r)
{
    const struct aval *a = &r->in[0], *b = &r->in[1];
    struct slice left, transposed;
    if (a->rank < 2 || b->rank != a->rank || !param_text(r, "left_side", &left) ||
        !param_text(r, "transpose_a", &transposed))
        return true;
    bool on_left = slice_eq(left, SLICE("True")), flipped = slice_eq(transposed, SLICE("True"));
    u32 batch = a->rank - 2;
    const char *what = format_text(r, "the batch axes of the operands of `%s`", format_prim(r));
    for (u32 d = 0; d < batch; d++)
        if (!axes_must_be_alike(r, what, (struct operand_axis){0, d}, (struct operand_axis){1, d}, true))
            return false;
    what = format_text(r, "the axes that `%s` contracts", format_prim(r));
    return axis_must_be_whole(r, what, 0, batch + (on_left != flipped)) &&
           axis_must_be_whole(r, what, 1, batch + !on_left);
}

/* a convolution without a sharding of its own: the kernel and the features of the input are whole (convolution.py,
 * _conv_general_dilated_sharding_rule) */
static bool
kernel_whole(struct rule *r)
{
    struct slice text;
    struct ints input;
    if (!param_is_none(r, "out_sharding"))
        return true;
    const char *what = format_text(r, "the kernel of `%s` with out_sharding=None", format_prim(r));
    for (u32 d = 0; d < r->in[1].rank; d++)
        if (!axis_must_be_whole(r, what, 1, d))
            return false;
    what = format_text(r, "the feature axis of the input of `%s` with out_sharding=None", format_prim(r));
    return !param_text(r, "dimension_numbers", &text) || !read_numbers(r, text, "lhs_spec", false, &input) ||
           input.n < 2 || input.at[1] < 0 || input.at[1] >= r->in[0].rank ||
           axis_must_be_whole(r, what, 0, (u32)input.at[1]);
}

/* checks that the axes after those of the result are not sharded: they hold the words of a key
 * (jax/_src/sharding_impls.py, check_replicated_trailing_dims) */
static bool
words_whole(struct rule *r)
{
    struct aval keys = rule_binder(r, 0);
    const char *what = format_text(r, "the axes of `%s` with the words of keys", format_operand(r, 0));
    for (u32 d = keys.ranked ? keys.rank : r->in[0].rank; d < r->in[0].rank; d++)
        if (!axis_must_be_whole(r, what, 0, d))
            return false;
    return true;
}

bool
placing_allowed(struct rule *r)
{
    if (r->prim->is.sharding == SHARD_BATCH && !matrices_whole(r))
        return false;
    switch ((enum operand_sharding)r->prim->is.operands) {
    case SHARDED_FREELY:
        return true;
    case SHARDED_ALIKE:
        return have_same_sharding(r, 0, r->n, UNSHARDED_AXES);
    case CASES_ALIKE:
        return have_same_sharding(r, 1, r->n, OPERANDS_WITHOUT_MESH) &&
               (r->n < 2 || r->in[0].rank == 0 || have_same_sharding(r, 0, 2, OPERANDS_WITHOUT_MESH));
    case FIRST_TWO_ALIKE:
        return have_same_sharding(r, 0, r->n < 2 ? r->n : 2, NO_OTHER);
    case AXIS_WHOLE:
        return axis_whole(r);
    case AXIS_WHOLE_LATER:
        return range_lacks(rule_versions(r), JAX_SHARDED_AXES_REFUSED) ||
               (axis_whole(r) && have_same_sharding(r, 0, r->n, OPERANDS_WITHOUT_MESH));
    case WORDS_WHOLE:
        return words_whole(r);
    case ONE_AXIS_RESHAPED:
        return reshape_allowed(r);
    case ALL_ALIKE:
        return have_same_sharding(r, 0, r->n, OPERANDS_WITHOUT_MESH);
    case SYSTEM_WHOLE:
        return system_whole(r);
    case KERNEL_WHOLE:
        return kernel_whole(r);
    case AXES_NUMBERED:
        return r->n > 2 ? scatter_allowed(r) : gather_allowed(r);
    }
    return true;
}
