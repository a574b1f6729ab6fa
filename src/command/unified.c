/* SPDX-License-Identifier: Apache-2.0
 *
 * A unified diff of two texts by lines. Lines that occur once in each text and keep their order anchor the match
 * (patience); between anchors the greedy algorithm of Myers looks for at most MOST_EDITS edits and otherwise takes the
 * stretch as replaced. Sorting costs O(n log n), the rest O(n MOST_EDITS) at worst; no recursion. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EDITS = 200, CONTEXT = 3 };

struct lines {
    const char **at; /* line i is [at[i], at[i + 1]), with its newline */
    int n;
    int *id;      /* equal lines of both texts have equal ids */
    bool *common; /* the line is in both texts, at the place the match gave it */
};

/* A line that is unlike the one before it, while equal ones are looked for. */
struct head {
    const char *at;
    size_t n;
    int text;   /* 0: from, 1: to */
    int number; /* from 0 */
};

struct differ {
    struct lines from, to;
    int ids;      /* the last id */
    int *only[2]; /* id -> number of the one line of a text that has it, -1 none, -2 several */
};

static struct lines
lines_split(struct input text)
{
    struct lines l = {0};
    const char *end = text.at + text.n;
    for (const char *p = text.at; p < end; l.n++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline != NULL ? newline + 1 : end;
    }
    l.at = must_allocate(((size_t)l.n + 1) * sizeof *l.at);
    l.id = must_allocate((size_t)l.n * sizeof *l.id);
    l.common = must_allocate((size_t)l.n * sizeof *l.common);
    memset(l.common, 0, (size_t)l.n * sizeof *l.common);
    const char *p = text.at;
    for (int i = 0; i < l.n; i++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        l.at[i] = p;
        p = newline != NULL ? newline + 1 : end;
    }
    l.at[l.n] = p;
    return l;
}

static struct head
head_of(const struct lines *l, int text, int number)
{
    return (struct head){l->at[number], (size_t)(l->at[number + 1] - l->at[number]), text, number};
}

static void
lines_free(struct lines *l)
{
    free(l->at);
    free(l->id);
    free(l->common);
}

static int
by_bytes(const struct head *a, const struct head *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    return memcmp(a->at, b->at, a->n);
}

static int
by_bytes_then_place(const void *x, const void *y)
{
    const struct head *a = x, *b = y;
    int order = by_bytes(a, b);
    if (order != 0)
        return order;
    return a->text != b->text ? a->text - b->text : (a->number > b->number) - (a->number < b->number);
}

/* true where a line is the line before it again */
static bool
repeats(const struct lines *l, int number)
{
    if (number == 0)
        return false;
    struct head before = head_of(l, 0, number - 1), line = head_of(l, 0, number);
    return by_bytes(&before, &line) == 0;
}

/* Puts the lines that start a run of equal ones, for millions of empty lines are one; NULL only counts them. */
static size_t
find_heads(const struct lines *l, int text, struct head *heads)
{
    size_t n = 0;
    for (int i = 0; i < l->n; i++) {
        if (repeats(l, i))
            continue;
        if (heads != NULL)
            heads[n] = head_of(l, text, i);
        n++;
    }
    return n;
}

/* gives a line that repeats the one before it the id of that */
static void
number_repeated(struct lines *l, int *only)
{
    for (int i = 0; i < l->n; i++)
        if (repeats(l, i)) {
            l->id[i] = l->id[i - 1];
            only[l->id[i]] = -2;
        }
}

/* Gives equal lines equal ids, and finds the ids that occur once. */
static void
number_lines(struct differ *d)
{
    size_t n_from = find_heads(&d->from, 0, NULL), n = n_from + find_heads(&d->to, 1, NULL);
    struct head *heads = must_allocate(n * sizeof *heads);
    find_heads(&d->from, 0, heads);
    find_heads(&d->to, 1, heads + n_from);
    qsort(heads, n, sizeof *heads, by_bytes_then_place);
    for (int t = 0; t < 2; t++) {
        d->only[t] = must_allocate(n * sizeof *d->only[t]);
        memset(d->only[t], 0xff, n * sizeof *d->only[t]);
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && by_bytes(&heads[i - 1], &heads[i]) != 0)
            d->ids++;
        int *only = &d->only[heads[i].text][d->ids];
        *only = *only == -1 ? heads[i].number : -2;
        (heads[i].text == 0 ? d->from.id : d->to.id)[heads[i].number] = d->ids;
    }
    free(heads);
    number_repeated(&d->from, d->only[0]);
    number_repeated(&d->to, d->only[1]);
}

static void
match(struct differ *d, int x, int y)
{
    d->from.common[x] = true;
    d->to.common[y] = true;
}

/* Follows the traces of the greedy search back from its end; common[] keeps the diagonals. */
static void
walk_back(struct differ *d, const int *traces, int edits, int x0, int y0, int n, int m)
{
    int x = n, y = m;
    for (int e = edits; e >= 0; e--) {
        int k = x - y, from_x = 0, from_y = 0;
        if (e > 0) {
            const int *v = traces + (size_t)(e - 1) * (2 * MOST_EDITS + 3) + MOST_EDITS + 1;
            bool down = k == -e || (k != e && v[k - 1] < v[k + 1]);
            int from_k = down ? k + 1 : k - 1;
            from_x = v[from_k];
            from_y = from_x - from_k;
            int start = down ? from_x : from_x + 1;
            while (x > start)
                match(d, x0 + --x, y0 + --y);
        } else {
            while (x > 0)
                match(d, x0 + --x, y0 + --y);
        }
        x = from_x;
        y = from_y;
    }
}

/* Matches lines [x0, x1) with [y0, y1) by Myers' greedy search, or not at all when that takes too many edits. */
static void
match_greedily(struct differ *d, int *traces, int x0, int x1, int y0, int y1)
{
    enum { ROW = 2 * MOST_EDITS + 3 };
    int n = x1 - x0, m = y1 - y0, v_storage[ROW] = {0}, *v = v_storage + MOST_EDITS + 1;
    const int *a = d->from.id + x0, *b = d->to.id + y0;
    for (int e = 0; e <= MOST_EDITS; e++) {
        for (int k = -e; k <= e; k += 2) {
            int x = e == 0 ? 0 : k == -e || (k != e && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
            while (x < n && x - k < m && a[x] == b[x - k])
                x++;
            v[k] = x;
            if (x >= n && x - k >= m) {
                walk_back(d, traces, e, x0, y0, n, m);
                return;
            }
        }
        memcpy(traces + (size_t)e * ROW, v_storage, sizeof v_storage);
    }
}

/* Trims what is equal at both ends and matches what is left. */
static void
match_gap(struct differ *d, int *traces, int x0, int x1, int y0, int y1)
{
    while (x0 < x1 && y0 < y1 && d->from.id[x0] == d->to.id[y0])
        match(d, x0++, y0++);
    while (x0 < x1 && y0 < y1 && d->from.id[x1 - 1] == d->to.id[y1 - 1])
        match(d, --x1, --y1);
    if (x0 < x1 && y0 < y1)
        match_greedily(d, traces, x0, x1, y0, y1);
}

/* The longest run of lines that are unique in both texts and in the same order: `anchors` gets their numbers in `from`,
 * ascending. Returns how many. */
static int
find_anchors(const struct differ *d, int *anchors)
{
    int n = d->from.n, best = 0;
    int *tops = must_allocate(((size_t)d->ids + 1) * sizeof *tops), *before = must_allocate((size_t)n * sizeof *before);
    for (int x = 0; x < n; x++) {
        int id = d->from.id[x], y = d->only[1][id];
        if (d->only[0][id] < 0 || y < 0)
            continue;
        int low = 0, high = best;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (d->only[1][d->from.id[tops[middle]]] < y)
                low = middle + 1;
            else
                high = middle;
        }
        before[x] = low > 0 ? tops[low - 1] : -1;
        tops[low] = x;
        best = low == best ? best + 1 : best;
    }
    for (int i = best, x = best > 0 ? tops[best - 1] : -1; i-- > 0; x = before[x])
        anchors[i] = x;
    free(tops);
    free(before);
    return best;
}

static void
match_lines(struct differ *d)
{
    int *anchors = must_allocate(((size_t)d->ids + 1) * sizeof *anchors), n = find_anchors(d, anchors);
    int *traces = must_allocate((MOST_EDITS + 1) * (2 * MOST_EDITS + 3) * sizeof *traces);
    int x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        int to = d->only[1][d->from.id[anchors[i]]];
        match_gap(d, traces, x, anchors[i], y, to);
        match(d, anchors[i], to);
        x = anchors[i] + 1;
        y = to + 1;
    }
    match_gap(d, traces, x, d->from.n, y, d->to.n);
    free(traces);
    free(anchors);
}

static void
put_line(struct output *out, char mark, const struct lines *l, int number)
{
    output_write(out, &mark, 1);
    output_write(out, l->at[number], (size_t)(l->at[number + 1] - l->at[number]));
    if (l->at[number + 1][-1] != '\n')
        output_puts(out, "\n\\ No newline at end of file\n");
}

static void
put_range(struct output *out, char mark, int first, int n)
{
    /* an empty range is told by the line before it */
    output_printf(out, n == 1 ? " %c%d" : " %c%d,%d", mark, n == 0 ? first : first + 1, n);
}

/* Prints lines [x0, x1) against [y0, y1). */
static void
put_hunk(struct output *out, const struct differ *d, int x0, int x1, int y0, int y1)
{
    output_puts(out, "@@");
    put_range(out, '-', x0, x1 - x0);
    put_range(out, '+', y0, y1 - y0);
    output_puts(out, " @@\n");
    while (x0 < x1 || y0 < y1) {
        if (x0 < x1 && !d->from.common[x0])
            put_line(out, '-', &d->from, x0++);
        else if (y0 < y1 && !d->to.common[y0])
            put_line(out, '+', &d->to, y0++);
        else
            put_line(out, ' ', &d->from, x0++), y0++;
    }
}

/* Prints the hunks, each with CONTEXT common lines around it. */
static bool
put_hunks(struct output *out, const struct differ *d, const char *old_name, const char *new_name)
{
    const struct lines *from = &d->from, *to = &d->to;
    bool any = false;
    for (int x = 0, y = 0; x < from->n || y < to->n;) {
        if (x < from->n && y < to->n && from->common[x] && to->common[y]) {
            x++, y++;
            continue;
        }
        int lead = x < y ? x : y;
        lead = lead < CONTEXT ? lead : CONTEXT;
        int x1 = x, y1 = y, equal = 0; /* common lines since the last change */
        while ((x1 < from->n || y1 < to->n) && equal <= 2 * CONTEXT) {
            bool old = x1 < from->n && !from->common[x1], new = y1 < to->n && !to->common[y1];
            equal = old || new ? 0 : equal + 1;
            x1 += old || !new;
            y1 += new || !old;
        }
        int drop = equal > CONTEXT ? equal - CONTEXT : 0;
        if (!any) {
            output_puts(out, "--- ");
            output_name(out, old_name);
            output_puts(out, "\n+++ ");
            output_name(out, new_name);
            output_puts(out, "\n");
        }
        any = true;
        put_hunk(out, d, x - lead, x1 - drop, y - lead, y1 - drop);
        x = x1;
        y = y1;
    }
    return any;
}

bool
unified_diff(struct output *out, const char *old_name, const char *new_name, struct input from, struct input to)
{
    struct differ d = {.from = lines_split(from), .to = lines_split(to)};
    number_lines(&d);
    match_lines(&d);
    bool any = put_hunks(out, &d, old_name, new_name);
    lines_free(&d.from);
    lines_free(&d.to);
    free(d.only[0]);
    free(d.only[1]);
    return any;
}
