/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants of nested programs rise until they are constants of the outermost one: a closed program's constvars become
 * its leading arguments, and each equation that holds it passes constants of its own program. Array literals rise
 * likewise. Distinct ones are never merged; sizes rise with the arrays they size. Programs are taken from the inside
 * out, each once. Linear in the programs and in what rises through them. */
#include "base/memo.h"
#include "check/resolve.h"
#include "rewrite/hand.h"
#include "ir/reach.h"
#include "rewrite/retype.h"
#include "rewrite/rewrite.h"

struct lifting {
    struct module *m;
    struct layout layout;
    struct memo risen; /* by jaxpr_t: how many of its leading arguments were constants, plus one */
    VEC(var_t) constants; /* new constants of the jaxpr at hand */
    VEC(atom_t) atoms;
    VEC(struct slice) sizes;
    u32 fresh;
};

/* a constant of the holding program for each risen argument of j: sizes among them are followed by name */
static void
make_constants(struct lifting *l, jaxpr_t j, u32 n)
{
    struct module *m = l->m;
    u32 first = m->jaxprs.at[j].vars;
    struct memo renamed = {0};
    l->atoms.n = 0;
    for (u32 i = 0; i < n; i++) {
        name_t old = m->vars.at[first + i].name;
        var_t v = var_append(m, first + i, fresh_name(m, &l->fresh));
        const struct type *t = type_array(m, m->vars.at[v].type);
        l->sizes.n = 0;
        for (u32 k = 0; t && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            u64 to = d->kind == DIM_NAME ? memo_get(&renamed, d->name) : 0;
            *vec_push(m->mem, &l->sizes) = to ? var_text(m, (u32)to) : (struct slice){NULL, 0};
        }
        if (t && t->dynamic)
            m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, l->sizes.at);
        memo_set(m->mem, &renamed, old, v);
        *vec_push(m->mem, &l->constants) = v;
        *vec_push(m->mem, &l->atoms) = atom_make(ATOM_VAR, v);
    }
    memo_free(m->mem, &renamed);
}

/* an array literal becomes a constant */
static void
lift_literal(struct lifting *l, atom_t *a)
{
    struct module *m = l->m;
    if (atom_kind(*a) != ATOM_LIT)
        return;
    u32 id = atom_id(*a);
    struct slice text = module_bytes(m, m->literals.at[id].value);
    if (text.n == 0 || text.at[0] != '[' || m->literals.at[id].type == NONE)
        return;
    struct var var = {fresh_name(m, &l->fresh), m->literals.at[id].type};
    for (var_t self = m->origins.n; self <= m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    *vec_push(m->mem, &m->vars) = var;
    *vec_push(m->mem, &l->constants) = m->vars.n - 1;
    *a = atom_make(ATOM_VAR, m->vars.n - 1);
}

static void
lift_literals(struct lifting *l, eqn_t e)
{
    struct module *m = l->m;
    for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
        atom_t a = m->atoms.at[m->eqns.at[e].atoms + i];
        lift_literal(l, &a);
        m->atoms.at[m->eqns.at[e].atoms + i] = a;
    }
}

/* true where the constvars of j are bound to operands of e already */
static bool
bound_by_operands(const struct lifting *l, jaxpr_t j)
{
    for (u32 i = 0; i < l->layout.inners.n; i++)
        if (l->layout.inners.at[i].jaxpr == j)
            return layout_operand(&l->layout.inners.at[i], 0) != NONE;
    return false;
}

/* passes constants to the programs of an equation that have some */
static void
lift_through(struct lifting *l, eqn_t e)
{
    struct module *m = l->m;
    struct held held = held_start(m, e);
    for (jaxpr_t j; (j = held_next(m, &held)) != NONE;) {
        struct jaxpr *inner = &m->jaxprs.at[j];
        u64 before = memo_get(&l->risen, j);
        u32 n = before ? (u32)before - 1 : inner->n_consts;
        struct post post;
        l->layout.inners.n = 0;
        l->layout.kind = LAYOUT_NONE;
        if (n == 0)
            continue;
        if (before) { /* another equation holds it, too: for the layout, its constants have not risen yet */
            inner->n_consts = n;
            inner->n_ins -= n;
        }
        bool known = post_find(m, e, j, &l->layout, &post) && l->layout.kind != LAYOUT_BRANCH &&
                     !bound_by_operands(l, j);
        if (known || before) {
            inner->n_ins += n;
            inner->n_consts = 0;
        }
        if (!known)
            continue;
        memo_set(m->mem, &l->risen, j, n + 1);
        make_constants(l, j, n);
        operands_insert(m, e, post.operand, l->atoms.at, n);
        count_add(m, e, post.count, n);
    }
}

static void
become(struct module *m, const struct memo *binder, u32 at)
{
    u64 v = atom_kind(m->atoms.at[at]) == ATOM_VAR ? memo_get(binder, atom_id(m->atoms.at[at])) : 0;
    if (v)
        m->atoms.at[at] = atom_make(ATOM_VAR, (u32)v);
}

/* makes the new constants binders of j */
static void
settle(struct lifting *l, jaxpr_t j)
{
    struct module *m = l->m;
    u32 first = binders_insert(m, j, m->jaxprs.at[j].n_consts, l->constants.at, l->constants.n, true);
    struct memo binder = {0};
    for (u32 k = 0; k < l->constants.n; k++)
        memo_set(m->mem, &binder, l->constants.at[k], first + k);
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 k = 0; k < m->eqns.at[e].n_atoms; k++)
            become(m, &binder, m->eqns.at[e].atoms + k);
    for (u32 k = 0; k < m->jaxprs.at[j].n_outs; k++)
        become(m, &binder, m->jaxprs.at[j].outs + k);
    memo_free(m->mem, &binder);
}

void
pass_lift(struct module *m, program_t program)
{
    struct lifting l = {.m = m};
    struct jaxprs list = {0};
    reach_jaxprs(m, program, &list);
    for (u32 i = 0; i < list.n; i++) {
        jaxpr_t j = list.at[i];
        l.constants.n = 0;
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            lift_literals(&l, e);
            if (m->eqns.at[e].params != NONE)
                lift_through(&l, e);
        }
        for (u32 k = 0; k < m->jaxprs.at[j].n_outs; k++) {
            atom_t a = m->atoms.at[m->jaxprs.at[j].outs + k];
            lift_literal(&l, &a);
            m->atoms.at[m->jaxprs.at[j].outs + k] = a;
        }
        if (l.constants.n)
            settle(&l, j);
    }
    vec_free(m->mem, &list);
    vec_free(m->mem, &l.constants);
    vec_free(m->mem, &l.atoms);
    vec_free(m->mem, &l.sizes);
    memo_free(m->mem, &l.risen);
    layout_drop(m, &l.layout);
}
