/* SPDX-License-Identifier: Apache-2.0
 *
 * What changed between two programs, as hunks: one for each equation that changed, was added, removed or moved, and for
 * changes of the interface, inside nested programs too. */
#ifndef JX_DIFF_H
#define JX_DIFF_H

#include "diff/canon.h"

enum diff_format { DIFF_TEXT, DIFF_JSON, DIFF_STAT, DIFF_SIGNATURE };

/* How many equations differ in which way. */
struct diff_counts {
    u64 changed, added, removed, moved, interface;
};

struct differ {
    struct sink *out;
    enum diff_format format;
    bool color;
    bool first_only;  /* stop at the first hunk */
    u64 hunks;        /* written so far, over all programs */
    struct diff_counts counts;
    struct canon *a, *b;
    u32 program;      /* of the stream */
    struct memo pairs; /* jaxprs of a that were compared: the jaxpr of b plus one */
    VEC(struct diff_pair) todo;
    u32 *names;       /* of each variable of b: its partner in a, or NONE */
    u32 n_names;
};

/* compares two programs that have been digested, writing hunks in the names of the first. Near-linear; each pair of
 * nested programs is compared once */
void diff_programs(struct differ *d, program_t a, program_t b);

#endif
