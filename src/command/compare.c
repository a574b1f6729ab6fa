/* SPDX-License-Identifier: Apache-2.0
 *
 * What eq, hash and diff share: the options that widen an identity. */
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *
keys_aside(const struct invocation *in)
{
    const char *keys = in->value[OPTION_ignore_params], *name = in->value[OPTION_ignore_names] != NULL ? "name" : NULL;
    if (keys == NULL && name == NULL)
        return NULL;
    size_t n = (keys != NULL ? strlen(keys) : 0) + sizeof ",name";
    char *both = must_allocate(n);
    snprintf(both, n, "%s%s%s", keys != NULL ? keys : "", keys != NULL && name != NULL ? "," : "",
             name != NULL ? name : "");
    return both;
}

enum jx_status
digests_make(struct job *job)
{
    char *aside = keys_aside(job->in);
    struct jx_compare_options how = {
        .size = sizeof how,
        .dce = job->in->value[OPTION_dce] != NULL,
        .commute = job->in->value[OPTION_commute] != NULL,
        .without = aside,
        .functions = job->in->verb == VERB_dups || job->in->value[OPTION_per_function] != NULL,
    };
    enum jx_status status = jx_digests(job->module, &how);
    free(aside);
    if (status != JX_OK)
        job_fail(job, jx_status_text(status));
    return status;
}
