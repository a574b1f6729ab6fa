/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that JAX drops, which it prints as `_`, and equations that read one. Linear in a program, once, where some
 * equation does. */
#include "resolve/unused_results.h"

/* true where some result of an equation is called `_` */
static bool
drops(const struct module *m, jaxpr_t j, name_t dropped)
{
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            if (m->vars.at[m->eqns.at[e].vars + i].name == dropped)
                return true;
    return false;
}

bool
underscore_is_read(const struct module *m, jaxpr_t j, name_t dropped, bool outermost)
{
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    bool read = false;
    for (u32 i = 0; i < jaxpr->n_consts + jaxpr->n_ins && !read; i++)
        read = m->vars.at[jaxpr->vars + i].name == dropped;
    for (u32 i = 0; i < jaxpr->n_outs && !read; i++) {
        atom_t a = m->atoms.at[jaxpr->outs + i];
        read = atom_kind(a) == ATOM_NAME && atom_id(a) == dropped;
    }
    return read && !(outermost && drops(m, j, dropped));
}
