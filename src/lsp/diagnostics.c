/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/publishDiagnostics: a finding becomes a Diagnostic with its message, notes that have a place as
 * relatedInformation, other notes as further lines of the message, and a link to its explain page. */
#include "lsp/lsp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FINDINGS = 2000, /* how many findings of a document are sent; the others are counted */
    /* on texts of fewer bytes the rules run after every edit, on others when the server is idle */
    LINT_AT_ONCE = 512 << 10,
};

/* rules whose findings have the tag Unnecessary: clients show the text faded */
static const char *const unnecessary[] = {"P304", "P308", "P309", "P311", "P312"};

/* A document whose diagnostics are being written. */
struct publishing {
    struct server *server;
    struct document *document;
    struct output *out;
    bool lint; /* run the rules */
    uint32_t written, more;
};

static void
put_string(struct output *o, struct jx_string s)
{
    output_json(o, s.at, s.n);
}

/* the DiagnosticSeverity: 1 Error, 2 Warning, 3 Information */
static int
severity(enum jx_level level)
{
    return level == JX_ERROR ? 1 : level == JX_WARNING ? 2 : 3;
}

/* the message, and a line for each note that write_related does not write */
static void
write_message(struct publishing *p, jx_module *module, uint32_t i, const struct jx_diagnostic *diagnostic)
{
    struct output text = {.fd = -1};
    output_write(&text, diagnostic->message.at, diagnostic->message.n);
    for (uint32_t k = 0; k < diagnostic->notes; k++) {
        struct jx_string note;
        struct jx_place place;
        if (!jx_diagnostic_note(module, i, k, &note, &place) || (place.line > 0 && p->server->related))
            continue;
        output_puts(&text, "\n");
        if (place.line > 0)
            output_printf(&text, "%" PRIu32 ":%" PRIu32 ": ", place.line, place.column);
        output_write(&text, note.at, note.n);
    }
    output_puts(p->out, ",\"message\":");
    output_json(p->out, text.at, text.n);
    output_free(&text);
}

/* relatedInformation: the notes that have a place, which may be in another file */
static void
write_related(struct publishing *p, jx_module *module, uint32_t i, const struct jx_diagnostic *diagnostic)
{
    const char *separator = ",\"relatedInformation\":[";
    for (uint32_t k = 0; p->server->related && k < diagnostic->notes; k++) {
        struct jx_string note, file;
        struct jx_place place;
        if (!jx_diagnostic_note(module, i, k, &note, &place) || place.line == 0)
            continue;
        output_puts(p->out, separator);
        output_puts(p->out, "{\"location\":{\"uri\":");
        file = jx_diagnostic_note_file(module, i, k);
        if (file.n > 0) {
            char *path = must_copy(file.at, file.n), *uri = uri_of_path(path);
            output_json(p->out, uri, strlen(uri));
            output_printf(p->out,
                          ",\"range\":{\"start\":{\"line\":%" PRIu32 ",\"character\":0},\"end\":{\"line\":%" PRIu32
                          ",\"character\":0}}",
                          place.line - 1, place.line);
            free(uri);
            free(path);
        } else {
            output_json(p->out, p->document->uri, strlen(p->document->uri));
            output_puts(p->out, ",");
            write_range(p->out, p->document, place);
        }
        output_puts(p->out, "},\"message\":");
        put_string(p->out, note);
        output_puts(p->out, "}");
        separator = ",";
    }
    if (*separator == ',' && separator[1] == 0)
        output_puts(p->out, "]");
}

static void
write_tags(struct publishing *p, const struct jx_code *code)
{
    for (size_t i = 0; p->server->tags && i < sizeof unnecessary / sizeof *unnecessary; i++)
        if (strcmp(unnecessary[i], code->code) == 0)
            output_puts(p->out, ",\"tags\":[1]");
    if (p->server->tags && strcmp(code->name, "old-spelling") == 0)
        output_puts(p->out, ",\"tags\":[2]");
}

static void
write_one(struct publishing *p, jx_module *module, uint32_t i, const struct jx_diagnostic *diagnostic)
{
    struct output *o = p->out;
    output_puts(o, p->written++ > 0 ? ",{" : "{");
    write_range(o, p->document, diagnostic->place);
    output_printf(o, ",\"severity\":%d,\"source\":\"jaxpr\",\"code\":\"%s\"", severity(diagnostic->level),
                  diagnostic->code.code);
    if (p->server->links)
        write_page_link(p->server, o, &diagnostic->code);
    write_tags(p, &diagnostic->code);
    write_message(p, module, i, diagnostic);
    write_related(p, module, i, diagnostic);
    output_puts(o, "}");
}

/* writes the findings of a part; false on out of memory or when cancelled */
static bool
write_part(struct publishing *p, struct part *part)
{
    struct jx_diagnostic diagnostic;
    if (!part_check(part) || (p->lint && !part_lint(p->server, p->document, part)))
        return false;
    for (uint32_t i = 0; jx_diagnostic_at(part->module, i, &diagnostic); i++) {
        if (p->written < MOST_FINDINGS)
            write_one(p, part->module, i, &diagnostic);
        else
            p->more++;
    }
    return true;
}

static void
begin(struct output *o, const struct document *d)
{
    output_puts(o, "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":");
    output_json(o, d->uri, strlen(d->uri));
    if (d->version != NULL)
        output_printf(o, ",\"version\":%s", d->version);
    output_puts(o, ",\"diagnostics\":[");
}

void
diagnostics_publish(struct server *s, struct document *d, bool all)
{
    struct output body = {.fd = -1};
    struct publishing p = {.server = s, .document = d, .out = &body};
    p.lint = !s->no_lint && (all || jx_document_text(d->text).n < LINT_AT_ONCE);
    d->lint_pending = !s->no_lint && !p.lint;
    begin(&body, d);
    bool fine = document_read(d);
    for (size_t i = 0; fine && i < d->n_parts; i++)
        fine = write_part(&p, &d->parts[i]);
    d->read = d->read && fine; /* a call on a module may have been cancelled */
    if (!fine && s->edits_abandon && s->queue.edited) {
        output_free(&body);
        return;
    }
    if (p.more > 0)
        output_printf(&body,
                      ",{\"range\":{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":0,\"character\":0}},"
                      "\"severity\":3,\"source\":\"jaxpr\",\"message\":\"%" PRIu32 " more findings are not shown\"}",
                      p.more);
    output_puts(&body, "]}}");
    server_send(s, &body);
    d->changed = false;
}

void
diagnostics_clear(struct server *s, const struct document *d)
{
    struct output body = {.fd = -1};
    begin(&body, d);
    output_puts(&body, "]}}");
    server_send(s, &body);
}
