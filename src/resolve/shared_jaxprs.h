/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared programs by name. */
#ifndef JX_SHARED_JAXPRS_H
#define JX_SHARED_JAXPRS_H

#include "resolve/check.h"

/* reports each name of a shared program, in the parameters of the equations of a jaxpr of program p, that does not
 * exist. Linear */
void check_let_uses(const struct module *m, struct diags *ds, const struct program *p, jaxpr_t j);

/* reports shared programs with the same name, and those that contain themselves. Linear */
void check_shared_jaxprs(struct module *m, struct diags *ds, const struct program *p);

#endif
