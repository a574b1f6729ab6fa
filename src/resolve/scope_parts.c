/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads resolve the names of consecutive programs in place; no other thread reads these programs meanwhile. If
 * something must be reported, the resolved names are kept, and check_scopes continues from there. Linear. */
#include "resolve/scope_parts.h"

#include "ir/workers.h"

enum { LEAST_PART = 1 << 13 }; /* with fewer equations, resolving takes less time than starting a thread */

/* Consecutive programs, and what is found in them. */
struct part {
    struct program_share programs;
    bool clean;
    struct resolution found;
};

static void
resolve_parts(struct worker *w, void *arg)
{
    while (worker_next(w)) {
        struct part *p = &((struct part *)arg)[w->share];
        p->clean = resolve_programs(&w->module, p->programs.from, p->programs.end, p->programs.number, &p->found);
    }
}

void
check_scopes_parts(struct module *m, struct resolution *found, const struct executor *executor)
{
    u32 n = executor_is_parallel(executor) && !found->scopes ? m->eqns.n / LEAST_PART : 0;
    n = n < 2 || n < executor->threads ? n : executor->threads;
    if (n < 2)
        return;
    struct part *parts = mem_zeroed(m->mem, n * sizeof *parts);
    struct program_share *programs = mem_alloc(m->mem, n * sizeof *programs);
    const struct workers_how how = {.threads = n, .shares = n, .work = resolve_parts, .arg = parts};
    bool clean = true;
    share_programs(m, n, programs);
    found->places = mem_zeroed(m->mem, (m->programs.n + 1) * sizeof *found->places);
    for (u32 i = 0; i < n; i++)
        parts[i] = (struct part){.programs = programs[i], .found = {.places = found->places}};
    struct workers *workers = workers_run(m, m->mem, executor, &how);
    for (u32 i = 0; i < n; i++)
        clean &= parts[i].clean;
    for (u32 i = 0; i < n; i++)
        for (u32 u = 0; clean && u < parts[i].found.underscored.n; u++)
            *vec_push(m->mem, &found->underscored) = parts[i].found.underscored.at[u];
    workers_end(workers);
    found->scopes = clean;
    mem_free_all(m->mem, programs, parts);
}
