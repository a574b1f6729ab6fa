/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr report: a page for the browser on the programs of all files. */
#include "command/command.h"

#include <string.h>

static void
work(struct job *job)
{
    uint32_t number = 1;
    for (int i = 0; i < job->in->n_files && job->in->files[i] != job->path; i++)
        number++;
    const char *path = job->in->value[OPTION_highlight_diff];
    jx_module *other = NULL;
    if (path != NULL && !job_read_other(job, path, &other))
        return;
    enum jx_status status = jx_lint(job->module, NULL, NULL);
    if (status == JX_OK && other != NULL)
        status = jx_page_add_changes(job->module, other, number, JX_PAGE_ALL, output_write, job->out);
    else if (status == JX_OK)
        status = jx_page_add(job->module, number, output_write, job->out);
    if (status != JX_OK && status != JX_WRITE_FAILED)
        job_fail(job, jx_status_text(status));
}

/* the whole page, on the redirected standard output; sets *empty if no file could be read */
static int
write_page(const struct invocation *in, bool *empty)
{
    const char *title = in->value[OPTION_title] != NULL ? in->value[OPTION_title] : "Jaxpr report";
    enum jx_status page = jx_page_begin(title, output_write, &standard_output);
    size_t begun = standard_output.n;
    int status = batch_run(in, work, false, NULL, NULL); /* the page contains the findings */
    *empty = status == EXIT_TROUBLE && standard_output.n == begun;
    page = page == JX_OK ? jx_page_end(output_write, &standard_output) : page;
    if (page != JX_OK && page != JX_WRITE_FAILED) {
        complain("%s", jx_status_text(page));
        status = EXIT_TROUBLE;
    }
    return status;
}

/* True, with a message, if the page would replace a file that it shows. */
static bool
replaces_input(const struct invocation *in, const char *path)
{
    char *other = (char *)in->value[OPTION_highlight_diff];
    struct file_set files, others;
    file_set_fill(&files, in->files, in->n_files);
    file_set_fill(&others, &other, other != NULL);
    bool input = file_set_has(&files, path) || file_set_has(&others, path);
    file_set_free(&files);
    file_set_free(&others);
    if (input)
        complain("%s: " IS_INPUT, path);
    return input;
}

int
command_report(const struct invocation *in)
{
    const char *path = in->value[OPTION_output];
    bool empty;
    if (path == NULL)
        return write_page(in, &empty);
    if (replaces_input(in, path))
        return EXIT_TROUBLE;
    struct output own = standard_output;
    standard_output = (struct output){.fd = -1};
    int status = write_page(in, &empty);
    struct output page = standard_output;
    standard_output = own;
    const char *why = empty ? NULL : file_write(path, page.at, page.n);
    output_free(&page);
    if (why != NULL)
        complain("%s: %s", path, why);
    return why != NULL ? EXIT_TROUBLE : status;
}
