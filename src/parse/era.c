/* SPDX-License-Identifier: Apache-2.0
 *
 * Which JAX printed this? Spellings that only some versions print narrow a range of versions; evidence that would
 * leave it empty is ignored. Only naming, sharing, spelling and widths ask. */
#include "parse/parse.h"

struct era
era_detect(const struct module *m)
{
    return m->era;
}
