/* SPDX-License-Identifier: Apache-2.0
 *
 * How the parser reads a text that may be a program. */
#ifndef JX_CLASSIFY_H
#define JX_CLASSIFY_H

#include "diag/diag.h"
#include "extract/extract.h"
#include "ir/module.h"

/* the verdict on the first program of a text that was parsed into m and ds */
struct verdict classify_module(const struct module *m, const struct diags *ds);

/* parses a text, with memory from pool `scratch`, and returns the verdict. If memory runs out, it exits as an
 * allocation of m does */
struct verdict classify_text(const struct mem *m, struct mem *scratch, struct slice text, bool no_fast_path);

#endif
