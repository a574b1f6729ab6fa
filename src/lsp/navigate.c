/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/definition, references and documentHighlight of the variable at a position. Results of equations and
 * primitives are also defined by the line of Python that they come from. Linear in the text. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
write_location(struct output *o, struct document *d, struct jx_place place)
{
    output_puts(o, "{\"uri\":");
    output_json(o, d->uri, strlen(d->uri));
    output_puts(o, ",");
    write_range(o, d, place);
    output_puts(o, "}");
}

/* begins an element of an array; for the first one, begins the array */
static void
write_item(struct output *o, uint32_t *n)
{
    output_puts(o, (*n)++ == 0 ? "[" : ",");
}

/* ---- lines of Python ---- */

/* the file and line of `step.py:3:6 (f)`; the file is searched in the directory of the document and those above it.
 * False if it does not exist; *path is to be freed */
static bool
find_python(const struct document *d, struct jx_string source, char **path, uint32_t *line)
{
    const char *colon = memchr(source.at, ':', source.n);
    *path = NULL;
    if (colon == NULL || d->path == NULL)
        return false;
    *line = (uint32_t)strtoul(colon + 1, NULL, 10);
    char *named = must_copy(source.at, (size_t)(colon - source.at)), *folder = must_copy(d->path, strlen(d->path));
    struct source file;
    bool found = false;
    for (char *slash; !found && (slash = strrchr(folder, '/')) != NULL; *slash = 0) {
        struct output full = {.fd = -1};
        if (*named == '/')
            output_puts(&full, named);
        else
            output_printf(&full, "%.*s/%s", (int)(slash - folder), folder, named);
        output_write(&full, "", 1);
        file = (struct source){.no_devices = true};
        found = source_open(&file, full.at);
        source_close(&file);
        if (found)
            *path = full.at;
        else
            free(full.at);
        if (*named == '/')
            break;
    }
    free(named);
    free(folder);
    return found;
}

/* writes the Location of the Python line of an equation, if the file exists */
static void
write_python(struct request *r, const struct target *t, uint32_t equation, uint32_t *n)
{
    struct jx_string source = jx_equation_source(t->part->module, equation);
    char *path;
    uint32_t line;
    if (source.n == 0 || !find_python(r->document, source, &path, &line))
        return;
    char *uri = uri_of_path(path);
    line = line > 0 ? line - 1 : 0;
    write_item(&r->out, n);
    output_puts(&r->out, "{\"uri\":");
    output_json(&r->out, uri, strlen(uri));
    output_printf(&r->out,
                  ",\"range\":{\"start\":{\"line\":%" PRIu32 ",\"character\":0},\"end\":{\"line\":%" PRIu32
                  ",\"character\":0}}}",
                  line, line);
    free(uri);
    free(path);
}

/* writes the Locations of the programs of a parameter; that of a shared program is in its `let` */
static void
write_shared(struct request *r, const struct target *t, uint32_t *n)
{
    struct jx_site site = {.part = JX_PART_JAXPR};
    struct jx_parameter p;
    struct jx_place place;
    jx_module *module = t->part->module;
    if (!jx_parameter_at(module, t->sites[0].id, &p))
        return;
    for (uint32_t k = 0; k < p.jaxprs; k++) {
        site.id = jx_parameter_jaxpr(module, t->sites[0].id, k);
        if (!site_place(module, &site, &place))
            continue;
        place.end_line = place.line;
        place.end_column = place.column;
        write_item(&r->out, n);
        write_location(&r->out, r->document, place);
    }
}

bool
on_definition(struct request *r)
{
    struct target t;
    struct jx_site site;
    struct jx_place place;
    uint32_t n = 0;
    if (!target_read(r, &t))
        return false;
    if (t.n == 0)
        return true;
    jx_module *module = t.part->module;
    if (t.variable != JX_NONE && jx_definition(module, t.variable, &site) && site_place(module, &site, &place)) {
        write_item(&r->out, &n);
        write_location(&r->out, r->document, place);
    }
    if (t.sites[0].part == JX_PART_PARAMETER)
        write_shared(r, &t, &n);
    /* for results and primitives, also the line of Python */
    bool of_equation = t.sites[0].part == JX_PART_RESULT || t.sites[0].part == JX_PART_PRIMITIVE;
    if (of_equation)
        write_python(r, &t, t.sites[0].id, &n);
    if (n > 0)
        output_puts(&r->out, "]");
    return true;
}

/* writes where the variable at the position occurs: Locations or, with `ranges`, ranges that say whether they bind
 * it */
static bool
write_places(struct request *r, bool declaration, bool ranges)
{
    struct target t;
    struct jx_place place;
    uint32_t n = 0, written = 0;
    if (!target_read(r, &t))
        return false;
    if (t.variable == JX_NONE || t.n == 0)
        return true;
    struct jx_site *sites = variable_sites(t.part->module, t.variable, declaration, &n);
    output_puts(&r->out, "[");
    for (uint32_t i = 0; i < n; i++) {
        bool binds = sites[i].part == JX_PART_BINDER || sites[i].part == JX_PART_RESULT;
        if (!site_place(t.part->module, &sites[i], &place))
            continue;
        output_puts(&r->out, written++ > 0 ? "," : "");
        if (!ranges) {
            write_location(&r->out, r->document, place);
            continue;
        }
        output_puts(&r->out, "{");
        write_range(&r->out, r->document, place);
        output_printf(&r->out, ",\"kind\":%d}", binds ? 3 : 2); /* Write, Read */
    }
    output_puts(&r->out, "]");
    free(sites);
    return true;
}

bool
on_references(struct request *r)
{
    return write_places(r, json_true(r->params, "context.includeDeclaration"), false);
}

bool
on_highlight(struct request *r)
{
    return write_places(r, true, true);
}
