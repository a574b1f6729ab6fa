/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr check: every error of every program, on standard output. */
#include "command/command.h"

/* in the order of enum jx_dialect and enum jx_dims */
static const char *const dialects[] = {"auto", "jax", "catalyst", "catalyst-g1", "catalyst-g0", "pennylane"};
static const char *const dims[] = {"auto", "vars", "symbolic"};

static void
work(struct job *job)
{
    struct jx_check_options how = {
        .size = sizeof how,
        .strict = job->in->value[OPTION_strict] != NULL,
        .as_jax = job->in->value[OPTION_as_jax] != NULL,
        .dialect = (enum jx_dialect)option_word(job->in, OPTION_dialect, dialects, 6),
        .dims = (enum jx_dims)option_word(job->in, OPTION_dims, dims, 3),
    };
    enum jx_status status = jx_check(job->module, &how);
    if (status != JX_OK) {
        output_printf(job->err, "jaxpr: %s: %s\n", job->name, jx_status_text(status));
        job->status = EXIT_TROUBLE;
    }
}

int
command_check(const struct invocation *in)
{
    if (option_word(in, OPTION_dialect, dialects, 6) < 0 || option_word(in, OPTION_dims, dims, 3) < 0)
        return EXIT_TROUBLE;
    return batch_run(in, work, false, NULL, &standard_output);
}
