/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program amounts to: its primitives with counts, its nesting, its constants. */
#ifndef JX_STATS_H
#define JX_STATS_H

#include "ir/module.h"

struct prim_count {
    name_t prim;
    u64 n;
};

struct stats {
    u64 equations;                /* nested ones included; sums stop at UINT64_MAX */
    u64 constants;                /* constvars; those of a shared program once */
    u64 constant_bytes;           /* of the constvars whose type has a known size */
    u32 depth;                    /* programs inside each other; 1: nothing nested */
    VEC(struct prim_count) prims; /* most frequent first, then by name */
};

/* counts one program of m. A shared program counts as often as it is referred to, and not at all when it is unused; one
 * that contains itself is counted once a round. Linear in the program, however much is shared. stats->prims is made
 * anew and belongs to m->mem */
void stats_program(struct module *m, program_t program, struct stats *stats);

/* the same for one jaxpr and what it holds */
void stats_jaxpr(struct module *m, jaxpr_t root, struct stats *stats);

#endif
