/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr lsp: a loop that takes a message, calls the handler of its method, and publishes diagnostics between
 * messages. A request that fails gets an error response. Only `exit`, the end of the input, an invalid header and an
 * error on standard output end the server. */
#include "lsp/features.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* in milliseconds: the longest delay of diagnostics while messages are queued, and how long the server must be idle
 * before the rules run on a large document */
enum { LONGEST_DELAY = 200, IDLE_DELAY = 150 };

enum { NEEDS_DOCUMENT = 1, BEFORE_INITIALIZE = 2, AFTER_SHUTDOWN = 4 };

/* A method and its handler. */
struct method {
    const char *name;
    bool (*answer)(struct request *);
    unsigned flags;
};

uint64_t
clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool
request_fail(struct request *r, enum rpc_error code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->error, sizeof r->error, format, args);
    va_end(args);
    r->code = code;
    return false;
}

void
server_send(struct server *s, struct output *body)
{
    if (!message_write(body))
        s->ended = true;
    output_free(body);
}

void
server_show(struct server *s, const char *format, ...)
{
    struct output body = {.fd = -1};
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    output_puts(&body, "{\"jsonrpc\":\"2.0\",\"method\":\"window/showMessage\",\"params\":{\"type\":2,\"message\":");
    output_json(&body, text, strlen(text));
    output_puts(&body, "}}");
    server_send(s, &body);
}

struct document *
server_document(const struct server *s, const char *uri)
{
    struct document *d = uri != NULL ? s->documents : NULL;
    while (d != NULL && strcmp(d->uri, uri) != 0)
        d = d->next;
    return d;
}

/* ---- lifecycle ---- */

/* chooses the first of the client's position encodings that is UTF-8 or UTF-16, by default UTF-16 */
static void
choose_encoding(struct server *s, const struct json *params)
{
    const struct json *list = json_get(params, "capabilities.general.positionEncodings");
    for (const struct json *one = list != NULL ? list->child : NULL; one != NULL; one = one->next) {
        s->utf8 = strcmp(one->text, "utf-8") == 0;
        if (s->utf8 || strcmp(one->text, "utf-16") == 0)
            return;
    }
}

static bool
on_initialize(struct request *r)
{
    struct server *s = r->server;
    if (s->initialized)
        return request_fail(r, RPC_REQUEST, "`initialize` was already sent");
    const struct json *shows = json_get(r->params, "capabilities.textDocument.publishDiagnostics");
    s->initialized = true;
    s->related = json_true(shows, "relatedInformation");
    s->links = json_true(shows, "codeDescriptionSupport");
    s->tags = json_get(shows, "tagSupport") != NULL;
    s->disabled = json_true(r->params, "capabilities.textDocument.codeAction.disabledSupport");
    choose_encoding(s, r->params);
    folders_read(s, r->params);
    options_read(s, json_get(r->params, "initializationOptions"));
    output_printf(&r->out,
                  "{\"capabilities\":{\"positionEncoding\":\"%s\","
                  "\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":{\"includeText\":false}}",
                  s->utf8 ? "utf-8" : "utf-16");
    output_puts(&r->out, ",\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
                         "\"documentHighlightProvider\":true,\"renameProvider\":{\"prepareProvider\":true},"
                         "\"documentSymbolProvider\":true,\"foldingRangeProvider\":true,"
                         "\"selectionRangeProvider\":true,\"workspaceSymbolProvider\":true,"
                         "\"workspace\":{\"workspaceFolders\":{\"supported\":true,\"changeNotifications\":true}}");
    output_puts(
        &r->out,
        ",\"inlayHintProvider\":true,\"codeLensProvider\":{},\"documentFormattingProvider\":true,"
        "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\",\"refactor.rewrite\","
        "\"refactor.extract\"]},\"semanticTokensProvider\":{\"full\":{\"delta\":true},\"range\":true,\"legend\":");
    write_legend(&r->out);
    output_puts(&r->out, "},\"executeCommandProvider\":{\"commands\":");
    write_commands(&r->out);
    output_printf(&r->out, "}},\"serverInfo\":{\"name\":\"jaxpr\",\"version\":\"%s\"}}", jx_version());
    return true;
}

static bool
on_shutdown(struct request *r)
{
    r->server->stopped = true;
    return true;
}

static bool
on_exit_notification(struct request *r)
{
    r->server->ended = true;
    return true;
}

static bool
ignore(struct request *r)
{
    (void)r;
    return true;
}

static const struct method methods[] = {
    {"initialize", on_initialize, BEFORE_INITIALIZE},
    {"initialized", ignore, 0},
    {"shutdown", on_shutdown, 0},
    {"exit", on_exit_notification, BEFORE_INITIALIZE | AFTER_SHUTDOWN},
    {"$/setTrace", ignore, 0},
    {"workspace/didChangeConfiguration", on_settings, 0},
    {"workspace/didChangeWatchedFiles", on_settings, 0},
    {"workspace/didChangeWorkspaceFolders", on_folders, 0},
    {"workspace/symbol", on_workspace_symbols, 0},
    {"textDocument/hover", on_hover, NEEDS_DOCUMENT},
    {"textDocument/definition", on_definition, NEEDS_DOCUMENT},
    {"textDocument/references", on_references, NEEDS_DOCUMENT},
    {"textDocument/documentHighlight", on_highlight, NEEDS_DOCUMENT},
    {"textDocument/prepareRename", on_prepare_rename, NEEDS_DOCUMENT},
    {"textDocument/rename", on_rename, NEEDS_DOCUMENT},
    {"textDocument/documentSymbol", on_symbols, NEEDS_DOCUMENT},
    {"textDocument/foldingRange", on_folding, NEEDS_DOCUMENT},
    {"textDocument/selectionRange", on_selection, NEEDS_DOCUMENT},
    {"textDocument/semanticTokens/full", on_tokens, NEEDS_DOCUMENT},
    {"textDocument/semanticTokens/full/delta", on_tokens_delta, NEEDS_DOCUMENT},
    {"textDocument/semanticTokens/range", on_tokens_range, NEEDS_DOCUMENT},
    {"textDocument/inlayHint", on_hints, NEEDS_DOCUMENT},
    {"textDocument/codeLens", on_lenses, NEEDS_DOCUMENT},
    {"textDocument/formatting", on_formatting, NEEDS_DOCUMENT},
    {"textDocument/codeAction", on_actions, NEEDS_DOCUMENT},
    {"workspace/executeCommand", on_command, 0},
    {"textDocument/didOpen", on_open, 0},
    {"textDocument/didChange", on_change, NEEDS_DOCUMENT},
    {"textDocument/didSave", on_save, NEEDS_DOCUMENT},
    {"textDocument/didClose", on_close, NEEDS_DOCUMENT},
};

/* ---- messages ---- */

static void
write_id(struct output *o, const struct json *id)
{
    output_puts(o, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id != NULL && id->kind == JSON_STRING)
        output_json(o, id->text, id->n);
    else
        output_puts(o, id != NULL && id->kind == JSON_NUMBER ? id->text : "null");
}

static void
send_error(struct server *s, const struct json *id, enum rpc_error code, const char *text)
{
    struct output body = {.fd = -1};
    write_id(&body, id);
    output_printf(&body, ",\"error\":{\"code\":%d,\"message\":", code);
    output_json(&body, text, strlen(text));
    output_puts(&body, "}}");
    server_send(s, &body);
}

static void
send_result(struct server *s, const struct json *id, struct output *result)
{
    struct output body = {.fd = -1};
    write_id(&body, id);
    output_puts(&body, ",\"result\":");
    output_write(&body, result->n > 0 ? result->at : "null", result->n > 0 ? result->n : 4);
    output_puts(&body, "}");
    server_send(s, &body);
}

static const struct method *
find_method(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

/* true if a message may be handled now, else false after request_fail */
static bool
admit(struct request *r, const struct method *method)
{
    struct server *s = r->server;
    unsigned flags = method != NULL ? method->flags : 0;
    if (!s->initialized && !(flags & BEFORE_INITIALIZE))
        return request_fail(r, RPC_UNINITIALIZED, "`initialize` must come first");
    if (s->stopped && !(flags & AFTER_SHUTDOWN))
        return request_fail(r, RPC_REQUEST, "only `exit` may follow `shutdown`");
    if (method == NULL)
        return request_fail(r, RPC_METHOD, "unknown method `%.200s`", r->message->method);
    if (r->message->cancelled)
        return request_fail(r, RPC_CANCELLED, "cancelled");
    if ((flags & NEEDS_DOCUMENT) && r->document == NULL)
        return request_fail(r, RPC_PARAMS, "`textDocument.uri` does not name an open document");
    return true;
}

/* the progress callback of long calls: reads messages. Returns not 0, which cancels the call, if the running request
 * was cancelled, or if an edit outdates the diagnostics being computed */
static int
ask(void *user, uint64_t steps)
{
    struct server *s = user;
    (void)steps;
    queue_fill(&s->queue, 0);
    return s->queue.running != NULL ? s->queue.running->cancelled : s->edits_abandon && s->queue.edited;
}

static void
set_progress(struct server *s, struct document *d)
{
    if (d != NULL && jx_set_progress(d->context, ask, s) != JX_OK)
        s->ended = true;
}

static void
handle(struct server *s, struct message *m)
{
    struct request r = {.server = s, .message = m, .params = json_get(m->root, "params"), .out = {.fd = -1}};
    if (m->root == NULL) {
        send_error(s, NULL, RPC_PARSE, "the message is not JSON");
        return;
    }
    if (m->method == NULL) {
        if (m->root->kind != JSON_OBJECT || (json_get(m->root, "result") == NULL && json_get(m->root, "error") == NULL))
            send_error(s, m->id, RPC_REQUEST, "the message has no `method`");
        return; /* responses are ignored */
    }
    r.document = server_document(s, json_string(r.params, "textDocument.uri"));
    const struct method *method = find_method(m->method);
    s->queue.running = m;
    set_progress(s, r.document);
    bool fine = admit(&r, method) && method->answer(&r);
    s->queue.running = NULL;
    if (m->cancelled && r.document != NULL)
        r.document->read = false; /* calls on its modules may have been cancelled */
    if (m->id == NULL)
        ; /* notifications have no response, not even an error */
    else if (m->cancelled)
        send_error(s, m->id, RPC_CANCELLED, "cancelled");
    else if (fine)
        send_result(s, m->id, &r.out);
    else
        send_error(s, m->id, r.code, r.error);
    output_free(&r.out);
}

/* the document that has waited longest for diagnostics, or NULL */
static struct document *
next_changed(const struct server *s)
{
    struct document *first = NULL;
    for (struct document *d = s->documents; d != NULL; d = d->next)
        if (d->changed && (first == NULL || d->since <= first->since))
            first = d;
    return first;
}

/* a document on which the rules must be run, or NULL */
static struct document *
next_unlinted(const struct server *s)
{
    struct document *d = s->documents;
    while (d != NULL && !d->lint_pending)
        d = d->next;
    return d;
}

static void
serve(struct server *s)
{
    while (!s->ended) {
        struct document *due = next_changed(s), *later = next_unlinted(s);
        queue_fill(&s->queue, due != NULL ? 0 : later != NULL ? IDLE_DELAY : -1);
        bool idle = s->queue.first == NULL, late = due != NULL && clock_now() - due->since > LONGEST_DELAY;
        s->edits_abandon = !late;
        if (due != NULL && (idle || late)) {
            set_progress(s, due);
            diagnostics_publish(s, due, false);
            continue;
        }
        if (later != NULL && idle && !s->queue.ended) {
            set_progress(s, later);
            diagnostics_publish(s, later, true);
            continue;
        }
        struct message *m = queue_take(&s->queue);
        if (m == NULL && s->queue.ended)
            break;
        if (m != NULL)
            handle(s, m);
        message_free(m);
    }
}

int
command_lsp(const struct invocation *in)
{
    if (files_given(in) > 0) {
        complain("lsp takes no files; the editor sends them");
        return EXIT_TROUBLE;
    }
    if (isatty(STDIN_FILENO)) {
        complain("lsp is started by an editor, which sends messages on standard input; see jaxpr-lsp(1)");
        return EXIT_TROUBLE;
    }
    struct server s = {.documents = NULL};
    queue_init(&s.queue);
    serve(&s);
    while (s.documents != NULL) {
        struct document *d = s.documents;
        s.documents = d->next;
        document_free(d);
    }
    queue_free(&s.queue);
    options_free(&s);
    folders_free(&s);
    return s.stopped ? EXIT_CLEAN : EXIT_FINDINGS;
}
