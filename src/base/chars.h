/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes of bytes that the language knows. Names may hold any character beyond ASCII (Python's identifiers). */
#ifndef JX_CHARS_H
#define JX_CHARS_H

#include "base/base.h"

/* a decimal digit */
static inline bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* the first byte of a name; `*` is the unit of the oldest printers */
static inline bool
is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '*' || (u8)c >= 0x80;
}

/* a byte of a name behind its first */
static inline bool
is_word_char(char c)
{
    static const bool word[256] = {
        ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['_'] = true, ['a' ... 'z'] = true, [0x80 ... 0xff] = true};
    return word[(u8)c];
}

/* true for the names of primitives that are classes, whose parameters are not sorted and may be such primitives */
static inline bool
prim_is_class(const char *p)
{
    return *p >= 'A' && *p <= 'Z';
}

/* a byte that stands between tokens */
static inline bool
is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* the first byte from p on that is no blank; texts end in padding that is none */
static inline const char *
skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

/* behind the string whose quote stands at p, or `end` where none closes it */
static inline const char *
quoted_end(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote)
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end ? p + 1 : end;
}

/* where the bracket closes that opens at s.at[i], strings not told from other text; s.n where it does not */
static inline size_t
bracket_end(struct slice s, size_t i)
{
    for (u32 depth = 0; i < s.n; i++) {
        depth += s.at[i] == '[' || s.at[i] == '(' || s.at[i] == '{';
        depth -= (s.at[i] == ']' || s.at[i] == ')' || s.at[i] == '}') && depth;
        if (depth == 0)
            return i;
    }
    return s.n;
}

#endif
