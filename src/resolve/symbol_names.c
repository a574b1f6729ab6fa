/* SPDX-License-Identifier: Apache-2.0
 *
 * Names hold any character beyond ASCII, as the bytes of letters are not distinguished from those of signs. Signs are
 * searched only in texts that have some. Linear. */
#include "resolve/symbol_names.h"

#include "base/utf8.h"

/* reports the n variables from `first` on that equation e, or the header of jaxpr j, binds: whether one has a sign */
static bool
find_in_names(const struct module *m, struct diags *ds, jaxpr_t j, eqn_t e, u32 first, u32 n)
{
    struct name_buffer buffer;
    size_t at;
    u32 code;
    for (u32 i = 0; i < n; i++) {
        name_t name = m->vars.at[first + i].name;
        if (name < NAME_OTHER || name == NONE || find_symbol(module_name(m, name, &buffer), &at, &code) == 0)
            continue;
        struct span s = binder_span(m, j, e, i);
        diag_add(ds, DIAG_S001, s.at, s.n,
                 "`%s` is not a variable: it contains the character U+%04X, which no name has", quote_name(m, ds, name),
                 code);
        diag_note(ds, NONE, 0, "names contain letters, digits and `_`; did an editor change this one?");
        return true;
    }
    return false;
}

void
check_symbols(const struct module *m, struct diags *ds, jaxpr_t j)
{
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    if (likely(!m->text.symbols))
        return;
    bool found = find_in_names(m, ds, j, NONE, jaxpr->vars, jaxpr_binders(jaxpr));
    for (eqn_t e = jaxpr->eqns; e != NONE && !found; e = m->eqns.at[e].next)
        found = find_in_names(m, ds, j, e, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
}
