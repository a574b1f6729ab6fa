/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes about the equations around a nested program. Used for findings only; linear in the parameters of these
 * equations, of which the innermost four are printed. */
#include "resolve/enclosing_notes.h"

enum { DEEPEST = 4, PROGRAMS_COUNTED = 1024 };

jaxpr_t *
eqns_to_jaxprs(const struct module *m)
{
    jaxpr_t *eqn_jaxprs = mem_nones(m->mem, m->eqns.n + 1ull);
    for (jaxpr_t j = 0; j < m->jaxprs.n; j++)
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
            eqn_jaxprs[e] = j;
    return eqn_jaxprs;
}

var_t
binder_named(const struct module *m, jaxpr_t id, eqn_t e, name_t name)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        if (m->vars.at[j->vars + i].name == name)
            return j->vars + i;
    for (eqn_t at = j->eqns; at != e && at != NONE; at = m->eqns.at[at].next)
        for (u32 i = 0; i < m->eqns.at[at].n_vars; i++)
            if (m->vars.at[m->eqns.at[at].vars + i].name == name)
                return m->eqns.at[at].vars + i;
    return NONE;
}

struct span
var_span(const struct module *m, jaxpr_t j, var_t v)
{
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    if (v >= jaxpr->vars && v < jaxpr->vars + jaxpr_binders(jaxpr))
        return jaxpr_binder_span(m, j, v - jaxpr->vars);
    for (eqn_t e = jaxpr->eqns; e != NONE; e = m->eqns.at[e].next)
        if (v >= m->eqns.at[e].vars && v < m->eqns.at[e].vars + m->eqns.at[e].n_vars)
            return eqn_result_span(m, e, v - m->eqns.at[e].vars);
    return (struct span){NONE, 0};
}

var_t
find_enclosing(const struct module *m, const jaxpr_t *eqn_jaxprs, jaxpr_t j, name_t name, jaxpr_t *outer)
{
    for (eqn_t e; (e = m->jaxprs.at[j].parent) != NONE;) {
        *outer = j = eqn_jaxprs[e];
        if (j == NONE)
            return NONE;
        var_t v = binder_named(m, j, e, name);
        if (v != NONE)
            return v;
    }
    return NONE;
}

/* the index of program j among the parts of a value; NONE if it is not among the first ones */
static u32
program_number(const struct module *m, const struct param *p, jaxpr_t j)
{
    u32 n = 0;
    for (u32 s = p->a; s != NONE && n < PROGRAMS_COUNTED; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        if (segment->kind == SEGMENT_TEXT)
            continue;
        if ((segment->kind == SEGMENT_JAXPR && segment->a == j) ||
            (segment->kind == SEGMENT_PROGRAM && m->programs.at[segment->a].main == j))
            return n;
        n++;
    }
    return NONE;
}

/* adds a note with the parameter that contains program j: `jaxpr` or `branches[1]` */
static void
note_enclosing_eqn(const struct module *m, struct diags *ds, eqn_t e, jaxpr_t j)
{
    struct span prim = eqn_prim_span(m, e);
    if (prim.at > m->text.n)
        return;
    const char *name = diag_quote(ds, module_bytes(m, prim));
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        bool parts = param->kind == PARAM_TUPLE || param->kind == PARAM_MIXED;
        u32 n = parts ? program_number(m, param, j) : NONE;
        if (param->key == NONE || (n == NONE && (param->kind != PARAM_JAXPR || param->a != j)))
            continue;
        const char *key = quote_name(m, ds, param->key);
        if (param->kind == PARAM_TUPLE)
            diag_note(ds, prim.at, prim.n, "in `%s[%u]` of `%s`", key, n, name);
        else
            diag_note(ds, prim.at, prim.n, "in `%s` of `%s`", key, name);
        return;
    }
    diag_note(ds, prim.at, prim.n, "in a program of `%s`", name);
}

void
note_enclosing(const struct module *m, struct diags *ds, const jaxpr_t *eqn_jaxprs, jaxpr_t j)
{
    for (u32 depth = 0; depth < DEEPEST && j != NONE; depth++) {
        eqn_t e = m->jaxprs.at[j].parent;
        if (e == NONE)
            return;
        note_enclosing_eqn(m, ds, e, j);
        j = eqn_jaxprs[e];
    }
}
