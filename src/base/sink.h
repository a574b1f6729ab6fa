/* SPDX-License-Identifier: Apache-2.0
 *
 * Where output goes: a buffer that is emptied into a callback, or grows if there is no callback. Errors of the callback
 * are kept until sink_flush, so that printers need no checks. */
#ifndef JX_SINK_H
#define JX_SINK_H

#include "base/mem.h"

struct sink {
    struct mem *mem;
    char *at;
    size_t n, cap;
    int (*write)(void *user, const char *bytes, size_t n); /* 0 on success; NULL: keep everything in memory */
    void *user;
    int error; /* first nonzero result of write; nothing is written after it */
};

/* makes a sink that keeps everything in memory: sink.at[0 .. n) */
void sink_init_memory(struct sink *s, struct mem *m);

/* makes a sink that passes runs of bytes to `write`; call sink_flush at the end */
void sink_init_writer(struct sink *s, struct mem *m, int (*write)(void *, const char *, size_t), void *user);

/* makes room for n more bytes and returns its address; the caller adds what it used to s->n */
char *sink_reserve(struct sink *s, size_t n);

/* passes everything buffered to the writer; returns its first error, or 0 */
int sink_flush(struct sink *s);

/* flushes and frees the buffer; returns the writer's first error, or 0 */
int sink_close(struct sink *s);

/* moves the bytes of a sink in memory to the arena; the sink is empty again */
struct slice sink_take(struct sink *s);

/* appends bytes */
static inline void
sink_write(struct sink *s, const char *bytes, size_t n)
{
    if (n == 0)
        return;
    char *to = s->cap - s->n >= n ? s->at + s->n : sink_reserve(s, n);
    memcpy(to, bytes, n);
    s->n += n;
}

/* appends one byte */
static inline void
sink_char(struct sink *s, char c)
{
    sink_write(s, &c, 1);
}

/* appends a slice */
static inline void
sink_slice(struct sink *s, struct slice text)
{
    sink_write(s, text.at, text.n);
}

/* appends slices with `, ` between them */
void sink_list(struct sink *s, const struct slice *at, u32 n);

/* appends n spaces */
void sink_blanks(struct sink *s, size_t n);

/* room for SINK_SMALL more bytes, as sink_reserve */
enum { SINK_SMALL = 32 };
static inline char *
sink_reserve_small(struct sink *s)
{
    return s->cap - s->n >= SINK_SMALL ? s->at + s->n : sink_reserve(s, SINK_SMALL);
}

/* writes a number in decimal, at most ten digits, but may overwrite ten bytes; returns the end */
char *number_write(char *to, u32 number);

/* appends a number in decimal digits */
void sink_number(struct sink *s, u32 number);

/* appends formatted text */
void sink_printf(struct sink *s, const char *format, ...) printf_like(2, 3);

/* appends bytes in base64: padded or, if `address`, in the alphabet of addresses (- and _) without padding */
void sink_base64(struct sink *s, const void *bytes, size_t n, bool address);

/* appends the bytes as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD, controls are escaped */
void sink_json_string(struct sink *s, struct slice text);

#endif
