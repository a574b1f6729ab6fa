/* SPDX-License-Identifier: Apache-2.0
 *
 * From bytes to a module: preflight, the flex scanner, the bison grammar, recovery at equation boundaries. */
#ifndef JX_PARSE_H
#define JX_PARSE_H

#include "base/crew.h"
#include "diag/diag.h"
#include "ir/module.h"

/* How a text is read; what is read is the same. */
struct parse_how {
    bool no_fast_path;       /* all of it by the scanner and the grammar */
    const struct crew *crew; /* threads that read parts of a long text; NULL: one reads it all */
};

/* reads every program of a text, which it takes over, into m (made empty first) and reports syntax errors into ds; what
 * could be read is in the module all the same. Linear in the text */
void parse_module(struct module *m, struct mem *mem, struct text text, const struct parse_how *how, struct diags *ds);

#endif
