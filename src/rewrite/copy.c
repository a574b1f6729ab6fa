/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, amortised O(1) for each thing copied. Records are read by value: every append may move the arrays. */
#include "rewrite/copy.h"

void
copier_init(struct copier *c, struct module *m)
{
    *c = (struct copier){.m = m};
}

void
copier_end(struct copier *c)
{
    memo_free(c->m->mem, &c->to);
    vec_free(c->m->mem, &c->atoms);
}

static var_t
copy_var(struct copier *c, var_t v)
{
    struct module *m = c->m;
    struct var var = m->vars.at[v];
    var_t origin = var_origin(m, v);
    for (var_t self = m->origins.n; self < m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    *vec_push(m->mem, &m->origins) = origin;
    *vec_push(m->mem, &m->vars) = var;
    memo_set(m->mem, &c->to, v, m->vars.n);
    return m->vars.n - 1;
}

static atom_t
copy_atom(struct copier *c, atom_t a)
{
    struct module *m = c->m;
    if (atom_kind(a) == ATOM_VAR) {
        var_t v = atom_id(a);
        /* a variable without a copy becomes an unbound name */
        u64 copy = memo_get(&c->to, v);
        return copy ? atom_make(ATOM_VAR, (u32)copy - 1) : atom_make(ATOM_NAME, m->vars.at[v].name);
    }
    if (atom_kind(a) == ATOM_LIT) {
        struct literal literal = m->literals.at[atom_id(a)];
        *vec_push(m->mem, &m->literals) = literal;
        return atom_make(ATOM_LIT, m->literals.n - 1);
    }
    if (atom_kind(a) == ATOM_REF) {
        struct refexpr ref = m->refs.at[atom_id(a)];
        u32 uses = m->uses.n;
        ref.ref = copy_atom(c, ref.ref);
        for (u32 i = 0; i < ref.n_uses; i++) {
            atom_t use = copy_atom(c, m->uses.at[ref.uses + i]);
            *vec_push(m->mem, &m->uses) = use;
        }
        ref.uses = uses;
        *vec_push(m->mem, &m->refs) = ref;
        return atom_make(ATOM_REF, m->refs.n - 1);
    }
    return a;
}

/* copies the marked atoms of a run; *n becomes their number. Returns the first */
static u32
copy_atoms(struct copier *c, u32 from, u32 *n, const u8 *keep)
{
    struct module *m = c->m;
    c->atoms.n = 0;
    for (u32 i = 0; i < *n; i++) {
        if (keep && !keep[i])
            continue;
        atom_t a = copy_atom(c, m->atoms.at[from + i]);
        *vec_push(m->mem, &c->atoms) = a;
    }
    u32 first = m->atoms.n;
    *n = c->atoms.n;
    vec_append(m->mem, &m->atoms, c->atoms.at, c->atoms.n);
    return first;
}

jaxpr_t
copy_begin(struct copier *c, jaxpr_t from, const u8 *keep)
{
    struct module *m = c->m;
    struct jaxpr j = m->jaxprs.at[from];
    u32 vars = m->vars.n, ins = 0;
    for (u32 i = 0; i < j.n_consts; i++)
        copy_var(c, j.vars + i);
    for (u32 i = 0; i < j.n_ins; i++)
        if (!keep || keep[i]) {
            copy_var(c, j.vars + j.n_consts + i);
            ins++;
        } else {
            memo_set(m->mem, &c->to, j.vars + j.n_consts + i, 0);
        }
    j.vars = vars;
    j.n_ins = ins;
    j.eqns = j.last = NONE;
    j.n_eqns = 0;
    *vec_push(m->mem, &m->jaxprs) = j;
    jaxpr_copied_from(m, m->jaxprs.n - 1, from);
    return m->jaxprs.n - 1;
}

eqn_t
copy_eqn(struct copier *c, jaxpr_t to, eqn_t from, const u8 *results, const u8 *operands, param_t params)
{
    struct module *m = c->m;
    struct eqn e = m->eqns.at[from];
    u32 n = e.n_atoms, n_vars = 0;
    e.atoms = copy_atoms(c, e.atoms, &n, operands);
    e.n_atoms = n & MOST_ATOMS;
    u32 vars = m->vars.n;
    for (u32 i = 0; i < e.n_vars; i++)
        if (!results || results[i]) {
            copy_var(c, e.vars + i);
            n_vars++;
        }
    e.vars = vars;
    e.n_vars = n_vars;
    if (params != NONE && e.form != EQN_CALL && e.form != EQN_CALL_BARE) {
        param_t last = NONE; /* the text mentions variables: each copy has its own */
        params = copy_param(m, params, &last);
    }
    e.params = params;
    e.next = NONE;
    eqn_t id = m->eqns.n;
    *vec_push(m->mem, &m->eqns) = e;
    struct jaxpr *j = &m->jaxprs.at[to];
    if (j->last == NONE)
        j->eqns = id;
    else
        m->eqns.at[j->last].next = id;
    j->last = id;
    j->n_eqns++;
    return id;
}

void
copy_outs(struct copier *c, jaxpr_t to, jaxpr_t from, const u8 *keep)
{
    u32 n = c->m->jaxprs.at[from].n_outs;
    u32 outs = copy_atoms(c, c->m->jaxprs.at[from].outs, &n, keep);
    c->m->jaxprs.at[to].outs = outs;
    c->m->jaxprs.at[to].n_outs = n;
}

param_t
copy_param(struct module *m, param_t from, param_t *last)
{
    param_t id = param_append(m, m->params.at[from], last);
    if (m->params.at[from].key == NONE)
        memo_set(m->mem, &m->statements, id, memo_get(&m->statements, from));
    return id;
}

param_t
param_append(struct module *m, struct param p, param_t *last)
{
    p.next = NONE;
    param_t id = m->params.n;
    *vec_push(m->mem, &m->params) = p;
    if (*last != NONE)
        m->params.at[*last].next = id;
    *last = id;
    return id;
}

void
param_change(struct module *m, param_t p, jaxpr_t (*change)(void *user, jaxpr_t j), void *user)
{
    if (m->params.at[p].kind == PARAM_JAXPR) {
        jaxpr_t j = change(user, m->params.at[p].a);
        m->params.at[p].a = j;
    }
    if (m->params.at[p].kind != PARAM_TUPLE)
        return;
    u32 last = NONE;
    for (u32 s = m->params.at[p].a; s != NONE;) {
        struct segment segment = m->segments.at[s];
        u32 next = segment.next;
        segment.next = NONE;
        if (segment.kind == SEGMENT_JAXPR)
            segment.a = change(user, segment.a);
        u32 id = m->segments.n;
        *vec_push(m->mem, &m->segments) = segment;
        if (last == NONE)
            m->params.at[p].a = id;
        else
            m->segments.at[last].next = id;
        last = id;
        s = next;
    }
}

void
param_set_text(struct module *m, param_t p, struct slice text)
{
    struct span span = module_add_bytes(m, text);
    m->params.at[p].span = span;
    m->params.at[p].a = NONE;
    m->params.at[p].kind = slice_eq(text, SLICE("()")) ? PARAM_TUPLE : PARAM_TEXT;
}
