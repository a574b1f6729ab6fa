/* SPDX-License-Identifier: Apache-2.0
 *
 * Explicit shardings in types: how results lie on a mesh when their operands do. */
#ifndef JX_SHARD_H
#define JX_SHARD_H

#include "check/rule.h"

/* result 0, worked out as `out`, is bound with the shardings that the operands give it, where the rule is one of those
 * that keep them (elementwise ones, reductions, transposes ..) and a type of the equation shows any. Reports T003 */
bool rule_shards(struct rule *r, const struct aval *out);

#endif
