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

/* reads bounds; returns an error message if the text is not bounds or no number is within them, else NULL */
const char *bounds_read(struct slice text, struct bounds *out);

/* true if a count is within bounds */
static inline bool
bounds_hold(const struct bounds *b, u64 n)
{
    return b->least <= n && n <= b->most;
}

/* checks a pattern of shapes, such as `[n,n]`, `[...,4096]`, `[n>=64,n]`, `f32[_,3]`: `_` matches any size; a name
 * any size but 1, the same at each of its places; `...` any number of sizes; a bound (`<`, `<=`, `>`, `>=`, `==`) may
 * follow a name or be alone; a pattern of element types may come first. Returns NULL, or an error message and its
 * offset in the pattern, 0 for all of it */
const char *shape_pattern_fault(struct slice pattern, size_t *place);

/* true if the shape of an array type matches a valid pattern. Sizes that are not numbers are equal if their texts
 * are, and are within no bounds. O(pattern times rank) */
bool shape_matches(struct slice pattern, const struct types *types, const struct type *type);

#endif
