/* SPDX-License-Identifier: Apache-2.0
 *
 * Unbound sizes of shapes become implicit arguments, in the order in which they are named first; sizes that results
 * name become implicit results, by the rule of the equation: every occurrence where loops may resize and in
 * branches, each once in loops of Catalyst's drafts, only unknown ones for the outermost program (jax/_src/
 * interpreters/partial_eval.py, _add_implicit_outputs). An equation whose sizes cannot all be found is not changed.
 * Linear, except that a jaxpr is visited again for each of its equations that changes. */
#include "rewrite/copy.h"
#include "rewrite/const_operands.h"
#include "ir/reach.h"
#include "rewrite/rewrite.h"
#include "rewrite/sizes.h"

struct expanding {
    struct sizing s;
    struct binders holder; /* of the jaxpr whose equations are expanded */
    VEC(atom_t) atoms;
    VEC(name_t) names;
    name_t underscore;
};

/* the operands that are the sizes in spots, by their outer names */
static bool
find_operands(struct expanding *x, eqn_t e, u32 first)
{
    struct module *m = x->s.m;
    const struct eqn *eqn = &m->eqns.at[e];
    x->atoms.n = 0;
    for (u32 i = 0; i < x->s.spots.n; i++) {
        const struct size_place *spot = &x->s.spots.at[i];
        const struct type *t =
            first + spot->i < eqn->n_atoms ? atom_array_type(m, m->atoms.at[eqn->atoms + first + spot->i]) : NULL;
        if (!t || spot->axis >= t->rank || type_dims(&m->types, t)[spot->axis].kind != DIM_NAME)
            return false;
        name_t name = type_dims(&m->types, t)[spot->axis].name;
        var_t v = binders_find(&x->holder, name);
        *vec_push(m->mem, &x->atoms) = v == NONE ? atom_make(ATOM_NAME, name) : atom_make(ATOM_VAR, v);
    }
    return true;
}

/* names for implicit results: those in the result's type if unbound, else `_` */
static bool
find_results(struct expanding *x, eqn_t e)
{
    struct module *m = x->s.m;
    const struct eqn *eqn = &m->eqns.at[e];
    x->names.n = 0;
    for (u32 i = 0; i < x->s.spots.n; i++) {
        const struct size_place *spot = &x->s.spots.at[i];
        const struct type *t = spot->i < eqn->n_vars ? type_array(m, m->vars.at[eqn->vars + spot->i].type) : NULL;
        if (!t || spot->axis >= t->rank)
            return false;
        const struct dim *d = &type_dims(&m->types, t)[spot->axis];
        bool named = d->kind == DIM_NAME && binders_find(&x->holder, d->name) == NONE;
        for (u32 k = 0; k < x->names.n && named; k++)
            named = x->names.at[k] != d->name;
        *vec_push(m->mem, &x->names) = named ? d->name : x->underscore;
    }
    return true;
}

/* the results to insert before a jaxpr's own: variables of x->s.scope */
static bool
find_outs(struct expanding *x)
{
    x->atoms.n = 0;
    for (u32 i = 0; i < x->s.spots.n; i++) {
        var_t v = binders_find(&x->s.scope, x->s.spots.at[i].name);
        if (v == NONE)
            return false;
        *vec_push(x->s.m->mem, &x->atoms) = atom_make(ATOM_VAR, v);
    }
    return true;
}

static void
add_inside(struct expanding *x, jaxpr_t j, u32 at)
{
    struct memo outer = x->s.moved;
    x->s.moved = (struct memo){0};
    binders_add_run(&x->s, j, at, x->s.spots.n, size_type(&x->s, x->s.spots.at[0].name));
    sizing_open(&x->s, j);
    finish_moved(&x->s, j, true);
    x->s.moved = outer;
}

static void
expand_loop(struct expanding *x, eqn_t e)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    struct region_map *l = &s->map;
    jaxpr_t body = l->regions.at[0].jaxpr, cond = l->kind == REGION_WHILE ? l->regions.at[1].jaxpr : NONE;
    u32 at = l->body_carry, index = l->index != NONE, total = jaxpr_binders(&m->jaxprs.at[body]);
    if (l->implicit || m->jaxprs.at[body].n_outs != l->n_carry || m->eqns.at[e].n_vars != l->n_carry)
        return;
    /* whether all of it can be found */
    sizing_open(s, body);
    open_sizes(s, body, at + index, total - at - index);
    u32 n = s->spots.n;
    if (n == 0 || !find_operands(x, e, l->carry + (index ? 4 : 0)))
        return;
    returned_sizes(s, body, 0, returns_once(m, e, l));
    if (s->spots.n != n || !find_results(x, e))
        return;
    u32 cond_at = 0;
    if (cond != NONE) {
        u32 binders = jaxpr_binders(&m->jaxprs.at[cond]);
        cond_at = binders - l->n_carry;
        sizing_open(s, cond);
        open_sizes(s, cond, cond_at, l->n_carry);
        if (s->spots.n != n)
            return;
        add_inside(x, cond, cond_at);
    }
    operands_insert(m, e, l->carry, x->atoms.at, n);
    sizing_open(s, body);
    open_sizes(s, body, at + index, total - at - index);
    add_inside(x, body, at);
    returned_sizes(s, body, 0, returns_once(m, e, l));
    if (find_outs(x))
        outs_add(m, body, x->atoms.at, n);
    results_add(s, e, x->names.at, n, size_type(s, NONE));
    param_set_text(m, implicit_param(m, e, l), arena_printf(m->mem, "%u", n));
}

static void
expand_branches(struct expanding *x, eqn_t e)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    struct region_map *l = &s->map;
    u32 n = 0;
    if (l->implicit)
        return;
    for (u32 i = 0; i < l->regions.n; i++) {
        jaxpr_t j = l->regions.at[i].jaxpr;
        if (j == NONE || m->jaxprs.at[j].n_outs != m->eqns.at[e].n_vars)
            return;
        sizing_open(s, j);
        returned_sizes(s, j, 0, false);
        if ((i && s->spots.n != n) || !find_outs(x))
            return;
        n = s->spots.n;
    }
    if (n == 0 || !find_results(x, e))
        return;
    for (u32 i = 0; i < l->regions.n; i++) {
        sizing_open(s, l->regions.at[i].jaxpr);
        returned_sizes(s, l->regions.at[i].jaxpr, 0, false);
        find_outs(x);
        outs_add(m, l->regions.at[i].jaxpr, x->atoms.at, n);
    }
    results_add(s, e, x->names.at, n, size_type(s, NONE));
    param_set_text(m, implicit_param(m, e, l), arena_printf(m->mem, "%u", n));
}

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

/* the sizes of the outermost program's arguments, added before its equations, which may pass them on */
static void
expand_arguments(struct expanding *x, jaxpr_t main)
{
    struct sizing *s = &x->s;
    const struct jaxpr *j = &s->m->jaxprs.at[main];
    sizing_open(s, main);
    open_sizes(s, main, j->n_consts, j->n_ins);
    if (s->spots.n)
        binders_add_run(s, main, j->n_consts, s->spots.n, size_type(s, NONE));
    sizing_open(s, main);
    finish_moved(s, main, true);
}

/* the sizes of its results that are not arguments */
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
    if (s->spots.n && find_outs(x))
        outs_add(m, main, x->atoms.at, x->atoms.n);
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

/* whether a name in a shape is not a variable's: it names a value that is not a size or is bound later, or it does not
 * look like a variable */
static bool
is_symbol(const struct expanding *x, const struct dim *d)
{
    const struct module *m = x->s.m;
    var_t bound = binders_find(&x->holder, d->name);
    if (bound != NONE)
        return !type_is_dim(m, m->vars.at[bound].type);
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

/* whether expansion would leave an unbound size: in a program outside loops and branches of Catalyst. A symbol would
 * become an error once others are bound */
static bool
leaves_open(struct expanding *x, const struct jaxprs *list, jaxpr_t main)
{
    struct module *m = x->s.m;
    struct memo names = {0}, known = {0};
    bool open = false;
    for (u32 i = 0; i < list->n; i++)
        add_names(x, &names, list->at[i]);
    sizing_open(&x->s, main);
    open_sizes(&x->s, main, 0, jaxpr_binders(&m->jaxprs.at[main]));
    for (u32 k = 0; k < x->s.spots.n; k++)
        memo_set(m->mem, &names, x->s.spots.at[k].name, 1);
    for (u32 i = 0; i < list->n && !open; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        if (list->at[i] == main || is_expanded(x, &known, list->at[i]))
            continue;
        sizing_open(&x->s, list->at[i]);
        open_sizes(&x->s, list->at[i], 0, jaxpr_binders(j));
        for (u32 k = 0; k < x->s.spots.n; k++)
            open |= !memo_get(&names, x->s.spots.at[k].name);
    }
    memo_free(m->mem, &names);
    memo_free(m->mem, &known);
    return open;
}

enum outcome
pass_expand(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct expanding x = {.underscore = module_intern(m, SLICE("_"))};
    struct jaxprs list = {0};
    if (m->programs.at[program].main == NONE)
        return OUTCOME_NOTHING;
    sizing_init(&x.s, m);
    binders_init(&x.holder, m);
    reach_all(m, program, &list);
    x.s.size = sizes_type(m, &list, false);
    if (has_symbols(&x, &list) || leaves_open(&x, &list, m->programs.at[program].main))
        list.n = 0;
    /* outer programs first: inner ones may use their names */
    for (u32 i = list.n; i-- > 0;) {
        jaxpr_t j = list.at[i];
        bool main = j == m->programs.at[program].main;
        if (main)
            expand_arguments(&x, j);
        struct binders scope = x.s.scope;
        x.s.scope = x.holder;
        sizing_open(&x.s, j);
        x.holder = x.s.scope;
        x.s.scope = scope;
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            if (m->eqns.at[e].params == NONE || !region_map_read(m, e, &x.s.map) || x.s.map.regions.n == 0 ||
                x.s.map.system != SYSTEM_CATALYST || implicit_param(m, e, &x.s.map) == NONE)
                continue;
            if (x.s.map.kind == REGION_BRANCH)
                expand_branches(&x, e);
            else
                expand_loop(&x, e);
        }
        if (main)
            expand_results(&x, j);
        finish_moved(&x.s, j, false);
        sizing_open(&x.s, j);
        finish_moved(&x.s, j, true);
    }
    mem_free_all(m->mem, list.at, x.atoms.at, x.names.at);
    binders_drop(&x.holder);
    sizing_drop(&x.s);
    return OUTCOME_DONE;
}
