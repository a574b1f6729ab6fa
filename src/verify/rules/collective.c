/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives (jax/_src/lax/parallel.py): the shapes of results, from the printed parameters. The sizes of mesh axes
 * are known only if a parameter shows them. Linear in ranks. */
#include "verify/axes.h"
#include "verify/mesh.h"
#include "verify/memory_space.h"
#include "verify/varying_axes.h"

/* longer permutations are not checked: comparing devices is quadratic */
enum { PERMUTED = 256 };

/* operand i summed over axes: positional ones are removed, named ones do not change the shape */
static bool
reduced(struct rule *r, u32 i, struct slice axes, struct aval *out)
{
    const struct aval *a = &r->in[i];
    struct cursor c = cursor_of(axes);
    struct slice element;
    u32 gone = 0;
    *out = *a;
    out->type = NONE;
    out->moved = true;
    if (!a->ranked || !value_open(&c))
        return true;
    u8 *seen = axis_marks(r, a->rank);
    while (value_element(&c, &element)) {
        struct cursor at = cursor_of(element);
        i64 axis;
        if (!value_int(&at, &axis) || !value_done(&at))
            continue;
        if (!axis_fits(r, "axes", axis, a->rank, seen))
            return false;
        gone++;
    }
    if (gone)
        *out = without_axes(r, out, seen);
    return true;
}

/* whether a list of axes contains the position of one */
static bool
has_position(struct slice axes)
{
    struct cursor c = cursor_inside(axes);
    struct slice axis;
    while (value_element(&c, &axis))
        if (is_digit(*axis.at))
            return true;
    return false;
}

/* warns of positions among the axes of psum_invariant, and of pmax and pmin under `check_vma=True`, which JAX 0.12
 * rejects (_psum_invariant_abstract_eval) */
static bool
warn_position(struct rule *r)
{
    struct slice axes;
    if (!param_text(r, "axes", &axes) || !has_position(axes))
        return true;
    return rule_warning(r, DIAG_T010, at_param(r, "axes"), "`axes` of `%s` must be names of mesh axes, got %s",
                        format_prim(r), format_slice(r, axes));
}

/* psum, pmax, pmin: a result for each operand; several operands up to 0.8. Only named axes have groups (jax/_src/lax/
 * parallel.py, _allreduce_effectful_abstract_eval) */
bool
shape_allreduce(struct rule *r, struct aval *out)
{
    struct slice axes, groups;
    bool known = param_text(r, "axes", &axes), right = rule_results(r, r->n);
    if (known && has_position(axes) && param_text(r, "axis_index_groups", &groups) && !slice_eq(groups, SLICE("None")))
        return rule_error(r, DIAG_T010, at_param(r, "axis_index_groups"),
                          "`axis_index_groups` of `%s` is allowed only with names of mesh axes, but `axes` is %s",
                          format_prim(r), format_slice(r, axes));
    if (r->prim->is.space == SPACE_REDUCED && rule_varying_checked(r))
        warn_position(r);
    for (u32 i = 0; right && i < r->n; i++) {
        if (!known) {
            *out = r->in[i];
            out->ranked = out->ranked && !param_is_unread(r, "axes");
            out->type = NONE;
        } else if (!reduced(r, i, axes, out))
            return false;
        right = rule_result(r, i, out);
    }
    return right;
}

/* reads the axis in a parameter, and checks that it is in [0, rank) */
static bool
param_axis(struct rule *r, const char *key, u32 rank, i64 *axis)
{
    return param_int(r, key, axis) && axis_fits(r, key, *axis, rank, NULL);
}

/* the size of the groups in `axis_index_groups=((0, 1), (2, 3))`, 0 if unknown */
static i64
group_size(struct rule *r)
{
    struct slice text, first;
    u32 count;
    if (!param_text(r, "axis_index_groups", &text))
        return 0;
    struct cursor c = cursor_of(text);
    return value_open(&c) && value_element(&c, &first) && value_count(first, &count) ? count : 0;
}

/* checks that `axis_size` is the number of devices along the axes, if there are no groups: JAX computes it when it
 * traces (_axis_size), and its checker does not compare it */
static bool
axis_size_fits(struct rule *r, i64 size)
{
    i64 devices = rule_axes_size(r);
    if (devices == 0 || size == devices || group_size(r) || param_is_unread(r, "axis_index_groups"))
        return true;
    rule_stricter(r, DIAG_T010, at_param(r, "axis_size"),
                  "`axis_size` of `%s` must be %lld, the number of devices along axis_name=%s, got %lld",
                  format_prim(r), (long long)devices, format_param(r, "axis_name"), (long long)size);
    rule_note_axes(r);
    if (r->options->as_jax)
        r->failed = false; /* JAX's checker still compares the result */
    return !r->failed;
}

/* reads `axis_size` and `tiled`, and begins *out; false after a report, or if they or the operand's rank are unknown */
static bool
read_tiled(struct rule *r, struct aval *out, bool *tiled, i64 *size)
{
    *out = r->in[0];
    out->type = NONE;
    out->moved = r->prim->is.moved.from != r->prim->is.moved.to;
    return param_int(r, "axis_size", size) && axis_size_fits(r, *size) && out->ranked && param_bool(r, "tiled", tiled);
}

/* tiled: the axis grows by axis_size; otherwise a new axis of that extent is inserted */
bool
shape_all_gather(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    i64 axis, size;
    bool tiled;
    if (!read_tiled(r, out, &tiled, &size))
        return unranked(r, out);
    if (!param_axis(r, "all_gather_dimension", a->rank + !tiled, &axis))
        return unranked(r, out);
    struct dim *dims = copy_dims(r, 0, 1);
    if (tiled) {
        dims[axis] = dim_mul(dims[axis], dim_of(size));
    } else {
        memmove(dims + axis + 1, dims + axis, (a->rank - (u32)axis) * sizeof *dims);
        dims[axis] = dim_of(size);
    }
    *out = aval_reshaped(out, a->rank + !tiled, dims);
    return true;
}

/* tiled: the axis shrinks by axis_size; otherwise it has that extent and is removed */
bool
shape_reduce_scatter(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    i64 axis, size;
    bool tiled;
    if (!read_tiled(r, out, &tiled, &size))
        return unranked(r, out);
    if (size < 1)
        return rule_error(r, DIAG_T010, at_param(r, "axis_size"), "`axis_size` of `%s` must be at least 1, got %lld",
                          format_prim(r), (long long)size);
    if (!param_axis(r, "scatter_dimension", a->rank, &axis))
        return unranked(r, out);
    struct dim extent = a->dims[axis];
    if (extent.kind == DIM_INT && (tiled ? extent.value % size != 0 : extent.value != size)) {
        rule_error(r, DIAG_T009, at_param(r, "axis_size"),
                   "`%s` splits axis %lld of `%s` over %lld devices, but its size %s %s %lld: `%s` is %s",
                   format_prim(r), (long long)axis, format_operand(r, 0), (long long)size, format_dim(r, extent),
                   tiled ? "is not a multiple of" : "is not", (long long)size, format_operand(r, 0), format_aval(r, a));
        return rule_note_operand(r, 0);
    }
    struct dim *dims = copy_dims(r, 0, 0);
    if (tiled) {
        dims[axis] = dim_floordiv(extent, dim_of(size));
    } else {
        memmove(dims + axis, dims + axis + 1, (a->rank - (u32)axis - 1) * sizeof *dims);
    }
    *out = aval_reshaped(out, a->rank - !tiled, dims);
    return true;
}

/* warns of a transfer that names a mesh axis twice, which only its lowering rejects (jax/_src/interpreters/pxla.py,
 * _axis_groups) */
static void
warn_repeated(struct rule *r)
{
    struct slice text, names[MESH_AXES];
    bool position;
    if (!param_text(r, "axis_name", &text))
        return;
    struct axis_names rest = axis_names_of(text);
    for (u32 n = 0; n < MESH_AXES && axis_names_next(&rest, &names[n], &position); n++)
        for (u32 i = 0; i < n; i++)
            if (slice_eq(names[i], names[n])) {
                rule_warning(r, DIAG_T010, at_slice(r, "axis_name", names[n]),
                             "`axis_name` of `%s` names the axis `%s` twice", format_prim(r),
                             format_slice(r, names[n]));
                return;
            }
}

/* reports a device that is twice a source, or a destination, in `perm`; one of its indices may count from the end */
static bool
repeated_device(struct rule *r, struct where at, i64 first, i64 second, u32 role)
{
    i64 index = first > second ? first : second, other = first > second ? second : first;
    const char *once = index == other ? "" : arena_printf(r->m->mem, ", once as %lld", (long long)other).at;
    return rule_stricter(r, DIAG_T010, at, "`perm` of `%s` contains index %lld twice as %s%s", format_prim(r),
                         (long long)index, role ? "a destination" : "a source", once) ||
           (*once && rule_note_axes(r));
}

/* ppermute perm=((0, 1), (1, 0)): no device sends or receives twice, and each is in range if the axis size is known
 * (jax/_src/lax/parallel.py 0.12, _pcollectives_lowering_common: when a program is compiled) */
bool
shape_ppermute(struct rule *r, struct aval *out)
{
    struct slice text, pair;
    i64 size = rule_axes_size(r), ends[2];
    u32 n, i = 0;
    *out = r->in[0];
    warn_repeated(r);
    if (!param_text(r, "perm", &text) || !value_count(text, &n) || n > PERMUTED)
        return true;
    i64 *seen = rule_alloc(r, ((size_t)n + 1) * 2 * sizeof *seen);
    for (struct cursor c = cursor_inside(text); i < n && value_element(&c, &pair); i++) {
        struct cursor of_pair = cursor_inside(pair);
        if (!value_int(&of_pair, &ends[0]) || !value_word(&of_pair, ",") || !value_int(&of_pair, &ends[1]))
            return true;
        for (u32 k = 0; k < 2; k++) {
            seen[2 * i + k] = ends[k];
            if (size > 0 && (ends[k] < -size || ends[k] >= size)) /* negative ones count from the end */
                return rule_stricter(r, DIAG_T010, at_item_part(r, "perm", i, k),
                                     "`perm` of `%s` contains index %lld, but axis_name=%s has indices 0 to %lld",
                                     format_prim(r), (long long)ends[k], format_param(r, "axis_name"),
                                     (long long)size - 1) ||
                       rule_note_axes(r);
            for (u32 before = 0; before < i; before++)
                if (seen[2 * before + k] == ends[k] || (size > 0 && (seen[2 * before + k] - ends[k]) % size == 0))
                    return repeated_device(r, at_item_part(r, "perm", i, k), seen[2 * before + k], ends[k], k);
        }
    }
    return true;
}

/* a result for each operand; the device `source`, which sends, exists if the axis size is known
 * (jax/_src/lax/parallel.py 0.12, _pbroadcast_lowering: when a program is compiled) */
bool
shape_pbroadcast(struct rule *r, struct aval *out)
{
    i64 source, size = rule_axes_size(r);
    if (size > 0 && param_int(r, "source", &source) && source >= size &&
        !rule_stricter(r, DIAG_T010, at_param(r, "source"),
                       "`source` of `%s` is %lld, but axis_name=%s has indices 0 to %lld", format_prim(r),
                       (long long)source, format_param(r, "axis_name"), (long long)size - 1))
        return rule_note_axes(r);
    return shape_like_operands(r, out);
}

/* split_axis shrinks and concat_axis grows by the size of the mesh axis, or of its groups. If neither is known, the
 * size is derived from the split axis of the result's binder */
bool
shape_all_to_all(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct aval binder = rule_binder(r, 0);
    i64 split, concat, size = group_size(r);
    *out = *a;
    out->type = NONE;
    if (!a->ranked)
        return unranked(r, out);
    if (!param_axis(r, "split_axis", a->rank, &split) || !param_axis(r, "concat_axis", a->rank, &concat))
        return unranked(r, out);
    struct dim from = a->dims[split];
    if (!size)
        size = rule_axes_size(r);
    /* lax.all_to_all untiled: the extent of the split axis is the number of devices (parallel.py) */
    bool tiled = true;
    if (!size && param_bool(r, "tiled", &tiled) && !tiled && from.kind == DIM_INT)
        size = from.value;
    if (!size && binder.ranked && binder.rank == a->rank && from.kind == DIM_INT &&
        binder.dims[split].kind == DIM_INT && binder.dims[split].value > 0)
        size = from.value / binder.dims[split].value;
    struct dim *dims = copy_dims(r, 0, 0);
    if (size > 0 && from.kind == DIM_INT && from.value % size) {
        rule_error(r, DIAG_T009, at_param(r, "split_axis"),
                   "`%s` splits axis %lld of `%s` %lld ways, but its size is %s", format_prim(r), (long long)split,
                   format_operand(r, 0), (long long)size, format_dim(r, from));
        if (!group_size(r))
            rule_note_axes(r);
        return rule_note_operand(r, 0);
    }
    if (split != concat) {
        dims[split] = size > 0 ? dim_floordiv(from, dim_of(size)) : dim_unknown();
        dims[concat] = size > 0 ? dim_mul(a->dims[concat], dim_of(size)) : dim_unknown();
    }
    *out = aval_reshaped(a, a->rank, dims);
    return true;
}

/* all_gather_invariant and similar primitives: the result varies over other axes than the operand, which is not checked
 */
bool
shape_gather_unvaried(struct rule *r, struct aval *out)
{
    return shape_all_gather(r, out) && rule_results(r, 1) && rule_result(r, 0, out);
}

bool
shape_scatter_unvaried(struct rule *r, struct aval *out)
{
    return shape_reduce_scatter(r, out) && rule_results(r, 1) && rule_result(r, 0, out);
}

/* ragged_all_to_all operand output input_offsets send_sizes output_offsets recv_sizes: received data is written over
 * `output` */
bool
shape_ragged_exchange(struct rule *r, struct aval *out)
{
    *out = r->in[1];
    out->type = NONE;
    warn_repeated(r);
    for (u32 i = 2; i < r->n; i++) {
        const struct aval *a = &r->in[i];
        if (a->kind != AVAL_ARRAY)
            continue;
        bool integers = a->classes & IN_INT, listed = !a->ranked || (a->rank == 1 && !dim_is(a->dims[0], 0));
        if (integers && listed)
            continue;
        return rule_error_operand(r, integers ? DIAG_T008 : DIAG_T007, i,
                                  "the offsets and sizes of `%s` must be one-dimensional arrays of integers",
                                  format_prim(r));
    }
    return result_beside(r, 0, 1);
}

/* checks that at least one of the axes is a mesh axis: values do not vary over positions */
static bool
names_axis(struct rule *r)
{
    struct slice axes, axis;
    bool position, any = false;
    if (!param_text(r, "axes", &axes))
        return true;
    for (struct axis_names names = axis_names_of(axes); axis_names_next(&names, &axis, &position); any = true)
        if (!position)
            return true;
    return rule_error(r, DIAG_T030, at_param(r, "axes"), "`axes` of `%s` must name at least one mesh axis, got %s%s",
                      format_prim(r), any ? "only positions: " : "", format_slice(r, axes));
}

/* psum_invariant (up to 0.6.0 psum2, whose axes may be positions) */
bool
shape_invariant_sum(struct rule *r, struct aval *out)
{
    bool checked = !range_lacks(rule_versions(r), JAX_SHARD_MAP_SPECS);
    return shape_allreduce(r, out) && (!checked || (names_axis(r) && warn_position(r)));
}
