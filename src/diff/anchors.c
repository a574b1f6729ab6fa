/* SPDX-License-Identifier: Apache-2.0
 *
 * Aligns two sequences. The greedy search of Myers (An O(ND) Difference Algorithm, 1986) takes, after MOST_EDITS edits,
 * the path that came furthest and starts again from its end; if that happens often, keys that only one side has are
 * removed first. So time is at most length times MOST_EDITS, and space is linear; no recursion. */
#include "diff/diff.h"

enum { MOST_EDITS = 192, FEW_RUNS = 8 };

/* A key, and which sides contain it. */
struct occurrence {
    u64 key;
    u32 sides;
};

struct occurrences {
    struct occurrence *at;
    u32 mask;
};

static struct occurrence *
occurrence_of(const struct occurrences *t, u64 key)
{
    u32 i = (u32)(key >> 20) & t->mask;
    while (t->at[i].sides != 0 && t->at[i].key != key)
        i = (i + 1) & t->mask;
    return &t->at[i];
}

static void
record_occurrences(const struct occurrences *t, const u64 *keys, u32 n, u32 side)
{
    for (u32 i = 0; i < n; i++) {
        struct occurrence *s = occurrence_of(t, keys[i]);
        s->key = keys[i];
        s->sides |= side;
    }
}

/* A sequence without the elements that the other side lacks. */
struct sequence {
    u64 *key;
    u32 *at; /* the original positions */
    u32 n;
};

static struct sequence
sequence_make(struct mem *mem, const u64 *keys, u32 first, u32 end, const struct occurrences *t)
{
    struct sequence s = {mem_alloc(mem, (end - first + 1) * sizeof *s.key),
                         mem_alloc(mem, (end - first + 1) * sizeof *s.at), 0};
    for (u32 i = first; i < end; i++)
        if (t->at == NULL || occurrence_of(t, keys[i])->sides == 3) {
            s.key[s.n] = keys[i];
            s.at[s.n++] = i;
        }
    return s;
}

struct alignment {
    struct sequence a, b;
    u32 *to;    /* the partner of each element of the whole left sequence */
    i64 *trace; /* row d, from d * d on, has the furthest x of diagonals -d .. d */
};

static void
match(struct alignment *w, i64 x, i64 y)
{
    w->to[w->a.at[x]] = w->b.at[y];
}

/* whether the path on diagonal k with d edits comes from diagonal k + 1; `row` has the furthest x of d - 1 edits, and
 * points to diagonal 0 */
static bool
comes_from_above(const i64 *row, i64 d, i64 k)
{
    return k == -d || (k != d && row[k - 1] < row[k + 1]);
}

static i64 *
trace_row(const struct alignment *w, i64 d)
{
    return w->trace + d * d + d;
}

/* follows the trace from the end of diagonal k after d edits back to the start */
static void
walk_back(struct alignment *w, i64 x0, i64 y0, i64 d, i64 k)
{
    i64 x = trace_row(w, d)[k];
    for (; d > 0; d--) {
        const i64 *row = trace_row(w, d - 1);
        bool down = comes_from_above(row, d, k);
        i64 from = down ? row[k + 1] : row[k - 1];
        for (i64 start = down ? from : from + 1; x > start; x--)
            match(w, x0 + x - 1, y0 + x - 1 - k);
        x = from;
        k += down ? 1 : -1;
    }
    for (; x > 0; x--)
        match(w, x0 + x - 1, y0 + x - 1 - k);
}

/* one run of the search from (x0, y0) with at most `most` edits; moves both to the point reached */
static void
search(struct alignment *w, i64 *x0, i64 *y0, i64 most)
{
    const i64 n = w->a.n - *x0, m = w->b.n - *y0;
    const u64 *a = w->a.key + *x0, *b = w->b.key + *y0;
    i64 best = -1, best_k = 0;
    for (i64 d = 0; d <= most; d++) {
        i64 *row = trace_row(w, d);
        for (i64 k = -d; k <= d; k += 2) {
            const i64 *before = d > 0 ? trace_row(w, d - 1) : NULL;
            i64 x = d == 0 ? 0 : comes_from_above(before, d, k) ? before[k + 1] : before[k - 1] + 1;
            while (x < n && x - k < m && a[x] == b[x - k])
                x++;
            row[k] = x;
            if (x >= n && x - k >= m) {
                walk_back(w, *x0, *y0, d, k);
                *x0 += n;
                *y0 += m;
                return;
            }
            if (d == most && x <= n && x - k <= m && 2 * x - k > best) {
                best = 2 * x - k;
                best_k = k;
            }
        }
    }
    if (best <= 0) { /* no progress is possible */
        *x0 += n;
        *y0 += m;
        return;
    }
    i64 x = trace_row(w, most)[best_k];
    walk_back(w, *x0, *y0, most, best_k);
    *x0 += x;
    *y0 += x - best_k;
}

/* searches in runs until the end, or until `runs` are used up; true if the end was reached */
static bool
search_all(struct alignment *w, i64 most, u32 runs)
{
    i64 x = 0, y = 0;
    while (x < w->a.n && y < w->b.n) {
        if (runs-- == 0)
            return false;
        search(w, &x, &y, most);
    }
    return true;
}

static void
align_rest(struct mem *mem, struct diff_keys a, struct diff_keys b, u32 first, u32 *to)
{
    struct occurrences t = {0};
    u32 n_a = a.n - first, n_b = b.n - first;
    i64 most = (i64)n_a + n_b < MOST_EDITS ? (i64)n_a + n_b : MOST_EDITS;
    struct alignment w = {.to = to, .trace = mem_alloc(mem, (size_t)((most + 1) * (most + 1)) * sizeof *w.trace)};
    for (u32 round = 0; round < 2; round++) { /* in the first round, a few edits are found without comparing the key
                                               * sets */
        w.a = sequence_make(mem, a.at, first, a.n, &t);
        w.b = sequence_make(mem, b.at, first, b.n, &t);
        bool done = search_all(&w, most, round == 0 ? FEW_RUNS : UINT32_MAX);
        mem_free_all(mem, w.a.key, w.a.at, w.b.key, w.b.at);
        if (done)
            break;
        t.mask = 15;
        while (t.mask < 2 * (n_a + n_b))
            t.mask = 2 * t.mask + 1;
        t.at = mem_zeroed(mem, ((size_t)t.mask + 1) * sizeof *t.at);
        record_occurrences(&t, a.at + first, n_a, 1);
        record_occurrences(&t, b.at + first, n_b, 2);
        memset(to + first, 0xFF, n_a * sizeof *to);
    }
    mem_free(mem, t.at);
    mem_free(mem, w.trace);
}

void
diff_anchor(struct mem *mem, struct diff_keys a, struct diff_keys b, void (*consume)(void *, u32, u32), void *arg)
{
    u32 first = 0, end_a = a.n, end_b = b.n;
    while (first < a.n && first < b.n && a.at[first] == b.at[first]) {
        consume(arg, first, first);
        first++;
    }
    while (end_a > first && end_b > first && a.at[end_a - 1] == b.at[end_b - 1]) {
        end_a--;
        end_b--;
    }
    if (end_a > first && end_b > first) {
        u32 *to = mem_nones(mem, end_a + 1);
        align_rest(mem, (struct diff_keys){a.at, end_a}, (struct diff_keys){b.at, end_b}, first, to);
        for (u32 i = first; i < end_a; i++)
            if (to[i] != NONE)
                consume(arg, i, to[i]);
        mem_free(mem, to);
    }
    for (; end_a < a.n; end_a++, end_b++)
        consume(arg, end_a, end_b);
}

void
diff_ascending(struct mem *mem, const u32 *at, u32 n, u8 *keep)
{
    u32 *top = mem_alloc(mem, (n + 1) * sizeof *top), *before = mem_alloc(mem, (n + 1) * sizeof *before), best = 0;
    for (u32 i = 0; i < n; i++) {
        u32 low = 0, high = best;
        if (best > 0 && at[top[best - 1]] < at[i])
            low = best;
        while (low < high) {
            u32 middle = low + (high - low) / 2;
            if (at[top[middle]] < at[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? top[low - 1] : NONE;
        top[low] = i;
        best = low == best ? best + 1 : best;
    }
    memset(keep, 0, n);
    for (u32 i = best > 0 ? top[best - 1] : NONE; i != NONE; i = before[i])
        keep[i] = 1;
    mem_free(mem, top);
    mem_free(mem, before);
}
