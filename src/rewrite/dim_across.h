/* SPDX-License-Identifier: Apache-2.0
 *
 * Types inside and outside of a nested program. A size has different names there: a binder and its operand, or a
 * returned variable and the result. A type with a size that has no single name on the other side has no equivalent
 * there. */
#ifndef JX_DIM_ACROSS_H
#define JX_DIM_ACROSS_H

#include "resolve/dim_check.h"

/* the type outside of `type`, the type of result i of region 0; NONE if there is none */
type_t type_outside(struct module *m, const struct binders *inner, eqn_t e, const struct region_map *map, u32 i,
                    type_t type);

/* the type inside a region of `type`, the type of the operand that binder k receives; NONE if there is none. Linear in
 * the binders */
type_t type_inside(struct module *m, eqn_t e, const struct region_map *map, const struct region *in, u32 k,
                   type_t type);

#endif
