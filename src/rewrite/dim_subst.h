/* SPDX-License-Identifier: Apache-2.0
 *
 * Types with other sizes, and unused names, for passes over dynamic shapes. */
#ifndef JX_DIM_SUBST_H
#define JX_DIM_SUBST_H

#include "ir/module.h"

/* the type whose k-th size is printed as sizes[k]; a size with `at` NULL is kept. Of a ref, the inner type is changed.
 * Types without a shape are returned unchanged */
type_t type_with_sizes(struct module *m, type_t type, const struct slice *sizes);

/* a copy of the text of a variable's name, in the pool */
struct slice var_text(struct module *m, var_t v);

/* a numeral that no variable of the module has as its name; *next is the first to try, 0 before the first call, which
 * is linear in the variables */
name_t fresh_name(struct module *m, u32 *next);

/* appends a variable like v under another name (NONE: its own), and returns it */
var_t var_append(struct module *m, var_t like, name_t name);

#endif
