/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs as graphs for Graphviz: a node for every equation, argument and list of results, an arrow for every use of
 * a variable, and a cluster for every nested program. */
#ifndef JX_GRAPH_H
#define JX_GRAPH_H

#include "base/sink.h"
#include "ir/module.h"

/* What a comparison says of an equation. */
enum graph_mark { MARK_NONE, MARK_CHANGED, MARK_INSIDE, MARK_REMOVED, MARK_MOVED, MARK_RETYPED };

/* An equation that only the other program has: a node without arrows. */
struct graph_ghost {
    jaxpr_t jaxpr; /* where it would be */
    struct slice text;
};

struct graph_options {
    u32 depth;                        /* programs inside each other that are drawn; 0: all */
    u32 nodes;                        /* fold what has more equations to about so many; 0: no limit */
    struct slice focus;               /* draw only what is near variables of this name; empty: everything */
    u32 radius;                       /* how many equations away from them, along the arrows and against them */
    const u8 *marks;                  /* by eqn_t: enum graph_mark; NULL: none */
    const struct graph_ghost *ghosts; /* those of one jaxpr together */
    u32 n_ghosts;
};

/* writes one program of a resolved module, whose comments are anchored, as a `digraph`; `number` counts the graphs of
 * an output. Answers whether something was bound to the focus. n log n; no recursion */
bool graph_program(struct sink *out, struct module *m, program_t program, const struct graph_options *options,
                   u32 number);

#endif
