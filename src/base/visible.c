/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of plain characters are copied, others are examined one by one. Linear. */
#include "base/visible.h"

#include "base/utf8.h"

#include <stdio.h>

/* the selectors of variants of Chinese characters */
static bool
is_late_selector(u32 code)
{
    return code >= 0xE0100 && code <= 0xE01EF;
}

/* control characters, characters that reorder or hide the text around them, and those that only look like a space */
static bool
must_escape(u32 code)
{
    if (code < 0x7f)
        return code < 0x20;
    if (code < 0xA0)
        return true;
    if (code == 0xA0 || code == 0xAD || code == 0x1680 || code == 0x202F || code == 0x205F || code == 0x3000)
        return true;
    if (code == 0x115F || code == 0x1160 || code == 0x17B4 || code == 0x17B5 || code == 0x180E || code == 0x3164 ||
        code == 0xFFA0)
        return true;
    if (code >= 0x10000)
        return (code >= 0x1BCA0 && code <= 0x1BCA3) || (code >= 0x1D173 && code <= 0x1D17A) ||
               (code >= 0xE0000 && code <= 0xE0FFF && !is_late_selector(code));
    return code == 0x061C || (code >= 0x2000 && code <= 0x200B) || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF9 && code <= 0xFFFB);
}

/* makes the glyph an escape: of one byte, or of a character if `wide` */
static void
escape(struct glyph *g, u32 code, bool wide)
{
    int wrote;
    if (!wide && (code == '\n' || code == '\r' || code == '\t'))
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\%c", code == '\n' ? 'n' : code == '\r' ? 'r' : 't');
    else
        wrote = snprintf(g->buffer, sizeof g->buffer, wide ? "\\u{%x}" : "\\x%02x", (unsigned)code);
    g->at = g->buffer;
    g->n = g->cells = (u8)wrote;
    g->escaped = true;
}

/* glyph_read of a character whatever is before it; n > 0 bytes are left from p on */
static size_t
read_alone(struct glyph *g, const char *p, size_t n)
{
    u32 code = (u8)*p;
    bool plain = code >= 0x20 && code < 0x7f; /* the common case */
    size_t length = plain ? 1 : utf8_decode(p, n, &code);
    if (plain || (length && !must_escape(code))) {
        g->at = p;
        g->n = (u8)length;
        g->cells = plain ? 1 : (u8)utf8_cells(code);
        g->escaped = false;
        return length;
    }
    escape(g, length > 1 ? code : (u8)*p, length > 1);
    return length ? length : 1;
}

size_t
plain_length(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && (u8)p[i] >= 0x20 && (u8)p[i] < 0x7f)
        i++;
    return i;
}

/* whether a character that modifies the one before it has none to modify, and so is invisible: it may follow a
 * non-ASCII character, as in an emoji or an Arabic word, or begin a keycap */
static bool
is_lone_joiner(u32 code, struct slice text, size_t at, size_t n)
{
    bool selector = (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0x180B && code <= 0x180F) || is_late_selector(code);
    u32 next = 0;
    if (!selector && code != 0x034F && code != 0x200C && code != 0x200D)
        return false;
    utf8_decode(text.at + at + n, text.n - at - n, &next);
    return (at == 0 || (u8)text.at[at - 1] < 0x80) && next != 0x20E3;
}

size_t
glyph_read(struct glyph *g, struct slice text, size_t at)
{
    u32 code;
    size_t n = read_alone(g, text.at + at, text.n - at);
    if (n > 1 && !g->escaped && utf8_decode(text.at + at, text.n - at, &code) && is_lone_joiner(code, text, at, n))
        escape(g, code, true);
    return n;
}

size_t
find_hidden(struct slice text, size_t *at, u32 *code)
{
    for (size_t i = 0; (i += plain_length(text.at + i, text.n - i)) < text.n;) {
        size_t n = utf8_decode(text.at + i, text.n - i, code);
        bool blank = *code == '\n' || *code == '\r' || *code == '\t';
        if (n && !blank && (must_escape(*code) || is_lone_joiner(*code, text, i, n))) {
            *at = i;
            return n;
        }
        i += n ? n : 1;
    }
    return 0;
}

const char *
hidden_kind(u32 code)
{
    if (code < 0xA0)
        return "is a control character";
    if ((code >= 0x200E && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
        (code >= 0x2066 && code <= 0x2069) || code == 0x61C)
        return "changes the order in which text is shown";
    return "is invisible";
}

void
write_visible(struct sink *out, struct slice text)
{
    struct glyph g;
    for (size_t i = 0; i < text.n;) {
        size_t run = plain_length(text.at + i, text.n - i);
        sink_write(out, text.at + i, run);
        i += run;
        if (i < text.n) {
            i += glyph_read(&g, text, i);
            sink_write(out, g.at, g.n);
        }
    }
}
