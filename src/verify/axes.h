/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers of shape rules. `key` names the parameter that is checked; findings are reported at it. */
#ifndef JX_AXES_H
#define JX_AXES_H

#include "verify/rule.h"

/* makes the shape of *out unknown, so that the shape of the binder is trusted; false if the equation was reported */
bool unranked(const struct rule *r, struct aval *out);

/* the same if only the sizes of its `rank` axes are unknown */
bool unsized(struct rule *r, struct aval *out, u32 rank);

/* replaces each `None` of a shape parameter, from left to right, by an operand, from operand `first` on: a literal by
 * its number, a variable by its name. Reports T005 if there are more or fewer operands than `None`s */
bool fill_holes(struct rule *r, const char *key, struct dims *dims, u32 first);

/* whether a <= b, a == b, or `by` divides a. Where that depends on the values of symbols, they trust the equation and
 * return true */
bool at_most(struct rule *r, struct where where, struct dim a, struct dim b);
bool same_size(struct rule *r, struct where where, struct dim a, struct dim b);
bool divisible_by(struct rule *r, struct where where, struct dim a, i64 by);

/* checks that the sizes in a parameter are not negative; reports T010 */
bool sizes_fit(struct rule *r, const char *key, const struct dims *dims);

/* a copy of operand i's dims, with room for `more` others; lives until the next equation */
struct dim *copy_dims(struct rule *r, u32 i, u32 more);

/* an array with a zeroed byte for each axis; lives until the next equation */
u8 *axis_marks(struct rule *r, u32 rank);

/* checks that axis is in [0, rank) and, unless seen is NULL, not marked; marks it. Reports T009, T010 */
bool axis_fits(struct rule *r, const char *key, i64 axis, u32 rank, u8 *seen);
/* the same for entry i of a list, and for all of its entries */
bool entry_fits(struct rule *r, const char *key, const struct ints *axes, u32 i, u32 rank, u8 *seen);
bool axes_fit(struct rule *r, const char *key, const struct ints *axes, u32 rank, u8 *seen);

/* checks that the axes of the list are different and in [0, rank); reports T009, T010. Under --as-jax, it only warns of
 * a wrong axis in [lowest, highest] */
bool axes_permute(struct rule *r, const char *key, const struct ints *axes, u32 rank, i64 lowest, i64 highest);

/* a without its marked axes */
struct aval without_axes(struct rule *r, const struct aval *a, const u8 *seen);

/* checks that the parameter's n entries are one for each axis of operand 0, whose shape is known; reports T009 */
bool one_each(struct rule *r, const char *key, u32 n);

/* checks operands, then as many scalar initial values of their element types, and as many results as operands (reduce,
 * reduce_window); reports T005, T006, T007, T008 */
bool paired_initials(struct rule *r);

/* checks that the program in a parameter, if printed, combines scalars: it takes a scalar of the element type of each
 * operand in [0, n), then these again, and returns one of each type or, with `chooses`, a bool. JAX does not check it.
 * Reports T012 */
bool combines_scalars(struct rule *r, const char *key, u32 n, bool chooses);

/* checks that two operands have the same element type; reports T007, for keys as stricter than JAX */
bool same_element_type(struct rule *r, u32 other, u32 i);

/* checks that all operands have operand 0's element type; reports T007 */
bool same_element_types(struct rule *r);

#endif
