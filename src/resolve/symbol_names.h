/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of variables that contain signs. */
#ifndef JX_SYMBOL_NAMES_H
#define JX_SYMBOL_NAMES_H

#include "resolve/check.h"

/* reports the first variable that jaxpr j binds whose name contains a sign, as `x²`. Linear */
void check_symbols(const struct module *m, struct diags *ds, jaxpr_t j);

#endif
