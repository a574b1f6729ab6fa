/* SPDX-License-Identifier: Apache-2.0
 *
 * Which equation is which. First those that compute the same from the same arguments; then those with equal small
 * neighbourhoods that are in order with the matches around them; then, from matches outward, equations that compute
 * their operands or use their results (propagate.c); last, equations that are only similar (similar.c). Each step is
 * linear except for sorting. */
#include "diff/diff.h"

/* how many steps a key follows operands back */
enum { RADIUS = 3 };

enum { ANCHOR = 0x51, UNPAIRED };

eqn_t
diff_producer(const struct diff_side *s, atom_t a)
{
    a = atom_without_index(s->m, a);
    return atom_kind(a) == ATOM_VAR ? s->producer[atom_id(a)] : NONE;
}

void
diff_match_eqns(struct diff *d, eqn_t a, eqn_t b)
{
    const struct eqn *ea = &d->a.m->eqns.at[a], *eb = &d->b.m->eqns.at[b];
    d->a.match[a] = b;
    d->b.match[b] = a;
    if (ea->n_vars != eb->n_vars)
        diff_pair_results(d, a, b);
    for (u32 i = 0; i < ea->n_vars && ea->n_vars == eb->n_vars; i++) {
        d->a.partner[ea->vars + i] = eb->vars + i;
        d->b.partner[eb->vars + i] = ea->vars + i;
    }
    *vec_push(d->mem, &d->fresh) = a;
}

/* lists the equations without a partner */
static void
list_left(struct diff_side *s)
{
    s->unmatched.n = 0;
    for (u32 i = 0; i < s->eqns.n; i++)
        if (s->match[s->eqns.at[i]] == NONE)
            *vec_push(s->m->mem, &s->unmatched) = i;
}

void
diff_keep_unmatched(struct diff_side *s)
{
    u32 n = 0;
    for (u32 i = 0; i < s->unmatched.n; i++)
        if (s->match[s->eqns.at[s->unmatched.at[i]]] == NONE)
            s->unmatched.at[n++] = s->unmatched.at[i];
    s->unmatched.n = n;
}

/* ---- equal hashes ----------------------------------------------------------------------------------------------- */

/* Unmatched equations with the same hash. */
struct class
{
    u64 key;
    u32 n_a, n_b;
    u32 first, last; /* indices on the left, linked by classes.next */
};

struct classes {
    struct class *at;
    u32 *next;
    u32 mask;
};

static struct class *
class_of(const struct classes *t, u64 key)
{
    u32 i = (u32)(key >> 24) & t->mask;
    while ((t->at[i].n_a || t->at[i].n_b) && t->at[i].key != key)
        i = (i + 1) & t->mask;
    return &t->at[i];
}

static void
classes_add(const struct classes *t, const struct diff_side *s, const u64 *keys, bool left)
{
    for (u32 k = 0; k < s->unmatched.n; k++) {
        u32 i = s->unmatched.at[k];
        struct class *c = class_of(t, keys[s->eqns.at[i]]);
        c->key = keys[s->eqns.at[i]];
        if (!left) {
            c->n_b++;
            continue;
        }
        t->next[i] = NONE;
        if (c->n_a++ == 0)
            c->first = i;
        else
            t->next[c->last] = i;
        c->last = i;
    }
}

/* matches equations with the same hash, in order, if there are equally many on both sides, at most `most` */
static void
match_classes(struct diff *d, const u64 *keys_a, const u64 *keys_b, u32 most)
{
    struct classes t = {.mask = 15};
    diff_keep_unmatched(&d->a);
    diff_keep_unmatched(&d->b);
    while (t.mask < 2 * (d->a.unmatched.n + d->b.unmatched.n))
        t.mask = 2 * t.mask + 1;
    t.at = mem_zeroed(d->mem, ((size_t)t.mask + 1) * sizeof *t.at);
    t.next = mem_alloc(d->mem, ((size_t)d->a.eqns.n + 1) * sizeof *t.next);
    classes_add(&t, &d->a, keys_a, true);
    classes_add(&t, &d->b, keys_b, false);
    for (u32 i = 0; i < d->b.unmatched.n; i++) {
        eqn_t b = d->b.eqns.at[d->b.unmatched.at[i]];
        struct class *c = class_of(&t, keys_b[b]);
        if (c->n_a != c->n_b || c->n_a > most || c->first == NONE)
            continue;
        eqn_t a = d->a.eqns.at[c->first];
        c->first = t.next[c->first];
        diff_match_eqns(d, a, b);
    }
    mem_free(d->mem, t.at);
    mem_free(d->mem, t.next);
}

/* ---- neighbourhoods --------------------------------------------------------------------------------------------- */

/* the contribution of an operand to a key: the number of its pair, or the key of the equation that computes it */
static u64
operand_key(const struct diff_side *s, bool left, const u64 *before, atom_t a)
{
    if (atom_kind(a) != ATOM_VAR)
        return 0;
    var_t v = atom_id(a);
    if (s->partner[v] != NONE)
        return hash_seeded(s->seed + ANCHOR, left ? v : s->partner[v]);
    eqn_t e = s->producer[v];
    if (e == NONE || s->match[e] != NONE)
        return UNPAIRED;
    return hash_seeded(before[s->rank[e]], v - s->m->eqns.at[e].vars);
}

/* makes the keys of equations without a partner, from the equations, those of their operands, and so on, `radius`
 * steps */
static void
make_keys(struct diff *d, bool left, u32 radius)
{
    struct diff_side *s = left ? &d->a : &d->b;
    const struct module *m = s->m;
    u32 n = s->eqns.n;
    u64 *own = mem_alloc(d->mem, ((size_t)n + 1) * sizeof *own),
        *before = mem_alloc(d->mem, ((size_t)n + 1) * sizeof *own);
    diff_keep_unmatched(s);
    for (u32 l = 0; l < s->unmatched.n; l++) {
        u32 k = s->unmatched.at[l];
        eqn_t id = s->eqns.at[k];
        const struct eqn e = m->eqns.at[id];
        own[k] = s->kind[id];
        for (u32 i = 0; i < e.n_atoms; i++)
            if (atom_kind(m->atoms.at[e.atoms + i]) != ATOM_VAR)
                own[k] = hash_seeded(own[k], diff_other_atom(s, m->atoms.at[e.atoms + i], id, i));
        before[k] = own[k];
    }
    for (u32 r = 0; r < radius; r++) {
        for (u32 l = 0; l < s->unmatched.n; l++) {
            u32 k = s->unmatched.at[l];
            eqn_t id = s->eqns.at[k];
            const struct eqn *e = &m->eqns.at[id];
            u64 h = own[k];
            for (u32 i = 0; i < e->n_atoms; i++)
                h = hash_seeded(h, operand_key(s, left, before, m->atoms.at[e->atoms + i]));
            s->key[id] = h;
        }
        for (u32 l = 0; l < s->unmatched.n && r + 1 < radius; l++)
            before[s->unmatched.at[l]] = s->key[s->eqns.at[s->unmatched.at[l]]];
    }
    mem_free(d->mem, own);
    mem_free(d->mem, before);
}

/* ---- in line ---------------------------------------------------------------------------------------------------- */

/* Pairs of positions in a gap. */
struct taking {
    struct diff *d;
    VEC(struct diff_place) pairs;
};

static void
consume(void *arg, u32 a, u32 b)
{
    struct taking *t = arg;
    *vec_push(t->d->mem, &t->pairs) = (struct diff_place){a, b};
}

/* true if an operand of one equation is known to differ from that of the other */
static bool
contradicts(const struct diff *d, eqn_t a, eqn_t b)
{
    const struct eqn *ea = &d->a.m->eqns.at[a], *eb = &d->b.m->eqns.at[b];
    for (u32 i = 0; i < ea->n_atoms && i < eb->n_atoms; i++) {
        atom_t x = d->a.m->atoms.at[ea->atoms + i], y = d->b.m->atoms.at[eb->atoms + i];
        if (atom_kind(x) != ATOM_VAR || atom_kind(y) != ATOM_VAR)
            continue;
        if (d->a.partner[atom_id(x)] != atom_id(y) &&
            (d->a.partner[atom_id(x)] != NONE || d->b.partner[atom_id(y)] != NONE))
            return true;
    }
    return false;
}

/* matches equal keys in order, or equal keys at equal positions if these are as many. With `most`, only if the gap
 * contains little else and nothing contradicts the match */
static void
align_keys(struct diff *d, const struct diff_unmatched_range *gap, bool most)
{
    struct taking t = {.d = d};
    u64 *a = mem_alloc(d->mem, gap->a.n * sizeof *a), *b = mem_alloc(d->mem, gap->b.n * sizeof *b);
    u32 straight = 0;
    for (u32 i = 0; i < gap->a.n; i++)
        a[i] = d->a.key[d->a.eqns.at[gap->a.at[i]]];
    for (u32 i = 0; i < gap->b.n; i++)
        b[i] = d->b.key[d->b.eqns.at[gap->b.at[i]]];
    diff_anchor(d->mem, (struct diff_keys){a, gap->a.n}, (struct diff_keys){b, gap->b.n}, consume, &t);
    for (u32 i = 0; i < gap->a.n && gap->a.n == gap->b.n; i++)
        straight += a[i] == b[i];
    if (straight > 0 && straight >= t.pairs.n) {
        t.pairs.n = 0;
        for (u32 i = 0; i < gap->a.n; i++)
            if (a[i] == b[i])
                consume(&t, i, i);
    }
    if (most && 10 * (u64)t.pairs.n < 9 * (u64)(gap->a.n > gap->b.n ? gap->a.n : gap->b.n))
        t.pairs.n = 0;
    for (u32 i = 0; i < t.pairs.n; i++) {
        eqn_t ea = d->a.eqns.at[gap->a.at[t.pairs.at[i].a]], eb = d->b.eqns.at[gap->b.at[t.pairs.at[i].b]];
        if (!most || !contradicts(d, ea, eb))
            diff_match_eqns(d, ea, eb);
    }
    mem_free_all(d->mem, t.pairs.at, a, b);
}

static void
align_most(struct diff *d, const struct diff_unmatched_range *gap)
{
    align_keys(d, gap, true);
}

static void
align_all(struct diff *d, const struct diff_unmatched_range *gap)
{
    align_keys(d, gap, false);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static bool
is_unnamed(const struct diff_side *s, atom_t a)
{
    a = atom_without_index(s->m, a);
    return atom_kind(a) == ATOM_VAR && s->m->vars.at[atom_id(a)].name == s->c.underscore;
}

/* whether a variable called `_` is used, as in programs from which JAX removed equations */
static bool
uses_unnamed(const struct diff_side *s, const struct jaxpr *j)
{
    const struct module *m = s->m;
    for (u32 i = 0; i < j->n_outs; i++)
        if (is_unnamed(s, m->atoms.at[j->outs + i]))
            return true;
    for (u32 k = 0; k < s->eqns.n; k++)
        for (u32 i = 0; i < m->eqns.at[s->eqns.at[k]].n_atoms; i++)
            if (is_unnamed(s, m->atoms.at[m->eqns.at[s->eqns.at[k]].atoms + i]))
                return true;
    return false;
}

static void
start_jaxpr(struct diff_side *s, jaxpr_t id)
{
    u32 unnamed = 0;
    const struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    s->c.at.jaxpr = id;
    memo_free(m->mem, &s->c.dims);
    s->eqns.n = 0;
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        s->partner[j->vars + i] = s->users[j->vars + i] = NONE;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        if (s->dead[e])
            continue;
        *vec_push(m->mem, &s->eqns) = e;
        s->match[e] = NONE;
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            s->partner[m->eqns.at[e].vars + i] = s->users[m->eqns.at[e].vars + i] = NONE;
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            unnamed += m->vars.at[m->eqns.at[e].vars + i].name == s->c.underscore;
    }
    s->reads_unnamed = unnamed > 0 && uses_unnamed(s, j);
}

/* gives partners the same number, with which refs and dims are hashed */
static void
number_side(struct diff *d, bool left, u32 *next)
{
    struct diff_side *s = left ? &d->a : &d->b;
    const struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[s->c.at.jaxpr];
    u32 n = jaxpr_binders(j);
    for (u32 k = 0; k <= s->eqns.n; k++) {
        u32 vars = k == 0 ? j->vars : m->eqns.at[s->eqns.at[k - 1]].vars;
        u32 count = k == 0 ? n : m->eqns.at[s->eqns.at[k - 1]].n_vars;
        for (u32 i = 0; i < count; i++) {
            var_t v = vars + i;
            s->c.number[v] = !left && s->partner[v] != NONE ? d->a.c.number[s->partner[v]] : (*next)++;
        }
    }
}

static bool
is_complete(const struct diff *d)
{
    if (d->a.eqns.n != d->b.eqns.n)
        return false;
    for (u32 i = 0; i < d->a.eqns.n; i++)
        if (d->a.match[d->a.eqns.at[i]] == NONE)
            return false;
    return true;
}

/* matches the equations that are not trivially equal */
static void
match_rest(struct diff *d, jaxpr_t a, jaxpr_t b)
{
    list_left(&d->a);
    list_left(&d->b);
    make_keys(d, true, 1);
    make_keys(d, false, 1);
    diff_match_unmatched(d, align_most);
    match_classes(d, d->a.whole, d->b.whole, 1);
    diff_propagate(d, a, b, true);
    match_classes(d, d->a.whole, d->b.whole, UINT32_MAX);
    if (!is_complete(d)) {
        diff_find_users(&d->a);
        diff_find_users(&d->b);
        make_keys(d, true, RADIUS);
        make_keys(d, false, RADIUS);
        match_classes(d, d->a.key, d->b.key, 1);
        make_keys(d, true, 1);
        make_keys(d, false, 1);
        diff_match_unmatched(d, align_all);
        diff_look_again(d);
        diff_propagate(d, a, b, false);
        for (u32 round = 0; round < 2 && diff_similar(d); round++) /* new partners lead to others */
            diff_propagate(d, a, b, false);
    }
    d->fresh.n = 0;
}

/* swaps partners so that two corresponding values match, if their equations compute the same as those with which they
 * were matched */
static void
exchange_partners(struct diff *d, atom_t a, atom_t b)
{
    if (atom_kind(a) != ATOM_VAR || atom_kind(b) != ATOM_VAR || d->a.partner[atom_id(a)] == atom_id(b))
        return;
    eqn_t ea = d->a.producer[atom_id(a)], eb = d->b.producer[atom_id(b)];
    if (ea == NONE || eb == NONE || d->a.whole[ea] != d->b.whole[eb] || d->a.match[ea] == eb)
        return;
    eqn_t other_a = d->b.match[eb], other_b = d->a.match[ea];
    if (other_a == NONE || other_b == NONE || d->a.whole[other_a] != d->b.whole[other_b])
        return;
    diff_match_eqns(d, ea, eb);
    diff_match_eqns(d, other_a, other_b);
}

/* matches equations that compute the same by their uses */
static void
match_by_uses(struct diff *d, jaxpr_t a, jaxpr_t b)
{
    const struct jaxpr *ja = &d->a.m->jaxprs.at[a], *jb = &d->b.m->jaxprs.at[b];
    for (u32 i = 0; i < ja->n_outs && ja->n_outs == jb->n_outs; i++)
        exchange_partners(d, d->a.m->atoms.at[ja->outs + i], d->b.m->atoms.at[jb->outs + i]);
    for (u32 k = d->a.eqns.n; k-- > 0;) {
        eqn_t match = d->a.match[d->a.eqns.at[k]];
        if (match == NONE)
            continue;
        const struct eqn *ea = &d->a.m->eqns.at[d->a.eqns.at[k]], *eb = &d->b.m->eqns.at[match];
        for (u32 i = 0; i < ea->n_atoms && ea->n_atoms == eb->n_atoms; i++)
            exchange_partners(d, d->a.m->atoms.at[ea->atoms + i], d->b.m->atoms.at[eb->atoms + i]);
    }
}

void
diff_match(struct diff *d, jaxpr_t a, jaxpr_t b, const struct diff_alignment *operands)
{
    start_jaxpr(&d->a, a);
    start_jaxpr(&d->b, b);
    bool positions = diff_pair_inputs(d, a, b, operands);
    u32 n = 0, next = 0;
    while (n < d->a.eqns.n && n < d->b.eqns.n && d->a.whole[d->a.eqns.at[n]] == d->b.whole[d->b.eqns.at[n]]) {
        diff_match_eqns(d, d->a.eqns.at[n], d->b.eqns.at[n]);
        n++;
    }
    if (n < d->a.eqns.n || n < d->b.eqns.n)
        match_rest(d, a, b);
    match_by_uses(d, a, b);
    d->fresh.n = 0;
    if (!positions) {
        diff_side_jaxpr(&d->a, a, NULL);
        diff_side_jaxpr(&d->b, b, NULL);
    }
    number_side(d, true, &next);
    number_side(d, false, &next);
}
