/* SPDX-License-Identifier: Apache-2.0
 *
 * A polynomial is a short list of terms, a term a short sorted list of indeterminates with a coefficient; what does not
 * fit is not told apart. The difference of two expressions is formed and looked at. Nothing is allocated; linear in the
 * text, quadratic in the few terms. */
#include "check/poly.h"

#include "base/chars.h"

enum { TERMS = 24, FACTORS = 8 };

struct term {
    i64 coefficient;
    u32 n;
    struct slice factors[FACTORS]; /* sorted; a power is written out */
};

struct poly {
    u32 n;
    bool calls; /* some indeterminate is a call */
    struct term terms[TERMS];
};

static int
order(struct slice a, struct slice b)
{
    int c = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* puts an indeterminate into its place in a term */
static bool
multiply(struct term *t, struct slice factor)
{
    if (t->n == FACTORS)
        return false;
    u32 at = t->n++;
    for (; at && order(factor, t->factors[at - 1]) < 0; at--)
        t->factors[at] = t->factors[at - 1];
    t->factors[at] = factor;
    return true;
}

/* adds a term, joining it with one of the same indeterminates */
static bool
add_term(struct poly *p, const struct term *t)
{
    for (u32 i = 0; i < p->n; i++) {
        struct term *other = &p->terms[i];
        bool same = other->n == t->n;
        for (u32 k = 0; same && k < t->n; k++)
            same = slice_eq(other->factors[k], t->factors[k]);
        if (same)
            return !__builtin_add_overflow(other->coefficient, t->coefficient, &other->coefficient);
    }
    if (p->n == TERMS)
        return false;
    p->terms[p->n++] = *t;
    return true;
}

static const char *
past_blanks(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

/* reads digits; NULL when there are none or too many */
static const char *
read_number(const char *p, const char *end, i64 *value)
{
    const char *start = p;
    *value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, *p - '0', value))
            return NULL;
    return p > start ? p : NULL;
}

/* reads a name or a call with its power into a term; NULL when it is neither */
static const char *
read_indeterminate(const char *p, const char *end, struct term *t, bool *calls)
{
    const char *start = p;
    i64 power = 1;
    while (p < end && is_word_char(*p))
        p++;
    if (p == start)
        return NULL;
    if (p < end && *p == '(') {
        u32 depth = 0;
        *calls = true;
        for (; p < end; p++) {
            depth += *p == '(';
            if (*p == ')' && --depth == 0)
                break;
        }
        if (p++ == end)
            return NULL;
    }
    struct slice factor = {start, (size_t)(p - start)};
    if (p < end && *p == '^' && !(p = read_number(p + 1, end, &power)))
        return NULL;
    if (power < 0 || power > FACTORS)
        return NULL;
    for (; power > 0; power--)
        if (!multiply(t, factor))
            return NULL;
    return p;
}

/* reads factors joined by `*`; NULL when it cannot */
static const char *
read_term(const char *p, const char *end, struct term *t, bool *calls)
{
    for (;;) {
        i64 number;
        p = past_blanks(p, end);
        while (p < end && *p == '-') {
            t->coefficient = -t->coefficient;
            p = past_blanks(p + 1, end);
        }
        if (p < end && *p >= '0' && *p <= '9') {
            p = read_number(p, end, &number);
            if (!p || __builtin_mul_overflow(t->coefficient, number, &t->coefficient))
                return NULL;
        } else if (!(p = read_indeterminate(p, end, t, calls))) {
            return NULL;
        }
        p = past_blanks(p, end);
        if (p == end || *p != '*')
            return p;
        p++;
    }
}

/* adds sign times an expression to a polynomial; false when it is not understood or does not fit */
static bool
add_expression(struct poly *p, struct slice text, i64 sign)
{
    const char *at = text.at, *end = text.at + text.n;
    i64 next = sign;
    do {
        struct term t = {.coefficient = next};
        at = read_term(at, end, &t, &p->calls);
        if (!at || !add_term(p, &t))
            return false;
        if (at == end)
            return true;
        next = *at == '-' ? -sign : sign;
    } while (*at == '+' || *at == '-' ? (at++, true) : false);
    return false;
}

/* -- dims as sums ---------------------------------------------------------------------------------------------------- */

/* A dim as two expressions with multipliers and a constant, which is what a DIM_SUM keeps in the fields of struct dim:
 * text and sharding are the expressions, value the constant, name the multipliers, 16 bits each. */
struct sum {
    struct slice text[2];
    i64 times[2], constant;
};

bool
poly_takes(const struct dim *d)
{
    return d->kind == DIM_INT || d->kind == DIM_EXPR || d->kind == DIM_SUM ||
           (d->kind == DIM_NAME && d->value == DIM_SYMBOL && d->text.n);
}

static struct sum
sum_of(const struct dim *d)
{
    if (d->kind == DIM_INT)
        return (struct sum){.constant = d->value};
    if (d->kind != DIM_SUM)
        return (struct sum){.text = {d->text}, .times = {1}};
    return (struct sum){{d->text, d->sharding}, {(int16_t)(d->name & 0xffff), (int16_t)(d->name >> 16)}, d->value};
}

/* adds times * text; false where a third expression would be needed, or a number overflows */
static bool
sum_add(struct sum *s, struct slice text, i64 times)
{
    if (times == 0)
        return true;
    for (u32 i = 0; i < 2; i++)
        if (s->times[i] && slice_eq(s->text[i], text))
            return !__builtin_add_overflow(s->times[i], times, &s->times[i]);
    for (u32 i = 0; i < 2; i++)
        if (!s->times[i]) {
            s->text[i] = text;
            s->times[i] = times;
            return true;
        }
    return false;
}

struct dim
poly_combine(const struct dim *a, i64 left, const struct dim *b, i64 right)
{
    struct sum out = {0}, parts[2] = {sum_of(a), sum_of(b)};
    i64 by[2] = {left, right};
    for (u32 p = 0; p < 2; p++) {
        i64 constant, times;
        if (__builtin_mul_overflow(parts[p].constant, by[p], &constant) ||
            __builtin_add_overflow(out.constant, constant, &out.constant))
            return dim_unknown();
        for (u32 i = 0; i < 2; i++)
            if (__builtin_mul_overflow(parts[p].times[i], by[p], &times) || !sum_add(&out, parts[p].text[i], times))
                return dim_unknown();
    }
    if (!out.times[0] && !out.times[1])
        return dim_of(out.constant);
    for (u32 i = 0; i < 2; i++)
        if (out.times[i] != (int16_t)out.times[i])
            return dim_unknown();
    return (struct dim){.kind = DIM_SUM, .value = out.constant, .text = out.text[0], .sharding = out.text[1],
                        .name = (u32)(uint16_t)out.times[0] | (u32)(uint16_t)out.times[1] << 16};
}

/* adds times a dim to a polynomial */
static bool
add_dim(struct poly *p, const struct dim *d, i64 times)
{
    struct sum s = sum_of(d);
    struct term constant = {.coefficient = s.constant * times};
    if (!add_term(p, &constant))
        return false;
    for (u32 i = 0; i < 2; i++)
        if (s.times[i] && !add_expression(p, s.text[i], s.times[i] * times))
            return false;
    return true;
}

enum truth
poly_equal(const struct dim *a, const struct dim *b)
{
    struct poly p = {0};
    if (!add_dim(&p, a, 1) || !add_dim(&p, b, -1))
        return a->kind == DIM_EXPR && b->kind == DIM_EXPR && slice_eq(a->text, b->text) ? YES : MAYBE;
    bool zero = true;
    for (u32 i = 0; i < p.n; i++)
        zero &= p.terms[i].coefficient == 0;
    return zero ? YES : p.calls ? MAYBE : NO;
}

bool
poly_terms(const struct dim *d, void (*term)(void *user, i64 coefficient, const struct slice *factors, u32 n),
           void *user)
{
    struct poly p = {0};
    if (!add_expression(&p, d->text, 1))
        return false;
    for (u32 i = 0; i < p.n; i++)
        term(user, p.terms[i].coefficient, p.terms[i].factors, p.terms[i].n);
    return true;
}
