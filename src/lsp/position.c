/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts between Positions of the protocol (lines from 0 that end with \n, \r\n or \r; UTF-16 units or bytes),
 * places of the library (lines from 1 that end with \n or, in a text of programs, with what repairs turn into \n;
 * code points from 1, without a byte order mark) and byte offsets. Edits update the table of lines, which is rebuilt
 * only if there are other line ends. Linear in the line, or logarithmic in the lines for ASCII text. */
#include "lsp/lsp.h"

#include <inttypes.h>
#include <string.h>

static void
push(struct lines *l, size_t at)
{
    if (l->n == l->cap) {
        l->cap = l->cap > 0 ? l->cap * 2 : 64;
        l->at = must_resize(l->at, l->cap * sizeof *l->at);
    }
    l->at[l->n++] = at;
}

static bool
is_ascii(const char *p, size_t n)
{
    unsigned char all = 0;
    for (size_t i = 0; i < n; i++)
        all |= (unsigned char)p[i];
    return all < 0x80;
}

static void
index_newlines(struct lines *list, struct jx_string text)
{
    const char *end = text.at + text.n;
    push(list, 0);
    for (const char *p = text.at; (p = memchr(p, '\n', (size_t)(end - p))) != NULL;)
        push(list, (size_t)(++p - text.at));
}

/* the line ends of a text of programs that neither the protocol nor other texts have */
static const struct {
    const char *bytes;
    size_t n;
} other_ends[] = {
#define LINE_END(bytes, code) {bytes, sizeof bytes - 1},
#include "line_ends.def"
#undef LINE_END
};

/* the length of the line end at p as the library counts lines in a text of programs; 0 if there is none */
static size_t
line_end_length(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && *q == '\r')
        q++;
    if (q > p)
        return q < end && *q == '\n' ? (size_t)(q + 1 - p) : 1;
    if (*p == '\n')
        return 1;
    for (size_t i = 0; i < sizeof other_ends / sizeof *other_ends; i++)
        if ((size_t)(end - p) >= other_ends[i].n && memcmp(p, other_ends[i].bytes, other_ends[i].n) == 0)
            return other_ends[i].n;
    return 0;
}

/* whether a text that becomes part of a document has line ends that only the library may count */
static bool
has_other_ends(const struct document *d, struct jx_string text)
{
    if (d->kind != DOCUMENT_JAXPR)
        return false;
    bool found = memchr(text.at, '\r', text.n) != NULL;
    for (size_t i = 0; i < sizeof other_ends / sizeof *other_ends && !found; i++)
        found = memmem(text.at, text.n, other_ends[i].bytes, other_ends[i].n) != NULL;
    return found;
}

static void
index_others(struct document *d, struct jx_string text)
{
    const char *end = text.at + text.n;
    push(&d->others, 0);
    for (const char *p = text.at; p < end;) {
        size_t n = line_end_length(p, end);
        p += n > 0 ? n : 1;
        if (n > 0)
            push(&d->others, (size_t)(p - text.at));
    }
}

void
document_index(struct document *d)
{
    struct jx_string text = jx_document_text(d->text);
    if (d->indexed)
        return;
    d->lines.n = d->newlines.n = d->others.n = 0;
    d->indexed = true;
    d->uses_others = has_other_ends(d, text);
    if (d->uses_others)
        index_others(d, text);
    d->ascii = is_ascii(text.at, text.n);
    d->returns = memchr(text.at, '\r', text.n) != NULL;
    if (!d->returns) {
        index_newlines(&d->lines, text);
        return;
    }
    index_newlines(&d->newlines, text);
    push(&d->lines, 0);
    for (size_t i = 0; i < text.n; i++)
        if (text.at[i] == '\n' || (text.at[i] == '\r' && (i + 1 == text.n || text.at[i + 1] != '\n')))
            push(&d->lines, i + 1);
}

/* the index of the line that contains a byte */
static size_t
line_of(const struct lines *l, size_t offset)
{
    size_t lo = 0, hi = l->n;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->at[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

void
document_index_edit(struct document *d, size_t from, size_t to, struct jx_string bytes)
{
    struct lines *l = &d->lines;
    if (!d->indexed || d->returns || d->uses_others || memchr(bytes.at, '\r', bytes.n) != NULL ||
        has_other_ends(d, bytes)) {
        d->indexed = false;
        return;
    }
    size_t first = line_of(l, from) + 1, last = first, more = 0;
    while (last < l->n && l->at[last] <= to)
        last++;
    for (const char *p = bytes.at, *end = p + bytes.n; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        more++;
    size_t n = l->n - (last - first) + more;
    if (n > l->cap) {
        l->cap = n + n / 2;
        l->at = must_resize(l->at, l->cap * sizeof *l->at);
    }
    memmove(l->at + first + more, l->at + last, (l->n - last) * sizeof *l->at);
    l->n = n;
    for (size_t i = first + more; i < n; i++)
        l->at[i] = l->at[i] - (to - from) + bytes.n;
    for (const char *p = bytes.at, *end = p + bytes.n; (p = memchr(p, '\n', (size_t)(end - p))) != NULL;)
        l->at[first++] = from + (size_t)(++p - bytes.at);
    d->ascii = d->ascii && is_ascii(bytes.at, bytes.n);
}

size_t
offset_line(const struct document *d, size_t offset)
{
    return line_of(&d->lines, offset);
}

/* the offset of the end of a line, before its \n, \r\n or \r */
static size_t
line_end(const struct lines *l, size_t line, struct jx_string text)
{
    size_t begin = l->at[line], end = line + 1 < l->n ? l->at[line + 1] : text.n;
    if (end > begin && line + 1 < l->n && text.at[end - 1] == '\n')
        end--;
    if (end > begin && line + 1 < l->n && text.at[end - 1] == '\r')
        end--;
    return end;
}

/* the number of bytes, at most n, of the UTF-8 character at p */
static size_t
character_bytes(const char *p, size_t n)
{
    size_t i = 1;
    while (i < n && ((unsigned char)p[i] & 0xC0) == 0x80)
        i++;
    return i;
}

size_t
position_offset(struct document *d, struct position position)
{
    struct jx_string text = jx_document_text(d->text);
    document_index(d);
    if (position.line >= d->lines.n)
        return text.n;
    const struct lines *l = &d->lines;
    size_t at = l->at[position.line], end = line_end(l, position.line, text);
    if (d->ascii)
        return position.character < end - at ? at + position.character : end;
    for (size_t units = 0; at < end;) {
        size_t n = character_bytes(text.at + at, end - at);
        units += d->utf8 ? n : n > 3 ? 2 : 1;
        if (units > position.character)
            break;
        at += n;
    }
    return at;
}

struct position
offset_position(struct document *d, size_t offset)
{
    struct jx_string text = jx_document_text(d->text);
    document_index(d);
    const struct lines *l = &d->lines;
    size_t line = line_of(l, offset), at = l->at[line];
    struct position position = {(uint32_t)line, 0};
    if (d->ascii || d->utf8) {
        position.character = (uint32_t)(offset - at);
        return position;
    }
    for (; at < offset; at++) {
        unsigned char c = (unsigned char)text.at[at];
        position.character += (c & 0xC0) != 0x80;
        position.character += c >= 0xF0;
    }
    return position;
}

/* the table of lines as the library counts them */
static const struct lines *
library_lines(struct document *d)
{
    document_index(d);
    return d->uses_others ? &d->others : d->returns ? &d->newlines : &d->lines;
}

/* the offset of the first column, for the library, of the line with an index from 0 */
static size_t
first_column(const struct lines *l, size_t line, struct jx_string text)
{
    bool marked = line == 0 && text.n > 2 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0;
    return l->at[line] + (marked ? 3 : 0);
}

struct position
place_position(struct document *d, uint32_t line, uint32_t column)
{
    struct jx_string text = jx_document_text(d->text);
    const struct lines *l = library_lines(d);
    if (line == 0 || column == 0)
        return (struct position){0, 0};
    if (line > l->n)
        return offset_position(d, text.n);
    size_t at = first_column(l, line - 1, text), end = line < l->n ? l->at[line] - 1 : text.n;
    if (d->ascii) {
        at = at + column - 1 < end ? at + column - 1 : end;
        return l != &d->lines ? offset_position(d, at) : (struct position){line - 1, (uint32_t)(at - l->at[line - 1])};
    }
    for (uint32_t i = 1; i < column && at < end; i++)
        at += character_bytes(text.at + at, end - at);
    return offset_position(d, at);
}

void
offset_place(struct document *d, size_t offset, uint32_t *line, uint32_t *column)
{
    struct jx_string text = jx_document_text(d->text);
    const struct lines *l = library_lines(d);
    size_t i = line_of(l, offset), at = first_column(l, i, text);
    *line = (uint32_t)(i + 1);
    *column = 1;
    if (d->ascii && offset >= at)
        *column += (uint32_t)(offset - at);
    else
        for (; at < offset; at++)
            *column += ((unsigned char)text.at[at] & 0xC0) != 0x80;
}

void
write_range(struct output *o, struct document *d, struct jx_place place)
{
    struct position from = place_position(d, place.line, place.column), to = from;
    if (place.line > 0)
        to = place_position(d, place.end_line, place.end_column);
    output_printf(o,
                  "\"range\":{\"start\":{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "},\"end\":{\"line\":%" PRIu32
                  ",\"character\":%" PRIu32 "}}",
                  from.line, from.character, to.line, to.character);
}

void
write_byte_range(struct output *o, struct document *d, size_t from, size_t to)
{
    struct position begin = offset_position(d, from), end = offset_position(d, to);
    output_printf(o,
                  "\"range\":{\"start\":{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "},\"end\":{\"line\":%" PRIu32
                  ",\"character\":%" PRIu32 "}}",
                  begin.line, begin.character, end.line, end.character);
}
