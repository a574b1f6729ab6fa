/* SPDX-License-Identifier: Apache-2.0
 *
 * The sharding of a reshape: which operands it accepts, and where the result is (jax/_src/lax/lax.py,
 * _reshape_sharding_rule). Linear in ranks. */
#include "verify/sharding_rules.h"

/* the first axis from d on whose extent is not 1 */
static u32
after_ones(const struct aval *a, u32 d)
{
    while (d < a->rank && dim_is(a->dims[d], 1))
        d++;
    return d;
}

/* whether no axis of extent 1 is sharded: JAX versions differ in which axis of the result such a sharding moves to */
static bool
unit_axes_unsharded(const struct aval *a)
{
    for (u32 d = 0; d < a->rank; d++)
        if (dim_is(a->dims[d], 1) && axis_sharding(a, d).n)
            return false;
    return true;
}

/* moves *d past the axes whose extents have the product `extent`; false if there are none */
static bool
read_axes(const struct aval *a, u32 *d, i64 extent)
{
    i64 product = 1;
    while (product != extent) {
        *d = after_ones(a, *d);
        if (*d == a->rank || a->dims[*d].kind != DIM_INT ||
            __builtin_mul_overflow(product, a->dims[*d].value, &product) || product > extent)
            return false;
        ++*d;
    }
    return true;
}

/* the first sharded axis of [from, to) after an unsharded one, apart from axes of extent 1; NONE if there is none */
static u32
out_of_order(const struct aval *a, u32 from, u32 to)
{
    bool open = false;
    for (u32 d = after_ones(a, from); d < to; d = after_ones(a, d + 1)) {
        bool sharded = axis_sharding(a, d).n;
        if (open && sharded)
            return d;
        open |= !sharded;
    }
    return NONE;
}

/* the sharding of the axis that axes [from, to) become: the mesh axes of the leading ones, joined. False if an axis
 * after an unsharded one is sharded */
static bool
merge_axes(struct placing *p, u32 from, u32 to, struct slice *over)
{
    const struct aval *a = &p->r->in[0];
    struct slice here = SLICE("");
    size_t room = 3, n = 0;
    u32 d = after_ones(a, from), sharded = 0;
    *over = here;
    for (u32 i = from; i < to; i++)
        room += axis_sharding(a, i).n + 1;
    char *all = rule_alloc(p->r, room);
    for (; d < to && (here = axis_sharding(a, d)).n; d = after_ones(a, d + 1), sharded++) {
        bool several = *here.at == '(';
        *over = sharded ? *over : here;
        all[n++] = sharded ? ',' : '(';
        memcpy(all + n, here.at + several, here.n - 2 * several);
        n += here.n - 2 * several;
    }
    if (sharded > 1) {
        all[n++] = ')';
        *over = (struct slice){all, n};
    }
    return out_of_order(a, from, to) == NONE;
}

/* Apart from axes of extent 1, which may be added and removed, one axis becomes several, of which the first gets its
 * mesh axis, or several become one. How two mesh axes are distributed depends on their sizes, which types do not
 * show */
bool
place_reshaped(struct placing *p)
{
    const struct aval *a = &p->r->in[0], binder = rule_binder(p->r, 0);
    struct ints order;
    place_nowhere(p);
    if (is_unsharded(a))
        return true;
    if (param_ints(p->r, "dimensions", &order) || !unit_axes_unsharded(a))
        return false;
    for (u32 i = after_ones(a, 0), k = after_ones(&binder, 0); i < a->rank || k < p->rank;
         i = after_ones(a, i), k = after_ones(&binder, k)) {
        u32 from = i, to = k;
        if (i == a->rank || k == p->rank || a->dims[i].kind != DIM_INT || binder.dims[k].kind != DIM_INT)
            return false;
        if (a->dims[i].value >= binder.dims[k].value) {
            if (!read_axes(&binder, &k, a->dims[i].value) || (k > to + 1 && *axis_sharding(a, i).at == '('))
                return false;
            p->over[to] = axis_sharding(a, i++);
        } else {
            if (!read_axes(a, &i, binder.dims[k].value) || !merge_axes(p, from, i, &p->over[to]))
                return false;
            k++;
        }
    }
    return true;
}

/* stores the extents other than 1 in `sizes`, and returns their number; NONE if an extent is unknown */
static u32
other_extents(const struct aval *a, i64 *sizes)
{
    u32 n = 0;
    for (u32 d = 0; d < a->rank; d++) {
        if (a->dims[d].kind != DIM_INT)
            return NONE;
        if (a->dims[d].value != 1)
            sizes[n++] = a->dims[d].value;
    }
    return n;
}

/* whether `others` are the same sizes, apart from one that is split into several (lax.py, _split_on_one_axis) */
static bool
one_splits(const i64 *sizes, u32 n, const i64 *others, u32 m)
{
    u32 splits = 0, k = 0;
    for (u32 i = 0; i < n; i++) {
        i64 product = k < m ? others[k++] : 0;
        splits += product != sizes[i];
        while (product != sizes[i])
            if (splits > 1 || k == m || product > sizes[i] || __builtin_mul_overflow(product, others[k++], &product))
                return false;
    }
    return k == m;
}

/* the first sharded axis that a reshape to these sizes merges with an unsharded one before it (lax.py,
 * _merge_an_axis_sharding_rule); NONE if there is none. Apart from axes of extent 1, the sizes are products of a's */
static u32
merged_out_of_order(const struct aval *a, const i64 *sizes, u32 n)
{
    u32 found = NONE;
    for (u32 i = 0, d = 0, from = 0; i < n && found == NONE && read_axes(a, &d, sizes[i]); i++, from = d)
        found = out_of_order(a, from, d);
    return found;
}

/* checks a reshape of a sharded operand with sharding=None: apart from axes of extent 1, one axis becomes several, or
 * several become one, of which the first ones are sharded */
bool
reshape_allowed(struct rule *r)
{
    const struct aval *a = &r->in[0], binder = rule_binder(r, 0);
    struct slice sharding;
    if (!param_text(r, "sharding", &sharding) || !slice_eq(value_trim(sharding), SLICE("None")) || is_unsharded(a) ||
        !binder.ranked)
        return true;
    i64 *sizes = rule_alloc(r, (a->rank + binder.rank + 1ul) * sizeof *sizes), *others = sizes + a->rank;
    u32 n = other_extents(a, sizes), m = other_extents(&binder, others), d = NONE;
    if (n == NONE || m == NONE || (n == m && memcmp(sizes, others, n * sizeof *sizes) == 0) ||
        (n < m && one_splits(sizes, n, others, m)))
        return true;
    const char *operand = format_operand(r, 0);
    bool fine = true;
    if (n <= m || !one_splits(others, m, sizes, n))
        fine = bind_error(
            r, AS_NEWER_JAX, DIAG_T009, at_param(r, "new_sizes"),
            format_text(
                r,
                "apart from axes of size 1, `%s` with sharding=None may only split one axis of a sharded array or "
                "merge several into one: `%s` is %s",
                format_prim(r), operand, format_aval(r, a)));
    else if ((d = merged_out_of_order(a, others, m)) != NONE)
        fine = bind_error(
            r, AS_NEWER_JAX, DIAG_T009, at_param(r, "new_sizes"),
            format_text(r,
                        "`%s` with sharding=None must not merge a sharded axis with one before it that is not sharded: "
                        "axis %u of `%s` is sharded over `%s`, and `%s` is %s",
                        format_prim(r), d, operand, format_slice(r, axis_sharding(a, d)), operand, format_aval(r, a)));
    else
        return true;
    rule_note_operand(r, 0);
    return fine;
}
