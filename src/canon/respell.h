/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs as another JAX would spell them. */
#ifndef JX_RESPELL_H
#define JX_RESPELL_H

#include "canon/canon.h"

/* Spells the equations of an open program as the JAX of a version would, as far as it says what that
 * takes: names of primitives, parameters that are printed though they say nothing, types of literals. Linear */
void respell_program(struct canon *c, program_t program, struct version_range version);

#endif
