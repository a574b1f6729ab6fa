/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of equations found right, one a slot, found by a hash of types and parameter bytes and compared in full.
 * What has nested programs or refs, prints no type, or was reported is not kept, nor is an equation whose rule asked
 * for more than itself (rule.wide). Linear in the bytes of the parameters. */
#include "verify/verify_cache.h"
#include "verify/checker.h"

enum { MOST_OPERANDS = 16, LONGEST_VALUE = 512 };

/* whether a parameter is bytes and nothing more; `()` is read as a tuple of no programs */
static inline bool
is_plain(const struct param *p)
{
    return (p->kind == PARAM_TEXT || (p->kind == PARAM_TUPLE && p->a == NONE)) && p->key != NONE &&
           p->span.n <= LONGEST_VALUE;
}

u64
clean_hash(const struct checker *c, const struct eqn *eqn)
{
    const struct module *m = c->m;
    if (eqn->n_atoms > MOST_OPERANDS || eqn->n_vars > MOST_OPERANDS || m->no_fast_path)
        return 0;
    u64 h =
        hash_number((u64)eqn->prim << 32 | (u64)eqn->n_atoms << 16 | (u64)eqn->n_vars, (u64)(uintptr_t)m->types.view);
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        u64 what;
        if (atom_kind(a) == ATOM_VAR) {
            const struct var *v = &m->vars.at[atom_id(a)];
            if (v->type == NONE || v->name == c->dropped || var_reported(c, atom_id(a)))
                return 0;
            what = v->type;
        } else if (atom_kind(a) == ATOM_LIT) {
            const struct literal *l = &m->literals.at[atom_id(a)];
            what = (u64)(l->kind + 1u) << 32 | l->type;
        } else {
            return 0;
        }
        h = hash_number(h, what);
    }
    for (u32 i = 0; i < eqn->n_vars; i++) {
        if (m->vars.at[eqn->vars + i].type == NONE)
            return 0;
        h = hash_number(h, m->vars.at[eqn->vars + i].type);
    }
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        if (!is_plain(param))
            return 0;
        struct slice bytes = module_bytes(m, param->span);
        h = hash_slice(h ^ param->key, bytes);
    }
    return h | 1;
}

static bool
atoms_same(const struct module *m, const struct eqn *a, const struct eqn *b)
{
    for (u32 i = 0; i < a->n_atoms; i++) {
        atom_t x = m->atoms.at[a->atoms + i], y = m->atoms.at[b->atoms + i];
        if (atom_kind(x) != atom_kind(y))
            return false;
        if (atom_kind(x) == ATOM_VAR) {
            if (m->vars.at[atom_id(x)].type != m->vars.at[atom_id(y)].type)
                return false;
            continue;
        }
        const struct literal *one = &m->literals.at[atom_id(x)], *two = &m->literals.at[atom_id(y)];
        if (one->kind != two->kind || one->type != two->type)
            return false;
    }
    for (u32 i = 0; i < a->n_vars; i++)
        if (m->vars.at[a->vars + i].type != m->vars.at[b->vars + i].type)
            return false;
    return true;
}

static bool
params_same(const struct module *m, const struct eqn *a, const struct eqn *b)
{
    param_t p = a->params, q = b->params;
    for (; p != NONE && q != NONE; p = m->params.at[p].next, q = m->params.at[q].next) {
        const struct param *one = &m->params.at[p], *two = &m->params.at[q];
        if (one->key != two->key || one->kind != two->kind ||
            !slice_eq(module_bytes(m, one->span), module_bytes(m, two->span)))
            return false;
    }
    return p == q;
}

bool
clean_known(struct checker *c, const struct eqn *eqn, u64 hash)
{
    const struct clean *slot = &c->cleans[hash >> c->clean_shift];
    if (slot->hash != hash || slot->view != c->m->types.view)
        return false;
    const struct eqn *known = &c->m->eqns.at[slot->e];
    if (known->prim != eqn->prim || known->form != eqn->form || known->n_atoms != eqn->n_atoms ||
        known->n_vars != eqn->n_vars || !atoms_same(c->m, eqn, known) || !params_same(c->m, eqn, known))
        return false;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = c->m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_LIT)
            check_literal(c, &c->m->literals.at[atom_id(a)]);
    }
    return true;
}

void
clean_keep(struct checker *c, eqn_t e, u64 hash)
{
    c->cleans[hash >> c->clean_shift] = (struct clean){hash, c->m->types.view, e};
}
