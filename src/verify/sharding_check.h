/* SPDX-License-Identifier: Apache-2.0
 *
 * Explicit shardings in types, `f32[8@x,2]`: those of results are computed from those of operands. */
#ifndef JX_SHARDING_CHECK_H
#define JX_SHARDING_CHECK_H

#include "verify/rule.h"

/* checks that the shardings of the operands are valid, and each result is bound with the sharding that they and the
 * parameters determine (sharding_rules.h), if a type of the equation has one; c->placed must be true. `out` is the type
 * that the rule computed for result 0, unknown if the rule checks its results itself. Reports T003, T008, T009 */
bool rule_shards(struct rule *r, const struct aval *out);

/* checks that result i is bound with the sharding of `gives`, which has its shape; reports T003 */
bool rule_result_sharded(struct rule *r, u32 i, const struct aval *gives);

/* whether some type of the module has a sharding */
bool types_placed(const struct module *m);

#endif
