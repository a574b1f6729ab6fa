/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that JAX drops, which it prints as `_`, and equations that read one. Linear in the module, once, where some
 * equation does. */
#include "check/dropped.h"

/* Whether a variable may be called `_` and be read all the same. JAX calls those so that it drops, which nothing reads;
 * but where it drops a result of jit, it gives the inner variable the same name (jax/_src/pjit.py, _pjit_pp_rule), and
 * then that program prints `_` among its results or binders. Linear in the module the first time */
static bool
dropped_may_be_read(struct checker *c)
{
    const struct module *m = c->m;
    if (c->dropped_read != MAYBE)
        return c->dropped_read == YES;
    c->dropped_read = NO;
    for (u32 j = 0; j < m->jaxprs.n && c->dropped_read == NO; j++) {
        const struct jaxpr *jaxpr = &m->jaxprs.at[j];
        for (u32 i = 0; i < jaxpr->n_consts + jaxpr->n_ins; i++)
            if (m->vars.at[jaxpr->vars + i].name == c->dropped)
                c->dropped_read = YES;
        for (u32 i = 0; i < jaxpr->n_outs; i++) {
            atom_t a = m->atoms.at[jaxpr->outs + i];
            if (atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].name == c->dropped
                                         : atom_kind(a) == ATOM_NAME && atom_id(a) == c->dropped)
                c->dropped_read = YES;
        }
    }
    return c->dropped_read == YES;
}

bool
check_dropped(struct checker *c, const struct rule *r, u32 i)
{
    if (r->probe || dropped_may_be_read(c))
        return true;
    struct span s = where_span(c->m, r->e, at_operand(i));
    diag_add(c->ds, DIAG_S012, s.at, s.n, "`_` is not bound: results that are called so are dropped");
    return false;
}
