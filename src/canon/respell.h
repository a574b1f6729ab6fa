/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in the spelling of another JAX. */
#ifndef JX_RESPELL_H
#define JX_RESPELL_H

#include "canon/canon.h"
#include "ir/reach.h"

/* Spells the equations of an open program as these versions of JAX do, as far as the program determines it: names of
 * primitives, parameters that are printed with their default, types of literals. Linear */
void respell_program(struct canon *c, program_t program, struct version_range version);

/* How literals are respelled. */
struct literal_style {
    struct canon *c;
    struct version_range version;
    bool typed; /* they keep their types, and get them in versions that print types */
};

/* whether literals of these jaxprs keep their types: the versions print types, or some literal would be read as one of
 * another type without; all then keep theirs, as JAX prints all types or none. Linear */
bool literals_typed(const struct literal_style *style, const struct jaxprs *all);

/* respells a literal, or another operand that stays: the i-th operand of an equation, or, if e is NONE, the i-th result
 * of the outermost program; i is NONE for results of other programs */
void respell_literal(const struct literal_style *style, atom_t a, eqn_t e, u32 i);

#endif
