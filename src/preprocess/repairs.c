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

/* what became of characters: `each U+00A0 was replaced with a space`, or, if they differ, `characters such as U+00A0
 * were replaced with spaces` */
static void
put_replaced(struct sink *out, const struct text *t, u32 kind, const char *several, const char *by_one, const char *by)
{
    u32 code = t->repaired_code[kind];
    const char *name = code == '\t' ? "tabs" : code == '\r' ? "carriage returns" : NULL;
    bool others = t->repaired_others & 1u << kind;
    if (others)
        sink_printf(out, "%s such as ", several);
    else if (!name)
        sink_printf(out, "each ");
    if (name)
        sink_printf(out, "%s", name);
    else
        sink_printf(out, "U+%04X", code);
    sink_printf(out, others || name ? " were %s" : " was %s", others || name ? by : by_one);
}

void
put_repair(struct sink *out, const struct text *t, u32 kind)
{
    static const char *const phrases[REPAIR_KINDS] = {
        [4] = "joined lines were split",
        "comments after values were skipped",
        "lines within parameter values were joined",
        "indentation that differs from JAX's was ignored",
        "values with an unclosed bracket were taken to end with their line",
        "spaces within types were removed",
        [11] = "comments that read like lines of a program were skipped",
    };
    switch (1u << kind) {
    case REPAIR_BLANKS:
        put_replaced(out, t, kind, "characters", "replaced with a space", "replaced with spaces");
        break;
    case REPAIR_SIGNS:
        put_replaced(out, t, kind, "characters", "replaced with ASCII", "replaced with ASCII");
        break;
    case REPAIR_LINE_ENDS:
        put_replaced(out, t, kind, "line ends", "replaced with a newline", "replaced with newlines");
        break;
    case REPAIR_UNSEEN:
        put_replaced(out, t, kind, "invisible characters", "removed", "removed");
        break;
    case REPAIR_CUT:
        sink_printf(out, "lines wrapped at column %u were joined", t->cut_at);
        break;
    default:
        sink_printf(out, "%s", phrases[kind]);
    }
}
