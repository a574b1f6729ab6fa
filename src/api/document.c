/* SPDX-License-Identifier: Apache-2.0
 *
 * Documents of jaxpr_tools.h: a text in one block, and its module, which is read again as a whole after an edit, so
 * that answers are those of a new module; document_parts.c reads less. */
#include "api/document.h"

struct editing {
    jx_document *document;
    const char *name, *bytes;
    size_t from, to, n;
};

static void
work_new(void *arg)
{
    struct editing *e = arg;
    jx_context *context = e->document->context;
    jx_document *document = mem_zeroed(&context->mem, sizeof *document);
    document->context = context;
    api_own(context, &document->owned, &document->mem);
    e->document = document;
}

static void
work_edit(void *arg)
{
    const struct editing *e = arg;
    jx_document *d = e->document;
    size_t n = d->n - (e->to - e->from) + e->n;
    if (n > d->cap) {
        size_t cap = n > SIZE_MAX / 2 ? n : n + n / 2;
        d->at = mem_resize(&d->mem, d->at, cap);
        d->cap = cap;
    }
    document_note_edit(d, e->from, e->to, e->bytes, e->n);
    if (d->n > e->to)
        memmove(d->at + e->from + e->n, d->at + e->to, d->n - e->to);
    if (e->n > 0)
        memcpy(d->at + e->from, e->bytes, e->n);
    d->n = n;
}

static void
work_begin(void *arg)
{
    struct editing *e = arg;
    e->document->name = arena_copy(&e->document->mem, slice_of(e->name));
    work_edit(e);
}

enum jx_status
jx_document_new(jx_context *context, const char *name, const char *bytes, size_t n, jx_document **document)
{
    if (context == NULL || name == NULL || document == NULL || (bytes == NULL && n > 0))
        return api_misuse(context, "`name`, `bytes` or `document` is NULL");
    jx_document like = {.context = context};
    struct editing e = {.document = &like, .name = name, .bytes = bytes, .n = n};
    *document = NULL;
    if (!api_guard(&context->mem, work_new, &e))
        return JX_OUT_OF_MEMORY;
    if (!api_guard(&e.document->mem, work_begin, &e)) {
        enum jx_status left = api_left(&e.document->mem);
        jx_document_free(e.document);
        return left;
    }
    *document = e.document;
    return JX_OK;
}

static void
forget_module(jx_document *document)
{
    if (document->module != NULL)
        api_free_module(document->module);
    document->module = NULL;
}

enum jx_status
jx_edit(jx_document *document, size_t from, size_t to, const char *bytes, size_t n)
{
    struct editing e = {.document = document, .bytes = bytes, .from = from, .to = to, .n = n};
    if (document == NULL || (bytes == NULL && n > 0))
        return api_misuse(document == NULL ? NULL : document->context, "`bytes` is NULL");
    if (from > to || to > document->n || n > SIZE_MAX - document->n)
        return api_misuse(document->context, "the bytes to replace are not in the text");
    if (!api_guard(&document->mem, work_edit, &e))
        return api_left(&document->mem);
    forget_module(document);
    return JX_OK;
}

struct jx_string
jx_document_text(const jx_document *document)
{
    return document == NULL || document->n == 0 ? (struct jx_string){"", 0}
                                                : (struct jx_string){document->at, document->n};
}

enum jx_status
jx_document_module(jx_document *document, jx_module **module)
{
    if (document == NULL || module == NULL)
        return api_misuse(document == NULL ? NULL : document->context, "`module` is NULL");
    enum jx_status status = JX_OK;
    if (document->module != NULL && document->module->lost)
        forget_module(document);
    if (document->module == NULL)
        status = jx_read(document->context, document->name.at, document->at, document->n, &document->module);
    if (status == JX_OK)
        document->module->owned_elsewhere = true;
    *module = document->module;
    return status;
}

void
jx_document_free(jx_document *document)
{
    if (document == NULL)
        return;
    forget_module(document);
    document_forget_parts(document);
    api_disown(document->context, &document->owned);
    mem_free(&document->context->mem, document);
}
