/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of the input made safe to show: whatever its bytes, they command no terminal and hide nothing. */
#ifndef JX_VISIBLE_H
#define JX_VISIBLE_H

#include "base/sink.h"

/* One character as it is shown: itself, or an escape (`\x1b`) where showing it would act on the terminal, be
 * invisible or be no UTF-8. */
struct glyph {
    const char *at; /* n bytes: inside the input, or inside buffer */
    u8 n;
    u8 cells; /* terminal cells; 0 for combining marks */
    bool escaped;
    char buffer[12];
};

/* shows the character at p (n > 0 bytes are there); returns how many bytes of input it is */
size_t glyph_read(struct glyph *g, const char *p, size_t n);

/* how many of n bytes, from the first on, show themselves in one cell each: printable ASCII */
size_t plain_length(const char *p, size_t n);

/* the first character beyond ASCII that looks like a blank, or like nothing: its length, offset and code point; 0 where
 * there is none */
size_t find_disguise(struct slice text, size_t *at, u32 *code);

/* appends bytes of the input, or a message that quotes them, as glyphs */
void write_visible(struct sink *out, struct slice text);

#endif
