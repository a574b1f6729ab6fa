/* SPDX-License-Identifier: Apache-2.0
 *
 * A unified diff of two texts by lines. Lines that occur once in each text and keep their order anchor the match
 * (patience); diff_anchor matches what is between two anchors. n log n. */
#include "diff/lines.h"

#include "base/names.h"
#include "diff/diff.h"

enum { CONTEXT = 3, ABSENT = NONE, SEVERAL = NONE - 1 };

struct lines {
    struct slice *at; /* lines, with their newlines */
    u64 *key;         /* equal lines have equal keys */
    u8 *common;       /* 1: matched with a line of the other text */
    u32 n;
};

/* Where a line occurs in each text: ABSENT, SEVERAL times, or its index. */
struct place {
    u64 key;
    u32 at[2];
};

struct differ {
    struct mem *mem;
    struct lines from, to;
    u32 x, y; /* the first lines that are not matched yet */
};

static struct lines
lines_split(struct mem *mem, struct slice text)
{
    struct lines l = {0};
    const char *end = text.at + text.n;
    u32 n = 1;
    for (const char *p = text.at; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        n++;
    l.at = mem_alloc(mem, n * sizeof *l.at);
    l.key = mem_alloc(mem, n * sizeof *l.key);
    l.common = mem_zeroed(mem, n);
    for (const char *p = text.at; p < end; l.n++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline ? newline + 1 : end;
        l.at[l.n] = (struct slice){p, (size_t)(next - p)};
        l.key[l.n] = hash_slice(mem->secret, l.at[l.n]);
        p = next;
    }
    return l;
}

static void
lines_free(struct mem *mem, struct lines *l)
{
    mem_free_all(mem, l->at, l->key, l->common);
}

static struct place *
place_of(struct place *table, u32 mask, u64 key)
{
    u32 i = (u32)(key >> 20) & mask;
    while (table[i].key != key && (table[i].at[0] != ABSENT || table[i].at[1] != ABSENT))
        i = (i + 1) & mask;
    return &table[i];
}

/* a table of mask + 1 slots for all lines of both texts */
static struct place *
find_places(struct differ *d, u32 *mask)
{
    *mask = 15;
    while (*mask < 2 * (d->from.n + d->to.n))
        *mask = 2 * *mask + 1;
    struct place *table = mem_alloc(d->mem, ((size_t)*mask + 1) * sizeof *table);
    memset(table, 0xFF, ((size_t)*mask + 1) * sizeof *table);
    for (u32 side = 0; side < 2; side++) {
        const struct lines *l = side ? &d->to : &d->from;
        for (u32 i = 0; i < l->n; i++) {
            struct place *p = place_of(table, *mask, l->key[i]);
            p->key = l->key[i];
            p->at[side] = p->at[side] == ABSENT ? i : SEVERAL;
        }
    }
    return table;
}

static void
match_line(void *arg, u32 x, u32 y)
{
    struct differ *d = arg;
    if (!slice_eq(d->from.at[d->x + x], d->to.at[d->y + y]))
        return;
    d->from.common[d->x + x] = 1;
    d->to.common[d->y + y] = 1;
}

/* matches the lines from d->x and d->y on up to x and y, and then these two */
static void
match_up_to(struct differ *d, u32 x, u32 y)
{
    diff_anchor(d->mem, (struct diff_keys){d->from.key + d->x, x - d->x},
                (struct diff_keys){d->to.key + d->y, y - d->y}, match_line, d);
    d->x = x;
    d->y = y;
    if (x == d->from.n)
        return;
    match_line(d, 0, 0);
    d->x++;
    d->y++;
}

static void
match_lines(struct differ *d)
{
    u32 mask, n = 0, *left = mem_alloc(d->mem, 2 * ((size_t)d->from.n + 1) * sizeof *left), *right = left + d->from.n;
    struct place *table = find_places(d, &mask);
    for (u32 x = 0; x < d->from.n; x++) {
        const struct place *p = place_of(table, mask, d->from.key[x]);
        if (p->at[0] < SEVERAL && p->at[1] < SEVERAL) {
            left[n] = x;
            right[n++] = p->at[1];
        }
    }
    u8 *keep = mem_alloc(d->mem, (size_t)n + 1);
    diff_ascending(d->mem, right, n, keep);
    for (u32 i = 0; i < n; i++)
        if (keep[i])
            match_up_to(d, left[i], right[i]);
    match_up_to(d, d->from.n, d->to.n);
    mem_free_all(d->mem, keep, table, left);
}

static void
write_line(struct sink *out, char mark, struct slice line)
{
    sink_char(out, mark);
    sink_slice(out, line);
    if (line.at[line.n - 1] != '\n')
        sink_slice(out, SLICE("\n\\ No newline at end of file\n"));
}

/* writes a range of lines; an empty one is described by the line before it */
static void
write_range(struct sink *out, char mark, u32 first, u32 n)
{
    sink_char(out, ' ');
    sink_char(out, mark);
    sink_number(out, n == 0 ? first : first + 1);
    if (n != 1) {
        sink_char(out, ',');
        sink_number(out, n);
    }
}

/* writes a hunk: lines [x, x1) of the one text, and [y, y1) of the other */
static void
write_hunk(struct sink *out, const struct differ *d, u32 x, u32 x1, u32 y, u32 y1)
{
    sink_slice(out, SLICE("@@"));
    write_range(out, '-', x, x1 - x);
    write_range(out, '+', y, y1 - y);
    sink_slice(out, SLICE(" @@\n"));
    while (x < x1 || y < y1) {
        if (x < x1 && !d->from.common[x])
            write_line(out, '-', d->from.at[x++]);
        else if (y < y1 && !d->to.common[y])
            write_line(out, '+', d->to.at[y++]);
        else
            write_line(out, ' ', d->from.at[x++]), y++;
    }
}

/* writes the hunks, each with CONTEXT common lines around it, and the header before the first */
static bool
write_hunks(struct sink *out, const struct differ *d, struct slice header)
{
    const struct lines *from = &d->from, *to = &d->to;
    bool any = false;
    for (u32 x = 0, y = 0; x < from->n || y < to->n;) {
        if (x < from->n && y < to->n && from->common[x] && to->common[y]) {
            x++, y++;
            continue;
        }
        u32 lead = x < y ? x : y, x1 = x, y1 = y, equal = 0; /* how many common lines follow the last change */
        lead = lead < CONTEXT ? lead : CONTEXT;
        while ((x1 < from->n || y1 < to->n) && equal <= 2 * CONTEXT) {
            bool removed = x1 < from->n && !from->common[x1], added = y1 < to->n && !to->common[y1];
            equal = removed || added ? 0 : equal + 1;
            x1 += removed || !added;
            y1 += added || !removed;
        }
        u32 drop = equal > CONTEXT ? equal - CONTEXT : 0;
        if (!any)
            sink_slice(out, header);
        any = true;
        write_hunk(out, d, x - lead, x1 - drop, y - lead, y1 - drop);
        x = x1;
        y = y1;
    }
    return any;
}

void
lines_match(struct mem *mem, struct slice from, struct slice to, lines_changed *take, void *arg)
{
    struct differ d = {.mem = mem, .from = lines_split(mem, from), .to = lines_split(mem, to)};
    match_lines(&d);
    for (u32 x = 0, y = 0; x < d.from.n || y < d.to.n; x++, y++) {
        u32 x1 = x, y1 = y;
        while (x1 < d.from.n && !d.from.common[x1])
            x1++;
        while (y1 < d.to.n && !d.to.common[y1])
            y1++;
        if (x1 > x || y1 > y)
            take(arg, x, x1, y, y1);
        x = x1;
        y = y1;
    }
    lines_free(mem, &d.from);
    lines_free(mem, &d.to);
}

bool
lines_diff(struct mem *mem, struct sink *out, struct slice header, struct slice from, struct slice to)
{
    struct differ d = {.mem = mem, .from = lines_split(mem, from), .to = lines_split(mem, to)};
    match_lines(&d);
    bool any = write_hunks(out, &d, header);
    lines_free(mem, &d.from);
    lines_free(mem, &d.to);
    return any;
}
