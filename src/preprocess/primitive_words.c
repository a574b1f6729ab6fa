/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a word is the name of a primitive: one search in a text of all names. */
#include "preprocess/preprocess.h"

#include <string.h>

/* every primitive, by each of its names */
#define PRIM(name, also, ...) name " " also " "
static const char primitives[] = " "
#include "primitives.def"
    ;
#undef PRIM

bool
names_primitive(struct slice word)
{
    const char *end = primitives + sizeof primitives - 1;
    for (const char *p = primitives; (p = memmem(p, (size_t)(end - p), word.at, word.n)) != NULL; p += word.n)
        if (p[-1] == ' ' && p[word.n] == ' ')
            return true;
    return false;
}

bool
is_primitive(struct slice word)
{
    return word.n >= LONG_NAME && names_primitive(word);
}
