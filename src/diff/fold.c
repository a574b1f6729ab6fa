/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds repetitions: a block that moved is one line, and of similar hunks and runs of equations the first is printed
 * and the others are counted. Changes of the same values are similar, regardless of the variables, and so are new or
 * removed equations, regardless of their shapes. Linear in the items. */
#include "diff/diff.h"

#include "base/chars.h"
#include "ir/reach.h"

/* BLOCK: the fewest moved equations that make a block; COPIES: the fewest copies that are folded; LONGEST: the longest
 * run; SAVES: the fewest items that folding must save */
enum { BLOCK = 3, COPIES = 3, LONGEST = 24, SAVES = 3 };

struct folding {
    struct diff *d;
    u64 *pair_keys;
    VEC(u32) at;  /* the items of the current pair that are printed */
    VEC(u64) key; /* the key of each of them */
};

static u64
name_key(const struct diff_side *s, u64 h, name_t name)
{
    struct name_buffer buffer;
    return hash_slice(h, module_name(s->m, name, &buffer));
}

/* the key of a value without the numbers in parentheses, which are sizes and axes */
static u64
value_key(u64 h, struct slice text)
{
    u32 depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        depth += c == '(';
        depth -= c == ')' && depth > 0;
        if (depth == 0 || !(is_digit(c) || c == ',' || c == ' '))
            h = hash_seeded(h, (u8)c);
    }
    return h;
}

static u64
params_key(struct diff_side *s, u64 h, param_t p)
{
    for (; p != NONE; p = s->m->params.at[p].next) {
        struct nested nested = nested_in_param(p);
        bool programs = false;
        if (s->m->params.at[p].key != NONE)
            h = name_key(s, h, s->m->params.at[p].key);
        for (jaxpr_t j; (j = nested_next(s->m, &nested)) != NONE; programs = true)
            h = hash_seeded(h, s->program[j]);
        if (!programs)
            h = value_key(h, param_bytes(s->m, &s->m->params.at[p]));
    }
    return h;
}

/* the key of an equation without its variables, and without its parameters and types unless `params`: it was added or
 * removed */
static u64
equation_key(struct diff_side *s, u64 h, eqn_t id, bool params)
{
    const struct eqn *e = &s->m->eqns.at[id];
    if (e->form > EQN_CALL_BARE)
        return hash_seeded(h, id);
    h = hash_seeded(name_key(s, h, e->prim), e->n_atoms);
    for (u32 i = 0; i < e->n_vars && params; i++)
        if (s->m->vars.at[e->vars + i].type != NONE) {
            struct slice type = type_get(&s->m->types, s->m->vars.at[e->vars + i].type)->text;
            h = hash_slice(h, (struct slice){type.at, type_shape_offset(type)});
        }
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t a = s->m->atoms.at[e->atoms + i];
        if (atom_kind(a) == ATOM_LIT)
            h = hash_slice(h, module_bytes(s->m, s->m->literals.at[atom_id(a)].value));
    }
    return params ? params_key(s, h, e->params) : h;
}

/* the key of an operand: a literal's text, else the equation that computes it */
static u64
operand_key(const struct diff_side *s, u64 h, eqn_t e, u32 i, struct slice text)
{
    if (i >= s->m->eqns.at[e].n_atoms)
        return hash_slice(h, text);
    atom_t a = s->m->atoms.at[s->m->eqns.at[e].atoms + i];
    eqn_t producer = diff_producer(s, a);
    if (producer != NONE)
        return hash_seeded(name_key(s, h, s->m->eqns.at[producer].prim), atom_id(a) - s->m->eqns.at[producer].vars);
    return atom_kind(a) == ATOM_VAR ? hash_seeded(h, 1) : hash_slice(h, text);
}

static u64
change_key(const struct folding *w, u64 h, const struct diff_item *item, const struct diff_change *c)
{
    h = hash_slice(hash_seeded(hash_seeded(h, c->what), c->index), c->key);
    h = hash_seeded(h, (c->from.n > 0 ? 1 : 0) | (c->to.n > 0 ? 2 : 0));
    if (c->what == WHAT_OPERAND && c->from.n > 0 && c->to.n > 0)
        return operand_key(&w->d->b, hash_seeded(h, c->literals[0] != 0 ? hash_slice(h, c->from) : 0), item->b,
                           c->index, c->to);
    return hash_slice(hash_slice(h, c->from), c->to);
}

static u64
item_key(const struct folding *w, u32 at)
{
    struct diff *d = w->d;
    const struct diff_item *item = &d->items.at[at];
    u64 h = hash_seeded(d->a.seed, item->kind + 64 * item->elsewhere);
    if (item->kind == DIFF_INPUTS || item->kind == DIFF_OUTPUTS)
        return hash_seeded(h, at);
    struct diff_side *s = item->b != NONE ? &d->b : &d->a;
    eqn_t e = item->b != NONE ? item->b : item->a;
    if (item->kind == DIFF_SAME || item->kind == DIFF_RETYPED)
        return name_key(s, h, s->m->eqns.at[e].prim);
    h = equation_key(s, h, e, item->kind == DIFF_ADDED || item->kind == DIFF_REMOVED);
    for (u32 i = 0; i < item->n_changes; i++)
        h = change_key(w, h, item, &d->changes.at[item->changes + i]);
    for (u32 i = 0; i < item->n_inners; i++) {
        const struct diff_inner *inner = &d->inners.at[item->inners + i];
        h = hash_slice(hash_seeded(hash_seeded(h, inner->index), w->pair_keys[inner->pair]), inner->key);
    }
    return h;
}

bool
diff_goes_on(const struct diff *d, const struct diff_pair *pair, u32 at)
{
    if (at == pair->items)
        return false;
    const struct diff_item *item = &d->items.at[at], *before = item - 1;
    if (before->quiet || before->fold == FOLD_LIKE || before->kind == DIFF_INPUTS)
        return false;
    if (item->at_a != NONE && before->at_a != NONE)
        return item->at_a == before->at_a + 1 ||
               (item->at_b != NONE && before->at_b != NONE && item->at_b == before->at_b + 1);
    if (item->at_b != NONE && before->at_b != NONE)
        return item->at_b == before->at_b + 1;
    return true;
}

/* ---- moved blocks ----------------------------------------------------------------------------------------------- */

static bool
follows(const struct diff_item *before, const struct diff_item *item)
{
    return item->kind == DIFF_MOVED && item->at_a == before->at_a + 1 && item->at_b == before->at_b + 1;
}

static void
fold_moves(struct folding *w)
{
    struct diff_item *items = w->d->items.at;
    for (u32 i = 0, n; i < w->at.n; i += n) {
        struct diff_item *first = &items[w->at.at[i]];
        n = 1;
        while (first->kind == DIFF_MOVED && i + n < w->at.n &&
               follows(&items[w->at.at[i + n - 1]], &items[w->at.at[i + n]]))
            n++;
        if (n < BLOCK)
            continue;
        first->block = n;
        for (u32 k = 1; k < n; k++)
            items[w->at.at[i + k]].fold = FOLD_BLOCK;
    }
}

/* ---- repeated runs and hunks ------------------------------------------------------------------------------------ */

static bool
is_context(const struct folding *w, u32 i)
{
    enum diff_kind kind = w->d->items.at[w->at.at[i]].kind;
    return kind == DIFF_SAME || kind == DIFF_RETYPED;
}

static void
fold_run(const struct folding *w, u32 first, u32 end)
{
    for (u32 i = first; i < end; i++)
        w->d->items.at[w->at.at[i]].fold = FOLD_LIKE;
}

/* how many items repeat the period that begins at i, after that period; whole periods only */
static u32
repeats(const struct folding *w, u32 i, u32 end, u32 period)
{
    u32 n = 0;
    while (i + n + period < end && w->key.at[i + n] == w->key.at[i + n + period])
        n++;
    return n / period * period;
}

/* folds runs that repeat directly one after another in a hunk */
static void
fold_repeats(struct folding *w, u32 first, u32 end)
{
    for (u32 i = first, next; i < end; i = next) {
        u32 best = 0, period = 0;
        next = i + 1;
        for (u32 p = 1; p <= LONGEST && i + p < end; p++) {
            u32 n = repeats(w, i, end, p);
            if (n > best && n / p + 1 >= COPIES && n >= SAVES) {
                best = n;
                period = p;
            }
        }
        bool plain = true;
        for (u32 k = i; k < i + period; k++)
            plain &= is_context(w, k);
        if (plain)
            continue;
        next = i + period + best;
        w->d->items.at[w->at.at[i + period - 1]].more = best / period;
        fold_run(w, i + period, next);
    }
}

static u32
hunk_end(const struct folding *w, const struct diff_pair *pair, u32 i)
{
    while (++i < w->at.n && w->d->items.at[w->at.at[i]].kind != DIFF_OUTPUTS && diff_goes_on(w->d, pair, w->at.at[i]))
        ;
    return i;
}

static u64
hunk_key(const struct folding *w, u32 i, u32 end)
{
    u64 h = w->d->a.seed;
    for (; i < end; i++)
        if (!is_context(w, i))
            h = hash_seeded(h, w->key.at[i]);
    return h | 1;
}

/* folds hunks similar to an earlier one of the same pair, and runs inside the others */
static void
fold_hunks(struct folding *w, const struct diff_pair *pair)
{
    struct diff_cache copies = {0}, shown = {0};
    struct mem *mem = w->d->mem;
    for (u32 i = 0, end; i < w->at.n; i = end) {
        end = hunk_end(w, pair, i);
        ++*diff_cache_find(mem, &copies, hunk_key(w, i, end));
    }
    for (u32 i = 0, end; i < w->at.n; i = end) {
        end = hunk_end(w, pair, i);
        u64 key = hunk_key(w, i, end), n = *diff_cache_find(mem, &copies, key);
        u64 *first = diff_cache_find(mem, &shown, key);
        if (n >= COPIES && *first != 0) {
            w->d->items.at[*first - 1].more++;
            fold_run(w, i, end);
            continue;
        }
        *first = w->at.at[end - 1] + 1ull;
        if (n < COPIES)
            fold_repeats(w, i, end);
    }
    mem_free(mem, copies.at);
    mem_free(mem, shown.at);
}

static void
fold_pair(struct folding *w, u32 id, bool moves_only)
{
    const struct diff_pair *pair = &w->d->pairs.at[id];
    u64 h = w->d->a.seed;
    w->at.n = w->key.n = 0;
    for (u32 i = pair->items; i < pair->items + pair->n_items; i++)
        if (!w->d->items.at[i].quiet)
            *vec_push(w->d->mem, &w->at) = i;
    fold_moves(w);
    for (u32 i = 0; i < w->at.n && !moves_only; i++) {
        *vec_push(w->d->mem, &w->key) = item_key(w, w->at.at[i]);
        h = hash_seeded(h, w->key.at[i]);
    }
    w->pair_keys[id] = h;
    if (!moves_only)
        fold_hunks(w, pair);
}

void
diff_fold(struct diff *d, bool moves_only)
{
    struct folding w = {.d = d, .pair_keys = mem_zeroed(d->mem, (d->pairs.n + 1ull) * sizeof(u64))};
    for (u32 i = d->pairs.n; i-- > 0;) /* nested pairs come after those that contain them */
        fold_pair(&w, i, moves_only);
    mem_free_all(d->mem, w.pair_keys, w.at.at, w.key.at);
}
