/* SPDX-License-Identifier: Apache-2.0
 *
 * Which `_` is meant: the last one bound so far whose type fits the place, that is the type of the argument it is given to,
 * of the other operands or of the result. A text with several of one type does not say more. Types are compared with
 * the few that variables called `_` have, so this is linear. */
#include "rewrite/namesakes.h"

#include "ir/reach.h"

enum { USED = 1u << 31 };

/* how many types of variables called `_` are told apart, and how many results */
enum { TYPES = 32, RESULTS = 64 };

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

/* the type of the argument that operand i is given to, or NONE */
static type_t
argument_type(const struct module *m, eqn_t e, u32 i)
{
    struct held h = held_start(m, e);
    jaxpr_t j = held_next(m, &h);
    u32 n = m->eqns.at[e].n_atoms;
    if (j == NONE || (m->jaxprs.at[j].n_ins != n && m->jaxprs.at[j].n_ins + 1 != n))
        return NONE;
    u32 first = n - m->jaxprs.at[j].n_ins; /* the index of a cond */
    return i < first ? NONE : m->vars.at[jaxpr_in(&m->jaxprs.at[j], i - first)].type;
}

/* the `_` that operand i means */
static var_t
meant(const struct module *m, const struct lasts *lasts, eqn_t id, u32 i, name_t underscore)
{
    const struct eqn *e = &m->eqns.at[id];
    var_t v = last_of(m, lasts, argument_type(m, id, i));
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
settle_operands(struct module *m, const struct jaxpr *j, name_t underscore)
{
    struct lasts lasts = {.n = 0};
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

/* `in (_, a, _)`: text does not tell which results these are; the last one of the right type that is not taken is */
static void
mark_results(struct module *m, const struct jaxpr *j, name_t underscore)
{
    u32 told = 0;
    var_t resolved = NONE;
    if (j->parent == NONE || m->eqns.at[j->parent].n_vars != j->n_outs)
        return;
    for (u32 i = j->n_outs; i-- > 0 && told < RESULTS;) {
        atom_t a = m->atoms.at[j->outs + i];
        if (!is_dropped(m, a, underscore))
            continue;
        type_t type = m->vars.at[m->eqns.at[j->parent].vars + i].type;
        bool first = resolved == NONE && type == m->vars.at[atom_id(a)].type;
        var_t last = NONE;
        for (eqn_t e = first ? NONE : j->eqns; e != NONE; e = m->eqns.at[e].next)
            for (u32 k = 0; k < m->eqns.at[e].n_vars; k++) {
                var_t v = m->eqns.at[e].vars + k;
                if (m->vars.at[v].name == underscore && m->vars.at[v].type == type)
                    last = v;
            }
        if (first)
            resolved = atom_id(a);
        if (last != NONE)
            m->vars.at[last].name |= USED;
        told++;
    }
}

void
namesakes_settle(struct module *m, jaxpr_t id, name_t underscore)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    bool any = false;
    for (eqn_t e = j->eqns; e != NONE && !any; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            any |= m->vars.at[m->eqns.at[e].vars + i].name == underscore;
    if (!any)
        return;
    name_t other = module_intern(m, SLICE("_used"));
    settle_operands(m, j, underscore);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            mark_use(m, m->atoms.at[m->eqns.at[e].atoms + i]);
    for (u32 i = 0; i < j->n_outs; i++)
        mark_use(m, m->atoms.at[j->outs + i]);
    mark_results(m, j, underscore);
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
