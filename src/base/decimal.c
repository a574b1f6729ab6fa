/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads decimals as doubles, and prints doubles as the shortest decimals that read back the same, in Python's spelling.
 * Numbers of usual size are computed exactly in 128-bit integers; for others, libc prints and reads until both agree.
 * O(1). */
#include "base/decimal.h"

#include "base/chars.h"
#include "base/sink.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

/* The digits of a number without trailing zeros, and the power of ten of the first digit. */
struct decimal {
    char digits[24];
    int n, exponent;
};

/* all powers of ten that fit in 64 bits */
static const u64 tens[] = {1,
                           10,
                           100,
                           1000,
                           10000,
                           100000,
                           1000000,
                           10000000,
                           100000000,
                           1000000000,
                           10000000000,
                           100000000000,
                           1000000000000,
                           10000000000000,
                           100000000000000,
                           1000000000000000,
                           10000000000000000,
                           100000000000000000,
                           1000000000000000000,
                           10000000000000000000u};

/* sets the decimal to `digits / 10^scale`, where digits is below 10^18 */
static void
decimal_set(struct decimal *d, u64 digits, int scale)
{
    enum { HALF = 1000000000 };
    char *end = d->digits;
    if (digits < HALF) {
        end = number_write(end, (u32)digits);
    } else { /* the lower half may begin with zeros: it is written with an extra leading digit, which is then dropped */
        char lower[10];
        end = number_write(end, (u32)(digits / HALF));
        number_write(lower, HALF + (u32)(digits % HALF));
        memcpy(end, lower + 1, sizeof lower - 1);
        end += sizeof lower - 1;
    }
    d->n = (int)(end - d->digits);
    d->exponent = d->n - 1 - scale;
}

/* The number `significand / 2^shift` and, exactly, its product `scaled / 2^shift` with a power of ten. */
struct exact {
    u64 significand;
    int shift;
    __uint128_t power, scaled;
};

/* true if the double nearest to `integer / power` is this one: the error is at most half the distance to the next
 * double, which is half as long below a power of two */
static bool
round_trips(const struct exact *x, u64 integer)
{
    __uint128_t back = (__uint128_t)integer << x->shift, error = back > x->scaled ? back - x->scaled : x->scaled - back;
    u32 steps = x->significand == (u64)1 << 52 && back < x->scaled ? 4 : 2;
    return error * steps < x->power || (error * steps == x->power && x->significand % 2 == 0);
}

/* prints a number with 15 to 17 digits, the fewest that round-trip; false for numbers of unusual size */
static bool
decimal_exact(struct decimal *d, double size)
{
    enum { FEWEST = 15, MOST = 17, FRACTION = 52, BIAS = 1075 };
    static const double powers[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4, 1e5,
                                    1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14};
    if (!(size >= 1e-4 && size < 1e15))
        return false;
    u64 bits;
    memcpy(&bits, &size, sizeof bits);
    struct exact x = {(bits & (((u64)1 << FRACTION) - 1)) | (u64)1 << FRACTION, BIAS - (int)(bits >> FRACTION), 1, 0};
    int magnitude = (FRACTION - x.shift) * 1233 >> 12; /* the power of ten below that of two: log10(2) is 1233 / 4096 */
    magnitude += magnitude < 14 && size >= powers[magnitude + 5];
    int scale = magnitude < FEWEST - 1 ? FEWEST - 1 - magnitude : 0;
    x.power = scale < (int)countof(tens) ? tens[scale] : (__uint128_t)tens[countof(tens) - 1] * 10;
    for (; scale + magnitude < MOST; scale++, x.power *= 10) {
        x.scaled = x.significand * x.power;
        __uint128_t twice = x.scaled >> (x.shift - 1); /* odd: the fraction is at least a half */
        bool tie = twice % 2 == 1 && twice << (x.shift - 1) == x.scaled;
        u64 near = (u64)(twice / 2) + (twice % 2 == 1 && !(tie && twice / 2 % 2 == 0));
        if (!round_trips(&x, near) && !(tie && round_trips(&x, ++near)))
            continue;
        decimal_set(d, near, scale);
        return true;
    }
    return false;
}

/* writes digits with their point or exponent: `0.0125`, `12.5`, `125.0`, `1.25e-05`; returns the end */
static char *
decimal_place(const struct decimal *d, char *to)
{
    if (d->exponent < -4 || d->exponent >= 16) {
        *to++ = d->digits[0];
        if (d->n > 1)
            *to++ = '.';
        memcpy(to, d->digits + 1, (size_t)d->n - 1);
        to += d->n - 1;
        *to++ = 'e';
        *to++ = d->exponent < 0 ? '-' : '+';
        u32 exponent = (u32)abs(d->exponent);
        if (exponent < 10)
            *to++ = '0';
        return number_write(to, exponent);
    }
    int units = d->exponent + 1; /* digits before the point */
    int whole = units < 0 ? 0 : units < d->n ? units : d->n, zeros = units > d->n ? units - d->n : 0;
    memcpy(to, d->digits, (size_t)whole);
    memset(to + whole, '0', (size_t)zeros);
    to += whole + zeros;
    if (units <= 0)
        *to++ = '0';
    *to++ = '.';
    for (int i = units; i < 0; i++)
        *to++ = '0';
    if (whole == d->n)
        *to++ = '0';
    memcpy(to, d->digits + whole, (size_t)(d->n - whole));
    return to + d->n - whole;
}

/* changes the text to the next decimal of as many digits, if only the last digit changes: below a power of two doubles
 * are denser, and the decimal that round-trips may be this one */
static bool
next_up(char *text)
{
    char *last = text;
    while (last[1] != 'e')
        last++;
    bool next = *last >= '0' && *last < '9';
    *last = (char)(*last + next);
    return next;
}

/* has libc compute the digits */
static void
decimal_ask(struct decimal *d, double size)
{
    char text[40];
    bool found = false;
    /* a decimal of 15 digits round-trips through a double, so the shortest decimal of at most 15 digits is the answer;
     * not for subnormal numbers */
    for (int precision = size < 2.3e-308 ? 0 : 14; precision <= 16 && !found; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, size);
        found = strtod(text, NULL) == size || (next_up(text) && strtod(text, NULL) == size);
    }
    const char *p = text;
    for (d->n = 0; *p != 'e'; p++)
        if (is_digit(*p))
            d->digits[d->n++] = *p;
    d->exponent = (int)strtol(p + 1, NULL, 10);
}

struct slice
decimal_text(struct mem *mem, double value)
{
    struct decimal d;
    char text[40], *to = text;
    double size = value < 0 ? -value : value;
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        return SLICE("nan");
    if (size > 1.7976931348623157e308)
        return value > 0 ? SLICE("inf") : SLICE("-inf");
    if (size == 0)
        decimal_set(&d, 0, 0);
    else if (!decimal_exact(&d, size))
        decimal_ask(&d, size);
    while (d.n > 1 && d.digits[d.n - 1] == '0')
        d.n--;
    if (bits >> 63)
        *to++ = '-';
    to = decimal_place(&d, to);
    return arena_copy(mem, (struct slice){text, (size_t)(to - text)});
}

/* the double nearest to digits / 10^scale, ties to even; digits is not 0 and scale at most 19: 128 bits contain all
 * significant bits of the quotient, and the remainder decides ties */
static double
divide_exactly(u64 digits, int scale)
{
    enum { FRACTION = 52, BIAS = 1023 };
    u64 power = tens[scale];
    int shift = 64 + __builtin_clzll(digits);
    __uint128_t dividend = (__uint128_t)digits << shift, quotient = dividend / power;
    bool rest = quotient * power != dividend;
    u64 high = (u64)(quotient >> 64);
    int length = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((u64)quotient),
        extra = length - FRACTION - 1;
    u64 significand = (u64)(quotient >> extra);
    __uint128_t left = quotient - ((__uint128_t)significand << extra), half = (__uint128_t)1 << (extra - 1);
    if (left > half || (left == half && (rest || significand % 2 == 1)))
        significand++; /* a carry out of all ones gives a power of two */
    u64 bits = ((u64)(BIAS + length - 1 - shift) << FRACTION) + (significand - ((u64)1 << FRACTION));
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* reads digits into a number, which is wrong if there are more than 19; returns their end */
static const char *
read_digits(const char *p, const char *end, u64 *number)
{
    u64 n = *number;
    for (; p < end && is_digit(*p); p++)
        n = n * 10 + (u64)(*p - '0');
    *number = n;
    return p;
}

/* reads `-1.5e-07` with a small exponent: up to 15 digits and the power of ten are exact doubles, so one operation
 * rounds correctly; up to 19 digits are divided as integers. False for other numbers */
static bool
read_short(struct slice text, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *end = text.at + text.n, *begin = text.at + (text.n > 0 && *text.at == '-');
    u64 digits = 0;
    const char *point = read_digits(begin, end, &digits), *p = point;
    if (point < end && *point == '.')
        p = read_digits(point + 1, end, &digits);
    if (p - begin - (p > point) > 19)
        return false;
    int n = (int)(p - begin - (p > point)), exponent = p > point ? (int)(point + 1 - p) : 0, given = 0;
    if (p < end && *p == 'e' && n > 0) {
        bool negative = p + 1 < end && p[1] == '-';
        p += 1 + (negative || (p + 1 < end && p[1] == '+'));
        if (p == end || end - p > 3)
            return false;
        for (; p < end && is_digit(*p); p++)
            given = given * 10 + (*p - '0');
        exponent += negative ? -given : given;
    }
    if (n == 0 || p < end || exponent > 22 || exponent < -22 || (n > 15 && (exponent > 0 || exponent < -19)))
        return false;
    double d = n > 15 && digits ? divide_exactly(digits, -exponent)
               : exponent < 0   ? (double)digits / powers[-exponent]
                                : (double)digits * powers[exponent];
    *value = begin > text.at ? -d : d;
    return true;
}

bool
decimal_read(struct slice text, double *value)
{
    char copy[64], *end;
    if (read_short(text, value))
        return true;
    if (text.n == 0 || text.n >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.n);
    copy[text.n] = 0;
    /* the decimal point is `.`, whatever the caller's locale */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *value = plain != (locale_t)0 ? strtod_l(copy, &end, plain) : strtod(copy, &end);
    if (plain != (locale_t)0)
        freelocale(plain);
    return end > copy && *end == 0;
}

u32
decimal_write_short(double value, char into[32])
{
    static const char letters[] = " kMGTPE";
    if (isnan(value) || isinf(value))
        return (u32)snprintf(into, 32, "%s", isnan(value) ? "?" : value < 0 ? "-inf" : "inf");
    const char *sign = value < 0 ? "-" : "";
    double size = fabs(value);
    if (size < 10000 && size == (int)size)
        return (u32)snprintf(into, 32, "%s%d", sign, (int)size);
    bool letter = size < 999.5e18;
    int power = 0;
    while (size >= (letter ? 999.5 : 9.995)) {
        size /= letter ? 1000 : 10;
        power++;
    }
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0, unit = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    int digits = (int)(size * unit + 0.5);
    u32 n = (u32)snprintf(into, 32, decimals ? "%s%d.%0*d" : "%s%d", sign, digits / unit, decimals, digits % unit);
    if (!letter)
        n += (u32)snprintf(into + n, 32 - n, "e%d", power);
    else if (power > 0)
        n += (u32)snprintf(into + n, 32 - n, " %c", letters[power]);
    return n;
}

struct ordinal
ordinal_of(u64 index)
{
    static const char words[][8] = {"first", "second",  "third",  "fourth", "fifth",
                                    "sixth", "seventh", "eighth", "ninth",  "tenth"};
    struct ordinal o;
    u64 n = index + 1;
    bool teen = n % 100 > 10 && n % 100 < 20;
    const char *end = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
    if (index < countof(words))
        snprintf(o.text, sizeof o.text, "%s", words[index]);
    else
        snprintf(o.text, sizeof o.text, "%llu%s", (unsigned long long)n, end);
    return o;
}
