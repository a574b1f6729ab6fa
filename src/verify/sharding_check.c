/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the shardings of results with those of their binders, and checks those of operands: JAX compares shardings
 * as part of a type from 0.7.2 on (jax/_src/core.py, typematch); earlier versions only print them, so a result that is
 * bound with another sharding is a warning. Linear in operands, results and ranks. */
#include "verify/sharding_check.h"

#include "verify/checker.h"
#include "verify/sharding_rules.h"

/* whether a type shows the sharding of some axis */
static bool
shows_place(const struct module *m, type_t id)
{
    const struct type *type = id == NONE ? NULL : type_get(&m->types, id);
    bool shown = false;
    for (u32 d = 0; type && type->kind == TYPE_ARRAY && d < type->rank; d++)
        shown |= m->types.dims.at[type->dims + d].sharding.n != 0;
    return shown;
}

/* whether every operand's sharding is known, and some type of the equation shows one */
static bool
places_shown(const struct rule *r)
{
    const struct module *m = r->m;
    bool any = false;
    for (u32 i = 0; i < r->n; i++) {
        if (r->in[i].kind != AVAL_ARRAY || !r->in[i].ranked || (r->in[i].type == NONE && !r->in[i].literal))
            return false;
        any |= shows_place(m, r->in[i].type);
    }
    for (u32 i = 0; i < r->n_results && !any; i++)
        any = shows_place(m, m->vars.at[r->eqn->vars + i].type);
    return any;
}

/* result i is bound with the sharding `over` of its axes */
static bool
binder_sharded(struct rule *r, u32 i, const struct aval *binder, const struct slice *over, bool guessed)
{
    for (u32 d = 0; d < binder->rank; d++) {
        if (value_alike(over[d], binder->dims[d].sharding))
            continue;
        if (guessed && !range_lacks(rule_versions(r), JAX_TARGET_SHARDINGS_HIDDEN))
            return true;
        bool fine = rule_warning(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but axis %u of %s is %s",
                                 format_result(r, i), format_aval(r, binder), d, format_which_result(r, i),
                                 format_sharding(r, over[d]));
        for (u32 k = 0; k < r->n && k < 2; k++)
            rule_note_operand(r, k);
        if (!r->n && rule_param(r, "sharding") != NONE)
            param_is_none(r, "sharding")
                ? rule_note(r, at_param(r, "sharding"), "no axis is sharded, as `sharding` is None")
                : rule_note(r, at_param(r, "sharding"), DETERMINED_BY, "the sharding", "sharding");
        return fine;
    }
    return true;
}

/* result i has the sharding of its binder */
static bool
result_sharding_fits(struct rule *r, u32 i, const struct aval *out)
{
    struct aval binder = rule_binder(r, i), unknown = aval_unknown();
    struct placing p = {r, i ? &unknown : out, i, binder.rank, NULL, false};
    if (binder.kind != AVAL_ARRAY || !binder.ranked || binder.type == NONE)
        return true;
    p.over = rule_alloc(r, (binder.rank + 1u) * sizeof *p.over);
    return !placing_find(&p) || binder_sharded(r, i, &binder, p.over, p.guessed);
}

bool
rule_result_sharded(struct rule *r, u32 i, const struct aval *gives)
{
    struct aval binder = rule_binder(r, i);
    if (!r->c->placed || (binder.kind != AVAL_ARRAY && binder.kind != AVAL_REF) || !binder.ranked ||
        binder.type == NONE || !gives->ranked || gives->rank != binder.rank)
        return true;
    struct slice *over = rule_alloc(r, (binder.rank + 1u) * sizeof *over);
    for (u32 d = 0; d < binder.rank; d++)
        over[d] = axis_sharding(gives, d);
    return binder_sharded(r, i, &binder, over, false);
}

bool
rule_shards(struct rule *r, const struct aval *out)
{
    if (!places_shown(r))
        return true;
    if (!placing_allowed(r))
        return false;
    for (u32 i = 0; i < r->n_results; i++)
        if (!result_sharding_fits(r, i, out))
            return false;
    return true;
}

bool
types_placed(const struct module *m)
{
    bool any = false;
    for (u32 i = 0; i < m->types.dims.n && !any; i++)
        any = m->types.dims.at[i].sharding.n;
    return any;
}
