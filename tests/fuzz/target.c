/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the targets share. Running out of memory is not a finding, but aborts, too. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

int
keep_written(void *written, const char *bytes, size_t n)
{
    struct written *w = written;
    if (w->cap - w->n < n) {
        w->cap = (w->n + n) * 2;
        w->at = realloc(w->at, w->cap);
        if (w->at == NULL)
            abort();
    }
    if (n > 0)
        memcpy(w->at + w->n, bytes, n);
    w->n += n;
    return 0;
}

jx_context *
must_make_context(void)
{
    jx_context *context = jx_context_new(NULL);
    if (context == NULL)
        abort();
    return context;
}

void
must_be_ok(enum jx_status status, const char *what)
{
    if (status == JX_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, jx_status_text(status));
    abort();
}

jx_module *
must_read(jx_context *context, const char *bytes, size_t n)
{
    jx_module *module;
    must_be_ok(jx_read(context, "fuzz.jaxpr", bytes, n, &module), "read");
    return module;
}

void
broken_promise(const char *promise, const char *bytes, size_t n)
{
    fprintf(stderr, "violated: %s\n<<<\n%.*s\n>>>\n", promise, (int)(n < 65536 ? n : 65536), bytes);
    abort();
}

void
must_equal(const char *promise, const struct written *want, const struct written *got)
{
    if (want->n == got->n && (want->n == 0 || memcmp(want->at, got->at, want->n) == 0))
        return;
    fprintf(stderr, "first:\n%.*s\n", (int)want->n, want->n > 0 ? want->at : "");
    broken_promise(promise, got->at, got->n);
}

ptrdiff_t
read_piece(void *pieces, char *into, size_t room)
{
    struct pieces *p = pieces;
    p->seed = p->seed * 1103515245 + 12345;
    size_t n = 1 + (p->seed >> 16) % 700;
    n = n < room ? n : room;
    n = n < p->n ? n : p->n;
    if (n > 0) {
        memcpy(into, p->bytes, n);
        p->bytes += n;
        p->n -= n;
    }
    return (ptrdiff_t)n;
}

void
render(jx_context *context, jx_module *module, enum jx_render_format format, struct written *out)
{
    struct jx_render_options how = {.size = sizeof how, .format = format, .color = format == JX_RENDER_TEXT};
    must_be_ok(jx_render(context, &module, 1, &how, keep_written, out), "render");
}

static bool
parse_json(yajl_handle parser, const char *bytes, size_t n)
{
    return n == 0 || yajl_parse(parser, (const unsigned char *)bytes, n) == yajl_status_ok;
}

void
must_be_json(const char *promise, const struct written *text, enum json_form form)
{
    yajl_handle parser = yajl_alloc(NULL, NULL, NULL);
    if (parser == NULL)
        abort();
    yajl_config(parser, yajl_allow_multiple_values, form == JSON_LINES ? 1 : 0);
    bool good = form == JSON_LINES && text->n == 0;
    if (!good)
        good = parse_json(parser, "[", form == JSON_ITEMS) && parse_json(parser, text->at, text->n) &&
               parse_json(parser, "]", form == JSON_ITEMS) && yajl_complete_parse(parser) == yajl_status_ok;
    yajl_free(parser);
    if (!good)
        broken_promise(promise, text->at, text->n);
}

struct written
formatted(const char *bytes, size_t n, uint32_t width)
{
    struct written out = {0};
    struct jx_format_options how = {.size = sizeof how, .width = width};
    jx_context *context = must_make_context();
    must_be_ok(jx_format(must_read(context, bytes, n), &how, keep_written, &out), "format");
    jx_context_free(context);
    return out;
}

const struct target targets[TARGET_COUNT] = {
#define X(name) {#name, target_##name},
    TARGETS(X)
#undef X
};

const struct target *
target_find(const char *name)
{
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}

struct written
file_bytes(const char *path)
{
    struct written w = {0};
    char some[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    while ((n = fread(some, 1, sizeof some, f)) > 0)
        keep_written(&w, some, n);
    fclose(f);
    return w;
}
