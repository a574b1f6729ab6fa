/* SPDX-License-Identifier: Apache-2.0
 *
 * Explicit shardings in types, `f32[8@x,2]`: how results lie on a mesh when their operands do. */
#ifndef JX_SHARD_H
#define JX_SHARD_H

#include "verify/rule.h"

/* the operands may lie as they do, and each result is bound with the shardings they and the parameters give it
 * (sharding_rules.h), where a type of the equation shows any; c->placed is not NULL. `out` is what the rule worked out
 * for result 0, unknown where it looks after its results alone. Reports T003, T008, T009 */
bool rule_shards(struct rule *r, const struct aval *out);

/* by type_t, whether a type shows a sharding; NULL where none does. The caller frees it */
bool types_placed(const struct module *m);

#endif
