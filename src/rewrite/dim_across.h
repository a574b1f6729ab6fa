/* SPDX-License-Identifier: Apache-2.0
 *
 * Types that cross the border of a nested program. Inside and outside, a size has different names: the operand of the
 * binder that bears it, or the result at the place where it is returned. What has no name on the other side, or
 * several, has no type there. */
#ifndef JX_DIM_ACROSS_H
#define JX_DIM_ACROSS_H

#include "resolve/dim_check.h"

/* the type outside of what region 0 returns as result i, or NONE */
type_t type_outside(struct module *m, const struct binders *inner, eqn_t e, const struct region_map *map, u32 i,
                    type_t type);

/* the type inside of an operand that binder k of a region receives, or NONE. Linear in the binders */
type_t type_inside(struct module *m, eqn_t e, const struct region_map *map, const struct region *in, u32 k,
                   type_t type);

#endif
