/* SPDX-License-Identifier: Apache-2.0
 *
 * Which `_` is meant: the last one bound so far whose type fits the place, that is the type of the argument it is given
 * to, of the other operands or of the result. A text with several of one type does not say more. Types are compared
 * with the few that variables called `_` have, so this is linear. */
#include "rewrite/underscore.h"

#include "base/memo.h"

enum { USED = 1u << 31 };

/* how many types of variables called `_` are told apart */
enum { TYPES = 32 };

/* The last `_` of each type. */
struct lasts {
    var_t vars[TYPES];
    u32 n;
};

static bool
is_dropped(const struct module *m, atom_t a, name_t underscore)
{
    return atom_kind(a) == ATOM_VAR && (m->vars.at[atom_id(a)].name & ~USED) == underscore;
}

static void
bind_last(const struct module *m, struct lasts *lasts, var_t v)
{
    u32 i = 0;
    while (i < lasts->n && m->vars.at[lasts->vars[i]].type != m->vars.at[v].type)
        i++;
    if (i == TYPES)
        return;
    lasts->n += i == lasts->n;
    lasts->vars[i] = v;
}

/* the last `_` of a type, or NONE */
static var_t
last_of(const struct module *m, const struct lasts *lasts, type_t type)
{
    for (u32 i = 0; i < lasts->n && type != NONE; i++)
        if (m->vars.at[lasts->vars[i]].type == type)
            return lasts->vars[i];
    return NONE;
}

/* the last `_` that may choose a branch, or NONE */
static var_t
last_index(const struct module *m, const struct lasts *lasts)
{
    for (u32 i = 0; i < lasts->n; i++) {
        type_t type = m->vars.at[lasts->vars[i]].type;
        struct slice text = type == NONE ? SLICE("") : type_get(&m->types, type)->text;
        if (slice_eq(text, SLICE("i32[]")) || slice_eq(text, SLICE("bool[]")))
            return lasts->vars[i];
    }
    return NONE;
}

/* the last `_` of the type of the argument that operand i is given to, or NONE */
static var_t
last_for_argument(const struct module *m, const struct lasts *lasts, eqn_t e, u32 i)
{
    struct nested h = nested_start(m, e);
    jaxpr_t j = nested_unpasted(m, &h);
    u32 n = m->eqns.at[e].n_atoms;
    if (j == NONE || (m->jaxprs.at[j].n_ins != n && m->jaxprs.at[j].n_ins + 1 != n))
        return NONE;
    u32 first = n - m->jaxprs.at[j].n_ins; /* the index of a cond */
    return i < first ? last_index(m, lasts) : last_of(m, lasts, m->vars.at[jaxpr_in(&m->jaxprs.at[j], i - first)].type);
}

/* the `_` that operand i means */
static var_t
meant(const struct module *m, const struct lasts *lasts, eqn_t id, u32 i, name_t underscore)
{
    const struct eqn *e = &m->eqns.at[id];
    var_t v = last_for_argument(m, lasts, id, i);
    for (u32 k = 0; k < e->n_atoms && v == NONE; k++) {
        atom_t a = m->atoms.at[e->atoms + k];
        if (atom_kind(a) == ATOM_VAR && !is_dropped(m, a, underscore))
            v = last_of(m, lasts, m->vars.at[atom_id(a)].type);
    }
    if (v == NONE && e->n_vars)
        v = last_of(m, lasts, m->vars.at[e->vars].type);
    return v;
}

/* puts the variables that are meant where operands are called `_` */
static void
resolve_operands(struct module *m, const struct jaxpr *j, name_t underscore)
{
    struct lasts lasts = {.n = 0};
    for (u32 i = 0; i < j->n_consts + j->n_ins; i++)
        if (m->vars.at[j->vars + i].name == underscore)
            bind_last(m, &lasts, j->vars + i);
    for (eqn_t id = j->eqns; id != NONE; id = m->eqns.at[id].next) {
        const struct eqn *e = &m->eqns.at[id];
        for (u32 i = 0; i < e->n_atoms && lasts.n > 1; i++) {
            if (!is_dropped(m, m->atoms.at[e->atoms + i], underscore))
                continue;
            var_t v = meant(m, &lasts, id, i, underscore);
            if (v != NONE)
                m->atoms.at[e->atoms + i] = atom_make(ATOM_VAR, v);
        }
        for (u32 i = 0; i < e->n_vars; i++)
            if (m->vars.at[e->vars + i].name == underscore)
                bind_last(m, &lasts, e->vars + i);
    }
}

static void
mark_use(struct module *m, atom_t a)
{
    if (atom_kind(a) == ATOM_VAR)
        m->vars.at[atom_id(a)].name |= USED;
}

/* The `_` of a jaxpr, those of one type in a stack, the last on top. */
struct stacks {
    struct memo tops;  /* a type: the variable on top of its stack, plus one */
    struct memo below; /* a variable: the one below it, plus one */
};

static void
stack_vars(const struct module *m, struct stacks *stacks, var_t first, u32 n, name_t underscore)
{
    for (var_t v = first; v < first + n; v++) {
        type_t type = m->vars.at[v].type;
        if (m->vars.at[v].name != underscore || type == NONE)
            continue;
        memo_set(m->mem, &stacks->below, v, memo_get(&stacks->tops, type));
        memo_set(m->mem, &stacks->tops, type, (u64)v + 1);
    }
}

/* `in (_, a, _)`: the last ones of the types that the equation around gives its results */
static void
resolve_results(struct module *m, const struct jaxpr *j, name_t underscore)
{
    struct stacks stacks = {0};
    u32 named = 0;
    while (named < j->n_outs && !is_dropped(m, m->atoms.at[j->outs + named], underscore))
        named++;
    if (named == j->n_outs || j->parent == NONE || m->eqns.at[j->parent].n_vars != j->n_outs)
        return;
    stack_vars(m, &stacks, j->vars, j->n_consts + j->n_ins, underscore);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        stack_vars(m, &stacks, m->eqns.at[e].vars, m->eqns.at[e].n_vars, underscore);
    for (u32 i = j->n_outs; i-- > named;) {
        type_t type = m->vars.at[m->eqns.at[j->parent].vars + i].type;
        if (type == NONE || !is_dropped(m, m->atoms.at[j->outs + i], underscore))
            continue;
        u32 top = (u32)memo_get(&stacks.tops, type);
        if (top == 0)
            continue;
        m->atoms.at[j->outs + i] = atom_make(ATOM_VAR, top - 1);
        memo_set(m->mem, &stacks.tops, type, memo_get(&stacks.below, top - 1));
    }
    memo_free(m->mem, &stacks.tops);
    memo_free(m->mem, &stacks.below);
}

void
underscores_differ(struct module *m, jaxpr_t id, name_t underscore)
{
    resolve_operands(m, &m->jaxprs.at[id], underscore);
    resolve_results(m, &m->jaxprs.at[id], underscore);
}

void
underscores_resolve(struct module *m, jaxpr_t id, name_t underscore)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    bool any = false;
    for (u32 i = 0; i < j->n_consts + j->n_ins; i++)
        any |= m->vars.at[j->vars + i].name == underscore;
    for (eqn_t e = j->eqns; e != NONE && !any; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            any |= m->vars.at[m->eqns.at[e].vars + i].name == underscore;
    if (!any)
        return;
    name_t other = module_intern(m, SLICE("_used"));
    underscores_differ(m, id, underscore);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            mark_use(m, m->atoms.at[m->eqns.at[e].atoms + i]);
    for (u32 i = 0; i < j->n_outs; i++)
        mark_use(m, m->atoms.at[j->outs + i]);
    for (u32 i = 0; i < j->n_consts + j->n_ins; i++)
        m->vars.at[j->vars + i].name &= ~USED;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            name_t *name = &m->vars.at[m->eqns.at[e].vars + i].name;
            if (*name == (underscore | USED))
                *name = other;
            *name &= ~USED;
        }
}

static void
join_run(struct module *m, struct memo *firsts, u32 vars, u32 n, name_t underscore)
{
    for (u32 v = vars; v < vars + n; v++) {
        u64 first = memo_get(firsts, m->vars.at[v].name);
        if (m->vars.at[v].name == underscore)
            continue;
        if (first == 0)
            memo_set(m->mem, firsts, m->vars.at[v].name, (u64)v + 1);
        else if (m->vars.at[first - 1].type == m->vars.at[v].type)
            m->origins.at[v] = (var_t)first - 1;
    }
}

void
underscores_join(struct module *m, const struct jaxprs *list, name_t underscore)
{
    struct memo firsts = {0}; /* by name: the first variable that has it, plus one */
    for (var_t self = m->origins.n; self < m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    for (u32 i = 0; i < list->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        join_run(m, &firsts, j->vars, j->n_consts + j->n_ins, underscore);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            join_run(m, &firsts, m->eqns.at[e].vars, m->eqns.at[e].n_vars, underscore);
    }
    memo_free(m->mem, &firsts);
}
