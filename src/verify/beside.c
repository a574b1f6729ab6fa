/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports several mistakes of one equation, though its rule stops at the first. The rule is run again without the parts
 * that findings are about. What it finds then is reported unless some other single part, or two operands in each
 * other's place, would explain all findings. Only for equations with findings: one trial, and one for each part if that
 * finds something. */
#include "verify/checker.h"
#include "verify/provenance.h"

enum { MOST_FOUND = 4, LARGEST_PARAMS = 32 };

/* whether a finding is that the element type of an operand is in none of the classes that the row has for it */
static bool
is_of_class(const struct rule *r, enum diag_code code, u32 i)
{
    return code == DIAG_T007 && r->in && r->prim->in && !(r->in[i].classes & prim_classes(r->prim->in, i));
}

/* the operands that a finding about operand i concerns: those that are the same value, or fail in the same way */
static u64
operands_like(const struct rule *r, enum diag_code code, u32 i)
{
    u64 like = 1ull << i;
    for (u32 k = 0; k < r->n && k < 64; k++)
        if ((is_of_class(r, code, i) && is_of_class(r, code, k)) ||
            (code == DIAG_T025 && r->in && r->in[i].kind == r->in[k].kind) ||
            r->m->atoms.at[r->eqn->atoms + k] == r->m->atoms.at[r->eqn->atoms + i])
            like |= 1ull << k;
    return like;
}

void
forget_operands(const struct rule *r, const struct parts *unread, struct aval *in)
{
    for (u32 i = 0; i < r->n && i < 64; i++) {
        if (unread->operands >> i & 1)
            in[i] = aval_unknown();
        if (unread->dtypes >> i & 1) {
            in[i].dtype = in[i].type = NONE;
            in[i].classes = IN_ANY;
        }
        if (unread->shapes >> i & 1) {
            in[i].ranked = false;
            in[i].rank = 0;
            in[i].type = NONE;
        }
    }
}

struct parts
parts_at(const struct rule *r, enum diag_code code, struct where where)
{
    struct parts at = {0};
    if (where.kind == AT_OPERAND && where.i < r->n && where.i < 64)
        *(code == DIAG_T007                        ? &at.dtypes
          : code == DIAG_T008 || code == DIAG_T009 ? &at.shapes
                                                   : &at.operands) = operands_like(r, code, where.i);
    if (where.kind == AT_RESULT && where.i < r->n_results && where.i < 64)
        at.results = 1ull << where.i;
    if (where.kind != AT_PARAM && where.kind != AT_TEXT)
        return at;
    struct span s = where_span(r->m, r->e, where);
    u32 i = 0;
    for (param_t p = r->eqn->params; p != NONE && i < LARGEST_PARAMS; p = r->m->params.at[p].next, i++) {
        struct span value = r->m->params.at[p].span;
        if (p - r->eqn->params < 64 && s.at >= value.at && s.at + s.n <= value.at + value.n)
            at.params = 1ull << (p - r->eqn->params);
    }
    return at;
}

/* runs the rule without these parts; whether it finds something, and about which part */
static bool
is_wrong_without(struct rule *r, const struct parts *unread, struct parts *at)
{
    struct probe p = {.result = NONE, .unread = unread, .passed_before = r->passed_before};
    probe_equation(r->c, r->e, r->prim, &p);
    *at = p.wrong ? parts_at(r, p.code, p.at) : (struct parts){0};
    return !p.ran || p.wrong;
}

/* whether the equation would be right with two operands in each other's place */
static bool
is_swapped(struct rule *r, const struct parts *unread)
{
    for (u32 k = 1; k < r->n; k++)
        for (u32 i = 0; i < k; i++) {
            struct probe p = {.result = NONE, .unread = unread, .passed_before = r->passed_before, .swap = {i, k}};
            probe_equation(r->c, r->e, r->prim, &p);
            if (p.ran && !p.wrong)
                return true;
        }
    return false;
}

/* whether no operand has an element type that the primitive takes: it may be the wrong primitive; or an operand is
 * there twice, of a primitive that takes any number, which no program counts: it may be one too many */
static bool
is_other_equation(const struct rule *r)
{
    bool twice = false;
    for (u32 k = 1; k < r->n && r->prim->min != r->prim->max && !eqn_nests(r->m, r->e); k++)
        for (u32 i = 0; i < k; i++)
            twice |= r->m->atoms.at[r->eqn->atoms + k] == r->m->atoms.at[r->eqn->atoms + i];
    u32 i = 0;
    while (i < r->n && is_of_class(r, DIAG_T007, i))
        i++;
    return twice || (r->n > 0 && i == r->n);
}

/* whether one part, instead of that which the last finding is about, explains all findings */
static bool
is_explained(struct rule *r)
{
    struct parts before = r->reported;
    struct parts at;
    parts_remove(&before, &r->doubted);
    parts_add(&before, &r->unread);
    u32 last = 0;
    for (param_t p = r->eqn->params; p != NONE && p - r->eqn->params < 64; p = r->m->params.at[p].next)
        last = p - r->eqn->params + 1;
    for (u32 i = 0; i < r->n + r->n_results + last; i++) {
        struct parts one = before;
        if (i < r->n)
            one.operands |= operands_like(r, DIAG_T003, i);
        else if (i < r->n + r->n_results)
            one.results |= 1ull << (i - r->n);
        else
            one.params |= 1ull << (i - r->n - r->n_results);
        if (!is_wrong_without(r, &one, &at))
            return true;
    }
    return is_other_equation(r) || is_swapped(r, &before);
}

/* runs the rule, which reports, without the parts that were reported */
static void
run_again(struct rule *r)
{
    struct rule again = *r;
    struct aval *in = scratch_alloc(r->c, (r->n + 1u) * sizeof *in);
    memcpy(in, r->in, r->n * sizeof *in);
    forget_operands(r, &r->reported, in);
    again.in = in;
    again.again = true;
    again.unread = r->reported;
    again.failed = false;
    again.several = parts_empty(&r->doubted); /* only values of parameters that are wrong in any equation */
    again.n_reported = 0;
    again.doubted = (struct parts){0};
    check_operand_types(&again);
    r->elsewhere |= again.elsewhere || parts_empty(&again.doubted);
    r->doubted = again.doubted;
    parts_add(&r->reported, &again.reported);
}

void
check_beside(struct rule *r)
{
    struct parts new;
    r->reported.operands |= r->reported_operands;
    bool at_binder = r->at_binder;
    if (!r->in || (r->c->already_reported && !at_binder) || r->names_reported || parts_empty(&r->reported) ||
        r->n > LARGEST_ASKED || r->n_results > LARGEST_ASKED || rule_text_is_broken(r))
        return;
    for (u32 n = 0; n < MOST_FOUND && !r->elsewhere && is_wrong_without(r, &r->reported, &new); n++) {
        parts_remove(&new, &r->reported);
        if (!parts_empty(&r->doubted) && (parts_empty(&new) || is_explained(r)))
            return;
        r->c->already_reported = true;
        run_again(r);
        r->c->already_reported = at_binder;
    }
}

bool
is_result_wrong(struct checker *c, eqn_t e, const struct prim *prim, u32 result)
{
    struct rule r = rule_of(c, e, prim);
    for (u32 n = 0; n < MOST_FOUND && r.n <= LARGEST_ASKED; n++) {
        struct probe p = {.result = result, .unread = n ? &r.reported : NULL};
        probe_equation(c, e, prim, &p);
        if (p.mismatch)
            return n == 0 || !is_explained(&r);
        r.doubted = p.wrong ? parts_at(&r, p.code, p.at) : (struct parts){0};
        if (parts_empty(&r.doubted))
            return false;
        parts_add(&r.reported, &r.doubted);
    }
    return false;
}
