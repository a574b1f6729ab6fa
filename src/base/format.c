/* SPDX-License-Identifier: Apache-2.0
 *
 * Most conversions of messages put a string or a plain decimal number, which the C library does in ten times the
 * instructions that it takes, for it sets up a stream each time. These are done here; a format with any other
 * conversion is the library's. O(bytes). */
#include "base/format.h"

#include <stdio.h>
#include <string.h>

/* What is being written: n counts what does not fit, too. */
struct target {
    char *to;
    size_t room, n;
};

static void
put(struct target *t, const char *bytes, size_t n)
{
    size_t left = t->n < t->room ? t->room - t->n : 0;
    if (left && n)
        memcpy(t->to + t->n, bytes, n < left ? n : left);
    t->n += n;
}

static void
put_number(struct target *t, unsigned long long number, bool negative)
{
    char digits[24], *p = digits + sizeof digits;
    do
        *--p = (char)('0' + number % 10);
    while ((number /= 10));
    if (negative)
        *--p = '-';
    put(t, p, (size_t)(digits + sizeof digits - p));
}

static void
put_signed(struct target *t, long long number)
{
    put_number(t, number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, number < 0);
}

/* puts the conversion behind a `%` at p; returns what follows it, NULL where that is the library's to do */
static const char *
convert(struct target *t, const char *p, va_list *args)
{
    if (*p == 's') {
        const char *string = va_arg(*args, const char *);
        put(t, string, strlen(string));
    } else if (*p == 'u') {
        put_number(t, va_arg(*args, unsigned), false);
    } else if (*p == 'd') {
        put_signed(t, va_arg(*args, int));
    } else if (*p == 'c') {
        char c = (char)va_arg(*args, int);
        put(t, &c, 1);
    } else if (strncmp(p, ".*s", 3) == 0) {
        int most = va_arg(*args, int);
        const char *string = va_arg(*args, const char *);
        const char *nul = most < 0 ? NULL : memchr(string, 0, (size_t)most);
        put(t, string, most < 0 ? strlen(string) : nul ? (size_t)(nul - string) : (size_t)most);
        p += 2;
    } else if (strncmp(p, "llu", 3) == 0) {
        put_number(t, va_arg(*args, unsigned long long), false);
        p += 2;
    } else if (strncmp(p, "lld", 3) == 0) {
        put_signed(t, va_arg(*args, long long));
        p += 2;
    } else {
        return NULL;
    }
    return p + 1;
}

int
format_args(char *to, size_t room, const char *format, va_list args)
{
    struct target t = {to, room, 0};
    va_list mine;
    va_copy(mine, args);
    for (const char *p = format; p && *p;) {
        const char *literal = p;
        p += strcspn(p, "%");
        put(&t, literal, (size_t)(p - literal));
        if (*p && !(p = convert(&t, p + 1, &mine))) {
            va_end(mine);
            return vsnprintf(to, room, format, args);
        }
    }
    va_end(mine);
    if (room)
        to[t.n < room ? t.n : room - 1] = 0;
    return (int)t.n;
}
