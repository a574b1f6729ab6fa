/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as Python's repr writes them. */
#ifndef JX_DECIMAL_H
#define JX_DECIMAL_H

#include "base/mem.h"

/* the text of a number, the fewest digits that read back the same: `1.0`, `1e-05`, `inf`; it belongs to mem's arena */
struct slice decimal_text(struct mem *mem, double value);

/* the double that a text of less than 64 bytes is, nothing around it; false where it is not a number */
bool decimal_read(struct slice text, double *value);

#endif
