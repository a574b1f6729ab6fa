/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache of verified equations: equations with the same parameters and the same types of operands and results get the
 * same verdict, so a rule runs once for all of them. */
#ifndef JX_VERIFY_CACHE_H
#define JX_VERIFY_CACHE_H

#include "verify/rule.h"

/* the key of an equation: a hash of everything that its rule may read, 0 if it cannot be cached */
u64 verified_hash(const struct checker *c, const struct eqn *eqn);

/* whether an equation with this hash is, byte by byte, a verified one; checks the numbers of its literals, which are
 * not compared */
bool verified_before(struct checker *c, const struct eqn *eqn, u64 hash);

/* caches a verified equation; it may replace another */
void verified_keep(struct checker *c, eqn_t e, u64 hash);

#endif
