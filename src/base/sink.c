/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer of 64 KiB before a writer, or a doubling buffer in memory. O(bytes). */
#include "base/sink.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

enum { BUFFER = 64 << 10 };

void
sink_init_memory(struct sink *s, struct mem *m)
{
    *s = (struct sink){.mem = m};
}

void
sink_init_writer(struct sink *s, struct mem *m, int (*write)(void *, const char *, size_t), void *user)
{
    *s = (struct sink){.mem = m, .write = write, .user = user};
}

int
sink_flush(struct sink *s)
{
    if (s->write && s->n) {
        if (!s->error)
            s->error = s->write(s->user, s->at, s->n);
        s->n = 0;
    }
    return s->error;
}

int
sink_close(struct sink *s)
{
    sink_flush(s);
    mem_free(s->mem, s->at);
    s->at = NULL;
    s->n = s->cap = 0;
    return s->error;
}

struct slice
sink_take(struct sink *s)
{
    struct slice text = arena_copy(s->mem, (struct slice){s->at, s->n});
    sink_close(s);
    return text;
}

char *
sink_reserve(struct sink *s, size_t n)
{
    if (s->write && s->n + n > BUFFER)
        sink_flush(s);
    if (s->cap - s->n < n) {
        size_t cap = s->cap ? s->cap * 2 : BUFFER;
        if (cap < s->n + n)
            cap = s->n + n;
        s->at = mem_resize(s->mem, s->at, cap);
        s->cap = cap;
    }
    return s->at + s->n;
}

void
sink_list(struct sink *s, const struct slice *at, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        sink_write(s, ", ", i ? 2 : 0);
        sink_slice(s, at[i]);
    }
}

void
sink_blanks(struct sink *s, size_t n)
{
    while (n) {
        size_t run = n < BUFFER ? n : BUFFER;
        char *to = sink_reserve(s, run);
        memset(to, ' ', run);
        s->n += run;
        n -= run;
    }
}

void
sink_number(struct sink *s, u32 number)
{
    char *to = sink_reserve_small(s);
    s->n += (size_t)(number_write(to, number) - to);
}

char *
number_write(char *to, u32 number)
{
    enum { DIGITS = 10 };
    char digits[2 * DIGITS], *p = digits + DIGITS;
    do
        *--p = (char)('0' + number % 10);
    while ((number /= 10));
    memcpy(to, p, DIGITS); /* the caller has reserved the maximum: a copy of a fixed size is two moves */
    return to + (digits + DIGITS - p);
}

void
sink_printf(struct sink *s, const char *format, ...)
{
    enum { USUAL = 128 };
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char *to = sink_reserve(s, USUAL);
    int n = vsnprintf(to, USUAL, format, args);
    va_end(args);
    if (n >= USUAL) {
        to = sink_reserve(s, (size_t)n + 1);
        vsnprintf(to, (size_t)n + 1, format, again);
    }
    if (n > 0)
        s->n += (size_t)n;
    va_end(again);
}

void
sink_base64(struct sink *s, const void *bytes, size_t n, bool address)
{
    const char *digits = address ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                                 : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const u8 *p = bytes;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        u32 word = (u32)p[i] << 16 | (left > 1 ? (u32)p[i + 1] << 8 : 0) | (left > 2 ? p[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            if (k <= left)
                sink_char(s, digits[word >> (18 - 6 * k) & 63]);
            else if (!address)
                sink_char(s, '=');
    }
}

void
sink_json_string(struct sink *s, struct slice text)
{
    sink_char(s, '"');
    for (size_t i = 0; i < text.n;) {
        u8 c = (u8)text.at[i];
        if (c == '"' || c == '\\') {
            char pair[2] = {'\\', (char)c};
            sink_write(s, pair, 2);
            i++;
        } else if (c == '\n' || c == '\t' || c == '\r') {
            sink_write(s, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r", 2);
            i++;
        } else if (c < 0x20 || c == 0x7f) {
            sink_printf(s, "\\u%04x", c);
            i++;
        } else if (c < 0x80) {
            size_t from = i;
            do
                i++;
            while (i < text.n && (u8)(text.at[i] - 0x20) < 0x5f && text.at[i] != '"' && text.at[i] != '\\');
            sink_write(s, text.at + from, i - from);
        } else {
            size_t n = utf8_length(text.at + i, text.n - i);
            if (n == 2 && c == 0xC2 && (u8)text.at[i + 1] < 0xA0) /* including control characters */
                sink_printf(s, "\\u%04x", (u8)text.at[i + 1]);
            else if (n)
                sink_write(s, text.at + i, n);
            else
                sink_write(s, "\xEF\xBF\xBD", 3);
            i += n ? n : 1;
        }
    }
    sink_char(s, '"');
}
