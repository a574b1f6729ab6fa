/* SPDX-License-Identifier: Apache-2.0
 *
 * Removes implicit arguments and results of Catalyst's loops and branches and of the outermost program: those that
 * remain are the user's, and sizes are only in shapes. Only what expansion would add again in the same place is
 * removed, so that expansion is the inverse; only what no equation reads as a value, so that only shapes have unbound
 * names; and nothing whose name an enclosing program binds, which the shapes would mean then. An equation that keeps
 * its implicit operands reads them, so that others may have to keep theirs: collapse_which.c propagates that. Linear.
 */
#include "rewrite/collapse.h"

#include "types/implicit_args.h"
#include "rewrite/copy.h"
#include "ir/reach.h"
#include "rewrite/rewrite.h"
#include "rewrite/sizes.h"

static name_t
binder_name(const struct module *m, jaxpr_t j, u32 i)
{
    return m->vars.at[m->jaxprs.at[j].vars + i].name;
}

/* whether the n binders from `at` on are, in this order, the sizes that the binders from `from` on (except an index)
 * mention: each once, or, with `each`, at each occurrence */
static bool
binders_are_restored(struct sizing *s, jaxpr_t j, u32 at, u32 n, u32 from, bool each)
{
    struct module *m = s->m;
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    binders_open(&s->scope);
    for (u32 i = 0; i < jaxpr_binders(jaxpr); i++)
        if (i < at || i >= at + n)
            binders_bind(&s->scope, jaxpr->vars + i);
    open_sizes(s, j, from, jaxpr_binders(jaxpr) - from, each);
    bool same = s->spots.n == n;
    for (u32 i = 0; i < n && same; i++)
        same = s->spots.at[i].name == binder_name(m, j, at + i) && m->vars.at[jaxpr->vars + at + i].type == s->size;
    return same;
}

/* whether the first n results of a jaxpr are the sizes of the others */
static bool
outs_are_restored(struct sizing *s, jaxpr_t j, u32 n, bool once)
{
    struct module *m = s->m;
    returned_sizes(s, j, n, once);
    bool same = s->spots.n == n;
    for (u32 i = 0; i < n && same; i++) {
        atom_t a = m->atoms.at[m->jaxprs.at[j].outs + i];
        same = atom_kind(a) == ATOM_VAR && m->vars.at[atom_id(a)].name == s->spots.at[i].name;
    }
    return same;
}

/* whether each of the n implicit results of e is `_`, or is the size in the type of another result */
static bool
results_are_restored(const struct sizing *s, eqn_t e, u32 n)
{
    const struct module *m = s->m;
    const struct eqn *eqn = &m->eqns.at[e];
    for (u32 i = 0; i < n; i++) {
        const struct size_place *spot = &s->spots.at[i];
        const struct type *t = type_array(m, m->vars.at[eqn->vars + n + spot->i].type);
        struct name_buffer buffer;
        bool unused = slice_eq(module_name(m, m->vars.at[eqn->vars + i].name, &buffer), SLICE("_"));
        bool named = false;
        if (!t || spot->axis >= t->rank || m->vars.at[eqn->vars + i].type != s->size)
            return false;
        const struct dim *d = &type_dims(&m->types, t)[spot->axis];
        for (u32 k = 0; k < n; k++)
            named |= d->kind == DIM_NAME && d->name == m->vars.at[eqn->vars + k].name;
        if (unused ? named : d->kind != DIM_NAME || d->name != m->vars.at[eqn->vars + i].name)
            return false;
    }
    return true;
}

/* whether the operands of the implicit arguments are the sizes of the carried operands */
static bool
operands_are_restored(const struct sizing *s, eqn_t e, u32 at, u32 first)
{
    const struct module *m = s->m;
    const struct eqn *eqn = &m->eqns.at[e];
    for (u32 i = 0; i < s->spots.n; i++) {
        atom_t implicit = m->atoms.at[eqn->atoms + at + i];
        const struct type *t = atom_array_type(m, m->atoms.at[eqn->atoms + first + s->spots.at[i].i]);
        if (atom_kind(implicit) != ATOM_VAR || !t || s->spots.at[i].axis >= t->rank)
            return false;
        const struct dim *d = &type_dims(&m->types, t)[s->spots.at[i].axis];
        if (d->kind != DIM_NAME || d->name != m->vars.at[atom_id(implicit)].name)
            return false;
    }
    return true;
}

static void
operands_drop(struct module *m, eqn_t e, u32 at, u32 n)
{
    struct eqn *eqn = &m->eqns.at[e];
    u32 first = m->atoms.n;
    for (u32 i = 0; i < eqn->n_atoms; i++)
        if (i < at || i >= at + n) {
            atom_t a = m->atoms.at[eqn->atoms + i];
            *vec_push(m->mem, &m->atoms) = a;
        }
    eqn->atoms = first;
    eqn->n_atoms = (eqn->n_atoms - n) & MOST_ATOMS;
}

/* drops binders of a nested jaxpr and replaces them there at once; what is moved in its container is replaced later */
static void
drop_inside(struct sizing *s, jaxpr_t j, u32 at, u32 n)
{
    struct memo outer = s->moved;
    s->moved = (struct memo){0};
    binders_drop_run(s, j, at, n);
    finish_moved(s, j, false);
    s->moved = outer;
}

/* whether expansion would restore the implicit arguments and results of a loop; fills run */
static bool
loop_is_restored(struct sizing *s, eqn_t e, struct implicit *run)
{
    struct module *m = s->m;
    const struct region_map *l = &s->map;
    u32 n = l->implicit, body_at = l->body_carry;
    jaxpr_t body = l->regions.at[0].jaxpr, cond = l->kind == REGION_WHILE ? l->regions.at[1].jaxpr : NONE;
    u32 cond_at = cond == NONE ? 0 : jaxpr_binders(&m->jaxprs.at[cond]) - l->n_carry;
    u32 from = body_at + n + (l->index != NONE), operand = carried_operand(l) + n;
    if (n == 0 || m->jaxprs.at[body].n_outs != l->n_carry || m->eqns.at[e].n_vars != l->n_carry || l->n_carry < n)
        return false;
    *run = (struct implicit){.n = n, .operand = l->carry, .binder = {body_at, cond_at}};
    bool once = returns_once(m, e, l);
    return binders_are_restored(s, body, body_at, n, from, !once) && operands_are_restored(s, e, l->carry, operand) &&
           outs_are_restored(s, body, n, once) && results_are_restored(s, e, n) &&
           (cond == NONE || binders_are_restored(s, cond, cond_at, n, cond_at + n, !once));
}

static bool
branches_are_restored(struct sizing *s, eqn_t e, struct implicit *run)
{
    struct module *m = s->m;
    const struct region_map *l = &s->map;
    u32 n = l->implicit;
    *run = (struct implicit){.n = n, .operand = NONE, .binder = {NONE, NONE}};
    for (u32 i = 0; i < l->regions.n; i++)
        if (l->regions.at[i].jaxpr == NONE || m->jaxprs.at[l->regions.at[i].jaxpr].n_outs != m->eqns.at[e].n_vars)
            return false;
    if (n == 0 || m->eqns.at[e].n_vars < n)
        return false;
    for (u32 i = l->regions.n; i-- > 0;)
        if (!outs_are_restored(s, l->regions.at[i].jaxpr, n, false))
            return false;
    return results_are_restored(s, e, n);
}

static bool
nests(const struct module *m, jaxpr_t j)
{
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        if (eqn_nests(m, e))
            return true;
    return false;
}

static void
count_binders(struct module *m, struct memo *around, u32 vars, u32 n)
{
    for (var_t v = vars; v < vars + n; v++)
        memo_set(m->mem, around, m->vars.at[v].name, memo_get(around, m->vars.at[v].name) + 1);
}

/* counts for each name the programs that bind it and contain others, where it may be captured */
static void
count_around(struct module *m, const struct jaxprs *list, struct memo *around)
{
    for (u32 i = 0; i < list->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        if (!nests(m, list->at[i]))
            continue;
        count_binders(m, around, j->vars, jaxpr_binders(j));
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            count_binders(m, around, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
    }
}

/* whether one of n variables has a name that more than `own` programs that contain others bind: without the variable,
 * types would capture it */
static bool
may_capture(const struct module *m, const struct memo *around, u32 vars, u32 n, u32 own, name_t underscore)
{
    for (var_t v = vars; v < vars + n; v++)
        if (m->vars.at[v].name != underscore && memo_get(around, m->vars.at[v].name) > own)
            return true;
    return false;
}

/* whether types that name the implicit values of e would name other variables without these */
static bool
names_others(struct sizing *s, const struct memo *around, eqn_t e, const struct implicit *run)
{
    struct module *m = s->m;
    name_t underscore = module_intern(m, SLICE("_"));
    bool may = may_capture(m, around, m->eqns.at[e].vars, run->n, 1, underscore);
    for (u32 i = 0; i < s->map.regions.n && run->operand != NONE && !may; i++) {
        jaxpr_t j = s->map.regions.at[i].jaxpr;
        may = may_capture(m, around, m->jaxprs.at[j].vars + run->binder[i], run->n, nests(m, j), underscore);
    }
    return may;
}

/* reads the layout of an equation that has implicit arguments or results; false for others */
static bool
implicit_layout(struct sizing *s, eqn_t e)
{
    return s->m->eqns.at[e].params != NONE && region_map_read(s->m, e, &s->map) && s->map.regions.n > 0 &&
           s->map.system == SYSTEM_CATALYST && implicit_param(s->m, e, &s->map) != NONE;
}

static void
collapse_equation(struct sizing *s, eqn_t e, const struct implicit *run)
{
    struct module *m = s->m;
    struct region_map *l = &s->map;
    bool branches = l->kind == REGION_BRANCH;
    if (run->operand != NONE)
        operands_drop(m, e, run->operand, run->n);
    for (u32 i = 0; i < l->regions.n; i++) {
        if (branches || i == 0) /* a condition returns only a bool */
            outs_drop(m, l->regions.at[i].jaxpr, run->n);
        if (!branches)
            drop_inside(s, l->regions.at[i].jaxpr, run->binder[i], run->n);
    }
    results_drop(s, e, run->n);
    param_set_text(m, implicit_param(m, e, l), SLICE("0"));
}

/* how many of the first values, listed in s->names, expansion would restore for the later ones, whose sizes are in
 * s->spots; clears both */
static u32
is_restored(struct sizing *s)
{
    u32 n = s->names.n;
    for (u32 i = 0; i < s->spots.n; i++)
        *vec_push(s->m->mem, &s->names) = s->spots.at[i].name;
    u32 answer = leading_sizes(s->m->mem, s->names.at, n, s->names.at + n, s->spots.n);
    s->names.n = s->spots.n = 0;
    return answer;
}

/* removes leading results that later ones mention as sizes */
static void
collapse_results(struct sizing *s, jaxpr_t main)
{
    struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[main];
    u32 n = 0;
    for (; n < j->n_outs && atom_kind(m->atoms.at[j->outs + n]) == ATOM_VAR; n++) {
        var_t v = atom_id(m->atoms.at[j->outs + n]);
        if (!type_is_dim(m, m->vars.at[v].type) || jaxpr_binds(j, v))
            break;
        *vec_push(m->mem, &s->names) = m->vars.at[v].name;
    }
    binders_open(&s->scope);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        binders_bind(&s->scope, j->vars + i);
    unknown_sizes(s, main, n);
    outs_drop(m, main, is_restored(s));
}

/* removes leading arguments that later ones mention as sizes and nothing reads */
static void
collapse_arguments(struct sizing *s, jaxpr_t main)
{
    struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[main];
    u32 n = 0, first = j->vars + j->n_consts, read = j->n_ins;
    struct atoms_walk w;
    atom_t a;
    for (atoms_start(&w, m, main); atoms_next(&w, &a);)
        if (atom_kind(a) == ATOM_VAR && atom_id(a) >= first && atom_id(a) - first < read)
            read = atom_id(a) - first;
    for (; n < read && m->vars.at[first + n].type == s->size; n++)
        *vec_push(m->mem, &s->names) = m->vars.at[first + n].name;
    binders_open(&s->scope);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        if (i < j->n_consts || i >= j->n_consts + n)
            binders_bind(&s->scope, j->vars + i);
    open_sizes(s, main, j->n_consts + n, j->n_ins - n, false);
    n = is_restored(s);
    if (n)
        binders_drop_run(s, main, j->n_consts, n);
}

enum outcome
pass_collapse(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct sizing s;
    struct jaxprs list = {0};
    struct collapsing c;
    struct memo around = {0};
    jaxpr_t main = m->programs.at[program].main;
    if (main == NONE || p->symbols)
        return OUTCOME_NOTHING;
    sizing_init(&s, m);
    reach_all(m, program, &list);
    s.size = sizes_type(m, &list, true);
    collapse_results(&s, main);
    collapsing_init(&c, m, &list);
    count_around(m, &list, &around);
    for (u32 i = 0; i < list.n; i++)
        for (eqn_t e = m->jaxprs.at[list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            struct implicit run;
            bool may = implicit_layout(&s, e);
            may = may &&
                  (s.map.kind == REGION_BRANCH ? branches_are_restored(&s, e, &run) : loop_is_restored(&s, e, &run));
            if (may && !names_others(&s, &around, e, &run))
                collapsing_add(&c, e, &s.map, &run);
        }
    collapsing_decide(&c, &list);
    for (u32 i = 0; i < list.n; i++) {
        for (eqn_t e = m->jaxprs.at[list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            const struct implicit *run = collapsing_find(&c, e);
            if (run && implicit_layout(&s, e))
                collapse_equation(&s, e, run);
        }
        finish_moved(&s, list.at[i], false);
    }
    collapse_arguments(&s, main);
    finish_moved(&s, main, false);
    collapsing_end(&c);
    memo_free(m->mem, &around);
    vec_free(m->mem, &list);
    sizing_drop(&s);
    return OUTCOME_DONE;
}
