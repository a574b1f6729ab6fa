/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs, variables and numbers without types. */
#ifndef JX_UNTYPED_H
#define JX_UNTYPED_H

#include "resolve/check.h"

/* whether a variable has a name other than `_`, and no type */
bool is_bare(const struct module *m, name_t underscore, var_t v);

/* reports once that program p was printed without types, the first variable without a type if others have one (only if
 * `bare`: the module has such a variable), and the same for numbers. Linear in the program */
void check_missing_types(const struct module *m, struct diags *ds, const struct program *p, bool bare,
                         name_t underscore);

#endif
