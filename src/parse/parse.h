/* SPDX-License-Identifier: Apache-2.0
 *
 * From bytes to a module: text repair, the flex scanner, the bison grammar, recovery at equation boundaries. */
#ifndef JX_PARSE_H
#define JX_PARSE_H

#include "base/executor.h"
#include "diag/diag.h"
#include "ir/module.h"

/* How a text is read; the result is the same. */
struct parse_how {
    bool no_fast_path;               /* read only by the scanner and the grammar */
    const struct executor *executor; /* threads that read parts of a long text; NULL: one thread */
};

/* reads every program of a text into m, which it initializes and which then owns the text, and reports syntax errors
 * into ds; m contains what could be read. Linear in the text */
void parse_module(struct module *m, struct mem *mem, struct text text, const struct parse_how *how, struct diags *ds);

#endif
