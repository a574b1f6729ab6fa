/* SPDX-License-Identifier: Apache-2.0
 *
 * The HTML reports of jaxpr_tools.h: a page is begun, modules are added, and it is ended. */
#include "api/changes.h"

#include "report/page.h"

struct paging {
    jx_module *module;
    const char *title;
    u32 number;
    unsigned parts;
    jx_module *other, *renamed; /* a renamed copy of the other program, made by a comparison */
    struct sink out;
};

static void
work_begin(void *arg)
{
    struct paging *w = arg;
    html_begin(&w->out, slice_of(w->title));
}

static void
work_end(void *arg)
{
    struct paging *w = arg;
    html_end(&w->out);
}

enum jx_status
jx_page_begin(const char *title, jx_write_fn write, void *user)
{
    struct paging w = {.title = title};
    if (title == NULL)
        return JX_MISUSE;
    return api_write_alone(&w.out, write, user, work_begin, &w);
}

enum jx_status
jx_page_end(jx_write_fn write, void *user)
{
    struct paging w = {0};
    return api_write_alone(&w.out, write, user, work_end, &w);
}

static void
work_page(void *arg)
{
    struct paging *w = arg;
    jx_module *module = w->module;
    struct api_changes changes = {0};
    if (w->other) {
        w->other->mem.oom = w->renamed->mem.oom = module->mem.oom;
        api_compare(module, w->renamed, &changes);
    }
    api_sort_diagnostics(module);
    struct page_changes shown = {changes.marks, changes.removed.at, changes.removed.n, changes.summary, NULL, NULL, 0};
    if (w->other) {
        shown.other = &w->other->ir;
        shown.stream = w->other->stream.at;
        shown.n_stream = w->other->stream.n;
    }
    struct page page = {.out = &w->out, .m = &module->ir, .diags = &module->diags, .number = w->number};
    page.parts = w->parts;
    page.changes = w->other ? &shown : NULL;
    page_module(&page, module->stream.at, module->stream.n);
}

_Static_assert(JX_PAGE_FINDINGS == (unsigned)PAGE_FINDINGS && JX_PAGE_COSTS == (unsigned)PAGE_COSTS &&
                   JX_PAGE_PICTURES == (unsigned)PAGE_PICTURES && JX_PAGE_LISTING == (unsigned)PAGE_LISTING &&
                   JX_PAGE_SUMMARY == (unsigned)PAGE_SUMMARY && JX_PAGE_ALL == (unsigned)PAGE_ALL,
               "parts are those of the report");

enum jx_status
jx_page_add_parts(jx_module *module, uint32_t number, unsigned parts, jx_write_fn write, void *user)
{
    struct paging w = {.module = module, .number = number, .parts = parts};
    enum jx_status status = api_intact(module);
    if (status == JX_OK && (parts == 0 || (parts & ~(unsigned)PAGE_ALL)))
        return api_misuse(module->context, "`parts` is 0 or has bits that are not an enum jx_page_part");
    status = status == JX_OK ? api_checked(module) : status;
    return status == JX_OK ? api_write(module, &w.out, write, user, work_page, &w) : status;
}

enum jx_status
jx_page_add(jx_module *module, uint32_t number, jx_write_fn write, void *user)
{
    return jx_page_add_parts(module, number, PAGE_ALL, write, user);
}

enum jx_status
jx_page_add_changes(jx_module *module, jx_module *other, uint32_t number, unsigned parts, jx_write_fn write, void *user)
{
    struct paging w = {.module = module, .other = other, .number = number, .parts = parts};
    if (module == NULL || other == NULL || other == module)
        return api_misuse(module ? module->context : NULL, "`other` is NULL, or `module` itself");
    if (parts == 0 || (parts & ~(unsigned)PAGE_ALL))
        return api_misuse(module->context, "`parts` is 0 or has bits that are not an enum jx_page_part");
    if (api_intact(module) != JX_OK || api_intact(other) != JX_OK)
        return api_misuse(module->context, "the programs of a module were changed in place by an earlier call; read "
                                           "the text again");
    enum jx_status status = api_checked(module);
    if (status == JX_OK)
        status = api_checked(other);
    if (status == JX_OK)
        status = api_copy(other, &w.renamed);
    if (status != JX_OK)
        return status;
    status = api_write(module, &w.out, write, user, work_page, &w);
    api_free_module(w.renamed);
    return status;
}
