/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers of shape rules. `key` is the parameter whose place a finding has. */
#ifndef JX_AXES_H
#define JX_AXES_H

#include "verify/rule.h"

/* makes the shape of *out unknown, so that the binder's is trusted. False if the equation was reported */
bool unranked(const struct rule *r, struct aval *out);

/* fills the holes (`None`) of a shape parameter with the trailing operands, from the left: a literal is its number, a
 * variable its name; reports T005 if their numbers differ */
bool fill_holes(struct rule *r, const char *key, struct dims *dims, u32 first);

/* whether a <= b, a == b, or `by` divides a, or may do: where that depends on the values of symbols, the equation is
 * trusted */
bool at_most(struct rule *r, struct where where, struct dim a, struct dim b);
bool same_size(struct rule *r, struct where where, struct dim a, struct dim b);
bool divisible_by(struct rule *r, struct where where, struct dim a, i64 by);

/* the sizes in a parameter are not negative */
bool sizes_fit(struct rule *r, const char *key, const struct dims *dims);

/* a copy of operand i's dims, with room for `more`; lives until the next equation */
struct dim *copy_dims(struct rule *r, u32 i, u32 more);

/* one zeroed byte an axis */
u8 *axis_marks(struct rule *r, u32 rank);

/* checks that axis is in [0, rank) and, unless seen is NULL, not marked; marks it. Reports T009, T010 */
bool axis_fits(struct rule *r, const char *key, i64 axis, u32 rank, u8 *seen);
/* the same for entry i of a list, and for all of its entries */
bool entry_fits(struct rule *r, const char *key, const struct ints *axes, u32 i, u32 rank, u8 *seen);
bool axes_fit(struct rule *r, const char *key, const struct ints *axes, u32 rank, u8 *seen);

/* checks that the axes of the list are different and in [0, rank); reports T009, T010, as a warning under --as-jax for
 * axes in [lowest, highest] */
bool axes_permute(struct rule *r, const char *key, const struct ints *axes, u32 rank, i64 lowest, i64 highest);

/* a without its marked axes */
struct aval without_axes(struct rule *r, const struct aval *a, const u8 *seen);

/* checks that the parameter's n entries are one for each axis of operand 0, whose shape is known; reports T009 */
bool one_each(struct rule *r, const char *key, u32 n);

/* checks operands, then as many scalar initial values of their element types, and as many results as operands (reduce,
 * reduce_window); reports T005, T006, T007, T008 */
bool paired_initials(struct rule *r);

/* checks that the program of a parameter, if printed, combines scalars: it takes one of the element type of each of
 * operands [0, n), twice in a row, and returns one of each, or a bool (`chooses`). JAX does not check it. Reports
 * T012 */
bool combines_scalars(struct rule *r, const char *key, u32 n, bool chooses);

/* checks that two operands have the same element type; reports T007, of a key what JAX's checker accepts */
bool same_element_type(struct rule *r, u32 other, u32 i);

/* checks that all operands have operand 0's element type; reports T007 */
bool same_element_types(struct rule *r);

#endif
