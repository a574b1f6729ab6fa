/* SPDX-License-Identifier: Apache-2.0
 *
 * E: effects of programs. Each equation is visited once; facts.h provides whether it runs in a loop. */
#include "lint/facts.h"

/* true if a list of words joined by `+` contains the word */
static bool
lists(struct slice list, struct slice word)
{
    const char *p = list.at, *end = p + list.n;
    while (p < end) {
        const char *q = memchr(p, '+', (size_t)(end - p));
        q = q ? q : end;
        if (slice_eq((struct slice){p, (size_t)(q - p)}, word))
            return true;
        p = q + 1;
    }
    return false;
}

/* true if a foreign call is known to call the host */
static bool
calls_host(const struct lint *l, eqn_t e)
{
    struct slice target;
    return eqn_value(l->m, e, SLICE("target_name"), &target) && lists(l->plan->text[SET_host_ffi], target);
}

/* true if the equation reaches the host, which foreign calls of other names and prints in kernels do not */
static bool
reaches_host(const struct lint *l, eqn_t e)
{
    if (strcmp(l->row->name, "ffi_call") == 0)
        return calls_host(l, e);
    return !(l->facts.loops[l->jaxpr] & LOOP_KERNEL) || strcmp(l->row->name, "debug_print") != 0;
}

void
lint_E401(struct lint *l, u32 e)
{
    if (!reaches_host(l, e))
        return;
    lint_report(l, e, eqn_prim_span(l->m, e), "`%s` calls back into the host", lint_prim(l, e));
}

void
lint_E402(struct lint *l, u32 e)
{
    lint_report(l, e, eqn_prim_span(l->m, e), "`%s` looks like a leftover from debugging", lint_prim(l, e));
}

void
lint_E403(struct lint *l, u32 e)
{
    eqn_t loop = l->facts.repeats[l->jaxpr] - 1;
    if (loop == NONE || !reaches_host(l, e))
        return;
    lint_report(l, e, eqn_prim_span(l->m, e), "`%s` calls back into the host in every iteration of a loop",
                lint_prim(l, e));
    lint_note(l, eqn_prim_span(l->m, loop), "the loop is this `%s`", lint_prim(l, loop));
    for (u32 i = 0; i < l->m->eqns.at[e].n_vars; i++)
        if (l->facts.uses[l->m->eqns.at[e].vars + i])
            lint_hint(l,
                      "if its result does not reach the next iteration, call it once after the loop; else compute it "
                      "in JAX",
                      false);
}

void
lint_E404(struct lint *l, u32 e)
{
    struct slice ordered;
    if (eqn_value(l->m, e, SLICE("ordered"), &ordered) && slice_eq(ordered, SLICE("False")))
        lint_report(l, e, eqn_prim_span(l->m, e), "`%s` is not ordered: it may run before or after other callbacks",
                    lint_prim(l, e));
}

static bool
keeps_effects(const struct lint *l, jaxpr_t j)
{
    const struct jaxpr_effects *f = effects_of(&l->effects, j);
    return f && f->flags & EFFECT_KEPT;
}

/* the first equation that has effects, in a jaxpr or in a program inside it; NONE if it is not known */
static eqn_t
effectful(struct lint *l, jaxpr_t j)
{
    eqn_t e;
    do {
        e = l->m->jaxprs.at[j].eqns;
        while (e != NONE && !(effects_eqn(&l->effects, e) & EFFECT_KEPT))
            e = l->m->eqns.at[e].next;
        if (e == NONE)
            return NONE;
        struct nested h = nested_start(l->m, e);
        while ((j = nested_next(l->m, &h)) != NONE && !keeps_effects(l, j))
            continue;
    } while (j != NONE);
    return e;
}

void
lint_E405(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    struct nested h = nested_start(m, e);
    u32 n = 0, with = 0, first = NONE;
    jaxpr_t where = NONE;
    for (jaxpr_t j; (j = nested_next(m, &h)) != NONE; n++) {
        if (!keeps_effects(l, j))
            continue;
        if (with++ == 0) {
            where = j;
            first = n;
        }
    }
    if (with == 0 || with == n)
        return;
    lint_report(l, e, eqn_prim_span(m, e), "%u of the %u branches of `%s` %s effects; the %s none", with, n,
                lint_prim(l, e), with == 1 ? "has" : "have", n - with == 1 ? "other has" : "others have");
    eqn_t cause = effectful(l, where);
    if (cause == NONE)
        return;
    lint_note(l, eqn_prim_span(m, cause), "branch %u has the effects of `%s`", first, lint_prim(l, cause));
    const struct prim *row = prims_find(l->effects.prims, m, m->eqns.at[cause].prim);
    struct slice ordered;
    if (!row || !slice_eq(slice_of(row->effects), SLICE("IO")))
        return;
    bool in_order = eqn_value(m, cause, SLICE("ordered"), &ordered) && slice_eq(ordered, SLICE("True"));
    lint_hint(l,
              in_order
                  ? "`vmap` refuses an ordered `io_callback` everywhere, and an unordered one in a branch of `cond`: "
                    "make it unordered, and move it out of the `cond`"
                  : "`vmap` refuses this effect in a branch of `cond`: move it out of the `cond`",
              false);
}
