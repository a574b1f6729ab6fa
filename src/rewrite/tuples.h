/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that depend on the operands of an equation: tuples with an element for each, and slices that select
 * operands. */
#ifndef JX_TUPLES_H
#define JX_TUPLES_H

#include "ir/module.h"

/* after n operands were inserted before operand `at` of equation e, which had n_before: inserts elements into tuples
 * such as `linear` and `donated_invars`, with JAX's values for constants. Linear in the parameters' text */
void tuples_insert(struct module *m, eqn_t e, u32 n_before, u32 at, u32 n);

/* after n operands were inserted before operand `at`: extends slice `grown` of parameter `grows` (slices are numbered
 * in its text) by n, and moves those after it. Slices are PennyLane's, printed `slice(0, 1, None)` or `(0, 1, None)`.
 * Linear in the parameters' text */
void slices_insert(struct module *m, eqn_t e, struct slice grows, u32 grown, u32 at, u32 n);

#endif
