/* SPDX-License-Identifier: Apache-2.0
 *
 * Open documents: their text, and the modules of the programs in it, which are read again when somebody asks after an
 * edit. A file of programs is one module; in text of another kind each program that is found is one. */
#include "lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *
path_of_uri(const char *uri)
{
    if (strncasecmp(uri, "file://", 7) != 0)
        return NULL;
    const char *p = strchr(uri + 7, '/'); /* after the name of the host */
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
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

struct document *
document_new(const char *uri, const char *language, struct jx_string text, bool utf8)
{
    struct document *d = must_allocate(sizeof *d);
    *d = (struct document){.utf8 = utf8, .kind = DOCUMENT_OTHER};
    d->uri = must_copy(uri, strlen(uri));
    d->path = path_of_uri(uri);
    if (strcmp(language, "jaxpr") == 0 || ends_with(uri, ".jaxpr"))
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
forget_parts(struct document *d)
{
    if (d->kind != DOCUMENT_JAXPR)
        for (size_t i = 0; i < d->n_parts; i++)
            jx_module_free(d->parts[i].module);
    jx_module_free(d->annotated);
    d->annotated = NULL;
    d->annotated_read = false;
    d->n_parts = 0;
    d->read = false;
}

void
document_forget(struct document *d)
{
    forget_parts(d);
}

void
document_free(struct document *d)
{
    if (d == NULL)
        return;
    if (d->context != NULL)
        forget_parts(d);
    settings_forget(d);
    jx_context_free(d->context);
    free(d->uri);
    free(d->path);
    free((char *)d->version);
    free(d->lines.at);
    free(d->newlines.at);
    free(d->parts);
    free(d);
}

bool
document_edit(struct document *d, size_t from, size_t to, struct jx_string bytes)
{
    forget_parts(d);
    document_index_edit(d, from, to, bytes);
    if (jx_edit(d->text, from, to, bytes.at, bytes.n) == JX_OK)
        return true;
    d->indexed = false;
    return false;
}

static struct part *
add_part(struct document *d)
{
    if (d->n_parts == d->parts_cap) {
        d->parts_cap = d->parts_cap > 0 ? d->parts_cap * 2 : 4;
        d->parts = must_resize(d->parts, d->parts_cap * sizeof *d->parts);
    }
    d->parts[d->n_parts] = (struct part){.module = NULL};
    return &d->parts[d->n_parts++];
}

/* A text that is read from memory. */
struct reading {
    struct jx_string left;
};

static ptrdiff_t
read_text(void *user, char *into, size_t room)
{
    struct reading *r = user;
    size_t n = r->left.n < room ? r->left.n : room;
    memcpy(into, r->left.at, n);
    r->left.at += n;
    r->left.n -= n;
    return (ptrdiff_t)n;
}

static enum jx_status
find_parts(struct document *d)
{
    struct reading r = {jx_document_text(d->text)};
    const char *name = d->path != NULL ? d->path : d->uri;
    jx_extract *extract = NULL;
    enum jx_status status = jx_extract_begin(d->context, name, read_text, &r, &extract);
    while (status == JX_OK) {
        struct jx_found found;
        jx_module *module;
        status = jx_extract_next(extract, &module, &found);
        if (status != JX_OK || module == NULL)
            break;
        struct part *p = add_part(d);
        p->module = module;
        p->place = found.place;
    }
    jx_extract_end(extract);
    return status;
}

bool
document_read(struct document *d)
{
    if (d->read)
        return true;
    enum jx_status status;
    if (d->kind == DOCUMENT_JAXPR)
        status = jx_document_module(d->text, &add_part(d)->module);
    else
        status = find_parts(d);
    d->read = true;
    if (status != JX_OK)
        forget_parts(d);
    return status == JX_OK;
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

/* reads the text with every type that can be worked out, as a module of the same programs; NULL where none can */
static jx_module *
read_annotated(struct document *d)
{
    struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_ANNOTATE, .splice = true};
    struct output out = {.fd = -1};
    jx_module *module, *annotated = NULL;
    bool fine = jx_document_module(d->text, &module) == JX_OK &&
                jx_normalize(module, &how, output_write, &out, NULL) == JX_OK &&
                jx_read(d->context, "", out.at != NULL ? out.at : "", out.n, &annotated) == JX_OK;
    output_free(&out);
    return fine ? annotated : NULL;
}

struct jx_string
annotated_type(struct document *d, const struct part *p, const struct jx_site *site)
{
    struct jx_variable v, own;
    bool binds = site->part == JX_PART_BINDER;
    if (d->kind != DOCUMENT_JAXPR)
        return (struct jx_string){"", 0};
    if (!d->annotated_read)
        d->annotated = read_annotated(d);
    d->annotated_read = true;
    bool found = d->annotated != NULL && (binds ? jx_binder_at(d->annotated, site->id, site->index, &v) &&
                                                      jx_binder_at(p->module, site->id, site->index, &own)
                                                : jx_result_at(d->annotated, site->id, site->index, &v) &&
                                                      jx_result_at(p->module, site->id, site->index, &own));
    bool same = found && v.name.n == own.name.n && memcmp(v.name.at, own.name.at, v.name.n) == 0;
    return same ? v.type : (struct jx_string){"", 0};
}
