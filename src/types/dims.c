/* SPDX-License-Identifier: Apache-2.0
 *
 * Dims as three-valued numbers. Integers are exact, or known to be above 2^63-1. Two variables of a scope are equal if
 * their names are, and differ from every integer; other names may be equal to anything. Symbols and expressions of
 * jax.export are compared as polynomials. O(1) per dim, except for comparing texts. */
#include "types/dims.h"
#include "types/poly.h"

/* whether a dim is symbolic: an expression, a sum or a symbol of jax.export */
static bool
is_symbolic(const struct dim *d)
{
    return d->kind == DIM_EXPR || d->kind == DIM_SUM || (d->kind == DIM_NAME && d->value == DIM_SYMBOL);
}

/* whether arithmetic on a and b is symbolic: one is, and the other can be converted */
static bool
symbolic_pair(const struct dim *a, const struct dim *b)
{
    return (is_symbolic(a) || is_symbolic(b)) && poly_has_room(a) && poly_has_room(b);
}

/* the result if a positive number overflows */
static struct dim
dim_huge(void)
{
    return (struct dim){.kind = DIM_HUGE};
}

/* whether a dim is a number known to be positive */
static bool
is_positive(struct dim d)
{
    return d.kind == DIM_HUGE || (d.kind == DIM_INT && d.value > 0);
}

/* whether one of two dims is huge, and adding the other cannot bring it below 2^63 */
static bool
stays_huge(struct dim a, struct dim b)
{
    return (a.kind == DIM_HUGE && (is_positive(b) || dim_is(b, 0))) ||
           (b.kind == DIM_HUGE && (is_positive(a) || dim_is(a, 0)));
}

enum truth
dim_equal(const struct dim *a, const struct dim *b)
{
    if (a->kind == DIM_INT && b->kind == DIM_INT)
        return a->value == b->value ? YES : NO;
    if (a->kind == DIM_HUGE || b->kind == DIM_HUGE)
        return a->kind == DIM_INT || b->kind == DIM_INT ? NO : MAYBE;
    if (symbolic_pair(a, b))
        return poly_equal(a, b);
    if (a->kind == DIM_WINDOWS || b->kind == DIM_WINDOWS)
        return a->kind == b->kind       ? MAYBE
               : a->kind == DIM_WINDOWS ? poly_windows_equal(a, b)
                                        : poly_windows_equal(b, a);
    bool a_variable = a->kind == DIM_NAME && a->value == DIM_VARIABLE,
         b_variable = b->kind == DIM_NAME && b->value == DIM_VARIABLE;
    if ((a_variable && b->kind == DIM_INT) || (b_variable && a->kind == DIM_INT))
        return NO;
    if (a->kind != b->kind || a->kind == DIM_UNKNOWN)
        return MAYBE;
    if (a->kind == DIM_NAME)
        return a->name == b->name ? YES : a_variable && b_variable ? NO : MAYBE;
    if (a->kind == DIM_EXPR)
        return slice_eq(a->text, b->text) ? YES : MAYBE;
    return a->value == b->value ? YES : MAYBE;
}

enum truth
dims_equal(const struct dim *a, const struct dim *b, u32 n)
{
    enum truth all = YES;
    for (u32 i = 0; i < n; i++) {
        enum truth one = dim_equal(&a[i], &b[i]);
        if (one == NO)
            return NO;
        if (one == MAYBE)
            all = MAYBE;
    }
    return all;
}

struct dim
dim_add(struct dim a, struct dim b)
{
    i64 sum;
    if (a.kind == DIM_INT && b.kind == DIM_INT && !__builtin_add_overflow(a.value, b.value, &sum))
        return dim_of(sum);
    if (stays_huge(a, b) || (is_positive(a) && is_positive(b)))
        return dim_huge();
    if (dim_is(b, 0))
        return a;
    if (dim_is(a, 0))
        return b;
    return symbolic_pair(&a, &b) ? poly_combine(&a, 1, &b, 1) : dim_unknown();
}

struct dim
dim_sub(struct dim a, struct dim b)
{
    i64 difference;
    if (a.kind == DIM_INT && b.kind == DIM_INT && !__builtin_sub_overflow(a.value, b.value, &difference))
        return dim_of(difference);
    if (b.kind == DIM_INT && b.value < 0 && (is_positive(a) || dim_is(a, 0)))
        return dim_huge();
    if (dim_is(b, 0))
        return a;
    if (dim_equal(&a, &b) == YES)
        return dim_of(0);
    return symbolic_pair(&a, &b) ? poly_combine(&a, 1, &b, -1) : dim_unknown();
}

struct dim
dim_mul(struct dim a, struct dim b)
{
    i64 product;
    if (a.kind == DIM_INT && b.kind == DIM_INT && !__builtin_mul_overflow(a.value, b.value, &product))
        return dim_of(product);
    if (dim_is(a, 0) || dim_is(b, 0))
        return dim_of(0);
    if (is_positive(a) && is_positive(b))
        return dim_huge();
    if (a.kind == DIM_INT && b.kind == DIM_INT && a.value < 0 && b.value < 0)
        return dim_huge();
    if (dim_is(b, 1))
        return a;
    if (dim_is(a, 1))
        return b;
    if (a.kind == DIM_INT && poly_has_room(&b))
        return poly_combine(&b, a.value, &(struct dim){.kind = DIM_INT}, 0);
    return b.kind == DIM_INT && poly_has_room(&a) ? poly_combine(&a, b.value, &(struct dim){.kind = DIM_INT}, 0)
                                                  : dim_unknown();
}

struct dim
dim_floordiv(struct dim a, struct dim b)
{
    if (a.kind == DIM_INT && b.kind == DIM_INT && b.value > 0)
        return dim_of(a.value / b.value - (a.value % b.value < 0));
    if (dim_is(b, 1))
        return a;
    return b.kind == DIM_INT && b.value > 0 && is_symbolic(&a) && poly_has_room(&a) ? poly_floordiv(&a, b.value)
                                                                                    : dim_unknown();
}

enum truth
dim_divisible(struct dim a, i64 by)
{
    if (a.kind == DIM_INT)
        return a.value % by == 0 ? YES : NO;
    return is_symbolic(&a) && poly_has_room(&a) ? poly_divisible(&a, by) : MAYBE;
}

struct dim
dims_product(const struct dim *d, u32 n)
{
    struct dim product = dim_of(1);
    bool unknown = false;
    for (u32 i = 0; i < n; i++) {
        if (dim_is(d[i], 0))
            return dim_of(0);
        if (!unknown)
            product = dim_mul(product, d[i]);
        unknown = product.kind == DIM_UNKNOWN;
    }
    return product;
}

/* the product of n numbers in 128 bits; false on overflow, or if one is negative or not a number */
static bool
wide_product(const struct dim *d, u32 n, unsigned __int128 *out)
{
    *out = 1;
    for (u32 i = 0; i < n; i++)
        if (d[i].kind != DIM_INT || d[i].value < 0 || __builtin_mul_overflow(*out, (u64)d[i].value, out))
            return false;
    return true;
}

enum truth
dims_products_equal(const struct dim *a, u32 n, const struct dim *b, u32 k)
{
    struct dim left = dims_product(a, n), right = dims_product(b, k);
    if (left.kind == DIM_INT && right.kind == DIM_INT)
        return left.value == right.value ? YES : NO;
    unsigned __int128 wide_left, wide_right;
    if (left.kind == DIM_HUGE && right.kind == DIM_HUGE && wide_product(a, n, &wide_left) &&
        wide_product(b, k, &wide_right))
        return wide_left == wide_right ? YES : NO;
    return left.kind == DIM_HUGE || right.kind == DIM_HUGE ? dim_equal(&left, &right) : poly_products_equal(a, n, b, k);
}

enum truth
dim_at_most(struct dim a, struct dim b)
{
    if ((a.kind == DIM_HUGE || b.kind == DIM_HUGE) && (a.kind == DIM_INT || b.kind == DIM_INT))
        return b.kind == DIM_HUGE ? YES : NO;
    if (a.kind == DIM_INT && b.kind == DIM_INT)
        return a.value <= b.value ? YES : NO;
    return symbolic_pair(&a, &b) ? poly_at_most(&a, &b) : dim_equal(&a, &b) == YES ? YES : MAYBE;
}

struct dim
dim_dilate(struct dim d, i64 dilation)
{
    if (dilation == 1 || dim_is(d, 0))
        return d;
    return dim_add(dim_mul(dim_sub(d, dim_of(1)), dim_of(dilation)), dim_of(1));
}

struct dim
dim_stride(struct dim d, struct dim window, i64 stride)
{
    if (d.kind == DIM_INT && window.kind == DIM_HUGE)
        return dim_of(0);
    struct dim room = dim_sub(d, window);
    if (stride >= 1 && room.kind == DIM_INT)
        return dim_of(room.value < 0 ? 0 : room.value / stride + 1);
    if (stride == 1 && dim_is(window, 1))
        return d;
    /* JAX prints max(.., 0) where the count may be negative */
    struct dim count = stride < 1 ? dim_unknown() : dim_add(dim_floordiv(room, dim_of(stride)), dim_of(1));
    if (is_symbolic(&count) && poly_has_room(&count) && poly_natural(&count))
        return count;
    return is_symbolic(&room) && poly_has_room(&room) ? poly_windows(&room, stride) : dim_unknown();
}
