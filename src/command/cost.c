/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr stats --cost: what programs cost to run, as tables for people or as JSON. */
#include "command/command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"primitive", "shape", "source"};
static const char *const models[] = {"printed", "live"};

/* ---- tables ---- */

enum { NUMBERS = 6 };

/* A line: numbers right-aligned in their columns, then words. */
struct line {
    struct jx_string cell[NUMBERS];
    char words[200];
    struct jx_string name;
};

struct table {
    struct line *at;
    size_t n, cap;
};

static struct line *
table_add(struct table *t)
{
    if (t->n == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 64;
        t->at = must_resize(t->at, t->cap * sizeof *t->at);
    }
    memset(&t->at[t->n], 0, sizeof *t->at);
    return &t->at[t->n++];
}

static struct jx_string
string_of(const char *s)
{
    return (struct jx_string){s, strlen(s)};
}

static void
table_head(struct table *t, const char *const *titles, const char *last)
{
    struct line *head = table_add(t);
    for (int i = 0; i < NUMBERS; i++)
        head->cell[i] = string_of(titles[i]);
    head->name = string_of(last);
}

static void
table_print(struct output *o, const struct table *t)
{
    size_t width[NUMBERS] = {0};
    for (size_t i = 0; i < t->n; i++)
        for (int k = 0; k < NUMBERS; k++)
            width[k] = t->at[i].cell[k].n > width[k] ? t->at[i].cell[k].n : width[k];
    for (size_t i = 0; i < t->n; i++) {
        const struct line *line = &t->at[i];
        for (int k = 0; k < NUMBERS; k++)
            if (width[k] > 0)
                output_printf(o, "  %*s%.*s", (int)(width[k] - line->cell[k].n), "", (int)line->cell[k].n,
                              line->cell[k].at != NULL ? line->cell[k].at : "");
        output_puts(o, "  ");
        output_shown(o, line->name.at, line->name.n);
        output_printf(o, "%s\n", line->words);
    }
}

static void
write_numbers(struct line *line, const struct jx_cost *c)
{
    line->cell[0] = c->flops.text;
    line->cell[1] = c->transcendentals.text;
    line->cell[2] = c->read.text;
    line->cell[3] = c->written.text;
}

static void
print_rows(struct job *job, jx_program_costs *costs, enum jx_cost_by by, uint32_t rows)
{
    static const char *const titles[NUMBERS] = {"flops", "transcendentals", "read", "written", "times", ""};
    struct table t = {0};
    table_head(&t, titles, keys[by & ~(unsigned)JX_COST_LIVE]);
    for (uint32_t i = 0; i < rows; i++) {
        struct jx_cost row;
        if (!jx_cost_row(costs, i, &row))
            break;
        struct line *line = table_add(&t);
        write_numbers(line, &row);
        line->cell[4] = row.times.text;
        line->name = row.name.n > 0 ? row.name : string_of("-");
        if (row.unknown > 0)
            snprintf(line->words, sizeof line->words, "  (%" PRIu32 " equation%s unknown)", row.unknown,
                     plural(row.unknown));
    }
    table_print(job->out, &t);
    free(t.at);
}

static void
print_programs(struct job *job, jx_program_costs *costs, uint32_t programs)
{
    static const char *const titles[NUMBERS] = {"flops", "transcendentals", "read", "written", "live", "times"};
    struct table t = {0};
    table_head(&t, titles, "one run of");
    for (uint32_t i = 1; i < programs; i++) {
        struct jx_cost_program p;
        if (!jx_cost_program(costs, i, &p))
            break;
        struct line *line = table_add(&t);
        write_numbers(line, &p.cost);
        line->cell[4] = p.peak.text;
        line->cell[5] = p.cost.times.text;
        line->name = p.cost.name.n > 0 ? p.cost.name : p.primitive;
        snprintf(line->words, sizeof line->words, " (line %" PRIu32 "%s%s)", p.place.line,
                 p.idle ? ", a cheaper branch" : "", p.applied && !p.idle ? ", element by element" : "");
    }
    table_print(job->out, &t);
    free(t.at);
}

/* writes an amount, and in brackets a short form of a large number and its line, if there are any */
static void
write_total(struct output *o, const char *before, const struct jx_amount *a, const char *unit, const char *what,
            uint32_t line)
{
    char text[JX_AMOUNT_SHORT] = "";
    output_puts(o, before);
    output_write(o, a->text.at, a->text.n);
    output_printf(o, "%s%s%s", unit, *unit == '\0' || a->value == 1 ? "" : "s", what);
    if (!isnan(a->value) && a->value >= 10000)
        jx_amount_short(a->value, text, sizeof text);
    if (line > 0)
        output_printf(o, " (%s%sline %" PRIu32 ")", text, *text != '\0' ? ", " : "", line);
    else if (*text != '\0')
        output_printf(o, " (%s)", text);
}

/* writes how the numbers were computed, and whether they include equations that a compiler would eliminate */
static void
write_model(struct output *o, enum jx_cost_by by, const struct jx_costs *c)
{
    output_puts(o, "  model: equations run one by one, without fusion");
    if (c->dead > 0)
        output_printf(o, "; %" PRIu32 " equation%s that no result depends on %s", c->dead, plural(c->dead),
                      by & JX_COST_LIVE ? c->dead == 1 ? "is not counted" : "are not counted"
                      : c->dead == 1    ? "is counted (exclude with --model=live)"
                                        : "are counted (exclude with --model=live)");
    output_puts(o, "\n");
}

static void
print_text(struct job *job, uint32_t program, enum jx_cost_by by, jx_program_costs *costs, const struct jx_costs *c)
{
    struct output *o = job->out;
    output_name(o, job->name);
    if (program > 0)
        output_printf(o, "#%" PRIu32, program + 1);
    write_total(o, ": ", &c->total.flops, " flop", "", 0);
    write_total(o, ", ", &c->total.transcendentals, " transcendental", "", 0);
    write_total(o, ", ", &c->total.read, " byte", " read", 0);
    write_total(o, ", ", &c->total.written, "", " written", 0);
    write_total(o, ", ", &c->peak, " byte", " live at most", c->peak_at.line);
    output_puts(o, "\n");
    write_model(o, by, c);
    if (c->total.unknown > 0)
        output_printf(o, "  unknown costs and sizes of %" PRIu32 " equation%s count as zero\n", c->total.unknown,
                      c->total.unknown == 1 ? "" : "s");
    print_rows(job, costs, by, c->rows);
    if (c->programs > 1)
        print_programs(job, costs, c->programs);
}

/* ---- JSON ---- */

/* writes `,"key":` and the amount: a number, or a string if its value is not known */
static void
write_amount(struct output *o, const char *key, const struct jx_amount *a)
{
    output_printf(o, ",\"%s\":", key);
    if (isnan(a->value))
        output_json(o, a->text.at, a->text.n);
    else
        output_write(o, a->text.at, a->text.n);
}

static void
write_string(struct output *o, const char *key, struct jx_string text)
{
    output_printf(o, "\"%s\":", key);
    output_json(o, text.at, text.n);
}

static void
write_cost(struct output *o, const struct jx_cost *c)
{
    write_amount(o, "times", &c->times);
    write_amount(o, "flops", &c->flops);
    write_amount(o, "transcendentals", &c->transcendentals);
    write_amount(o, "bytes_read", &c->read);
    write_amount(o, "bytes_written", &c->written);
}

static void
write_peak(struct output *o, const struct jx_amount *peak, const struct jx_place *at)
{
    write_amount(o, "peak_bytes", peak);
    if (at->line > 0)
        output_printf(o, ",\"peak_line\":%" PRIu32, at->line);
}

static void
write_json(struct job *job, uint32_t program, enum jx_cost_by by, jx_program_costs *costs, const struct jx_costs *c)
{
    struct output *o = job->out;
    const char *key = keys[by & ~(unsigned)JX_COST_LIVE];
    output_puts(o, program > 0 ? ",\n{" : "{");
    write_string(o, "file", string_of(job->name));
    output_printf(o, ",\"program\":%" PRIu32, program);
    write_cost(o, &c->total);
    write_peak(o, &c->peak, &c->peak_at);
    output_printf(o, ",\"unknown\":%" PRIu32 ",\"model\":\"%s\",\"dead\":%" PRIu32 ",\"by\":\"%s\",\"rows\":[",
                  c->total.unknown, models[(by & JX_COST_LIVE) != 0], c->dead, key);
    struct jx_cost row;
    for (uint32_t i = 0; i < c->rows && jx_cost_row(costs, i, &row); i++) {
        output_puts(o, i > 0 ? ",\n {" : "\n {");
        write_string(o, key, row.name);
        write_cost(o, &row);
        output_printf(o, ",\"unknown\":%" PRIu32 "}", row.unknown);
    }
    output_puts(o, "],\"programs\":[");
    struct jx_cost_program p;
    for (uint32_t i = 1; i < c->programs && jx_cost_program(costs, i, &p); i++) {
        output_puts(o, i > 1 ? ",\n {" : "\n {");
        write_string(o, "name", p.cost.name);
        output_puts(o, ",");
        write_string(o, "primitive", p.primitive);
        output_printf(o, ",\"line\":%" PRIu32, p.place.line);
        write_cost(o, &p.cost);
        write_peak(o, &p.peak, &p.peak_at);
        output_printf(o, ",\"counts\":%s,\"elementwise\":%s}", p.idle ? "false" : "true",
                      p.applied && !p.idle ? "true" : "false");
    }
    output_puts(o, "]}");
}

void
cost_work(struct job *job)
{
    static const char *const words[] = {"text", "json"};
    bool json = option_word(job->in, OPTION_layout, words, 2) == 1;
    bool live = option_word(job->in, OPTION_model, models, 2) == 1;
    enum jx_cost_by by = (enum jx_cost_by)(option_word(job->in, OPTION_by, keys, 3) | (live ? JX_COST_LIVE : 0));
    uint32_t programs = jx_program_count(job->module);
    for (uint32_t i = 0; i < programs; i++) {
        jx_program_costs *costs;
        struct jx_costs total = {0};
        enum jx_status status = jx_cost(job->module, i, by, &costs);
        if (status != JX_OK) {
            job_fail(job, jx_status_text(status));
            return;
        }
        jx_cost_total(costs, &total);
        if (json)
            write_json(job, i, by, costs, &total);
        else
            print_text(job, i, by, costs, &total);
        jx_cost_free(costs);
    }
}
