/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of what was repaired in a text: one phrase a kind. */
#include "preprocess/preprocess.h"

void
put_repairs(struct sink *out, const struct text *t)
{
    static const char *const phrases[] = {
        "tabs or other whitespace were replaced with spaces",
        "typographic characters were replaced with ASCII",
        "carriage returns or other line ends were replaced with newlines",
        "lines wrapped at column %u were joined",
        "joined lines were split",
        "comments after values were skipped",
        "lines within parameter values were joined",
        "indentation that differs from JAX's was ignored",
        "values with unclosed brackets were ended at the end of their line",
        "spaces within types were removed",
        "invisible characters were removed",
        "comments that read like lines of a program were skipped",
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
