/* SPDX-License-Identifier: Apache-2.0
 *
 * Unbound sizes of shapes become implicit arguments, in the order in which they are named first; sizes that results
 * name become implicit results: here those of the outermost program, each unknown one once (jax/_src/interpreters/
 * partial_eval.py, _add_implicit_outputs); those of loops and branches are in expand_loops.c. Linear: a jaxpr is
 * visited again if its equation changes. */
#include "rewrite/expand.h"

#include "ir/reach.h"
#include "verify/infer.h"

void
unknown_sizes(struct sizing *s, jaxpr_t main, u32 from)
{
    u32 kept = 0;
    returned_sizes(s, main, from, true);
    for (u32 i = 0; i < s->spots.n; i++)
        if (binders_find(&s->scope, s->spots.at[i].name) == NONE)
            s->spots.at[kept++] = s->spots.at[i];
    s->spots.n = kept;
}

/* adds the sizes of the outermost program's arguments, before its equations are expanded, which may pass them on */
static void
expand_arguments(struct expanding *x, jaxpr_t main)
{
    struct sizing *s = &x->s;
    const struct jaxpr *j = &s->m->jaxprs.at[main];
    sizing_open(s, main);
    open_sizes(s, main, j->n_consts, j->n_ins, false);
    x->any |= s->spots.n > 0;
    if (s->spots.n)
        binders_add_run(s, main, j->n_consts, s->spots.n, size_type(s, NONE));
    sizing_open(s, main);
    finish_moved(s, main, true);
}

/* adds the sizes of the outermost program's results that are not arguments */
static void
expand_results(struct expanding *x, jaxpr_t main)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[main];
    finish_moved(s, main, false);
    binders_open(&s->scope);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        binders_bind(&s->scope, j->vars + i);
    unknown_sizes(s, main, 0);
    sizing_open(s, main);
    if (s->spots.n && expand_outs(x)) {
        outs_add(m, main, x->atoms.at, x->atoms.n);
        x->any = true;
    }
}

/* true for names that JAX gives variables: letters, then underscores */
static bool
is_letters(struct slice name)
{
    size_t i = 0;
    while (i < name.n && name.at[i] >= 'a' && name.at[i] <= 'z')
        i++;
    if (i == 0)
        return false;
    while (i < name.n && name.at[i] == '_')
        i++;
    return i == name.n;
}

/* whether a name in a shape is not that of a size: its variable is not a size or is bound later, or it does not look
 * like the name of a variable */
static bool
is_symbol(const struct expanding *x, const struct dim *d)
{
    const struct module *m = x->s.m;
    var_t bound = binders_find(&x->holder, d->name);
    if (bound != NONE)
        return !var_may_be_dim(m, bound);
    return binders_find(&x->s.scope, d->name) != NONE || !is_letters(d->text);
}

static bool
names_symbol(const struct expanding *x, var_t v)
{
    const struct module *m = x->s.m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        if (d->kind == DIM_EXPR || (d->kind == DIM_NAME && is_symbol(x, d)))
            return true;
    }
    return false;
}

/* true if sizes are symbols of jax.export, which are never bound: they may be expressions, or look like variables of
 * other types */
static bool
has_symbols(struct expanding *x, const struct jaxprs *list)
{
    const struct module *m = x->s.m;
    for (u32 i = 0; i < list->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        sizing_open(&x->s, list->at[i]);
        binders_open(&x->holder);
        for (u32 k = 0; k < jaxpr_binders(j); k++) {
            if (names_symbol(x, j->vars + k))
                return true;
            binders_bind(&x->holder, j->vars + k);
        }
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            for (u32 k = 0; k < m->eqns.at[e].n_vars; k++) {
                if (names_symbol(x, m->eqns.at[e].vars + k))
                    return true;
                binders_bind(&x->holder, m->eqns.at[e].vars + k);
            }
    }
    return false;
}

static void
add_names(struct expanding *x, struct memo *names, jaxpr_t j)
{
    struct module *m = x->s.m;
    for (u32 k = 0; k < jaxpr_binders(&m->jaxprs.at[j]); k++)
        memo_set(m->mem, names, m->vars.at[m->jaxprs.at[j].vars + k].name, 1);
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
            memo_set(m->mem, names, m->vars.at[m->eqns.at[e].vars + k].name, 1);
}

/* whether expansion binds the sizes of a jaxpr in a loop or branch of Catalyst; queried once per equation, which may
 * contain many */
static bool
is_expanded(struct expanding *x, struct memo *known, jaxpr_t j)
{
    struct module *m = x->s.m;
    eqn_t e = m->jaxprs.at[j].parent;
    if (e == NONE)
        return false;
    u64 answer = memo_get(known, e);
    if (answer == 0) {
        bool expanded = region_map_read(m, e, &x->s.map) && x->s.map.system == SYSTEM_CATALYST &&
                        implicit_param(m, e, &x->s.map) != NONE;
        answer = 1 + (u64)expanded;
        memo_set(m->mem, known, e, answer);
    }
    return answer == 2;
}

/* whether expansion would leave an unbound size: in a parameter, or in a program outside loops and branches of
 * Catalyst. A symbol would become an error once others are bound; a nested program may name a size that an outer one
 * binds, unless that says that all sizes are symbols */
static bool
leaves_open(struct expanding *x, const struct jaxprs *list, program_t program)
{
    struct module *m = x->s.m;
    jaxpr_t main = m->programs.at[program].main;
    bool open, closed = dims_must_be_bound(m, program, &open);
    struct memo names = {0}, known = {0};
    for (u32 i = 0; i < list->n; i++)
        add_names(x, &names, list->at[i]);
    sizing_open(&x->s, main);
    open_sizes(&x->s, main, 0, jaxpr_binders(&m->jaxprs.at[main]), false);
    for (u32 k = 0; k < x->s.spots.n; k++)
        memo_set(m->mem, &names, x->s.spots.at[k].name, 1);
    for (u32 i = 0; i < list->n && !open; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        if (list->at[i] == main || is_expanded(x, &known, list->at[i]))
            continue;
        sizing_open(&x->s, list->at[i]);
        open_sizes(&x->s, list->at[i], 0, jaxpr_binders(j), false);
        for (u32 k = 0; k < x->s.spots.n; k++)
            open |= closed || !memo_get(&names, x->s.spots.at[k].name);
    }
    memo_free(m->mem, &names);
    memo_free(m->mem, &known);
    return open;
}

/* expands the equations of a jaxpr, and its own arguments and results if it is the outermost one */
static void
expand_jaxpr(struct expanding *x, jaxpr_t j, bool main)
{
    const struct module *m = x->s.m;
    if (main)
        expand_arguments(x, j);
    struct binders scope = x->s.scope;
    x->s.scope = x->holder;
    sizing_open(&x->s, j);
    x->holder = x->s.scope;
    x->s.scope = scope;
    memo_free(m->mem, &x->added);
    memo_free(m->mem, &x->sized); /* the sizes of arguments, which may be bound later */
    note_sizes(m, m->jaxprs.at[j].vars, jaxpr_binders(&m->jaxprs.at[j]), &x->sized);
    bool copied = false;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
        if (copied)
            retype_equation(x, e);
        x->copied = false;
        x->any |= expand_equation(x, e);
        copied |= x->copied;
    }
    if (main)
        expand_results(x, j);
    finish_moved(&x->s, j, false);
    sizing_open(&x->s, j);
    finish_moved(&x->s, j, true);
}

enum outcome
pass_expand(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct expanding x = {.p = p, .underscore = module_intern(m, SLICE("_"))};
    struct jaxprs list = {0};
    if (m->programs.at[program].main == NONE)
        return OUTCOME_NOTHING;
    inferrer_enter(p->rules, program);
    sizing_init(&x.s, m);
    binders_init(&x.holder, m);
    reach_all(m, program, &list);
    x.s.size = sizes_type(m, &list, false);
    for (u32 i = 0; i < list.n && p->unshare; i++)
        add_names(&x, &x.bound, list.at[i]);
    if (has_symbols(&x, &list) || leaves_open(&x, &list, program))
        list.n = 0;
    /* inner programs first: their arguments determine which sizes of results are separate */
    for (u32 i = 0; i < list.n; i++)
        expand_jaxpr(&x, list.at[i], list.at[i] == m->programs.at[program].main);
    mem_free_all(m->mem, list.at, x.atoms.at, x.names.at, x.types.at, x.sizes.at, x.bound.slots, x.passed.slots,
                 x.added.slots, x.named.slots, x.copies.slots, x.sized.slots);
    region_map_free(m, &x.map);
    binders_drop(&x.holder);
    sizing_drop(&x.s);
    return x.any ? OUTCOME_DONE : OUTCOME_NOTHING;
}
