/* SPDX-License-Identifier: Apache-2.0
 *
 * A text is one buffer; its line index is one pass of memchr, made on demand. */
#include "base/text.h"

#include "base/utf8.h"

void
text_adopt(struct mem *m, struct text *t, struct slice name, char *bytes, size_t n)
{
    *t = (struct text){.name = arena_copy(m, name), .at = bytes, .n = (u32)n};
    t->parts = mem_zeroed(m, PART_TABLES * PART_SLOTS * sizeof *t->parts);
    memset(t->at + n, 0, TEXT_PADDING);
}

void
text_init(struct mem *m, struct text *t, struct slice name, const char *bytes, size_t n)
{
    char *copy = mem_alloc(m, n + TEXT_PADDING);
    if (n)
        memcpy(copy, bytes, n);
    text_adopt(m, t, name, copy, n);
}

static void
index_lines(struct mem *m, struct text *t)
{
    *vec_push(m, &t->lines) = 0;
    const char *end = t->at + t->n;
    for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(end - p)));)
        *vec_push(m, &t->lines) = (u32)(++p - t->at);
}

u32
text_line(const struct text *t, u32 offset)
{
    return last_until(t->lines.at, t->lines.n, sizeof *t->lines.at, offset);
}

struct position
text_position(struct mem *m, struct text *t, u32 offset)
{
    if (t->lines.n == 0)
        index_lines(m, t);
    if (offset > t->n)
        offset = t->n;
    u32 lo = text_line(t, offset);
    struct position p = {.line = lo + 1, .line_start = t->lines.at[lo]};
    p.line_end = lo + 1 < t->lines.n ? t->lines.at[lo + 1] - 1 : t->n;
    if (p.line_end > p.line_start && t->at[p.line_end - 1] == '\r')
        p.line_end--;
    struct text_base base = text_base(t, offset, p.line_start);
    u32 from = base.at, points = 1;
    if (t->origins)
        p.line = text_origin(t, offset)->line;
    u32 far = t->origins ? offset : offset + (offset - from) / 2;
    if (t->last_points && t->last_offset >= from && t->last_offset <= far &&
        t->last_offset <= p.line_end) { /* closer than from the beginning */
        from = t->last_offset;
        points = t->last_points;
    }
    for (u32 i = from; i < offset; i++)
        points += begins_point(t->at[i]);
    for (u32 i = from; i > offset; i--)
        points -= begins_point(t->at[i - 1]);
    t->last_offset = offset;
    t->last_points = points;
    p.column = (u32)(base.column + (int)points - 1 + text_more_points(t, offset, 1));
    return p;
}

/* how many code points the first n joins left out */
static int
points_of(const struct text *t, u32 n)
{
    return n > 0 ? t->joins.at[n - 1].points : 0;
}

struct text_base
text_base(const struct text *t, u32 offset, u32 line_start)
{
    const struct origin *o = t->origins ? text_origin(t, offset) : NULL;
    if (o)
        return (struct text_base){o->at, (int)o->column - points_of(t, vec_before(&t->joins, o->at + 1))};
    return (struct text_base){line_start, 1 - points_of(t, vec_before(&t->joins, line_start))};
}

int
text_more_points(const struct text *t, u32 at, u32 n)
{
    u32 before = vec_before(&t->joins, at + 1);
    if (n == 0 && before > 0 && t->joins.at[before - 1].at == at && !(t->origins && text_origin(t, at)->at == at) &&
        t->joins.at[before - 1].kept > (before > 1 ? t->joins.at[before - 2].kept : 0))
        before--;
    return points_of(t, before);
}

u32
text_last_character(const struct text *t, u32 at, u32 end)
{
    if (end == at || end > t->n || (!t->origins && t->at[end - 1] == '\n'))
        return end;
    for (end--; end > at && !begins_point(t->at[end]);)
        end--;
    return end;
}

/* the last origin at or before a line and a column of the file */
static u32
origin_of_column(const struct text *t, u32 line, u32 column)
{
    u32 lo = 0, hi = t->n_origins;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;
        const struct origin *o = &t->origins[mid];
        if (o->line < line || (o->line == line && o->column <= column))
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

u32
text_offset(struct mem *m, struct text *t, u32 line, u32 column)
{
    u32 at, limit = t->n;
    if (t->origins) {
        u32 i = origin_of_column(t, line, column);
        if (t->origins[i].line != line || t->origins[i].column > column)
            return NONE;
        at = t->origins[i].at;
        limit = i + 1 < t->n_origins ? t->origins[i + 1].at : limit;
    } else {
        text_position(m, t, 0); /* builds the table of lines */
        if (line == 0 || line > t->lines.n)
            return NONE;
        at = t->lines.at[line - 1];
        limit = line < t->lines.n ? t->lines.at[line] - 1 : limit;
    }
    i64 reached = text_base(t, at, at).column; /* without what was left out */
    u32 next = vec_before(&t->joins, at + 1);
    while (reached + points_of(t, next) < column && at < limit) {
        for (at++; at < limit && !begins_point(t->at[at]); at++)
            ;
        reached++;
        while (next < t->joins.n && t->joins.at[next].at <= at)
            next++;
    }
    return reached + points_of(t, next) >= column ? at : NONE;
}

const struct origin *
text_origin(const struct text *t, u32 offset)
{
    return &t->origins[last_until(t->origins, t->n_origins, sizeof *t->origins, offset)];
}

void
text_keep_lines(struct mem *m, struct text *t)
{
    VEC(struct origin) origins = {0};
    if (t->origins)
        return;
    index_lines(m, t);
    vec_reserve(m, &origins, t->lines.n);
    for (u32 i = 0; i < t->lines.n; i++) {
        u32 at = t->lines.at[i];
        u32 column = (u32)(text_base(t, at, at).column + text_more_points(t, at, 1));
        *vec_push(m, &origins) = (struct origin){at, i + 1, column, false};
    }
    t->origins = origins.at;
    t->n_origins = origins.n;
    vec_free(m, &t->lines);
}

void
text_move_lines(struct text *t, i64 more)
{
    for (u32 i = 0; i < t->n_origins; i++)
        t->origins[i].line = (u32)(t->origins[i].line + more);
    t->last_points = 0;
}

void
text_begin_at(struct mem *m, struct text *t, u32 more)
{
    text_keep_lines(m, t);
    text_move_lines(t, more);
}

u32
text_source(const struct text *t, u32 offset)
{
    u32 before = vec_before(&t->joins, offset + 1);
    return offset + (before > 0 ? t->joins.at[before - 1].skipped : 0);
}

void
text_left_out(struct mem *m, struct text *t, u32 at, struct left_out what)
{
    struct join last = t->joins.n > 0 ? t->joins.at[t->joins.n - 1] : (struct join){NONE, 0, 0, 0};
    t->joins.n -= last.at == at;
    *vec_push(m, &t->joins) =
        (struct join){at, last.skipped + what.n, last.kept + (what.kept ? what.n : 0), last.points + what.points};
}

/* the offset in the original of a byte of the text */
static u32
original_offset(const struct text *t, u32 offset)
{
    u32 before = vec_before(&t->joins, offset + 1);
    return offset + (before > 0 ? t->joins.at[before - 1].kept : 0);
}

/* the end, in the original, of the character that became the byte before an offset */
static u32
original_end(const struct text *t, u32 offset)
{
    if (offset == 0)
        return 0;
    u32 last = original_offset(t, offset - 1);
    size_t n = last < t->n_original ? utf8_length(t->original + last, t->n_original - last) : 0;
    return last + (n > 1 ? (u32)n : 1);
}

void
text_begin_original(struct mem *m, struct text *t, u32 n)
{
    t->original = mem_alloc(m, (size_t)t->n + TEXT_PADDING);
    t->n_original = 0;
    text_append_original(t, t->at, n);
}

void
text_end_original(struct mem *m, struct text *t)
{
    memset(t->original + t->n_original, 0, TEXT_PADDING);
    *vec_push(m, &t->original_lines) = 0;
    const char *end = t->at + t->n;
    for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(end - p)));)
        *vec_push(m, &t->original_lines) = original_end(t, (u32)(++p - t->at));
}

void
text_keep_original(struct mem *m, struct text *t)
{
    if (t->original)
        return;
    text_begin_original(m, t, t->n);
    text_end_original(m, t);
}

/* the index of the line of the original that contains an offset of it */
static u32
original_line(const struct text *t, u32 offset)
{
    return last_until(t->original_lines.at, t->original_lines.n, sizeof *t->original_lines.at, offset);
}

struct slice
text_original(const struct text *t, u32 at, u32 n)
{
    u32 from = original_offset(t, at), before = original_end(t, at);
    if (n == 0 && before < from && original_line(t, before) == original_line(t, from))
        from = before;
    return (struct slice){t->original + from, n ? original_end(t, at + n) - from : 0};
}

struct slice
text_written(const struct text *t, u32 at, u32 n)
{
    struct slice own = {t->at + at, n}, original = t->original ? text_original(t, at, n) : own;
    return memchr(original.at, '\n', original.n) ? own : original;
}

struct slice
text_original_line(const struct text *t, u32 offset)
{
    u32 i = original_line(t, offset);
    const char *from = t->original + t->original_lines.at[i];
    const char *end = t->original + (i + 1 < t->original_lines.n ? t->original_lines.at[i + 1] : t->n_original);
    end -= end > from && end[-1] == '\n';
    end -= end > from && end[-1] == '\r';
    return (struct slice){from, (size_t)(end - from)};
}
