/* SPDX-License-Identifier: Apache-2.0
 *
 * Refs to arrays with explicit shardings (jax/_src/state 0.12: NDIndexer._validate_sharding in indexing.py, transforms
 * in types.py, _addupdate_abstract_eval in primitives.py). */
#ifndef JX_REF_SHARDING_H
#define JX_REF_SHARDING_H

#include "verify/rule.h"

/* checks that `index`, the indexers of operand 0, slices only axes that are not sharded, if the ref is. Reports T029.
 * Linear in the indexers and axes */
bool ref_index_allowed(struct rule *r, struct slice index, const struct aval *ref);

/* gives the sharding of a ref to `part`, the accessed part, if it has the same rank. Linear in its axes */
void ref_shard_part(struct rule *r, const struct aval *ref, struct aval *part);

/* checks that operand 1, which is added to part of the ref, has its sharding; reports T008 */
bool ref_value_sharded(struct rule *r, const struct aval *part);

#endif
