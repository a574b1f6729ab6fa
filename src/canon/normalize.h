/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical text of programs: the module is brought into the form that canon.h digests, so that equal programs
 * have equal text. What is not part of a program's identity but useful to readers, such as names of functions,
 * stays. */
#ifndef JX_NORMALIZE_H
#define JX_NORMALIZE_H

#include "canon/canon.h"

/* Which nested programs are printed first, as a `let`. */
enum normal_share {
    SHARE_AUTO,   /* those that are used more than once */
    SHARE_NEVER,  /* none, unless the text would be much longer; then as SHARE_AUTO */
    SHARE_ALWAYS, /* all that can have a name */
};

/* How a canonical program is printed. */
struct normal_how {
    bool variables;           /* names of dims are variables, not symbols */
    u8 share;                 /* enum normal_share */
    struct version_range jax; /* whose spelling, sharing and names are used; no version: the canonical ones */
};

/* brings a program without scope errors into canonical form, closes it and names its variables. c was initialized
 * (canon_init) before any program of the module changed, and is used for all of them. Linear, except for sorting dead
 * equations and parameters */
void normal_program(struct canon *c, program_t program, const struct normal_how *how);

#endif
