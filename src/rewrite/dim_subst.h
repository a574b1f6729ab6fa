/* SPDX-License-Identifier: Apache-2.0
 *
 * Types with other sizes, and unused names: what passes over dynamic shapes share. */
#ifndef JX_RETYPE_H
#define JX_RETYPE_H

#include "ir/module.h"

/* the type whose k-th size is printed as sizes[k]; a size with `at` NULL stays as it is. A ref's inner type is changed.
 * Types without a shape are returned as they are */
type_t type_with_sizes(struct module *m, type_t type, const struct slice *sizes);

/* the text of a variable's name, copied: good as long as the pool */
struct slice var_text(struct module *m, var_t v);

/* a numeral that nothing in the module is called; *next is the first to try, 0 for the first time. The first call costs
 * a look at every variable */
name_t fresh_name(struct module *m, u32 *next);

/* appends a variable like v under another name (NONE: its own), and returns it */
var_t var_append(struct module *m, var_t like, name_t name);

#endif
