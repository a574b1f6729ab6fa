/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in the spelling of another JAX. */
#ifndef JX_RESPELL_H
#define JX_RESPELL_H

#include "canon/canon.h"

/* Spells the equations of an open program as these versions of JAX do, as far as the program determines it: names of
 * primitives, parameters that are printed with their default, types of literals. Linear */
void respell_program(struct canon *c, program_t program, struct version_range version);

#endif
