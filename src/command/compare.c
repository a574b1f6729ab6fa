/* SPDX-License-Identifier: Apache-2.0
 *
 * What eq, hash, diff and norm share: the options that widen an identity, and the names of passes. */
#include "command/command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports that n bytes name no pass, and suggests a similar one or lists all. Returns ~0u. */
static unsigned
unknown_pass(const char *word, size_t n)
{
    const char *names[sizeof(unsigned) * CHAR_BIT];
    char written[40], all[400] = "";
    size_t count = 0;
    while (count < sizeof names / sizeof *names && (names[count] = jx_pass_at((uint32_t)count)) != NULL) {
        size_t end = strlen(all);
        snprintf(all + end, sizeof all - end, "%s%s", count ? ", " : "", names[count]);
        count++;
    }
    snprintf(written, sizeof written, "%.*s", (int)n, word);
    const char *nearest = jx_nearest(written, names, count);
    if (nearest != NULL)
        complain("--pass: `%s` is not a pass; did you mean `%s`?", written, nearest);
    else
        complain("--pass: `%s` is not a pass; the passes are %s", written, all);
    return ~0u;
}

unsigned
passes_read(const struct invocation *in, enum option_id option)
{
    const char *p = in->value[option];
    unsigned passes = 0;
    while (p != NULL && *p != 0) {
        size_t n = strcspn(p, ",");
        unsigned pass = jx_pass_find(p, n);
        if (pass == 0)
            return unknown_pass(p, n);
        passes |= pass;
        p += n + (p[n] == ',');
    }
    return passes;
}

char *
ignored_keys(const struct invocation *in)
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

struct jx_normal_options
cure_options(void)
{
    return (struct jx_normal_options){
        .size = sizeof(struct jx_normal_options),
        .passes = JX_PASS_REPAIR | JX_PASS_CAPTURES | JX_PASS_PAD_BRANCHES | JX_PASS_ANNOTATE,
        .splice = true,
    };
}

struct jx_compare_options
compare_options(const struct invocation *in, char **ignored)
{
    *ignored = ignored_keys(in);
    return (struct jx_compare_options){
        .size = sizeof(struct jx_compare_options),
        .dce = in->value[OPTION_dce] != NULL,
        .commute = in->value[OPTION_commute] != NULL,
        .without = *ignored,
        .functions = in->verb == VERB_dups || in->value[OPTION_per_function] != NULL,
        .in_place = true,
    };
}

jx_digest_list *
digests_make(struct job *job)
{
    char *ignored;
    struct jx_compare_options how = compare_options(job->in, &ignored);
    jx_digest_list *list;
    enum jx_status status = jx_digests(job->module, &how, &list);
    free(ignored);
    if (status != JX_OK)
        job_fail(job, jx_status_text(status));
    return list;
}
