/* SPDX-License-Identifier: Apache-2.0
 *
 * Replication: which mesh axes a value inside shard_map is known to be the same along, as JAX worked it out up to 0.6.0
 * where `check_rep=True`. Types do not show it, so it is followed from the specs through the program. */
#ifndef JX_REPLICATE_H
#define JX_REPLICATE_H

#include "verify/mesh.h"

/* follows replication through program j of a shard_map: binder i of it is replicated over ins[i], and result i has to
 * be over outs[i]. Reports T030. Linear in the equations of the program, each counted once for every way it is called;
 * gives up, and trusts, where that is more than 64 times as many as the module has (jax/experimental/shard_map.py
 * 0.4.16 to 0.6.0, _check_rep and the rules of register_check) */
bool rule_replicates(struct rule *r, jaxpr_t j, const struct mesh *mesh, const u64 *ins, const u64 *outs);

#endif
