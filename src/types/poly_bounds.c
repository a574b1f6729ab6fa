/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a polynomial is never negative. Its symbols are at least 1, and each call is replaced by a bound of it:
 * floordiv, mod, max and min of jax.export have bounds that are polynomials of their arguments. A search over the
 * alternatives of at most DEPTH calls, STEPS in all. */
#include "types/poly.h"

#include "base/value.h"

enum { DEPTH = 6, STEPS = 100, ARGUMENTS = 4 };

/* A call, `max(b - 1, 0)`. */
struct poly_call {
    struct slice name, arguments[ARGUMENTS];
    u32 n;
};

/* reads a call; false for a symbol, or with too many arguments */
static bool
read_call(struct slice text, struct poly_call *call)
{
    const char *open = memchr(text.at, '(', text.n);
    *call = (struct poly_call){.n = 0};
    if (!open)
        return false;
    size_t n = (size_t)(open - text.at);
    call->name = (struct slice){text.at, n};
    struct slice argument;
    for (struct cursor c = cursor_inside((struct slice){open, text.n - n}); value_element(&c, &argument);) {
        if (call->n == ARGUMENTS)
            return false;
        call->arguments[call->n++] = argument;
    }
    return true;
}

/* A polynomial `times * rest + term * call`, whose call is to be replaced. */
struct replacing {
    struct poly rest;
    struct poly_term term;
    u32 depth;  /* how many calls were replaced before */
    u32 *steps; /* how many polynomials may still be examined */
};

static bool never_negative(const struct poly *p, u32 depth, u32 *steps);

/* whether times * rest + term * (an expression + more) is never negative */
static bool
with_bound(const struct replacing *x, i64 times, struct slice expression, i64 more)
{
    struct poly p = {0}, bound = {0};
    struct poly_term constant = {.coefficient = more}, scale = {.coefficient = times};
    return (expression.n == 0 || poly_read(&bound, expression)) && poly_add_term(&bound, &constant) &&
           poly_add_product(&p, &scale, &x->rest) && poly_add_product(&p, &x->term, &bound) &&
           never_negative(&p, x->depth + 1, x->steps);
}

/* whether the polynomial is never negative with the call replaced by every argument (`all`), or by one of them */
static bool
with_arguments(const struct replacing *x, const struct poly_call *call, bool all)
{
    for (u32 i = 0; i < call->n; i++)
        if (with_bound(x, 1, call->arguments[i], 0) != all)
            return !all;
    return all;
}

/* whether an expression is never negative; this counts as the replacement of another call */
static bool
is_natural(const struct replacing *x, struct slice expression)
{
    struct poly p = {0};
    return poly_read(&p, expression) && never_negative(&p, x->depth + 1, x->steps);
}

/* whether the polynomial is never negative with its call replaced by a bound */
static bool
with_call(const struct replacing *x, const struct poly_call *call)
{
    static const struct slice zero = {"", 0};
    struct dim by = dim_unknown();
    struct poly divisor = {0};
    bool plus = x->term.coefficient > 0;
    if (slice_eq(call->name, SLICE("max")))
        return with_arguments(x, call, !plus);
    if (slice_eq(call->name, SLICE("min")))
        return with_arguments(x, call, plus);
    if (call->n != 2 || !poly_read(&divisor, call->arguments[1]))
        return false;
    if (divisor.n == 1 && divisor.terms[0].n == 0)
        by = dim_of(divisor.terms[0].coefficient);
    bool number = by.kind == DIM_INT && by.value > 0;
    if (slice_eq(call->name, SLICE("mod")) && (number || (divisor.n == 1 && divisor.terms[0].coefficient > 0)))
        return plus ? with_bound(x, 1, zero, 0)
                    : with_bound(x, 1, call->arguments[1], -1) ||
                          (is_natural(x, call->arguments[0]) && with_bound(x, 1, call->arguments[0], 0));
    if (!slice_eq(call->name, SLICE("floordiv")) || !number)
        return false;
    return with_bound(x, by.value, call->arguments[0], plus ? 1 - by.value : 0) ||
           (plus && is_natural(x, call->arguments[0]) && with_bound(x, 1, zero, 0));
}

static bool
never_negative(const struct poly *p, u32 depth, u32 *steps)
{
    struct replacing x = {.depth = depth, .steps = steps};
    struct poly_call call, other;
    bool found = false;
    if (depth > DEPTH || *steps == 0)
        return false;
    --*steps;
    for (u32 i = 0; i < p->n; i++) {
        struct poly_term term = {.coefficient = p->terms[i].coefficient};
        u32 calls = 0;
        for (u32 f = 0; f < p->terms[i].n && term.coefficient != 0; f++) {
            bool is_call = read_call(p->terms[i].factors[f], calls == 0 && !found ? &call : &other);
            calls += is_call;
            if (!is_call && (memchr(p->terms[i].factors[f].at, '(', p->terms[i].factors[f].n) ||
                             !poly_multiply(&term, p->terms[i].factors[f])))
                return false;
        }
        if (calls > 1) /* their product may be negative */
            return false;
        bool first = calls == 1 && !found;
        if (first)
            x.term = term;
        else if (!poly_add_term(&x.rest, &p->terms[i]))
            return false;
        found |= first;
    }
    return found ? with_call(&x, &call) : poly_plainly_natural(p);
}

bool
poly_never_negative(const struct poly *p)
{
    u32 steps = STEPS;
    return never_negative(p, 0, &steps);
}
