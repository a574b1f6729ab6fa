/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches and loops of JAX, but for scan (jax/_src/lax/control_flow: conditionals.py _cond_typecheck, loops.py
 * _while_typecheck, for_loop.py). Of a `while`, JAX compares only the results; the rest is checked here as stricter
 * findings. Linear in operands, binders and results. */
#include "verify/call_check.h"
#include "verify/displaced.h"
#include "verify/infer.h"
#include "verify/provenance.h"
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
    struct aval first = out ? jaxpr_out_aval(r, zero, k) : jaxpr_in_aval(r, zero, k);
    /* all branches take what the first does, whose types come from the operands */
    bool passed = !out && binder_fits(r, &newer, j, jaxpr_consts(r, j) + k, &first);
    struct aval other = out ? jaxpr_out_aval(r, j, k) : jaxpr_in_aval(r, j, k);
    if (out && first.literal && first.dtype == NONE && k < r->n_results) {
        struct aval bound = rule_binder(r, k); /* `2` and `1.5` may both be bf16, but not if the result is an i32 */
        if (avals_agree(&first, &bound) != NO)
            first = bound;
    }
    if (out ? bind_agree(r, &newer, &first, &other) : passed)
        return true;
    atom_t zeros = out ? r->m->atoms.at[r->m->jaxprs.at[zero].outs + k]
                       : atom_make(ATOM_VAR, r->m->jaxprs.at[zero].vars + jaxpr_consts(r, zero) + k);
    bool named = atom_kind(zeros) == ATOM_VAR;
    bool again =
        after_finding(r) && ((named && var_is_passed(r, atom_id(zeros), &other)) || /* as another branch does, or */
                             (out && out_is_passed(r, j, k, &first)));              /* an argument was reported */
    if (again || (out && repeats_result(r, zero, k)))
        return rule_repeats(r);
    bool fine = bind_error(r, newer, DIAG_T013, out ? at_out(j, k) : at_binder(r, j, k),
                           format_text(r, "branch %u of `%s` %s `%s`, which is %s, but branch 0 %s %s", b,
                                       format_prim(r), verb, format_branch_value(r, j, out, k), format_aval(r, &other),
                                       verb, format_aval(r, &first)));
    rule_note(r, out ? at_out(zero, k) : at_binder(r, zero, k), "branch 0 %s `%s`, which is %s, here", verb,
              format_branch_value(r, zero, out, k), format_aval(r, &first));
    if (!out)
        rule_passed(r, r->m->jaxprs.at[j].vars + jaxpr_consts(r, j) + k, &first);
    if (named)
        rule_passed(r, atom_id(zeros), &other);
    return fine;
}

static bool
branch_counts(struct rule *r, const struct jaxpr_list *all, u32 b, bool out, u32 first, u32 other)
{
    if (first == other)
        return true;
    for (u32 k = 1; k < b && k < 64; k++) /* then the first branch may be wrong */
        if (all->at[k] != NONE && (out ? jaxpr_outs(r, all->at[k]) : jaxpr_ins(r, all->at[k])) == other)
            return rule_repeats(r);
    jaxpr_t zero = all->at[0], j = all->at[b];
    const char *verb = out ? "returns" : "takes";
    rule_error(r, DIAG_T013, at_part(r, j, out, other > first ? first : 0),
               "branch %u of `%s` %s %s, but branch 0 %s %u", b, format_prim(r), verb,
               format_count(r, other, "value", "values"), verb, first);
    return rule_note(r, at_part(r, zero, out, first > other ? other : 0), "branch 0 %s %s here", verb,
                     format_count(r, first, "value", "values"));
}

/* what branches_agree compares: the arguments or results of branch b with those of branch 0 */
struct branch_values {
    const struct jaxpr_list *all;
    u32 b;
    bool out;
};

static bool
branch_value_fits(const struct order *order, u32 value, u32 place)
{
    const struct branch_values *of = order->of;
    struct rule *r = order->r;
    jaxpr_t zero = of->all->at[0], j = of->all->at[of->b];
    struct aval first = of->out ? jaxpr_out_aval(r, zero, place) : jaxpr_in_aval(r, zero, place);
    struct aval other = of->out ? jaxpr_out_aval(r, j, value) : jaxpr_in_aval(r, j, value);
    return avals_agree(&first, &other) != NO;
}

static bool
branch_agrees(struct rule *r, const struct branch_values *of, u32 n)
{
    const struct order order = {r, of, branch_value_fits, n};
    u64 explained = 0;
    bool right = true;
    for (u32 k = 0; k < n; k++) {
        if ((k < 64 && explained >> k & 1) || branch_value_agrees(r, of->all, of->b, of->out, k))
            continue;
        jaxpr_t j = of->all->at[of->b];
        struct displaced moved = order_displaced(&order, explained, k);
        explained |= moved.places;
        right = moved.places && rule_hint_displaced(r, &moved, format_branch_value(r, j, of->out, k),
                                                    format_branch_value(r, j, of->out, moved.other));
    }
    return right;
}

bool
branches_agree(struct rule *r, const struct jaxpr_list *all, bool ins)
{
    jaxpr_t zero = all->at[0];
    bool right = true;
    r->several = true;
    for (u32 b = 1; b < all->n; b++) {
        jaxpr_t j = all->at[b];
        if (j == NONE || zero == NONE || j == zero)
            continue;
        for (u32 out = !ins; out < 2; out++) {
            u32 n = out ? jaxpr_outs(r, zero) : jaxpr_ins(r, zero);
            right = branch_counts(r, all, b, out, n, out ? jaxpr_outs(r, j) : jaxpr_ins(r, j)) &&
                    branch_agrees(r, &(struct branch_values){all, b, out}, n) && right;
        }
    }
    return right;
}

bool
flags_count(struct rule *r, const char *key, u32 wanted, enum strictness by)
{
    struct ints flags;
    return !param_ints(r, key, &flags) || bind_entries(r, by, key, flags.n, wanted, "operand");
}

/* checks the branch index. False after a finding that explains the other operands, too: the index is missing, or was
 * swapped with one of them */
static bool
index_fits(struct rule *r, const struct jaxpr_list *all, bool *right)
{
    const struct aval *index = &r->in[0];
    struct aval wanted = aval_scalar(DT_i32);
    enum truth fits = dtypes_agree(&wanted, index);
    if (index->kind == AVAL_UNKNOWN || (index->kind == AVAL_ARRAY && fits != NO && !(index->ranked && index->rank)))
        return true;
    *right = bind_error(r, fits == NO ? AS_JAX : STRICTER, DIAG_T014, at_operand(0),
                        format_text(r, "the branch index of `%s` must be i32[]: `%s` is %s", format_prim(r),
                                    format_operand(r, 0), format_aval(r, index)));
    rule_note_operand(r, 0);
    if (all->at[0] != NONE && jaxpr_ins(r, all->at[0]) == r->n)
        rule_hint(r, "there are only as many operands as a branch takes; is the branch index missing?");
    if (all->at[0] == NONE || jaxpr_ins(r, all->at[0]) != r->n - 1)
        return false;
    for (u32 i = 1; i < r->n; i++) {
        struct aval taken = jaxpr_in_aval(r, all->at[0], i - 1);
        if (avals_agree(&wanted, &r->in[i]) == YES && avals_agree(&taken, index) != NO)
            return false;
    }
    return true;
}

/* cond[branches=(..)]: an i32 index and the operands every branch takes */
static bool
cond_of_jax(struct rule *r, const struct jaxpr_list *all)
{
    bool indexed = true;
    if (r->n == 0)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` requires a branch index as first operand", format_prim(r));
    if (!index_fits(r, all, &indexed))
        return false;
    jaxpr_t zero = all->at[0];
    struct slice platforms;
    u32 n;
    bool agree = branches_agree(r, all, true), flags = flags_count(r, "linear", r->n - 1, AS_JAX),
         right = indexed && agree && flags;
    if (param_text(r, "branches_platforms", &platforms) && value_count(platforms, &n) && n &&
        !bind_entries(r, STRICTER, "branches_platforms", n, all->n, "branch"))
        return all->at[all->n - 1] != NONE &&
               rule_note(r, at_part(r, all->at[all->n - 1], false, NONE), "this is the last branch");
    if (zero == NONE)
        return rule_trust(r, at_param(r, "branches"),
                          "a branch of `%s` is not a program, so its results are not verified", format_prim(r));
    struct region_map map;
    /* flags that are as many as the operands should be were reported */
    if (!flags && jaxpr_ins(r, zero) != r->n - 1)
        return bind_outs(r, zero, "branches") && false;
    if (bind_count(r, AS_JAX, zero, r->n - 1, "branches") && rule_regions(r, &map))
        right = bind_region(r, AS_JAX, &map.regions.at[0]) && right;
    return bind_outs(r, zero, "branches") && right && !r->failed && refs_distinct(r, 1);
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

/* whether a body returns a value with the type that the carry has at a place */
static bool
carry_fits(const struct order *order, u32 value, u32 place)
{
    const struct carry *c = order->of;
    struct aval taken = binder_aval(order->r, c->body, c->binder + place),
                given = jaxpr_out_aval(order->r, c->body, c->out + value);
    return avals_agree(&taken, &given) != NO;
}

static bool
carry_value_returns(struct rule *r, enum strictness by, enum diag_code code, const struct carry *c, u32 i)
{
    u32 k = c->binder + i, out = c->out + i;
    struct aval taken = binder_aval(r, c->body, k), given = jaxpr_out_aval(r, c->body, out);
    if (bind_agree(r, &by, &taken, &given))
        return true;
    bool fine = bind_error(
        r, by, code, at_out(c->body, out),
        format_text(r, "the carry of `%s` changes its type: the body takes `%s` as %s and returns `%s`, which is %s",
                    format_prim(r), format_binder(r, c->body, k), format_aval(r, &taken), format_out(r, c->body, out),
                    format_aval(r, &given)));
    atom_t a = r->m->atoms.at[r->m->jaxprs.at[c->body].outs + out];
    rule_passed(r, r->m->jaxprs.at[c->body].vars + k, &given);
    if (atom_kind(a) == ATOM_VAR)
        rule_passed(r, atom_id(a), &taken);
    rule_note_binder(r, c->body, k);
    return fine;
}

bool
carry_returns(struct rule *r, enum strictness by, enum diag_code code, const struct carry *c)
{
    const struct order order = {r, c, carry_fits, c->n};
    u64 explained = 0;
    bool right = true;
    for (u32 i = 0; i < c->n; i++) {
        if ((i < 64 && explained >> i & 1) || carry_value_returns(r, by, code, c, i))
            continue;
        struct displaced moved = order_displaced(&order, explained, i);
        explained |= moved.places;
        right = moved.places && rule_hint_displaced(r, &moved, format_out(r, c->body, c->out + i),
                                                    format_out(r, c->body, c->out + moved.other));
        if (!r->several)
            break;
    }
    return right;
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
    r->several = true;
    bool right = carry_counted(r, STRICTER, &carry) && carry_returns(r, STRICTER, DIAG_T016, &carry);
    right = returns_bool(r, cond, "cond_jaxpr", true) && right;
    if (!rule_regions(r, &map))
        return false;
    right = bind_region(r, STRICTER, &map.regions.at[0]) && right;
    return bind_region(r, STRICTER, &map.regions.at[1]) && right;
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
    bool right = loop_closes(r, body, cond, &l);
    return (r->options->as_jax || bind_outs(r, body, "body_jaxpr")) && right && refs_distinct(r, l.cond_consts);
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
