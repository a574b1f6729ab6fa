/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of a program: its primitives with counts, its nesting, its constants. */
#ifndef JX_STATS_H
#define JX_STATS_H

#include "ir/module.h"

struct prim_count {
    name_t prim;
    u64 n;
};

struct stats {
    u64 equations;                /* nested ones included; sums saturate at UINT64_MAX */
    u64 constants;                /* constvars; those of a shared program count once */
    u64 constant_bytes;           /* of the constvars whose type has a known size */
    u32 depth;                    /* depth of nesting; 1: no nested programs */
    VEC(struct prim_count) prims; /* most frequent first, then by name */
};

/* counts one program of m. A shared program counts once for each use; a use inside itself is not followed. Linear in
 * the program. Initializes *stats; stats->prims belongs to m->mem */
void stats_program(struct module *m, program_t program, struct stats *stats);

/* the same for one jaxpr and its nested ones */
void stats_jaxpr(struct module *m, jaxpr_t root, struct stats *stats);

#endif
