/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache of equations whose verdict depends only on types (struct simple), with two slots per hash, so that two
 * frequent ones do not evict each other. O(1). */
#ifndef JX_SIMPLE_CACHE_H
#define JX_SIMPLE_CACHE_H

#include "verify/checker.h"

/* makes the key of an equation of one to three operands and one result, all with printed types; false for other
 * equations. The equation must have no parameters: then the primitive and the types determine the verdict */
static inline bool
memo_key(const struct checker *c, const struct eqn *eqn, struct simple *key)
{
    const struct module *m = c->m;
    if (eqn->n_atoms - 1u > 2 || eqn->n_vars != 1 || eqn->form != EQN_CALL || m->no_fast_path)
        return false;
    const atom_t *atoms = &m->atoms.at[eqn->atoms];
    *key = (struct simple){m->types.view, eqn->prim, m->vars.at[eqn->vars].type, {NONE, NONE, NONE}, 0};
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        if (unlikely(atom_kind(atoms[i]) != ATOM_VAR)) {
            if (atom_kind(atoms[i]) != ATOM_LIT)
                return false;
            const struct literal *l = &m->literals.at[atom_id(atoms[i])];
            if (l->type == NONE && key->literals) /* `1.0` and `0` differ, but not `inf` and `0` */
                return false;
            key->types[i] = l->type;
            key->literals |= (l->kind + 1) << 8 * i;
            continue;
        }
        const struct var *v = &m->vars.at[atom_id(atoms[i])];
        if (v->type == NONE || (unlikely(c->any_reported) && var_reported(c, atom_id(atoms[i]))))
            return false;
        key->types[i] = v->type;
    }
    return key->result != NONE;
}

/* the first of the two slots of a key */
static inline struct simple *
memo_slots(struct checker *c, const struct simple *key)
{
    u64 h = ((u64)key->prim << 32 | key->result) * 0x9e3779b97f4a7c15u;
    h ^= ((u64)key->types[0] << 32 | key->types[1]) * 0xc2b2ae3d27d4eb4fu;
    h = (h + key->types[2] + key->literals) * 0x9e3779b97f4a7c15u;
    return &c->simple[h >> c->simple_shift & ~(u64)1];
}

static inline bool
memo_equal(const struct simple *a, const struct simple *b)
{
    return a->prim == b->prim && a->result == b->result && a->types[0] == b->types[0] && a->types[1] == b->types[1] &&
           a->types[2] == b->types[2] && a->literals == b->literals && a->view == b->view;
}

/* checks the range of literals in an equation whose types are correct */
static never_inline void
check_numbers(struct checker *c, const struct eqn *eqn, const struct simple *key)
{
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        u32 kind = key->literals >> 8 * i & 0xff;
        if (kind != LIT_INT + 1 && kind != LIT_FLOAT + 1)
            continue;
        const struct literal *l = &c->m->literals.at[atom_id(c->m->atoms.at[eqn->atoms + i])];
        if (kind == LIT_INT + 1 && l->type == NONE) {
            check_untyped(c, eqn);
            return;
        }
        if (kind == LIT_INT + 1 || float_may_be_out_of_range(c->m, l))
            check_literal(c, l);
    }
}

static inline bool
memo_holds(const struct simple *slots, const struct simple *key)
{
    return memo_equal(&slots[0], key) || memo_equal(&slots[1], key);
}

#endif
