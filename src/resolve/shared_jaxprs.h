/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared programs by name. */
#ifndef JX_LETS_H
#define JX_LETS_H

#include "resolve/check.h"

/* how many errors may look around for what was meant: each costs time linear in the program */
enum { EXPLAINED = 64 };

/* reports each name among the parameters of a jaxpr's equations that no shared program has. Linear */
void check_let_uses(const struct module *m, struct diags *ds, jaxpr_t j);

/* reports shared programs of a program's text that are called alike, and those that hold themselves. Linear */
void check_shared_jaxprs(struct module *m, struct diags *ds, const struct program *p);

#endif
