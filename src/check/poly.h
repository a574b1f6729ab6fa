/* SPDX-License-Identifier: Apache-2.0
 *
 * Dimension expressions of jax.export (jax/_src/export/shape_poly.py) as polynomials: `2*b - 1`, `a*b^2 + 3`. A symbol
 * or a call such as `floordiv(b, 2)` is an indeterminate known by its text. */
#ifndef JX_POLY_H
#define JX_POLY_H

#include "check/dims.h"

/* whether two dims, integers or symbolic, are the same number for every value of their symbols (YES), for none that JAX
 * would accept as equal (NO: the polynomials differ, and no call stands in them that could make up for it), or cannot
 * be told */
enum truth poly_equal(const struct dim *a, const struct dim *b);

/* left * a + right * b as a DIM_SUM (an integer where no symbol is left); unknown where it does not fit one */
struct dim poly_combine(const struct dim *a, i64 left, const struct dim *b, i64 right);

/* hands every term of a symbolic dim (DIM_EXPR) to `term`: coefficient and indeterminates, a power written out; false,
 * and nothing handed on, where the expression is not understood */
bool poly_terms(const struct dim *d, void (*term)(void *user, i64 coefficient, const struct slice *factors, u32 n),
                void *user);

/* true for dims these functions take: integers, expressions, symbols, sums */
bool poly_takes(const struct dim *d);

#endif
