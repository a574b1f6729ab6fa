/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sequences brought into line. Keys that only one side has are set aside; the rest goes through the greedy search of
 * Myers (An O(ND) Difference Algorithm, 1986), which after MOST_EDITS edits settles for the path that came furthest
 * and starts again from its end. So work is at most length times MOST_EDITS and space is linear; no recursion. */
#include "diff/diff.h"

enum { MOST_EDITS = 192, FEW = 8 };

/* Which sides have a key. */
struct sighting {
    u64 key;
    u32 sides;
};

struct sightings {
    struct sighting *at;
    u32 mask;
};

static struct sighting *
sighting_of(const struct sightings *t, u64 key)
{
    u32 i = (u32)(key >> 20) & t->mask;
    while (t->at[i].sides != 0 && t->at[i].key != key)
        i = (i + 1) & t->mask;
    return &t->at[i];
}

static void
sight(const struct sightings *t, const u64 *keys, u32 n, u32 side)
{
    for (u32 i = 0; i < n; i++) {
        struct sighting *s = sighting_of(t, keys[i]);
        s->key = keys[i];
        s->sides |= side;
    }
}

/* A sequence without what the other side lacks. */
struct sequence {
    u64 *key;
    u32 *at; /* where each stood */
    u32 n;
};

static struct sequence
sequence_make(struct mem *mem, const u64 *keys, u32 first, u32 end, const struct sightings *t)
{
    struct sequence s = {mem_alloc(mem, (end - first + 1) * sizeof *s.key),
                         mem_alloc(mem, (end - first + 1) * sizeof *s.at), 0};
    for (u32 i = first; i < end; i++)
        if (t->at == NULL || sighting_of(t, keys[i])->sides == 3) {
            s.key[s.n] = keys[i];
            s.at[s.n++] = i;
        }
    return s;
}

struct alignment {
    struct sequence a, b;
    u32 *to;    /* of each element of the whole left sequence: its partner */
    i64 *trace; /* row d has the furthest x of diagonals -d .. d, from d * d on */
};

static void
match(struct alignment *w, i64 x, i64 y)
{
    w->to[w->a.at[x]] = w->b.at[y];
}

/* follows the trace from the end of diagonal k after d edits back to the start */
static void
walk_back(struct alignment *w, i64 x0, i64 y0, i64 d, i64 k)
{
    i64 x = w->trace[d * d + d + k];
    for (; d >= 0; d--) {
        i64 from_k = k, from_x = 0, start = 0;
        if (d > 0) {
            const i64 *row = w->trace + (d - 1) * (d - 1) + (d - 1);
            bool down = k == -d || (k != d && row[k - 1 < -(d - 1) ? -(d - 1) : k - 1] < row[k + 1 > d - 1 ? d - 1 : k + 1] &&
                                    k - 1 >= -(d - 1) && k + 1 <= d - 1);
            if (k != -d && k != d && (k - 1 < -(d - 1) || k + 1 > d - 1))
                down = k - 1 < -(d - 1);
            from_k = down ? k + 1 : k - 1;
            from_x = row[from_k];
            start = down ? from_x : from_x + 1;
        }
        while (x > start) {
            x--;
            match(w, x0 + x, y0 + x - k);
        }
        x = from_x;
        k = from_k;
    }
}

/* one run of the search from (x0, y0); moves both to where it got */
static void
search(struct alignment *w, i64 *x0, i64 *y0, i64 most)
{
    i64 n = w->a.n - *x0, m = w->b.n - *y0, best = -1, best_k = 0;
    const u64 *a = w->a.key + *x0, *b = w->b.key + *y0;
    for (i64 d = 0; d <= most; d++) {
        const i64 *before = w->trace + (d - 1) * (d - 1) + (d - 1);
        i64 *row = w->trace + d * d + d;
        for (i64 k = -d; k <= d; k++)
            row[k] = -1;
        best = -1;
        for (i64 k = -d; k <= d; k += 2) {
            i64 x = 0;
            if (d > 0) {
                i64 left = k - 1 >= -(d - 1) ? before[k - 1] : -1, above = k + 1 <= d - 1 ? before[k + 1] : -1;
                x = k == -d || (k != d && left < above) ? above : left + 1;
            }
            if (x > n || x - k > m) { /* outside: no path */
                row[k] = x > n ? n : x;
                if (x - k > m || x > n)
                    continue;
            }
            while (x < n && x - k < m && a[x] == b[x - k])
                x++;
            row[k] = x;
            if (2 * x - k > best) {
                best = 2 * x - k;
                best_k = k;
            }
            if (x >= n && x - k >= m) {
                walk_back(w, *x0, *y0, d, k);
                *x0 += n;
                *y0 += m;
                return;
            }
        }
    }
    i64 x = w->trace[most * most + most + best_k];
    walk_back(w, *x0, *y0, most, best_k);
    *x0 += x;
    *y0 += x - best_k;
}
