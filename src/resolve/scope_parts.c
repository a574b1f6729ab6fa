/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread resolves the names of consecutive programs in place, which no other thread reads meanwhile. What is
 * resolved is kept where something must be reported: check_scopes continues from it. Linear. */
#include "resolve/scope_parts.h"

enum { LEAST_PART = 1 << 13 }; /* with fewer equations, resolving takes less time than starting a thread */

struct part {
    const struct module *whole;
    struct mem *mem;
    program_t from, end;
    u32 number; /* of the first, in the stream */
    bool clean;
    struct resolution found;
};

/* divides the stream into n parts of about the same size: first[i] becomes the first program of part i, first[n] the
 * end */
static void
share_programs(const struct module *m, u32 n, program_t *first)
{
    u64 bytes = 0, all = 0;
    u32 part = 0;
    for (program_t p = 0; p < m->programs.n; p++)
        all += m->programs.at[p].pasted ? 0 : m->programs.at[p].end - m->programs.at[p].offset;
    first[0] = 0;
    for (program_t p = 0; p < m->programs.n; p++) {
        const struct program *text = &m->programs.at[p];
        u32 length = text->pasted ? 0 : text->end - text->offset;
        while (!text->pasted && part < (bytes + length / 2) * n / (all + 1))
            first[++part] = p;
        bytes += length;
    }
    while (part < n)
        first[++part] = m->programs.n;
}

static void
resolve_part(void *arg, u32 i)
{
    struct part *p = &((struct part *)arg)[i];
    struct module *view = mem_alloc(p->mem, sizeof *view);
    module_view(view, p->mem, p->whole);
    p->clean = resolve_programs(view, p->from, p->end, p->number, &p->found);
}

void
check_scopes_parts(struct module *m, struct resolution *found, const struct crew *crew)
{
    u32 n = crew_helps(crew) && !found->scopes ? m->eqns.n / LEAST_PART : 0;
    n = n < 2 || n < crew->threads ? n : crew->threads;
    if (n < 2)
        return;
    struct part *parts = mem_zeroed(m->mem, n * sizeof *parts);
    struct mem **pools = mem_alloc(m->mem, n * sizeof *pools);
    program_t *first = mem_alloc(m->mem, (n + 1) * sizeof *first);
    u32 number = 0;
    bool clean = true;
    share_programs(m, n, first);
    found->places = mem_zeroed(m->mem, (m->programs.n + 1) * sizeof *found->places);
    for (u32 i = 0; i < n; i++) {
        pools[i] = mem_inner(m->mem);
        parts[i] = (struct part){.whole = m, .mem = pools[i], .from = first[i], .end = first[i + 1], .number = number};
        parts[i].found.places = found->places;
        for (program_t p = first[i]; p < first[i + 1]; p++)
            number += !m->programs.at[p].pasted;
    }
    crew_work(crew, m->mem, pools, n, resolve_part, parts);
    for (u32 i = 0; i < n; i++)
        clean &= parts[i].clean;
    for (u32 i = 0; i < n; i++) {
        for (u32 u = 0; clean && u < parts[i].found.underscored.n; u++)
            *vec_push(m->mem, &found->underscored) = parts[i].found.underscored.at[u];
        mem_inner_drop(pools[i]);
    }
    found->scopes = clean;
    mem_free_all(m->mem, first, pools, parts);
}
