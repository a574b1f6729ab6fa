/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known about digests without computing them. */
#ifndef JX_OUTLINE_H
#define JX_OUTLINE_H

#include "canon/canon.h"

/* returns a number for each of n programs, equal if digests that ignore the same parts are equal; free it by mem_free.
 * Linear */
u32 *canon_outlines(struct module *m, const program_t *programs, u32 n, unsigned ignored, struct slice without);

#endif
