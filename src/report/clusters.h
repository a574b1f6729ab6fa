/* SPDX-License-Identifier: Apache-2.0
 *
 * The equations of one jaxpr as a tree that a picture can fold: consecutive equations of one scope, function or line
 * or, if these are missing or too many, any consecutive equations. Because the equations of a cluster are
 * consecutive, arrows between clusters form no cycle. */
#ifndef JX_CLUSTERS_H
#define JX_CLUSTERS_H

#include "report/source_path.h"

/* about how many nodes a cluster contains */
enum { CLUSTER_HOLDS = 36 };

/* A run of equations: clusters.eqns[first .. first + n). */
struct cluster {
    u32 first, n;
    u32 parent;        /* NONE: the root */
    u32 child, next;   /* the first nested cluster, and the next one of the same parent; NONE: none */
    u32 level;         /* how many leading parts of their source paths its equations share */
    struct slice name; /* empty: consecutive equations without a common part */
};

struct clusters {
    VEC(eqn_t) eqns;
    VEC(struct cluster) list; /* the root first, parents before their children */
};

/* initializes c from a jaxpr, after comments_anchor; clusters_drop frees it. A jaxpr of at most `small` equations is
 * one cluster. n log n */
void clusters_read(struct module *m, jaxpr_t j, u32 small, struct clusters *c);
void clusters_drop(struct module *m, struct clusters *c);

/* the title of a cluster: its name, or the most frequent parts of paths or primitives in it, `mul x12, add x3`;
 * lives as long as the module */
struct slice cluster_title(struct module *m, const struct clusters *c, u32 id);

#endif
