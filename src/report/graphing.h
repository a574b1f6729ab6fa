/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that write graphs share: a graph being written, and the numbers of its nodes. */
#ifndef JX_GRAPHING_H
#define JX_GRAPHING_H

#include "base/memo.h"
#include "ir/reach.h"
#include "prims/prims.h"
#include "report/folding.h"
#include "report/graph.h"

/* A program, or a cluster of its equations, being written. */
struct frame {
    u32 jaxpr;      /* among those of the folding */
    u32 cluster;    /* 0: the program */
    u32 next, last; /* places of the equation at work and of the one past the last */
    u32 child;      /* the next cluster inside */
    struct nested held;
    eqn_t holding; /* whose programs `held` steps through */
};

struct graph {
    struct sink *out;
    struct sink
        *arrows; /* where arrows go: to the end where clusters are open, for an arrow in one moves its nodes there */
    struct module *m;
    const struct graph_options *how;
    struct folding fold;
    struct memo maker;  /* by variable: eqn_t + 1 */
    struct memo holder; /* by jaxpr: the parameter that holds it first + 1 */
    struct memo near;   /* by variable of a binder, by eqn_t + eqn_base: 1 where it is near the focus */
    struct memo ghosts; /* by jaxpr: its first ghost + 1; they are adjacent */
    struct memo from;   /* by node: 1 where an arrow from what is folded leads to the node at work */
    VEC(struct frame) stack;
    VEC(eqn_t) eqns; /* of the jaxpr at work */
    VEC(u32) shared; /* jaxprs of lets that wait to be drawn at the top, and the parameters that name them */
    VEC(u32) held;   /* equations and the jaxprs they hold: arrows to be drawn when all clusters are */
    struct prims prims;
    bool found;
};

/* the variable an atom reads, NONE for a literal and what is not bound */
var_t graph_atom_var(const struct module *m, atom_t a);

/* the node of a folded cluster: those come after all equations */
static inline u32
cluster_id(const struct graph *g, u32 cluster)
{
    return g->m->vars.n + g->m->eqns.n + cluster;
}

/* the node of what makes a variable: arguments are first, then equations, then clusters */
u32 graph_maker(const struct graph *g, var_t v);

/* finds what is near the focus: fills near, shared and found. Linear */
void graph_find_near(struct graph *g);

#endif
