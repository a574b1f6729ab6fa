/* SPDX-License-Identifier: Apache-2.0
 *
 * Dimension expressions of jax.export (jax/_src/export/shape_poly.py) as polynomials: `2*b - 1`, `a*b^2 + 3`. A symbol
 * or a call such as `floordiv(b, 2)` is an indeterminate known by its text. */
#ifndef JX_POLY_H
#define JX_POLY_H

#include "base/sink.h"
#include "types/dims.h"

enum { POLY_TERMS = 24, POLY_FACTORS = 8 };

struct poly_term {
    i64 coefficient;
    u32 n;
    struct slice factors[POLY_FACTORS]; /* sorted; a power is written out */
};

/* A sum of terms with different indeterminates. */
struct poly {
    u32 n;
    bool calls; /* some indeterminate is a call */
    struct poly_term terms[POLY_TERMS];
};

/* whether two dims, integers or symbolic, are the same number for every value of their symbols (YES), are none that JAX
 * would accept as equal (NO: the polynomials differ; it writes equal ones alike), or undecided: a call is in a
 * sum that was worked out here, and JAX may have drawn the sum into it */
enum truth poly_equal(const struct dim *a, const struct dim *b);

/* left * a + right * b as a DIM_SUM (an integer where no symbol is left); unknown where it does not fit one */
struct dim poly_combine(const struct dim *a, i64 left, const struct dim *b, i64 right);

/* reads an expression; false where it is not understood or does not fit */
bool poly_read(struct poly *p, struct slice text);

/* floor(a / by) as a dim, by being positive; unknown unless by divides every coefficient but the constant */
struct dim poly_floordiv(const struct dim *a, i64 by);

/* whether by divides a for every value of its symbols: JAX treats what it cannot decide as NO, calls are MAYBE here */
enum truth poly_divisible(const struct dim *a, i64 by);

/* true where a is seen to be at least 0: its symbols are at least 1 */
bool poly_natural(const struct dim *a);

/* writes a dim, like terms joined, a constant last; false where it is not understood */
bool poly_write(struct sink *out, const struct dim *d);

/* max(floordiv(room, stride) + 1, 0) as a DIM_WINDOWS, where that is not a sum; unknown where it does not fit one */
struct dim poly_windows(const struct dim *room, i64 stride);

/* whether such a dim is the one that is printed. NO is said only where both are free of other calls */
enum truth poly_windows_equal(const struct dim *windows, const struct dim *printed);

/* true for dims these functions take: integers, expressions, symbols, sums */
bool poly_has_room(const struct dim *d);

#endif
