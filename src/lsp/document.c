/* SPDX-License-Identifier: Apache-2.0
 *
 * Open documents: their text, and the modules of its parts. An edit marks the document; the parts it touched are read
 * again when they are needed. A Jaxpr file is divided between programs; in other text each program is a part. */
#include "lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *
path_of_uri(const char *uri)
{
    if (strncasecmp(uri, "file://", 7) != 0)
        return NULL;
    const char *p = strchr(uri + 7, '/'); /* after the host name */
    if (p == NULL)
        return NULL;
    char *path = must_copy(p, strlen(p)), *to = path;
    for (p = path; *p != 0; p++) {
        char hex[3] = {p[0] == '%' ? p[1] : (char)0, 0, 0};
        hex[1] = hex[0] != 0 ? p[2] : (char)0;
        if (isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1])) {
            *to++ = (char)strtoul(hex, NULL, 16);
            p += 2;
        } else {
            *to++ = *p;
        }
    }
    *to = 0;
    return path;
}

char *
uri_of_path(const char *path)
{
    struct output o = {.fd = -1};
    output_puts(&o, "file://");
    for (const char *p = path; *p != 0; p++) {
        if (isalnum((unsigned char)*p) || strchr("-._~/", *p) != NULL)
            output_write(&o, p, 1);
        else
            output_printf(&o, "%%%02X", (unsigned)(unsigned char)*p);
    }
    output_write(&o, "", 1);
    return o.at;
}

static bool
names_jaxpr(const char *uri)
{
    const char *end = strrchr(uri, '.');
    return end != NULL && strcmp(end, ".jaxpr") == 0;
}

struct document *
document_new(const char *uri, const char *language, struct jx_string text, bool utf8)
{
    struct document *d = must_allocate(sizeof *d);
    *d = (struct document){.utf8 = utf8, .kind = DOCUMENT_OTHER};
    d->uri = must_copy(uri, strlen(uri));
    d->path = path_of_uri(uri);
    if (strcmp(language, "jaxpr") == 0 || names_jaxpr(uri))
        d->kind = DOCUMENT_JAXPR;
    d->context = jx_context_new(NULL);
    if (d->context == NULL ||
        jx_document_new(d->context, d->path != NULL ? d->path : d->uri, text.at, text.n, &d->text) != JX_OK) {
        document_free(d);
        return NULL;
    }
    return d;
}

static void
part_free(struct part *p)
{
    jx_module_free(p->annotated);
    free(p->costs);
}

void
document_forget(struct document *d)
{
    for (size_t i = 0; i < d->n_parts; i++)
        part_free(&d->parts[i]);
    d->n_parts = 0;
    d->read = false;
    jx_document_forget(d->text);
}

void
document_free(struct document *d)
{
    if (d == NULL)
        return;
    if (d->context != NULL)
        document_forget(d);
    settings_forget(d);
    jx_context_free(d->context);
    free(d->uri);
    free(d->path);
    free((char *)d->version);
    free(d->lines.at);
    free(d->newlines.at);
    free(d->others.at);
    free(d->tokens.counts);
    free(d->parts);
    free(d);
}

bool
document_edit(struct document *d, size_t from, size_t to, struct jx_string bytes)
{
    d->read = false;
    tokens_note_edit(d, from, to, bytes);
    document_index_edit(d, from, to, bytes);
    if (jx_edit(d->text, from, to, bytes.at, bytes.n) == JX_OK)
        return true;
    d->indexed = false;
    return false;
}

/* makes `now` the parts of a document: parts that were not read again keep their state, the others are freed */
static void
replace_parts(struct document *d, const struct jx_document_part *now, uint32_t n)
{
    struct part *all = must_allocate((n + 1) * sizeof *all);
    uint64_t newest = d->newest;
    size_t old = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool kept = now[i].id <= newest;
        while (kept && old < d->n_parts && d->parts[old].is.id != now[i].id)
            part_free(&d->parts[old++]);
        kept = kept && old < d->n_parts;
        all[i] = kept ? d->parts[old++] : (struct part){.module = now[i].module};
        all[i].is = now[i];
        all[i].annotated_read = all[i].annotated != NULL; /* a failed attempt may have been cancelled: it is repeated */
        d->newest = now[i].id > d->newest ? now[i].id : d->newest;
    }
    for (; old < d->n_parts; old++)
        part_free(&d->parts[old]);
    free(d->parts);
    d->parts = all;
    d->n_parts = n;
}

/* reads the whole document as one part */
static bool
read_whole(struct document *d)
{
    struct jx_document_part all = {.id = 1, .to = jx_document_text(d->text).n};
    if (jx_document_module(d->text, &all.module) != JX_OK)
        return false;
    replace_parts(d, &all, 1);
    return true;
}

static bool
read_parts(struct document *d)
{
    uint32_t n;
    if (jx_document_read(d->text, d->kind != DOCUMENT_JAXPR, &n) != JX_OK)
        return false;
    struct jx_document_part *now = must_allocate((n + 1) * sizeof *now);
    for (uint32_t i = 0; i < n; i++)
        jx_document_part_at(d->text, i, &now[i]);
    replace_parts(d, now, n);
    free(now);
    return true;
}

bool
document_read(struct document *d)
{
    if (d->read)
        return true;
    return d->read = d->whole ? read_whole(d) : read_parts(d);
}

struct jx_string
part_text(const struct document *d, const struct part *p)
{
    struct jx_string text = jx_document_text(d->text);
    return (struct jx_string){text.at + p->is.from, (size_t)(p->is.to - p->is.from)};
}

bool
part_check(struct part *p)
{
    if (!p->checked)
        p->checked = jx_check(p->module, NULL) == JX_OK;
    return p->checked;
}

bool
part_resolve(struct part *p)
{
    if (!p->resolved)
        p->resolved = jx_resolve(p->module) == JX_OK;
    return p->resolved;
}

const struct jx_cost_program *
part_costs(struct part *p, uint32_t program, uint32_t *n)
{
    jx_program_costs *costs;
    struct jx_costs total;
    if (p->costs == NULL || p->costs_of != program) {
        free(p->costs);
        p->costs = NULL;
        p->n_costs = 0;
        if (jx_cost(p->module, program, JX_COST_BY_PRIMITIVE, &costs) == JX_OK && jx_cost_total(costs, &total)) {
            p->costs = must_allocate((total.programs + 1) * sizeof *p->costs);
            while (p->n_costs < total.programs && jx_cost_program(costs, p->n_costs, &p->costs[p->n_costs]))
                p->n_costs++;
            p->costs_of = program;
        }
        jx_cost_free(costs);
    }
    *n = p->n_costs;
    return p->costs;
}

/* a module of the part's programs with all types that can be inferred, to be freed; NULL on errors */
static jx_module *
read_annotated(struct document *d, struct part *p)
{
    struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_ANNOTATE, .splice = true};
    struct output out = {.fd = -1};
    jx_module *annotated = NULL;
    bool fine = jx_normalize(p->module, &how, output_write, &out, NULL) == JX_OK &&
                jx_read(d->context, "", out.at != NULL ? out.at : "", out.n, &annotated) == JX_OK;
    output_free(&out);
    return fine ? annotated : NULL;
}

struct jx_string
annotated_type(struct document *d, struct part *p, const struct jx_site *site)
{
    struct jx_variable v, own;
    bool binds = site->part == JX_PART_BINDER;
    if (!p->annotated_read)
        p->annotated = read_annotated(d, p);
    p->annotated_read = true;
    bool found = p->annotated != NULL && (binds ? jx_binder_at(p->annotated, site->id, site->index, &v) &&
                                                      jx_binder_at(p->module, site->id, site->index, &own)
                                                : jx_result_at(p->annotated, site->id, site->index, &v) &&
                                                      jx_result_at(p->module, site->id, site->index, &own));
    bool same = found && v.name.n == own.name.n && memcmp(v.name.at, own.name.at, v.name.n) == 0;
    return same ? v.type : (struct jx_string){"", 0};
}
