/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks of a comparison in pictures and reports: a number for each equation, and the equations that only the
 * other side has. */
#include "api/changes.h"

#include "diff/diff.h"

/* notes the marks of equations on the left of a pair of jaxprs, and the equations that are only on the right */
static void
read_pair(struct api_changes *w, jx_module *module, const struct diff *d, const struct diff_pair *pair)
{
    static const u8 marks[] = {
        [DIFF_CHANGED] = MARK_CHANGED, [DIFF_INSIDE] = MARK_INSIDE,   [DIFF_REMOVED] = MARK_REMOVED,
        [DIFF_MOVED] = MARK_MOVED,     [DIFF_RETYPED] = MARK_RETYPED, [DIFF_SAME] = MARK_NONE,
    };
    for (u32 i = pair->items; i < pair->items + pair->n_items; i++) {
        const struct diff_item *item = &d->items.at[i];
        if (item->kind == DIFF_ADDED)
            *vec_push(&module->mem, &w->removed) =
                (struct graph_removed){pair->a, arena_copy(&module->mem, item->head)};
        else if (item->a != NONE && item->kind != DIFF_INPUTS && item->kind != DIFF_OUTPUTS)
            w->marks[item->a] = marks[item->kind];
    }
}

void
api_compare(jx_module *module, jx_module *other, struct api_changes *w)
{
    struct diff d;
    struct sink text;
    w->marks = mem_zeroed(&module->mem, module->ir.eqns.n + 1);
    api_resolve(other, LEVEL_WARNING);
    comments_anchor(&module->ir); /* the summary is by line */
    comments_anchor(&other->ir);
    diff_init(&d, &module->mem, &module->ir, &other->ir, 0, SLICE(""));
    for (u32 i = 0; i < module->stream.n; i++)
        if (api_is_readable(module, i) && api_is_readable(other, i))
            diff_programs(&d, module->stream.at[i], other->stream.at[i], false);
    for (u32 i = 0; i < d.pairs.n; i++)
        read_pair(w, module, &d, &d.pairs.at[i]);
    sink_init_memory(&text, &module->mem);
    diff_fold(&d, true);
    if (d.pairs.n > 0)
        diff_write_summary(&text, &d);
    w->summary = arena_copy(&module->mem, (struct slice){text.at, text.n});
    mem_free(&module->mem, text.at);
    diff_end(&d);
}
