/* SPDX-License-Identifier: Apache-2.0
 *
 * workspace/executeCommand: jaxpr.norm [uri, pass, position] rewrites a document, or in other text the program at the
 * position, jaxpr.extract [uri, position] copies a program to a new file, jaxpr.diff [uri, uri] returns the differences
 * of two files, jaxpr.report [uri] writes a page and returns its URI. Edits are sent as workspace/applyEdit. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* sends a workspace/applyEdit request; its response is ignored */
static void
apply(struct server *s, const char *label, const struct output *edit)
{
    struct output body = {.fd = -1};
    output_printf(&body,
                  "{\"jsonrpc\":\"2.0\",\"id\":\"jaxpr-%u\",\"method\":\"workspace/applyEdit\",\"params\":{\"label\":",
                  ++s->asked);
    output_json(&body, label, strlen(label));
    output_puts(&body, ",\"edit\":");
    output_write(&body, edit->at, edit->n);
    output_puts(&body, "}}");
    server_send(s, &body);
}

static const struct json *
argument(const struct request *r, uint32_t i)
{
    const struct json *list = json_get(r->params, "arguments"), *one = list != NULL ? list->child : NULL;
    while (one != NULL && i-- > 0)
        one = one->next;
    return one;
}

/* sets r->document to the open document of the first argument; false after request_fail */
static bool
find_document(struct request *r)
{
    const struct json *uri = argument(r, 0);
    r->document = uri != NULL && uri->kind == JSON_STRING ? server_document(r->server, uri->text) : NULL;
    if (r->document == NULL)
        return request_fail(r, RPC_PARAMS, "the first argument is not the URI of an open document");
    return true;
}

/* rewrites a part (NULL: all of a document of programs) and adds its edits; false after request_fail */
static bool
rewrite(struct request *r, const struct part *part, struct jx_normal_options how, struct edits *e)
{
    struct output text = {.fd = -1};
    struct document *d = r->document;
    jx_rewrite *rewrite = NULL;
    jx_module *module = part != NULL ? part->module : NULL;
    bool fine = (part != NULL || jx_document_module(d->text, &module) == JX_OK) &&
                jx_normalize(module, &how, output_write, &text, &rewrite) == JX_OK;
    if (!fine)
        request_fail(r, RPC_FAILED, "%s", jx_misuse_text(d->context));
    else if (jx_diagnostic_count(jx_rewrite_module(rewrite), JX_ERROR) > 0)
        fine = request_fail(r, RPC_FAILED, "programs with errors are not rewritten");
    else if (!edits_add(e, part, output_string(&text)))
        fine = request_fail(r, RPC_FAILED, "the text around the program does not allow this change: %s", e->why);
    jx_rewrite_free(rewrite);
    output_free(&text);
    return fine;
}

/* rewrites the program at the position in other text, or all programs of the text if no position is given */
static bool
rewrite_found(struct request *r, struct jx_normal_options how, struct edits *e)
{
    struct document *d = r->document;
    struct position position;
    struct target t;
    if (position_read(argument(r, 2), &position))
        return target_at(d, position_offset(d, position), &t) ? rewrite(r, t.part, how, e)
                                                              : request_fail(r, RPC_FAILED, "there is no program here");
    bool fine = document_read(d);
    for (size_t i = 0; fine && i < d->n_parts; i++)
        fine = rewrite(r, &d->parts[i], how, e);
    return fine;
}

static bool
run_norm(struct request *r)
{
    const struct json *pass = argument(r, 1);
    struct output edit = {.fd = -1};
    struct edits e;
    struct document *d = r->document;
    struct jx_normal_options how = {.size = sizeof how, .splice = true};
    if (pass == NULL || pass->kind != JSON_STRING)
        return request_fail(r, RPC_PARAMS, "`jaxpr.norm` takes a document and a pass");
    how.passes = pass->n > 0 ? jx_pass_find(pass->text, pass->n) : 0;
    how.splice = pass->n > 0;
    if (pass->n > 0 && how.passes == 0)
        return request_fail(r, RPC_PARAMS, "unknown pass `%.60s`", pass->text);
    edits_begin(&e, &edit, d);
    bool fine = d->kind == DOCUMENT_JAXPR ? rewrite(r, NULL, how, &e) : rewrite_found(r, how, &e);
    if (edits_end(&e) > 0 && fine)
        apply(r->server, pass->n > 0 ? pass->text : "canonical form", &edit);
    output_free(&edit);
    return fine;
}

/* ---- extract ---- */

/* writes the innermost program at a position, formatted, with the preceding shared programs if it refers to one;
 * false on failure */
static bool
program_text(struct document *d, const struct target *t, struct output *text)
{
    struct jx_site site = {.part = JX_PART_JAXPR, .id = JX_NONE};
    struct jx_span inner, whole, main;
    struct jx_program p;
    struct jx_diagnostic found;
    uint32_t program = t->sites[t->n - 1].id;
    for (uint32_t i = t->n; i-- > 0;)
        site.id = t->sites[i].part == JX_PART_JAXPR ? t->sites[i].id : site.id;
    if (d->kind != DOCUMENT_JAXPR) /* an extracted program is written as a whole */
        return jx_format(t->part->module, NULL, output_write, text) == JX_OK;
    struct jx_string all = part_text(d, t->part);
    if (!jx_span_at(t->part->module, &site, &inner) || !jx_program_at(t->part->module, program, &p) ||
        !jx_span_at(t->part->module, &(struct jx_site){.part = JX_PART_PROGRAM, .id = program}, &whole) ||
        !jx_span_at(t->part->module, &(struct jx_site){.part = JX_PART_JAXPR, .id = p.jaxpr}, &main))
        return false;
    for (int lets = 0; lets < 2; lets++) {
        struct output source = {.fd = -1};
        jx_module *module = NULL;
        bool unknown = false;
        if (lets > 0)
            output_write(&source, all.at + whole.from, main.from - whole.from);
        output_write(&source, all.at + inner.from, inner.to - inner.from);
        bool fine = jx_read(d->context, "", source.at, source.n, &module) == JX_OK && jx_resolve(module) == JX_OK;
        for (uint32_t i = 0; fine && jx_diagnostic_at(module, i, &found); i++)
            unknown |= strcmp(found.code.name, "unknown-shared-program") == 0;
        bool done = fine && (!unknown || lets > 0);
        fine = fine && (!done || jx_format(module, NULL, output_write, text) == JX_OK);
        jx_module_free(module);
        output_free(&source);
        if (done || !fine)
            return fine;
    }
    return false;
}

/* the URI of a new file in the document's directory, such as step-12.jaxpr; to be freed */
static char *
new_uri(const struct document *d, uint32_t line)
{
    const char *dot = strrchr(d->uri, '.'), *slash = strrchr(d->uri, '/');
    size_t stem = dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - d->uri) : strlen(d->uri);
    for (uint32_t i = 0;; i++) {
        struct output uri = {.fd = -1};
        struct stat st;
        output_write(&uri, d->uri, stem);
        output_printf(&uri, "-%" PRIu32, line);
        if (i > 0)
            output_printf(&uri, "-%" PRIu32, i);
        output_puts(&uri, ".jaxpr");
        output_write(&uri, "", 1);
        char *path = path_of_uri(uri.at);
        bool there = path != NULL && stat(path, &st) == 0;
        free(path);
        if (!there || i > 1000)
            return uri.at;
        output_free(&uri);
    }
}

static bool
run_extract(struct request *r)
{
    struct position position;
    struct target t;
    struct output text = {.fd = -1}, edit = {.fd = -1};
    if (!position_read(argument(r, 1), &position))
        return request_fail(r, RPC_PARAMS, "`jaxpr.extract` takes a document and a position");
    if (!target_at(r->document, position_offset(r->document, position), &t) || !program_text(r->document, &t, &text)) {
        output_free(&text);
        return request_fail(r, RPC_FAILED, "there is no program here");
    }
    char *uri = new_uri(r->document, position.line + 1);
    output_puts(&edit, "{\"documentChanges\":[{\"kind\":\"create\",\"uri\":");
    output_json(&edit, uri, strlen(uri));
    output_puts(&edit, "},{\"textDocument\":{\"uri\":");
    output_json(&edit, uri, strlen(uri));
    output_puts(&edit, ",\"version\":null},\"edits\":[{\"range\":{\"start\":{\"line\":0,\"character\":0},"
                       "\"end\":{\"line\":0,\"character\":0}},\"newText\":");
    output_json(&edit, text.at, text.n);
    output_puts(&edit, "}]}]}");
    apply(r->server, "extract", &edit);
    output_json(&r->out, uri, strlen(uri));
    free(uri);
    output_free(&text);
    output_free(&edit);
    return true;
}

/* ---- diff and report ---- */

/* reads the module of a URI: from its open document, else from its file; false after request_fail */
static bool
read_uri(struct request *r, jx_context *context, const struct json *uri, jx_module **module)
{
    struct document *d = uri != NULL && uri->kind == JSON_STRING ? server_document(r->server, uri->text) : NULL;
    struct source file = {.no_devices = true};
    if (uri == NULL || uri->kind != JSON_STRING)
        return request_fail(r, RPC_PARAMS, "the arguments are not two URIs or paths");
    if (d != NULL) {
        struct jx_string text = jx_document_text(d->text);
        return jx_read(context, uri->text, text.at, text.n, module) == JX_OK;
    }
    char *path = path_of_uri(uri->text);
    const char *name = path != NULL ? path : uri->text;
    bool fine =
        source_open(&file, name) && jx_read_from(context, name, source_read, &file, file.expected, module) == JX_OK;
    if (!fine)
        request_fail(r, RPC_FAILED, "%.200s: %s", name, file.error != 0 ? source_why(&file) : "cannot be read");
    source_close(&file);
    free(path);
    return fine;
}

static bool
run_diff(struct request *r)
{
    struct output text = {.fd = -1};
    jx_module *a = NULL, *b = NULL;
    jx_differences *differences;
    jx_context *context = jx_context_new(NULL);
    struct jx_diff_options how = {.size = sizeof how, .in_place = true};
    bool fine = context != NULL && read_uri(r, context, argument(r, 0), &a) && read_uri(r, context, argument(r, 1), &b);
    if (fine && jx_diff(a, b, &how, output_write, &text, &differences) != JX_OK)
        fine = request_fail(r, RPC_FAILED, "%s", jx_status_text(JX_OUT_OF_MEMORY));
    if (fine)
        output_json(&r->out, text.at != NULL ? text.at : "", text.n);
    jx_context_free(context);
    output_free(&text);
    return fine;
}

static bool
write_page_of(struct request *r, struct output *page)
{
    struct document *d = r->document;
    const char *slash = strrchr(d->uri, '/');
    struct document *copy =
        document_new(d->uri, d->kind == DOCUMENT_JAXPR ? "jaxpr" : "", jx_document_text(d->text), d->utf8);
    if (copy != NULL)
        copy->whole = d->kind == DOCUMENT_JAXPR;
    bool fine = copy != NULL && document_read(copy) &&
                jx_page_begin(slash != NULL ? slash + 1 : d->uri, output_write, page) == JX_OK;
    for (size_t i = 0; fine && i < copy->n_parts; i++)
        fine = jx_page_add(copy->parts[i].module, (uint32_t)i, output_write, page) == JX_OK;
    fine = fine && jx_page_end(output_write, page) == JX_OK;
    document_free(copy);
    return fine;
}

static bool
run_report(struct request *r)
{
    struct output page = {.fd = -1}, path = {.fd = -1};
    char *folder = cache_directory("pages");
    if (folder == NULL)
        return request_fail(r, RPC_FAILED, "no directory for pages: neither XDG_CACHE_HOME nor HOME is set");
    const char *slash = strrchr(r->document->uri, '/');
    output_printf(&path, "%s/%s.html", folder, slash != NULL ? slash + 1 : "page");
    output_write(&path, "", 1);
    free(folder);
    bool fine = write_page_of(r, &page);
    const char *why = fine ? file_write(path.at, page.at, page.n) : jx_status_text(JX_OUT_OF_MEMORY);
    if (why != NULL) {
        fine = request_fail(r, RPC_FAILED, "%.200s: %s", path.at, why);
    } else {
        char *uri = uri_of_path(path.at);
        output_json(&r->out, uri, strlen(uri));
        free(uri);
    }
    output_free(&page);
    output_free(&path);
    return fine;
}

/* ---- the list ---- */

static const struct {
    const char *name;
    bool (*run)(struct request *);
    bool open; /* it needs an open document */
} commands[] = {
    {"jaxpr.norm", run_norm, true},
    {"jaxpr.extract", run_extract, true},
    {"jaxpr.diff", run_diff, false},
    {"jaxpr.report", run_report, true},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

void
write_commands(struct output *o)
{
    for (size_t i = 0; i < COMMANDS; i++)
        output_printf(o, "%s\"%s\"", i > 0 ? "," : "[", commands[i].name);
    output_puts(o, "]");
}

bool
on_command(struct request *r)
{
    const char *name = json_string(r->params, "command");
    for (size_t i = 0; name != NULL && i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return (!commands[i].open || find_document(r)) && commands[i].run(r);
    return request_fail(r, RPC_PARAMS, "unknown command `%.60s`", name != NULL ? name : "");
}
