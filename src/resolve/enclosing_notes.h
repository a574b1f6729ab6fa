/* SPDX-License-Identifier: Apache-2.0
 *
 * The context of a nested program, for messages: the equations that contain it. */
#ifndef JX_ENCLOSING_NOTES_H
#define JX_ENCLOSING_NOTES_H

#include "resolve/check.h"

/* by eqn_t: the program of each equation, or NONE. Linear; the caller frees it (mem_free) */
jaxpr_t *eqns_to_jaxprs(const struct module *m);

/* adds to the last diagnostic a note for each equation around program j (NONE: no program), innermost first, at most
 * four: its place, and the parameter that contains j. eqn_jaxprs is eqns_to_jaxprs(m) */
void note_enclosing(const struct module *m, struct diags *ds, const jaxpr_t *eqn_jaxprs, jaxpr_t j);

#endif
