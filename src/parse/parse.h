/* SPDX-License-Identifier: Apache-2.0
 *
 * From bytes to a module: preflight, the flex scanner, the bison grammar, recovery at equation boundaries. */
#ifndef JX_PARSE_H
#define JX_PARSE_H

#include "diag/diag.h"
#include "ir/module.h"

/* reads every program of the bytes into m (made empty first) and reports syntax errors into ds; what could be read is
 * in the module all the same. Linear in n. name is what diagnostics call the input */
void parse_module(struct module *m, struct mem *mem, struct slice name, const char *bytes, size_t n, struct diags *ds);

/* like parse_module, but takes over bytes: a block of mem_alloc with TEXT_PADDING bytes of room behind the n */
void parse_buffer(struct module *m, struct mem *mem, struct slice name, char *bytes, size_t n, struct diags *ds);

#endif
