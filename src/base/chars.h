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

/* the first byte from p on that is no space */
static inline const char *
skip_spaces(const char *p)
{
    while (*p == ' ')
        p++;
    return p;
}

/* the first byte from p on that is neither a space nor a tab */
static inline const char *
skip_indent(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* the end of the name that goes on at p */
static inline const char *
word_end(const char *p)
{
    while (is_word_char(*p))
        p++;
    return p;
}

#endif
