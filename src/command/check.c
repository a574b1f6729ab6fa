/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr check: every error of every program, on standard output. */
#include "command/command.h"

static void
work(struct job *job)
{
    enum jx_status status = jx_check(job->module, NULL);
    if (status != JX_OK) {
        output_printf(job->err, "jaxpr: %s: %s\n", job->name, jx_status_text(status));
        job->status = EXIT_TROUBLE;
    }
}

int
command_check(const struct invocation *in)
{
    return batch_run(in, work, NULL, &standard_output);
}
