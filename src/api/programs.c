/* SPDX-License-Identifier: Apache-2.0
 *
 * Processes the programs of a stream one after another, or shares of them on several threads: once read, programs do
 * not depend on each other. */
#include "api/api.h"

#include "ir/workers.h"

enum {
    LEAST_PART = 1 << 12,  /* with fewer equations, the work takes less time than starting a thread */
    LEAST_SHARE = 1 << 10, /* the fewest equations of a share */
    MOST_SHARES = 32,      /* the most shares for each thread */
};

struct each {
    const jx_module *module;
    const struct program_work *work;
    struct program_share *shares;
};

static void
do_shares(struct worker *w, void *arg)
{
    const struct each *each = arg;
    const struct program_work *work = each->work;
    void *own = work->begin(work->arg, &w->module);
    while (worker_next(w)) {
        const struct program_share *share = &each->shares[w->share];
        u32 number = share->number;
        for (program_t p = share->from; p < share->end; p++)
            if (!w->module.programs.at[p].pasted)
                work->one(work->arg, own, number++, w->out);
    }
    work->end(own);
}

/* does the work with several threads; false if one thread does it as fast, or executor has only one */
static bool
divide_work(jx_module *module, const struct executor *executor, const struct program_work *work, struct sink *out)
{
    struct module *m = &module->ir;
    u32 shares = m->eqns.n / LEAST_SHARE, threads = m->eqns.n / LEAST_PART;
    if (!executor_is_parallel(executor) || threads < 2 || module->stream.n < 2 || (out != NULL && out->write == NULL))
        return false;
    threads = threads < executor->threads ? threads : executor->threads;
    shares = shares < threads * MOST_SHARES ? shares : threads * MOST_SHARES;
    struct each each = {module, work, mem_alloc(m->mem, shares * sizeof *each.shares)};
    const struct workers_how how = {threads, shares, work->change, do_shares, &each, out};
    share_programs(m, shares, each.shares);
    module_date(m); /* otherwise each thread would infer them */
    workers_end(workers_run(m, m->mem, executor, &how));
    mem_free(m->mem, each.shares);
    return true;
}

void
api_each_program(jx_module *module, const struct executor *executor, const struct program_work *work, struct sink *out)
{
    if (divide_work(module, executor, work, out))
        return;
    void *own = work->begin(work->arg, &module->ir);
    for (u32 i = 0; i < module->stream.n && (out == NULL || out->error == 0); i++)
        work->one(work->arg, own, i, out);
    work->end(own);
}
