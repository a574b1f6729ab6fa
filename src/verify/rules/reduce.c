/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives that reduce axes, and those that sort or scan along one (jax/_src/lax/lax.py: _reduce_op_shape_rule,
 * _argminmax_shape_rule, _reduce_shape_rule, _sort_abstract_eval, _top_k_abstract_eval; control_flow/loops.py:
 * _cumred_shape_rule; ann.py). Linear in operands and ranks. */
#include "verify/axes.h"
#include "verify/call_check.h"

/* reduces the axes that `mark` finds in the parameter */
static bool
reduce(struct rule *r, struct aval *out,
       bool mark(struct rule *r, const char *key, const struct ints *axes, u32 rank, u8 *seen))
{
    struct ints axes;
    *out = r->in[0];
    if (!out->ranked || !param_ints(r, "axes", &axes))
        return unranked(r, out);
    u8 *seen = axis_marks(r, out->rank);
    if (!mark(r, "axes", &axes, out->rank, seen))
        return false;
    *out = without_axes(r, &r->in[0], seen);
    return true;
}

/* reduce_sum etc.: axes are in range and not repeated */
bool
shape_reduce_axes(struct rule *r, struct aval *out)
{
    return reduce(r, out, axes_fit);
}

/* marks axes with the rules of numpy.delete: negative ones count from the end, repetitions are ignored */
static bool
mark_deleted(struct rule *r, const char *key, const struct ints *axes, u32 rank, u8 *seen)
{
    for (u32 i = 0; i < axes->n; i++) {
        i64 axis = axes->at[i] < 0 ? axes->at[i] + rank : axes->at[i];
        if (axis < 0 || axis >= rank)
            return entry_fits(r, key, axes, i, rank, NULL);
        seen[axis] = 1;
    }
    return true;
}

/* warns of axes that mark_deleted accepts and XLA rejects: negative ones and repetitions */
static void
warn_of_axes(struct rule *r, const char *key, const struct ints *axes, u32 rank)
{
    u8 *seen = axis_marks(r, rank);
    for (u32 i = 0; i < axes->n; i++) {
        i64 axis = axes->at[i] < 0 ? axes->at[i] + rank : axes->at[i];
        if (axes->at[i] < 0 || seen[axis])
            rule_warning(r, DIAG_T009, at_entry(r, key, axes, i),
                         axes->at[i] < 0 ? "`%s` of `%s` contains axis %lld, but axes are counted from 0"
                                         : "`%s` of `%s` contains axis %lld twice",
                         key, format_prim(r), (long long)axes->at[i]);
        seen[axis] = 1;
    }
}

/* reduce_and, reduce_or, reduce_xor */
bool
shape_reduce_bits(struct rule *r, struct aval *out)
{
    struct ints axes;
    if (!reduce(r, out, mark_deleted))
        return false;
    if (r->in[0].ranked && param_ints(r, "axes", &axes))
        warn_of_axes(r, "axes", &axes, r->in[0].rank);
    return true;
}

bool
shape_argminmax(struct rule *r, struct aval *out)
{
    struct ints axes;
    dtype_t index;
    if (param_dtype(r, "index_dtype", &index) && !(IN_INT >> dtype_class(index) & 1)) {
        struct aval wanted = aval_scalar(index);
        return rule_error(r, DIAG_T010, at_param(r, "index_dtype"),
                          "`index_dtype` of `%s` must be an integer type, got %s", format_prim(r),
                          format_dtype(r, &wanted));
    }
    if (param_ints(r, "axes", &axes) && axes.n != 1)
        return rule_error(r, DIAG_T010, at_param(r, "axes"), "`axes` of `%s` must name one axis, but names %u",
                          format_prim(r), axes.n);
    if (!shape_reduce_axes(r, out))
        return false;
    if (r->in[0].ranked && out->ranked && axes.n == 1 && dim_is(r->in[0].dims[axes.at[0]], 0))
        return rule_error_operand(r, DIAG_T008, 0, "the axis of `%s` must not be empty", format_prim(r));
    return true;
}

bool
dtype_index(struct rule *r, struct aval *out)
{
    dtype_t index;
    aval_set_dtype(out, param_dtype(r, "index_dtype", &index) ? index : NONE);
    return true;
}

bool
paired_initials(struct rule *r)
{
    u32 half = r->n / 2;
    const char *the = half == 1 ? "the" : "an";
    if (r->n % 2)
        return rule_error(r, DIAG_T005, at_prim(),
                          "`%s` takes as many initial values as operands, but %u operands are given in all",
                          format_prim(r), r->n);
    if (!rule_results(r, half))
        return false;
    for (u32 i = 0; i < half; i++) {
        const struct aval *init = &r->in[half + i];
        if (init->ranked && init->rank) {
            rule_error_operand(r, DIAG_T008, half + i, "%s initial value of `%s` must be a scalar", the,
                               format_prim(r));
            return rule_hint(r, "all operands come first, then one initial value for each");
        }
        if (shapes_agree(&r->in[0], &r->in[i]) == NO) {
            rule_stricter(r, DIAG_T008, at_operand(i),
                          "the operands of `%s` must have the same shape: `%s` is %s, `%s` is %s", format_prim(r),
                          format_operand(r, 0), format_aval(r, &r->in[0]), format_operand(r, i),
                          format_aval(r, &r->in[i]));
            return rule_note_operand(r, 0) || rule_note_operand(r, i);
        }
        if (dtypes_agree(&r->in[i], init) == NO)
            return rule_error_pair(r, DIAG_T007, i, half + i,
                                   "%s initial value of `%s` must have the element type of its operand", the,
                                   format_prim(r));
    }
    return true;
}

/* checks that a program that combines scalars has a binder for each of its constants, which another parameter lists */
static bool
lists_consts(struct rule *r, const char *key, jaxpr_t j)
{
    static const struct {
        const char *program, *consts;
    } keys[] = {{"jaxpr", "consts"},
                {"update_jaxpr", "update_consts"},
                {"select_jaxpr", "select_consts"},
                {"scatter_jaxpr", "scatter_consts"}};
    struct slice text;
    u32 k = 0, n, has = j == NONE ? 0 : r->m->jaxprs.at[j].n_consts;
    while (k < countof(keys) && strcmp(keys[k].program, key) != 0)
        k++;
    if (k == countof(keys) || !param_text(r, keys[k].consts, &text) || !value_count(text, &n) || n <= has ||
        (j == NONE && !param_is_none(r, key)))
        return true;
    const char *takes = j == NONE ? "is None" : has ? format_text(r, "takes %u", has) : "takes no constants";
    rule_stricter(r, DIAG_T018, at_param(r, keys[k].consts), "`%s` of `%s` has %s, but its `%s` %s", keys[k].consts,
                  format_prim(r), format_count(r, n, "entry", "entries"), key, takes);
    return j == NONE ? rule_note(r, at_param(r, key), "`%s` is None here", key)
                     : rule_note(r, at_part(r, j, false, NONE), "the program begins here");
}

bool
combines_scalars(struct rule *r, const char *key, u32 n, bool chooses)
{
    jaxpr_t j = rule_jaxpr(r, key);
    if (!lists_consts(r, key, j) || j == NONE)
        return !r->failed;
    const struct jaxpr *program = &r->m->jaxprs.at[j];
    bool takes = program->n_ins != 2 * n;
    u32 served = takes ? program->n_ins / 2 : program->n_outs;
    if (takes || program->n_outs != n)
        return rule_stricter(r, DIAG_T012, at_part(r, j, !takes, n * (1u + takes)),
                             "`%s` of `%s` must %s %s, %s for each array that it combines, but %s %u", key,
                             format_prim(r), takes ? "take" : "return",
                             format_count(r, n * (1u + takes), "value", "values"), takes ? "two" : "one",
                             takes ? "takes" : "returns", takes ? program->n_ins : program->n_outs) ||
               (n && rule_note_operand(r, served < n ? served : n - 1));
    for (u32 i = 0; i < 3 * n; i++) {
        bool given = i >= 2 * n;
        const struct aval *of = &r->in[i % n];
        struct aval has = given ? jaxpr_out_aval(r, j, i - 2 * n) : jaxpr_in_aval(r, j, i);
        struct aval wanted = aval_scalar(chooses && given ? DT_bool : of->dtype);
        wanted.bounded &= of->bounded;
        if (wanted.dtype == NONE || avals_agree(&wanted, &has) != NO)
            continue;
        if (given && chooses)
            return rule_stricter(
                r, DIAG_T012, at_out(j, i - 2 * n),
                "`%s` of `%s` must return bool[] (whether to select the first element), but returns `%s`, which is %s",
                key, format_prim(r), format_out(r, j, i - 2 * n), format_aval(r, &has));
        rule_stricter(
            r, DIAG_T012, given ? at_out(j, i - 2 * n) : at_binder(r, j, i),
            "`%s` of `%s` must %s %s, but %s `%s`, which is %s: `%s` is applied to elements of `%s`, which is %s", key,
            format_prim(r), given ? "return" : "take", format_aval(r, &wanted), given ? "returns" : "takes",
            given ? format_out(r, j, i - 2 * n) : format_binder(r, j, jaxpr_consts(r, j) + i), format_aval(r, &has),
            key, format_operand(r, i % n), format_aval(r, of));
        rule_note_operand(r, i % n);
        if (!given)
            rule_passed(r, program->vars + program->n_consts + i, &wanted);
        return false;
    }
    return true;
}

/* reduce: operands, then as many initial values */
bool
shape_reduce(struct rule *r, struct aval *out)
{
    struct ints axes;
    u32 half = r->n / 2;
    (void)out;
    if (!paired_initials(r) || !combines_scalars(r, "jaxpr", half, false))
        return false;
    bool known = param_ints(r, "dimensions", &axes), warned = false; /* of axes that all operands share */
    for (u32 i = 0; i < half; i++) {
        if (!known || !r->in[i].ranked) {
            struct aval reduced = r->in[i];
            unranked(r, &reduced);
            rule_result(r, i, &reduced);
            continue;
        }
        u8 *seen = axis_marks(r, r->in[i].rank);
        if (!mark_deleted(r, "dimensions", &axes, r->in[i].rank, seen))
            return false;
        if (!warned)
            warn_of_axes(r, "dimensions", &axes, r->in[i].rank);
        warned = true;
        struct aval result = without_axes(r, &r->in[i], seen);
        rule_result(r, i, &result);
    }
    return true;
}

/* cumsum etc. */
bool
shape_cumulative(struct rule *r, struct aval *out)
{
    i64 axis;
    *out = r->in[0];
    return !out->ranked || !param_int(r, "axis", &axis) || axis_fits(r, "axis", axis, out->rank, NULL);
}

/* sort: any number of operands of one shape; the results have their types */
bool
shape_sort(struct rule *r, struct aval *out)
{
    i64 axis, keys;
    (void)out;
    if (!rule_results(r, r->n))
        return rule_hint(r, "`sort` returns one result per operand");
    for (u32 i = 1; i < r->n; i++)
        if (shapes_agree(&r->in[0], &r->in[i]) == NO)
            return rule_error_pair(r, DIAG_T008, 0, i, "the operands of `sort` must have the same shape");
    if (r->in[0].ranked && param_int(r, "dimension", &axis) && (axis < 0 || axis >= r->in[0].rank))
        return rule_stricter(r, DIAG_T009, at_param(r, "dimension"),
                             "`dimension` of `sort` is %lld, which is out of range: `%s` is %s", (long long)axis,
                             format_operand(r, 0), format_aval(r, &r->in[0])) ||
               rule_note_operand(r, 0);
    if (param_int(r, "num_keys", &keys) && (keys < 1 || keys > r->n))
        return rule_stricter(r, DIAG_T010, at_param(r, "num_keys"),
                             "`num_keys` of `sort` must be from 1 to the number of operands (%u), got %lld", r->n,
                             (long long)keys);
    for (u32 i = 0; i < r->n; i++)
        rule_result(r, i, &r->in[i]);
    return true;
}

/* checks the results of top_k and approx_top_k: the values and their indices. `axis`: NONE if it is unknown */
static bool
values_and_places(struct rule *r, u32 axis, struct dim k)
{
    struct aval values = r->in[0];
    if (values.ranked && axis == NONE)
        unsized(r, &values, values.rank);
    else if (values.ranked) {
        struct dim *dims = copy_dims(r, 0, 0);
        dims[axis] = k;
        values = aval_reshaped(&r->in[0], r->in[0].rank, dims);
    }
    values.type = NONE;
    struct aval places = values;
    aval_set_dtype(&places, DT_i32);
    bool right = rule_result(r, 0, &values);
    return rule_result(r, 1, &places) && right;
}

/* reports that an axis has fewer than k elements */
static bool
too_many(struct rule *r, struct dim k, i64 axis)
{
    rule_error(r, DIAG_T009, at_param(r, "k"),
               "`%s` selects %s elements, but there are only %s along axis %lld of `%s`", format_prim(r),
               format_dim(r, k), format_dim(r, r->in[0].dims[axis]), (long long)axis, format_operand(r, 0));
    return rule_note_operand(r, 0);
}

bool
shape_top_k(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice text;
    struct dim k = dim_unknown();
    i64 axis = (i64)a->rank - 1;
    (void)out;
    if (!rule_results(r, 2))
        return false;
    if (param_text(r, "k", &text))
        read_dim(r, text, &k);
    if (k.kind == DIM_INT && k.value < 0)
        return rule_error(r, DIAG_T010, at_param(r, "k"), "`k` of `top_k` must not be negative, got %lld",
                          (long long)k.value);
    if (!a->ranked)
        return values_and_places(r, 0, k);
    if (a->rank == 0)
        return rule_error(r, DIAG_T008, at_operand(0), "the operand of `top_k` must have an axis: `%s` is a scalar",
                          format_operand(r, 0));
    if (rule_param(r, "axis") != NONE && !param_int(r, "axis", &axis))
        return values_and_places(r, NONE, k);
    if (!axis_fits(r, "axis", axis, a->rank, NULL))
        return false;
    if (!at_most(r, at_param(r, "k"), k, a->dims[axis]))
        return too_many(r, k, axis);
    return values_and_places(r, (u32)axis, k);
}

/* unaggregated results have the size of TPU lane tiles (XLA, ApproxTopKReductionOutputSize) */
enum { PARTIAL_TILE = 128, CHUNK_TILE = 1024 };

/* checks that reduction_input_size_override, unless it is below 0, is at least the size of the axis: XLA requires this
 * if the axis has several tiles and results are not aggregated */
static bool
override_fits(struct rule *r, const struct aval *a, i64 axis)
{
    i64 size;
    struct dim d = a->dims[axis];
    if (d.kind != DIM_INT || d.value <= (a->rank == 1 ? CHUNK_TILE : PARTIAL_TILE) ||
        !param_int(r, "reduction_input_size_override", &size) || size < 0 || size >= d.value)
        return true;
    return rule_error(r, DIAG_T010, at_param(r, "reduction_input_size_override"),
                      "`reduction_input_size_override` of `%s` must be at least the size of axis %lld (%s) or below 0, "
                      "got %lld",
                      format_prim(r), (long long)axis, format_dim(r, d), (long long)size) ||
           rule_note_operand(r, 0);
}

static bool
is_symbol(const struct dim *d)
{
    return d->kind == DIM_EXPR || (d->kind == DIM_NAME && d->value == DIM_SYMBOL);
}

bool
shape_approx_top_k(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice text;
    struct dim k;
    i64 axis;
    bool aggregate;
    (void)out;
    if (!rule_results(r, 2))
        return false;
    if (!a->ranked || !param_int(r, "reduction_dimension", &axis) || !param_text(r, "k", &text) ||
        !read_dim(r, text, &k))
        return values_and_places(r, NONE, dim_unknown());
    if (k.kind == DIM_INT && k.value <= 0)
        return rule_error(r, DIAG_T010, at_param(r, "k"), "`k` of `approx_top_k` must be positive, got %s",
                          format_dim(r, k));
    if (axis < 0)
        axis += a->rank;
    if (!axis_fits(r, "reduction_dimension", axis, a->rank, NULL))
        return false;
    if (!at_most(r, at_param(r, "k"), k, a->dims[axis]))
        return too_many(r, k, axis);
    bool known = param_bool(r, "aggregate_to_topk", &aggregate);
    struct aval values = rule_binder(r, 0);
    if (known && !aggregate && is_symbol(&k))
        return rule_error(r, DIAG_T010, at_param(r, "k"),
                          "with aggregate_to_topk=False, `k` of `%s` must be a number, got `%s`", format_prim(r),
                          format_dim(r, k));
    if (known && !aggregate && is_symbol(&a->dims[axis]))
        return rule_error(r, DIAG_T010, at_param(r, "reduction_dimension"),
                          "with aggregate_to_topk=False, `%s` requires an axis whose size is a number, but axis %lld "
                          "of `%s` has size %s",
                          format_prim(r), (long long)axis, format_operand(r, 0), format_dim(r, a->dims[axis])) ||
               rule_note_operand(r, 0);
    if (known && !aggregate && !override_fits(r, a, axis))
        return false;
    if (known && !aggregate && values.ranked && values.rank == a->rank && a->dims[axis].kind == DIM_INT &&
        values.dims[axis].kind == DIM_INT && values.dims[axis].value % PARTIAL_TILE != 0 &&
        values.dims[axis].value != a->dims[axis].value) {
        rule_error(r, DIAG_T003, at_result(0),
                   "`%s` is bound as %s, but `%s` with aggregate_to_topk=False keeps the size of axis %lld of `%s`, "
                   "which is %s, or reduces it to a multiple of %d",
                   format_result(r, 0), format_aval(r, &values), format_prim(r), (long long)axis, format_operand(r, 0),
                   format_dim(r, a->dims[axis]), PARTIAL_TILE);
        return rule_note_operand(r, 0);
    }
    return values_and_places(r, (u32)axis, known && aggregate ? k : dim_unknown());
}
