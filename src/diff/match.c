/* SPDX-License-Identifier: Apache-2.0
 *
 * Matching by hashes, each step linear or n log n. Deep hashes find what is the same wherever it stands; the rest is
 * cut at equations that occur once on either side (patience), each gap is filled greedily in order, and what still has
 * no partner goes with the next one of the same primitive. */
#include "diff/match.h"

#include <stdlib.h>

static u64
deed_hash(struct canon *c, eqn_t e)
{
    c->value.n = 0;
    canon_deed(c, &c->value, e);
    return hash_bytes(11, c->value.at, c->value.n);
}

static u64
mix(u64 h, u64 value)
{
    return hash_bytes(h, (const char *)&value, sizeof value);
}

/* what an operand is: an argument by its position, a result of an equation by that and its position, else its text */
static u64
atom_hash(struct canon *c, const u64 *values, u64 h, atom_t a, eqn_t e, u32 i)
{
    const struct module *m = c->m;
    if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *ref = &m->refs.at[atom_id(a)];
        h = atom_hash(c, values, h, ref->ref, e, i);
        for (u32 k = 0; k < ref->n_uses; k++)
            if (atom_kind(m->uses.at[ref->uses + k]) == ATOM_VAR)
                h = mix(h, values[atom_id(m->uses.at[ref->uses + k])]);
        return h;
    }
    if (atom_kind(a) == ATOM_VAR)
        return mix(h, values[atom_id(a)]);
    c->value.n = 0;
    canon_atom(c, &c->value, a, e, i);
    return hash_bytes(h, c->value.at, c->value.n);
}

static void
hash_side(struct match_side *s, struct canon *c, jaxpr_t id)
{
    struct module *m = c->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    *s = (struct match_side){.c = c, .jaxpr = id};
    u64 *values = mem_alloc(m->mem, (m->vars.n + 1) * sizeof *values);
    canon_order(c, id); /* numbers for what deeds say of variables */
    for (u32 i = 0; i < j->n_consts + j->n_ins; i++)
        values[j->vars + i] = mix(3, i);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        u64 deed = deed_hash(c, e), deep = deed;
        for (u32 i = 0; i < eqn->n_atoms; i++)
            deep = atom_hash(c, values, deep, m->atoms.at[eqn->atoms + i], e, i);
        for (u32 i = 0; i < eqn->n_vars; i++)
            values[eqn->vars + i] = mix(deep, i + 1);
        *vec_push(m->mem, &s->eqns) = e;
        *vec_push(m->mem, &s->partner) = NONE;
        *vec_push(m->mem, &s->deep) = deep;
        *vec_push(m->mem, &s->deed) = deed;
    }
    mem_free(m->mem, values);
}

/* An equation by a hash. */
struct keyed {
    u64 key;
    u32 at;
};

static int
compare_keyed(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void
pair(struct match_side *a, struct match_side *b, u32 i, u32 k)
{
    a->partner.at[i] = k;
    b->partner.at[k] = i;
}

/* unmatched equations of from .. to, sorted by hash */
static u32
sort_range(struct match_side *s, const u64 *hashes, u32 from, u32 to, struct keyed *out)
{
    u32 n = 0;
    for (u32 i = from; i < to; i++)
        if (s->partner.at[i] == NONE)
            out[n++] = (struct keyed){hashes[i], i};
    if (n > 1)
        qsort(out, n, sizeof *out, compare_keyed);
    return n;
}

/* the k-th of each deep hash with the k-th, where there are as many on either side: else order will tell */
static void
match_deep(struct match_side *a, struct match_side *b, struct keyed *x, struct keyed *y)
{
    u32 n = sort_range(a, a->deep.at, 0, a->eqns.n, x), k = sort_range(b, b->deep.at, 0, b->eqns.n, y);
    for (u32 i = 0, l = 0; i < n && l < k;) {
        u32 i_end = i, l_end = l;
        while (i_end < n && x[i_end].key == x[i].key)
            i_end++;
        while (l_end < k && y[l_end].key == y[l].key)
            l_end++;
        if (x[i].key == y[l].key) {
            for (; i_end - i == l_end - l && i < i_end; i++, l++)
                pair(a, b, x[i].at, y[l].at);
            i = i_end;
            l = l_end;
        } else if (x[i].key < y[l].key) {
            i = i_end;
        } else {
            l = l_end;
        }
    }
}

struct gap {
    u32 a, a_end, b, b_end;
    u32 depth; /* how often it was cut */
};

/* gaps are cut no more often than this */
enum { DEEPEST = 8 };

struct gaps {
    struct gap *at;
    u32 n, cap;
};

static u32
next_free(const struct match_side *s, u32 i, u32 end)
{
    while (i < end && s->partner.at[i] != NONE)
        i++;
    return i;
}

/* An anchor: unique on both sides. */
struct anchor {
    u32 a, b;
};

static int
compare_anchors(const void *a, const void *b)
{
    const struct anchor *x = a, *y = b;
    return x->a < y->a ? -1 : x->a > y->a;
}

/* keeps the longest run of anchors that rise on both sides; returns how many, in order */
static u32
rising(struct mem *mem, struct anchor *anchors, u32 n)
{
    u32 *tails = mem_alloc(mem, (n + 1) * sizeof *tails), *before = mem_alloc(mem, (n + 1) * sizeof *before), length = 0;
    for (u32 i = 0; i < n; i++) {
        u32 low = 0, high = length;
        while (low < high) {
            u32 middle = (low + high) / 2;
            if (anchors[tails[middle]].b < anchors[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? tails[low - 1] : NONE;
        tails[low] = i;
        length = low == length ? length + 1 : length;
    }
    struct anchor *kept = mem_alloc(mem, (length + 1) * sizeof *kept);
    for (u32 i = length ? tails[length - 1] : NONE, k = length; k > 0; k--, i = before[i])
        kept[k - 1] = anchors[i];
    memcpy(anchors, kept, length * sizeof *kept);
    mem_free(mem, kept);
    mem_free(mem, tails);
    mem_free(mem, before);
    return length;
}

static u32
last_free(const struct match_side *s, u32 from, u32 end)
{
    while (end > from && s->partner.at[end - 1] != NONE)
        end--;
    return end;
}

/* pairs what agrees at both ends of a gap, and makes it smaller */
static void
trim_gap(struct match_side *a, struct match_side *b, struct gap *g)
{
    for (;;) {
        g->a = next_free(a, g->a, g->a_end);
        g->b = next_free(b, g->b, g->b_end);
        if (g->a == g->a_end || g->b == g->b_end || a->deed.at[g->a] != b->deed.at[g->b])
            break;
        pair(a, b, g->a, g->b);
    }
    for (;;) {
        g->a_end = last_free(a, g->a, g->a_end);
        g->b_end = last_free(b, g->b, g->b_end);
        if (g->a == g->a_end || g->b == g->b_end || a->deed.at[g->a_end - 1] != b->deed.at[g->b_end - 1])
            break;
        pair(a, b, g->a_end - 1, g->b_end - 1);
    }
}

/* cuts a gap at equations whose deed occurs once on either side */
static bool
cut_gap(struct match_side *a, struct match_side *b, struct gap g, struct keyed *x, struct keyed *y, struct gaps *gaps)
{
    struct mem *mem = a->c->m->mem;
    struct {
        struct anchor *at;
        u32 n, cap;
    } anchors = {0};
    u32 n = sort_range(a, a->deed.at, g.a, g.a_end, x), k = sort_range(b, b->deed.at, g.b, g.b_end, y);
    for (u32 i = 0, l = 0; i < n && l < k;) {
        u32 i_end = i, l_end = l;
        while (i_end < n && x[i_end].key == x[i].key)
            i_end++;
        while (l_end < k && y[l_end].key == y[l].key)
            l_end++;
        if (x[i].key == y[l].key) {
            if (i_end == i + 1 && l_end == l + 1)
                *vec_push(mem, &anchors) = (struct anchor){x[i].at, y[l].at};
            i = i_end;
            l = l_end;
        } else if (x[i].key < y[l].key) {
            i = i_end;
        } else {
            l = l_end;
        }
    }
    if (anchors.n > 1)
        qsort(anchors.at, anchors.n, sizeof *anchors.at, compare_anchors);
    u32 kept = anchors.n ? rising(mem, anchors.at, anchors.n) : 0;
    u32 from_a = g.a, from_b = g.b;
    for (u32 i = 0; i <= kept && kept > 0; i++) {
        u32 to_a = i < kept ? anchors.at[i].a : g.a_end, to_b = i < kept ? anchors.at[i].b : g.b_end;
        *vec_push(mem, gaps) = (struct gap){from_a, to_a, from_b, to_b, g.depth + 1};
        if (i < kept)
            pair(a, b, to_a, to_b);
        from_a = to_a + 1;
        from_b = to_b + 1;
    }
    vec_free(mem, &anchors);
    return kept > 0;
}

/* each equation of a gap with the next of the same deed */
static void
fill_gap(struct match_side *a, struct match_side *b, struct gap g, struct keyed *y)
{
    u32 n = sort_range(b, b->deed.at, g.b, g.b_end, y), last = g.b;
    for (u32 i = g.a; i < g.a_end; i++) {
        if (a->partner.at[i] != NONE)
            continue;
        u32 low = 0, high = n; /* the first of this deed at or behind last */
        while (low < high) {
            u32 middle = (low + high) / 2;
            if (y[middle].key < a->deed.at[i] || (y[middle].key == a->deed.at[i] && y[middle].at < last))
                low = middle + 1;
            else
                high = middle;
        }
        if (low == n || y[low].key != a->deed.at[i])
            continue;
        pair(a, b, i, y[low].at);
        last = y[low].at + 1;
    }
}

/* how far ahead to look for where two sides agree again, for how many equations they have to, and how many comparisons
 * that may cost for each equation */
enum { AHEAD = 64, AGREE = 6, COST = 64 };

/* true where the next few free equations agree */
static bool
agree(const struct match_side *a, const u32 *x, u32 n, const struct match_side *b, const u32 *y, u32 k)
{
    u32 most = n < k ? n : k;
    for (u32 i = 0; i < AGREE && i < most; i++)
        if (a->deed.at[x[i]] != b->deed.at[y[i]])
            return false;
    return most > 0;
}

/* goes through a gap on both sides at once; where they part, looks ahead for the nearest place where they agree again.
 * Leaves what is behind to others when that costs too much */
static void
walk_gap(struct match_side *a, struct match_side *b, struct gap g, u64 *budget)
{
    struct mem *mem = a->c->m->mem;
    u32 *x = mem_alloc(mem, (g.a_end - g.a + 1) * sizeof *x), *y = mem_alloc(mem, (g.b_end - g.b + 1) * sizeof *y);
    u32 n = 0, k = 0, i = 0, l = 0;
    for (u32 at = next_free(a, g.a, g.a_end); at < g.a_end; at = next_free(a, at + 1, g.a_end))
        x[n++] = at;
    for (u32 at = next_free(b, g.b, g.b_end); at < g.b_end; at = next_free(b, at + 1, g.b_end))
        y[k++] = at;
    while (i < n && l < k) {
        if (a->deed.at[x[i]] == b->deed.at[y[l]]) {
            pair(a, b, x[i++], y[l++]);
            continue;
        }
        bool found = false;
        for (u32 far = 1; far <= 2 * AHEAD && !found && *budget > 0; far++)
            for (u32 step = 0; step <= far && !found && *budget > 0; step++) {
                /* as many on either side first */
                u32 da = (far + 1) / 2 + (step % 2 ? step / 2 + 1 : 0) - (step % 2 ? 0 : step / 2), db = far - da;
                if (da > far || i + da >= n || l + db >= k)
                    continue;
                --*budget;
                found = agree(a, x + i + da, n - i - da, b, y + l + db, k - l - db);
                if (found) {
                    i += da;
                    l += db;
                }
            }
        if (*budget == 0)
            break;
        i += !found;
        l += !found;
    }
    mem_free(mem, x);
    mem_free(mem, y);
}

static u64
prim_hash(struct match_side *s, u32 i)
{
    struct name_buffer buffer;
    struct slice prim = canon_prim(s->c, s->c->m->eqns.at[s->eqns.at[i]].prim, &buffer);
    return hash_bytes(13, prim.at, prim.n);
}

/* what is left between two neighbours that have partners: the same primitive first, then one after another */
static void
fill_leftovers(struct match_side *a, struct match_side *b, struct gap g)
{
    u32 k = g.b;
    for (u32 i = next_free(a, g.a, g.a_end); i < g.a_end; i = next_free(a, i + 1, g.a_end)) {
        u64 prim = prim_hash(a, i);
        u32 tries = 0;
        for (u32 l = next_free(b, k, g.b_end); l < g.b_end && tries < 16; l = next_free(b, l + 1, g.b_end), tries++) {
            if (prim_hash(b, l) != prim)
                continue;
            pair(a, b, i, l);
            k = l + 1;
            break;
        }
    }
    u32 left_a = 0, left_b = 0;
    for (u32 i = next_free(a, g.a, g.a_end); i < g.a_end; i = next_free(a, i + 1, g.a_end))
        left_a++;
    for (u32 i = next_free(b, g.b, g.b_end); i < g.b_end; i = next_free(b, i + 1, g.b_end))
        left_b++;
    if (left_a != left_b)
        return;
    k = next_free(b, g.b, g.b_end);
    for (u32 i = next_free(a, g.a, g.a_end); i < g.a_end; i = next_free(a, i + 1, g.a_end)) {
        pair(a, b, i, k);
        k = next_free(b, k + 1, g.b_end);
    }
}

/* the gaps between neighbours that are matched in order, whichever step matched them */
static void
fill_between(struct match_side *a, struct match_side *b)
{
    struct gap g = {0};
    for (u32 i = 0; i <= a->eqns.n; i++) {
        bool end = i == a->eqns.n;
        if (!end && (a->partner.at[i] == NONE || a->partner.at[i] < g.b))
            continue;
        g.a_end = i;
        g.b_end = end ? b->eqns.n : a->partner.at[i];
        u32 next = g.b_end + 1;
        if (next_free(a, g.a, g.a_end) < g.a_end && next_free(b, g.b, g.b_end) < g.b_end)
            fill_leftovers(a, b, g);
        g.a = i + 1;
        g.b = next;
    }
}

void
match_jaxprs(struct match_side *a, struct match_side *b, struct canon *ca, jaxpr_t ja, struct canon *cb, jaxpr_t jb)
{
    struct mem *mem = ca->m->mem;
    hash_side(a, ca, ja);
    hash_side(b, cb, jb);
    struct keyed *x = mem_alloc(mem, (a->eqns.n + 1) * sizeof *x), *y = mem_alloc(mem, (b->eqns.n + 1) * sizeof *y);
    struct gaps gaps = {0};
    u64 budget = (u64)COST * (a->eqns.n + b->eqns.n) + 65536;
    match_deep(a, b, x, y);
    *vec_push(mem, &gaps) = (struct gap){0, a->eqns.n, 0, b->eqns.n, 0};
    while (gaps.n) {
        struct gap g = gaps.at[--gaps.n];
        trim_gap(a, b, &g);
        if (next_free(a, g.a, g.a_end) == g.a_end || next_free(b, g.b, g.b_end) == g.b_end)
            continue;
        if (g.depth < DEEPEST && cut_gap(a, b, g, x, y, &gaps))
            continue;
        walk_gap(a, b, g, &budget);
        if (budget == 0)
            fill_gap(a, b, g, y);
    }
    fill_between(a, b);
    mem_free(mem, x);
    mem_free(mem, y);
    vec_free(mem, &gaps);
}

void
match_end(struct match_side *a, struct match_side *b)
{
    struct match_side *sides[] = {a, b};
    for (u32 i = 0; i < 2; i++) {
        struct mem *mem = sides[i]->c->m->mem;
        vec_free(mem, &sides[i]->eqns);
        vec_free(mem, &sides[i]->partner);
        vec_free(mem, &sides[i]->deep);
        vec_free(mem, &sides[i]->deed);
    }
}
