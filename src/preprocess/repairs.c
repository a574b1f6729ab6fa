/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of what was repaired in a text: one phrase for each kind. */
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

/* What a repair did: a sentence, which for REPAIR_CUT contains the column; or, if `all` is set, what became of the
 * characters `what`: `U+00A0 was replaced with a space` or, for several characters, `characters such as U+00A0 were
 * replaced with spaces`.
 */
static const struct {
    const char *what, *each, *all;
} phrases[REPAIR_KINDS] = {
    {"characters", "replaced with a space", "replaced with spaces"},
    {"characters", "replaced with ASCII", "replaced with ASCII"},
    {"line ends", "replaced with a newline", "replaced with newlines"},
    {"lines wrapped at column %u were joined", NULL, NULL},
    {"lines wrapped between words were joined", NULL, NULL},
    {"comments after values were skipped", NULL, NULL},
    {"lines within parameter values were joined", NULL, NULL},
    {"line breaks or indentation that differ from JAX's were ignored", NULL, NULL},
    {"values with an unclosed bracket were taken to end with their line", NULL, NULL},
    {"spaces within types were removed", NULL, NULL},
    {"invisible characters", "removed", "removed"},
    {"comments that read like lines of a program were skipped", NULL, NULL},
};

static void
put_replaced(struct sink *out, const struct text *t, u32 kind)
{
    u32 code = t->repaired_code[kind];
    const char *name = code == '\t' ? "tabs" : code == '\r' ? "carriage returns" : NULL;
    bool others = t->repaired_others & 1u << kind;
    if (others)
        sink_printf(out, "%s such as ", phrases[kind].what);
    if (name)
        sink_printf(out, "%s", name);
    else
        sink_printf(out, "U+%04X", code);
    if (others || name)
        sink_printf(out, " were %s", phrases[kind].all);
    else
        sink_printf(out, " was %s", phrases[kind].each);
}

void
put_repair(struct sink *out, const struct text *t, u32 kind)
{
    if (phrases[kind].all)
        put_replaced(out, t, kind);
    else if (1u << kind == REPAIR_CUT)
        sink_printf(out, phrases[kind].what, t->cut_at);
    else
        sink_printf(out, "%s", phrases[kind].what);
}
