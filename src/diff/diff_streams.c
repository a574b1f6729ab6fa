/* SPDX-License-Identifier: Apache-2.0
 *
 * Which program of one stream is which of another: equal ones in line with each other first, then equal ones wherever
 * they stand, then those of one name, and what is left between two pairs side by side. n log n. */
#include "diff/compare.h"

#include <stdlib.h>

/* A program and a key it is looked for by. */
struct keyed {
    u64 key;
    u32 at;
};

/* Two streams at work: the partner of each program, NONE while it has none. */
struct matching {
    struct mem *mem;
    const struct diff_stream *a, *b;
    u32 *mate_a, *mate_b;
};

static void
marry(void *arg, u32 a, u32 b)
{
    struct matching *w = arg;
    w->mate_a[a] = b;
    w->mate_b[b] = a;
}

static int
by_key(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

/* those that have a key and no partner, in the order of keys and places; *n of them */
static struct keyed *
unmarried(const struct matching *w, const u64 *keys, const u32 *mates, u32 all, u32 *n)
{
    struct keyed *list = mem_alloc(w->mem, (all + 1) * sizeof *list);
    *n = 0;
    for (u32 i = 0; i < all; i++)
        if (keys[i] != 0 && mates[i] == NONE)
            list[(*n)++] = (struct keyed){keys[i], i};
    if (*n > 0)
        qsort(list, *n, sizeof *list, by_key);
    return list;
}

/* the first of one key with the first of the other stream, the second with the second .. */
static void
marry_by(struct matching *w, const u64 *keys_a, const u64 *keys_b)
{
    u32 n, m;
    struct keyed *a = unmarried(w, keys_a, w->mate_a, w->a->n, &n), *b = unmarried(w, keys_b, w->mate_b, w->b->n, &m);
    for (u32 i = 0, k = 0; i < n && k < m;) {
        if (a[i].key == b[k].key)
            marry(w, a[i++].at, b[k++].at);
        else if (a[i].key < b[k].key)
            i++;
        else
            k++;
    }
    mem_free(w->mem, a);
    mem_free(w->mem, b);
}

/* Adds the programs of a before end_a, and those of b before end_b that nothing of a is the partner of: the ones left
 * alone side by side, as long as there are two. *at_a, *at_b: where to begin, and then the ends. */
static void
add_between(const struct matching *w, u32 *at_a, u32 end_a, u32 *at_b, u32 end_b, struct diff_partners *out)
{
    for (;;) {
        while (*at_b < end_b && w->mate_b[*at_b] != NONE)
            ++*at_b;
        if (*at_a < end_a && w->mate_a[*at_a] != NONE) {
            u32 b = w->mate_a[*at_a];
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
    diff_align(mem, a->content, a->n, b->content, b->n, marry, &w);
    marry_by(&w, a->content, b->content);
    marry_by(&w, a->name, b->name);

    u32 *married = mem_alloc(mem, (a->n + 1) * sizeof *married), *to = mem_alloc(mem, (a->n + 1) * sizeof *to), n = 0;
    u8 *keep = mem_alloc(mem, a->n + 1);
    for (u32 i = 0; i < a->n; i++)
        if (w.mate_a[i] != NONE) {
            married[n] = i;
            to[n++] = w.mate_a[i];
        }
    diff_ascending(mem, to, n, keep);
    u32 at_a = 0, at_b = 0;
    for (u32 i = 0; i < n; i++) {
        if (!keep[i])
            continue;
        add_between(&w, &at_a, married[i], &at_b, to[i], out);
        bool equal = a->content[married[i]] == b->content[to[i]];
        *vec_push(mem, out) = (struct diff_partner){married[i], to[i], equal, false};
        at_a = married[i] + 1;
        at_b = to[i] + 1;
    }
    add_between(&w, &at_a, a->n, &at_b, b->n, out);
    mem_free(mem, keep);
    mem_free(mem, to);
    mem_free(mem, married);
    mem_free(mem, w.mate_a);
    mem_free(mem, w.mate_b);
}
