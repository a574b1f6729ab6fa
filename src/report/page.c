/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections of a report: findings, costs, pictures, listing, for each program of a module. n log n in the
 * equations, which are sorted by place, so that findings can be assigned to them. */
#include "report/page.h"

#include "base/chars.h"
#include "base/decimal.h"

#include <stdlib.h>
#include <string.h>

/* an offset at which an equation, or the results of a jaxpr, begins or continues */
struct start {
    u32 offset, id; /* id: a key of page.found */
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

/* the offset of the last `in (` of a jaxpr; its end if there is none */
static u32
results_offset(const struct module *m, const struct jaxpr *j)
{
    const char *text = m->text.at;
    for (u32 at = j->end; at > j->offset + 4; at--)
        if (memcmp(text + at - 4, "in (", 4) == 0)
            return at - 4;
    return j->end;
}

/* lists the parts of the module's text, sorted by offset: an equation continues after each program nested in it */
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

/* assigns every finding to the part that contains it */
static void
assign_findings(struct page *p)
{
    struct module *m = p->m;
    struct starts s = {0};
    if (p->diags->list.n)
        find_starts(m, &s);
    for (u32 d = p->diags->list.n; d-- > 0;) { /* backwards, so that chains are in textual order */
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

/* writes the n findings of one code in a program in a fold, whose summary is the one at `first` */
static void
write_group(struct page *p, u64 first, u64 n)
{
    const struct diag *head = &p->diags->list.at[first - 1];
    struct diag_info info = diag_info(head->code);
    sink_printf(p->out, "<li><details><summary><b class=\"%s\">%s</b> \xc3\x97 %llu: ", level_name(head->level),
                info.code, (unsigned long long)n);
    html_text(p->out, head->message);
    sink_printf(p->out, ", .. <small class=\"n\">%s</small></summary><ul>\n", info.name);
    for (u64 d = first; d; d = memo_get(&p->next_of, (u32)d - 1))
        if (p->diags->list.at[d - 1].code == head->code)
            page_finding(p, (u32)d - 1, true);
    sink_printf(p->out, "</ul></details></li>\n");
}

/* writes a fold for each code, so that many findings do not hide the rest of the page */
static void
write_groups(struct page *p, u64 first)
{
    struct memo waiting = {0}; /* by code: how many findings are not written yet */
    for (u64 d = first; d; d = memo_get(&p->next_of, (u32)d - 1)) {
        u32 code = p->diags->list.at[d - 1].code;
        memo_set(p->m->mem, &waiting, code, memo_get(&waiting, code) + 1);
    }
    for (u64 d = first; d; d = memo_get(&p->next_of, (u32)d - 1)) {
        u32 code = p->diags->list.at[d - 1].code;
        u64 n = memo_get(&waiting, code);
        if (n == 1)
            page_finding(p, (u32)d - 1, true);
        else if (n > 1)
            write_group(p, d, n);
        memo_set(p->m->mem, &waiting, code, 0);
    }
    memo_free(p->m->mem, &waiting);
}

enum { LISTED = 12 }; /* more findings are grouped */

/* writes the findings in a program of the stream, counted from 1, or, for 0, in the text as a whole */
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
    if (n > LISTED)
        write_groups(p, first);
    for (u64 d = n > LISTED ? 0 : first; d; d = memo_get(&p->next_of, (u32)d - 1))
        page_finding(p, (u32)d - 1, true);
    sink_printf(p->out, "</ul></details>\n");
}

/* ---- costs ---- */

static void
write_amount(struct page *p, const struct costs *c, const struct amount_kept *a)
{
    struct sink text;
    sink_init_memory(&text, p->m->mem);
    amount_write_whole(&text, &c->amounts, a);
    html_text(p->out, (struct slice){text.at, text.n});
    mem_free(p->m->mem, text.at);
}

static void
write_cell(struct page *p, const struct costs *c, const struct amount_kept *a)
{
    sink_printf(p->out, "<td>");
    write_amount(p, c, a);
    sink_printf(p->out, "</td>");
}

/* writes an amount, with three digits if it is a number, else in full; a unit that ends in a letter is given in the
 * singular */
static void
write_short(struct page *p, const struct costs *c, const struct amount_kept *kept, const char *unit)
{
    struct amount a;
    double number = 0;
    char text[32];
    amount_load(&c->amounts, &a, kept);
    if (amount_number(&a, &number)) {
        decimal_write_short(number, text);
        sink_printf(p->out, "%s", text);
    } else {
        write_amount(p, c, kept);
    }
    bool several = number != 1 && is_word_char(unit[strlen(unit) - 1]);
    sink_printf(p->out, "%s%s", unit, several ? "s" : "");
}

static void
write_rows(struct page *p, const struct costs *c, enum cost_by by)
{
    sink_printf(p->out,
                "<details><summary>costs by %s</summary><div "
                "class=\"wide\"><table><thead><tr><th>flops</th><th>transcendentals</th><th>bytes "
                "read</th><th>written</th><th>times</th><th>%s</th></tr></thead><tbody>\n",
                by == COST_BY_SOURCE ? "line of Python" : "primitive", by == COST_BY_SOURCE ? "line" : "primitive");
    for (u32 i = 0; i < c->rows.n; i++) {
        const struct cost_row *row = &c->rows.at[i];
        struct name_buffer buffer;
        sink_printf(p->out, "<tr>");
        write_cell(p, c, &row->cost.flops);
        write_cell(p, c, &row->cost.transcendentals);
        write_cell(p, c, &row->cost.read);
        write_cell(p, c, &row->cost.written);
        write_cell(p, c, &row->times);
        sink_printf(p->out, "<td>");
        if (by == COST_BY_PRIMITIVE)
            html_text(p->out, module_name(p->m, row->key, &buffer));
        else if (row->key != NONE)
            html_text(p->out, module_bytes(p->m, p->m->comments.at[row->key].text));
        sink_printf(p->out, "%s</td></tr>\n", row->unknown ? " (unknown)" : "");
    }
    sink_printf(p->out, "</tbody></table></div></details>\n");
}

void
page_amount(struct page *p, const struct amount_kept *a, const char *unit)
{
    write_short(p, &p->costs, a, unit);
}

void
page_amount_bytes(struct page *p, const struct amount_kept *kept, const char *what)
{
    struct amount a;
    double number;
    amount_load(&p->costs.amounts, &a, kept);
    if (amount_number(&a, &number)) {
        page_bytes(p, number);
    } else {
        write_amount(p, &p->costs, kept);
        sink_printf(p->out, " bytes");
    }
    sink_printf(p->out, " %s", what);
}

static void
write_costs(struct page *p)
{
    const struct costs *c = &p->costs;
    if (c->jaxprs.n == 0)
        return;
    const struct cost_jaxpr *main = c->jaxprs.at;
    sink_printf(p->out, "<p>One run: ");
    write_short(p, c, &main->cost.flops, " flop");
    sink_printf(p->out, ", ");
    write_short(p, c, &main->cost.transcendentals, " transcendental");
    sink_printf(p->out, ", ");
    page_amount_bytes(p, &main->cost.read, "read");
    sink_printf(p->out, ", ");
    page_amount_bytes(p, &main->cost.written, "written");
    sink_printf(p->out, ", peak ");
    page_amount_bytes(p, &main->peak, "live");
    if (main->peak_at != NONE)
        sink_printf(p->out, " on <a href=\"#m%ue%u\">line %u</a>", p->number, main->peak_at,
                    text_position(p->m->mem, &p->m->text, p->m->eqns.at[main->peak_at].offset).line);
    if (c->unknown)
        sink_printf(p->out, "; %u equation%s of unknown cost or size", c->unknown, c->unknown == 1 ? "" : "s");
    sink_printf(p->out, "</p>\n");
    page_places(p);
    sink_printf(p->out, "<div class=\"flames\">\n");
    page_flames(p);
    page_live(p);
    sink_printf(p->out, "</div>\n");
    write_rows(p, c, COST_BY_PRIMITIVE);
    if (p->m->comments.n) {
        struct costs lines;
        costs_read(p->m, p->program, COST_BY_SOURCE, false, &lines);
        write_rows(p, &lines, COST_BY_SOURCE);
        costs_drop(&lines);
    }
}

/* whether two amounts are different numbers */
static bool
numbers_differ(const struct costs *here, const struct amount_kept *a, const struct costs *there,
               const struct amount_kept *b)
{
    struct amount amount;
    double one, other;
    amount_load(&here->amounts, &amount, a);
    bool known = amount_number(&amount, &one);
    amount_load(&there->amounts, &amount, b);
    return amount_number(&amount, &other) && known && one != other;
}

/* writes a table that compares the costs of one run of two programs; numbers that differ are marked */
static void
write_comparison(struct page *p, const struct costs *here, const struct costs *there)
{
    const struct cost_jaxpr *a = here->jaxprs.at, *b = there->jaxprs.at;
    const struct {
        const char *what;
        const struct amount_kept *here, *there;
    } rows[] = {
        {"flops", &a->cost.flops, &b->cost.flops},
        {"transcendentals", &a->cost.transcendentals, &b->cost.transcendentals},
        {"bytes read", &a->cost.read, &b->cost.read},
        {"bytes written", &a->cost.written, &b->cost.written},
        {"peak of live bytes", &a->peak, &b->peak},
    };
    sink_printf(p->out, "<div class=\"wide\"><table class=\"both\"><thead><tr><th>one run</th><th>this program</th>"
                        "<th>the other program</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < countof(rows); i++) {
        bool differ = numbers_differ(here, rows[i].here, there, rows[i].there);
        sink_printf(p->out, "<tr%s><th>%s</th><td>", differ ? " class=\"changed\"" : "", rows[i].what);
        write_short(p, here, rows[i].here, "</td><td>");
        write_short(p, there, rows[i].there, "</td></tr>\n");
    }
    sink_printf(p->out, "</tbody></table></div>\n");
}

static void
compare_costs(struct page *p)
{
    struct costs other;
    if (p->ordinal > p->changes->n_stream)
        return;
    costs_read(p->changes->other, p->changes->stream[p->ordinal - 1], COST_BY_PRIMITIVE, false, &other);
    if (p->costs.jaxprs.n && other.jaxprs.n)
        write_comparison(p, &p->costs, &other);
    costs_drop(&other);
}

/* ---- the weights of equations ---- */

/* computes the cost of all runs of each equation, including nested programs: backwards, so that inner programs are
 * added to outer ones */
static void
find_weights(struct page *p)
{
    struct mem *mem = p->m->mem;
    const struct cost_detail *d = &p->detail;
    double flops = 0, bytes = 0;
    for (u32 i = 0; i < d->charges.n; i++) {
        flops += d->charges.at[i].flops;
        bytes += d->charges.at[i].bytes;
    }
    bool by_flops = flops > 0;
    p->all_weight = by_flops ? flops : bytes;
    p->weight_unit = by_flops ? "operations" : "bytes";
    double *totals = mem_zeroed(mem, (p->costs.jaxprs.n + 1) * sizeof *totals);
    p->weights.n = 0;
    for (u32 i = 0; i < d->charges.n; i++) {
        const struct cost_charge *c = &d->charges.at[i];
        double weight = by_flops ? c->flops : c->bytes;
        *vec_push(mem, &p->weights) = weight;
        memo_set(mem, &p->weight_of, c->eqn, p->weights.n);
        totals[c->program] += weight;
        if (p->m->eqns.at[c->eqn].params != NONE)
            memo_set(mem, &p->holder_program, c->eqn, c->program + 1ull);
    }
    for (u32 i = p->costs.jaxprs.n; i-- > 1;) {
        eqn_t holder = p->costs.jaxprs.at[i].holder;
        u64 known = memo_get(&p->weight_of, holder), program = memo_get(&p->holder_program, holder);
        if (known && program && program - 1 < i) {
            p->weights.at[known - 1] += totals[i];
            totals[program - 1] += totals[i];
        }
    }
    mem_free(mem, totals);
}

/* ---- pictures ---- */

enum { PICTURES = 20 };

static void
write_pictures(struct page *p)
{
    u32 drawn = 0;
    for (u32 i = 0; i < p->costs.jaxprs.n && drawn < PICTURES; i++) {
        jaxpr_t j = p->costs.jaxprs.at[i].jaxpr;
        if (i > 0 && p->m->jaxprs.at[j].n_eqns < 2)
            continue;
        drawn++;
        sink_printf(p->out, "<details%s><summary>graph of ", i == 0 ? " open" : "");
        if (i == 0) {
            sink_printf(p->out, "the program");
        } else {
            struct name_buffer buffer;
            sink_printf(p->out, "<code>");
            html_text_cut(p->out, called_name(p->m, p->costs.jaxprs.at[i].holder, &buffer), 60);
            sink_printf(p->out, "</code> on line %u",
                        text_position(p->m->mem, &p->m->text, p->m->jaxprs.at[j].offset).line);
        }
        sink_printf(p->out, "</summary>");
        page_picture(p, j);
        sink_printf(p->out, "</details>\n");
    }
}

/* ---- the whole ---- */

static void
read_program(struct page *p)
{
    struct mem *mem = p->m->mem;
    costs_read_detail(p->m, p->program, &p->costs, &p->detail);
    for (u32 i = 0; i < p->costs.jaxprs.n; i++)
        memo_set(mem, &p->cost_of, p->costs.jaxprs.at[i].jaxpr, i + 1);
    find_weights(p);
}

static void
drop_program(struct page *p)
{
    struct mem *mem = p->m->mem;
    memo_free(mem, &p->cost_of);
    memo_free(mem, &p->holder_program);
    memo_free(mem, &p->weight_of);
    vec_free(mem, &p->weights);
    cost_detail_drop(mem, &p->detail);
    costs_drop(&p->costs);
}

static void
write_program(struct page *p)
{
    const struct program *program = &p->m->programs.at[p->program];
    sink_printf(p->out, "<section id=\"m%up%u\">\n<h3>program %u <small class=\"n\">line %u</small></h3>\n", p->number,
                p->ordinal, p->ordinal, text_position(p->m->mem, &p->m->text, program->offset).line);
    read_program(p);
    if (p->changes)
        compare_costs(p);
    if (p->parts & PAGE_SUMMARY)
        page_summary(p);
    if (p->parts & PAGE_FINDINGS)
        write_findings(p, p->ordinal);
    if (p->parts & PAGE_COSTS)
        write_costs(p);
    bool both = (p->parts & PAGE_PICTURES) && (p->parts & PAGE_LISTING);
    if (both)
        sink_printf(p->out, "<div class=\"sides\">\n<div>\n");
    if (p->parts & PAGE_LISTING)
        page_listing(p);
    if (both)
        sink_printf(p->out, "</div>\n<div class=\"pictures\">\n");
    if (p->parts & PAGE_PICTURES)
        write_pictures(p);
    if (both)
        sink_printf(p->out, "</div>\n</div>\n");
    sink_printf(p->out, "</section>\n");
    drop_program(p);
}

const char *
page_mark(const struct page *p, eqn_t e)
{
    static const char *const classes[] = {NULL, "changed", "inside", "removed", "moved", "retyped"};
    return p->marks ? classes[p->marks[e]] : NULL;
}

/* writes the changes by source line, a legend of the colours, and the added equations */
static void
write_changes(struct page *p, const struct page_changes *c)
{
    if (c->summary.n == 0) {
        sink_printf(p->out, "<p>The compared programs are equal.</p>\n");
        return;
    }
    sink_printf(p->out, "<div class=\"changes\"><p>Equations that differ from the other program are "
                        "<span class=\"changed\">changed</span>, <span class=\"inside\">changed inside</span>, "
                        "<span class=\"removed\">only here</span>, <span class=\"moved\">moved</span> or of "
                        "<span class=\"retyped\">other types</span>.</p>\n<div class=\"code\"><ol>\n");
    const char *line = c->summary.at, *end = line + c->summary.n;
    while (line < end) { /* each line is an item of its own, so that it wraps below its own words */
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        sink_printf(p->out, "<li>");
        html_text(p->out, (struct slice){line, (size_t)(stop - line)});
        sink_printf(p->out, "</li>\n");
        line = stop + 1;
    }
    sink_printf(p->out, "</ol></div>\n");
    if (c->n_removed)
        sink_printf(p->out,
                    "<details><summary>%u equation%s only in the other program</summary><div class=\"code\"><ol>\n",
                    c->n_removed, c->n_removed == 1 ? "" : "s");
    for (u32 i = 0; i < c->n_removed; i++) {
        sink_printf(p->out, "<li class=\"added\">");
        html_text_cut(p->out, c->removed[i].text, 200);
        sink_printf(p->out, "</li>\n");
    }
    sink_printf(p->out, "%s</div>\n", c->n_removed ? "</ol></div></details>" : "");
}

void
page_module(struct page *p, const program_t *stream, u32 n)
{
    struct mem *mem = p->m->mem;
    p->marks = p->changes ? p->changes->marks : NULL;
    sink_printf(p->out, "<section id=\"m%u\">\n<h2>", p->number);
    html_text(p->out, p->m->text.name);
    sink_printf(p->out, "</h2>\n");
    assign_findings(p);
    comments_anchor(p->m);
    if (p->changes)
        write_changes(p, p->changes);
    if (p->parts & PAGE_FINDINGS)
        write_findings(p, 0);
    for (u32 i = 0; i < n; i++) {
        p->program = stream[i];
        p->ordinal = i + 1;
        write_program(p);
    }
    sink_printf(p->out, "</section>\n");
    memo_free(mem, &p->found);
    memo_free(mem, &p->next_found);
    memo_free(mem, &p->of_program);
    memo_free(mem, &p->next_of);
}
