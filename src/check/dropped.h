/* SPDX-License-Identifier: Apache-2.0
 *
 * Results called `_`: nothing reads them. */
#ifndef JX_DROPPED_H
#define JX_DROPPED_H

#include "check/checker.h"

/* operand i of an equation is a variable called `_`: false when it was reported (S012), as nothing can be called so and
 * be read */
bool check_dropped(struct checker *c, const struct rule *r, u32 i);

#endif
