/* SPDX-License-Identifier: Apache-2.0
 *
 * Replication: the mesh axes along which a value inside shard_map is the same, as JAX computes it up to 0.6.0 with
 * `check_rep=True`. Types do not have it, so that it is propagated from the specs through the program. */
#ifndef JX_REPLICATION_H
#define JX_REPLICATION_H

#include "verify/mesh.h"

/* propagates replication through program j of a shard_map: binder i is replicated over ins[i], and result i must be
 * over outs[i]. Reports T030. Linear in the equations of the program and of those it calls, counted at every call; the
 * rest is trusted once the module's shard_maps have visited more than 64 times as many equations as it has
 * (jax/experimental/shard_map.py 0.4.16 to 0.6.0, _check_rep and the rules of register_check) */
bool rule_replicates(struct rule *r, jaxpr_t j, const struct mesh *mesh, const u64 *ins, const u64 *outs,
                     const char *specs);

#endif
