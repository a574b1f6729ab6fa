/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that JAX drops, which it prints as `_`, and equations that read one. Linear in the module, once, where some
 * equation does. */
#include "check/dropped.h"

#include "check/blame.h"

/* true where some result of an equation is called `_` */
static bool
drops(const struct checker *c, jaxpr_t j)
{
    const struct module *m = c->m;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            if (m->vars.at[m->eqns.at[e].vars + i].name == c->dropped)
                return true;
    return false;
}

/* Whether a variable of a program may be called `_` and be read all the same. JAX calls those so that it drops, which
 * nothing reads; but where it drops a result of jit, it gives the inner variable the same name (jax/_src/pjit.py,
 * _pjit_pp_rule), and then that inner program prints `_` among its results or binders. The outermost one has no name
 * from elsewhere: an argument `_` is read by hand-written text, unless results are called so, too. Linear in the module
 * the first time */
static void
find_readable(struct checker *c)
{
    const struct module *m = c->m;
    c->dropped_read = mem_alloc(m->mem, ((size_t)m->jaxprs.n + 1) * sizeof *c->dropped_read);
    for (u32 j = 0; j < m->jaxprs.n; j++) {
        const struct jaxpr *jaxpr = &m->jaxprs.at[j];
        bool read = false;
        for (u32 i = 0; i < jaxpr->n_consts + jaxpr->n_ins && !read; i++)
            read = m->vars.at[jaxpr->vars + i].name == c->dropped;
        for (u32 i = 0; i < jaxpr->n_outs && !read; i++) {
            atom_t a = m->atoms.at[jaxpr->outs + i];
            read = atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].name == c->dropped
                                            : atom_kind(a) == ATOM_NAME && atom_id(a) == c->dropped;
        }
        c->dropped_read[j] = read;
    }
    for (u32 p = 0; p < m->programs.n; p++)
        if (m->programs.at[p].main != NONE && drops(c, m->programs.at[p].main))
            c->dropped_read[m->programs.at[p].main] = false;
}

bool
check_dropped(struct checker *c, const struct rule *r, u32 i)
{
    if (r->probe)
        return true;
    if (!c->dropped_read)
        find_readable(c);
    find_homes(c);
    if (c->homes[r->e] == NONE || c->dropped_read[c->homes[r->e]])
        return true;
    struct span s = where_span(c->m, r->e, at_operand(i));
    diag_add(c->ds, DIAG_S012, s.at, s.n, "`_` cannot be read: results that are called so are dropped");
    return false;
}
