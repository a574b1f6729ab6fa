/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares are taken from a counter. A finished one waits until those before it are passed on: the thread that finishes
 * the last of these passes all on, so that no thread waits, and few shares are kept in memory. */
#include "ir/workers.h"

#include <stdatomic.h>

/* The text of a share. */
struct written {
    struct mem *mem;
    struct sink text;
    atomic_bool done;
};

struct workers {
    struct mem *mem;
    const struct module *whole;
    const struct workers_how *how;
    u32 n, shares;
    struct worker *workers;
    struct mem **pools;      /* of each worker */
    struct written *written; /* of each share, if something is written */
    atomic_uint taken;       /* how many shares are taken .. */
    atomic_uint passed;      /* .. and passed on .. */
    atomic_bool passing;     /* .. whether a thread is passing shares on now */
};

/* whether the next share to pass on is finished */
static bool
may_pass(struct workers *all)
{
    u32 i = atomic_load(&all->passed);
    return i < all->shares && atomic_load(&all->written[i].done);
}

/* passes on finished shares. One thread at a time does so, and checks again afterwards for shares that others finished
 * meanwhile */
static void
pass_on(struct workers *all)
{
    struct sink *out = all->how->out;
    while (may_pass(all) && !atomic_exchange(&all->passing, true)) {
        if (may_pass(all)) {
            struct written *w = &all->written[atomic_load(&all->passed)];
            if (w->text.n > 0 && out->error == 0)
                out->error = out->write(out->user, w->text.at, w->text.n);
            mem_free(w->mem, w->text.at);
            if (out->error != 0)
                atomic_store(&all->taken, all->shares); /* the rest is not needed */
            atomic_fetch_add(&all->passed, 1);
        }
        atomic_store(&all->passing, false);
    }
}

bool
worker_next(struct worker *w)
{
    struct workers *all = w->all;
    if (w->out != NULL) {
        atomic_store(&all->written[w->share].done, true);
        pass_on(all);
    }
    w->out = NULL;
    w->share = atomic_fetch_add(&all->taken, 1);
    if (w->share >= all->shares)
        return false;
    if (all->how->out != NULL) {
        struct written *written = &all->written[w->share];
        written->mem->oom = w->module.mem->oom;
        sink_init_memory(&written->text, written->mem);
        w->out = &written->text;
    }
    return true;
}

static void
do_work(void *arg, u32 i)
{
    struct workers *all = arg;
    struct worker *w = &all->workers[i];
    (all->how->change ? module_copy : module_view)(&w->module, all->pools[i], all->whole);
    all->how->work(w, all->how->arg);
}

struct workers *
workers_run(const struct module *whole, struct mem *mem, const struct executor *executor, const struct workers_how *how)
{
    struct workers *all = mem_zeroed(mem, sizeof *all);
    *all = (struct workers){.mem = mem, .whole = whole, .how = how, .n = how->threads, .shares = how->shares};
    all->workers = mem_zeroed(mem, all->n * sizeof *all->workers);
    all->pools = mem_alloc(mem, all->n * sizeof *all->pools);
    for (u32 i = 0; i < all->n; i++) {
        all->workers[i].all = all;
        all->pools[i] = mem_inner(mem);
    }
    if (how->out != NULL) {
        sink_flush(how->out);
        all->written = mem_zeroed(mem, all->shares * sizeof *all->written);
        for (u32 i = 0; i < all->shares; i++)
            all->written[i].mem = mem_inner(mem);
    }
    executor_run(executor, mem, all->pools, all->n, do_work, all);
    return all;
}

void
workers_end(struct workers *all)
{
    for (u32 i = all->n; i-- > 0;)
        mem_inner_drop(all->pools[i]);
    for (u32 i = all->how->out != NULL ? all->shares : 0; i-- > 0;)
        mem_inner_drop(all->written[i].mem);
    mem_free_all(all->mem, all->workers, all->pools, all->written, all);
}

void
share_programs(const struct module *m, u32 n, struct program_share *shares)
{
    u64 bytes = 0, all = 0;
    u32 share = 0, number = 0;
    for (program_t p = 0; p < m->programs.n; p++)
        all += m->programs.at[p].pasted ? 0 : m->programs.at[p].end - m->programs.at[p].offset;
    shares[0] = (struct program_share){0, m->programs.n, 0};
    for (program_t p = 0; p < m->programs.n; p++) {
        const struct program *text = &m->programs.at[p];
        u32 length = text->pasted ? 0 : text->end - text->offset;
        while (!text->pasted && share < (bytes + length / 2) * n / (all + 1)) {
            shares[share].end = p;
            shares[++share] = (struct program_share){p, m->programs.n, number};
        }
        bytes += length;
        number += !text->pasted;
    }
    while (share + 1 < n)
        shares[++share] = (struct program_share){m->programs.n, m->programs.n, number};
}
