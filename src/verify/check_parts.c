/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks equations on several threads, each with its own view of the module: an equation is checked against the types
 * that binders print, which does not depend on the equations before it. Findings may depend on earlier ones, so if a
 * thread reports something, all findings are dropped, and one thread checks all programs. Linear. */
#include "verify/check_parts.h"

#include "ir/workers.h"
#include "verify/checker.h"
#include "verify/infer.h"

#include <stdatomic.h>

enum {
    LEAST_PART = 1 << 12,  /* with fewer equations, checking takes less time than starting a thread */
    LEAST_SHARE = 1 << 10, /* the fewest places in a share */
    MOST_SHARES = 32,      /* the most shares for each thread */
};

/* A share is a range of places. Each equation is a place, and so is the end of each jaxpr. */
struct shares {
    u64 places;
    u32 n;
    bool programs; /* a share consists of whole programs: those whose first place is in it */
    const struct check_options *options;
    const struct resolution *resolved;
    struct diags *found; /* the findings of each share */
    atomic_bool early;   /* something was found before the first share of a thread */
};

struct part {
    struct worker *worker;
    struct shares *all;
    u64 from, end; /* the share that it checks: places [from, end) */
};

/* takes the next share for the checker; false if none is left */
static bool
take_share(struct part *part, struct checker *c)
{
    struct shares *all = part->all;
    u32 program = c->ds->program;
    if (!worker_next(part->worker))
        return false;
    u32 i = part->worker->share;
    part->from = all->places * i / all->n;
    part->end = i + 1 < all->n ? all->places * (i + 1) / all->n : UINT64_MAX;
    c->ds = &all->found[i];
    diags_init(c->ds, part->worker->module.mem);
    c->ds->program = program;
    return true;
}

/* checks the places of a jaxpr that are in the part's shares: `at` is the place of its first equation, and its end is
 * the place after its last. False if no share is left */
static bool
check_jaxpr_part(struct checker *c, struct part *part, jaxpr_t j, u64 at)
{
    const struct module *m = c->m;
    eqn_t e = m->jaxprs.at[j].eqns;
    u64 last = at + m->jaxprs.at[j].n_eqns;
    if (last < part->from)
        return true;
    enter_jaxpr(c, j);
    for (;; e = m->eqns.at[e].next, at++) {
        at = e == NONE ? last : at;
        if (at >= part->end) {
            report_left_open(c);
            if (!take_share(part, c))
                return false;
        }
        if (at >= last)
            break;
        if (at >= part->from) {
            mem_poll(m->mem);
            check_equation(c, e);
        }
    }
    if (at >= part->from)
        leave_jaxpr(c, j);
    return true;
}

/* the same for the places of a program whose first one is `at` */
static bool
check_program_part(struct checker *c, struct part *part, program_t p, u64 at)
{
    const struct module *m = c->m;
    const struct program *text = &m->programs.at[p];
    bool left = true;
    c->program = p;
    for (u32 i = 0; i <= text->n_lets && left; i++) {
        jaxpr_t root = i == 0 ? text->main : m->lets.at[text->lets + text->n_lets - i].jaxpr;
        struct walk w;
        if (root == NONE)
            continue;
        walk_start(&w, m, root);
        for (jaxpr_t j; left && (j = walk_next(&w)) != NONE; at += m->jaxprs.at[j].n_eqns + 1)
            left = check_jaxpr_part(c, part, j, at);
        c->m->types.view = NULL;
        walk_end(&w);
    }
    report_left_open(c);
    return left;
}

/* takes shares and checks them, in the order of check_programs, until none is left. Programs outside the shares are
 * skipped */
static void
check_shares(struct checker *c, struct part *part)
{
    const struct module *m = c->m;
    const u32 *places = part->all->resolved->places;
    const bool whole = part->all->programs;
    u64 at = 0;
    u32 n = 0;
    for (program_t p = 0; p < m->programs.n; at += places[p++]) {
        if (m->programs.at[p].pasted)
            continue;
        c->ds->program = n++;
        while (at >= part->end)
            if (!take_share(part, c))
                return;
        if (at + places[p] <= part->from || (whole && at < part->from))
            continue;
        u64 from = part->from, end = part->end;
        if (whole) {
            part->from = 0;
            part->end = UINT64_MAX;
        }
        if (!check_program_part(c, part, p, at))
            return;
        if (whole) {
            part->from = from;
            part->end = end;
        }
    }
}

static void
check_part(struct worker *w, void *arg)
{
    struct part part = {.worker = w, .all = arg};
    struct check_options options = *part.all->options;
    struct diags before;
    options.executor = NULL;
    diags_init(&before, w->module.mem);
    struct checker *c = check_begin(&w->module, &options, part.all->resolved, &before);
    if (take_share(&part, c))
        check_shares(c, &part);
    if (before.total != 0)
        atomic_store(&part.all->early, true);
}

/* whether some variable has no printed type: its type is inferred, and other equations of the program may need it */
static bool
lacks_types(const struct module *m)
{
    for (var_t v = 0; v < m->vars.n; v++)
        if (m->vars.at[v].type == NONE)
            return true;
    return false;
}

static void
count_unverified(struct diags *ds, const struct diags *of)
{
    for (u32 i = 0; i < of->equations.n; i++)
        diags_unverified(ds, of->equations.names[i]);
    ds->equations.total += of->equations.total - of->equations.n;
}

/* the number of places of all programs */
static u64
count_places(const struct module *m, const u32 *places)
{
    u64 n = 0;
    for (program_t p = 0; p < m->programs.n; p++)
        n += places[p];
    return n;
}

bool
check_parts(struct module *m, const struct check_options *options, const struct resolution *found, struct diags *ds)
{
    u32 n = options->executor->threads;
    n = n < m->eqns.n / LEAST_PART ? n : m->eqns.n / LEAST_PART;
    if (n < 2 || options->only)
        return false;
    struct shares all = {.places = count_places(m, found->places), .options = options, .resolved = found};
    u64 most = all.places / LEAST_SHARE;
    all.n = most < (u64)n * MOST_SHARES ? (u32)most : n * MOST_SHARES;
    if (all.n < n)
        return false;
    all.programs = lacks_types(m);
    all.found = mem_zeroed(m->mem, all.n * sizeof *all.found);
    const struct workers_how how = {.threads = n, .shares = all.n, .work = check_part, .arg = &all};
    struct workers *workers = workers_run(m, m->mem, options->executor, &how);
    bool clean = !atomic_load(&all.early);
    for (u32 i = 0; i < all.n; i++)
        clean &= all.found[i].total == 0;
    for (u32 i = 0; i < all.n && clean; i++)
        count_unverified(ds, &all.found[i]);
    workers_end(workers);
    mem_free(m->mem, all.found);
    return clean;
}
