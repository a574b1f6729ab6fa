/* SPDX-License-Identifier: Apache-2.0
 *
 * workspace/symbol: the programs of open documents, and of files below the workspace folders. Files are not kept in
 * memory; the search ends when its request is cancelled, or at one of the limits. */
#include "lsp/features.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SYMBOLS = 1000,
    MOST_FILES = 20000,
    MOST_BYTES = 256 << 20, /* of all files together */
};

struct searching {
    struct request *request;
    const char *query;
    uint32_t found;
    size_t bytes;
};

/* true if a name contains the characters of a query in this order, ignoring case */
static bool
matches(const char *name, const char *query)
{
    for (; *query != 0; query++, name++) {
        while (*name != 0 && (*name | 32) != (*query | 32))
            name++;
        if (*name == 0)
            return false;
    }
    return true;
}

static void
write_symbol(struct searching *s, struct document *d, const char *name, int kind, struct jx_place place)
{
    struct output *o = &s->request->out;
    const char *slash = strrchr(d->uri, '/');
    output_puts(o, s->found++ > 0 ? ",{\"name\":" : "{\"name\":");
    output_json(o, name, strlen(name));
    output_printf(o, ",\"kind\":%d,\"containerName\":", kind);
    output_json(o, slash != NULL ? slash + 1 : d->uri, strlen(slash != NULL ? slash + 1 : d->uri));
    output_puts(o, ",\"location\":");
    place.end_line = place.line;
    place.end_column = place.column;
    write_location(o, d, place);
    output_puts(o, "}");
}

static void
search_document(struct searching *s, struct document *d)
{
    struct outline walk;
    struct visit v;
    struct jx_place place;
    bool fine = document_read(d);
    for (size_t i = 0; fine && i < d->n_parts && s->found < MOST_SYMBOLS; i++) {
        outline_begin(&walk, d->parts[i].module);
        while (outline_next(&walk, &v) && s->found < MOST_SYMBOLS) {
            char *name = v.leave ? NULL : visit_name(d->parts[i].module, &v);
            bool wanted = name != NULL && matches(name, s->query) &&
                          site_place(d->parts[i].module, &(struct jx_site){JX_PART_JAXPR, v.jaxpr, 0, 0}, &place);
            if (wanted)
                write_symbol(s, d, name, symbol_kind(&v), place);
            free(name);
        }
        outline_end(&walk);
    }
}

static bool
looks_open(const struct server *s, const char *path)
{
    for (const struct document *d = s->documents; d != NULL; d = d->next)
        if (d->path != NULL && strcmp(d->path, path) == 0)
            return true;
    return false;
}

/* true if the extension of a file is that of a dump, log, notebook, source or text, which may contain programs */
static bool
is_of_interest(const char *path)
{
    static const char *const endings[] = {".jaxpr", ".txt", ".log", ".md", ".ipynb", ".py"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i]);
        if (n > m && strcmp(path + n - m, endings[i]) == 0)
            return true;
    }
    return false;
}

static void
search_file(struct searching *s, const char *path)
{
    struct source file = {.keep = true, .no_devices = true};
    if (source_open(&file, path) && s->bytes + file.expected <= MOST_BYTES && source_drain(&file)) {
        char *uri = uri_of_path(path);
        struct document *d =
            document_new(uri, "", (struct jx_string){file.kept.at != NULL ? file.kept.at : "", file.kept.n},
                         s->request->server->utf8);
        s->bytes += file.kept.n;
        if (d != NULL)
            search_document(s, d);
        document_free(d);
        free(uri);
    }
    source_close(&file);
}

bool
on_workspace_symbols(struct request *r)
{
    struct server *server = r->server;
    struct searching s = {.request = r, .query = json_string(r->params, "query")};
    if (s.query == NULL)
        return request_fail(r, RPC_PARAMS, "`query` is missing");
    output_puts(&r->out, "[");
    for (struct document *d = server->documents; d != NULL; d = d->next)
        search_document(&s, d);
    int n = server->n_folders, read = 0;
    char **files = walk_files(server->folders, 0, &n, true);
    for (int i = 0; i < n && read < MOST_FILES && s.found < MOST_SYMBOLS && !r->message->cancelled; i++) {
        if (!is_of_interest(files[i]) || looks_open(server, files[i]))
            continue;
        search_file(&s, files[i]);
        read++;
        queue_fill(&server->queue, 0); /* reads a $/cancelRequest */
    }
    walk_free(files, n);
    output_puts(&r->out, "]");
    return true;
}

/* ---- folders ---- */

static void
add_folder(struct server *s, const char *uri)
{
    char *path = uri != NULL ? path_of_uri(uri) : NULL;
    if (path == NULL)
        return;
    s->folders = must_resize(s->folders, (size_t)(s->n_folders + 1) * sizeof *s->folders);
    s->folders[s->n_folders++] = path;
}

void
folders_read(struct server *s, const struct json *params)
{
    const struct json *list = json_get(params, "workspaceFolders");
    const char *path = json_string(params, "rootPath");
    for (const struct json *one = list != NULL ? list->child : NULL; one != NULL; one = one->next)
        add_folder(s, json_string(one, "uri"));
    if (s->n_folders == 0)
        add_folder(s, json_string(params, "rootUri"));
    if (s->n_folders == 0 && path != NULL) {
        char *uri = uri_of_path(path);
        add_folder(s, uri);
        free(uri);
    }
}

bool
on_folders(struct request *r)
{
    struct server *s = r->server;
    const struct json *added = json_get(r->params, "event.added"), *removed = json_get(r->params, "event.removed");
    for (const struct json *one = removed != NULL ? removed->child : NULL; one != NULL; one = one->next) {
        const char *uri = json_string(one, "uri");
        char *path = uri != NULL ? path_of_uri(uri) : NULL;
        for (int i = 0; path != NULL && i < s->n_folders; i++)
            if (strcmp(s->folders[i], path) == 0) {
                free(s->folders[i]);
                s->folders[i--] = s->folders[--s->n_folders];
            }
        free(path);
    }
    for (const struct json *one = added != NULL ? added->child : NULL; one != NULL; one = one->next)
        add_folder(s, json_string(one, "uri"));
    return true;
}

void
folders_free(struct server *s)
{
    for (int i = 0; i < s->n_folders; i++)
        free(s->folders[i]);
    free(s->folders);
}
