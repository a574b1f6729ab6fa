/* SPDX-License-Identifier: Apache-2.0
 *
 * A polynomial is a short list of terms, a term is a short sorted list of indeterminates with a coefficient; longer
 * polynomials are not compared. Two expressions are compared by their difference. Nothing is allocated; linear in the
 * text, quadratic in the few terms. */
#include "types/poly.h"

#include "base/value.h"

bool
poly_multiply(struct poly_term *t, struct slice factor)
{
    if (t->n == POLY_FACTORS)
        return false;
    u32 at = t->n++;
    for (; at && slice_order(&factor, &t->factors[at - 1]) < 0; at--)
        t->factors[at] = t->factors[at - 1];
    t->factors[at] = factor;
    return true;
}

bool
poly_add_term(struct poly *p, const struct poly_term *t)
{
    for (u32 i = 0; i < p->n; i++) {
        struct poly_term *other = &p->terms[i];
        bool same = other->n == t->n;
        for (u32 k = 0; same && k < t->n; k++)
            same = slice_eq(other->factors[k], t->factors[k]);
        if (same)
            return !__builtin_add_overflow(other->coefficient, t->coefficient, &other->coefficient);
    }
    if (p->n == POLY_TERMS)
        return false;
    p->terms[p->n++] = *t;
    return true;
}

/* reads a name or a call with its power into a term */
static bool
read_indeterminate(struct cursor *c, struct poly_term *t, bool *calls)
{
    const char *start = c->p;
    i64 power = 1;
    while (c->p < c->end && is_word_char(*c->p))
        c->p++;
    if (c->p == start)
        return false;
    if (c->p < c->end && *c->p == '(') {
        *calls = true;
        c->p += bracket_end((struct slice){c->p, (size_t)(c->end - c->p)}, 0);
        if (c->p++ == c->end)
            return false;
    }
    struct slice factor = {start, (size_t)(c->p - start)};
    if (value_word(c, "^") && (!value_int(c, &power) || power < 0 || power > POLY_FACTORS))
        return false;
    for (; power > 0; power--)
        if (!poly_multiply(t, factor))
            return false;
    return true;
}

/* reads factors joined by `*` */
static bool
read_term(struct cursor *c, struct poly_term *t, bool *calls)
{
    i64 number;
    do {
        while (value_word(c, "-"))
            t->coefficient = -t->coefficient;
        value_blanks(c);
        if (c->p < c->end && is_digit(*c->p)
                ? !value_int(c, &number) || __builtin_mul_overflow(t->coefficient, number, &t->coefficient)
                : !read_indeterminate(c, t, calls))
            return false;
    } while (value_word(c, "*"));
    return true;
}

/* adds `sign` times an expression to a polynomial; false if it cannot be read, has too many terms or overflows */
static bool
add_expression(struct poly *p, struct slice text, i64 sign)
{
    struct cursor c = cursor_of(text);
    for (struct poly_term t = {.coefficient = sign};; t = (struct poly_term){.coefficient = sign}) {
        if (!read_term(&c, &t, &p->calls) || !poly_add_term(p, &t))
            return false;
        if (value_done(&c))
            return true;
        if (*c.p != '-' && !value_word(&c, "+"))
            return false;
    }
}

bool
poly_add_product(struct poly *p, const struct poly_term *term, const struct poly *by)
{
    for (u32 i = 0; i < by->n; i++) {
        struct poly_term t = *term;
        if (__builtin_mul_overflow(t.coefficient, by->terms[i].coefficient, &t.coefficient))
            return false;
        for (u32 f = 0; f < by->terms[i].n; f++)
            if (!poly_multiply(&t, by->terms[i].factors[f]))
                return false;
        if (!poly_add_term(p, &t))
            return false;
    }
    return true;
}

/* multiplies a polynomial by a printed dim; false if that cannot be read, or the product has too many terms or
 * overflows */
static bool
multiply_by(struct poly *p, const struct dim *d)
{
    struct poly by = {.n = 1}, out = {.calls = p->calls};
    by.terms[0].coefficient = d->value;
    if (d->kind != DIM_INT && (!d->text.n || !(d->kind == DIM_NAME || d->kind == DIM_EXPR) || !poly_read(&by, d->text)))
        return false;
    out.calls |= by.calls;
    for (u32 i = 0; i < p->n; i++)
        if (!poly_add_product(&out, &p->terms[i], &by))
            return false;
    *p = out;
    return true;
}

enum truth
poly_products_equal(const struct dim *a, u32 n, const struct dim *b, u32 k)
{
    struct poly left = {.n = 1, .terms[0].coefficient = 1}, right = {.n = 1, .terms[0].coefficient = -1};
    bool variables = false;
    for (u32 i = 0; i < n + k; i++) {
        const struct dim *d = i < n ? &a[i] : &b[i - n];
        variables |= d->kind == DIM_NAME && d->value == DIM_VARIABLE;
        if (!multiply_by(i < n ? &left : &right, d))
            return MAYBE;
    }
    bool one = left.n == 1 && right.n == 1, same = true;
    left.calls |= right.calls;
    for (u32 i = 0; i < right.n; i++)
        if (!poly_add_term(&left, &right.terms[i]))
            return MAYBE;
    for (u32 i = 0; i < left.n; i++)
        same &= left.terms[i].coefficient == 0;
    if (same)
        return YES;
    return left.calls || (variables && !(one && left.n == 1)) ? MAYBE : NO;
}

/* ---- dims as sums ---- */

/* A dim as the sum of two expressions with multipliers and of a constant, divided by a divisor of all coefficients. A
 * DIM_SUM stores the expressions in text and sharding, the constant in value, and in name the divisor (8 bits) and the
 * multipliers (12 bits each). */
struct sum {
    struct slice text[2];
    i64 times[2], constant, divisor;
};

enum { TIMES_LIMIT = 2047, DIVISOR_LIMIT = 255 };

bool
poly_has_room(const struct dim *d)
{
    return d->kind == DIM_INT || d->kind == DIM_EXPR || d->kind == DIM_SUM ||
           (d->kind == DIM_NAME && d->value == DIM_SYMBOL && d->text.n);
}

/* a multiplier from its 12 bits */
static i64
times_of(u32 bits)
{
    bits &= 0xfff;
    return bits & 0x800 ? (i64)bits - 0x1000 : (i64)bits;
}

static struct sum
sum_of(const struct dim *d)
{
    if (d->kind == DIM_INT)
        return (struct sum){.constant = d->value, .divisor = 1};
    if (d->kind != DIM_SUM)
        return (struct sum){.text = {d->text}, .times = {1}, .divisor = 1};
    return (struct sum){
        {d->text, d->sharding}, {times_of(d->name >> 8), times_of(d->name >> 20)}, d->value, d->name & 255};
}

/* the sum as a dim: an integer if no symbol is left, unknown if a number overflows */
static struct dim
dim_of_sum(const struct sum *s)
{
    if (!s->times[0] && !s->times[1])
        return s->constant % s->divisor ? dim_unknown() : dim_of(s->constant / s->divisor);
    for (u32 i = 0; i < 2; i++)
        if (s->times[i] < -TIMES_LIMIT || s->times[i] > TIMES_LIMIT)
            return dim_unknown();
    if (s->divisor > DIVISOR_LIMIT)
        return dim_unknown();
    return (struct dim){.kind = DIM_SUM,
                        .value = s->constant,
                        .text = s->text[0],
                        .sharding = s->text[1],
                        .name = (u32)s->divisor | ((u32)s->times[0] & 0xfff) << 8 | ((u32)s->times[1] & 0xfff) << 20};
}

/* adds times * text; false if a third expression would be needed, or a number overflows */
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
    struct sum parts[2] = {sum_of(a), sum_of(b)}, out = {.divisor = parts[0].divisor * parts[1].divisor};
    i64 by[2] = {left, right};
    if (parts[0].divisor == parts[1].divisor)
        out.divisor = parts[0].divisor;
    for (u32 p = 0; p < 2; p++) {
        i64 constant, times;
        if (__builtin_mul_overflow(by[p], out.divisor / parts[p].divisor, &by[p]) ||
            __builtin_mul_overflow(parts[p].constant, by[p], &constant) ||
            __builtin_add_overflow(out.constant, constant, &out.constant))
            return dim_unknown();
        for (u32 i = 0; i < 2; i++)
            if (__builtin_mul_overflow(parts[p].times[i], by[p], &times) || !sum_add(&out, parts[p].text[i], times))
                return dim_unknown();
    }
    return dim_of_sum(&out);
}

/* adds `times` times a sum, without its divisor, to a polynomial; false as for add_expression */
static bool
add_sum(struct poly *p, const struct sum *s, i64 times)
{
    i64 by;
    struct poly_term constant = {.coefficient = 0};
    if (__builtin_mul_overflow(s->constant, times, &constant.coefficient) || !poly_add_term(p, &constant))
        return false;
    for (u32 i = 0; i < 2; i++)
        if (s->times[i] && (__builtin_mul_overflow(s->times[i], times, &by) || !add_expression(p, s->text[i], by)))
            return false;
    return true;
}

/* the constant of a polynomial */
static i64
constant_of(const struct poly *p)
{
    for (u32 i = 0; i < p->n; i++)
        if (p->terms[i].n == 0)
            return p->terms[i].coefficient;
    return 0;
}

struct dim
poly_floordiv(const struct dim *a, i64 by)
{
    struct poly p = {0};
    struct sum s = sum_of(a);
    i64 divisor;
    if (!add_sum(&p, &s, 1) || __builtin_mul_overflow(s.divisor, by, &divisor))
        return dim_unknown();
    for (u32 i = 0; i < p.n; i++)
        if (p.terms[i].n && p.terms[i].coefficient % divisor)
            return dim_unknown();
    /* only the constant has a remainder, which is dropped */
    i64 left = constant_of(&p) % divisor;
    if (__builtin_sub_overflow(s.constant, left < 0 ? left + divisor : left, &s.constant))
        return dim_unknown();
    s.divisor = divisor;
    return dim_of_sum(&s);
}

enum truth
poly_divisible(const struct dim *a, i64 by)
{
    struct poly p = {0};
    struct sum s = sum_of(a);
    i64 divisor;
    if (!add_sum(&p, &s, 1) || __builtin_mul_overflow(s.divisor, by, &divisor))
        return MAYBE;
    for (u32 i = 0; i < p.n; i++)
        if (p.terms[i].coefficient % divisor)
            return p.calls ? MAYBE : NO;
    return YES;
}

bool
poly_plainly_natural(const struct poly *p)
{
    i64 least = 0;
    for (u32 i = 0; i < p->n; i++)
        if ((p->terms[i].n && p->terms[i].coefficient < 0) ||
            __builtin_add_overflow(least, p->terms[i].coefficient, &least))
            return false;
    return least >= 0;
}

bool
poly_natural(const struct dim *a)
{
    struct poly p = {0};
    struct sum s = sum_of(a);
    return add_sum(&p, &s, 1) && !p.calls && poly_plainly_natural(&p);
}

enum truth
poly_at_most(const struct dim *a, const struct dim *b)
{
    struct poly up = {0}, down = {0};
    struct sum left = sum_of(a), right = sum_of(b);
    struct poly_term one = {.coefficient = -1};
    if (!add_sum(&up, &right, left.divisor) || !add_sum(&up, &left, -right.divisor) ||
        !add_sum(&down, &left, right.divisor) || !add_sum(&down, &right, -left.divisor) || !poly_add_term(&down, &one))
        return MAYBE;
    return poly_never_negative(&up) ? YES : poly_never_negative(&down) ? NO : MAYBE;
}

enum truth
poly_equal(const struct dim *a, const struct dim *b)
{
    struct poly p = {0};
    struct sum left = sum_of(a), right = sum_of(b);
    if (!add_sum(&p, &left, right.divisor) || !add_sum(&p, &right, -left.divisor))
        return a->kind == DIM_EXPR && b->kind == DIM_EXPR && slice_eq(a->text, b->text) ? YES : MAYBE;
    bool zero = true;
    for (u32 i = 0; i < p.n; i++)
        zero &= p.terms[i].coefficient == 0;
    /* different calls may be equal if rules computed a dim; JAX prints equal ones alike */
    return zero ? YES : p.calls && (a->kind == DIM_SUM || b->kind == DIM_SUM) ? MAYBE : NO;
}

/* ---- windows ---- */

/* A DIM_WINDOWS stores the space after the first window like a DIM_SUM with divisor 1, and the stride as the divisor.
 */

struct dim
poly_windows(const struct dim *room, i64 stride)
{
    struct sum s = sum_of(room);
    if (s.divisor != 1 || stride < 1 || stride > DIVISOR_LIMIT || (!s.times[0] && !s.times[1]))
        return dim_unknown();
    s.divisor = stride;
    struct dim d = dim_of_sum(&s);
    d.kind = d.kind == DIM_SUM ? DIM_WINDOWS : DIM_UNKNOWN;
    return d;
}

/* the space after the first window as a sum, and the stride */
static struct dim
room_of(const struct dim *windows, i64 *stride)
{
    struct dim room = *windows;
    room.kind = DIM_SUM;
    *stride = windows->name & 255;
    room.name = (windows->name & ~(u32)255) | 1;
    return room;
}

/* reads `max(x, n)` or another call with two arguments */
static bool
read_call(struct cursor *c, const char *call, struct slice *x, i64 *n)
{
    return value_word(c, call) && value_element(c, x) && value_int(c, n) && value_close(c);
}

/* `max(x, 0)` without its max; other expressions unchanged */
static struct slice
without_max(struct slice text)
{
    struct cursor c = cursor_of(text);
    struct slice x;
    i64 least;
    return read_call(&c, "max(", &x, &least) && value_done(&c) && least == 0 ? x : text;
}

/* floordiv(x, n) + c, c >= 0, as the sum x + n*c with divisor n; false for another expression */
static bool
read_quotient(struct slice text, struct dim *sum, i64 *by)
{
    struct cursor c = cursor_of(text);
    struct dim x = {.kind = DIM_EXPR}, constant = {.kind = DIM_INT};
    if (!read_call(&c, "floordiv(", &x.text, by) || *by < 1)
        return false;
    if (value_word(&c, "+") && (!value_int(&c, &constant.value) || constant.value < 0))
        return false;
    if (!value_done(&c) || __builtin_mul_overflow(constant.value, *by, &constant.value))
        return false;
    *sum = poly_combine(&x, 1, &constant, 1);
    return sum->kind == DIM_SUM;
}

/* whether an expression contains a call */
static bool
calls_in(struct slice text)
{
    return text.n > 0 && memchr(text.at, '(', text.n) != NULL;
}

/* whether left * a and right * b differ by more than a constant */
static bool
diverge(const struct dim *a, i64 left, const struct dim *b, i64 right)
{
    struct poly p = {0};
    struct sum x = sum_of(a), y = sum_of(b);
    if (!add_sum(&p, &x, left) || !add_sum(&p, &y, -right))
        return false;
    for (u32 i = 0; i < p.n; i++)
        if (p.terms[i].n && p.terms[i].coefficient)
            return true;
    return false;
}

enum truth
poly_windows_equal(const struct dim *windows, const struct dim *printed)
{
    i64 stride, by;
    struct dim room = room_of(windows, &stride), sum, constant = {.kind = DIM_INT};
    if (printed->kind != DIM_EXPR && !(printed->kind == DIM_NAME && printed->value == DIM_SYMBOL))
        return MAYBE;
    if (calls_in(room.text) || calls_in(room.sharding))
        return MAYBE;
    struct slice text = without_max(printed->text);
    constant.value = stride;
    struct dim wanted = poly_combine(&room, 1, &constant, 1); /* + 1, inside the division */
    if (read_quotient(text, &sum, &by) && wanted.kind == DIM_SUM && !calls_in(sum.text)) {
        return by == stride ? poly_equal(&wanted, &sum) : diverge(&wanted, by, &sum, stride) ? NO : MAYBE;
    }
    if (calls_in(text))
        return MAYBE;
    /* no quotient is printed: the division was exact */
    struct dim plain = {.kind = DIM_EXPR, .text = text}, even = poly_floordiv(&wanted, stride);
    return even.kind == DIM_SUM ? poly_equal(&even, &plain) : stride == 1 ? MAYBE : NO;
}

static bool
write_sum(struct sink *out, const struct dim *d)
{
    struct poly p = {0};
    struct sum s = sum_of(d);
    bool begun = false;
    if (!add_sum(&p, &s, 1))
        return false;
    for (u32 constant = 0; constant < 2; constant++)
        for (u32 i = 0; i < p.n; i++) {
            const struct poly_term *t = &p.terms[i];
            i64 times = t->coefficient / s.divisor, size_of = times < 0 ? -times : times;
            if ((t->n == 0) != constant || times == 0)
                continue;
            sink_printf(out, "%s", begun ? times < 0 ? " - " : " + " : times < 0 ? "- " : "");
            begun = true;
            if (size_of != 1 || t->n == 0)
                sink_printf(out, "%lld%s", (long long)size_of, t->n ? "*" : "");
            for (u32 k = 0; k < t->n; k++)
                sink_printf(out, "%s%.*s", k ? "*" : "", (int)t->factors[k].n, t->factors[k].at);
        }
    if (!begun)
        sink_char(out, '0');
    return true;
}

bool
poly_write(struct sink *out, const struct dim *d)
{
    i64 stride;
    if (d->kind != DIM_WINDOWS)
        return write_sum(out, d);
    struct dim room = room_of(d, &stride), constant = {.kind = DIM_INT, .value = stride};
    struct dim wanted = poly_combine(&room, 1, &constant, 1); /* + 1, inside the division */
    bool natural = wanted.kind == DIM_SUM && poly_natural(&wanted);
    bool one = stride == 1 && wanted.kind == DIM_SUM;
    sink_printf(out, "%s%s", natural ? "" : "max(", one ? "" : "floordiv(");
    bool fine = write_sum(out, one ? &wanted : &room);
    if (!one)
        sink_printf(out, ", %lld) + 1", (long long)stride);
    sink_printf(out, natural ? "" : ", 0)");
    return fine;
}

bool
poly_read(struct poly *p, struct slice text)
{
    *p = (struct poly){0};
    return add_expression(p, text, 1);
}
