/* SPDX-License-Identifier: Apache-2.0
 *
 * JAX prints the types of all variables of a program, or of none, and since 0.6.1 that of every number. Linear. */
#include "resolve/untyped.h"

#include "resolve/enclosing_notes.h"

bool
is_bare(const struct module *m, name_t underscore, var_t v)
{
    return m->vars.at[v].type == NONE && m->vars.at[v].name != underscore;
}

/* reports once that a program was printed without types */
static void
report_untyped(const struct module *m, struct diags *ds, const struct program *p)
{
    var_t v = program_untyped(m, p);
    if (v == NONE)
        return;
    struct span here = var_span(m, p->main, v);
    diag_add(ds, DIAG_S019, here.at, here.n,
             "this program was printed without types: only types that follow from literals and parameters are checked");
}

/* finds the spans of the first binder with a type and the first without, among the n of an equation, or of a jaxpr if e
 * is NONE */
static void
find_bare(const struct module *m, name_t underscore, jaxpr_t j, eqn_t e, var_t first, u32 n, struct span *typed,
          struct span *bare)
{
    for (u32 i = 0; i < n; i++) {
        struct span *found = m->vars.at[first + i].type != NONE  ? typed
                             : is_bare(m, underscore, first + i) ? bare
                                                                 : NULL;
        if (found && found->at == NONE)
            *found = binder_span(m, j, e, i);
    }
}

/* reports once a variable without a type in a program with others that have one: JAX prints all their types, or none */
static void
report_untyped_variable(const struct module *m, struct diags *ds, const struct program *p, name_t underscore)
{
    struct span bare = {NONE, 0}, typed = bare; /* the first of each */
    struct walk w;
    walk_start_program(&w, m, p);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE && (bare.at == NONE || typed.at == NONE);) {
        const struct jaxpr *jaxpr = &m->jaxprs.at[j];
        find_bare(m, underscore, j, NONE, jaxpr->vars, jaxpr_binders(jaxpr), &typed, &bare);
        for (eqn_t e = jaxpr->eqns; e != NONE; e = m->eqns.at[e].next)
            find_bare(m, underscore, j, e, m->eqns.at[e].vars, m->eqns.at[e].n_vars, &typed, &bare);
    }
    walk_end(&w);
    if (typed.at == NONE || bare.at == NONE)
        return;
    diag_add(ds, DIAG_S019, bare.at, bare.n, "`%s` has no type, but other variables have one",
             diag_quote(ds, module_bytes(m, bare)));
    diag_relevel(ds, LEVEL_WARNING);
    diag_note(ds, typed.at, typed.n, "`%s` has a type", diag_quote(ds, module_bytes(m, typed)));
    diag_note(ds, NONE, 0, "JAX prints the types of all variables of a program, or of none");
}

/* whether a literal is a number, which JAX prints with its type from 0.6.1 on */
static bool
is_number(const struct literal *l)
{
    return l->kind <= LIT_COMPLEX;
}

/* reports once a number without a type in a program with others that have one: JAX prints all their types, or none */
static void
report_untyped_number(const struct module *m, struct diags *ds, const struct program *p)
{
    u32 bare = NONE, typed = NONE; /* the first of each */
    for (u32 i = vec_before(&m->literals, p->offset); i < m->literals.n && (typed == NONE || bare == NONE); i++) {
        const struct literal *l = &m->literals.at[i];
        if (l->value.at >= p->end)
            break;
        if (!is_number(l))
            continue;
        u32 *first = l->type != NONE ? &typed : &bare;
        *first = *first == NONE ? i : *first;
    }
    if (typed == NONE || bare == NONE)
        return;
    struct span at = m->literals.at[bare].value, other = m->literals.at[typed].value;
    diag_add(ds, DIAG_S008, at.at, at.n, "`%s` has no type, but other literals of this program have one",
             diag_quote(ds, module_bytes(m, at)));
    diag_relevel(ds, LEVEL_WARNING);
    diag_note(ds, other.at, other.n, "`%s` has a type", diag_quote(ds, module_bytes(m, other)));
    diag_note(ds, NONE, 0,
              "JAX 0.6.1 or later prints a type after every literal, as in `2.0:f32[]`; earlier releases print none");
}

void
check_missing_types(const struct module *m, struct diags *ds, const struct program *p, bool bare, name_t underscore)
{
    if (!p->broken && !p->excerpt)
        report_untyped(m, ds, p);
    if (unlikely(bare) && !p->broken)
        report_untyped_variable(m, ds, p, underscore);
    report_untyped_number(m, ds, p);
}
