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

/* what stands for a primitive now, or NULL where it is not gone */
static const char *
what_instead(const struct prim *row)
{
    for (u32 i = 0; i < countof(gone); i++)
        if (strcmp(row->name, gone[i][0]) == 0)
            return gone[i][1];
    return NULL;
}

bool
lint_is_old(const struct lint *l, const struct prim *row, name_t name)
{
    struct name_buffer buffer;
    if (!row || what_instead(row))
        return row != NULL;
    struct slice printed = module_name(l->m, name, &buffer);
    return row->also[0] && !slice_eq(printed, slice_of(row->name)) && !memchr(printed.at, '[', printed.n);
}

/* called for what lint_is_old */
void
lint_H703(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    struct name_buffer buffer;
    if (m->eqns.at[e].form != EQN_CALL)
        return;
    const char *instead = what_instead(l->row);
    if (instead) {
        lint_tell(l, e, eqn_prim_span(m, e), "`%s` is of an older JAX, which now prints %s", lint_prim(l, e), instead);
        return;
    }
    struct slice name = module_name(m, m->eqns.at[e].prim, &buffer);
    struct span at = eqn_prim_span(m, e);
    /* the others have parameters of other names, too */
    bool same = slice_eq(name, SLICE("pjit"));
    lint_tell(l, e, at, "`%s` is called `%s` now", lint_prim(l, e), l->row->name);
    if (at.n == name.n && same) {
        lint_hint(l, "trace it again with a newer JAX, or rename it" LINT_CURE, true);
        lint_edit(l, at.at, at.n, slice_of(l->row->name));
    }
}
