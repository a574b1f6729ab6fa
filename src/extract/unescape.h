/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters of string literals of Python, JSON and C, with their escapes. Private to extract. */
#ifndef JX_UNESCAPE_H
#define JX_UNESCAPE_H

#include "base/base.h"

/* A character and the length of its spelling in the literal. */
struct unescaped {
    char bytes[4];
    u32 n, length;
};

/* reads the character at p, where at least 32 bytes are readable, of a literal (level 1) or of a literal inside
 * another (level 2); a backslash that does not begin an escape is a character */
void unescape(const char *p, u32 level, struct unescaped *c);

#endif
