/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parser says of a text that may be a program. */
#ifndef JX_JUDGE_H
#define JX_JUDGE_H

#include "diag/diag.h"
#include "extract/extract.h"
#include "ir/module.h"

/* what was said of the first program of a text that was read */
struct verdict classify_module(const struct module *m, const struct diags *ds);

/* reads a text, in `scratch`, and says the same. When there is no memory it leaves as m does */
struct verdict classify_text(const struct mem *m, struct mem *scratch, struct slice text, bool no_fast_path);

#endif
