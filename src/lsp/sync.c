/* SPDX-License-Identifier: Apache-2.0
 *
 * Document synchronization: open, change, save and close. Edits are applied at once; diagnostics are published when no
 * other message is queued. */
#include "lsp/features.h"

#include <stdlib.h>
#include <string.h>

/* sets the version of a document from the parameters */
static void
note_version(struct document *d, const struct json *params)
{
    const struct json *version = json_get(params, "textDocument.version");
    free((char *)d->version);
    d->version = NULL;
    if (version != NULL && version->kind == JSON_NUMBER)
        d->version = must_copy(version->text, version->n);
}

static void
note_change(struct document *d)
{
    if (!d->changed)
        d->since = clock_now();
    d->changed = true;
}

static void
forget(struct server *s, struct document *gone)
{
    for (struct document **d = &s->documents; *d != NULL; d = &(*d)->next)
        if (*d == gone) {
            *d = gone->next;
            break;
        }
    document_free(gone);
}

bool
on_open(struct request *r)
{
    const struct json *text = json_get(r->params, "textDocument.text");
    const char *uri = json_string(r->params, "textDocument.uri");
    const char *language = json_string(r->params, "textDocument.languageId");
    if (uri == NULL || text == NULL || text->kind != JSON_STRING)
        return request_fail(r, RPC_PARAMS, "`textDocument` needs a `uri` and a `text`");
    if (r->document != NULL)
        forget(r->server, r->document);
    struct document *d =
        document_new(uri, language != NULL ? language : "", (struct jx_string){text->text, text->n}, r->server->utf8);
    if (d == NULL)
        return request_fail(r, RPC_INTERNAL, "%s: %s", uri, jx_status_text(JX_OUT_OF_MEMORY));
    d->next = r->server->documents;
    r->server->documents = r->document = d;
    note_version(d, r->params);
    note_change(d);
    return true;
}

bool
position_read(const struct json *value, struct position *position)
{
    int64_t line = json_integer(value, "line"), character = json_integer(value, "character");
    if (line < 0 || character < 0)
        return false;
    position->line = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    position->character = character < UINT32_MAX ? (uint32_t)character : UINT32_MAX;
    return true;
}

/* applies one change, of a range or of the whole text; false after request_fail */
static bool
change(struct request *r, const struct json *one)
{
    const struct json *text = json_get(one, "text");
    struct document *d = r->document;
    struct position from, to;
    size_t begin = 0, end = jx_document_text(d->text).n;
    if (text == NULL || text->kind != JSON_STRING)
        return request_fail(r, RPC_PARAMS, "a change has no `text`");
    if (json_get(one, "range") != NULL) {
        if (!position_read(json_get(one, "range.start"), &from) || !position_read(json_get(one, "range.end"), &to))
            return request_fail(r, RPC_PARAMS, "a range needs `start` and `end`, each with `line` and `character`");
        begin = position_offset(d, from);
        end = position_offset(d, to);
        end = end < begin ? begin : end;
    }
    if (!document_edit(d, begin, end, (struct jx_string){text->text, text->n}))
        return request_fail(r, RPC_INTERNAL, "%s: %s", d->uri, jx_status_text(JX_OUT_OF_MEMORY));
    return true;
}

bool
on_change(struct request *r)
{
    const struct json *changes = json_get(r->params, "contentChanges");
    if (changes == NULL || changes->kind != JSON_ARRAY)
        return request_fail(r, RPC_PARAMS, "`contentChanges` is missing");
    note_version(r->document, r->params);
    note_change(r->document);
    for (const struct json *one = changes->child; one != NULL; one = one->next)
        if (!change(r, one))
            return false;
    return true;
}

bool
on_save(struct request *r)
{
    const struct json *text = json_get(r->params, "text");
    if (text == NULL || text->kind != JSON_STRING)
        return on_settings(r); /* the saved file may be a configuration */
    struct jx_string old = jx_document_text(r->document->text);
    if (old.n == text->n && memcmp(old.at, text->text, text->n) == 0)
        return true;
    note_change(r->document);
    return document_edit(r->document, 0, old.n, (struct jx_string){text->text, text->n});
}

bool
on_settings(struct request *r)
{
    for (struct document *d = r->server->documents; d != NULL; d = d->next) {
        bool before = settings_config(d, &(const char *){NULL}) != NULL;
        settings_forget(d);
        bool now = settings_config(d, &(const char *){NULL}) != NULL;
        if (!before && !now)
            continue;
        document_forget(d); /* the rules run only once on a module */
        note_change(d);
    }
    return true;
}

bool
on_close(struct request *r)
{
    diagnostics_clear(r->server, r->document);
    forget(r->server, r->document);
    r->document = NULL;
    return true;
}
