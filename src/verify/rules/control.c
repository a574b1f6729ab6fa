/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches and loops of JAX (jax/_src/lax/control_flow: conditionals.py _cond_typecheck, loops.py _scan_typecheck and
 * _while_typecheck, for_loop.py). Of a `while`, JAX compares only the results; the rest is checked here as stricter
 * findings. Linear in operands, binders and results. */
#include "verify/call_check.h"
#include "verify/infer.h"
#include "verify/ref_alias.h"
#include "verify/varying_axes.h"

/* ---- cond ---- */

static const char *
format_branch_value(struct rule *r, jaxpr_t j, bool out, u32 k)
{
    return out ? format_out(r, j, k) : format_binder(r, j, jaxpr_consts(r, j) + k);
}

/* compares argument or result k of branch b with that of branch 0; the finding is at branch b's */
static bool
branch_value_agrees(struct rule *r, const struct jaxpr_list *all, u32 b, bool out, u32 k)
{
    jaxpr_t zero = all->at[0], j = all->at[b];
    enum strictness newer = AS_JAX;
    const char *verb = out ? "returns" : "takes";
    if (!out) { /* all branches take what the first does, whose types come from the operands */
        struct aval taken = jaxpr_in_aval(r, zero, k);
        infer_binder(r->c, j, jaxpr_consts(r, j) + k, &taken);
    }
    struct aval first = out ? jaxpr_out_aval(r, zero, k) : jaxpr_in_aval(r, zero, k);
    struct aval other = out ? jaxpr_out_aval(r, j, k) : jaxpr_in_aval(r, j, k);
    if (bind_agree(r, &newer, &first, &other))
        return true;
    bool fine = bind_error(r, newer, DIAG_T013, out ? at_out(j, k) : at_binder(r, j, k),
                           format_text(r, "branch %u of `%s` %s `%s`, which is %s, but branch 0 %s %s", b,
                                       format_prim(r), verb, format_branch_value(r, j, out, k), format_aval(r, &other),
                                       verb, format_aval(r, &first)));
    rule_note(r, out ? at_out(zero, k) : at_binder(r, zero, k), "branch 0 %s `%s`, which is %s, here", verb,
              format_branch_value(r, zero, out, k), format_aval(r, &first));
    if (!out)
        rule_passed(r, j, jaxpr_consts(r, j) + k, &first);
    return fine;
}

static bool
branch_counts(struct rule *r, const struct jaxpr_list *all, u32 b, bool out, u32 first, u32 other)
{
    if (first == other)
        return true;
    jaxpr_t zero = all->at[0], j = all->at[b];
    const char *verb = out ? "returns" : "takes";
    rule_error(r, DIAG_T013, at_part(r, j, out, other > first ? first : 0),
               "branch %u of `%s` %s %s, but branch 0 %s %u", b, format_prim(r), verb,
               format_count(r, other, "value", "values"), verb, first);
    return rule_note(r, at_part(r, zero, out, first > other ? other : 0), "branch 0 %s %s here", verb,
                     format_count(r, first, "value", "values"));
}

bool
branches_agree(struct rule *r, const struct jaxpr_list *all, bool ins)
{
    jaxpr_t zero = all->at[0];
    for (u32 b = 1; b < all->n; b++) {
        jaxpr_t j = all->at[b];
        if (j == NONE || zero == NONE || j == zero)
            continue;
        u32 n_ins = jaxpr_ins(r, zero), n_outs = jaxpr_outs(r, zero);
        if ((ins && !branch_counts(r, all, b, false, n_ins, jaxpr_ins(r, j))) ||
            !branch_counts(r, all, b, true, n_outs, jaxpr_outs(r, j)))
            return false;
        for (u32 k = 0; ins && k < n_ins; k++)
            if (!branch_value_agrees(r, all, b, false, k))
                return false;
        for (u32 k = 0; k < n_outs; k++)
            if (!branch_value_agrees(r, all, b, true, k))
                return false;
    }
    return true;
}

bool
flags_count(struct rule *r, const char *key, u32 wanted, enum strictness by)
{
    struct ints flags;
    return !param_ints(r, key, &flags) || bind_entries(r, by, key, flags.n, wanted, "operand");
}

/* cond[branches=(..)]: an i32 index and the operands every branch takes */
static bool
cond_of_jax(struct rule *r, const struct jaxpr_list *all)
{
    if (r->n == 0)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` requires a branch index as first operand", format_prim(r));
    const struct aval *index = &r->in[0];
    struct aval wanted = aval_scalar(DT_i32);
    enum truth fits = dtypes_agree(&wanted, index);
    if (index->kind != AVAL_UNKNOWN && (index->kind != AVAL_ARRAY || fits == NO || (index->ranked && index->rank))) {
        bind_error(r, fits == NO ? AS_JAX : STRICTER, DIAG_T014, at_operand(0),
                   format_text(r, "the branch index of `%s` must be i32[]: `%s` is %s", format_prim(r),
                               format_operand(r, 0), format_aval(r, index)));
        rule_note_operand(r, 0);
        if (all->at[0] != NONE && jaxpr_ins(r, all->at[0]) == r->n)
            rule_hint(r, "there are only as many operands as a branch takes; is the branch index missing?");
        return false;
    }
    jaxpr_t zero = all->at[0];
    struct slice platforms;
    u32 n;
    if (!branches_agree(r, all, true) || !flags_count(r, "linear", r->n - 1, AS_JAX))
        return false;
    if (param_text(r, "branches_platforms", &platforms) && value_count(platforms, &n) && n &&
        !bind_entries(r, STRICTER, "branches_platforms", n, all->n, "branch"))
        return all->at[all->n - 1] != NONE &&
               rule_note(r, at_part(r, all->at[all->n - 1], false, NONE), "this is the last branch");
    if (zero == NONE)
        return rule_trust(r, at_param(r, "branches"),
                          "a branch of `%s` is not a program, so its results are not verified", format_prim(r));
    struct region_map map;
    return bind_count(r, AS_JAX, zero, r->n - 1, "branches") && rule_regions(r, &map) &&
           bind_region(r, AS_JAX, &map.regions.at[0]) && bind_outs(r, zero, "branches") && refs_distinct(r, 1);
}

bool
shape_cond(struct rule *r, struct aval *out)
{
    struct jaxpr_list all;
    *out = aval_unknown();
    if (rule_jaxprs(r, "branch_jaxprs", &all))
        return cond_of_catalyst(r, &all, false);
    if (rule_jaxprs(r, "jaxpr_branches", &all))
        return cond_of_pennylane(r, &all);
    if (!rule_jaxprs(r, "branches", &all))
        return rule_trust_param(r, at_prim(), "branches");
    if (all.n == 0)
        return rule_error(r, DIAG_T010, at_param(r, "branches"), "`%s` has no branches", format_prim(r));
    return cond_of_jax(r, &all);
}

/* ---- while ---- */

bool
returns_bool(struct rule *r, jaxpr_t cond, const char *key, bool batched)
{
    u32 gives = jaxpr_outs(r, cond);
    if (gives != 1)
        return rule_stricter(r, DIAG_T017, gives ? at_out(cond, 1) : at_param(r, key),
                             "the condition of `%s` must return one bool[], but returns %u values", format_prim(r),
                             gives);
    struct aval given = jaxpr_out_aval(r, cond, 0), wanted = aval_scalar(DT_bool);
    wanted.ranked = !batched;
    if (avals_agree(&wanted, &given) != NO)
        return true;
    return rule_stricter(r, DIAG_T017, at_out(cond, 0),
                         "the condition of `%s` must return bool[], but returns `%s`, which is %s", format_prim(r),
                         format_out(r, cond, 0), format_aval(r, &given));
}

bool
carry_returns(struct rule *r, enum strictness by, enum diag_code code, const struct carry *c)
{
    for (u32 i = 0; i < c->n; i++) {
        u32 k = c->binder + i, out = c->out + i;
        struct aval taken = binder_aval(r, c->body, k), given = jaxpr_out_aval(r, c->body, out);
        enum strictness strictness = by;
        if (bind_agree(r, &strictness, &taken, &given))
            continue;
        bool fine = bind_error(
            r, strictness, code, at_out(c->body, out),
            format_text(r,
                        "the carry of `%s` changes its type: the body takes `%s` as %s and returns `%s`, which is %s",
                        format_prim(r), format_binder(r, c->body, k), format_aval(r, &taken),
                        format_out(r, c->body, out), format_aval(r, &given)));
        rule_passed(r, c->body, k, &given);
        rule_note_binder(r, c->body, k);
        return fine;
    }
    return true;
}

/* the counts of a while: constants of its condition, constants of its body, and the rest, its carry */
struct loop {
    u32 cond_consts, body_consts, carry;
};

/* checks that a program takes its constants and the carry */
static bool
takes_carry(struct rule *r, jaxpr_t j, const char *program, u32 consts, const struct loop *l)
{
    u32 takes = jaxpr_ins(r, j);
    if (takes == consts + l->carry)
        return true;
    struct where where = takes > consts + l->carry ? at_binder(r, j, consts + l->carry)
                                                   : at_param(r, *program == 'b' ? "body_nconsts" : "cond_nconsts");
    rule_stricter(r, DIAG_T018, where,
                  "`%s` has %u operand%s: cond_nconsts=%u and body_nconsts=%u leave %u for the carry, so `%s` "
                  "must take %u value%s, not %u",
                  format_prim(r), r->n, r->n == 1 ? "" : "s", l->cond_consts, l->body_consts, l->carry, program,
                  consts + l->carry, consts + l->carry == 1 ? "" : "s", takes);
    for (u32 i = 0; i < 2; i++) {
        struct where count = at_param(r, i ? "body_nconsts" : "cond_nconsts");
        if (count.kind == AT_PARAM && count.i != where.i && (i ? l->body_consts : l->cond_consts))
            rule_note(r, count, "`%s` is set here", i ? "body_nconsts" : "cond_nconsts");
    }
    return false;
}

/* checks what JAX does not: the programs take constants and carry, and the carry has the same types after each
 * iteration */
static bool
loop_closes(struct rule *r, jaxpr_t body, jaxpr_t cond, const struct loop *l)
{
    struct region_map map;
    if (!takes_carry(r, body, "body_jaxpr", l->body_consts, l) ||
        !takes_carry(r, cond, "cond_jaxpr", l->cond_consts, l))
        return false;
    struct carry carry = {body, jaxpr_consts(r, body) + l->body_consts, 0, l->carry};
    return carry_counted(r, STRICTER, &carry) && carry_returns(r, STRICTER, DIAG_T016, &carry) &&
           returns_bool(r, cond, "cond_jaxpr", true) && rule_regions(r, &map) &&
           bind_region(r, STRICTER, &map.regions.at[0]) && bind_region(r, STRICTER, &map.regions.at[1]);
}

bool
shape_while(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "body_jaxpr"), cond = rule_jaxpr(r, "cond_jaxpr");
    struct loop l = {0, 0, 0};
    *out = aval_unknown();
    if (body == NONE)
        return rule_trust_param(r, at_prim(), "body_jaxpr");
    /* under --as-jax, the finding that JAX reports comes first; otherwise the more exact one */
    if (r->options->as_jax && !bind_outs(r, body, "body_jaxpr"))
        return false;
    if (cond == NONE || !param_count(r, "body_nconsts", &l.body_consts) ||
        !param_count(r, "cond_nconsts", &l.cond_consts))
        return !r->failed && bind_outs(r, body, "body_jaxpr") && rule_trust_layout(r);
    u32 consts = l.body_consts + l.cond_consts;
    if (consts > r->n)
        return rule_stricter(r, DIAG_T018, at_param(r, "body_nconsts"),
                             "`%s` has %s, fewer than the %u that cond_nconsts=%u and body_nconsts=%u require",
                             format_prim(r), format_count(r, r->n, "operand", "operands"), consts, l.cond_consts,
                             l.body_consts);
    l.carry = r->n - consts;
    return loop_closes(r, body, cond, &l) && (r->options->as_jax || bind_outs(r, body, "body_jaxpr")) &&
           refs_distinct(r, l.cond_consts);
}

/* ---- scan ---- */

struct scan {
    u32 consts, carry, slices; /* of the operands */
    u32 carried, stacked;      /* of the body's results */
    struct dim length;
    const char *ins, *outs; /* the parameters that give these counts */
};

/* the number of leaves in each of n parts of a tree of scan: constants, carry and slices; or carry and stacked
 * results */
static bool
read_tree(struct rule *r, const char *key, u32 *counts, u32 n)
{
    struct slice text;
    u32 parts;
    if (!param_text(r, key, &text))
        return false;
    if (text.n && *text.at == '(' && value_count(text, &parts) && parts != n && !slice_contains(text, SLICE("...")))
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

/* suggests another num_consts that would make the carry match; a few are tried */
static void
hint_counts(struct rule *r, jaxpr_t body, const struct scan *s)
{
    enum { TRIES = 16, LONGEST = 64 };
    if (*s->ins != 'n' || s->carry > LONGEST)
        return;
    for (u32 consts = 0; consts < TRIES && consts + s->carry <= jaxpr_ins(r, body); consts++) {
        bool fits = consts != s->consts;
        for (u32 i = 0; fits && i < s->carry; i++) {
            struct aval taken = jaxpr_in_aval(r, body, consts + i), given = jaxpr_out_aval(r, body, i);
            fits = avals_agree(&taken, &given) == YES;
        }
        for (u32 i = 0; fits && i < consts + s->carry && i < r->n; i++) {
            struct aval taken = jaxpr_in_aval(r, body, i);
            fits = avals_agree(&taken, &r->in[i]) != NO;
        }
        if (fits) {
            rule_hint(r, "with num_consts=%u, the carry would keep its type; is `num_consts` wrong?", consts);
            return;
        }
    }
}

/* checks operand i, an array with leading axis `length`, against binder k, which receives it without that axis */
static bool
bind_slice(struct rule *r, jaxpr_t body, u32 k, u32 i, struct dim length)
{
    const struct aval *a = &r->in[i];
    if (a->kind == AVAL_TOKEN) /* every iteration receives it (jax/_src/core.py, aval_mapping_handlers) */
        return bind_one(r, AS_JAX, body, k, i, a);
    if (a->kind == AVAL_UNKNOWN || a->kind == AVAL_OTHER || !a->ranked)
        return true;
    if ((a->kind != AVAL_ARRAY && a->kind != AVAL_REF) || a->rank == 0 || dim_equal(&a->dims[0], &length) == NO) {
        rule_error(r, DIAG_T015, at_operand(i),
                   "`%s` slices `%s` along its leading axis, whose size must be length=%s: `%s` is %s", format_prim(r),
                   format_operand(r, i), format_dim(r, length), format_operand(r, i), format_aval(r, a));
        rule_note_operand(r, i);
        return rule_note(r, at_param(r, "length"), "`length` is set here");
    }
    struct aval row = aval_reshaped(a, a->rank - 1, a->dims + 1);
    return bind_one(r, AS_JAX, body, k, i, &row);
}

/* checks the results: the carry, and the stacked outputs of all iterations */
static bool
scan_results(struct rule *r, jaxpr_t body, const struct scan *s)
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
        struct aval stacked = aval_reshaped(&row, row.rank + 1, dims);
        if (!bind_result(r, body, i, i, &stacked)) {
            struct aval binder = rule_binder(r, i);
            if (shapes_agree(&stacked, &binder) == NO && rule_param(r, "length") != NONE)
                rule_note(r, at_param(r, "length"), DETERMINED_BY, "the size of axis 0 of the result", "length");
            right = false;
        }
    }
    return right;
}

/* checks the results if the counts are unknown: those from the first that is not bound with the body's type on are
 * taken as stacked */
static bool
uncounted_results(struct rule *r, jaxpr_t body, struct scan *s)
{
    u32 n = jaxpr_outs(r, body);
    for (s->carry = 0; s->carry < n && s->carry < r->n_results; s->carry++) {
        struct aval given = jaxpr_out_aval(r, body, s->carry), binder = rule_binder(r, s->carry);
        if (avals_agree(&given, &binder) == NO)
            break;
    }
    s->stacked = n - s->carry;
    return r->n_results != n || scan_results(r, body, s);
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

bool
shape_scan(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "jaxpr");
    struct scan s = {.length = dim_unknown()};
    struct slice text;
    *out = aval_unknown();
    if (body == NONE)
        return rule_trust_param(r, at_prim(), "jaxpr");
    if (!unroll_fits(r))
        return false;
    if (!read_scan(r, body, &s))
        return !r->failed && uncounted_results(r, body, &s) && rule_trust_layout(r);
    if (param_text(r, "length", &text))
        read_dim(r, text, &s.length);
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
    struct region_map map;
    if (!rule_regions(r, &map))
        return false;
    if (!carry_returns(r, AS_JAX, DIAG_T015, &(struct carry){body, map.body_carry, 0, s.carry})) {
        hint_counts(r, body, &s);
        return false;
    }
    const struct region *in = &map.regions.at[0];
    for (u32 k = 0; k < jaxpr_consts(r, body) + jaxpr_ins(r, body); k++) {
        u32 i = region_operand(in, k);
        bool slice = i != NONE && i >= map.carry + map.n_carry;
        if (i != NONE && !(slice ? bind_slice(r, body, k, i, s.length) : bind_one(r, AS_JAX, body, k, i, &r->in[i])))
            return false;
    }
    return scan_results(r, body, &s) && refs_distinct(r, 0);
}

/* ---- for: a body over refs (jax/_src/lax/control_flow/for_loop.py) ---- */

static bool
bind_ref(struct rule *r, jaxpr_t body, u32 k, u32 i)
{
    struct aval binder = binder_aval(r, body, k), have = r->in[i];
    if (binder.kind == AVAL_UNKNOWN || binder.kind == AVAL_OTHER || have.kind == AVAL_UNKNOWN ||
        have.kind == AVAL_OTHER)
        return true;
    if (binder.kind == AVAL_REF) {
        have.kind = AVAL_REF;
        have.type = NONE;
        if (avals_agree(&binder, &have) != NO)
            return true;
    }
    const char *as =
        have.kind == AVAL_REF && r->in[i].kind == AVAL_ARRAY ? format_text(r, " as %s", format_aval(r, &have)) : "";
    rule_stricter(r, DIAG_T012, at_operand(i), "`%s` passes `%s`, which is %s,%s to `%s`, which is %s", format_prim(r),
                  format_operand(r, i), format_aval(r, &r->in[i]), as, format_binder(r, body, k),
                  format_aval(r, &binder));
    rule_note_binder(r, body, k);
    return rule_note_operand(r, i);
}

bool
bind_refs(struct rule *r)
{
    struct region_map map;
    const struct region *in = rule_regions(r, &map) ? &map.regions.at[0] : NULL;
    for (u32 k = 0; in && k < jaxpr_consts(r, in->jaxpr) + jaxpr_ins(r, in->jaxpr); k++)
        if (region_operand(in, k) != NONE && !bind_ref(r, in->jaxpr, k, region_operand(in, k)))
            return false;
    return true;
}

bool
shape_for(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "jaxpr");
    *out = aval_unknown();
    if (!results_like_operands(r) || !flags_count(r, "which_linear", r->n, STRICTER))
        return false;
    if (body == NONE)
        return rule_trust_param(r, at_prim(), "jaxpr");
    if (jaxpr_ins(r, body) != r->n + 1)
        return rule_stricter(
            r, DIAG_T012, at_param(r, "jaxpr"),
            "the body of `%s` must have binders for the index and the refs of all operands, %u in total, but has %u",
            format_prim(r), r->n + 1, jaxpr_ins(r, body));
    if (jaxpr_outs(r, body))
        return rule_stricter(r, DIAG_T015, at_out(body, 0),
                             "the body of `%s` must return nothing: results are written to refs", format_prim(r));
    return bind_refs(r);
}
