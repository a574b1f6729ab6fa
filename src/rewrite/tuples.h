/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that go with the operands of an equation: tuples with an element for each, and slices that cut operands
 * out. */
#ifndef JX_TUPLES_H
#define JX_TUPLES_H

#include "ir/module.h"

/* n operands were inserted before operand `at` of equation e, which had n_before: tuples such as `linear` and
 * `donated_invars` say of the new ones what JAX says of a constant. Linear in the parameters' text */
void tuples_insert(struct module *m, eqn_t e, u32 n_before, u32 at, u32 n);

/* n operands were inserted before operand `at`, counted from `base` on: slice `grown` of parameter `grows` (slices are
 * numbered through the parameter's text) takes them in, those after it move. Slices are PennyLane's, printed
 * `slice(0, 1, None)` or `(0, 1, None)`. Linear in the parameters' text */
void slices_insert(struct module *m, eqn_t e, struct slice grows, u32 grown, u32 at, u32 n);

#endif
