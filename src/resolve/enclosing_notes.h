/* SPDX-License-Identifier: Apache-2.0
 *
 * The context of a nested program, for messages: the equations that contain it. */
#ifndef JX_ENCLOSING_NOTES_H
#define JX_ENCLOSING_NOTES_H

#include "resolve/check.h"

/* by eqn_t: the program of each equation, or NONE. Linear; the caller frees it (mem_free) */
jaxpr_t *eqns_to_jaxprs(const struct module *m);

/* the first variable with a name in the header of program j, or in the results of its equations before e (NONE: of
 * all); NONE if there is none. Linear in these */
var_t binder_named(const struct module *m, jaxpr_t j, eqn_t e, name_t name);

/* the binder of a variable of program j; linear in its equations, for messages only */
struct span var_span(const struct module *m, jaxpr_t j, var_t v);

/* the variable with a name that a program around j could pass to it, innermost program first: one that is bound before
 * the equation that contains the inner program. *outer becomes its program; NONE if there is none. eqn_jaxprs is
 * eqns_to_jaxprs(m). Linear in the programs around j */
var_t find_enclosing(const struct module *m, const jaxpr_t *eqn_jaxprs, jaxpr_t j, name_t name, jaxpr_t *outer);

/* adds to the last diagnostic a note for each equation around program j (none if j is NONE), innermost first, at most
 * four: its place, and the parameter that contains j. eqn_jaxprs is eqns_to_jaxprs(m) */
void note_enclosing(const struct module *m, struct diags *ds, const jaxpr_t *eqn_jaxprs, jaxpr_t j);

#endif
