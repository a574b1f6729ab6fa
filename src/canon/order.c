/* SPDX-License-Identifier: Apache-2.0
 *
 * An order of equations that follows from dataflow alone: the equations with effects in their own order, then the
 * results, each after what it needs: operands from left to right, or by content if they commute, and sizes of types;
 * unused equations come last, sorted by the positions of their operands and by content, so that they stay near their
 * neighbours. A post-order walk with an explicit stack: linear, and n log n in the unused equations. */
#include "canon/canon.h"

#include <stdlib.h>

/* An unused equation and its sort key. */
struct dead {
    u64 content;
    u32 rank : 31;  /* the highest number among the values from which it is computed */
    u32 needed : 1; /* another unused equation needs it */
    eqn_t e;
};

/* The unused equations, in printed order. */
struct survey {
    struct dead *dead;
    u32 n;
    u32 *at; /* of each equation from `first` on: its position among them */
    eqn_t first;
};

struct ordering {
    struct canon *c;
    u32 next; /* the next number to assign */
};

static void
number_results(struct ordering *o, eqn_t e)
{
    enum { AHEAD = 96 };
    const struct module *m = o->c->m;
    const struct eqn *eqn = &m->eqns.at[e];
    if (e + AHEAD < m->eqns.n)
        prefetch(&m->eqns.at[e + AHEAD]);
    for (u32 i = 0; i < eqn->n_vars; i++, o->next++)
        o->c->number[eqn->vars + i] = o->next;
    if (eqn->form == EQN_STORE && eqn->n_vars == 0)
        o->next++; /* a swap whose result is unused */
    *vec_push(o->c->m->mem, &o->c->at.order) = e;
}

static eqn_t
producer_of(const struct canon *c, atom_t a)
{
    return atom_kind(a) == ATOM_VAR ? c->producer[atom_id(a)] : NONE;
}

/* the equation that binds an operand; NONE if that is placed already, as the variable has a number */
static eqn_t
need_of(const struct canon *c, atom_t a)
{
    return atom_kind(a) == ATOM_VAR && c->number[atom_id(a)] == NONE ? c->producer[atom_id(a)] : NONE;
}

/* the next equation that computes a size in the types of the pending one's results, as operands need not name it; NONE
 * if there is none */
static eqn_t
next_size(struct canon *c, struct canon_pending *p)
{
    const struct module *m = c->m;
    const struct eqn *e = &m->eqns.at[p->e];
    for (; p->operand < e->n_atoms + e->n_vars; p->operand++, p->use = 0) {
        const struct type *t = type_array(m, m->vars.at[e->vars + p->operand - e->n_atoms].type);
        while (t && t->dynamic && p->use < t->rank) {
            var_t v = canon_size(c, &type_dims(&m->types, t)[p->use++]);
            bool scalar = v != NONE && var_may_be_dim(m, v);
            eqn_t need = scalar ? need_of(c, atom_make(ATOM_VAR, v)) : NONE;
            if (need < p->e) /* a size that is bound later is an error */
                return need;
        }
    }
    return NONE;
}

/* the equation that the pending one needs next, NONE if there is none */
static eqn_t
next_need(struct canon *c, struct canon_pending *p)
{
    const struct module *m = c->m;
    const struct eqn *e = &m->eqns.at[p->e];
    bool swapped = c->swapped.n != 0 && memo_get(&c->swapped, p->e) != 0;
    while (p->operand < e->n_atoms) {
        atom_t a = m->atoms.at[e->atoms + (swapped ? 1 - p->operand : p->operand)];
        if (atom_kind(a) == ATOM_REF) {
            const struct refexpr *ref = &m->refs.at[atom_id(a)];
            if (p->use <= ref->n_uses) {
                eqn_t need = need_of(c, p->use == 0 ? ref->ref : m->uses.at[ref->uses + p->use - 1]);
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
        eqn_t need = need_of(c, a);
        if (need != NONE)
            return need;
    }
    return unlikely(m->types.dynamic) ? next_size(c, p) : NONE;
}

/* places an equation after all that it needs */
static void
place(struct ordering *o, eqn_t root)
{
    struct canon *c = o->c;
    if (c->done[root])
        return;
    c->done[root] = 1;
    *vec_push(c->m->mem, &c->pending) = (struct canon_pending){root, 0, 0};
    while (c->pending.n) {
        eqn_t need = next_need(c, &c->pending.at[c->pending.n - 1]);
        if (need == NONE) {
            number_results(o, c->pending.at[--c->pending.n].e);
        } else if (!c->done[need]) {
            c->done[need] = 1;
            *vec_push(c->m->mem, &c->pending) = (struct canon_pending){need, 0, 0};
        }
    }
}

u32
canon_count_writes(struct canon *c, eqn_t e, u8 flags)
{
    const struct module *m = c->m;
    const struct eqn *eqn = &m->eqns.at[e];
    u32 seen = 0;
    if (c->writes.n == 0 && !(flags & EFFECT_WRITE))
        return 0;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = atom_without_index(m, m->atoms.at[eqn->atoms + i]);
        if (atom_kind(a) != ATOM_VAR)
            continue;
        u64 writes = memo_get(&c->writes, atom_id(a));
        seen += (u32)writes;
        if (flags & EFFECT_WRITE && c->effects.written.at[i])
            memo_set(m->mem, &c->writes, atom_id(a), writes + 1);
    }
    return seen;
}

/* true for equations whose relative order matters. Reads of refs may be anywhere between the writes around them, since
 * the number of preceding writes is part of their key */
static bool
is_ordered(struct canon *c, eqn_t e)
{
    u8 flags = effects_eqn(&c->effects, e);
    u32 form = c->m->eqns.at[e].form;
    u32 seen = flags ? canon_count_writes(c, e, flags) : 0;
    if (memo_get(&c->seen, e) != seen)
        memo_set(c->m->mem, &c->seen, e, seen);
    c->at.reads |= (flags & EFFECT_READ) != 0;
    if (form == EQN_RAW || form == EQN_ELLIPSIS || (c->keep_reads && flags & EFFECT_READ))
        return true;
    return (flags & (u8) ~(EFFECT_AXIS | EFFECT_READ)) != 0;
}

/* ---- dead equations -------------------------------------------------------------------------------------------- */

/* adds the i-th operand to the sort key of an equation */
static void
dead_operand(struct canon *c, const struct survey *s, struct dead *d, u32 i)
{
    const struct module *m = c->m;
    atom_t a = atom_without_index(m, m->atoms.at[m->eqns.at[d->e].atoms + i]);
    if (atom_kind(a) == ATOM_LIT) {
        size_t from = c->scratch.n;
        canon_atom(c, &c->scratch, a, d->e, i); /* 2.50 is 2.5 */
        struct slice text = canon_cut(c, from);
        d->content = hash_bytes(d->content, text.at, text.n);
        return;
    }
    if (atom_kind(a) != ATOM_VAR)
        return;
    var_t v = atom_id(a);
    u64 what[2] = {c->number[v], 0};
    u32 rank = c->number[v];
    if (c->number[v] == NONE && c->producer[v] != NONE) {
        const struct dead *need = &s->dead[s->at[c->producer[v] - s->first]];
        what[0] = need->content;
        what[1] = v - m->eqns.at[c->producer[v]].vars + 1;
        rank = need->rank;
    }
    if (rank != NONE && rank > d->rank)
        d->rank = rank & INT32_MAX;
    d->content = hash_bytes(d->content, (const char *)what, sizeof what);
}

/* whether the operands of a commutative equation are swapped, to order them by content */
static bool
is_swapped(struct canon *c, const struct survey *s, eqn_t e)
{
    struct dead operands[2] = {{.e = e}, {.e = e}};
    dead_operand(c, s, &operands[0], 0);
    dead_operand(c, s, &operands[1], 1);
    return operands[0].content > operands[1].content;
}

static int
compare_dead(const void *a, const void *b)
{
    const struct dead *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->content != y->content)
        return x->content < y->content ? -1 : 1;
    return x->e < y->e ? -1 : x->e > y->e;
}

/* fills a survey, whose arrays must be large enough; notes whose operands are swapped */
static void
survey_dead(struct canon *c, jaxpr_t j, struct survey *s)
{
    const struct module *m = c->m;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) { /* each comes after those it needs */
        if (c->done[e])
            continue;
        struct dead *d = &s->dead[s->n];
        *d = (struct dead){.e = e, .content = canon_operation_hash(c, e)};
        s->at[e - s->first] = s->n++;
        bool swapped = canon_commutes(c, e) && is_swapped(c, s, e);
        if (swapped != (memo_get(&c->swapped, e) != 0))
            memo_set(m->mem, &c->swapped, e, swapped);
        for (u32 k = 0; k < m->eqns.at[e].n_atoms; k++) {
            dead_operand(c, s, d, swapped ? 1 - k : k);
            eqn_t need = producer_of(c, m->atoms.at[m->eqns.at[e].atoms + k]);
            if (need != NONE && !c->done[need])
                s->dead[s->at[need - s->first]].needed = 1;
        }
    }
}

/* lists the digests that the sort key of an unused equation needs */
static void
list_lacking(struct canon *c, eqn_t e)
{
    struct nested h = nested_start(c->m, e);
    jaxpr_t inner = h.next == NONE ? NONE : nested_next(c->m, &h);
    for (; inner != NONE; inner = nested_next(c->m, &h))
        if (!canon_known(c, inner))
            *vec_push(c->m->mem, &c->lacking) = inner;
}

/* surveys the equations that have no place yet; false if there are none. survey_end must be called */
static bool
survey_begin(struct canon *c, jaxpr_t j, struct survey *s)
{
    struct module *m = c->m;
    u32 last = 0, n = 0;
    *s = (struct survey){.first = NONE};
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        if (!c->done[e]) {
            s->first = e < s->first ? e : s->first;
            last = e > last ? e : last;
            n++;
            if (c->sparing)
                list_lacking(c, e);
        }
    if (n == 0)
        return false;
    if (c->lacking.n)
        canon_digest_lacking(c);
    s->dead = mem_alloc(m->mem, n * sizeof *s->dead);
    s->at = mem_zeroed(m->mem, (last - s->first + 1) * sizeof *s->at);
    survey_dead(c, j, s);
    return true;
}

static void
survey_end(struct canon *c, struct survey *s)
{
    mem_free(c->m->mem, s->dead);
    mem_free(c->m->mem, s->at);
}

/* places unused equations, each after those it needs */
static void
place_dead(struct ordering *o, jaxpr_t j)
{
    struct canon *c = o->c;
    struct module *m = c->m;
    struct survey s;
    u32 ends = 0;
    if (!survey_begin(c, j, &s))
        return;
    for (u32 i = 0; i < s.n; i++) /* moves equations that no unused equation needs to the front */
        if (!s.dead[i].needed)
            s.dead[ends++] = s.dead[i];
    if (ends > 1)
        qsort(s.dead, ends, sizeof *s.dead, compare_dead);
    for (u32 i = 0; i < ends; i++)
        place(o, s.dead[i].e);
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        place(o, e); /* an equation that needs itself, in an invalid program */
    survey_end(c, &s);
}

void
canon_order(struct canon *c, jaxpr_t id)
{
    struct module *m = c->m;
    const struct jaxpr j = m->jaxprs.at[id];
    struct ordering o = {.c = c};
    c->at.order.n = 0;
    c->at.jaxpr = id;
    c->at.reads = false;
    memo_free(m->mem, &c->dims);
    memo_free(m->mem, &c->writes);
    memo_free(m->mem, &c->swapped);
    for (u32 i = 0; i < jaxpr_binders(&j); i++) {
        c->number[j.vars + i] = o.next++;
        c->producer[j.vars + i] = NONE;
    }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        c->done[e] = 0;
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            var_t v = m->eqns.at[e].vars + i;
            c->producer[v] = e;
            c->number[v] = NONE;
        }
    }
    struct survey all;
    if (c->ignored & CANON_COMMUTE && survey_begin(c, id, &all))
        survey_end(c, &all);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        if (is_ordered(c, e))
            place(&o, e);
    for (u32 i = 0; i < j.n_outs; i++) {
        eqn_t need = producer_of(c, m->atoms.at[j.outs + i]);
        if (need != NONE)
            place(&o, need);
    }
    if (!(c->ignored & CANON_DCE))
        place_dead(&o, id);
}
