/* SPDX-License-Identifier: Apache-2.0
 *
 * Replication: which mesh axes a value inside shard_map is known to be the same along, as JAX worked it out up to 0.6.0
 * where `check_rep=True`. Types do not show it, so it is followed from the specs through the program. */
#ifndef JX_REPLICATE_H
#define JX_REPLICATE_H

#include "check/rule.h"

/* The axes of a mesh, in its order: bit i of a set stands for names[i]. */
struct mesh_axes {
    struct slice names[48];
    u32 n;
};

/* reads the axes of a printed mesh; false where it has none or too many of them */
bool mesh_axes_read(struct slice mesh, struct mesh_axes *out);

/* the axes that are not among n names (without quotes), as a set */
u64 mesh_axes_but(const struct mesh_axes *axes, const struct slice *names, u32 n);

/* follows replication through program j of a shard_map: binder i of it is replicated over ins[i], and result i has to
 * be over outs[i]. Reports T030. Linear in the equations of the program, each counted once for every way it is called;
 * gives up, and trusts, where that is more than 64 times as many as the module has (jax/experimental/shard_map.py
 * 0.4.16 to 0.6.0, _check_rep and the rules behind register_check) */
bool rule_replicates(struct rule *r, jaxpr_t j, const struct mesh_axes *axes, const u64 *ins, const u64 *outs);

#endif
