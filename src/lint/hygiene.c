/* SPDX-License-Identifier: Apache-2.0
 *
 * H: readability. Each equation is visited once. */
#include "lint/facts.h"

/* the replacement of a primitive that was removed from JAX; its parameters differ, so nothing is renamed */
static const char *const gone[] = {
    [GONE_JIT] = "`jit`",
    [GONE_INLINE] = "`eval_jaxpr`, or the equations of the called program,",
    [GONE_REMAT] = "`remat2`",
};

bool
lint_is_old(const struct lint *l, const struct prim *row, name_t name)
{
    struct name_buffer buffer;
    if (!row || row->is.gone)
        return row != NULL;
    struct slice printed = module_name(l->m, name, &buffer);
    return row->also[0] && !slice_eq(printed, slice_of(row->name)) && !memchr(printed.at, '[', printed.n);
}

/* called for equations whose primitive lint_is_old */
void
lint_H703(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    struct name_buffer buffer;
    if (m->eqns.at[e].form != EQN_CALL)
        return;
    const char *instead = gone[l->row->is.gone];
    if (instead) {
        lint_report(l, e, eqn_prim_span(m, e), "`%s` is from an older JAX; newer versions print %s instead",
                    lint_prim(l, e), instead);
        return;
    }
    struct slice name = module_name(m, m->eqns.at[e].prim, &buffer);
    struct span at = eqn_prim_span(m, e);
    lint_report(l, e, at, "`%s` is now called `%s`", lint_prim(l, e), l->row->name);
    if (at.n == name.n && l->row->is.renamed) {
        lint_hint(l, "trace it again with a newer JAX, or rename it" LINT_FIX_HINT_OF("H703"), true);
        lint_edit(l, at.at, at.n, slice_of(l->row->name));
    }
}
