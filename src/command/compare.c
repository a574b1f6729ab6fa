/* SPDX-License-Identifier: Apache-2.0
 *
 * What eq and hash share: the options that widen an identity. */
#include "command/command.h"

enum jx_status
digests_make(struct job *job)
{
    struct jx_compare_options how = {
        .size = sizeof how,
        .dce = job->in->value[OPTION_dce] != NULL,
        .commute = job->in->value[OPTION_commute] != NULL,
        .without = job->in->value[OPTION_ignore_params],
        .functions = job->in->verb == VERB_dups || job->in->value[OPTION_per_function] != NULL,
    };
    enum jx_status status = jx_digests(job->module, &how);
    if (status != JX_OK) {
        output_printf(job->err, "jaxpr: %s: %s\n", job->name, jx_status_text(status));
        job->status = EXIT_TROUBLE;
    }
    return status;
}
