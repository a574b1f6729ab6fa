/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters and nested programs a graph draws, and which it folds into one node, so that it has about as many
 * nodes as wanted: those nearest to the outermost program are open. */
#ifndef JX_FOLDING_H
#define JX_FOLDING_H

#include "report/clusters.h"

/* The clusters of one jaxpr. */
struct folded_jaxpr {
    jaxpr_t jaxpr;
    struct clusters clusters;
    u32 base; /* the id of its first cluster */
};

struct folding {
    VEC(struct folded_jaxpr) jaxprs; /* those that are drawn, outer ones first */
    struct memo drawn;               /* by jaxpr: its index among them + 1 */
    VEC(u8) open;                    /* by id of a cluster: nonzero if it is expanded */
    struct memo hidden;              /* by equation: the folded cluster that represents it + 1 */
    struct memo arguments;           /* by variable: the first of the binders that share a node + 1 */
    struct memo depth;               /* by jaxpr: its depth, 1 for the outermost */
    bool active;                     /* not everything is expanded */
};

/* initializes f: all programs down to `depth` (0: all) are open or, if these have more than `nodes` equations (0: no
 * limit), as many as fit. After comments_anchor; folding_drop frees f. n log n; no recursion */
void folding_read(struct module *m, jaxpr_t main, u32 depth, u32 nodes, struct folding *f);
void folding_drop(struct module *m, struct folding *f);

#endif
