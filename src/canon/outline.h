/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be said of digests without making them. */
#ifndef JX_OUTLINE_H
#define JX_OUTLINE_H

#include "canon/canon.h"

/* a number for each of n programs, equal if digests that ignore the same parts are equal; call mem_free. Linear */
u32 *canon_outlines(struct module *m, const program_t *programs, u32 n, unsigned aside, struct slice without);

#endif
