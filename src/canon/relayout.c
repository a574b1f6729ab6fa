/* SPDX-License-Identifier: Apache-2.0
 *
 * Later steps walk the equations a dozen times in canonical order, which is not the order in memory: a jaxpr that does
 * not fit into the processor's cache is moved in memory into its new order. Linear. */
#include "canon/canon.h"

#include "rewrite/copy.h"

/* copies a variable to the next free id */
static void
move_var(struct module *m, var_t *to, var_t v)
{
    struct var var = m->vars.at[v];
    to[v] = m->vars.n;
    *vec_push(m->mem, &m->vars) = var;
}

static atom_t
move_atom(struct module *m, const var_t *to, atom_t a)
{
    if (atom_kind(a) == ATOM_VAR)
        return atom_make(ATOM_VAR, to[atom_id(a)]);
    if (atom_kind(a) != ATOM_LIT)
        return a;
    struct literal literal = m->literals.at[atom_id(a)];
    *vec_push(m->mem, &m->literals) = literal;
    return atom_make(ATOM_LIT, m->literals.n - 1);
}

static u32
move_atoms(struct module *m, const var_t *to, u32 from, u32 n)
{
    u32 first = m->atoms.n;
    for (u32 i = 0; i < n; i++) {
        atom_t a = move_atom(m, to, m->atoms.at[from + i]);
        *vec_push(m->mem, &m->atoms) = a;
    }
    return first;
}

static param_t
move_params(struct module *m, param_t list)
{
    param_t first = NONE, last = NONE;
    for (param_t p = list; p != NONE; p = m->params.at[p].next) {
        param_t moved = copy_param(m, p, &last);
        first = first == NONE ? moved : first;
    }
    return first;
}

bool
canon_relayout(struct canon *c, jaxpr_t id)
{
    struct module *m = c->m;
    struct jaxpr j = m->jaxprs.at[id];
    if (!canon_is_large(c, id) || m->origins.n > 0)
        return false;
    var_t *to = mem_alloc(m->mem, m->vars.n * sizeof *to), vars = m->vars.n;
    for (u32 i = 0; i < vars; i++)
        to[i] = i;
    for (u32 i = 0; i < jaxpr_binders(&j); i++) {
        memo_set(m->mem, &m->likes, m->vars.n, (u64)j.vars + i + 1);
        move_var(m, to, j.vars + i);
    }
    j.vars = vars;
    j.eqns = j.last = NONE;
    for (u32 k = 0; k < c->at.order.n; k++) {
        canon_fetch(c, k);
        struct eqn e = m->eqns.at[c->at.order.at[k]];
        vars = m->vars.n;
        for (u32 i = 0; i < e.n_vars; i++)
            move_var(m, to, e.vars + i);
        e.vars = vars;
        e.atoms = move_atoms(m, to, e.atoms, e.n_atoms);
        e.params = move_params(m, e.params);
        e.next = NONE;
        if (j.last == NONE)
            j.eqns = m->eqns.n;
        else
            m->eqns.at[j.last].next = m->eqns.n;
        j.last = m->eqns.n;
        *vec_push(m->mem, &m->eqns) = e;
    }
    j.outs = move_atoms(m, to, j.outs, j.n_outs);
    m->jaxprs.at[id] = j;
    mem_free(m->mem, to);
    return true;
}
