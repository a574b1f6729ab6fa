/* SPDX-License-Identifier: Apache-2.0
 *
 * UTF-8: validity, and how many terminal cells a character takes. */
#ifndef JX_UTF8_H
#define JX_UTF8_H

#include "base/base.h"

/* the length, 1 to 4, of the well-formed character in the n bytes at p; 0 if it is malformed or n is 0 */
size_t utf8_length(const char *p, size_t n);

/* decodes the first character of the n bytes at p into *code; returns its length, or 0 if it is malformed */
size_t utf8_decode(const char *p, size_t n, u32 *code);

/* writes the character of a code point (below 0x110000) at p, where 4 bytes are free; returns its length */
size_t utf8_encode(char *p, u32 code);

/* whether a byte of well-formed text is the first of its character */
static inline bool
begins_point(char byte)
{
    return ((u8)byte & 0xC0) != 0x80;
}

/* whether a character other than \n and \r ends a line (line_ends.def), and whether a text contains one that does */
bool is_line_end(u32 code);
bool has_line_end(struct slice text);

/* terminal cells of a code point: 0 for combining marks, 2 for wide East Asian and emoji, else 1 */
int utf8_cells(u32 code);

/* whether a code point is a sign, symbol, fraction or emoji that no name has: Python's identifiers hold letters, marks
 * and decimal digits. Knows the blocks that keyboards and editors write */
bool is_symbol(u32 code);

/* finds the first of them in a text: returns its length, or 0 where there is none; *at and *code are its offset and
 * code point */
size_t find_symbol(struct slice text, size_t *at, u32 *code);

/* the offset of the first byte that is NUL or not part of well-formed UTF-8, or n if there is none */
size_t utf8_first_bad(const char *p, size_t n);

/* the encoding that the byte order mark of a text shows: UTF-16 or UTF-32; NULL if it has another or none */
const char *text_encoding(struct slice s);

#endif
