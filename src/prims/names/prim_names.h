/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of the rows of grammar/primitives.def, for code that needs to know only whether a primitive exists. */
#ifndef JX_PRIM_NAMES_H
#define JX_PRIM_NAMES_H

#include "base/text.h"

enum { NO_ROW = UINT16_MAX };

/* The row of the primitive that JAX, in any version, prints by this name; NO_ROW: none. */
u32 prim_row_named(struct slice name);

static inline bool
names_primitive(struct slice word)
{
    return prim_row_named(word) != NO_ROW;
}

/* The newest name of a row, and its older ones, separated by blanks. */
const char *prim_newest_name(u32 row);
const char *prim_older_names(u32 row);

#endif
