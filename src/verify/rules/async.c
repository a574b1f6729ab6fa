/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives in two steps (from 0.11 on; jax/_src/lax/parallel.py, _async_start_abstract_eval and
 * _async_done_abstract_eval): one returns `AbstractFuture{f32[8]}` with the collective's result type, the other
 * takes that and returns the result. As expensive as the collective's own rule. */
#include "verify/call_check.h"

/* the type inside a future, unknown if it cannot be read; false if `a` is known to be of another type */
static bool
future_of(struct rule *r, const struct aval *a, struct aval *inner)
{
    static const char before[] = "AbstractFuture{";
    *inner = aval_unknown();
    if (a->kind == AVAL_UNKNOWN || a->type == NONE)
        return a->kind == AVAL_UNKNOWN;
    struct slice text = type_get(&r->m->types, a->type)->text;
    if (!slice_starts(text, SLICE(before)))
        return false;
    text = (struct slice){text.at + sizeof before - 1, text.n - sizeof before + 1};
    const char *end = memchr(text.at, ']', text.n); /* varying axes, `{V:x}`, may follow */
    if (end)
        read_aval(r, (struct slice){text.at, (size_t)(end + 1 - text.at)}, inner);
    return true;
}

/* checks that the result is a future of `out` */
static bool
gives_future(struct rule *r, struct aval *out)
{
    struct aval inner = aval_unknown(), binder;
    if (!rule_results(r, 1))
        return false;
    binder = rule_binder(r, 0);
    out->type = NONE;
    if (future_of(r, &binder, &inner) && result_agrees(r, &inner, out) != NO)
        return true;
    rule_error(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but `%s` gives AbstractFuture{%s}",
               format_result(r, 0), format_aval(r, &binder), format_prim(r), format_aval(r, out));
    for (u32 i = 0; i < r->n; i++)
        rule_note_operand(r, i);
    rule_note_params(r, out, &inner);
    return false;
}

bool
shape_gather_start(struct rule *r, struct aval *out)
{
    return shape_all_gather(r, out) && gives_future(r, out);
}

bool
shape_scatter_start(struct rule *r, struct aval *out)
{
    return shape_reduce_scatter(r, out) && gives_future(r, out);
}

bool
shape_exchange_start(struct rule *r, struct aval *out)
{
    return shape_all_to_all(r, out) && gives_future(r, out);
}

/* psum_invariant_start, ppermute_start */
bool
shape_same_start(struct rule *r, struct aval *out)
{
    return shape_first(r, out) && gives_future(r, out);
}

bool
shape_future_done(struct rule *r, struct aval *out)
{
    struct aval binder = rule_binder(r, 0);
    if (!future_of(r, &r->in[0], out))
        return rule_error_operand(r, DIAG_T025, 0, "the operand of `%s` must be a future", format_prim(r));
    if (r->probe || r->n_results != 1 || avals_agree(out, &binder) != NO)
        return rule_results(r, 1) && rule_result(r, 0, out);
    r->given = out;
    rule_error(r, DIAG_T003, at_result(0),
               "`%s` is bound as %s, but `%s` gives the value of the future `%s`, which is %s", format_result(r, 0),
               format_aval(r, &binder), format_prim(r), format_operand(r, 0), format_aval(r, &r->in[0]));
    r->given = NULL;
    return rule_note_operand(r, 0);
}
