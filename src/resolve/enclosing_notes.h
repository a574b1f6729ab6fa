/* SPDX-License-Identifier: Apache-2.0
 *
 * The context of a nested program: the way out from it to the program it is a part of, for messages. */
#ifndef JX_CHAIN_H
#define JX_CHAIN_H

#include "resolve/check.h"

/* by eqn_t: the program that contains each equation, NONE for one in none. Linear; the caller frees it (mem_free) */
jaxpr_t *eqns_to_jaxprs(const struct module *m);

/* adds to the diagnostic added last a note for each equation that program j (NONE: no program) lies inside, innermost
 * first, four at most: which parameter of it j is, and its place. homes is eqns_to_jaxprs(m) */
void note_enclosing(const struct module *m, struct diags *ds, const jaxpr_t *eqn_jaxprs, jaxpr_t j);

#endif
