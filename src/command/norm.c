/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr norm: programs after passes, or in their canonical form. */
#include "command/command.h"

#include <string.h>

/* The passes that -p names, or UINT_MAX (said on stderr) for a word that is none. */
static unsigned
passes_read(const struct invocation *in)
{
    const char *p = in->value[OPTION_pass];
    unsigned passes = 0;
    while (p != NULL && *p != 0) {
        size_t n = strcspn(p, ",");
        unsigned pass = jx_pass_find(p, n);
        if (pass == 0) {
            complain("--pass: `%.*s` is no pass", (int)n, p);
            return ~0u;
        }
        passes |= pass;
        p += n + (p[n] == ',');
    }
    return passes;
}

static void
work(struct job *job)
{
    struct jx_normal_options how = {
        .size = sizeof how,
        .passes = passes_read(job->in),
        .count = option_number(job->in, OPTION_count, 0),
        .jax = option_version(job->in, OPTION_jax),
        .never_share = job->in->value[OPTION_never_share] != NULL,
    };
    enum jx_status status = jx_normalize(job->module, &how, output_write, job->out);
    if (status != JX_OK && status != JX_WRITE_FAILED) {
        output_printf(job->err, "jaxpr: %s: %s\n", job->name, jx_status_text(status));
        job->status = EXIT_TROUBLE;
    }
}

int
command_norm(const struct invocation *in)
{
    if (passes_read(in) == ~0u)
        return EXIT_TROUBLE;
    if (option_version(in, OPTION_jax) == UINT32_MAX) {
        complain("--jax: `%s` is not a version, such as 0.4.28", in->value[OPTION_jax]);
        return EXIT_TROUBLE;
    }
    return batch_run(in, work, false, NULL, &standard_error);
}
