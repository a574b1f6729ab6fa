/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections of a report: findings, costs, pictures, listing, for each program of a module. n log n in the equations,
 * which are sorted by place for the findings to find theirs. */
#include "report/page.h"

#include <stdlib.h>

/* where an equation, or the results of a jaxpr, begin or go on */
struct start {
    u32 offset, id; /* id as of page.found */
};

struct starts {
    VEC(struct start) list;
};

static int
by_offset(const void *a, const void *b)
{
    const struct start *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* ---- findings ---- */

static const char *
level_name(enum diag_level level)
{
    return level == LEVEL_ERROR ? "error" : level == LEVEL_WARNING ? "warning" : "note";
}

/* where the `in (` of a jaxpr begins; its end where there is none */
static u32
results_offset(const struct module *m, const struct jaxpr *j)
{
    const char *text = m->text.at;
    for (u32 at = j->end; at > j->offset + 4; at--)
        if (memcmp(text + at - 4, "in (", 4) == 0)
            return at - 4;
    return j->end;
}

/* what the text of the module consists of, by place: behind a nested program its equation goes on */
static void
find_starts(const struct module *m, struct starts *s)
{
    for (jaxpr_t id = 0; id < m->jaxprs.n; id++) {
        const struct jaxpr *j = &m->jaxprs.at[id];
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            if (m->eqns.at[e].offset != NONE)
                *vec_push(m->mem, &s->list) = (struct start){m->eqns.at[e].offset, e};
        *vec_push(m->mem, &s->list) = (struct start){results_offset(m, j), m->eqns.n + id};
        if (j->parent != NONE)
            *vec_push(m->mem, &s->list) = (struct start){j->end, j->parent};
    }
    if (s->list.n)
        qsort(s->list.at, s->list.n, sizeof *s->list.at, by_offset);
}

/* gives every finding to what it stands in */
static void
assign_findings(struct page *p)
{
    struct module *m = p->m;
    struct starts s = {0};
    if (p->diags->list.n)
        find_starts(m, &s);
    for (u32 d = p->diags->list.n; d-- > 0;) { /* backwards: chains run in the order of the text */
        u32 n = vec_before(&s.list, p->diags->list.at[d].at + 1), program = p->diags->list.at[d].program + 1;
        memo_set(m->mem, &p->next_of, d, memo_get(&p->of_program, program));
        memo_set(m->mem, &p->of_program, program, d + 1);
        if (n == 0)
            continue;
        u32 id = s.list.at[n - 1].id;
        memo_set(m->mem, &p->next_found, d, memo_get(&p->found, id));
        memo_set(m->mem, &p->found, id, d + 1);
    }
    vec_free(m->mem, &s.list);
}

void
page_finding(struct page *p, u32 diag, bool link)
{
    const struct diag *d = &p->diags->list.at[diag];
    struct diag_info info = diag_info(d->code);
    struct position at = text_position(p->m->mem, &p->m->text, d->at);
    sink_printf(p->out, link ? "<li><a href=\"#m%ud%u\">" : "<div class=\"finding\" tabindex=\"-1\" id=\"m%ud%u\">",
                p->number, diag);
    sink_printf(p->out, "<b class=\"%s\">%s</b> line %u%s: ", level_name(d->level), info.code, at.line,
                link ? "</a>" : "");
    html_text(p->out, d->message);
    sink_printf(p->out, " <small class=\"n\">%s</small>", info.name);
    for (u32 i = link ? NONE : d->notes; i != NONE; i = p->diags->notes.at[i].next) {
        sink_printf(p->out, "<br><small>");
        html_text(p->out, p->diags->notes.at[i].message);
        sink_printf(p->out, "</small>");
    }
    sink_printf(p->out, link ? "</li>\n" : "</div>");
}

/* the list of what was found in a program of the stream, counted from 1, or (0) in the text as a whole */
static void
write_findings(struct page *p, u32 program)
{
    u32 n = 0;
    u64 first = memo_get(&p->of_program, program);
    for (u64 d = first; d; d = memo_get(&p->next_of, (u32)d - 1))
        n++;
    if (n == 0)
        return;
    sink_printf(p->out, "<details open><summary>%u finding%s</summary><ul>\n", n, n == 1 ? "" : "s");
    for (u64 d = first; d; d = memo_get(&p->next_of, (u32)d - 1))
        page_finding(p, (u32)d - 1, true);
    sink_printf(p->out, "</ul></details>\n");
}

/* ---- costs ---- */

void
page_amount(struct page *p, const struct amount_kept *a)
{
    struct sink text;
    sink_init_memory(&text, p->m->mem);
    amount_write_whole(&text, &p->costs.amounts, a);
    html_text(p->out, (struct slice){text.at, text.n});
    mem_free(p->m->mem, text.at);
}

static void
write_cell(struct page *p, const struct amount_kept *a)
{
    sink_printf(p->out, "<td>");
    page_amount(p, a);
    sink_printf(p->out, "</td>");
}

static void
write_costs(struct page *p)
{
    const struct costs *c = &p->costs;
    if (c->programs.n == 0)
        return;
    const struct cost_program *main = c->programs.at;
    sink_printf(p->out, "<p>");
    page_amount(p, &main->cost.flops);
    sink_printf(p->out, " flops, ");
    page_amount(p, &main->cost.transcendentals);
    sink_printf(p->out, " transcendentals, ");
    page_amount(p, &main->cost.read);
    sink_printf(p->out, " bytes read, ");
    page_amount(p, &main->cost.written);
    sink_printf(p->out, " written, ");
    page_amount(p, &main->peak);
    sink_printf(p->out, " bytes live at most");
    if (main->peak_at != NONE)
        sink_printf(p->out, ", <a href=\"#m%ue%u\">here</a>", p->number, main->peak_at);
    if (c->unknown)
        sink_printf(p->out, "; %u equation%s of unknown cost or size", c->unknown, c->unknown == 1 ? "" : "s");
    sink_printf(p->out, "</p>\n<details><summary>costs by primitive</summary><div "
                        "class=\"wide\"><table><thead><tr><th>flops</th><th>transcendentals</th><th>bytes "
                        "read</th><th>written</th><th>times</th><th>primitive</th></tr></thead><tbody>\n");
    for (u32 i = 0; i < c->rows.n; i++) {
        const struct cost_row *row = &c->rows.at[i];
        struct name_buffer buffer;
        sink_printf(p->out, "<tr>");
        write_cell(p, &row->cost.flops);
        write_cell(p, &row->cost.transcendentals);
        write_cell(p, &row->cost.read);
        write_cell(p, &row->cost.written);
        write_cell(p, &row->times);
        sink_printf(p->out, "<td>");
        html_text(p->out, module_name(p->m, row->key, &buffer));
        sink_printf(p->out, "%s</td></tr>\n", row->unknown ? " (not known)" : "");
    }
    sink_printf(p->out, "</tbody></table></div></details>\n");
}

/* ---- pictures ---- */

enum { PICTURES = 20, SMALL = 30 };

static void
write_pictures(struct page *p)
{
    u32 drawn = 0;
    for (u32 i = 0; i < p->costs.programs.n && drawn < PICTURES; i++) {
        jaxpr_t j = p->costs.programs.at[i].jaxpr;
        u32 n = p->m->jaxprs.at[j].n_eqns;
        if (i > 0 && n < 2)
            continue;
        drawn++;
        sink_printf(p->out, "<details%s><summary>picture of ", i == 0 && n <= SMALL ? " open" : "");
        if (i == 0)
            sink_printf(p->out, "the program");
        else
            sink_printf(p->out, "the program on line %u",
                        text_position(p->m->mem, &p->m->text, p->m->jaxprs.at[j].offset).line);
        sink_printf(p->out, "</summary>");
        if (n > PICTURE_NODES)
            sink_printf(p->out,
                        "<p>%u equations are too many to draw here; <code>jaxpr graph --focus</code> draws a part.</p>",
                        n);
        page_picture(p, j);
        sink_printf(p->out, "</details>\n");
    }
}

/* ---- the whole ---- */

static void
write_program(struct page *p)
{
    const struct program *program = &p->m->programs.at[p->program];
    sink_printf(p->out, "<section id=\"m%up%u\">\n<h3>program %u <small class=\"n\">line %u</small></h3>\n", p->number,
                p->ordinal, p->ordinal, text_position(p->m->mem, &p->m->text, program->offset).line);
    if (p->parts & PAGE_FINDINGS)
        write_findings(p, p->ordinal);
    costs_read(p->m, p->program, COST_BY_PRIMITIVE, false, NONE, &p->costs);
    for (u32 i = 0; i < p->costs.programs.n; i++)
        memo_set(p->m->mem, &p->program_of, p->costs.programs.at[i].jaxpr, i + 1);
    if (p->parts & PAGE_COSTS)
        write_costs(p);
    if (p->parts & PAGE_PICTURES)
        write_pictures(p);
    if (p->parts & PAGE_LISTING)
        page_listing(p);
    sink_printf(p->out, "</section>\n");
    memo_free(p->m->mem, &p->program_of);
    costs_drop(&p->costs);
}

void
page_module(struct sink *out, struct module *m, const struct diags *diags, const program_t *stream, u32 n, u32 number,
            u32 parts)
{
    struct page p = {.out = out, .m = m, .diags = diags, .number = number, .parts = parts};
    sink_printf(out, "<section id=\"m%u\">\n<h2>", number);
    html_text(out, m->text.name);
    sink_printf(out, "</h2>\n");
    assign_findings(&p);
    if (parts & PAGE_FINDINGS)
        write_findings(&p, 0);
    for (u32 i = 0; i < n; i++) {
        p.program = stream[i];
        p.ordinal = i + 1;
        write_program(&p);
    }
    sink_printf(out, "</section>\n");
    memo_free(m->mem, &p.found);
    memo_free(m->mem, &p.next_found);
    memo_free(m->mem, &p.of_program);
    memo_free(m->mem, &p.next_of);
}
