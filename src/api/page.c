/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports for the browser behind jaxpr.h: a page is begun, modules are added, and it is ended. */
#include "api/api.h"

#include "report/page.h"

struct paging {
    jx_module *module;
    const char *title;
    u32 number;
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
    api_sort_diagnostics(module);
    page_module(&w->out, &module->ir, &module->diags, module->stream.at, module->stream.n, w->number);
}

enum jx_status
jx_page_add(jx_module *module, uint32_t number, jx_write_fn write, void *user)
{
    struct paging w = {.module = module, .number = number};
    enum jx_status status = api_intact(module);
    status = status == JX_OK ? api_checked(module) : status;
    return status == JX_OK ? api_write(module, &w.out, write, user, work_page, &w) : status;
}
