/* SPDX-License-Identifier: Apache-2.0
 *
 * The equations of one jaxpr as a tree that a picture can fold: runs of equations of one scope, function or line, and
 * where these are missing or too many, runs of consecutive ones. As runs are consecutive, no cluster is both before and
 * after another. */
#ifndef JX_CLUSTERS_H
#define JX_CLUSTERS_H

#include "report/source_path.h"

/* how many things a cluster holds, about */
enum { CLUSTER_HOLDS = 36 };

/* A run of equations: clusters.eqns[first .. first + n). */
struct cluster {
    u32 first, n;
    u32 parent;      /* NONE: the root */
    u32 child, next; /* the first one inside, in order, and the next one of the same parent; NONE: none */
    u32 level;       /* the parts of places up to this one are the same in it */
    struct slice name;
    bool run; /* of consecutive equations that share nothing: the name is empty */
};

struct clusters {
    VEC(eqn_t) eqns;
    VEC(struct cluster) list; /* the root first, parents before what they hold */
};

/* fills c, which need not be set before, from a jaxpr whose module's comments are anchored; clusters_drop gives the
 * memory back. A program of at most `small` equations is one cluster. n log n */
void clusters_read(struct module *m, jaxpr_t j, u32 small, struct clusters *c);
void clusters_drop(struct module *m, struct clusters *c);

/* what a cluster is called: its name, or its most frequent parts of paths, else
 * primitives, `mul x12, add x3`; lives as long as the module */
struct slice cluster_title(struct module *m, const struct clusters *c, u32 id);

#endif
