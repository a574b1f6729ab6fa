/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches the programs of two streams that are not known to be the same. Names count more than content: first equal
 * programs with the same name, then others with the same name, in order if several have it; then equal ones with other
 * names, and the rest, between two matches, in order. n log n. */
#include "diff/diff.h"

#include <stdlib.h>

/* A program's key, and its index in the stream. */
struct keyed {
    u64 key;
    u32 at;
};

/* Two streams being matched: the partner of each program, NONE if it has none yet. */
struct matching {
    struct mem *mem;
    const struct diff_stream *a, *b;
    u32 *match_a, *match_b;
};

static void
match(void *arg, u32 a, u32 b)
{
    struct matching *w = arg;
    w->match_a[a] = b;
    w->match_b[b] = a;
}

static int
by_key(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

/* the programs without a partner, or, with `all`, all programs, sorted by key and position; *n becomes their number */
static struct keyed *
sorted(const struct matching *w, const u64 *keys, const u32 *partners, u32 count, bool all, u32 *n)
{
    struct keyed *list = mem_alloc(w->mem, (count + 1) * sizeof *list);
    *n = 0;
    for (u32 i = 0; i < count; i++)
        if (all || partners[i] == NONE)
            list[(*n)++] = (struct keyed){keys[i], i};
    if (*n > 0)
        qsort(list, *n, sizeof *list, by_key);
    return list;
}

/* how many entries of a sorted list share the key of the i-th */
static u32
run_of(const struct keyed *list, u32 n, u32 i)
{
    u32 end = i + 1;
    while (end < n && list[end].key == list[i].key)
        end++;
    return end - i;
}

/* matches equal keys in order, the first with the first, the second with the second ..; with `only`, just keys that are
 * unique in both streams, matched programs included */
static void
match_by(struct matching *w, const u64 *keys_a, const u64 *keys_b, bool only)
{
    u32 n, m, next_a, next_b;
    struct keyed *a = sorted(w, keys_a, w->match_a, w->a->n, only, &n),
                 *b = sorted(w, keys_b, w->match_b, w->b->n, only, &m);
    for (u32 i = 0, k = 0; i < n && k < m; i += next_a, k += next_b) {
        next_a = a[i].key <= b[k].key ? run_of(a, n, i) : 0;
        next_b = b[k].key <= a[i].key ? run_of(b, m, k) : 0;
        bool taken = only && (next_a != 1 || next_b != 1 || w->match_a[a[i].at] != NONE || w->match_b[b[k].at] != NONE);
        for (u32 j = 0; j < next_a && j < next_b && !taken; j++)
            match(w, a[i + j].at, b[k + j].at);
    }
    mem_free(w->mem, a);
    mem_free(w->mem, b);
}

/* matches equal keys in the order that the streams and existing matches give */
static void
align_by(struct matching *w, const u64 *keys_a, const u64 *keys_b)
{
    u32 n = w->a->n, m = w->b->n;
    u64 *a = mem_alloc(w->mem, (n + 1) * sizeof *a), *b = mem_alloc(w->mem, (m + 1) * sizeof *b);
    for (u32 i = 0; i < n; i++)
        a[i] = hash_seeded(w->match_a[i] != NONE, w->match_a[i] != NONE ? i : keys_a[i]);
    for (u32 i = 0; i < m; i++)
        b[i] = hash_seeded(w->match_b[i] != NONE, w->match_b[i] != NONE ? w->match_b[i] : keys_b[i]);
    diff_anchor(w->mem, (struct diff_keys){a, n}, (struct diff_keys){b, m}, match, w);
    mem_free(w->mem, a);
    mem_free(w->mem, b);
}

/* makes one key of content and name; `named`: of the name alone, if there is one */
static u64 *
make_keys(struct mem *mem, const struct diff_stream *s, bool named)
{
    u64 *keys = mem_alloc(mem, (s->n + 1) * sizeof *keys);
    for (u32 i = 0; i < s->n; i++)
        keys[i] = hash_seeded(named && s->name[i] != 0 ? 0 : s->content[i], s->name[i]) | 1;
    return keys;
}

static void
find_matches(struct matching *w)
{
    for (u32 named = 0; named < 2; named++) {
        u64 *a = make_keys(w->mem, w->a, named), *b = make_keys(w->mem, w->b, named);
        align_by(w, a, b);
        match_by(w, a, b, named);
        mem_free(w->mem, a);
        mem_free(w->mem, b);
    }
    match_by(w, w->a->content, w->b->content, false);
}

/* Adds the programs of a before end_a, and those of b before end_b without a partner in a; unmatched ones are paired
 * while both sides have some. *at_a and *at_b are the start, and become the end. */
static void
add_between(const struct matching *w, u32 *at_a, u32 end_a, u32 *at_b, u32 end_b, struct diff_partners *out)
{
    for (;;) {
        while (*at_b < end_b && w->match_b[*at_b] != NONE)
            ++*at_b;
        if (*at_a < end_a && w->match_a[*at_a] != NONE) {
            u32 b = w->match_a[*at_a];
            *vec_push(w->mem, out) = (struct diff_partner){*at_a, b, w->a->content[*at_a] == w->b->content[b], true};
            ++*at_a;
            continue;
        }
        bool left = *at_a < end_a, right = *at_b < end_b;
        if (!left && !right)
            return;
        *vec_push(w->mem, out) = (struct diff_partner){left ? *at_a : NONE, right ? *at_b : NONE, false, false};
        *at_a += left;
        *at_b += right;
    }
}

void
diff_streams(struct mem *mem, const struct diff_stream *a, const struct diff_stream *b, struct diff_partners *out)
{
    struct matching w = {mem, a, b, mem_nones(mem, a->n + 1), mem_nones(mem, b->n + 1)};
    for (u32 i = 0; a->same != NULL && i < a->n; i++)
        if (a->same[i] != NONE)
            match(&w, i, a->same[i]);
    find_matches(&w);

    u32 *matched = mem_alloc(mem, (a->n + 1) * sizeof *matched), *to = mem_alloc(mem, (a->n + 1) * sizeof *to), n = 0;
    u8 *keep = mem_alloc(mem, a->n + 1);
    for (u32 i = 0; i < a->n; i++)
        if (w.match_a[i] != NONE) {
            matched[n] = i;
            to[n++] = w.match_a[i];
        }
    diff_ascending(mem, to, n, keep);
    u32 at_a = 0, at_b = 0;
    for (u32 i = 0; i < n; i++) {
        if (!keep[i])
            continue;
        add_between(&w, &at_a, matched[i], &at_b, to[i], out);
        bool equal = a->content[matched[i]] == b->content[to[i]];
        *vec_push(mem, out) = (struct diff_partner){matched[i], to[i], equal, false};
        at_a = matched[i] + 1;
        at_b = to[i] + 1;
    }
    add_between(&w, &at_a, a->n, &at_b, b->n, out);
    mem_free_all(mem, keep, to, matched, w.match_a, w.match_b);
}
