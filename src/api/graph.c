/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of jaxpr_tools.h: programs as DOT, and what a comparison with other programs marks in them. */
#include "api/changes.h"

struct graphing {
    jx_module *module;
    struct jx_graph_options options;
    bool *found;
    struct api_changes changes;
    struct sink out;
};

static void
work_graph(void *arg)
{
    struct graphing *w = arg;
    jx_module *module = w->module;
    struct graph_options how = {
        .depth = w->options.depth,
        .nodes = w->options.nodes,
        .focus = slice_of(w->options.focus ? w->options.focus : ""),
        .radius = w->options.radius ? w->options.radius : 2,
    };
    api_resolve(module, LEVEL_WARNING);
    if (w->options.other) {
        w->options.other->mem.oom = module->mem.oom;
        api_compare(module, w->options.other, &w->changes);
    }
    comments_anchor(&module->ir);
    how.marks = w->changes.marks;
    how.removed = w->changes.removed.at;
    how.n_removed = w->changes.removed.n;
    api_sort_diagnostics(module);
    for (u32 i = 0; i < module->stream.n && w->out.error == 0; i++)
        *w->found |= graph_program(&w->out, &module->ir, module->stream.at[i], &how, i + 1);
}

enum jx_status
jx_write_graph(jx_module *module, const struct jx_graph_options *options, bool *found, jx_write_fn write, void *user)
{
    struct graphing w = {.module = module, .found = found};
    jx_module *other = NULL;
    if (module == NULL || found == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`found` is NULL");
    *found = false;
    if (api_options(module->context, &w.options, sizeof w.options, options) != JX_OK)
        return JX_MISUSE;
    if (w.options.other == module)
        return api_misuse(module->context, "a module is compared with itself");
    if (api_intact(module) != JX_OK || (w.options.other && api_intact(w.options.other) != JX_OK))
        return api_misuse(module->context, "the programs of a module were changed in place by an earlier call; read "
                                           "the text again");
    if (w.options.other) { /* a comparison gives its variables other names */
        enum jx_status copied = api_copy(w.options.other, &other);
        if (copied != JX_OK)
            return copied;
        w.options.other = other;
    }
    enum jx_status status = api_write(module, &w.out, write, user, work_graph, &w);
    if (other)
        api_free_module(other);
    return status;
}
