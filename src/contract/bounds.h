/* SPDX-License-Identifier: Apache-2.0
 *
 * The small languages inside a configuration: bounds of counts, sizes with units, patterns of shapes. */
#ifndef JX_BOUNDS_H
#define JX_BOUNDS_H

#include "ir/type.h"

/* What a count may be: `27`, `<= 18`, `>= 2, < 10`. */
struct bounds {
    u64 least, most;
    bool exact; /* one number was given: the count itself, not a limit */
};

/* reads bounds; returns what is wrong if the text is not bounds, or no number is within them, else NULL */
const char *bounds_read(struct slice text, struct bounds *out);

/* true if a count is within bounds */
static inline bool
bounds_hold(const struct bounds *b, u64 n)
{
    return b->least <= n && n <= b->most;
}

/* a pattern of shapes is `[n,n]`, `[...,4096]`, `[n>=64,n]`, `f32[_,3]`: a number is that size, `_` any size, a name
 * one size other than 1 that is the same everywhere, `...` any number of sizes; `<`, `<=`, `>` or `>=` and a number,
 * after a name or alone, bound a size; a pattern of element types may come first. Returns an error message and its
 * place in the pattern, 0: all of it; or NULL */
const char *shape_pattern_fault(struct slice pattern, size_t *place);

/* true if the shape of an array type matches a valid pattern. Sizes that are not numbers are equal where their text
 * is, and match no bounds. O(pattern times rank) */
bool shape_matches(struct slice pattern, const struct types *types, const struct type *type);

#endif
