/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether equations that read names too early define each other. By name, as nothing is bound yet: linear in the
 * program, once for a name that is reported. */
#include "resolve/cycle.h"

#include "base/memo.h"
#include "regions/span.h"

enum { MOST_STEPS = 6 }; /* the most steps of a cycle that are printed before the last one */

static name_t
name_of(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_NAME ? atom_id(a) : atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].name : NONE;
}

/* An equation that is searched, and what reads its result: an operand of an equation that was searched before. */
struct reached {
    eqn_t e;
    u32 by; /* the index of that equation */
    u32 operand;
};

/* An operand that an equation reads. */
struct step {
    eqn_t e;
    u32 operand;
};

struct steps {
    VEC(struct step) list;
};

/* the shortest chain of operands by which equation `from` depends on equation `wanted`, the last one first */
static void
find_steps(const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted, struct steps *steps)
{
    struct memo owner = {0}; /* by name: the equation that binds it, plus one; 0 after it was visited */
    VEC(struct reached) queue = {0};
    bool found = false;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            memo_set(m->mem, &owner, m->vars.at[m->eqns.at[e].vars + i].name, (u64)e + 1);
    *vec_push(m->mem, &queue) = (struct reached){from, 0, 0};
    for (u32 next = 0; next < queue.n && !found; next++) {
        const struct eqn *eqn = &m->eqns.at[queue.at[next].e];
        for (u32 i = 0; i < eqn->n_atoms && !found; i++) {
            name_t name = name_of(m, m->atoms.at[eqn->atoms + i]);
            u64 definition = name == NONE ? 0 : memo_get(&owner, name);
            if (definition == 0)
                continue;
            found = definition == (u64)wanted + 1;
            memo_set(m->mem, &owner, name, 0);
            *vec_push(m->mem, &queue) = (struct reached){(eqn_t)(definition - 1), next, i};
        }
    }
    for (u32 k = queue.n - 1; found && k; k = queue.at[k].by)
        *vec_push(m->mem, &steps->list) = (struct step){queue.at[queue.at[k].by].e, queue.at[k].operand};
    memo_free(m->mem, &owner);
    vec_free(m->mem, &queue);
}

static const char *
format_step(struct diags *ds, const struct module *m, struct step s)
{
    struct name_buffer buffer;
    return diag_quote(ds, module_name(m, name_of(m, m->atoms.at[m->eqns.at[s.e].atoms + s.operand]), &buffer));
}

bool
report_cycle(struct diags *ds, const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted, struct span at,
             struct slice name)
{
    struct steps steps = {0};
    if (from != NONE)
        find_steps(m, j, from, wanted, &steps);
    if (steps.list.n == 0)
        return false;
    const char *reader = diag_quote(ds, name);
    diag_add(ds, DIAG_S011, at.at, at.n, "`%s` depends on itself: `%s` reads `%s`", reader,
             format_step(ds, m, steps.list.at[0]), reader);
    for (u32 k = steps.list.n; k > 0; k--) {
        if (steps.list.n - k == MOST_STEPS && k > 3) {
            const char *last = format_step(ds, m, steps.list.at[1]);
            diag_note(ds, NONE, 0, "`%s` depends on `%s` through %u more variables", reader, last, k - 2);
            reader = last;
            k = 1;
        }
        struct step s = steps.list.at[k - 1];
        const char *read = format_step(ds, m, s);
        struct span operand = eqn_operand_span(m, s.e, s.operand);
        diag_note(ds, operand.at, operand.n, "`%s` reads `%s`", reader, read);
        reader = read;
    }
    vec_free(m->mem, &steps.list);
    return true;
}
