/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that contract axes (jax/_src/lax/lax.py: _dot_general_shape_rule, _dot_general_dtype_rule,
 * _ragged_dot_general_shape_rule). Linear in ranks. */
#include "verify/dot.h"
#include "verify/memory_space.h"
#include "verify/sharding_rules.h"

bool
read_dot(struct rule *r, struct slice text, struct dot *d)
{
    struct cursor c = cursor_of(text);
    struct slice element;
    u32 count = 2;
    for (u32 group = 0; group < 3 && count == 2; group++) {
        if (group == 0 && is_word_start(*text.at)) /* dimension numbers of another primitive */
            count = 0;
        else if (group == 0 ? !value_count(text, &count)
                            : !value_element(&c, &element) || !value_count(element, &count))
            return false;
        if (count != 2)
            return rule_error(
                r, DIAG_T010, at_param(r, "dimension_numbers"),
                "the dimension numbers of `%s` must be two pairs: contracting and batch axes of both operands",
                format_prim(r));
        if (group == 0)
            value_open(&c);
    }
    c = cursor_of(text);
    if (!value_open(&c))
        return false;
    for (u32 group = 0; group < 2; group++) {
        if (!value_open(&c))
            return false;
        for (u32 side = 0; side < 2; side++) {
            struct ints *axes = group ? &d->batch[side] : &d->contract[side];
            if (!value_element(&c, &element) || !read_ints(r, element, axes))
                return false;
        }
        if (!value_close(&c))
            return false;
        value_comma(&c);
    }
    return true;
}

void
set_sides(struct rule *r, struct dot *d, u32 left, u32 right)
{
    d->at[LEFT] = left;
    d->at[RIGHT] = right;
    d->sides[LEFT] = &r->in[left];
    d->sides[RIGHT] = &r->in[right];
}

/* marks one list of axes of a side; reports those out of range or repeated */
static bool
mark_axes(struct rule *r, const char *key, struct dot *d, const struct ints *axes, u32 side)
{
    for (u32 i = 0; i < axes->n; i++) {
        if (axes->at[i] < 0 || axes->at[i] >= d->sides[side]->rank) {
            rule_error(r, DIAG_T009, at_entry(r, key, axes, i),
                       "`%s` of `%s` names axis %lld, which is out of range: `%s` is %s", key, format_prim(r),
                       (long long)axes->at[i], format_operand(r, d->at[side]), format_aval(r, d->sides[side]));
            return rule_note_operand(r, d->at[side]);
        }
        if (d->marks[side][axes->at[i]])
            return rule_error(r, DIAG_T010, at_entry(r, key, axes, i), "`%s` of `%s` names axis %lld of `%s` twice",
                              key, format_prim(r), (long long)axes->at[i], format_operand(r, d->at[side]));
        d->marks[side][axes->at[i]] = 1;
    }
    return true;
}

/* checks that the k-th axes of two lists have equal extents, for each k */
static bool
pair_axes(struct rule *r, const char *key, const char *what, const struct dot *d, const struct ints pair[2])
{
    const struct aval *a = d->sides[LEFT], *b = d->sides[RIGHT];
    if (pair[LEFT].n != pair[RIGHT].n)
        return rule_error(r, DIAG_T010, at_list(r, key, &pair[RIGHT]),
                          "`%s` requires equally many %s axes: %u of `%s`, %u of `%s`", format_prim(r), what,
                          pair[LEFT].n, format_operand(r, d->at[LEFT]), pair[RIGHT].n, format_operand(r, d->at[RIGHT]));
    for (u32 i = 0; i < pair[LEFT].n; i++) {
        i64 left = pair[LEFT].at[i], right = pair[RIGHT].at[i];
        if (dim_equal(&a->dims[left], &b->dims[right]) != NO)
            continue;
        rule_error_pair(r, DIAG_T008, d->at[LEFT], d->at[RIGHT],
                        "`%s` pairs %s axis %lld of `%s` with axis %lld of `%s`, whose sizes %s and %s differ",
                        format_prim(r), what, (long long)left, format_operand(r, d->at[LEFT]), (long long)right,
                        format_operand(r, d->at[RIGHT]), format_dim(r, a->dims[left]), format_dim(r, b->dims[right]));
        if (a->rank == 2 && b->rank == 2 && dim_equal(&a->dims[left], &b->dims[1 - right]) == YES)
            rule_hint(r, "axis %lld of the %s operand would match; are the dimensions transposed?",
                      (long long)(1 - right), ordinal_of(d->at[RIGHT]).text);
        return false;
    }
    return true;
}

bool
dot_shape(struct rule *r, const char *key, struct dot *d, const struct ints *groups, struct aval *out)
{
    for (u32 side = 0; side < 2; side++) {
        d->marks[side] = axis_marks(r, d->sides[side]->rank);
        if (!mark_axes(r, key, d, &d->contract[side], side) || !mark_axes(r, key, d, &d->batch[side], side))
            return false;
    }
    if (!pair_axes(r, key, "batch", d, d->batch) || !pair_axes(r, key, "contracting", d, d->contract))
        return false;
    for (u32 i = 0; groups && i < groups->n; i++)
        if (!entry_fits(r, key, groups, i, d->sides[RIGHT]->rank, d->marks[RIGHT]))
            return false;
    struct dim *dims = rule_alloc(r, ((size_t)d->sides[LEFT]->rank + d->sides[RIGHT]->rank + 2) * sizeof *dims);
    u32 rank = 0;
    for (u32 i = 0; i < d->batch[LEFT].n; i++)
        dims[rank++] = d->sides[LEFT]->dims[d->batch[LEFT].at[i]];
    for (u32 side = 0; side < 2; side++)
        for (u32 i = 0; i < d->sides[side]->rank; i++)
            if (!d->marks[side][i])
                dims[rank++] = d->sides[side]->dims[i];
    *out = aval_reshaped(d->sides[LEFT], rank, dims);
    return true;
}

/* marks in *named those of n axes that a sharding names; false if it names another */
static bool
mark_names(struct slice sharding, const struct slice *axes, u32 n, u64 *named)
{
    struct cursor c = cursor_inside(sharding);
    struct slice name;
    while (value_element(&c, &name)) {
        u32 k = 0;
        while (k < n && !slice_eq(axes[k], name))
            k++;
        if (k == n)
            return false;
        *named |= 1ull << k;
    }
    return true;
}

/* checks that no result is reduced and, if the result is unreduced, that contracting axes are sharded alike on both
 * sides, over exactly the mesh axes over which it is unreduced (jax/_src/lax/lax.py 0.12,
 * _dot_general_unreduced_rule) */
static bool
unreduced_as_contracted(struct rule *r, const struct dot *d)
{
    struct aval binder = rule_binder(r, 0);
    struct slice axes[MESH_AXES];
    u64 named = 0;
    u32 n = 0;
    if (binder.kind != AVAL_ARRAY || binder.type == NONE)
        return true;
    const struct type *type = type_get(&r->m->types, binder.type);
    if (type_axes(type, 'R').n)
        return rule_error(r, DIAG_T030, at_result(0),
                          "`%s` is bound as %s, but the result of `%s` is not reduced over any mesh axis, even "
                          "if its operands are",
                          format_result(r, 0), format_aval(r, &binder), format_prim(r)) ||
               rule_note_operand(r, 0) || rule_note_operand(r, 1);
    struct cursor c = cursor_of(type_axes(type, 'U'));
    while (n < MESH_AXES && value_element(&c, &axes[n]))
        n++;
    for (u32 i = 0; n && i < d->contract[LEFT].n; i++) {
        struct slice left = axis_sharding(d->sides[LEFT], (u32)d->contract[LEFT].at[i]);
        struct slice right = axis_sharding(d->sides[RIGHT], (u32)d->contract[RIGHT].at[i]);
        if (!value_alike(left, right) || !mark_names(left, axes, n, &named)) {
            rule_error(r, DIAG_T030, at_result(0),
                       "`%s` is bound as %s, so the axes that `%s` contracts must be sharded over `%s`: axis "
                       "%lld of `%s` is %s, "
                       "axis %lld of `%s` is %s",
                       format_result(r, 0), format_aval(r, &binder), format_prim(r),
                       format_slice(r, type_axes(type, 'U')), (long long)d->contract[LEFT].at[i],
                       format_operand(r, LEFT), format_sharding(r, left), (long long)d->contract[RIGHT].at[i],
                       format_operand(r, RIGHT), format_sharding(r, right));
            return rule_note_operand(r, LEFT) || rule_note_operand(r, RIGHT);
        }
    }
    for (u32 i = 0; i < n; i++)
        if (!(named >> i & 1))
            return rule_error(r, DIAG_T030, at_result(0),
                              "`%s` is bound as %s, but no axis that `%s` contracts is sharded over `%s`",
                              format_result(r, 0), format_aval(r, &binder), format_prim(r), format_slice(r, axes[i])) ||
                   rule_note_operand(r, LEFT) || rule_note_operand(r, RIGHT);
    return true;
}

bool
shape_dot_general(struct rule *r, struct aval *out)
{
    struct dot d;
    struct slice text;
    *out = r->in[LEFT];
    if (!r->in[LEFT].ranked || !r->in[RIGHT].ranked || !param_text(r, "dimension_numbers", &text) ||
        !read_dot(r, text, &d))
        return unranked(r, out);
    set_sides(r, &d, LEFT, RIGHT);
    return dot_shape(r, "dimension_numbers", &d, NULL, out) &&
           (likely(!r->m->types.reducing) || unreduced_as_contracted(r, &d));
}

/* pdot[pos_batch pos_contract], of JAX up to 0.4; the parameters list the batch and contracting axes that are given by
 * position, not by name (jax/_src/lax/parallel.py) */
bool
shape_pdot(struct rule *r, struct aval *out)
{
    struct dot d;
    struct slice contract, batch;
    *out = r->in[LEFT];
    if (!r->in[LEFT].ranked || !r->in[RIGHT].ranked || !param_text(r, "pos_contract", &contract) ||
        !param_text(r, "pos_batch", &batch))
        return unranked(r, out);
    const char *pairs = format_text(r, "(%.*s, %.*s)", (int)contract.n, contract.at, (int)batch.n, batch.at);
    if (!read_dot(r, slice_of(pairs), &d))
        return unranked(r, out);
    set_sides(r, &d, LEFT, RIGHT);
    return dot_shape(r, "pos_contract", &d, NULL, out);
}

/* ---- element types ---- */

/* JAX's order for the types of the two sides: complex over real, then range, precision, width, signed over unsigned */
static i64
dot_order(dtype_t dtype)
{
    static const struct {
        dtype_t dtype;
        int range, precision;
    } floats[] = {{DT_f64, 1024, 52},      {DT_f32, 128, 23},      {DT_bf16, 128, 7},       {DT_f16, 16, 10},
                  {DT_f8_e8m0fnu, 128, 0}, {DT_f8_e5m2, 16, 2},    {DT_f8_e5m2fnuz, 16, 2}, {DT_f8_e4m3fn, 9, 3},
                  {DT_f8_e4m3, 8, 3},      {DT_f8_e4m3fnuz, 8, 3}, {DT_f8_e3m4, 4, 4},      {DT_f8_e4m3b11fnuz, 5, 3},
                  {DT_f6_e3m2fn, 5, 2},    {DT_f6_e2m3fn, 3, 3},   {DT_f4_e2m1fn, 3, 1}};
    bool complex = dtype_class(dtype) == CLASS_COMPLEX;
    i64 bits = dtype_bits(dtype), range = 0, precision = 0;
    dtype_t part = dtype == DT_c64 ? DT_f32 : dtype == DT_c128 ? DT_f64 : dtype;
    if (complex)
        bits /= 2;
    if (dtype == DT_bool)
        bits = 1;
    for (u32 i = 0; i < countof(floats); i++)
        if (floats[i].dtype == part) {
            range = floats[i].range + 1;
            precision = floats[i].precision + 1;
        }
    return (((complex * 4096 + range) * 64 + precision) * 256 + bits) * 2 + (dtype_class(dtype) != CLASS_UNSIGNED);
}

bool
wrong_preference(struct rule *r, u32 i, dtype_t to)
{
    struct aval wanted = aval_scalar(to);
    rule_error(r, DIAG_T010, at_param(r, "preferred_element_type"),
               "`preferred_element_type` of `%s` is %s, which is not allowed for %s operands", format_prim(r),
               format_dtype(r, &wanted), format_dtype(r, &r->in[i]));
    return rule_note_operand(r, i);
}

/* the bits of a number, as in JAX's _bit_width: those of one part for complex types, 1 for bool */
static u32
number_bits(dtype_t dtype)
{
    if (dtype == DT_bool)
        return 1;
    return dtype_class(dtype) == CLASS_COMPLEX ? dtype_bits(dtype) / 2 : dtype_bits(dtype);
}

/* the classes of a product's element type if a literal without a printed type decides it, as its kind comes after the
 * other side's in `order`; else 0. An integer may be a float of few bits, which prints like one */
static u8
literal_wins(const struct aval *literal, const struct aval *other)
{
    static const u8 order[] = {IN_BOOL, IN_INT, IN_FLOAT, IN_COMPLEX};
    u8 below = 0;
    u32 i = 0;
    for (; i < countof(order) && !(literal->classes & order[i]); i++)
        below |= order[i];
    bool wins = literal->dtype == NONE && other->dtype != NONE && i < countof(order) && !(other->classes & (u8)~below);
    return !wins ? 0 : literal->classes & IN_INT ? IN_INT | IN_FLOAT : order[i];
}

bool
dtype_dot(struct rule *r, struct aval *out)
{
    u8 won = literal_wins(&r->in[LEFT], &r->in[RIGHT]) | literal_wins(&r->in[RIGHT], &r->in[LEFT]);
    dtype_t left = r->in[LEFT].dtype, right = r->in[RIGHT].dtype, preferred;
    struct slice precision;
    dtype_t result = left;
    if (left != NONE && right != NONE && left != right) {
        if (left >= DT_EXTENDED || right >= DT_EXTENDED)
            result = NONE;
        else if (dot_order(left) == dot_order(right))
            return rule_error_pair(r, DIAG_T007, LEFT, RIGHT, "`%s` cannot multiply these element types",
                                   format_prim(r));
        else if (dot_order(left) < dot_order(right))
            result = right;
    } else if (left == NONE) {
        result = r->in[LEFT].classes & r->in[RIGHT].classes ? right : NONE;
    }
    if (!param_dtype(r, "preferred_element_type", &preferred)) {
        if (rule_param(r, "preferred_element_type") != NONE && !param_is_none(r, "preferred_element_type"))
            result = NONE;
        aval_set_dtype(out, won ? NONE : result);
        out->classes = won ? won : out->classes;
        return true;
    }
    bool algorithm = param_text(r, "precision", &precision) && !slice_starts(precision, SLICE("None")) &&
                     !slice_starts(precision, SLICE("(")) && !slice_starts(precision, SLICE("Precision")) &&
                     !slice_starts(precision, SLICE("HIGH")) && !slice_eq(precision, SLICE("DEFAULT"));
    if (!algorithm && !won && result != NONE && result < DT_EXTENDED && result != preferred &&
        dtype_class(result) != CLASS_FLOAT && number_bits(preferred) < number_bits(result))
        return wrong_preference(r, LEFT, preferred);
    aval_set_dtype(out, preferred);
    return true;
}

/* ---- ragged ---- */

static bool
contains(const struct ints *list, i64 value)
{
    for (u32 i = 0; i < list->n; i++)
        if (list->at[i] == value)
            return true;
    return false;
}

/* checks that the group sizes have the shape of the axes before the ragged one, and the group count last; the axes of d
 * must be correct */
static bool
check_group_sizes(struct rule *r, const struct dot *d, i64 ragged)
{
    const struct aval *sizes = &r->in[2], *a = &r->in[LEFT];
    struct dim *want = rule_alloc(r, (a->rank + 1u) * sizeof *want);
    bool batched = contains(&d->batch[LEFT], ragged), contracted = contains(&d->contract[LEFT], ragged);
    u32 n = 0;
    if (sizes->rank == 0)
        return rule_error_operand(r, DIAG_T008, 2, "the group sizes of `%s` must be an array", format_prim(r));
    if (sizes->rank == 1)
        return true;
    for (u32 i = 0; i < d->batch[LEFT].n; i++) {
        if (batched && d->batch[LEFT].at[i] == ragged)
            break;
        want[n++] = a->dims[d->batch[LEFT].at[i]];
    }
    if (contracted)
        for (u32 i = 0; i < d->contract[LEFT].n && d->contract[LEFT].at[i] != ragged; i++)
            want[n++] = a->dims[d->contract[LEFT].at[i]];
    else if (!batched)
        for (u32 i = 0; i < ragged; i++)
            if (!contains(&d->batch[LEFT], i) && !contains(&d->contract[LEFT], i))
                want[n++] = a->dims[i];
    if (n + 1 == sizes->rank && dims_equal(want, sizes->dims, n) != NO)
        return true;
    return rule_error_operand(r, DIAG_T008, 2,
                              "the group sizes of `%s` must have shape %s and the group count as last axis",
                              format_prim(r), format_dims(r, want, n));
}

bool
shape_ragged_dot(struct rule *r, struct aval *out)
{
    static const char *const key = "ragged_dot_dimension_numbers";
    struct dot d;
    struct ints ragged, groups;
    struct slice text, field;
    *out = r->in[LEFT];
    if (r->in[2].classes && !(r->in[2].classes & IN_INT))
        return rule_error_operand(r, DIAG_T007, 2, "the group sizes of `%s` must be integers", format_prim(r));
    if (param_text(r, key, &text) && text.n && strchr("([", *text.at))
        return rule_error(r, DIAG_T010, at_param(r, key),
                          "`%s` of `%s` is a bare tuple, not `RaggedDotDimensionNumbers(..)`", key, format_prim(r));
    if (!r->in[LEFT].ranked || !r->in[RIGHT].ranked || !r->in[2].ranked || !param_text(r, key, &text) ||
        !value_field(text, "dot_dimension_numbers", &field) || !read_dot(r, field, &d) ||
        !value_field(text, "lhs_ragged_dimensions", &field) || !read_ints(r, field, &ragged) ||
        !value_field(text, "rhs_group_dimensions", &field) || !read_ints(r, field, &groups))
        return unranked(r, out);
    if (ragged.n != 1)
        return rule_error(r, DIAG_T010, at_param(r, key), "`%s` must have one ragged axis, but %u are named",
                          format_prim(r), ragged.n);
    if (!axis_fits(r, key, ragged.at[0], r->in[LEFT].rank, NULL))
        return false;
    set_sides(r, &d, LEFT, RIGHT);
    bool contracted = contains(&d.contract[LEFT], ragged.at[0]);
    u32 wanted = contracted || contains(&d.batch[LEFT], ragged.at[0]) ? 0 : 1;
    if (groups.n != wanted)
        return rule_error(r, DIAG_T010, at_param(r, key),
                          "`%s` requires %u group axes of the right operand, but %u are named", format_prim(r), wanted,
                          groups.n);
    if (!dot_shape(r, key, &d, &groups, out) || !check_group_sizes(r, &d, ragged.at[0]))
        return false;
    struct dim count = r->in[2].dims[r->in[2].rank - 1];
    if (groups.n && dim_equal(&r->in[RIGHT].dims[groups.at[0]], &count) == NO)
        return rule_error(r, DIAG_T008, at_operand(RIGHT),
                          "the group axis of `%s` has %s elements, but there are %s groups", format_operand(r, RIGHT),
                          format_dim(r, r->in[RIGHT].dims[groups.at[0]]), format_dim(r, count)) ||
               rule_note_operand(r, RIGHT) || rule_note_operand(r, 2);
    if (contracted) {
        struct dim *dims = rule_alloc(r, (out->rank + 1u) * sizeof *dims);
        dims[0] = count;
        if (out->rank)
            memcpy(dims + 1, out->dims, out->rank * sizeof *dims);
        *out = aval_reshaped(out, out->rank + 1, dims);
    }
    return true;
}

/* whether axis k of operand i and axis l of operand j, which ragged_dot has in common, have the same size */
static bool
ragged_alike(struct rule *r, u32 i, u32 k, u32 j, u32 l, const char *what)
{
    const struct dim *one = &r->in[i].dims[k], *other = &r->in[j].dims[l];
    return dim_equal(one, other) != NO ||
           rule_error_pair(r, DIAG_T008, i, j,
                           "`%s` requires operands with the same %s, but their sizes %s and %s differ", format_prim(r),
                           what, format_dim(r, *one), format_dim(r, *other));
}

/* ragged_dot (up to 0.4.3x): [m,k] [g,k,n] [g] -> [m,n]; with a batch axis before each since 0.4.35 */
bool
shape_ragged_dot_old(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[LEFT], *b = &r->in[RIGHT], *sizes = &r->in[2];
    *out = *a;
    if (sizes->classes && !(sizes->classes & IN_INT))
        return rule_error_operand(r, DIAG_T007, 2, "the group sizes of `%s` must be integers", format_prim(r));
    if (!a->ranked || !b->ranked || !sizes->ranked)
        return unranked(r, out);
    u32 batch = a->rank == 3;
    if (a->rank != batch + 2)
        return rule_error_operand(r, DIAG_T008, LEFT, "the first operand of `%s` must be a matrix, or a batch of them",
                                  format_prim(r));
    if (b->rank != batch + 3)
        return rule_error_operand(r, DIAG_T008, RIGHT, "the second operand of `%s` must be a %s of matrices",
                                  format_prim(r), batch ? "batch of stacks" : "stack");
    if (sizes->rank < batch + 1)
        return rule_error_operand(r, DIAG_T008, 2,
                                  batch ? "the group sizes of `%s` must have a batch axis and an axis of groups"
                                        : "the group sizes of `%s` must be an array",
                                  format_prim(r));
    if (dim_equal(&a->dims[batch + 1], &b->dims[batch + 1]) == NO)
        return rule_error_pair(
            r, DIAG_T008, LEFT, RIGHT, "`%s` contracts axis %u of both operands, but their sizes %s and %s differ",
            format_prim(r), batch + 1, format_dim(r, a->dims[batch + 1]), format_dim(r, b->dims[batch + 1]));
    if (!ragged_alike(r, RIGHT, batch, 2, batch, "number of groups") ||
        (batch && (!ragged_alike(r, LEFT, 0, RIGHT, 0, "batch axis") || !ragged_alike(r, LEFT, 0, 2, 0, "batch axis"))))
        return false;
    struct dim *dims = copy_dims(r, LEFT, 0);
    dims[batch + 1] = b->dims[batch + 2];
    *out = aval_reshaped(a, batch + 2, dims);
    return true;
}

/* checks that the scales of a side have its shape, but that contracted axes are multiples of theirs, at least twice as
 * long */
static bool
scales_fit(struct rule *r, const struct dot *d, u32 side)
{
    const struct aval *a = &r->in[side], *scales = &r->in[side + 2];
    for (u32 i = 0; i < a->rank; i++) {
        const struct dim *size = &a->dims[i], *steps = &scales->dims[i];
        if (!contains(&d->contract[side], i)) {
            if (dim_equal(size, steps) == NO)
                return rule_error_pair(r, DIAG_T008, side, side + 2,
                                       "the scales of `%s` must have size %s on axis %u, which is not contracted",
                                       format_prim(r), format_dim(r, *size), i);
        } else if (size->kind == DIM_INT && steps->kind == DIM_INT &&
                   (steps->value < 1 || size->value % steps->value || size->value / steps->value < 2)) {
            return rule_error_pair(r, DIAG_T008, side, side + 2,
                                   "each scale of `%s` must be for at least 2 elements of axis %u, as many for each",
                                   format_prim(r), i);
        }
    }
    return true;
}

/* scaled_dot left right scales scales (jax/_src/lax/scaled_dot.py): the scales are for blocks of contracted axes */
bool
shape_scaled_dot(struct rule *r, struct aval *out)
{
    struct dot d;
    struct slice text;
    dtype_t dtype;
    if (!param_dtype(r, "preferred_element_type", &dtype))
        dtype = param_is_none(r, "preferred_element_type") ? DT_bf16 : NONE;
    *out = r->in[LEFT];
    aval_set_dtype(out, dtype);
    for (u32 i = 0; i < r->n; i++) {
        if (!r->in[i].ranked)
            return unranked(r, out);
        if (r->in[i].rank != r->in[LEFT].rank)
            return rule_error_pair(r, DIAG_T008, LEFT, i, "`%s` requires operands of the same rank", format_prim(r));
    }
    if (!param_text(r, "dimension_numbers", &text) || !read_dot(r, text, &d))
        return unranked(r, out);
    set_sides(r, &d, LEFT, RIGHT);
    bool good = dot_shape(r, "dimension_numbers", &d, NULL, out) && scales_fit(r, &d, LEFT) && scales_fit(r, &d, RIGHT);
    aval_set_dtype(out, dtype);
    return good;
}

/* scaled_matmul left right scales.. (jax/_src/cudnn/scaled_matmul_stablehlo.py): [b,m,k] [b,n,k] -> [b,m,n] */
bool
shape_scaled_matmul(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[LEFT], *b = &r->in[RIGHT];
    dtype_t dtype;
    *out = *a;
    aval_set_dtype(out, param_dtype(r, "preferred_element_type", &dtype) ? dtype : NONE);
    if (!a->ranked || !b->ranked)
        return unranked(r, out);
    if (a->rank != 3 || b->rank != 3) {
        u32 wrong = a->rank != 3 ? LEFT : RIGHT;
        return rule_error_operand(r, DIAG_T008, wrong, "the operands of `%s` must be stacks of matrices",
                                  format_prim(r));
    }
    for (u32 i = 1; i < r->n; i++)
        if (!spaces_agree(r->m, a, &r->in[i])) { /* JAX finds this when it compiles the program */
            rule_stricter(r, DIAG_T008, at_operand(i),
                          "`%s` requires operands in the same memory space: `%s` is %s, `%s` is %s", format_prim(r),
                          format_operand(r, LEFT), format_aval(r, a), format_operand(r, i), format_aval(r, &r->in[i]));
            return rule_note_operand(r, LEFT) || rule_note_operand(r, i);
        }
    struct dim *dims = copy_dims(r, LEFT, 0);
    dims[2] = b->dims[1];
    struct aval shaped = aval_reshaped(out, 3, dims);
    *out = shaped;
    return true;
}
