/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes branches take the same list of arguments. */
#ifndef JX_PAD_BRANCHES_H
#define JX_PAD_BRANCHES_H

#include "regions/region_map.h"

/* makes the branches of a region map, of which branch i has own[i] leading arguments of its own, take those of all
 * branches, one after another; arguments of others are unused and have names that end in `_`. *fresh is the counter of
 * fresh_name. Linear in the result */
void branches_pad(struct module *m, const struct region_map *l, const u32 *own, u32 *fresh);

#endif
