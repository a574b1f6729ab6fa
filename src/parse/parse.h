/* SPDX-License-Identifier: Apache-2.0
 *
 * From bytes to a module: preflight, the flex scanner, the bison grammar, recovery at equation boundaries. */
#ifndef JX_PARSE_H
#define JX_PARSE_H

#include "diag/diag.h"
#include "ir/module.h"

/* reads every program of a text, which it takes over, into m (made empty first) and reports syntax errors into ds; what
 * could be read is in the module all the same. no_fast_path: read all of it by the scanner and the grammar. Linear in
 * the text */
void parse_module(struct module *m, struct mem *mem, struct text text, bool no_fast_path, struct diags *ds);

#endif
