/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr json: one array over all files, with an object for each program. */
#include "command/command.h"

static void
work(struct job *job)
{
    bool first = true;
    enum jx_status status = jx_write_json(job->module, &first, output_write, job->out);
    if (status != JX_OK && status != JX_WRITE_FAILED)
        job_fail(job, jx_status_text(status));
}

int
command_json(const struct invocation *in)
{
    return batch_run_json(in, work);
}
