/* SPDX-License-Identifier: Apache-2.0
 *
 * The words shape rules are made of. `key` is the parameter a finding points at. */
#ifndef JX_AXES_H
#define JX_AXES_H

#include "verify/rule.h"

/* says that no shape is known: the binder's is taken. Always true */
bool unranked(struct aval *out);

/* room for dims, filled with operand i's, followed by `more`; lives until the next equation */
struct dim *copy_dims(struct rule *r, u32 i, u32 more);

/* one zeroed byte an axis */
u8 *axis_marks(struct rule *r, u32 rank);

/* axis lies in [0, rank) and, given marks, was not met before (it is marked); reports T009, T010 */
bool axis_fits(struct rule *r, const char *key, i64 axis, u32 rank, u8 *seen);
/* the same of entry i of a list, and of all of its entries */
bool entry_fits(struct rule *r, const char *key, const struct ints *axes, u32 i, u32 rank, u8 *seen);
bool axes_fit(struct rule *r, const char *key, const struct ints *axes, u32 rank, u8 *seen);

/* the list names each of the axes once; T009 and T010 otherwise, which JAX reports only of axes below `lowest` or above
 * `highest` */
bool axes_permute(struct rule *r, const char *key, const struct ints *axes, u32 rank, i64 lowest, i64 highest);

/* a without its marked axes */
struct aval without_axes(struct rule *r, const struct aval *a, const u8 *seen);

/* the parameter has one entry an axis of operand 0, whose shape is known; reports T009 */
bool one_each(struct rule *r, const char *key, u32 n);

/* operands, then as many scalar initial values of their element types, and as many results as operands (reduce,
 * reduce_window); reports T005, T006, T007, T008 */
bool paired_initials(struct rule *r);

/* the program of a parameter, where one is printed, combines scalars: it takes one of each of operands [0, n)'s element
 * types, then one of each again, and gives one of each, or a bool for the first (`chooses`). JAX looks at none of it.
 * Reports T012 */
bool combines_scalars(struct rule *r, const char *key, u32 n, bool chooses);

/* all operands have operand 0's element type; reports T007 */
bool same_element_types(struct rule *r);

#endif
