/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks programs on several threads, each with a view of the module. Findings may depend on earlier ones, so that
 * where a thread reports something all findings are dropped, and one thread checks all programs. Linear. */
#include "verify/check_parts.h"

#include "resolve/scope_parts.h"

enum { LEAST_PART = 1 << 12 }; /* with fewer equations, checking takes less time than starting a thread */

struct part {
    const struct module *whole;
    struct mem *mem;
    struct module view;
    struct check_options options; /* `only` contains the programs of this part */
    const struct resolution *found;
    struct diags ds;
};

/* gives each part its programs */
static void
give_programs(const struct module *m, struct part *parts, u8 *only, u32 stream, u32 n)
{
    program_t *first = mem_alloc(m->mem, (n + 1) * sizeof *first);
    share_programs(m, n, first);
    for (u32 i = 0, number = 0; i < n; i++) {
        parts[i].options.only = &only[(size_t)i * stream];
        for (program_t p = first[i]; p < first[i + 1]; p++)
            if (!m->programs.at[p].pasted)
                only[(size_t)i * stream + number++] = 1;
    }
    mem_free(m->mem, first);
}

static void
check_part(void *arg, u32 i)
{
    struct part *p = &((struct part *)arg)[i];
    module_view(&p->view, p->mem, p->whole);
    diags_init(&p->ds, p->mem);
    check_types(&p->view, &p->options, p->found, &p->ds);
}

static void
count_unverified(struct diags *ds, const struct diags *of)
{
    u64 rest = of->unverified - of->n_unverified_prims;
    for (u32 i = 0; i < of->n_unverified_prims; i++)
        diags_unverified(ds, of->unverified_prims[i]);
    ds->unverified += (u32)rest;
}

bool
check_parts(struct module *m, const struct check_options *options, const struct resolution *found, struct diags *ds)
{
    u32 n = options->crew->threads, stream = module_count_programs(m);
    n = n < stream ? n : stream;
    n = n < m->eqns.n / LEAST_PART ? n : m->eqns.n / LEAST_PART;
    if (n < 2 || options->only)
        return false;
    struct part *parts = mem_zeroed(m->mem, n * sizeof *parts);
    struct mem **pools = mem_alloc(m->mem, n * sizeof *pools);
    u8 *only = mem_zeroed(m->mem, (size_t)n * stream);
    bool clean = true;
    for (u32 i = 0; i < n; i++) {
        pools[i] = mem_inner(m->mem);
        parts[i].whole = m;
        parts[i].mem = pools[i];
        parts[i].options = *options;
        parts[i].options.crew = NULL;
        parts[i].found = found;
    }
    give_programs(m, parts, only, stream, n);
    crew_work(options->crew, m->mem, pools, n, check_part, parts);
    for (u32 i = 0; i < n; i++)
        clean &= parts[i].ds.total == 0;
    for (u32 i = 0; i < n && clean; i++)
        count_unverified(ds, &parts[i].ds);
    for (u32 i = 0; i < n; i++)
        mem_inner_drop(pools[i]);
    mem_free(m->mem, only);
    mem_free(m->mem, pools);
    mem_free(m->mem, parts);
    return clean;
}
