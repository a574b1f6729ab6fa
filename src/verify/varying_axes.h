/* SPDX-License-Identifier: Apache-2.0
 *
 * Varying axes: `{V:x}` after a type says that the value differs from device to device along the mesh axis x. JAX
 * prints it inside shard_map where check_vma is on (0.6 on) and compares it as part of the type. */
#ifndef JX_VARY_H
#define JX_VARY_H

#include "verify/rule.h"

/* every axis of one list, as far as a mesh can have so many, is in the other or in a third */
bool vary_within(struct slice list, struct slice other, struct slice third);

/* the type printed for an operand, NONE where none is or where its name does not say which variable is meant */
type_t vary_type(const struct rule *r, u32 i);

/* whether some type of the equation says axes */
bool vary_shown(const struct rule *r);

/* all operands and results vary over the same axes, as JAX's standard_vma_rule wants of ordinary primitives; nothing is
 * asked where no type of the equation says any. Reports T030 */
bool rule_varies(struct rule *r);

#endif
