/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers of shape rules: axes in range and without repetition, one entry for each axis, copies of dims. Linear in the
 * rank. */
#include "verify/axes.h"

bool
unranked(const struct rule *r, struct aval *out)
{
    out->ranked = false;
    out->type = NONE;
    return !r->failed;
}

bool
unsized(struct rule *r, struct aval *out, u32 rank)
{
    struct dim *dims = rule_alloc(r, (rank + 1u) * sizeof *dims);
    for (u32 i = 0; i < rank; i++)
        dims[i] = dim_unknown();
    *out = aval_reshaped(out, rank, dims);
    return !r->failed;
}

bool
fill_holes(struct rule *r, const char *key, struct dims *dims, u32 first)
{
    u32 next = first;
    struct dim *at = rule_alloc(r, (dims->n + 1u) * sizeof *at);
    for (u32 i = 0; i < dims->n; i++) {
        at[i] = dims->at[i];
        if (at[i].kind != DIM_UNKNOWN)
            continue;
        if (next < r->n)
            at[i] = operand_dim(r, next);
        next++;
    }
    dims->at = at;
    if (next == r->n)
        return true;
    const char *holes = next == first       ? ""
                        : next - first == 1 ? format_text(r, " (the last for the None in `%s`)", key)
                                            : format_text(r, " (the last %u for the Nones in `%s`)", next - first, key);
    return rule_error(r, DIAG_T005, r->n > next ? at_operand(next) : at_prim(),
                      "`%s` takes %u operand%s%s, but %u %s given", format_prim(r), next, next == 1 ? "" : "s", holes,
                      r->n, r->n == 1 ? "is" : "are");
}

/* false if the relation of a and b is known not to hold; if it depends on the values of symbols, trusts the equation */
static bool
may_hold(struct rule *r, struct where where, enum truth holds, struct dim a, const char *relation, struct dim b)
{
    if (holds == MAYBE)
        rule_trust(r, where, "whether %s %s %s cannot be decided, so `%s` is not verified", format_dim(r, a), relation,
                   format_dim(r, b), format_prim(r));
    return holds != NO;
}

bool
at_most(struct rule *r, struct where where, struct dim a, struct dim b)
{
    return may_hold(r, where, dim_at_most(a, b), a, "is at most", b);
}

bool
same_size(struct rule *r, struct where where, struct dim a, struct dim b)
{
    return may_hold(r, where, dim_equal(&a, &b), a, "equals", b);
}

bool
divisible_by(struct rule *r, struct where where, struct dim a, i64 by)
{
    return may_hold(r, where, dim_divisible(a, by), a, "is a multiple of", dim_of(by));
}

bool
sizes_fit(struct rule *r, const char *key, const struct dims *dims)
{
    for (u32 i = 0; i < dims->n; i++)
        if (dims->at[i].kind == DIM_INT && dims->at[i].value < 0)
            return rule_error(r, DIAG_T010, at_item(r, key, i), "`%s` of `%s` must not have negative sizes, got %s",
                              key, format_prim(r), format_dim(r, dims->at[i]));
    return true;
}

struct dim *
copy_dims(struct rule *r, u32 i, u32 more)
{
    struct dim *dims = rule_alloc(r, ((size_t)r->in[i].rank + more + 1) * sizeof *dims);
    if (r->in[i].rank)
        memcpy(dims, r->in[i].dims, r->in[i].rank * sizeof *dims);
    return dims;
}

/* reports an axis that is out of range for `rank`, or repeated */
static bool
wrong_axis(struct rule *r, report_fn *report, const char *key, struct where where, i64 axis, u32 rank)
{
    u32 of = 0;
    if (axis >= 0 && axis < rank)
        return report(r, DIAG_T010, where, "`%s` of `%s` names axis %lld twice", key, format_prim(r), (long long)axis);
    while (of < r->n && !(r->in[of].ranked && r->in[of].rank == rank))
        of++;
    report(r, DIAG_T009, where, "`%s` of `%s` names axis %lld, which is out of range: %s", key, format_prim(r),
           (long long)axis,
           of < r->n ? format_text(r, "`%s` is %s", format_operand(r, of), format_aval(r, &r->in[of]))
           : rank    ? format_text(r, "the result has rank %u", rank)
                     : "the result is a scalar");
    if (of < r->n)
        rule_note_operand(r, of);
    return false;
}

/* whether an axis is in range and, if there are marks, not yet marked; marks it */
static inline bool
takes_axis(i64 axis, u32 rank, u8 *seen)
{
    if (axis < 0 || axis >= rank || (seen && seen[axis]))
        return false;
    if (seen)
        seen[axis] = 1;
    return true;
}

bool
axis_fits(struct rule *r, const char *key, i64 axis, u32 rank, u8 *seen)
{
    return takes_axis(axis, rank, seen) || wrong_axis(r, rule_error, key, at_param(r, key), axis, rank);
}

bool
entry_fits(struct rule *r, const char *key, const struct ints *axes, u32 i, u32 rank, u8 *seen)
{
    i64 axis = axes->at[i];
    return takes_axis(axis, rank, seen) || wrong_axis(r, rule_error, key, at_entry(r, key, axes, i), axis, rank);
}

u8 *
axis_marks(struct rule *r, u32 rank)
{
    u8 *seen = rule_alloc(r, rank + 1u);
    memset(seen, 0, rank + 1u);
    return seen;
}

bool
one_each(struct rule *r, const char *key, u32 n)
{
    if (n == r->in[0].rank)
        return true;
    rule_error(r, DIAG_T009, at_param(r, key), "`%s` of `%s` has %s for the %s of `%s`, which is %s", key,
               format_prim(r), format_count(r, n, "entry", "entries"), format_count(r, r->in[0].rank, "axis", "axes"),
               format_operand(r, 0), format_aval(r, &r->in[0]));
    return rule_note_operand(r, 0);
}

bool
same_element_type(struct rule *r, u32 other, u32 i)
{
    const struct aval *a = &r->in[other], *b = &r->in[i];
    if (dtypes_agree(a, b) != NO)
        return true;
    /* lax.py, check_same_dtypes: extended element types are not compared */
    if (!((a->classes | b->classes) & IN_KEY))
        return rule_error_pair(r, DIAG_T007, other, i, "`%s` requires operands of the same element type",
                               format_prim(r));
    rule_stricter(r, DIAG_T007, at_operand(i), "`%s` cannot combine keys with other elements: `%s` is %s, `%s` is %s",
                  format_prim(r), format_operand(r, other), format_dtype(r, a), format_operand(r, i),
                  format_dtype(r, b));
    rule_note_operand(r, other);
    return rule_note_operand(r, i);
}

bool
same_element_types(struct rule *r)
{
    for (u32 i = 1; i < r->n; i++)
        if (!same_element_type(r, 0, i))
            return false;
    return true;
}

bool
axes_fit(struct rule *r, const char *key, const struct ints *axes, u32 rank, u8 *seen)
{
    for (u32 i = 0; i < axes->n; i++)
        if (!entry_fits(r, key, axes, i, rank, seen))
            return false;
    return true;
}

struct aval
without_axes(struct rule *r, const struct aval *a, const u8 *seen)
{
    struct dim *dims = rule_alloc(r, (a->rank + 1u) * sizeof *dims);
    u32 rank = 0;
    for (u32 i = 0; i < a->rank; i++)
        if (!seen[i])
            dims[rank++] = a->dims[i];
    return aval_reshaped(a, rank, dims);
}

bool
axes_permute(struct rule *r, const char *key, const struct ints *axes, u32 rank, i64 lowest, i64 highest)
{
    u8 *seen = axis_marks(r, rank);
    for (u32 i = 0; i < axes->n; i++) {
        i64 axis = axes->at[i];
        if (!takes_axis(axis, rank, seen))
            return wrong_axis(r, axis < lowest || axis > highest ? rule_error : rule_stricter, key,
                              at_entry(r, key, axes, i), axis, rank);
    }
    return true;
}
