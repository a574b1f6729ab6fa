/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters as string literals of Python, JSON and C write them. Private to extract. */
#ifndef JX_UNESCAPE_H
#define JX_UNESCAPE_H

#include "base/base.h"

/* A character and how many bytes of the literal it took. */
struct unescaped {
    char bytes[4];
    u32 n, length;
};

/* reads the character at p, where at least 32 bytes are, of a literal (level 1) or of a literal inside one (level 2); a
 * backslash that begins no escape is literal */
void unescape(const char *p, u32 level, struct unescaped *c);

#endif
