/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that rewrite or compare programs do not change modules unless asked to (in_place), whatever was called before,
 * and their results are those for a module that was just read, in place or not. */
#include "target.h"

#include <stdlib.h>

enum { STATES = 5 };

/* calls functions that change the state of a module */
static void
use(jx_module *module, int state)
{
    jx_program_stats *stats;
    if (state == 1)
        must_be_ok(jx_resolve(module), "resolve");
    if (state == 2)
        must_be_ok(jx_check(module, NULL), "check");
    if (state == 3)
        must_be_ok(jx_lint(module, NULL, NULL), "lint");
    if (state == 4)
        must_be_ok(jx_stats(module, 0, &stats), "stats");
}

/* the results of rewriting and comparing: texts, origins of binders, digests, differences, findings */
static struct written
changes(jx_context *context, jx_module *module, jx_module *other, bool in_place, int which)
{
    static const unsigned passes[] = {0, JX_PASS_CONSTANTS | JX_PASS_LIFT | JX_PASS_DCE,
                                      JX_PASS_CAPTURES | JX_PASS_REPAIR | JX_PASS_EXPAND,
                                      JX_PASS_COLLAPSE | JX_PASS_INLINE};
    struct written out = {0};
    if (which < 4) {
        struct jx_normal_options how = {.size = sizeof how, .passes = passes[which], .in_place = in_place};
        jx_rewrite *rewrite;
        struct jx_rewritten r;
        struct jx_origin origin;
        must_be_ok(jx_normalize(module, &how, keep_written, &out, &rewrite), "normalize");
        for (uint32_t i = 0; jx_rewritten_at(rewrite, i, &r); i++) {
            uint32_t binders = 0, outputs = 0;
            for (; jx_rewritten_binder(rewrite, i, binders, &origin); binders++)
                keep_written(&out, &"cionN"[origin.kind], 1);
            for (; jx_rewritten_output(rewrite, i, outputs, &origin); outputs++)
                keep_written(&out, &"cionN"[origin.kind], 1);
            if (binders != r.constants + r.inputs || outputs != r.outputs)
                broken_promise("each binder and output has an origin", out.at, out.n);
        }
        render(context, jx_rewrite_module(rewrite), JX_RENDER_JSONL, &out);
        jx_rewrite_free(rewrite);
    } else if (which == 4) {
        struct jx_compare_options how = {.size = sizeof how, .functions = true, .in_place = in_place};
        struct jx_function f;
        jx_digest_list *list;
        must_be_ok(jx_digests(module, &how, &list), "digests");
        for (uint32_t i = 0; jx_function_at(list, i, &f); i++)
            keep_written(&out, f.digest.at, f.digest.n);
        render(context, jx_digest_list_module(list), JX_RENDER_JSONL, &out);
        jx_digest_list_free(list);
    } else {
        struct jx_diff_options how = {.size = sizeof how, .in_place = in_place, .passes = which > 5 ? passes[1] : 0};
        struct jx_difference d;
        jx_differences *found;
        must_be_ok(jx_diff(module, other, &how, keep_written, &out, &found), "diff");
        for (uint32_t i = 0; jx_difference_at(found, i, &d); i++)
            keep_written(&out, d.head.at, d.head.n);
        render(context, jx_differences_module(found, true), JX_RENDER_JSONL, &out);
        jx_differences_free(found);
    }
    return out;
}

/* the program as JSON, the layout and the findings of a module */
static struct written
description(jx_context *context, jx_module *module)
{
    struct written out = {0};
    bool first = true;
    must_be_ok(jx_write_json(module, &first, keep_written, &out), "json");
    must_be_ok(jx_format(module, NULL, keep_written, &out), "format");
    must_be_ok(jx_check(module, NULL), "check");
    render(context, module, JX_RENDER_JSONL, &out);
    return out;
}

void
target_intact(const char *bytes, size_t n)
{
    struct written other = formatted(bytes, n, 60);
    int state = (int)(n % STATES);
    for (int which = 0; which < 7; which++) {
        jx_context *context = must_make_context();
        jx_module *fresh = must_read(context, bytes, n), *used = must_read(context, bytes, n),
                  *like = must_read(context, bytes, n), *second = must_read(context, other.at, other.n),
                  *third = must_read(context, other.at, other.n);
        use(used, state);
        use(like, state);
        struct written want = changes(context, fresh, third, true, which),
                       got = changes(context, used, second, false, which),
                       again = changes(context, used, second, false, which);
        must_equal("a copy and the module itself have the same results", &want, &got);
        must_equal("a second call has the same results", &want, &again);
        struct written before = description(context, like), after = description(context, used);
        must_equal("a module is unchanged", &before, &after);
        free(want.at);
        free(got.at);
        free(again.at);
        free(before.at);
        free(after.at);
        jx_context_free(context);
    }
    free(other.at);
}
