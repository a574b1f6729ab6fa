/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares where results lie with what their binders say, and asks whether operands may lie as they do: JAX compares
 * shardings as part of a type from 0.7.2 on (jax/_src/core.py, typematch); earlier ones print them all the same. Linear
 * in operands, results and ranks, and a look at each type where none shows one. */
#include "check/shard.h"

#include "check/checker.h"
#include "check/placing.h"

/* whether every operand's place is known, and some type of the equation shows one */
static bool
places_shown(const struct rule *r)
{
    const struct module *m = r->m;
    const bool *placed = r->c->placed;
    bool any = false;
    for (u32 i = 0; i < r->n; i++) {
        if (r->in[i].kind != AVAL_ARRAY || !r->in[i].ranked || (r->in[i].type == NONE && !r->in[i].literal))
            return false;
        any |= r->in[i].type != NONE && placed[r->in[i].type];
    }
    for (u32 i = 0; i < r->n_results && !any; i++) {
        type_t type = m->vars.at[r->eqn->vars + i].type;
        any = type != NONE && placed[type];
    }
    return any;
}

/* result i lies where its binder says */
static bool
result_lies(struct rule *r, u32 i, const struct aval *out)
{
    struct aval binder = rule_binder(r, i), unknown = aval_unknown();
    struct placing p = {r, i ? &unknown : out, i, binder.rank, NULL, false};
    if (binder.kind != AVAL_ARRAY || !binder.ranked || binder.type == NONE)
        return true;
    p.over = rule_alloc(r, (binder.rank + 1u) * sizeof *p.over);
    if (!placing_find(&p))
        return true;
    for (u32 d = 0; d < binder.rank; d++) {
        if (placing_same(p.over[d], binder.dims[d].sharding))
            continue;
        if (p.guessed && module_era(r->m)->high > PLACES_PRINTED)
            return true;
        bool fine = bind_error(r, AS_NEWER_JAX, DIAG_T003, at_result(i),
                               say(r, "`%s` is bound as %s, its axis %u %s, but `%s` gives one that is %s",
                                   say_result(r, i), say_aval(r, &binder), d,
                                   placing_say(r, binder.dims[d].sharding), say_prim(r), placing_say(r, p.over[d])));
        for (u32 k = 0; k < r->n && k < 2; k++)
            rule_note_operand(r, k);
        return fine;
    }
    return true;
}

bool
rule_shards(struct rule *r, const struct aval *out)
{
    if (!places_shown(r))
        return true;
    if (!placing_allowed(r))
        return false;
    for (u32 i = 0; i < r->n_results; i++)
        if (!result_lies(r, i, out))
            return false;
    return true;
}

bool *
types_placed(const struct module *m)
{
    const struct types *t = &m->types;
    bool any = false;
    for (u32 i = 0; i < t->dims.n && !any; i++)
        any = t->dims.at[i].sharding.n;
    if (!any)
        return NULL;
    bool *placed = mem_zeroed(m->mem, t->list.n * sizeof *placed);
    for (type_t id = 0; id < t->list.n; id++) {
        const struct type *type = type_get(t, id);
        for (u32 d = 0; type->kind == TYPE_ARRAY && d < type->rank; d++)
            placed[id] |= t->dims.at[type->dims + d].sharding.n != 0;
    }
    return placed;
}
