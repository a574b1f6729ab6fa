/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches that take one list of arguments. */
#ifndef JX_BRANCHES_H
#define JX_BRANCHES_H

#include "regions/region_map.h"

/* the branches of a layout, whose first own[i] arguments are theirs alone, take those of all, one branch after another;
 * what is another's is not used and has a name that ends in `_`. *fresh is fresh_name's. Linear in what comes out */
void branches_pad(struct module *m, const struct region_map *l, const u32 *own, u32 *fresh);

#endif
