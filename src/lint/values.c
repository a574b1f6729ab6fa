/* SPDX-License-Identifier: Apache-2.0
 *
 * Value numbers: each variable has a leader, the first variable of its jaxpr that is computed by the same primitive
 * from the same operands with the same parameters. Operands, literals and parameters are compared byte for byte;
 * programs inside them by a hash of all they compute, whatever their names. From the inside out, one look at each
 * equation. */
#include "lint/facts.h"

struct numbering {
    struct lint *l;
    struct memo met; /* a hash: the equation met last with it, plus one */
};

/* ---- what a jaxpr computes --------------------------------------------------------------------------------------- */

static u64
mix_param(const struct lint *l, u64 h, param_t id)
{
    const struct module *m = l->m;
    const struct param *p = &m->params.at[id];
    h = hash_number(h, p->key);
    if (p->kind == PARAM_JAXPR)
        return hash_number(h, l->shapes[p->a]);
    if (p->kind == PARAM_SHARED && p->a != NONE)
        return hash_number(h, l->shapes[m->lets.at[p->a].jaxpr]);
    if (p->kind != PARAM_TUPLE)
        return hash_slice(h, module_bytes(m, p->span));
    for (u32 s = p->a; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        if (segment->kind == SEGMENT_JAXPR)
            h = hash_number(h, l->shapes[segment->a]);
        else if (segment->kind == SEGMENT_SHARED && segment->a != NONE)
            h = hash_number(h, l->shapes[m->lets.at[segment->a].jaxpr]);
        else
            h = hash_slice(h, module_bytes(m, segment->span));
    }
    return h;
}

static u64
mix_atom(const struct numbering *n, u64 h, atom_t a)
{
    const struct module *m = n->l->m;
    h = hash_number(h, atom_kind(a));
    if (atom_kind(a) == ATOM_VAR)
        return hash_number(h, n->l->places[atom_id(a)]);
    if (atom_kind(a) == ATOM_LIT) {
        const struct literal *one = &m->literals.at[atom_id(a)];
        return hash_number(hash_slice(h, module_bytes(m, one->value)), one->type);
    }
    return hash_number(h, a); /* indexes of refs are not looked into: equal to nothing else */
}

/* hashes a jaxpr by places in the place of names */
static u64
shape_of(struct numbering *n, jaxpr_t id)
{
    const struct module *m = n->l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    u32 place = 0;
    u64 h = hash_number(j->n_consts, j->n_ins);
    for (u32 i = 0; i < j->n_consts + j->n_ins; i++) {
        n->l->places[j->vars + i] = place++;
        h = hash_number(h, m->vars.at[j->vars + i].type);
    }
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        h = hash_number(hash_number(h, eqn->prim), eqn->form);
        for (u32 i = 0; i < eqn->n_atoms; i++)
            h = mix_atom(n, h, m->atoms.at[eqn->atoms + i]);
        u64 params = 0;
        for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next)
            params = mix_param(n->l, params, p);
        n->l->params[e] = params;
        h = hash_number(h, params);
        for (u32 i = 0; i < eqn->n_vars; i++) {
            n->l->places[eqn->vars + i] = place++;
            h = hash_number(h, m->vars.at[eqn->vars + i].type);
        }
    }
    for (u32 i = 0; i < j->n_outs; i++)
        h = mix_atom(n, h, m->atoms.at[j->outs + i]);
    return h | 1;
}

/* ---- leaders ----------------------------------------------------------------------------------------------------- */

static u64
number_of(const struct lint *l, const struct eqn *eqn)
{
    const struct module *m = l->m;
    u64 h = hash_number((u64)eqn->prim << 32 | eqn->n_vars, eqn->n_atoms);
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_VAR)
            h = hash_number(h, l->leaders[atom_id(a)]);
        else
            h = hash_slice(hash_number(h, 1), module_bytes(m, m->literals.at[atom_id(a)].value));
    }
    return hash_number(h, l->params[eqn - m->eqns.at]);
}

static bool
same_atom(const struct lint *l, atom_t a, atom_t b)
{
    const struct module *m = l->m;
    if (atom_kind(a) != atom_kind(b))
        return false;
    if (atom_kind(a) == ATOM_VAR)
        return l->leaders[atom_id(a)] == l->leaders[atom_id(b)];
    const struct literal *x = &m->literals.at[atom_id(a)], *y = &m->literals.at[atom_id(b)];
    return x->type == y->type && x->kind == y->kind && x->kind != LIT_ARRAY && x->kind != LIT_OTHER &&
           slice_eq(module_bytes(m, x->value), module_bytes(m, y->value));
}

static bool
same_param(const struct lint *l, param_t a, param_t b)
{
    const struct module *m = l->m;
    const struct param *x = &m->params.at[a], *y = &m->params.at[b];
    if (x->key != y->key)
        return false;
    if (x->kind == PARAM_TEXT || x->kind == PARAM_MIXED || y->kind == PARAM_TEXT || y->kind == PARAM_MIXED)
        return x->kind == y->kind && slice_eq(module_bytes(m, x->span), module_bytes(m, y->span));
    return mix_param(l, 0, a) == mix_param(l, 0, b);
}

static bool
same_equation(const struct lint *l, const struct eqn *a, const struct eqn *b)
{
    const struct module *m = l->m;
    if (a->prim != b->prim || a->n_atoms != b->n_atoms || a->n_vars != b->n_vars)
        return false;
    for (u32 i = 0; i < a->n_atoms; i++)
        if (!same_atom(l, m->atoms.at[a->atoms + i], m->atoms.at[b->atoms + i]))
            return false;
    for (u32 i = 0; i < a->n_vars; i++)
        if (m->vars.at[a->vars + i].type != m->vars.at[b->vars + i].type)
            return false;
    param_t p = a->params, q = b->params;
    for (; p != NONE && q != NONE; p = m->params.at[p].next, q = m->params.at[q].next)
        if (!same_param(l, p, q))
            return false;
    return p == q;
}

static void
number_equation(struct numbering *n, eqn_t e)
{
    struct lint *l = n->l;
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    for (u32 i = 0; i < eqn->n_vars; i++)
        l->leaders[eqn->vars + i] = eqn->vars + i;
    if (eqn->n_vars == 0 || !lint_is_repeatable(l, e))
        return;
    u64 h = number_of(l, eqn);
    u32 key = (u32)(h >> 32) & 0x7fffffff;
    u64 met = memo_get(&n->met, key);
    if (met == 0 || !same_equation(l, &m->eqns.at[met - 1], eqn)) {
        memo_set(m->mem, &n->met, key, e + 1ull);
        return;
    }
    for (u32 i = 0; i < eqn->n_vars; i++)
        l->leaders[eqn->vars + i] = m->eqns.at[met - 1].vars + i;
}

void
lint_number_values(struct lint *l)
{
    struct module *m = l->m;
    if (l->leaders)
        return;
    struct numbering n = {.l = l};
    l->leaders = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->leaders);
    l->params = mem_alloc(m->mem, (m->eqns.n + 1ull) * sizeof *l->params);
    l->shapes = mem_zeroed(m->mem, (m->jaxprs.n + 1ull) * sizeof *l->shapes);
    l->places = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->places);
    for (u32 i = 0; i < l->order.n; i++) {
        jaxpr_t id = l->order.at[i];
        const struct jaxpr *j = &m->jaxprs.at[id];
        l->shapes[id] = shape_of(&n, id);
        for (u32 k = 0; k < j->n_consts + j->n_ins; k++)
            l->leaders[j->vars + k] = j->vars + k;
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            number_equation(&n, e);
        memo_free(m->mem, &n.met); /* leaders are of one jaxpr */
    }
}
