/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks equations on several threads, each with a view of the module: they are judged by the types that binders
 * print, whatever was judged before. Findings may depend on earlier ones, so that where a thread reports something
 * all findings are dropped, and one thread checks all programs. Linear. */
#include "verify/check_parts.h"

#include "verify/checker.h"
#include "verify/infer.h"

enum { LEAST_PART = 1 << 12 }; /* with fewer equations, checking takes less time than starting a thread */

struct part {
    const struct module *whole;
    struct mem *mem;
    struct module view;
    struct check_options options;
    const struct resolution *found;
    struct diags ds;
    u64 from, end; /* its share: places from one to before the other, of all that are counted */
    bool programs; /* only whole programs: those whose first place is in it */
};

/* checks what a part has of a jaxpr: its equations have the places from `at` on, its end the one after them */
static void
check_jaxpr_part(struct checker *c, jaxpr_t j, u64 at, u64 from, u64 end)
{
    const struct module *m = c->m;
    u64 last = at + m->jaxprs.at[j].n_eqns;
    enter_jaxpr(c, j);
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE && at < last && at < end; e = m->eqns.at[e].next, at++)
        if (at >= from) {
            mem_poll(m->mem);
            check_equation(c, e);
        }
    if (last >= from && last < end)
        leave_jaxpr(c, j);
}

/* the same for all programs, in the order of check_programs; counts the places */
static void
check_share(struct checker *c, const struct part *part)
{
    const struct module *m = c->m;
    u64 at = 0;
    u32 n = 0;
    for (program_t p = 0; p < m->programs.n; p++) {
        const struct program *text = &m->programs.at[p];
        u64 from = part->from, end = part->end;
        if (text->pasted)
            continue;
        if (part->programs) {
            end = at >= from && at < end ? UINT64_MAX : 0;
            from = 0;
        }
        c->ds->program = n++;
        c->program = p;
        for (u32 i = 0; i <= text->n_lets; i++) {
            jaxpr_t root = i == 0 ? text->main : m->lets.at[text->lets + text->n_lets - i].jaxpr;
            struct walk w;
            if (root == NONE)
                continue;
            walk_start(&w, m, root);
            for (jaxpr_t j; (j = walk_next(&w)) != NONE; at += m->jaxprs.at[j].n_eqns + 1)
                check_jaxpr_part(c, j, at, from, end);
            c->m->types.view = NULL;
            walk_end(&w);
        }
        report_left_open(c);
    }
}

static void
check_part(void *arg, u32 i)
{
    struct part *p = &((struct part *)arg)[i];
    module_view(&p->view, p->mem, p->whole);
    diags_init(&p->ds, p->mem);
    check_share(check_begin(&p->view, &p->options, p->found, &p->ds), p);
}

/* true where a type is inferred, which other equations of its program may need */
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
    u64 rest = of->unverified - of->n_unverified_prims;
    for (u32 i = 0; i < of->n_unverified_prims; i++)
        diags_unverified(ds, of->unverified_prims[i]);
    ds->unverified += (u32)rest;
}

bool
check_parts(struct module *m, const struct check_options *options, const struct resolution *found, struct diags *ds)
{
    u32 n = options->crew->threads;
    u64 places = (u64)m->eqns.n + m->jaxprs.n;
    n = n < m->eqns.n / LEAST_PART ? n : m->eqns.n / LEAST_PART;
    if (n < 2 || options->only)
        return false;
    struct part *parts = mem_zeroed(m->mem, n * sizeof *parts);
    struct mem **pools = mem_alloc(m->mem, n * sizeof *pools);
    bool clean = true, programs = lacks_types(m);
    for (u32 i = 0; i < n; i++) {
        pools[i] = mem_inner(m->mem);
        parts[i].whole = m;
        parts[i].mem = pools[i];
        parts[i].options = *options;
        parts[i].options.crew = NULL;
        parts[i].found = found;
        parts[i].programs = programs;
        parts[i].from = places * i / n;
        parts[i].end = i + 1 < n ? places * (i + 1) / n : UINT64_MAX;
    }
    crew_work(options->crew, m->mem, pools, n, check_part, parts);
    for (u32 i = 0; i < n; i++)
        clean &= parts[i].ds.total == 0;
    for (u32 i = 0; i < n && clean; i++)
        count_unverified(ds, &parts[i].ds);
    for (u32 i = 0; i < n; i++)
        mem_inner_drop(pools[i]);
    mem_free(m->mem, pools);
    mem_free(m->mem, parts);
    return clean;
}
