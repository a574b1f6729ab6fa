/* SPDX-License-Identifier: Apache-2.0
 *
 * Constvars to arguments. Both lie together in a jaxpr's variables, constvars first, so the border between them
 * moves. */
#include "check/resolve.h"
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

u32
pass_args_to_consts(struct module *m, program_t program, u32 n)
{
    jaxpr_t main = m->programs.at[program].main;
    if (main == NONE)
        return NONE;
    struct jaxpr *j = &m->jaxprs.at[main];
    if (n > j->n_ins)
        return j->n_ins;
    struct binders staying;
    u32 stays = NONE;
    binders_init(&staying, m);
    for (u32 i = n; i < j->n_ins; i++)
        binders_bind(&staying, jaxpr_in(j, i));
    for (u32 i = 0; i < n && stays == NONE; i++) {
        const struct type *t = type_array(m, m->vars.at[jaxpr_in(j, i)].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind == DIM_NAME && binders_find(&staying, d->name) != NONE)
                stays = i;
        }
    }
    binders_drop(&staying);
    if (stays == NONE) {
        j->n_consts += n;
        j->n_ins -= n;
    }
    return stays;
}
