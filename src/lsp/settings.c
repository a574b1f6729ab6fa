/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration of rules: the initializationOptions, and the nearest .jaxpr.yaml of a file. Explain pages: a Markdown
 * file for each code in the user's cache, written when the code is first published. */
#include "lsp/lsp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The configuration of one document. */
struct settings {
    struct invocation in;
    char *files[1];
    struct configs configs;
    jx_config *config;
    char *relative;
};

jx_config *
settings_config(struct document *d, const char **relative)
{
    *relative = NULL;
    if (d->path == NULL)
        return NULL;
    if (d->settings == NULL) {
        struct settings *s = d->settings = must_allocate(sizeof *s);
        memset(s, 0, sizeof *s);
        s->files[0] = d->path;
        s->in.verb = VERB_lint;
        s->in.files = s->files;
        s->in.n_files = 1;
        if (configs_load(&s->in, &s->configs)) {
            s->in.configs = &s->configs;
            s->config = config_for(&s->in, d->path, &s->relative);
        }
    }
    *relative = d->settings->relative;
    return d->settings->config;
}

void
settings_forget(struct document *d)
{
    if (d->settings == NULL)
        return;
    configs_free(&d->settings->configs);
    free(d->settings->relative);
    free(d->settings);
    d->settings = NULL;
}

bool
part_lint(struct server *s, struct document *d, struct part *p)
{
    struct jx_lint_options how = {
        .size = sizeof how,
        .select = s->select,
        .extend_select = s->extend_select,
        .ignore = s->ignore,
        .fixes = true,
        .extracted = d->kind != DOCUMENT_JAXPR,
        .path = d->path,
    };
    if (p->linted)
        return true;
    how.config = settings_config(d, &how.config_path);
    return p->linted = jx_lint(p->module, &how, NULL) == JX_OK;
}

/* ---- options of the client ---- */

/* the option at a path, `"P,N"` or `["P", "N"]`, as "P,N", to be freed; NULL: not given */
static char *
word_list(const struct json *options, const char *path)
{
    const struct json *value = json_get(options, path);
    struct output list = {.fd = -1};
    if (value == NULL || (value->kind != JSON_STRING && value->kind != JSON_ARRAY))
        return NULL;
    output_puts(&list, value->text);
    for (const struct json *one = value->child; one != NULL; one = one->next) {
        output_puts(&list, one != value->child ? "," : "");
        output_puts(&list, one->text);
    }
    output_write(&list, "", 1);
    return list.at;
}

/* creates a directory and its parents if needed; true if it exists afterwards */
static bool
make_directory(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

char *
cache_directory(const char *what)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct output path = {.fd = -1};
    if (cache != NULL && *cache == '/')
        output_puts(&path, cache);
    else if (home != NULL && *home == '/')
        output_printf(&path, "%s/.cache", home);
    else
        return NULL;
    output_printf(&path, "/jaxpr/%s-%s", what, jx_version());
    output_write(&path, "", 1);
    if (make_directory(path.at))
        return path.at;
    free(path.at);
    return NULL;
}

void
options_read(struct server *s, const struct json *options)
{
    const struct json *lint = json_get(options, "lint");
    char message[256];
    struct jx_code code;
    uint32_t codes = 0;
    s->no_lint = lint != NULL && lint->kind == JSON_BOOL && lint->integer == 0;
    s->select = word_list(options, "lint.select");
    s->extend_select = word_list(options, "lint.extendSelect");
    s->ignore = word_list(options, "lint.ignore");
    struct jx_lint_options how = {
        .size = sizeof how, .select = s->select, .extend_select = s->extend_select, .ignore = s->ignore};
    if (!jx_lint_validate(&how, message, sizeof message))
        complain("lsp: initializationOptions.lint: %s", message);
    const char *pages = json_string(options, "explainPages");
    if (pages != NULL) {
        s->pages = must_copy(pages, strlen(pages));
        return;
    }
    while (jx_code_at(codes, &code))
        codes++;
    s->written = must_allocate(codes * sizeof *s->written);
    memset(s->written, 0, codes * sizeof *s->written);
    s->pages = cache_directory("explain");
}

void
options_free(struct server *s)
{
    free(s->select);
    free(s->extend_select);
    free(s->ignore);
    free(s->pages);
    free(s->written);
}

/* writes the explain page of a code to a file that does not exist; true if it exists afterwards */
static bool
write_page(const char *path, const struct jx_code *code)
{
    struct output page = {.fd = -1};
    struct stat st;
    if (stat(path, &st) == 0 && st.st_size > 0)
        return true;
    output_printf(&page, "# %s %s\n\n%s.\n\n%s", code->code, code->name, code->title, code->explain);
    bool fine = file_write(path, page.at, page.n) == NULL;
    output_free(&page);
    return fine;
}

void
write_page_link(struct server *s, struct output *o, const struct jx_code *code)
{
    struct jx_code other;
    uint32_t i = 0;
    if (s->pages == NULL)
        return;
    if (s->written == NULL) { /* pages are at a URL */
        struct output link = {.fd = -1};
        output_printf(&link, "%s%s", s->pages, code->code);
        output_puts(o, ",\"codeDescription\":{\"href\":");
        output_json(o, link.at, link.n);
        output_puts(o, "}");
        output_free(&link);
        return;
    }
    struct output path = {.fd = -1};
    output_printf(&path, "%s/%s.md", s->pages, code->code);
    output_write(&path, "", 1);
    while (jx_code_at(i, &other) && strcmp(other.code, code->code) != 0)
        i++;
    if (s->written[i] || (s->written[i] = write_page(path.at, code))) {
        char *uri = uri_of_path(path.at);
        output_puts(o, ",\"codeDescription\":{\"href\":");
        output_json(o, uri, strlen(uri));
        output_puts(o, "}");
        free(uri);
    }
    output_free(&path);
}
