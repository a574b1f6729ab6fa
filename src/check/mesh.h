/* SPDX-License-Identifier: Apache-2.0
 *
 * Meshes as they are printed, and the axes an equation may name. */
#ifndef JX_MESH_H
#define JX_MESH_H

#include "check/rule.h"

/* One axis of a mesh: `'i': 4`, and whether an enclosing shard_map has taken it over (`axis_types=(Manual,)`). */
struct mesh_axis {
    i64 size;
    bool manual;
};

/* finds an axis, named without quotes, in `Mesh('i': 4, 'j': 2, axis_types=(Auto, Auto))`; false when the mesh does not
 * have it */
bool mesh_find(struct slice mesh, struct slice name, struct mesh_axis *axis);

/* the size of a mesh axis that a shard_map or pmap around the equation binds, 0 where none is seen to: a program may be
 * printed without what is around it. Linear in the depth, and in the module the first time */
i64 rule_axis_size(struct rule *r, struct slice name);

/* whether the nearest shard_map around the equation says `check_vma=True`; costs as rule_axis_size does */
bool rule_varying_checked(struct rule *r);

#endif
