/* SPDX-License-Identifier: Apache-2.0
 *
 * The changes between two modules as marks of equations. */
#ifndef JX_CHANGES_H
#define JX_CHANGES_H

#include "api/api.h"

#include "report/graph.h"

/* The result of a comparison. It lives as long as the module on the left. */
struct api_changes {
    u8 *marks; /* by equation of the left: enum graph_mark */
    VEC(struct graph_removed) removed;
    struct slice summary; /* as `jaxpr diff --summary` prints it; empty if nothing differs */
};

/* compares the n-th program of a module with the n-th of another; fills changes, which are zero before. Near-linear */
void api_compare(jx_module *module, jx_module *other, struct api_changes *changes);

#endif
