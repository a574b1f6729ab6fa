/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes of bytes in the language. Names may hold any character beyond ASCII (Python's identifiers). */
#ifndef JX_CHARS_H
#define JX_CHARS_H

#include "base/base.h"

/* a decimal digit */
static inline bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* true for a number with leading zeros, `03`, which neither JAX nor Python prints */
static inline bool
is_padded(const char *p, const char *end)
{
    return end - p > 1 && *p == '0' && is_digit(p[1]);
}

/* the first byte of a name; the oldest printers call the unit variable `*` */
static inline bool
is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '*' || (u8)c >= 0x80;
}

/* a byte of a name after its first */
static inline bool
is_word_char(char c)
{
    static const bool word[256] = {
        ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['_'] = true, ['a' ... 'z'] = true, [0x80 ... 0xff] = true};
    return word[(u8)c];
}

/* true for the names of primitives that are printed as classes; their parameters are not sorted */
static inline bool
prim_is_class(const char *p)
{
    return *p >= 'A' && *p <= 'Z';
}

/* a byte that may occur between tokens */
static inline bool
is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* 1 for a bracket that opens, -1 for one that closes, 0 for other bytes */
static inline int
bracket_step(char c)
{
    return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

/* how many brackets are open after the byte c, where `depth` were before it; a closing one without a partner is
 * ignored */
static inline u32
bracket_depth(u32 depth, char c)
{
    int step = bracket_step(c);
    return depth || step > 0 ? depth + (u32)step : 0;
}

/* skips whitespace; the text ends in padding that is not whitespace */
static inline const char *
skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

/* skips spaces */
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

/* the eight bytes from p on, the first one lowest */
static inline u64
load_word(const char *p)
{
    u64 word;
    memcpy(&word, p, sizeof word);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

/* the top bit of each byte of the word that equals c, exact up to the first such byte; 0 if there is none */
static inline u64
word_bytes(u64 word, char c)
{
    const u64 ones = 0x0101010101010101u;
    word ^= ones * (u8)c;
    return (word - ones) & ~word & ones << 7;
}

/* the index of the first such byte, given a nonzero result of word_bytes */
static inline u32
first_byte(u64 bits)
{
    return (u32)__builtin_ctzll(bits) / 8;
}

/* the end of the name that continues at p */
static inline const char *
word_end(const char *p)
{
    while (is_word_char(*p))
        p++;
    return p;
}

/* the index at which the word that continues at byte i of a slice ends; dotted_until: of a word that may contain
 * dots */
static inline size_t
word_until(struct slice s, size_t i)
{
    while (i < s.n && is_word_char(s.at[i]))
        i++;
    return i;
}

static inline size_t
dotted_until(struct slice s, size_t i)
{
    while (i < s.n && (is_word_char(s.at[i]) || s.at[i] == '.'))
        i++;
    return i;
}

#endif
