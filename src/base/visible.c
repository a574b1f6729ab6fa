/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of plain characters are copied, the others looked at one by one. Linear. */
#include "base/visible.h"

#include "base/utf8.h"

#include <stdio.h>

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
    return code == 0x061C || (code >= 0x2000 && code <= 0x200B) || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

size_t
glyph_read(struct glyph *g, const char *p, size_t n)
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
    int wrote;
    if (length && (code == '\n' || code == '\r' || code == '\t'))
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\%c", code == '\n' ? 'n' : code == '\r' ? 'r' : 't');
    else if (length == 1 || length == 0)
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\x%02x", (unsigned)(u8)*p);
    else
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\u{%x}", code);
    g->at = g->buffer;
    g->n = g->cells = (u8)wrote;
    g->escaped = true;
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

size_t
find_disguise(struct slice text, size_t *at, u32 *code)
{
    for (size_t i = 0; (i += plain_length(text.at + i, text.n - i)) < text.n;) {
        size_t n = utf8_decode(text.at + i, text.n - i, code);
        if (n > 1 && must_escape(*code)) {
            *at = i;
            return n;
        }
        i += n ? n : 1;
    }
    return 0;
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
            i += glyph_read(&g, text.at + i, text.n - i);
            sink_write(out, g.at, g.n);
        }
    }
}
