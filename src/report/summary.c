/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a program's report: what it is in two sentences, and the places and primitives that cost most. */
#include "base/decimal.h"
#include "ir/stats.h"
#include "report/page.h"
#include "report/source_path.h"

#include <stdlib.h>

enum { NAMED = 8, ROWS = 5 };

/* A named item, with its number of occurrences or its cost. */
struct counted {
    struct slice name;
    double flops, bytes;
    u32 n, order;
    eqn_t first;
};

struct tally {
    struct mem *mem;
    struct names index;
    VEC(struct counted) list;
};

static struct counted *
count(struct tally *t, struct slice name, eqn_t e)
{
    name_t found = names_find(&t->index, name);
    if (found == NONE) {
        struct slice kept = arena_copy(t->mem, name);
        found = names_intern(t->mem, &t->index, kept);
        *vec_push(t->mem, &t->list) = (struct counted){.name = kept, .first = e, .order = t->list.n};
    }
    struct counted *c = &t->list.at[found - NAME_OTHER];
    c->n++;
    return c;
}

static int
by_number(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : (x->order > y->order) - (x->order < y->order);
}

static int
by_cost(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    if (x->flops != y->flops)
        return x->flops < y->flops ? 1 : -1;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : (x->order > y->order) - (x->order < y->order);
}

static void
sort(struct tally *t, int (*order)(const void *, const void *))
{
    if (t->list.n)
        qsort(t->list.at, t->list.n, sizeof *t->list.at, order);
}

static void
write_called(struct page *p, struct tally *t)
{
    sort(t, by_number);
    for (u32 i = 0; i < t->list.n && i < NAMED; i++) {
        sink_printf(p->out, "%s<code>", i ? ", " : " It calls ");
        html_text_cut(p->out, t->list.at[i].name, 60);
        sink_printf(p->out, "</code>");
        if (t->list.at[i].n > 1)
            sink_printf(p->out, " \xc3\x97 %u", t->list.at[i].n);
    }
    if (t->list.n > NAMED)
        sink_printf(p->out, ", %u others", t->list.n - NAMED);
    if (t->list.n)
        sink_printf(p->out, ".");
}

/* writes a number of values, and their bytes if all sizes are known */
static void
write_values(struct page *p, u32 n, const char *what, double bytes)
{
    sink_printf(p->out, "%u %s%s", n, what, n == 1 ? "" : "s");
    if (n > 0 && bytes > 0) {
        sink_printf(p->out, " of ");
        page_bytes(p, bytes);
    }
}

/* how many results have the type of an argument of their own: state that a step takes and returns */
static u32
count_kept(struct module *m, const struct jaxpr *j)
{
    struct memo room = {0};
    u32 kept = 0;
    for (u32 v = j->vars; v < j->vars + jaxpr_binders(j); v++)
        if (m->vars.at[v].type != NONE)
            memo_set(m->mem, &room, m->vars.at[v].type, memo_get(&room, m->vars.at[v].type) + 1);
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = atom_without_index(m, m->atoms.at[j->outs + i]);
        u32 type = atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].type : NONE;
        u64 left = type != NONE ? memo_get(&room, type) : 0;
        if (left > 0) {
            memo_set(m->mem, &room, type, left - 1);
            kept++;
        }
    }
    memo_free(m->mem, &room);
    return kept;
}

/* writes the functions that the program runs */
static void
write_calls(struct page *p)
{
    struct module *m = p->m;
    struct tally calls = {.mem = m->mem};
    names_init(m->mem, &calls.index, 0);
    for (u32 i = 1; i < p->costs.jaxprs.n; i++) {
        struct name_buffer buffer;
        eqn_t e = p->costs.jaxprs.at[i].holder;
        if (!p->costs.jaxprs.at[i].applied)
            count(&calls, called_name(m, e, &buffer), e);
    }
    write_called(p, &calls);
    vec_free(m->mem, &calls.list);
}

/* writes what the outermost program is: its arguments, results and equations */
static void
write_facts(struct page *p)
{
    struct module *m = p->m;
    const struct program *program = &m->programs.at[p->program];
    const struct jaxpr *j = &m->jaxprs.at[program->main];
    struct stats stats;
    stats_program(m, p->program, &stats);
    double bytes = p->detail.moments.n ? p->detail.moments.at[0].bytes : 0;
    sink_printf(p->out, "<p>%llu equation%s", (unsigned long long)stats.equations, stats.equations == 1 ? "" : "s");
    if (p->costs.jaxprs.n > 1)
        sink_printf(p->out, " in %u programs, nested up to %u levels deep", p->costs.jaxprs.n, stats.depth);
    sink_printf(p->out, ". The program takes ");
    write_values(p, j->n_ins, "argument", j->n_consts ? 0 : bytes);
    if (j->n_consts) {
        sink_printf(p->out, " and ");
        write_values(p, j->n_consts, "constant", 0);
        if (bytes > 0) {
            sink_printf(p->out, ", in total ");
            page_bytes(p, bytes);
        }
    }
    sink_printf(p->out, ", and returns ");
    write_values(p, j->n_outs, "result", 0);
    u32 kept = count_kept(m, j);
    if (kept > 1 && kept == j->n_outs)
        sink_printf(p->out, ", all of which have types of arguments, like an updated state");
    else if (kept > 1)
        sink_printf(p->out, ", %u of which have types of arguments, like an updated state", kept);
    sink_printf(p->out, ".");
    vec_free(m->mem, &stats.prims);
    write_calls(p);
    sink_printf(p->out, "</p>\n");
}

static void
write_share(struct page *p, double part, double all)
{
    char text[32];
    decimal_write_short(part, text);
    sink_printf(p->out, "<td>%s</td><td>%.1f %%</td>", text, all > 0 ? 100 * part / all : 0);
}

void
page_places(struct page *p)
{
    struct module *m = p->m;
    struct tally t = {.mem = m->mem};
    names_init(m->mem, &t.index, 0);
    double flops = 0, bytes = 0;
    bool lines = false;
    for (u32 pass = 0; pass < 2 && !lines; pass++)
        for (u32 i = 0; i < p->detail.charges.n; i++) {
            const struct cost_charge *charge = &p->detail.charges.at[i];
            struct slice source = equation_source(m, charge->eqn);
            struct name_buffer buffer;
            if (pass == 0 && source.n == 0)
                continue;
            lines |= pass == 0;
            struct counted *c =
                count(&t, pass == 0 ? source : module_name(m, m->eqns.at[charge->eqn].prim, &buffer), charge->eqn);
            c->flops += charge->flops;
            c->bytes += charge->bytes;
        }
    for (u32 i = 0; i < p->detail.charges.n; i++) {
        flops += p->detail.charges.at[i].flops;
        bytes += p->detail.charges.at[i].bytes;
    }
    sort(&t, by_cost);
    if (flops + bytes > 0) {
        sink_printf(p->out,
                    "<div class=\"wide\"><table><thead><tr><th>operations</th><th></th><th>bytes</th><th></th><th>most "
                    "expensive %s</th></tr></thead><tbody>\n",
                    lines ? "lines of Python" : "primitives");
        for (u32 i = 0; i < t.list.n && i < ROWS; i++) {
            sink_printf(p->out, "<tr>");
            write_share(p, t.list.at[i].flops, flops);
            write_share(p, t.list.at[i].bytes, bytes);
            sink_printf(p->out, "<td><a href=\"#m%ue%u\">", p->number, t.list.at[i].first);
            html_text_cut(p->out, t.list.at[i].name, 120);
            sink_printf(p->out, "</a></td></tr>\n");
        }
        sink_printf(p->out, "</tbody></table></div>\n");
    }
    vec_free(m->mem, &t.list);
}

void
page_summary(struct page *p)
{
    if (p->costs.jaxprs.n == 0)
        return;
    write_facts(p);
    page_steps(p);
}
