/* SPDX-License-Identifier: Apache-2.0
 *
 * Few programs have to be closed before they are compared; the others have hashes, which cost less than digests. A
 * program that was closed is compared by digest, and so is all that may be equal to it: programs with as many results,
 * and as many equations where none is left aside. */
#include "api/closed.h"

#include "base/memo.h"
#include "canon/prepare.h"
#include "resolve/broken.h"

struct closing {
    struct closed *closed;
    const struct jx_compare_options *options;
};

bool
closed_due(jx_module *module)
{
    return prepare_due(&module->ir, module->stream.at, module->stream.n, &module->diags);
}

/* equal for programs whose digests are equal */
static u32
key_of(const struct module *m, program_t program, bool dce)
{
    jaxpr_t main = m->programs.at[program].main;
    u64 n = 0;
    if (main == NONE)
        return 0;
    for (eqn_t e = m->jaxprs.at[main].eqns; e != NONE && !dce; e = m->eqns.at[e].next)
        n++;
    return (u32)hash_seeded(m->jaxprs.at[main].n_outs, n) & INT32_MAX;
}

static void
work_make(void *arg)
{
    struct closing *c = arg;
    struct closed *closed = c->closed;
    jx_module *module = closed->module;
    u32 n = module->stream.n;
    closed->states = api_prepare(module);
    closed->keys = mem_alloc(&module->mem, (n + 1ull) * sizeof *closed->keys);
    closed->left_out = mem_zeroed(&module->mem, n + 1ull);
    for (u32 i = 0; i < n; i++)
        closed->keys[i] = key_of(&module->ir, module->stream.at[i], c->options->dce);
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

/* marks what no program that needs a digest, of either side, can be equal to */
static void
leave_out(struct closed *sides[2], const u8 *const needed[2])
{
    struct mem *mem = &sides[0]->module->mem;
    struct memo keys = {0};
    for (u32 k = 0; k < 2; k++)
        for (u32 i = 0; i < sides[k]->module->stream.n; i++)
            if (needed[k][i] || !(sides[k]->states[i] & PREPARED_NOTHING))
                memo_set(mem, &keys, sides[k]->keys[i], 1);
    for (u32 k = 0; k < 2; k++)
        for (u32 i = 0; i < sides[k]->module->stream.n; i++)
            sides[k]->left_out[i] = memo_get(&keys, sides[k]->keys[i]) == 0;
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
