/* SPDX-License-Identifier: Apache-2.0
 *
 * H: what reads worse than it need. One look at each equation. */
#include "lint/facts.h"

/* primitives that JAX has no more, and what stands for them now; they have other parameters, so nothing is renamed */
static const char *const gone[][2] = {
    {"xla_call", "jit"},
    {"closed_call", "a program in place"},
    {"call", "a program in place"},
    {"remat_call", "remat2"},
};

void
lint_H703(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    struct name_buffer buffer;
    if (!l->row || m->eqns.at[e].form != EQN_CALL)
        return;
    for (u32 i = 0; i < countof(gone); i++)
        if (strcmp(l->row->name, gone[i][0]) == 0) {
            lint_tell(l, e, eqn_prim_span(m, e), "`%s` is of an older JAX, which now prints %s", lint_prim(l, e),
                      gone[i][1]);
            return;
        }
    struct slice name = module_name(m, m->eqns.at[e].prim, &buffer);
    if (!l->row->also[0] || slice_eq(name, slice_of(l->row->name)) || memchr(name.at, '[', name.n))
        return;
    struct span at = eqn_prim_span(m, e);
    /* the others have parameters of other names, too */
    bool same = slice_eq(name, SLICE("pjit"));
    if (lint_tell(l, e, at, "`%s` is called `%s` now", lint_prim(l, e), l->row->name) && at.n == name.n && same)
        lint_edit(l, at.at, at.n, slice_of(l->row->name));
}
