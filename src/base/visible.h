/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of the input made safe to print: no byte of it acts on the terminal or hides another. */
#ifndef JX_VISIBLE_H
#define JX_VISIBLE_H

#include "base/sink.h"

/* One character as it is printed: itself, or an escape (`\x1b`) where it is a control, invisible or malformed. */
struct glyph {
    const char *at; /* n bytes: inside the input, or inside buffer */
    u8 n;
    u8 cells; /* terminal cells; 0 for combining marks */
    bool escaped;
    char buffer[12];
};

/* reads the character at an offset of a text; returns how many bytes of input it has. One that modifies the character
 * before it is escaped if there is none */
size_t glyph_read(struct glyph *g, struct slice text, size_t at);

/* how many of n bytes, from the first on, are printable ASCII, one cell each */
size_t plain_length(const char *p, size_t n);

/* finds the first character, other than a tab or line end, that is a control, looks like a blank or is invisible:
 * returns its length, or 0 where there is none; *at and *code are its offset and code point */
size_t find_hidden(struct slice text, size_t *at, u32 *code);

/* what such a character does, as a phrase that begins with a verb */
const char *hidden_kind(u32 code);

/* appends bytes of the input, or a message that quotes them, as glyphs */
void write_visible(struct sink *out, struct slice text);

#endif
