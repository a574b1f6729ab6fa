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
    struct position p = {.line = lo + 1, .column = 1, .line_start = t->lines.at[lo]};
    p.line_end = lo + 1 < t->lines.n ? t->lines.at[lo + 1] - 1 : t->n;
    if (p.line_end > p.line_start && t->at[p.line_end - 1] == '\r')
        p.line_end--;
    u32 from = p.line_start;
    if (t->origins) {
        const struct origin *o = text_origin(t, offset);
        p.line = o->line;
        p.column = o->column;
        from = o->at;
    }
    u32 far = t->origins ? offset : offset + (offset - from) / 2;
    if (t->last_column && t->last_offset >= from && t->last_offset <= far &&
        t->last_offset <= p.line_end) { /* closer than from the beginning */
        from = t->last_offset;
        p.column = t->last_column;
    }
    for (u32 i = from; i < offset; i++)
        p.column += ((u8)t->at[i] & 0xC0) != 0x80;
    for (u32 i = from; i > offset; i--)
        p.column -= ((u8)t->at[i - 1] & 0xC0) != 0x80;
    t->last_offset = offset;
    t->last_column = p.column;
    return p;
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
    for (u32 i = 0; i < t->lines.n; i++)
        *vec_push(m, &origins) = (struct origin){t->lines.at[i], i + 1, 1, false};
    t->origins = origins.at;
    t->n_origins = origins.n;
    vec_free(m, &t->lines);
}

void
text_move_lines(struct text *t, i64 more)
{
    for (u32 i = 0; i < t->n_origins; i++)
        t->origins[i].line = (u32)(t->origins[i].line + more);
    t->last_column = 0;
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
text_left_out(struct mem *m, struct text *t, u32 at, u32 n, bool kept)
{
    struct join last = t->joins.n > 0 ? t->joins.at[t->joins.n - 1] : (struct join){NONE, 0, 0};
    t->joins.n -= last.at == at;
    *vec_push(m, &t->joins) = (struct join){at, last.skipped + n, last.kept + (kept ? n : 0)};
}

/* the offset in the original of a byte of the text */
static u32
original_offset(const struct text *t, u32 offset)
{
    u32 before = vec_before(&t->joins, offset + 1);
    return offset + (before > 0 ? t->joins.at[before - 1].kept : 0);
}

/* the end in the original of the character that became the byte before an offset */
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

/* the number, from 0, of the line of the original that contains an offset */
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
