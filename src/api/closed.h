/* SPDX-License-Identifier: Apache-2.0
 *
 * The sides of a comparison as eq compares them: copies whose programs are closed. */
#ifndef JX_CLOSED_H
#define JX_CLOSED_H

#include "api/api.h"

/* One side. */
struct closed {
    jx_module *module; /* NULL: the programs need not be closed */
    u8 *due;           /* an enum preparing for each program */
    u8 *states;        /* an enum prepared for each program */
    u32 *outlines;     /* for each program: a number; equal if digests are equal */
    u8 *left_out; /* for each program: 1 if no program of the other side that needs a digest can have an equal one */
    struct api_digests digests;
};

/* finds the programs of either side that must be closed before they are compared: those that are due, except programs
 * that can equal none of the other side, and programs that have a partner in `same`, which has a list for each side.
 * Fills both sides; true if there are any. Linear */
bool closed_due(struct closed *a, struct closed *b, jx_module *left, jx_module *right, const u32 *const same[2],
                const struct jx_compare_options *options);

/* closes what is due in a copy of a module. The caller releases the copy, whatever the status is. Findings that closing
 * fixes are removed from the module */
enum jx_status closed_make(struct closed *closed, jx_module *module, const struct jx_compare_options *options);

/* digests the closed programs that `needed` marks, by a byte for each program of a side, and those of either side that
 * may be equal to one of them; all if it is NULL. Linear in the programs that are digested */
enum jx_status closed_digest(struct closed *a, struct closed *b, const u8 *const needed[2],
                             const struct jx_compare_options *options);

/* the digest of a program; empty if there is none, as for programs with errors */
static inline struct slice
closed_digest_of(const struct closed *closed, u32 i)
{
    return closed->digests.programs.n == 0 ? (struct slice){"", 0} : closed->digests.programs.at[i];
}

#endif
