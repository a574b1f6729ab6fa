/* SPDX-License-Identifier: Apache-2.0
 *
 * Escapes of one level consist of characters of the level below, down to bytes. O(1) for each character. */
#include "extract/unescape.h"

#include "base/utf8.h"

/* marks a non-ASCII byte of the file, as opposed to the code point of an escape */
#define RAW 0x80000000u

static int
hex_value(u32 c)
{
    if (c >= '0' && c <= '9')
        return (int)c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (int)c - 'a' + 10 : -1;
}

static u32 read_unit(const char *p, u32 level, u32 *code);

/* reads up to `most` digits of a base at p; returns how many bytes they take, 0 if there are fewer than `least` */
static u32
read_digits(const char *p, u32 level, u32 least, u32 most, int base, u32 *code)
{
    u32 length = 0, value = 0, count = 0;
    for (; count < most; count++) {
        u32 c, n = read_unit(p + length, level, &c);
        int digit = hex_value(c);
        if (digit < 0 || digit >= base)
            break;
        value = value * (u32)base + (u32)digit;
        length += n;
    }
    if (count < least)
        return 0;
    *code = value;
    return length;
}

/* the character that a backslash and c are an escape of; 0 if they are not such an escape */
static u32
simple_escape(u32 c)
{
    static const char from[] = "nrtbfav\\'\"/", to[] = "\n\r\t\b\f\a\v\\'\"/";
    const char *found = c && c < 0x80 ? strchr(from, (int)c) : NULL;
    return found ? (u8)to[found - from] : 0;
}

/* reads the escape `\u` whose digits begin at p, or a surrogate pair of two; returns its length after `\u`, 0 if it
 * is not one */
static u32
read_utf16(const char *p, u32 level, u32 *code)
{
    u32 length = read_digits(p, level, 4, 4, 16, code), c, low;
    if (!length || (*code & 0xFFFFFC00u) != 0xD800)
        return length;
    u32 next = length + read_unit(p + length, level, &c);
    if (c != '\\')
        return length;
    next += read_unit(p + next, level, &c);
    u32 more = c == 'u' ? read_digits(p + next, level, 4, 4, 16, &low) : 0;
    if (!more || (low & 0xFFFFFC00u) != 0xDC00)
        return length;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return next + more;
}

/* reads one character of an escape level at p; returns its length in bytes of the file */
static u32
read_unit(const char *p, u32 level, u32 *code)
{
    if (level == 0) {
        *code = (u8)*p < 0x80 ? (u8)*p : RAW | (u8)*p;
        return 1;
    }
    u32 below = level - 1, length = read_unit(p, below, code), c, digits = 0;
    if (*code != '\\')
        return length;
    u32 escape = length + read_unit(p + length, below, &c);
    if (simple_escape(c)) {
        *code = simple_escape(c);
        return escape;
    }
    u32 value;
    if (c == 'x')
        digits = read_digits(p + escape, below, 2, 2, 16, &value);
    else if (c == 'u')
        digits = read_utf16(p + escape, below, &value);
    else if (c == 'U')
        digits = read_digits(p + escape, below, 8, 8, 16, &value);
    else if (c >= '0' && c <= '7' && (digits = read_digits(p + length, below, 1, 3, 8, &value)))
        escape = length;
    if (!digits || value >= 0x110000)
        return length;
    *code = value;
    return escape + digits;
}

void
unescape(const char *p, u32 level, struct unescaped *c)
{
    u32 code;
    c->length = read_unit(p, level, &code);
    if (code & RAW) {
        c->bytes[0] = (char)(u8)code;
        c->n = 1;
    } else {
        c->n = (u32)utf8_encode(c->bytes, code);
    }
}
