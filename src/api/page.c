/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports for the browser behind jaxpr.h: a page is begun, modules are added, and it is ended. */
#include "api/api.h"

#include "report/page.h"

struct paging {
    jx_module *module;
    const char *title;
    u32 number;
    struct mem mem; /* of the frame of the page */
    struct sink out;
    jx_write_fn write;
    void *user;
    int error;
};

static void
work_begin(void *arg)
{
    struct paging *w = arg;
    html_begin(&w->out, slice_of(w->title));
    w->error = sink_flush(&w->out);
}

static void
work_end(void *arg)
{
    struct paging *w = arg;
    html_end(&w->out);
    w->error = sink_flush(&w->out);
}

static enum jx_status
paging_status(bool done, const struct paging *w)
{
    return !done ? JX_OUT_OF_MEMORY : w->error != 0 ? JX_WRITE_FAILED : JX_OK;
}

/* writes a part of the frame, with a pool of its own */
static enum jx_status
write_frame(struct paging *w, void (*work)(void *))
{
    mem_init(&w->mem, NULL);
    sink_init_writer(&w->out, &w->mem, w->write, w->user);
    bool done = lib_guard(&w->mem, work, w);
    mem_drop(&w->mem);
    return paging_status(done, w);
}

enum jx_status
jx_page_begin(const char *title, jx_write_fn write, void *user)
{
    return write_frame(&(struct paging){.title = title, .write = write, .user = user}, work_begin);
}

enum jx_status
jx_page_end(jx_write_fn write, void *user)
{
    return write_frame(&(struct paging){.write = write, .user = user}, work_end);
}

static void
work_page(void *arg)
{
    struct paging *w = arg;
    jx_module *module = w->module;
    lib_sort_diagnostics(module);
    sink_init_writer(&w->out, &module->mem, w->write, w->user);
    page_module(&w->out, &module->ir, &module->diags, module->stream.at, module->stream.n, w->number);
    w->error = sink_close(&w->out);
}

enum jx_status
jx_page_add(jx_module *module, uint32_t number, jx_write_fn write, void *user)
{
    struct paging w = {.module = module, .number = number, .write = write, .user = user};
    enum jx_status status = jx_check(module, NULL);
    if (status == JX_OK)
        status = lib_run(module, work_page, &w);
    return status == JX_OK && w.error != 0 ? JX_WRITE_FAILED : status;
}
