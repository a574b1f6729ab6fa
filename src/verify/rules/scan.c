/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans (jax/_src/lax/control_flow/loops.py, _scan_typecheck): a body that is called with constants, a carry and slices
 * of arrays. Linear in operands, binders and results; after an error, other counts of operands are tried. */
#include "verify/axes.h"
#include "verify/call_check.h"
#include "verify/checker.h"
#include "verify/displaced.h"
#include "verify/provenance.h"
#include "verify/ref_alias.h"

struct scan {
    u32 consts, carry, slices; /* of the operands */
    u32 carried, stacked;      /* of the body's results */
    struct dim length, odd;    /* odd: the size of an operand's leading axis that was reported */
    const char *ins, *outs;    /* the parameters that give these counts */
};

/* the number of leaves in each of n parts of a tree of scan: constants, carry and slices; or carry and stacked
 * results */
static bool
read_tree(struct rule *r, const char *key, u32 *counts, u32 n)
{
    const struct slice head = SLICE("PyTreeDef(");
    struct slice text, list;
    u32 parts;
    if (!param_text(r, key, &text))
        return false;
    if (slice_starts(text, SLICE("Pytree(")) && value_field(text, "tree", &list) && slice_starts(list, head))
        list = (struct slice){list.at + head.n, list.n - head.n - 1};
    else
        list = text;
    if (list.n && *list.at == '(' && value_count(list, &parts) && parts != n && !slice_contains(text, SLICE("...")))
        return rule_error(r, DIAG_T018, at_param(r, key), "`%s` of `%s` must have %u parts (%s), got %u", key,
                          format_prim(r), n, n == 3 ? "constants, carry and slices" : "carry and stacked results",
                          parts);
    return flat_tree_counts(text, counts, n);
}

/* reads the counts: num_consts and num_carry up to 0.10, later the trees ft_in and ft_out */
static bool
read_scan(struct rule *r, jaxpr_t body, struct scan *s)
{
    u32 trees[3] = {0};
    if (param_count(r, "num_consts", &s->consts) && param_count(r, "num_carry", &s->carry)) {
        s->ins = "num_consts";
        s->outs = "num_carry";
        s->carried = s->carry;
        if (s->consts + s->carry > r->n)
            return rule_error(r, DIAG_T018, at_param(r, "num_carry"),
                              "`%s` has %s, but `num_consts` and `num_carry` require at least %u", format_prim(r),
                              format_count(r, r->n, "operand", "operands"), s->consts + s->carry);
        s->slices = r->n - s->consts - s->carry;
        if (s->carry > jaxpr_outs(r, body))
            return rule_error(r, DIAG_T018, at_param(r, "num_carry"),
                              "`num_carry` of `%s` is %u, but its body returns %s", format_prim(r), s->carry,
                              format_count(r, jaxpr_outs(r, body), "value", "values"));
        s->stacked = jaxpr_outs(r, body) - s->carry;
        return true;
    }
    if (r->failed || !read_tree(r, "ft_in", trees, 3))
        return false;
    s->ins = "ft_in";
    s->outs = "ft_out";
    s->consts = trees[0];
    s->carry = trees[1];
    s->slices = trees[2];
    if (!read_tree(r, "ft_out", trees, 2))
        return false;
    s->carried = trees[0];
    s->stacked = trees[1];
    if (s->carried != s->carry)
        return rule_error(r, DIAG_T018, at_param(r, "ft_out"),
                          "`ft_in` of `%s` has a carry of %u, but `ft_out` has one of %u", format_prim(r), s->carry,
                          s->carried);
    return true;
}

/* stores the type that the body receives of operand `value` at binder `place`: its own, or that of a slice. NO if it
 * has no slices of this length; MAYBE, with its own type, if that is unknown */
static enum truth
scan_passes(const struct rule *r, const struct scan *s, u32 value, u32 place, struct aval *out)
{
    const struct aval *a = &r->in[value];
    *out = *a;
    if (place < s->consts + s->carry || a->kind == AVAL_TOKEN) /* every iteration receives a token */
        return YES;                                            /* (jax/_src/core.py, aval_mapping_handlers) */
    if (a->kind == AVAL_UNKNOWN || a->kind == AVAL_OTHER || !a->ranked)
        return MAYBE;
    if ((a->kind != AVAL_ARRAY && a->kind != AVAL_REF) || a->rank == 0 || dim_equal(&a->dims[0], &s->length) == NO)
        return NO;
    *out = aval_reshaped(a, a->rank - 1, a->dims + 1);
    return YES;
}

/* whether with these counts operands and results have the types that the body takes and returns */
static bool
counts_fit(struct rule *r, jaxpr_t body, const struct scan *s)
{
    bool fits = true;
    for (u32 i = 0; fits && i < r->n; i++) {
        struct aval taken = jaxpr_in_aval(r, body, i), given;
        fits = scan_passes(r, s, i, i, &given) != NO && avals_agree(&taken, &given) != NO;
        if (fits && i >= s->consts && i < s->consts + s->carry) {
            given = jaxpr_out_aval(r, body, i - s->consts);
            fits = avals_agree(&taken, &given) == YES;
        }
    }
    return fits;
}

/* the hint for the last finding that another num_consts or num_carry would fit; `ask`: only whether there is one */
static bool
hint_counts(struct rule *r, jaxpr_t body, const struct scan *s, bool ask)
{
    enum { LONGEST = 64 };
    if (*s->ins != 'n' || r->n > LONGEST)
        return false;
    for (u32 n = 0; n < 2 * LONGEST; n++) {
        struct scan other = *s;
        u32 *count = n < LONGEST ? &other.consts : &other.carry;
        *count = n % LONGEST;
        if ((other.consts == s->consts && other.carry == s->carry) || other.consts + other.carry > r->n ||
            other.carry > jaxpr_outs(r, body) || !counts_fit(r, body, &other))
            continue;
        if (!ask)
            rule_hint(r, "with %s=%u, the types would fit; is `%s` wrong?", n < LONGEST ? "num_consts" : "num_carry",
                      *count, n < LONGEST ? "num_consts" : "num_carry");
        return true;
    }
    return false;
}

/* whether an array has the leading size that was reported for another one */
static bool
has_odd_length(const struct scan *s, const struct aval *a)
{
    return s->odd.kind != DIM_UNKNOWN && a->ranked && a->rank && dim_equal(&a->dims[0], &s->odd) == YES;
}

/* checks operand i against binder k, which receives it or slices of it. Sizes that were reported for another operand
 * are not reported again: `length` may be wrong */
static bool
bind_scanned(struct rule *r, jaxpr_t body, u32 k, u32 i, struct scan *s)
{
    const struct aval *a = &r->in[i];
    struct aval row;
    enum truth passes = scan_passes(r, s, i, i, &row);
    if (passes != NO)
        return passes == MAYBE || bind_one(r, AS_JAX, body, k, i, row.rank == a->rank ? a : &row);
    if (has_odd_length(s, a))
        return rule_repeats(r);
    s->odd = a->rank ? a->dims[0] : s->odd;
    rule_error(r, DIAG_T015, at_operand(i),
               "`%s` slices `%s` along its leading axis, whose size must be length=%s: `%s` is %s", format_prim(r),
               format_operand(r, i), format_dim(r, s->length), format_operand(r, i), format_aval(r, a));
    rule_note_operand(r, i);
    return rule_note(r, at_param(r, "length"), "`length` is set here");
}

/* What scan_operand_fits reads. */
struct scan_operands {
    jaxpr_t body;
    const struct scan *scan;
};

static bool
scan_operand_fits(const struct order *order, u32 value, u32 place)
{
    const struct scan_operands *of = order->of;
    struct rule *r = order->r;
    struct aval given;
    enum strictness by = AS_JAX;
    return scan_passes(r, of->scan, value, place, &given) != NO &&
           binder_fits(r, &by, of->body, jaxpr_consts(r, of->body) + place, &given);
}

/* checks the operands against the binders that receive them, or slices of them */
static bool
scan_operands(struct rule *r, jaxpr_t body, struct scan *s)
{
    const struct scan_operands of = {body, s};
    const struct order order = {r, &of, scan_operand_fits, r->n};
    u64 explained = 0;
    bool right = true;
    for (u32 i = 0; i < r->n && (right || r->several); i++) {
        u32 k = jaxpr_consts(r, body) + i;
        if ((i < 64 && explained >> i & 1) || bind_scanned(r, body, k, i, s))
            continue;
        struct displaced moved = order_displaced(&order, explained, i);
        explained |= moved.places;
        right = moved.places && rule_hint_displaced(r, &moved, format_operand(r, i), format_operand(r, moved.other));
    }
    return right;
}

/* checks the results: the carry, and the stacked outputs of all iterations */
static bool
scan_results(struct rule *r, jaxpr_t body, struct scan *s)
{
    if (r->n_results != s->carry + s->stacked)
        return rule_error(r, DIAG_T006,
                          r->n_results > s->carry + s->stacked ? at_result(s->carry + s->stacked) : at_prim(),
                          "`%s` has %s, a carry of %u and %u stacked, but %u %s bound", format_prim(r),
                          format_count(r, s->carry + s->stacked, "result", "results"), s->carry, s->stacked,
                          r->n_results, r->n_results == 1 ? "is" : "are");
    bool right = true;
    for (u32 i = 0; i < s->carry; i++) {
        struct aval last = jaxpr_out_aval(r, body, i);
        right &= bind_result(r, body, i, i, &last);
    }
    for (u32 i = s->carry; i < r->n_results; i++) {
        struct aval row = jaxpr_out_aval(r, body, i);
        if (row.kind == AVAL_TOKEN)
            right &= bind_result(r, body, i, i, &row);
        if (row.kind != AVAL_ARRAY || !row.ranked)
            continue;
        struct dim *dims = rule_alloc(r, (row.rank + 1u) * sizeof *dims);
        dims[0] = s->length;
        if (row.rank)
            memcpy(dims + 1, row.dims, row.rank * sizeof *dims);
        struct aval stacked = aval_reshaped(&row, row.rank + 1, dims), binder = rule_binder(r, i);
        struct aval part = binder.rank ? aval_reshaped(&binder, binder.rank - 1, binder.dims + 1) : binder;
        if (has_odd_length(s, &binder) || (after_finding(r) && binder.rank && out_is_passed(r, body, i, &part))) {
            var_doubt(r->c, r->eqn->vars + i, &stacked);
            right = false;
        } else if (!bind_result(r, body, i, i, &stacked)) {
            if (binder.ranked && binder.rank && dim_equal(&binder.dims[0], &s->length) == NO)
                s->odd = binder.dims[0];
            if (shapes_agree(&stacked, &binder) == NO && rule_param(r, "length") != NONE)
                rule_note(r, at_param(r, "length"), DETERMINED_BY, "the size of axis 0 of the result", "length");
            right = false;
        }
    }
    return right;
}

/* whether result i is bound as another type than the body returns, or than its values stacked */
static bool
differs_from_out(struct rule *r, jaxpr_t body, u32 i, bool stacked)
{
    struct aval given = jaxpr_out_aval(r, body, i), binder = rule_binder(r, i);
    if (stacked && binder.ranked && binder.rank)
        binder = aval_reshaped(&binder, binder.rank - 1, binder.dims + 1);
    else if (stacked && binder.ranked && given.kind == AVAL_ARRAY)
        return true;
    return avals_agree(&given, &binder) == NO;
}

/* checks the element types of operands, and the results, if the counts are unknown: as many results are taken as
 * carried as makes the fewest of them wrong */
static bool
check_uncounted(struct rule *r, jaxpr_t body, struct scan *s)
{
    u32 n = jaxpr_outs(r, body);
    i64 wrong = 0, fewest = 0; /* less the number of wrong results if all are stacked */
    bool right = true;
    for (u32 i = 0; i < r->n && jaxpr_ins(r, body) == r->n; i++) {
        struct aval row = r->in[i];
        right &= row.kind != AVAL_ARRAY || !unranked(r, &row) ||
                 bind_one(r, AS_JAX, body, jaxpr_consts(r, body) + i, i, &row);
    }
    s->carry = 0;
    for (u32 i = 0; i < n && r->n_results == n; i++) {
        wrong += differs_from_out(r, body, i, false) - differs_from_out(r, body, i, true);
        s->carry = wrong <= fewest ? i + 1 : s->carry;
        fewest = wrong < fewest ? wrong : fewest;
    }
    s->stacked = n - s->carry;
    return right && (r->n_results != n || scan_results(r, body, s));
}

/* JAX rejected an `unroll` below 1 until JAX_SCAN_UNROLL_UNCHECKED, and rejects negative ones since */
static bool
unroll_fits(struct rule *r)
{
    i64 unroll;
    if (!param_int(r, "unroll", &unroll) || unroll > 0)
        return true;
    if (scan_limits_unroll(r->m, r->e, rule_versions(r)))
        return rule_error(r, DIAG_T010, at_param(r, "unroll"), "`unroll` of `%s` must be at least 1, got %lld",
                          format_prim(r), (long long)unroll);
    return unroll == 0 ||
           rule_warning(r, DIAG_T010, at_param(r, "unroll"), "`unroll` of `%s` must not be negative, got %lld",
                        format_prim(r), (long long)unroll);
}

/* whether the carry keeps its type, and the body takes what it receives */
static bool
scan_is_right(struct rule *r, jaxpr_t body, const struct scan *s)
{
    enum strictness by = AS_JAX;
    for (u32 i = 0; i < s->carry; i++) {
        struct aval taken = jaxpr_in_aval(r, body, s->consts + i), given = jaxpr_out_aval(r, body, i);
        if (!bind_agree(r, &by, &taken, &given))
            return false;
    }
    for (u32 i = 0; i < r->n; i++) {
        struct aval given;
        enum truth passes = scan_passes(r, s, i, i, &given);
        if (passes == NO || (passes == YES && !binder_fits(r, &by, body, jaxpr_consts(r, body) + i, &given)))
            return false;
    }
    return true;
}

/* reports what scan_is_right found: only the first finding if another count would fit */
static never_inline bool
report_scan(struct rule *r, jaxpr_t body, struct scan *s)
{
    const struct carry carry = {body, jaxpr_consts(r, body) + s->consts, 0, s->carry};
    r->several = !hint_counts(r, body, s, true);
    bool right = carry_returns(r, AS_JAX, DIAG_T015, &carry);
    right = (right || r->several) && scan_operands(r, body, s) && right;
    return right || (!r->several && hint_counts(r, body, s, false) && false);
}

bool
shape_scan(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "jaxpr");
    struct scan s = {.length = dim_unknown(), .odd = dim_unknown()};
    struct slice text;
    *out = aval_unknown();
    if (body == NONE)
        return rule_trust_param(r, at_prim(), "jaxpr");
    if (!unroll_fits(r))
        return false;
    if (param_text(r, "length", &text))
        read_dim(r, text, &s.length);
    if (!read_scan(r, body, &s))
        return !r->failed && check_uncounted(r, body, &s) && rule_trust_layout(r);
    if (s.length.kind == DIM_INT && s.length.value < 0)
        return rule_error(r, DIAG_T010, at_param(r, "length"), "`length` of `%s` is %s", format_prim(r),
                          format_dim(r, s.length));
    u32 takes = s.consts + s.carry + s.slices;
    if (r->n != takes)
        return rule_error(
            r, DIAG_T018, at_param(r, s.ins), "`%s` has %s, but `%s` requires %u: %s, a carry of %u and %s",
            format_prim(r), format_count(r, r->n, "operand", "operands"), s.ins, takes,
            format_count(r, s.consts, "constant", "constants"), s.carry, format_count(r, s.slices, "slice", "slices"));
    if (jaxpr_ins(r, body) != takes)
        return bind_count(r, AS_JAX, body, takes, "jaxpr");
    if (jaxpr_outs(r, body) != s.carried + s.stacked)
        return rule_error(r, DIAG_T018, at_param(r, s.outs),
                          "`%s` returns a carry of %u and %s, but its body returns %s", format_prim(r), s.carried,
                          format_count(r, s.stacked, "stacked value", "stacked values"),
                          format_count(r, jaxpr_outs(r, body), "value", "values"));
    if (!flags_count(r, "linear", r->n, AS_JAX))
        return false;
    bool right = scan_is_right(r, body, &s) || report_scan(r, body, &s);
    return (right || r->several) && scan_results(r, body, &s) && right && refs_distinct(r, 0);
}
