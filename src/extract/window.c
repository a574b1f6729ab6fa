/* SPDX-License-Identifier: Apache-2.0
 *
 * The window. It grows while its reader needs text far ahead, and moves when half of it has been read: every byte is
 * moved O(1) times, and its place is computed once. */
#include "extract/window.h"

#include "base/utf8.h"

enum { PIECE = 256 << 10, BEGINNING = 4 << 10 };

/* A notebook above this size is read as a log. */
#define LARGEST_NOTEBOOK ((u64)1 << 30)

/* makes space for a piece and reads it; false at the end, or if reading failed */
static bool
read_piece(struct flow *f)
{
    if (f->ended)
        return false;
    if (f->cap - f->n < PIECE + FLOW_PADDING) {
        f->cap = f->cap * 2 + PIECE + FLOW_PADDING;
        f->at = mem_resize(f->mem, f->at, f->cap);
    }
    ptrdiff_t got = f->read(f->user, f->at + f->n, PIECE);
    f->failed = got < 0;
    f->ended = got <= 0;
    f->n += got > 0 ? (size_t)got : 0;
    memset(f->at + f->n, 0, FLOW_PADDING);
    return !f->ended;
}

/* whether the bytes begin a Jupyter notebook */
static bool
notebook_begins(struct slice name, const char *bytes, size_t n)
{
    static const char *const keys[] = {"\"cells\"", "\"nbformat\"", "\"metadata\""};
    size_t i = 0;
    while (i < n && strchr(" \t\r\n", bytes[i]) != NULL && bytes[i])
        i++;
    if (i == n || bytes[i] != '{')
        return false;
    if (name.n > 6 && memcmp(name.at + name.n - 6, ".ipynb", 6) == 0)
        return true;
    for (i++; i < n && bytes[i] && strchr(" \t\r\n", bytes[i]) != NULL; i++)
        ;
    for (u32 k = 0; k < countof(keys); k++)
        if (n - i > strlen(keys[k]) && memcmp(bytes + i, keys[k], strlen(keys[k])) == 0)
            return true;
    return false;
}

void
window_start(struct flow *f, struct mem *m, struct slice name, window_read *read, void *user)
{
    *f = (struct flow){.mem = m, .read = read, .user = user, .mark = {0, 1, 1}, .last = {0, 1, 1}};
    while (f->n < BEGINNING && read_piece(f))
        ;
    if (f->n == 0 || !notebook_begins(name, f->at, f->n))
        return;
    f->unsupported = !notebook_supported();
    while (!f->unsupported && f->n < LARGEST_NOTEBOOK && read_piece(f))
        ;
    if (f->ended && !f->failed && !f->unsupported)
        notebook_read(f);
}

void
window_resume(struct flow *f, struct mem *m, struct file_place from, window_read *read, void *user)
{
    *f = (struct flow){.mem = m, .read = read, .user = user, .base = from.offset, .mark = from, .last = from};
}

bool
window_fill(struct flow *f, u64 to)
{
    while (window_limit(f) < to && read_piece(f))
        ;
    return window_limit(f) >= to;
}

/* the place after the n bytes at p, which begin at place c */
static struct file_place
advance(struct file_place c, const char *p, size_t n)
{
    const char *last = n ? memrchr(p, '\n', n) : NULL, *from = p;
    c.offset += n;
    if (last) {
        u32 lines = 1;
        for (const char *q = p; (q = memchr(q, '\n', (size_t)(last - q))) != NULL; q++)
            lines++;
        c.line += lines;
        c.column = 1;
        from = last + 1;
    }
    u32 points = 0;
    for (const char *q = from; q < p + n; q++)
        points += begins_point(*q);
    c.column += points;
    return c;
}

void
window_drop(struct flow *f, u64 from)
{
    size_t gone = (size_t)(from - f->base);
    if (from <= f->base || gone < f->n / 2 || gone < PIECE)
        return;
    if (f->file_ranges.n == 0)
        f->mark = window_place(f, from, NULL);
    memmove(f->at, f->at + gone, f->n - gone + FLOW_PADDING);
    f->n -= gone;
    f->base = from;
}

/* the range that contains a byte of the notebook's text */
static const struct file_range *
find_file_range(const struct flow *f, u64 at)
{
    u32 lo = 0, hi = f->file_ranges.n;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;
        if (f->file_ranges.at[mid].at <= at)
            lo = mid;
        else
            hi = mid;
    }
    return &f->file_ranges.at[lo];
}

u32
window_run(const struct flow *f, u64 at, u32 n)
{
    if (!window_is_notebook(f))
        return n;
    const struct file_range *s = find_file_range(f, at) + 1, *end = f->file_ranges.at + f->file_ranges.n;
    while (s < end && s->at <= at)
        s++;
    return s < end && s->at - at < n ? (u32)(s->at - at) : n;
}

struct file_place
window_place(struct flow *f, u64 at, const struct file_place *near)
{
    if (f->file_ranges.n) {
        const struct file_range *s = find_file_range(f, at);
        u64 from = s->at > f->base ? s->at : f->base;
        return advance(s->place, window_at(f, from), (size_t)(at - from));
    }
    const struct file_place *from = f->last.offset >= f->mark.offset && f->last.offset <= at ? &f->last : &f->mark;
    from = near ? near : from;
    struct file_place place = advance(*from, window_at(f, from->offset), (size_t)(at - from->offset));
    if (!near)
        f->last = place;
    return place;
}
