/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr hash: a digest for every program, in the manner of sha256sum. */
#include "command/command.h"

static void
work(struct job *job)
{
    if (digests_make(job) != JX_OK)
        return;
    uint32_t n = jx_program_count(job->module);
    for (uint32_t i = 0; i < n; i++) {
        struct jx_string digest = jx_digest_at(job->module, i);
        if (digest.n == 0)
            continue;
        output_printf(job->out, "%.*s  %s", (int)digest.n, digest.at, job->name);
        if (i > 0)
            output_printf(job->out, "#%u", (unsigned)(i + 1));
        output_puts(job->out, "\n");
    }
}

int
command_hash(const struct invocation *in)
{
    return batch_run(in, work, false, NULL, &standard_error);
}
