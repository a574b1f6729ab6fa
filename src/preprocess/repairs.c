/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of what was repaired in a text: one phrase a kind. */
#include "preprocess/preprocess.h"

u32
put_repairs(struct sink *out, struct mem *mem, struct text *t)
{
    static const char *const phrases[REPAIR_KINDS] = {
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
    u32 first = NONE, line = 0; /* of the first repair */
    for (unsigned left = t->repairs; left;) {
        u32 next = (u32)__builtin_ctz(left);
        for (u32 i = next; i < REPAIR_KINDS; i++)
            if ((left & 1u << i) && t->repaired_at[i] < t->repaired_at[next])
                next = i;
        left &= ~(1u << next);
        u32 at = text_position(mem, t, t->repaired_at[next]).line;
        sink_printf(out, "%s", first == NONE ? "" : "; ");
        if (1u << next == REPAIR_CUT)
            sink_printf(out, phrases[next], t->cut_at);
        else
            sink_printf(out, "%s", phrases[next]);
        if (first != NONE && at != line)
            sink_printf(out, " (first on line %u)", at);
        if (first == NONE) {
            first = t->repaired_at[next];
            line = at;
        }
    }
    return first;
}
