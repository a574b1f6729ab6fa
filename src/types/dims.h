/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic on dimensions, including those that are not plain integers. Comparisons are three-valued: what is
 * neither known to be equal nor known to differ is trusted. */
#ifndef JX_DIMS_H
#define JX_DIMS_H

#include "ir/module.h"

/* Kinds of struct dim beyond those that are printed: a number above 2^63-1, the number of windows in a symbolic dim,
 * a sum of symbolic dims (both by poly.c), and an unknown dim (`None` in a shape, the result of undecidable
 * arithmetic). */
enum { DIM_HUGE = 252, DIM_WINDOWS = 253, DIM_SUM = 254, DIM_UNKNOWN = 255 };

/* the value of a DIM_NAME: unknown, a variable of the current scope (check_dims), a symbol of jax.export */
enum { DIM_ANY_NAME, DIM_VARIABLE, DIM_SYMBOL };

enum truth { NO, YES, MAYBE };

/* a plain integer as a dim */
static inline struct dim
dim_of(i64 value)
{
    return (struct dim){.kind = DIM_INT, .value = value};
}

/* an unknown dim */
static inline struct dim
dim_unknown(void)
{
    return (struct dim){.kind = DIM_UNKNOWN};
}

static inline bool
dim_is(struct dim d, i64 value)
{
    return d.kind == DIM_INT && d.value == value;
}

/* whether two dims are the same number; shardings are ignored */
enum truth dim_equal(const struct dim *a, const struct dim *b);

/* whether two lists of n dims are equal, dim by dim */
enum truth dims_equal(const struct dim *a, const struct dim *b, u32 n);

/* a + b, a - b, a * b, floor(a / b); unknown if that is undecided or below -2^63, or if b of dim_floordiv is not
 * positive */
struct dim dim_add(struct dim a, struct dim b);
struct dim dim_sub(struct dim a, struct dim b);
struct dim dim_mul(struct dim a, struct dim b);
struct dim dim_floordiv(struct dim a, struct dim b);

/* whether `by`, a positive number, divides a; for symbols, as in JAX, NO unless it always does; MAYBE if that is
 * undecided */
enum truth dim_divisible(struct dim a, i64 by);

/* the product of n dims */
struct dim dims_product(const struct dim *d, u32 n);

/* whether the products of two lists of dims are the same number, exact up to 128 bits; MAYBE for symbols */
enum truth dims_products_equal(const struct dim *a, u32 n, const struct dim *b, u32 k);

/* whether a <= b; symbols are at least 1 */
enum truth dim_at_most(struct dim a, struct dim b);

/* the extent of a window of this size with `dilation - 1` holes between its elements; 0 for 0 */
struct dim dim_dilate(struct dim d, i64 dilation);

/* the number of windows of `window` elements, `stride` apart, in d, 0 if d is smaller */
struct dim dim_stride(struct dim d, struct dim window, i64 stride);

#endif
