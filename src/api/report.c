/* SPDX-License-Identifier: Apache-2.0
 *
 * Rendering diagnostics. A report has a pool of its own for the state between two modules; the tables of lines
 * belong to the modules. */
#include "api/api.h"

struct jx_report {
    jx_context *context;
    struct api_owned owned;
    struct mem mem;
    struct sink out;
    struct rendering *document;
    struct jx_render_options options;
    jx_write_fn write;
    void *user;
    bool lost;         /* out of memory during the report: it can only be freed */
    jx_module *module; /* being written */
};

static const struct renderer *const renderers[] = {
    [JX_RENDER_TEXT] = &render_text,   [JX_RENDER_GCC] = &render_gcc,       [JX_RENDER_JSON] = &render_json,
    [JX_RENDER_SARIF] = &render_sarif, [JX_RENDER_GITHUB] = &render_github, [JX_RENDER_GITLAB] = &render_gitlab,
    [JX_RENDER_JUNIT] = &render_junit, [JX_RENDER_JSONL] = &render_jsonl,
};

static void
work_new(void *arg)
{
    jx_report **answer = arg, *like = *answer;
    jx_context *context = like->context;
    jx_report *report = mem_alloc(&context->mem, sizeof *report);
    *report = *like;
    api_own(context, &report->owned, &report->mem);
    *answer = report;
}

static void
work_begin(void *arg)
{
    jx_report *report = arg;
    struct render how = {report->options.color, report->options.max_findings, report->options.rules_fail,
                         report->options.fold, report->options.link};
    sink_init_writer(&report->out, &report->mem, report->write, report->user);
    report->document = document_begin(renderers[report->options.format], &report->out, &report->mem, &how);
}

static void
report_free(jx_report *report)
{
    api_disown(report->context, &report->owned);
    mem_free(&report->context->mem, report);
}

enum jx_status
jx_report_begin(jx_context *context, const struct jx_render_options *options, jx_write_fn write, void *user,
                jx_report **answer)
{
    jx_report like = {.context = context, .write = write, .user = user}, *report = &like;
    if (context == NULL || write == NULL || answer == NULL)
        return api_misuse(context, "`write` or `report` is NULL");
    *answer = NULL;
    enum jx_status status = api_options(context, &like.options, sizeof like.options, options);
    if (status == JX_OK)
        status = api_enum(context, like.options.format, countof(renderers) - 1,
                          "`format` is not an enum "
                          "jx_render_format");
    if (status != JX_OK)
        return status;
    if (!api_guard(&context->mem, work_new, &report))
        return JX_OUT_OF_MEMORY;
    if (!api_guard(&report->mem, work_begin, report)) {
        status = api_left(&report->mem);
        report_free(report);
        return status;
    }
    *answer = report;
    return JX_OK;
}

static void
work_lines(void *arg)
{
    jx_module *module = arg;
    text_position(&module->mem, &module->ir.text, 0);
}

static void
work_add(void *arg)
{
    jx_report *report = arg;
    jx_module *module = report->module;
    document_add(report->document,
                 &(struct report){&module->ir.text, &module->diags, module->stream.n, module->first_program});
    sink_flush(&report->out);
}

enum jx_status
jx_report_add(jx_report *report, jx_module *module)
{
    if (report == NULL || module == NULL)
        return api_misuse(report == NULL ? NULL : report->context, "`module` is NULL");
    if (module->lost || (module->diags.list.n > 0 && api_run(module, work_lines, module) != JX_OK))
        return api_left(&module->mem);
    report->module = module;
    if (report->lost || !api_guard(&report->mem, work_add, report))
        report->lost = true;
    return report->lost ? api_left(&report->mem) : report->out.error != 0 ? JX_WRITE_FAILED : JX_OK;
}

static void
work_end(void *arg)
{
    jx_report *report = arg;
    document_end(report->document);
    sink_flush(&report->out);
}

enum jx_status
jx_report_end(jx_report *report)
{
    if (report == NULL)
        return JX_MISUSE;
    bool done = !report->lost && api_guard(&report->mem, work_end, report);
    enum jx_status status = !done ? api_left(&report->mem) : report->out.error != 0 ? JX_WRITE_FAILED : JX_OK;
    report_free(report);
    return status;
}

enum jx_status
jx_render(jx_context *context, jx_module *const *modules, size_t n, const struct jx_render_options *options,
          jx_write_fn write, void *user)
{
    jx_report *report = NULL;
    if (modules == NULL && n > 0)
        return api_misuse(context, "`modules` is NULL");
    enum jx_status status = jx_report_begin(context, options, write, user, &report);
    if (status != JX_OK)
        return status;
    for (size_t i = 0; i < n && status == JX_OK; i++)
        status = jx_report_add(report, modules[i]);
    enum jx_status ended = jx_report_end(report);
    return status != JX_OK ? status : ended;
}
