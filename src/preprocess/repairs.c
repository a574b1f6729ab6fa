/* SPDX-License-Identifier: Apache-2.0
 *
 * What was repaired in a text, in words: one phrase a kind. */
#include "preprocess/preprocess.h"

void
put_repairs(struct sink *out, const struct text *t)
{
    static const char *const phrases[] = {
        "read tabs or other odd blanks as blanks",
        "read typographic signs as those of ASCII",
        "read carriage returns or other line ends as newlines",
        "joined lines that were cut at column %u",
        "parted lines that were filled with words",
        "took comments behind values for comments",
        "joined lines within values of parameters",
        "read lines that do not stand where JAX puts them",
        "ended values where their lines end, though brackets were open",
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
