/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs behind jaxpr.h: programs as DOT, and what a comparison with other programs marks in them. */
#include "api/api.h"

#include "diff/diff.h"
#include "report/graph.h"

struct graphing {
    jx_module *module;
    struct jx_graph_options options;
    bool *found;
    u8 *marks;
    VEC(struct graph_ghost) ghosts;
    struct sink out;
};

/* what one pair of jaxprs says of the equations on the left, and which ones are on the right alone */
static void
read_pair(struct graphing *w, const struct diff *d, const struct diff_pair *pair)
{
    static const u8 marks[] = {
        [DIFF_CHANGED] = MARK_CHANGED, [DIFF_INSIDE] = MARK_INSIDE,   [DIFF_REMOVED] = MARK_REMOVED,
        [DIFF_MOVED] = MARK_MOVED,     [DIFF_RETYPED] = MARK_RETYPED, [DIFF_SAME] = MARK_NONE,
    };
    for (u32 i = pair->items; i < pair->items + pair->n_items; i++) {
        const struct diff_item *item = &d->items.at[i];
        if (item->kind == DIFF_ADDED)
            *vec_push(&w->module->mem, &w->ghosts) =
                (struct graph_ghost){pair->a, arena_copy(&w->module->mem, item->head)};
        else if (item->a != NONE && item->kind != DIFF_INPUTS && item->kind != DIFF_OUTPUTS)
            w->marks[item->a] = marks[item->kind];
    }
}

/* compares the n-th program with the n-th of the other module */
static void
compare(struct graphing *w)
{
    jx_module *module = w->module, *other = w->options.other;
    struct diff d;
    w->marks = mem_zeroed(&module->mem, module->ir.eqns.n + 1);
    api_resolve(other, LEVEL_WARNING);
    diff_init(&d, &module->mem, &module->ir, &other->ir, 0, SLICE(""));
    for (u32 i = 0; i < module->stream.n; i++)
        if (api_is_readable(module, i) && api_is_readable(other, i))
            diff_programs(&d, module->stream.at[i], other->stream.at[i], false);
    for (u32 i = 0; i < d.pairs.n; i++)
        read_pair(w, &d, &d.pairs.at[i]);
    diff_end(&d);
}

static void
work_graph(void *arg)
{
    struct graphing *w = arg;
    jx_module *module = w->module;
    struct graph_options how = {
        .depth = w->options.depth,
        .focus = slice_of(w->options.focus ? w->options.focus : ""),
        .radius = w->options.radius ? w->options.radius : 2,
    };
    api_resolve(module, LEVEL_WARNING);
    if (w->options.other) {
        w->options.other->mem.oom = module->mem.oom;
        compare(w);
    }
    how.marks = w->marks;
    how.ghosts = w->ghosts.at;
    how.n_ghosts = w->ghosts.n;
    api_sort_diagnostics(module);
    for (u32 i = 0; i < module->stream.n && w->out.error == 0; i++)
        *w->found |= graph_program(&w->out, &module->ir, module->stream.at[i], &how, i + 1);
}

enum jx_status
jx_write_graph(jx_module *module, const struct jx_graph_options *options, bool *found, jx_write_fn write, void *user)
{
    struct graphing w = {.module = module, .found = found};
    if (module == NULL || found == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`found` is NULL");
    *found = false;
    if (api_options(module->context, &w.options, sizeof w.options, options) != JX_OK)
        return JX_MISUSE;
    if (w.options.other == module)
        return api_misuse(module->context, "a module is compared with itself");
    if (api_intact(module) != JX_OK || (w.options.other && api_change(w.options.other, CHANGED_BY_OTHERS) != JX_OK))
        return api_misuse(module->context, "the programs of a module were changed by an earlier call; read the text "
                                           "again");
    if (w.options.other && w.options.other->lost)
        return JX_OUT_OF_MEMORY;
    enum jx_status status = api_write(module, &w.out, write, user, work_graph, &w);
    if (w.options.other) {
        w.options.other->mem.oom = NULL;
        w.options.other->lost |= module->lost;
    }
    return status;
}
