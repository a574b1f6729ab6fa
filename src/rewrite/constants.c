/* SPDX-License-Identifier: Apache-2.0
 *
 * Constvars to arguments. Both lie together in a jaxpr's variables, constvars first, so the border between them moves. */
#include "rewrite/rewrite.h"

void
pass_constants(struct module *m, program_t program)
{
    jaxpr_t main = m->programs.at[program].main;
    if (main == NONE)
        return;
    struct jaxpr *j = &m->jaxprs.at[main];
    j->n_ins += j->n_consts;
    j->n_consts = 0;
}
