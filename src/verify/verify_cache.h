/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations met before: two that print the same parameters and have operands and results of the same types get the
 * same verdict, so a rule runs once for all of them. */
#ifndef JX_VERIFY_CACHE_H
#define JX_VERIFY_CACHE_H

#include "verify/rule.h"

/* what an equation is remembered by: a hash of all that its rule may read, 0 where it is not to be remembered */
u64 verified_hash(const struct checker *c, const struct eqn *eqn);

/* whether an equation with this hash is, byte by byte, one that was found right; checks the numbers of its literals,
 * which are not compared */
bool verified_before(struct checker *c, const struct eqn *eqn, u64 hash);

/* remembers an equation that was found right, in the place of another */
void verified_keep(struct checker *c, eqn_t e, u64 hash);

#endif
