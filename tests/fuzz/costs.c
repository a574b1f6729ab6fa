/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold for costs, graphs and pages of any bytes: rows add up to the total, and brackets and tags of the
 * output are balanced, so that no text of the input becomes markup. */
#include "target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `sum` must be the value of `whole`, except for rounding, if both are numbers */
static void
must_add_up(const char *promise, double sum, struct jx_amount whole)
{
    if (!isnan(sum) && !isnan(whole.value) && fabs(sum - whole.value) > 1e-9 * (fabs(sum) + 1))
        broken_promise(promise, whole.text.at, whole.text.n);
}

static void
cost_program(jx_module *module, uint32_t program, enum jx_cost_by by)
{
    jx_program_costs *made;
    struct jx_costs costs = {0};
    struct jx_cost row;
    struct jx_cost_program inner;
    double flops = 0, read = 0;
    uint32_t unknown = 0;
    must_be_ok(jx_cost(module, program, by, &made), "cost");
    jx_cost_total(made, &costs);
    for (uint32_t i = 0; i < costs.rows; i++) {
        if (!jx_cost_row(made, i, &row))
            broken_promise("every row can be read", "", 0);
        flops += row.flops.value;
        read += row.read.value;
        unknown += row.unknown;
    }
    for (uint32_t i = 0; i < costs.programs; i++)
        if (!jx_cost_program(made, i, &inner) || (inner.peak.value < 0))
            broken_promise("every program can be read, and its peak is not negative", "", 0);
    if (unknown != costs.total.unknown)
        broken_promise("every equation of unknown cost is in some row", "", 0);
    if (jx_diagnostic_count(module, JX_ERROR) > 0)
        return; /* a program may contain itself */
    must_add_up("operations of rows add up to those of the program", flops, costs.total.flops);
    must_add_up("bytes of rows add up to those of the program", read, costs.total.read);
}

/* the number of occurrences of a text */
static size_t
occurrences(const struct written *w, const char *text)
{
    size_t n = 0, length = strlen(text);
    for (const char *at = w->at; at != NULL && (size_t)(at - w->at) + length <= w->n;) {
        at = memmem(at, w->n - (size_t)(at - w->at), text, length);
        if (at == NULL)
            break;
        at += length;
        n++;
    }
    return n;
}

static void
draw(jx_module *module)
{
    static const char *const focuses[] = {NULL, "a", "b"};
    for (size_t i = 0; i < 3; i++) {
        struct jx_graph_options how = {.size = sizeof how, .depth = (uint32_t)i, .focus = focuses[i]};
        struct written out = {0};
        bool found;
        must_be_ok(jx_write_graph(module, &how, &found, keep_written, &out), "graph");
        size_t drawn = occurrences(&out, "{\ncompound=true;\n"), programs = jx_program_count(module);
        if (focuses[i] == NULL ? drawn != programs : drawn > programs || (drawn > 0) != found)
            broken_promise("only programs that bind the focus are drawn", out.at, out.n);
        size_t opened = occurrences(&out, "\nsubgraph cluster_") + drawn;
        if (occurrences(&out, "\n}") != opened)
            broken_promise("every cluster of a graph is closed", out.at, out.n);
        free(out.at);
    }
}

static void
show(jx_module *module)
{
    static const char *const tags[] = {"details", "div", "section", "li", "ol", "ul", "a", "span", "svg", "table"};
    struct written out = {0};
    must_be_ok(jx_page_add(module, 1, keep_written, &out), "page");
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char open[2][20], close[20];
        snprintf(open[0], sizeof open[0], "<%s>", tags[i]);
        snprintf(open[1], sizeof open[1], "<%s ", tags[i]);
        snprintf(close, sizeof close, "</%s>", tags[i]);
        if (occurrences(&out, open[0]) + occurrences(&out, open[1]) != occurrences(&out, close))
            broken_promise("every element of a page is closed", out.at, out.n);
    }
    free(out.at);
}

void
target_cost(const char *bytes, size_t n)
{
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    for (uint32_t i = 0; i < jx_program_count(module); i++)
        for (int by = JX_COST_BY_PRIMITIVE; by <= JX_COST_BY_SOURCE; by++)
            cost_program(module, i, (enum jx_cost_by)by);
    draw(module);
    show(module);
    jx_context_free(context);
}
