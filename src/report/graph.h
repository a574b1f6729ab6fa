/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs as graphs for Graphviz: a node for every equation, argument and list of results, an arrow for every use of
 * a variable, and a cluster for every nested program. */
#ifndef JX_GRAPH_H
#define JX_GRAPH_H

#include "base/sink.h"
#include "ir/module.h"

/* How an equation differs in a comparison. */
enum graph_mark { MARK_NONE, MARK_CHANGED, MARK_INSIDE, MARK_REMOVED, MARK_MOVED, MARK_RETYPED };

/* An equation that only the other program has: a node without arrows. */
struct graph_removed {
    jaxpr_t jaxpr; /* the jaxpr in which it would be */
    struct slice text;
};

struct graph_options {
    u32 depth;          /* how many levels of nested programs are drawn; 0: all */
    u32 nodes;          /* graphs with more equations are folded to about this number of nodes; 0: no limit */
    struct slice focus; /* only what is near variables of this name is drawn; empty: everything */
    u32 radius;         /* the distance in equations, along the arrows and against them */
    const u8 *marks;    /* by eqn_t: enum graph_mark; NULL: none */
    const struct graph_removed *removed; /* sorted, so that those of one jaxpr are adjacent */
    u32 n_removed;
};

/* writes one program of a resolved module as a `digraph`, after comments_anchor; `number` is the number of the graph
 * in the output. False if no variable has the name of the focus. n log n; no recursion */
bool graph_program(struct sink *out, struct module *m, program_t program, const struct graph_options *options,
                   u32 number);

#endif
