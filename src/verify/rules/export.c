/* SPDX-License-Identifier: Apache-2.0
 *
 * call_exported, which prints an exported function as `Exported(fun_name=.., ...)`, without its signature. JAX binds
 * the primitive in one place only, `call` of jax/_src/export/_export.py, whose f_flat passes on its arguments in order;
 * and `_get_vjp_fun` in that module gives every derivative the name fun_vjp_jax and one signature: from arguments and
 * cotangents of results to cotangents of arguments. Linear in operands. */
#include "verify/call_check.h"

/* whether the enclosing program is f_flat: only this equation, whose results it returns */
static bool
is_wrapper(const struct rule *r, const struct jaxpr *around)
{
    if (around->eqns != r->e || r->eqn->next != NONE || around->n_consts || around->n_outs != r->n_results)
        return false;
    for (u32 i = 0; i < around->n_outs; i++)
        if (r->m->atoms.at[around->outs + i] != atom_make(ATOM_VAR, r->eqn->vars + i))
            return false;
    return true;
}

static bool
note_wrapper(struct rule *r)
{
    return rule_note(
        r, at_prim(),
        "JAX prints `%s` as the only equation of a program that passes all its arguments to an exported function",
        format_prim(r));
}

/* checks that f_flat passes on all its binders: the exported function has the same signature */
static bool
passes_binders_on(struct rule *r)
{
    jaxpr_t home = rule_jaxpr_of_eqn(r);
    if (home == NONE || !is_wrapper(r, &r->m->jaxprs.at[home]))
        return true;
    u32 takes = r->m->jaxprs.at[home].n_ins;
    if (r->n != takes) {
        rule_error(r, DIAG_T012, r->n > takes ? at_operand(takes) : at_prim(),
                   "`%s`, the only equation of its program, must pass on all arguments in order: it has %s, but the "
                   "program has %s",
                   format_prim(r), format_count(r, r->n, "operand", "operands"),
                   format_count(r, takes, "argument", "arguments"));
        if (r->n < takes)
            rule_note(r, at_binder(r, home, r->n), "`%s` is not an operand",
                      format_binder(r, home, jaxpr_consts(r, home) + r->n));
        return note_wrapper(r);
    }
    for (u32 i = 0; i < r->n; i++) {
        struct aval wanted = binder_aval(r, home, i);
        if (avals_agree(&wanted, &r->in[i]) != NO)
            continue;
        rule_error(
            r, DIAG_T012, at_operand(i),
            "`%s`, the only equation of its program, must pass on all arguments in order, but its %s operand, `%s`, is "
            "%s, and the %s argument, `%s`, is %s",
            format_prim(r), ordinal_of(i).text, format_operand(r, i), format_aval(r, &r->in[i]), ordinal_of(i).text,
            format_binder(r, home, i), format_aval(r, &wanted));
        return rule_note_operand(r, i) || rule_note_binder(r, home, i) || note_wrapper(r);
    }
    return true;
}

/* the type of cotangents of `a`: float0 for integers, booleans and keys (jax/_src/core.py,
 * primal_dtype_to_tangent_dtype) */
static struct aval
cotangent(const struct aval *a)
{
    struct aval t = *a;
    t.type = NONE;
    if (a->kind != AVAL_ARRAY || !a->classes)
        return aval_unknown();
    if (!(a->classes & IN_INEXACT))
        aval_set_dtype(&t, DT_float0);
    else if (a->classes & ~(u32)IN_INEXACT)
        return aval_unknown();
    return t;
}

/* up to 0.4 jax.export prints float0 under the name of its NumPy type */
static bool
is_float0(const struct rule *r, const struct aval *a)
{
    return a->dtype == DT_float0 ||
           (a->type != NONE && slice_starts(type_get(&r->m->types, a->type)->text, SLICE("void[")));
}

/* checks the signature of a derivative: from primals and cotangents of results to cotangents of primals */
static bool
check_derivative(struct rule *r)
{
    if (r->n < r->n_results)
        return rule_error(r, DIAG_T006, at_result(r->n),
                          "the `%s` of a VJP returns at most one cotangent per operand, but %s bound for %s",
                          format_prim(r), format_count(r, r->n_results, "result is", "results are"),
                          format_count(r, r->n, "operand", "operands"));
    bool right = true;
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval type = cotangent(&r->in[i]), binder = rule_binder(r, i);
        bool float0 = is_float0(r, &type) && is_float0(r, &binder) && shapes_agree(&type, &binder) != NO;
        r->computed += float0;
        if (float0 || result_agrees(r, &type, &binder) != NO)
            continue;
        rule_error(r, DIAG_T003, at_result(i),
                   "`%s` is bound as %s, but the `%s` of a VJP returns the cotangent of `%s`, %s", format_result(r, i),
                   format_aval(r, &binder), format_prim(r), format_operand(r, i), format_aval(r, &type));
        rule_note_operand(r, i);
        right = false;
    }
    for (u32 i = r->n_results; i < r->n && right; i++) {
        if (r->in[i].kind != AVAL_ARRAY || r->in[i].classes & (IN_INEXACT | IN_FLOAT0))
            continue;
        rule_error_operand(r, DIAG_T007, i, "`%s` calls a VJP, whose cotangents must be float, complex or float0",
                           format_prim(r));
        right = false;
    }
    return right;
}

bool
shape_exported(struct rule *r, struct aval *out)
{
    struct slice text, name;
    *out = aval_unknown();
    if (!passes_binders_on(r))
        return false;
    if (param_text(r, "exported", &text) && value_field(text, "fun_name", &name) &&
        slice_eq(name, SLICE("fun_vjp_jax")))
        return check_derivative(r);
    return rule_trust(r, at_param(r, "exported"),
                      "`exported` of `%s` does not show the types of its results, so they are not verified",
                      format_prim(r));
}
