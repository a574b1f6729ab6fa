/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of what was repaired in a text: one phrase a kind. */
#include "preprocess/preprocess.h"

u32
repairs_in_order(const struct text *t, u32 kinds[REPAIR_KINDS])
{
    u32 n = 0;
    for (u32 kind = 0; kind < REPAIR_KINDS; kind++) {
        if (!(t->repairs & 1u << kind))
            continue;
        u32 k = n++;
        for (; k > 0 && t->repaired_at[kinds[k - 1]] > t->repaired_at[kind]; k--)
            kinds[k] = kinds[k - 1];
        kinds[k] = kind;
    }
    return n;
}

void
put_repair(struct sink *out, const struct text *t, u32 kind)
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
    if (1u << kind == REPAIR_CUT)
        sink_printf(out, phrases[kind], t->cut_at);
    else
        sink_printf(out, "%s", phrases[kind]);
}
