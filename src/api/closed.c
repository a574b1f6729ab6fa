/* SPDX-License-Identifier: Apache-2.0
 *
 * Few programs have to be closed before they are compared; the others are compared by hashes, which cost less than
 * digests. A closed program is compared by digest, and so are all programs that may be equal to it by their outlines
 * (outline.h). */
#include "api/closed.h"

#include "base/memo.h"
#include "canon/outline.h"
#include "canon/prepare.h"
#include "resolve/broken.h"

struct closing {
    struct closed *closed;
    const struct jx_compare_options *options;
};

/* see canon_outlines */
static u32 *
find_outlines(jx_module *module, const struct jx_compare_options *options)
{
    return canon_outlines(&module->ir, module->stream.at, module->stream.n, options->dce ? CANON_DCE : 0,
                          slice_of(options->without != NULL ? options->without : ""));
}

/* removes from side->due programs that cannot equal any program of the other side without a partner in `same`; returns
 * whether any remain */
static bool
keep_meeting(struct mem *mem, struct closed *side, u32 n, const u32 *others, u32 n_others, const u32 *same)
{
    struct memo known = {0};
    bool any = false;
    for (u32 i = 0; i < n_others; i++)
        if (same[i] == NONE)
            memo_set(mem, &known, others[i], 1);
    for (u32 i = 0; i < n; i++) {
        if (memo_get(&known, side->outlines[i]) == 0)
            side->due[i] = PREPARING_NOTHING;
        any |= side->due[i] != PREPARING_NOTHING;
    }
    memo_free(mem, &known);
    return any;
}

bool
closed_due(struct closed *a, struct closed *b, jx_module *left, jx_module *right, const u32 *const same[2],
           const struct jx_compare_options *options)
{
    struct closed *sides[2] = {a, b};
    jx_module *modules[2] = {left, right};
    bool all = false, any = false;
    for (u32 k = 0; k < 2; k++) {
        jx_module *module = modules[k];
        u8 *due = sides[k]->due = prepare_due(&module->ir, module->stream.at, module->stream.n, &module->diags);
        for (u32 i = 0; i < module->stream.n; i++) {
            if (same[k][i] != NONE)
                due[i] = PREPARING_NOTHING;
            all |= due[i] == PREPARING_ALL;
            any |= due[i] != PREPARING_NOTHING;
        }
    }
    if (all || !any)
        return all;
    for (u32 k = 0; k < 2; k++) {
        classes_unfold(&modules[k]->ir, NO_VERSION); /* it renames primitives */
        sides[k]->outlines = find_outlines(modules[k], options);
    }
    any = keep_meeting(&left->mem, a, left->stream.n, b->outlines, right->stream.n, same[1]);
    return keep_meeting(&left->mem, b, right->stream.n, a->outlines, left->stream.n, same[0]) || any;
}

static void
work_make(void *arg)
{
    struct closing *c = arg;
    struct closed *closed = c->closed;
    jx_module *module = closed->module;
    u32 n = module->stream.n;
    closed->states = api_prepare(module, closed->due);
    if (closed->outlines == NULL) /* they do not depend on lifted constants */
        closed->outlines = find_outlines(module, c->options);
    closed->left_out = mem_zeroed(&module->mem, n + 1ull);
}

enum jx_status
closed_make(struct closed *closed, jx_module *module, const struct jx_compare_options *options)
{
    enum jx_status status = api_copy(module, &closed->module);
    if (status == JX_OK)
        status = api_run(closed->module, work_make, &(struct closing){closed, options});
    if (status == JX_OK)
        forget_bound(&module->diags, module->stream.n, &closed->module->diags);
    return status;
}

static void
work_digest(void *arg)
{
    struct closing *c = arg;
    api_digest(c->closed->module, c->options, c->closed->states, c->closed->left_out, &c->closed->digests);
}

/* marks the programs that no program of either side that needs a digest can equal */
static void
leave_out(struct closed *sides[2], const u8 *const needed[2])
{
    struct mem *mem = &sides[0]->module->mem;
    struct memo keys = {0};
    for (u32 k = 0; k < 2; k++)
        for (u32 i = 0; i < sides[k]->module->stream.n; i++)
            if (needed[k][i] || !(sides[k]->states[i] & PREPARED_NOTHING))
                memo_set(mem, &keys, sides[k]->outlines[i], 1);
    for (u32 k = 0; k < 2; k++)
        for (u32 i = 0; i < sides[k]->module->stream.n; i++)
            sides[k]->left_out[i] = memo_get(&keys, sides[k]->outlines[i]) == 0;
    memo_free(mem, &keys);
}

struct choosing {
    struct closed *sides[2];
    const u8 *const *needed;
};

static void
work_choose(void *arg)
{
    struct choosing *c = arg;
    leave_out(c->sides, c->needed);
}

enum jx_status
closed_digest(struct closed *a, struct closed *b, const u8 *const needed[2], const struct jx_compare_options *options)
{
    enum jx_status status = JX_OK;
    if (needed != NULL)
        status = api_run(a->module, work_choose, &(struct choosing){{a, b}, needed});
    if (status == JX_OK)
        status = api_run(a->module, work_digest, &(struct closing){a, options});
    if (status == JX_OK)
        status = api_run(b->module, work_digest, &(struct closing){b, options});
    return status;
}
