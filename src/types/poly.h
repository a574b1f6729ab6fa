/* SPDX-License-Identifier: Apache-2.0
 *
 * Dimension expressions of jax.export (jax/_src/export/shape_poly.py) as polynomials: `2*b - 1`, `a*b^2 + 3`. A symbol
 * or a call such as `floordiv(b, 2)` is an indeterminate, identified by its text. Exact and without allocation, unlike
 * the polynomials of costs; cost/amount.h says why there are two kinds. */
#ifndef JX_POLY_H
#define JX_POLY_H

#include "base/sink.h"
#include "types/dims.h"

enum { POLY_TERMS = 24, POLY_FACTORS = 8 };

struct poly_term {
    i64 coefficient;
    u32 n;
    struct slice factors[POLY_FACTORS]; /* sorted; powers are repeated factors */
};

/* A sum of terms with different indeterminates. */
struct poly {
    u32 n;
    bool calls; /* some indeterminate is a call */
    struct poly_term terms[POLY_TERMS];
};

/* whether two dims, integers or symbolic, are equal for all values of their symbols (YES), or are not accepted as equal
 * by JAX, as their polynomials differ (NO; JAX prints equal ones alike). MAYBE if a sum that was computed here contains
 * a call, as JAX may have simplified it */
enum truth poly_equal(const struct dim *a, const struct dim *b);

/* whether the products of two lists of printed dims are equal, as poly_equal; of variables, which may depend on one
 * another, only multiples of one product are known to differ, `4*n` and `5*n` */
enum truth poly_products_equal(const struct dim *a, u32 n, const struct dim *b, u32 k);

/* left * a + right * b as a DIM_SUM, or an integer; unknown where it has too many terms */
struct dim poly_combine(const struct dim *a, i64 left, const struct dim *b, i64 right);

/* inserts an indeterminate into a term, in order; false if the term has too many */
bool poly_multiply(struct poly_term *t, struct slice factor);

/* adds a term, merging it with one of the same indeterminates; false if there are too many terms, or on overflow */
bool poly_add_term(struct poly *p, const struct poly_term *t);

/* adds a term times a polynomial; false if there are too many terms or factors, or on overflow */
bool poly_add_product(struct poly *p, const struct poly_term *term, const struct poly *by);

/* true if a polynomial without calls is at least 0 for all symbols of at least 1, by its coefficients */
bool poly_plainly_natural(const struct poly *p);

/* reads an expression; false if it cannot be read or has too many terms */
bool poly_read(struct poly *p, struct slice text);

/* floor(a / by) as a dim, for positive `by`; unknown unless by divides every coefficient except the constant */
struct dim poly_floordiv(const struct dim *a, i64 by);

/* whether by divides a for all values of its symbols; MAYBE for some calls. JAX treats what it cannot decide as NO */
enum truth poly_divisible(const struct dim *a, i64 by);

/* poly_bounds.c: true if a polynomial is at least 0 for all symbols of at least 1, by its coefficients and the bounds
 * of its calls */
bool poly_never_negative(const struct poly *p);

/* whether a <= b for all values of their symbols (YES), or for none (NO) */
enum truth poly_at_most(const struct dim *a, const struct dim *b);

/* true if a is at least 0 for all symbols of at least 1, by its coefficients */
bool poly_natural(const struct dim *a);

/* writes a dim with like terms joined and the constant last; false if it cannot be read */
bool poly_write(struct sink *out, const struct dim *d);

/* max(floordiv(room, stride) + 1, 0) as a DIM_WINDOWS; unknown if it has too many terms */
struct dim poly_windows(const struct dim *room, i64 stride);

/* whether a DIM_WINDOWS equals a printed dim; NO only where neither has other calls */
enum truth poly_windows_equal(const struct dim *windows, const struct dim *printed);

/* true for dims that these functions accept: integers, expressions, symbols, sums */
bool poly_has_room(const struct dim *d);

#endif
