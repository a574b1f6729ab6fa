/* SPDX-License-Identifier: Apache-2.0
 *
 * The one walk over equations that hashes or compares them. It visits primitive and form, operands, results, then
 * parameters with the programs in them; the caller decides what each of these counts as. All is inlined, so that
 * what a caller ignores costs nothing. Linear in the bytes that count. */
#ifndef JX_IDENTITY_H
#define JX_IDENTITY_H

#include "ir/module.h"

/* a variable or part that is equal to nothing, not even itself */
#define SAME_AS_NOTHING UINT64_MAX

/* How two equations of a module are compared. */
struct identity {
    const struct module *m;
    const void *user;
    u64 (*operand)(const void *user, var_t v);                 /* the value of a variable where it is read .. */
    u64 (*result)(const void *user, var_t v);                  /* .. and where it is bound */
    u64 (*part)(const void *user, const struct segment *part); /* the value of a part of a parameter; 0: its bytes
                                                                * count */
    bool types; /* only the type and kind of literals count, not the value */
    bool texts; /* refs count by the text of their index, and unbound names by name; otherwise both are
                 * SAME_AS_NOTHING */
};

/* hashes the variables that a jaxpr or an equation binds; like all these functions, returns 0 if a part is
 * SAME_AS_NOTHING */
forced_inline u64
identity_vars(const struct identity *k, u64 h, var_t first, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        u64 counts = k->result(k->user, first + i);
        if (counts == SAME_AS_NOTHING)
            return 0;
        h = hash_seeded(h, counts);
    }
    return h;
}

/* hashes operands, or the results of a jaxpr */
forced_inline u64
identity_atoms(const struct identity *k, u64 h, u32 first, u32 n)
{
    const struct module *m = k->m;
    for (u32 i = 0; i < n; i++) {
        atom_t a = m->atoms.at[first + i];
        u32 id = atom_id(a);
        if (atom_kind(a) == ATOM_VAR) {
            u64 counts = k->operand(k->user, id);
            if (counts == SAME_AS_NOTHING)
                return 0;
            h = hash_seeded(h, counts);
        } else if (atom_kind(a) == ATOM_LIT) {
            const struct literal *l = &m->literals.at[id];
            h = hash_seeded(k->types ? h : hash_slice(h, module_bytes(m, l->value)),
                            (u64)(l->kind + 1) << 32 | l->type);
        } else if (!k->texts) {
            return 0;
        } else {
            h = atom_kind(a) == ATOM_REF ? hash_slice(h, module_bytes(m, m->refs.at[id].index)) : hash_seeded(h, id);
        }
    }
    return h;
}

/* the first part of a parameter with several; NONE if it has a single one */
static inline u32
param_parts(const struct param *p)
{
    return p->kind == PARAM_TUPLE || p->kind == PARAM_MIXED ? p->a : NONE;
}

/* the part of a parameter with a single one */
static inline struct segment
param_part(const struct param *p)
{
    _Static_assert((u32)PARAM_JAXPR == SEGMENT_JAXPR && (u32)PARAM_SHARED == SEGMENT_SHARED, "one numbering");
    return (struct segment){p->kind <= PARAM_SHARED ? p->kind : SEGMENT_TEXT, p->a, p->span, NONE};
}

/* hashes a part of a parameter */
forced_inline u64
identity_part(const struct identity *k, u64 h, const struct segment *part)
{
    u64 counts = k->part(k->user, part);
    return counts == 0                 ? hash_slice(h, module_bytes(k->m, part->span))
           : counts == SAME_AS_NOTHING ? 0
                                       : hash_seeded(h, counts);
}

/* hashes a list of parameters */
forced_inline u64
identity_params(const struct identity *k, u64 h, param_t first)
{
    const struct module *m = k->m;
    for (param_t p = first; p != NONE && h != 0; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        u32 s = param_parts(param);
        struct segment only = param_part(param);
        bool tuple = param->kind == PARAM_TUPLE;
        h ^= (u64)param->key << 1 | tuple;
        if (s == NONE && !tuple)
            h = identity_part(k, h, &only);
        for (; s != NONE && h != 0; s = m->segments.at[s].next)
            h = identity_part(k, h, &m->segments.at[s]);
    }
    return h;
}

/* hashes an equation without its parameters */
forced_inline u64
identity_head(const struct identity *k, u64 h, const struct eqn *e)
{
    h = hash_seeded(h ^ (u64)e->n_vars << 32, (u64)e->prim << 32 | (u64)e->n_atoms << 4 | e->form);
    h = identity_atoms(k, h, e->atoms, e->n_atoms);
    return h == 0 ? 0 : identity_vars(k, h, e->vars, e->n_vars);
}

/* ---- comparison: equal hashes may be a collision ---- */

/* whether n variables bound from a on are the same as those from b on */
forced_inline bool
same_vars(const struct identity *k, var_t a, var_t b, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        u64 counts = k->result(k->user, a + i);
        if (counts == SAME_AS_NOTHING || counts != k->result(k->user, b + i))
            return false;
    }
    return true;
}

/* whether two literals are the same; literals with elided elements never are */
forced_inline bool
same_literal(const struct identity *k, const struct literal *a, const struct literal *b)
{
    return a->kind == b->kind && a->type == b->type &&
           (k->types || (a->kind != LIT_ARRAY && a->kind != LIT_OTHER &&
                         slice_eq(module_bytes(k->m, a->value), module_bytes(k->m, b->value))));
}

/* whether n operands from a on are the same as those from b on */
forced_inline bool
same_atoms(const struct identity *k, u32 a, u32 b, u32 n)
{
    const struct module *m = k->m;
    for (u32 i = 0; i < n; i++) {
        atom_t x = m->atoms.at[a + i], y = m->atoms.at[b + i];
        if (atom_kind(x) == ATOM_VAR && atom_kind(y) == ATOM_VAR) {
            u64 counts = k->operand(k->user, atom_id(x));
            if (counts == SAME_AS_NOTHING || counts != k->operand(k->user, atom_id(y)))
                return false;
        } else if (atom_kind(x) != ATOM_LIT || atom_kind(y) != ATOM_LIT ||
                   !same_literal(k, &m->literals.at[atom_id(x)], &m->literals.at[atom_id(y)])) {
            return false;
        }
    }
    return true;
}

/* whether two parts of parameters are the same */
forced_inline bool
same_part(const struct identity *k, const struct segment *a, const struct segment *b)
{
    u64 counts = k->part(k->user, a);
    if (counts == SAME_AS_NOTHING || counts != k->part(k->user, b))
        return false;
    return counts != 0 || (a->kind == b->kind && slice_eq(module_bytes(k->m, a->span), module_bytes(k->m, b->span)));
}

/* whether two lists of parameters are the same */
forced_inline bool
same_params(const struct identity *k, param_t p, param_t q)
{
    const struct module *m = k->m;
    for (; p != NONE && q != NONE; p = m->params.at[p].next, q = m->params.at[q].next) {
        const struct param *a = &m->params.at[p], *b = &m->params.at[q];
        bool tuple = a->kind == PARAM_TUPLE;
        u32 s = param_parts(a), t = param_parts(b);
        struct segment one = param_part(a), two = param_part(b);
        if (a->key != b->key || tuple != (b->kind == PARAM_TUPLE) || (s == NONE) != (t == NONE) ||
            (s == NONE && !tuple && !same_part(k, &one, &two)))
            return false;
        for (; s != NONE && t != NONE; s = m->segments.at[s].next, t = m->segments.at[t].next)
            if (!same_part(k, &m->segments.at[s], &m->segments.at[t]))
                return false;
        if (s != t)
            return false;
    }
    return p == q;
}

/* whether two equations are the same */
forced_inline bool
same_eqn(const struct identity *k, const struct eqn *a, const struct eqn *b)
{
    return a->prim == b->prim && a->form == b->form && a->n_atoms == b->n_atoms && a->n_vars == b->n_vars &&
           same_atoms(k, a->atoms, b->atoms, a->n_atoms) && same_vars(k, a->vars, b->vars, a->n_vars) &&
           same_params(k, a->params, b->params);
}

#endif
