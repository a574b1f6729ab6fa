/* SPDX-License-Identifier: Apache-2.0
 *
 * What graph.c and graph_focus.c share: the state of a graph, and the ids of its nodes. */
#ifndef JX_GRAPHING_H
#define JX_GRAPHING_H

#include "base/memo.h"
#include "ir/reach.h"
#include "prims/prims.h"
#include "report/folding.h"
#include "report/graph.h"

/* A program, or a cluster of its equations, that is being written. */
struct graph_frame {
    u32 jaxpr;      /* its index in the folding */
    u32 cluster;    /* 0: the program */
    u32 next, last; /* indices of the current equation and of the one after the last */
    u32 child;      /* the next cluster inside */
    struct nested held;
    eqn_t holding; /* the equation that contains the programs of `held` */
};

struct graph {
    struct sink *out;
    struct sink *arrows; /* where arrows are written: at the end while clusters are open, as Graphviz moves nodes into
                            the cluster of an arrow */
    struct module *m;
    const struct graph_options *how;
    struct folding fold;
    struct memo producer; /* by variable: eqn_t + 1 */
    struct memo holder;   /* by jaxpr: the first parameter that contains it + 1 */
    struct memo near;     /* by id of a node, a binder's variable or an equation: 1 if it is near the focus */
    struct memo removed;  /* by jaxpr: the first equation removed from it + 1; they are adjacent */
    struct memo from;     /* by node: 1 if an arrow leads from it to the current node */
    VEC(struct graph_frame) stack;
    VEC(eqn_t) eqns; /* of the current jaxpr */
    VEC(u32) shared; /* jaxprs of lets that are still to be drawn at the top level, and the parameters that name them */
    VEC(u32) held;   /* equations and their nested jaxprs, whose arrows are drawn after all clusters */
    struct prims prims;
    bool found;
};

/* the variable of an atom, NONE for literals and unbound names */
var_t graph_atom_var(const struct module *m, atom_t a);

/* the id of a folded cluster's node: after those of all equations */
static inline u32
cluster_id(const struct graph *g, u32 cluster)
{
    return g->m->vars.n + g->m->eqns.n + cluster;
}

/* the id of the node that binds a variable, or of the one into which that is folded. The ids of arguments come first,
 * then those of equations, then those of clusters */
u32 graph_producer(const struct graph *g, var_t v);

/* finds what is near the focus: fills near, shared and found of the graph. Linear */
void graph_find_near(struct graph *g);

#endif
