/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to programs before they are ordered, so that one program has one form. */
#ifndef JX_PREPARE_H
#define JX_PREPARE_H

#include "diag/diag.h"
#include "ir/module.h"

enum prepared {
    PREPARED_VARIABLES = 1, /* names of dims are variables of the program, not symbols */
    PREPARED_UNBOUND = 2,   /* some name is bound nowhere, or by an outer program, and no pass could bind it */
    PREPARED_SKIP = 4,      /* it has errors of syntax or scope, or there was nothing to do */
    PREPARED_NOTHING = 8,   /* there was nothing to do */
};

/* Repairs the sizes of programs, closes captures, turns unbound sizes into arguments, and lifts constants of
 * nested programs, where there is any of that; equations are ordered canonically first, so that what is added follows
 * from dataflow, not from the order of the text. ds holds the findings of check_scopes: those that are cured are taken
 * back. Returns an enum prepared for each of the n programs of the stream; call mem_free. What is lifted leaves its
 * program open (rewrite/rewrite.h). Linear; two passes over programs that need any of this */
u8 *prepare_programs(struct module *m, const program_t *programs, u32 n, struct diags *ds);

/* whether prepare_programs may have anything to do. Linear, without opening any program */
bool prepare_due(struct module *m, const program_t *programs, u32 n, const struct diags *ds);

/* gives the equations that call an object the name of its class and its parameters, as the canonical form has them and
 * the print of a version of JAX (which may be none): classes.c. Linear */
void classes_unfold(struct module *m, struct version_range version);

#endif
