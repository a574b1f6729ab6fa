/* SPDX-License-Identifier: Apache-2.0
 *
 * N: what is lost or paid for between element types. Linear; what flows through nested programs is followed from the
 * inside out, once for each program. */
#include "lint/facts.h"

static bool
is_double(dtype_t d)
{
    return d == DT_f64 || d == DT_c128;
}

/* counts the 64-bit values among n variables from v on, and remembers the first */
static u32
count_doubles(const struct lint *l, var_t v, u32 n, var_t *first)
{
    u32 found = 0;
    for (u32 i = 0; i < n; i++)
        if (is_double(lint_dtype(l, l->m->vars.at[v + i].type))) {
            if (*first == NONE)
                *first = v + i;
            found++;
        }
    return found;
}

void
lint_N201(struct lint *l, u32 program)
{
    struct module *m = l->m;
    u32 found = 0, all = 0, least = NONE;
    var_t first = NONE;
    jaxpr_t home = NONE;
    (void)program;
    for (u32 i = 0; i < l->n; i++) {
        jaxpr_t id = l->order.at[l->first + i];
        const struct jaxpr *j = &m->jaxprs.at[id];
        var_t here = NONE;
        u32 n = count_doubles(l, j->vars, j->n_consts + j->n_ins, &here);
        all += j->n_consts + j->n_ins;
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            n += count_doubles(l, m->eqns.at[e].vars, m->eqns.at[e].n_vars, &here);
            all += m->eqns.at[e].n_vars;
        }
        if (n && j->offset < least) {
            least = j->offset;
            first = here;
            home = id;
        }
        found += n;
    }
    if (found == 0)
        return;
    lint_tell(l, l->maker[first], lint_binder(l, home, first), "%u of the %u values of the program have 64 bits: `%s`, which is %s, is the first",
              found, all, lint_var(l, first), lint_type(l, m->vars.at[first].type));
}
