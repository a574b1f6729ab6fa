/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr report: a page for the browser on the programs of all files. */
#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void
work(struct job *job)
{
    uint32_t number = 1;
    for (int i = 0; i < job->in->n_files && job->in->files[i] != job->path; i++)
        number++;
    enum jx_status status = jx_lint(job->module, NULL);
    if (status == JX_OK)
        status = jx_page_add(job->module, number, output_write, job->out);
    if (status != JX_OK && status != JX_WRITE_FAILED) {
        output_complain(job->err, "%s: %s", job->name, jx_status_text(status));
        job->status = EXIT_TROUBLE;
    }
}

/* the whole page, to standard output as it is directed now */
static int
write_page(const struct invocation *in)
{
    const char *title = in->value[OPTION_title] != NULL ? in->value[OPTION_title] : "Jaxpr report";
    jx_page_begin(title, output_write, &standard_output);
    int status = batch_run(in, work, false, NULL, NULL); /* the page tells the findings */
    jx_page_end(output_write, &standard_output);
    return status;
}

int
command_report(const struct invocation *in)
{
    const char *path = in->value[OPTION_output];
    if (path == NULL)
        return write_page(in);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), own = standard_output.fd;
    if (fd < 0) {
        complain("%s: %s", path, strerror(errno));
        return EXIT_TROUBLE;
    }
    standard_output.fd = fd;
    int status = write_page(in);
    int error = output_flush(&standard_output) ? 0 : standard_output.error;
    if (close(fd) != 0 && error == 0)
        error = errno;
    standard_output.fd = own;
    standard_output.error = 0;
    standard_output.n = 0;
    if (error != 0) {
        complain("%s: %s", path, strerror(error));
        return EXIT_TROUBLE;
    }
    return status;
}
