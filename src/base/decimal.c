/* SPDX-License-Identifier: Apache-2.0
 *
 * The shortest decimal that reads back as a double, in Python's spelling. Numbers of usual size are worked out exactly
 * in integers of 128 bits; libc prints and reads the others again until they agree. O(1). */
#include "base/decimal.h"

#include "base/sink.h"

#include <stdio.h>
#include <stdlib.h>

/* writes n digits of a number and the exponent of the first, as `125e-02` for 1.25 */
static void
write_digits(char *text, bool minus, u64 digits, int scale)
{
    char backwards[20];
    int n = 0;
    for (; digits; digits /= 10)
        backwards[n++] = (char)('0' + digits % 10);
    int exponent = n - 1 - scale;
    if (minus)
        *text++ = '-';
    while (n > 0)
        *text++ = backwards[--n];
    int size = exponent < 0 ? -exponent : exponent; /* two digits are enough */
    *text++ = 'e';
    *text++ = exponent < 0 ? '-' : '+';
    *text++ = (char)('0' + size / 10);
    *text++ = (char)('0' + size % 10);
    *text = 0;
}

/* writes a number of few digits, which come back as they were; false for others */
static bool
write_short(char *text, double value)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    double size = value < 0 ? -value : value;
    if (!(size >= 1e-6 && size < 1e9))
        return false;
    for (u32 k = 0; k < countof(powers); k++) {
        double scaled = size * powers[k];
        if (scaled >= 1e15 || scaled != (double)(u64)scaled || scaled / powers[k] != size)
            continue;
        write_digits(text, value < 0, (u64)scaled, (int)k);
        return true;
    }
    return false;
}

/* The number `significand / 2^shift`, and its product with a power of ten, scaled / 2^shift, exactly. */
struct exact {
    u64 significand;
    int shift;
    __uint128_t power, scaled;
};

/* true where no other double is as near to an integer as the product is: half a step to the next one, but half of that
 * below a power of two */
static bool
comes_back(const struct exact *x, u64 integer)
{
    __uint128_t back = (__uint128_t)integer << x->shift, error = back > x->scaled ? back - x->scaled : x->scaled - back;
    u32 steps = x->significand == (u64)1 << 52 && back < x->scaled ? 4 : 2;
    return error * steps < x->power || (error * steps == x->power && x->significand % 2 == 0);
}

/* writes a number of 15 to 17 digits, the fewest that come back as they were; false for numbers of unusual size */
static bool
write_exact(char *text, double value)
{
    enum { FEWEST = 15, MOST = 17, FRACTION = 52, BIAS = 1075 };
    double size = value < 0 ? -value : value;
    if (!(size >= 1e-4 && size < 1e15))
        return false;
    u64 bits;
    memcpy(&bits, &size, sizeof bits);
    int magnitude = 0;
    for (double power = 10; size >= power; power *= 10)
        magnitude++;
    for (double power = 1; size < power && magnitude > -4; power /= 10)
        magnitude--;
    struct exact x = {(bits & (((u64)1 << FRACTION) - 1)) | (u64)1 << FRACTION, BIAS - (int)(bits >> FRACTION), 1, 0};
    for (int scale = 0; scale + magnitude < MOST; scale++, x.power *= 10) {
        if (scale + magnitude + 1 < FEWEST)
            continue;
        x.scaled = x.significand * x.power;
        __uint128_t twice = x.scaled >> (x.shift - 1); /* .. and a half, or less than one, or more */
        bool tie = twice % 2 == 1 && twice << (x.shift - 1) == x.scaled;
        u64 near = (u64)(twice / 2) + (twice % 2 == 1 && !(tie && twice / 2 % 2 == 0));
        if (!comes_back(&x, near) && !(tie && comes_back(&x, ++near)))
            continue;
        write_digits(text, value < 0, near, scale);
        return true;
    }
    return false;
}

/* copies significant digits into their places: `0.0125`, `12.5`, `125.0`, `1.25e-05`; returns the end */
static char *
place_digits(char *to, const char *digits, int n, int exponent)
{
    if (exponent < -4 || exponent >= 16) {
        *to++ = digits[0];
        if (n > 1)
            *to++ = '.';
        memcpy(to, digits + 1, (size_t)n - 1);
        return to + n - 1 + snprintf(to + n - 1, 8, "e%+03d", exponent);
    }
    for (int i = exponent < 0 ? exponent : 0; i <= exponent + 1 || i < n; i++) { /* units are the exponent-th */
        *to++ = i < 0 || i >= n ? '0' : digits[i];
        if (i == exponent)
            *to++ = '.';
    }
    return to;
}

/* the next decimal of as many digits: below a power of two doubles are closer, and the nearest decimal may lie there */
static bool
next_up(char *text)
{
    char *last = strchr(text, 'e') - 1;
    bool next = *last >= '0' && *last < '9';
    *last = (char)(*last + next);
    return next;
}

struct slice
decimal_text(struct mem *mem, double value)
{
    char text[40], digits[24], answer[40];
    if (value != value)
        return SLICE("nan");
    if (value > 1.7976931348623157e308 || value < -1.7976931348623157e308)
        return value > 0 ? SLICE("inf") : SLICE("-inf");
    /* a decimal of 15 digits comes back from a double as it was, so the shortest of that length or less is that one;
     * not so where doubles lose their precision */
    bool tiny = value > -2.3e-308 && value < 2.3e-308 && value != 0;
    bool written = write_short(text, value) || write_exact(text, value);
    for (int precision = tiny ? 0 : 14; precision <= 16 && !written; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        written = strtod(text, NULL) == value || (next_up(text) && strtod(text, NULL) == value);
    }
    bool minus = text[0] == '-';
    const char *p = text + minus;
    int n = 0;
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9')
            digits[n++] = *p;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    answer[0] = '-';
    char *end = place_digits(answer + minus, digits, n, *p ? atoi(p + 1) : 0);
    return arena_copy(mem, (struct slice){answer, (size_t)(end - answer)});
}
