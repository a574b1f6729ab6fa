/* SPDX-License-Identifier: Apache-2.0
 *
 * An order of equations that follows from dataflow alone: the equations with effects in their own order, then the
 * results, each behind what it needs, operands from left to right; what nobody needs comes last, sorted by content. A
 * post-order walk with a stack of its own: linear, and n log n in the dead equations. */
#include "diff/canon.h"

#include "rewrite/namesakes.h"

#include <stdlib.h>

/* An equation waiting for its operands; `use` runs through the indexers of a ref operand. */
struct pending {
    eqn_t e;
    u32 operand, use;
};

struct dead {
    u64 content;
    eqn_t e;
};

struct ordering {
    struct canon *c;
    u32 next; /* number for the next variable */
    VEC(struct pending) stack;
};

static void
number_results(struct ordering *o, eqn_t e)
{
    const struct eqn *eqn = &o->c->m->eqns.at[e];
    for (u32 i = 0; i < eqn->n_vars; i++, o->next++)
        o->c->number[eqn->vars + i] = o->next;
    *vec_push(o->c->m->mem, &o->c->order) = e;
}

static eqn_t
producer_of(const struct canon *c, atom_t a)
{
    return atom_kind(a) == ATOM_VAR ? c->producer[atom_id(a)] : NONE;
}

/* the equation that makes what the pending one needs next, NONE when there is nothing left */
static eqn_t
next_need(const struct canon *c, struct pending *p)
{
    const struct module *m = c->m;
    const struct eqn *e = &m->eqns.at[p->e];
    while (p->operand < e->n_atoms) {
        atom_t a = m->atoms.at[e->atoms + p->operand];
        if (atom_kind(a) == ATOM_REF) {
            const struct refexpr *ref = &m->refs.at[atom_id(a)];
            if (p->use <= ref->n_uses) {
                eqn_t need = producer_of(c, p->use == 0 ? ref->ref : m->uses.at[ref->uses + p->use - 1]);
                p->use++;
                if (need != NONE)
                    return need;
                continue;
            }
            p->use = 0;
            p->operand++;
            continue;
        }
        p->operand++;
        if (producer_of(c, a) != NONE)
            return producer_of(c, a);
    }
    return NONE;
}

/* gives an equation its place, behind everything it needs */
static void
place(struct ordering *o, eqn_t root)
{
    struct canon *c = o->c;
    if (c->done[root])
        return;
    c->done[root] = 1;
    *vec_push(c->m->mem, &o->stack) = (struct pending){root, 0, 0};
    while (o->stack.n) {
        eqn_t need = next_need(c, &o->stack.at[o->stack.n - 1]);
        if (need == NONE) {
            number_results(o, o->stack.at[--o->stack.n].e);
        } else if (!c->done[need]) {
            c->done[need] = 1;
            *vec_push(c->m->mem, &o->stack) = (struct pending){need, 0, 0};
        }
    }
}

/* counts the writes an equation sees, and makes, in printed order */
static void
count_writes(struct canon *c, eqn_t e, u8 flags)
{
    const struct module *m = c->m;
    const struct eqn *eqn = &m->eqns.at[e];
    c->seen[e] = 0;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_REF)
            a = m->refs.at[atom_id(a)].ref;
        if (atom_kind(a) != ATOM_VAR)
            continue;
        c->seen[e] += c->writes[atom_id(a)];
        if (flags & EFFECT_WRITE && c->effects.written.at[i])
            c->writes[atom_id(a)]++;
    }
}

/* true for equations whose order among themselves matters. What only reads refs may stand anywhere between the writes
 * around it: how many it has seen is part of what it is */
static bool
is_ordered(struct canon *c, eqn_t e)
{
    u8 flags = effects_eqn(&c->effects, e);
    u32 form = c->m->eqns.at[e].form;
    count_writes(c, e, flags);
    c->reads |= (flags & EFFECT_READ) != 0;
    if (form == EQN_RAW || form == EQN_ELLIPSIS || (c->keep_reads && flags & EFFECT_READ))
        return true;
    return (flags & (u8) ~(EFFECT_AXIS | EFFECT_READ)) != 0;
}

/* ---- dead equations -------------------------------------------------------------------------------------------- */

/* what the i-th operand of an equation adds to its content */
static u64
atom_content(struct canon *c, const u64 *contents, eqn_t first, u64 h, eqn_t e, u32 i)
{
    const struct module *m = c->m;
    atom_t a = m->atoms.at[m->eqns.at[e].atoms + i];
    if (atom_kind(a) == ATOM_REF)
        a = m->refs.at[atom_id(a)].ref;
    if (atom_kind(a) == ATOM_LIT) {
        c->key.n = 0;
        canon_atom(c, &c->key, a, e, i); /* 2.50 is 2.5 */
        return hash_bytes(h, c->key.at, c->key.n);
    }
    if (atom_kind(a) != ATOM_VAR)
        return h;
    var_t v = atom_id(a);
    u64 what[2] = {c->number[v], 0};
    if (c->number[v] == NONE && c->producer[v] != NONE) {
        what[0] = contents[c->producer[v] - first];
        what[1] = v - m->eqns.at[c->producer[v]].vars + 1;
    }
    return hash_bytes(h, (const char *)what, sizeof what);
}

static int
compare_dead(const void *a, const void *b)
{
    const struct dead *x = a, *y = b;
    if (x->content != y->content)
        return x->content < y->content ? -1 : 1;
    return x->e < y->e ? -1 : x->e > y->e;
}

/* places what nobody needs: first those that not even dead equations use, in the order of their contents */
static void
place_dead(struct ordering *o, jaxpr_t j)
{
    struct canon *c = o->c;
    struct module *m = c->m;
    VEC(struct dead) dead = {0};
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        if (!c->done[e])
            *vec_push(m->mem, &dead) = (struct dead){0, e};
    if (dead.n == 0)
        return;
    u32 first = dead.at[0].e, last = dead.at[dead.n - 1].e;
    for (u32 i = 0; i < dead.n; i++) {
        first = dead.at[i].e < first ? dead.at[i].e : first;
        last = dead.at[i].e > last ? dead.at[i].e : last;
    }
    u64 *contents = mem_alloc(m->mem, (last - first + 1) * sizeof *contents);
    u8 *used = mem_zeroed(m->mem, last - first + 1);
    for (u32 i = 0; i < dead.n; i++) { /* an equation stands behind those it needs */
        const struct eqn *e = &m->eqns.at[dead.at[i].e];
        c->value.n = 0;
        canon_deed(c, &c->value, dead.at[i].e);
        u64 h = hash_bytes(7, c->value.at, c->value.n);
        for (u32 k = 0; k < e->n_atoms; k++) {
            atom_t a = m->atoms.at[e->atoms + k];
            h = atom_content(c, contents, first, h, dead.at[i].e, k);
            eqn_t need = producer_of(c, a);
            if (need != NONE && !c->done[need])
                used[need - first] = 1;
        }
        contents[dead.at[i].e - first] = h;
        dead.at[i].content = h;
    }
    qsort(dead.at, dead.n, sizeof *dead.at, compare_dead);
    for (u32 i = 0; i < dead.n; i++)
        if (!used[dead.at[i].e - first])
            place(o, dead.at[i].e);
    for (u32 i = 0; i < dead.n; i++)
        place(o, dead.at[i].e);
    mem_free(m->mem, contents);
    mem_free(m->mem, used);
    vec_free(m->mem, &dead);
}

void
canon_order(struct canon *c, jaxpr_t id)
{
    struct module *m = c->m;
    const struct jaxpr j = m->jaxprs.at[id];
    struct ordering o = {.c = c};
    u32 namesakes = 0;
    c->order.n = 0;
    c->at = id;
    c->reads = false;
    memo_free(m->mem, &c->dims);
    for (u32 i = 0; i < j.n_consts + j.n_ins; i++) {
        c->number[j.vars + i] = o.next++;
        c->producer[j.vars + i] = NONE;
        c->writes[j.vars + i] = 0;
    }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        c->done[e] = 0;
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            var_t v = m->eqns.at[e].vars + i;
            c->producer[v] = e;
            c->number[v] = NONE;
            namesakes += m->vars.at[v].name == c->underscore;
        }
    }
    if (namesakes > 1)
        namesakes_tell(m, id, c->underscore);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        if (is_ordered(c, e))
            place(&o, e);
    for (u32 i = 0; i < j.n_outs; i++) {
        eqn_t need = producer_of(c, m->atoms.at[j.outs + i]);
        if (need != NONE)
            place(&o, need);
    }
    if (!(c->aside & CANON_DCE))
        place_dead(&o, id);
    vec_free(m->mem, &o.stack);
}
