/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/inlayHint: the cost and peak of live bytes after the first line of each program, and the inferred
 * types of names printed without one. textDocument/codeLens: the number of equal copies of a program, and of uses of
 * a shared one. Costs are computed only for programs in the range, and kept; digests are computed on a copy of the
 * module. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The requested lines of a document. */
struct hinting {
    struct request *request;
    struct part *part;
    uint32_t first, last; /* lines of the protocol, from 0 */
    uint32_t written;
};

static bool
in_range(const struct hinting *h, struct position position)
{
    return position.line >= h->first && position.line <= h->last;
}

static void
begin_hint(struct hinting *h, struct position position)
{
    output_printf(&h->request->out, "%s{\"position\":{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "},\"label\":",
                  h->written++ > 0 ? "," : "", position.line, position.character);
}

/* ---- costs ---- */

static void
write_cost_hint(struct hinting *h, const struct jx_cost_program *c)
{
    struct document *d = h->request->document;
    struct output label = {.fd = -1};
    struct jx_place place; /* found each time: costs are kept, but edits above the part move it */
    if (!site_place(h->part->module, &(struct jx_site){JX_PART_JAXPR, c->jaxpr, 0, 0}, &place))
        return;
    struct position position = place_position(d, place.line, UINT32_MAX); /* the end of the line */
    if (!in_range(h, position))
        return;
    write_amount(&label, &c->cost.flops);
    output_puts(&label, c->cost.flops.value == 1 ? " flop" : " flops");
    if (c->cost.transcendentals.value != 0) {
        output_puts(&label, " + ");
        write_amount(&label, &c->cost.transcendentals);
        output_puts(&label, " transcendental");
    }
    output_puts(&label, ", peak ");
    write_amount_of_bytes(&label, &c->peak);
    begin_hint(h, position);
    output_json(&h->request->out, label.at, label.n);
    output_puts(&h->request->out, ",\"paddingLeft\":true}");
    output_free(&label);
}

static void
write_costs(struct hinting *h)
{
    struct document *d = h->request->document;
    jx_module *module = h->part->module;
    struct jx_program p;
    uint32_t n;
    for (uint32_t i = 0; jx_program_at(module, i, &p); i++) {
        if (place_position(d, p.place.line, 1).line > h->last || place_position(d, p.place.end_line, 1).line < h->first)
            continue;
        const struct jx_cost_program *costs = part_costs(h->part, i, &n);
        for (uint32_t k = 0; k < n; k++)
            write_cost_hint(h, &costs[k]);
    }
}

/* ---- types ---- */

static void
write_type_hint(struct hinting *h, struct jx_site site)
{
    struct document *d = h->request->document;
    struct jx_place place;
    if (!site_place(h->part->module, &site, &place))
        return;
    struct position position = place_position(d, place.end_line, place.end_column);
    struct jx_string type = in_range(h, position) ? annotated_type(d, h->part, &site) : (struct jx_string){"", 0};
    if (type.n == 0)
        return;
    struct output label = {.fd = -1};
    output_puts(&label, ":");
    output_write(&label, type.at, type.n);
    begin_hint(h, position);
    output_json(&h->request->out, label.at, label.n);
    output_puts(&h->request->out, ",\"kind\":1}");
    output_free(&label);
}

static void
write_types(struct hinting *h)
{
    jx_module *module = h->part->module;
    struct jx_jaxpr j;
    struct jx_equation e;
    struct jx_variable v;
    for (uint32_t id = 0; jx_jaxpr_at(module, id, &j); id++) {
        for (uint32_t i = 0; jx_binder_at(module, id, i, &v); i++)
            if (v.type.n == 0)
                write_type_hint(h, (struct jx_site){JX_PART_BINDER, id, i, 0});
        for (uint32_t eqn = j.first_equation; jx_equation_at(module, eqn, &e); eqn = e.next)
            for (uint32_t i = 0; jx_result_at(module, eqn, i, &v); i++)
                if (v.type.n == 0)
                    write_type_hint(h, (struct jx_site){JX_PART_RESULT, eqn, i, 0});
    }
}

bool
on_hints(struct request *r)
{
    struct position from, to;
    struct hinting h = {.request = r};
    if (!position_read(json_get(r->params, "range.start"), &from) ||
        !position_read(json_get(r->params, "range.end"), &to))
        return request_fail(r, RPC_PARAMS, "`range` needs `start` and `end`");
    h.first = from.line;
    h.last = to.line;
    output_puts(&r->out, "[");
    for (size_t i = 0; document_read(r->document) && i < r->document->n_parts; i++) {
        h.part = &r->document->parts[i];
        if (!part_check(h.part))
            break;
        write_costs(&h);
        write_types(&h);
    }
    output_puts(&r->out, "]");
    return true;
}

/* ---- lenses ---- */

static void
write_lens(struct request *r, uint32_t *written, struct jx_place place, const char *title)
{
    place.end_line = place.line;
    place.end_column = place.column + 1;
    output_puts(&r->out, (*written)++ > 0 ? ",{" : "{");
    write_range(&r->out, r->document, place);
    output_puts(&r->out, ",\"command\":{\"title\":");
    output_json(&r->out, title, strlen(title));
    output_puts(&r->out, ",\"command\":\"\"}}");
}

/* by jaxpr: the number of parameters that refer to it; to be freed */
static uint32_t *
count_calls(jx_module *module, uint32_t n)
{
    struct jx_jaxpr j;
    struct jx_equation e;
    struct jx_parameter p;
    uint32_t *calls = must_allocate((n + 1) * sizeof *calls);
    memset(calls, 0, (n + 1) * sizeof *calls);
    for (uint32_t id = 0; jx_jaxpr_at(module, id, &j); id++)
        for (uint32_t eqn = j.first_equation; jx_equation_at(module, eqn, &e); eqn = e.next)
            for (uint32_t at = e.first_parameter; jx_parameter_at(module, at, &p); at = p.next)
                for (uint32_t k = 0; k < p.jaxprs && k < 64; k++) {
                    uint32_t called = jx_parameter_jaxpr(module, at, k);
                    if (called < n)
                        calls[called]++;
                }
    return calls;
}

static void
write_calls(struct request *r, jx_module *module, uint32_t *written)
{
    struct jx_program p;
    struct jx_string name;
    struct jx_jaxpr j;
    struct jx_place place;
    uint32_t n = 0, jaxpr;
    while (jx_jaxpr_at(module, n, &j))
        n++;
    uint32_t *calls = count_calls(module, n);
    for (uint32_t i = 0; jx_program_at(module, i, &p); i++)
        for (uint32_t k = 0; k < p.shared; k++) {
            char title[60];
            bool found = jx_shared_at(module, p.first_shared + k, &name, &jaxpr) && jaxpr < n &&
                         site_place(module, &(struct jx_site){JX_PART_JAXPR, jaxpr, 0, 0}, &place);
            if (!found)
                continue;
            snprintf(title, sizeof title, "%" PRIu32 " use%s", calls[jaxpr], plural(calls[jaxpr]));
            write_lens(r, written, place, title);
        }
    free(calls);
}

/* A program with its digest. */
struct copy {
    struct jx_string digest;
    struct jx_place place;
};

static int
compare_copies(const void *a, const void *b)
{
    const struct copy *x = a, *y = b;
    size_t n = x->digest.n < y->digest.n ? x->digest.n : y->digest.n;
    int order = memcmp(x->digest.at, y->digest.at, n);
    if (order != 0 || x->digest.n != y->digest.n)
        return order != 0 ? order : x->digest.n < y->digest.n ? -1 : 1;
    return (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

/* writes lenses on programs of at least two equations that have equal copies */
static void
write_copies(struct request *r, uint32_t *written)
{
    const struct document *d = r->document;
    struct jx_compare_options how = {.size = sizeof how, .functions = true};
    struct jx_function f;
    struct copy *all = NULL;
    size_t n = 0, cap = 0;
    jx_digest_list **lists = must_allocate((d->n_parts + 1) * sizeof *lists);
    for (size_t i = 0; i < d->n_parts; i++) {
        if (jx_digests(d->parts[i].module, &how, &lists[i]) != JX_OK)
            continue;
        for (uint32_t k = 0; jx_function_at(lists[i], k, &f); k++) {
            if (f.digest.n == 0 || f.equations < 2)
                continue;
            if (n == cap) {
                cap = cap > 0 ? cap * 2 : 64;
                all = must_resize(all, cap * sizeof *all);
            }
            all[n++] = (struct copy){f.digest, {f.line, 1, f.line, 2}};
        }
    }
    if (n > 0)
        qsort(all, n, sizeof *all, compare_copies);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end].digest.n == all[i].digest.n &&
                          memcmp(all[end].digest.at, all[i].digest.at, all[i].digest.n) == 0;)
            end++;
        char title[60];
        snprintf(title, sizeof title, "%zu equal copies", end - i);
        for (size_t k = i; k < end && end - i > 1; k++)
            write_lens(r, written, all[k].place, title);
    }
    for (size_t i = 0; i < d->n_parts; i++)
        jx_digest_list_free(lists[i]);
    free(lists);
    free(all);
}

bool
on_lenses(struct request *r)
{
    uint32_t written = 0;
    struct document *d = r->document;
    output_puts(&r->out, "[");
    bool read = document_read(d);
    for (size_t i = 0; read && i < d->n_parts; i++)
        write_calls(r, d->parts[i].module, &written);
    if (read)
        write_copies(r, &written);
    output_puts(&r->out, "]");
    return true;
}
