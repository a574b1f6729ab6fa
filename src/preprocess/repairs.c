/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of what was repaired in a text: one phrase a kind. */
#include "preprocess/preprocess.h"

void
put_repairs(struct sink *out, const struct text *t)
{
    static const char *const phrases[] = {
        "replaced tabs or other whitespace with spaces",
        "replaced typographic characters with ASCII",
        "replaced carriage returns or other line ends with newlines",
        "joined lines that were wrapped at column %u",
        "split lines that were joined",
        "skipped comments after values",
        "joined lines within parameter values",
        "accepted lines indented differently from JAX's",
        "ended parameter values at line ends despite open brackets",
        "removed spaces within types",
        "removed invisible characters",
    };
    const char *between = "";
    for (u32 i = 0; i < countof(phrases); i++) {
        if (!(t->repairs & 1u << i))
            continue;
        sink_printf(out, "%s", between);
        if (1u << i == REPAIR_CUT)
            sink_printf(out, phrases[i], t->cut_at);
        else
            sink_printf(out, "%s", phrases[i]);
        between = "; ";
    }
}
