/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs are changed before their equations are ordered, so that equal programs get one form. */
#ifndef JX_PREPARE_H
#define JX_PREPARE_H

#include "diag/diag.h"
#include "ir/module.h"

enum prepared {
    PREPARED_VARIABLES = 1, /* names of dims are variables of the program, not symbols */
    PREPARED_UNBOUND = 2,   /* some name is unbound, or bound by an outer program, and no pass could bind it */
    PREPARED_SKIP = 4,      /* it has errors of syntax or scope, or there was nothing to do */
    PREPARED_NOTHING = 8,   /* there was nothing to do */
    PREPARED_OPEN = 16,     /* sizes are variables, but some are bound nowhere, or later: it has no canonical form */
};

/* Repairs sizes, closure-converts, turns unbound sizes into arguments, and lifts constants of nested programs.
 * Equations are ordered canonically first, so that additions follow from dataflow, not from the order of the text.
 * Findings of check_scopes in ds that this fixes are removed, and sizes that remain unbound are reported. `due` may be
 * NULL, or an enum preparing for each program: those with PREPARING_NOTHING are left alone. Returns an enum prepared
 * for each of the n programs of the stream, to be freed by mem_free. A program whose constants were lifted is open
 * (rewrite/rewrite.h). Linear; two passes over programs that need any of this */
u8 *prepare_programs(struct module *m, const program_t *programs, u32 n, const u8 *due, struct diags *ds);

/* how prepare_programs may change a program */
enum preparing {
    PREPARING_NOTHING,
    PREPARING_LIFTS, /* constants of nested programs are lifted; the program keeps its own equations, with the same
                      * primitives */
    PREPARING_ALL,   /* in any way */
};

/* returns an enum preparing for each of the n programs of a stream, to be freed by mem_free. Linear, and opens no
 * program */
u8 *prepare_due(struct module *m, const program_t *programs, u32 n, const struct diags *ds);

/* gives equations that call an object the name of its class and its parameters, as in the canonical form or, unless
 * `version` is empty, in the print of these versions of JAX: classes.c. Linear */
void classes_unfold(struct module *m, struct version_range version);

#endif
