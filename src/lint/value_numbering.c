/* SPDX-License-Identifier: Apache-2.0
 *
 * Value numbers: each variable has a leader, the first variable of its jaxpr that is computed by the same primitive
 * from the same operands with the same parameters. Operands, literals and parameters are compared byte for byte;
 * programs inside them have a twin each, the first program that is the same but for names. What was found by a hash is
 * compared, and what is not printed, constants and elided elements, is equal to nothing. From the inside out, two looks
 * at each equation. */
#include "lint/facts.h"

struct numbering {
    struct lint *l;
    struct memo met;    /* a hash: the equation met last with it, plus one */
    struct memo jaxprs; /* a hash: the jaxpr met last with it, plus one */
};

/* tables are looked up by 31 bits of a hash; what is found there is compared */
static u32
key_of(u64 hash)
{
    return (u32)(hash >> 32) & 0x7fffffff;
}

/* ---- what a jaxpr computes ---- */

/* what is not a tuple, as a tuple's only part would be */
static struct segment
as_segment(const struct param *p)
{
    u32 kind = p->kind == PARAM_JAXPR ? SEGMENT_JAXPR : p->kind == PARAM_SHARED ? SEGMENT_SHARED : SEGMENT_TEXT;
    return (struct segment){kind, p->a, p->span, NONE};
}

/* the jaxpr in a part of a parameter, or NONE */
static jaxpr_t
jaxpr_in_segment(const struct lint *l, const struct segment *s)
{
    if (s->kind == SEGMENT_JAXPR)
        return s->a;
    return s->kind == SEGMENT_SHARED && s->a != NONE ? l->m->lets.at[s->a].jaxpr : NONE;
}

static u64
mix_segment(const struct lint *l, u64 h, const struct segment *s)
{
    jaxpr_t inner = jaxpr_in_segment(l, s);
    return inner != NONE ? hash_number(h, l->shapes[inner]) : hash_slice(h, module_bytes(l->m, s->span));
}

static u64
mix_param(const struct lint *l, u64 h, param_t id)
{
    const struct module *m = l->m;
    const struct param *p = &m->params.at[id];
    h = hash_number(h, p->key);
    if (p->kind != PARAM_TUPLE) {
        struct segment only = as_segment(p);
        return mix_segment(l, h, &only);
    }
    for (u32 s = p->a; s != NONE; s = m->segments.at[s].next)
        h = mix_segment(l, h, &m->segments.at[s]);
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

/* ---- twins ---- */

static bool
same_literal(const struct lint *l, atom_t a, atom_t b)
{
    const struct module *m = l->m;
    if (atom_kind(a) != ATOM_LIT || atom_kind(b) != ATOM_LIT)
        return false; /* indexes of refs are not looked into */
    const struct literal *x = &m->literals.at[atom_id(a)], *y = &m->literals.at[atom_id(b)];
    return x->type == y->type && x->kind == y->kind && x->kind != LIT_ARRAY && x->kind != LIT_OTHER &&
           slice_eq(module_bytes(m, x->value), module_bytes(m, y->value));
}

/* programs are the same where they have one twin, everything else where it was printed alike */
static bool
same_segment(const struct lint *l, const struct segment *x, const struct segment *y)
{
    bool holds = x->kind == SEGMENT_JAXPR || x->kind == SEGMENT_SHARED;
    if (!holds || (y->kind != SEGMENT_JAXPR && y->kind != SEGMENT_SHARED))
        return x->kind == y->kind && slice_eq(module_bytes(l->m, x->span), module_bytes(l->m, y->span));
    jaxpr_t a = jaxpr_in_segment(l, x), b = jaxpr_in_segment(l, y);
    return a != NONE && b != NONE && l->twins[a] != NONE && l->twins[a] == l->twins[b];
}

static bool
same_param(const struct lint *l, param_t a, param_t b)
{
    const struct module *m = l->m;
    const struct param *x = &m->params.at[a], *y = &m->params.at[b];
    if (x->key != y->key || (x->kind == PARAM_TUPLE) != (y->kind == PARAM_TUPLE))
        return false;
    if (x->kind != PARAM_TUPLE) {
        struct segment one = as_segment(x), other = as_segment(y);
        return same_segment(l, &one, &other);
    }
    u32 s = x->a, t = y->a;
    for (; s != NONE && t != NONE; s = m->segments.at[s].next, t = m->segments.at[t].next)
        if (!same_segment(l, &m->segments.at[s], &m->segments.at[t]))
            return false;
    return s == t;
}

static bool
same_params(const struct lint *l, const struct eqn *a, const struct eqn *b)
{
    const struct module *m = l->m;
    param_t p = a->params, q = b->params;
    for (; p != NONE && q != NONE; p = m->params.at[p].next, q = m->params.at[q].next)
        if (!same_param(l, p, q))
            return false;
    return p == q;
}

/* true where n variables from a on and from b on have the same types; what types mention must have one name, too, for
 * types are compared as they are printed */
static bool
same_vars(const struct lint *l, var_t a, var_t b, u32 n)
{
    const struct var *vars = l->m->vars.at;
    for (u32 i = 0; i < n; i++)
        if (vars[a + i].type != vars[b + i].type ||
            ((l->sizes[a + i] || l->sizes[b + i]) && vars[a + i].name != vars[b + i].name))
            return false;
    return true;
}

/* n atoms of two jaxprs, variables by their places there */
static bool
same_atoms(const struct lint *l, u32 a, u32 b, u32 n)
{
    const atom_t *atoms = l->m->atoms.at;
    for (u32 i = 0; i < n; i++) {
        bool vars = atom_kind(atoms[a + i]) == ATOM_VAR && atom_kind(atoms[b + i]) == ATOM_VAR;
        if (vars ? l->places[atom_id(atoms[a + i])] != l->places[atom_id(atoms[b + i])]
                 : !same_literal(l, atoms[a + i], atoms[b + i]))
            return false;
    }
    return true;
}

static bool
same_jaxpr(const struct lint *l, const struct jaxpr *a, const struct jaxpr *b)
{
    const struct module *m = l->m;
    eqn_t e = a->eqns, f = b->eqns;
    if (a->n_ins != b->n_ins || a->n_outs != b->n_outs || a->n_eqns != b->n_eqns ||
        !same_vars(l, a->vars, b->vars, a->n_ins))
        return false;
    for (; e != NONE && f != NONE; e = m->eqns.at[e].next, f = m->eqns.at[f].next) {
        const struct eqn *x = &m->eqns.at[e], *y = &m->eqns.at[f];
        if (x->prim != y->prim || x->form != y->form || x->n_atoms != y->n_atoms || x->n_vars != y->n_vars ||
            !same_atoms(l, x->atoms, y->atoms, x->n_atoms) || !same_vars(l, x->vars, y->vars, x->n_vars) ||
            !same_params(l, x, y))
            return false;
    }
    return e == f && same_atoms(l, a->outs, b->outs, a->n_outs);
}

/* the first jaxpr that computes the same; NONE where constants decide, which are not printed */
static jaxpr_t
twin_of(struct numbering *n, jaxpr_t id)
{
    const struct lint *l = n->l;
    const struct jaxpr *jaxprs = l->m->jaxprs.at;
    u32 key = key_of(l->shapes[id]);
    if (jaxprs[id].n_consts)
        return NONE;
    u64 met = memo_get(&n->jaxprs, key);
    if (met && same_jaxpr(l, &jaxprs[met - 1], &jaxprs[id]))
        return (jaxpr_t)(met - 1);
    memo_set(l->m->mem, &n->jaxprs, key, id + 1ull);
    return id;
}

/* ---- leaders ---- */

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
    if (atom_kind(a) == ATOM_VAR && atom_kind(b) == ATOM_VAR)
        return l->leaders[atom_id(a)] == l->leaders[atom_id(b)];
    return same_literal(l, a, b);
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
    return same_params(l, a, b);
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
    u32 key = key_of(h);
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
    l->twins = mem_alloc(m->mem, (m->jaxprs.n + 1ull) * sizeof *l->twins);
    memset(l->twins, 0xff, (m->jaxprs.n + 1ull) * sizeof *l->twins);
    l->places = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->places);
    for (u32 i = 0; i < l->order.n; i++) {
        jaxpr_t id = l->order.at[i];
        const struct jaxpr *j = &m->jaxprs.at[id];
        l->shapes[id] = shape_of(&n, id);
        l->twins[id] = twin_of(&n, id);
        for (u32 k = 0; k < j->n_consts + j->n_ins; k++)
            l->leaders[j->vars + k] = j->vars + k;
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            number_equation(&n, e);
        memo_free(m->mem, &n.met); /* leaders are of one jaxpr */
    }
    memo_free(m->mem, &n.jaxprs);
}
