/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr eq: whether two files have the same programs. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

/* The digests of one file, each followed by a NUL. */
struct side {
    char **digests;
    uint32_t n;
};

static struct side sides[2];

/* stores the text as fmt prints it, instead of digests */
static void
keep_text(struct job *job, struct side *side)
{
    struct jx_format_options how = {.size = sizeof how};
    struct output text = {.fd = -1};
    if (jx_format(job->module, &how, output_write, &text) != JX_OK) {
        job->status = EXIT_TROUBLE;
    } else {
        side->n = 1;
        side->digests = must_allocate(sizeof *side->digests);
        side->digests[0] = must_copy(text.n > 0 ? text.at : "", text.n);
    }
    output_free(&text);
}

static void
work(struct job *job)
{
    struct side *side = &sides[job->path != job->in->files[0]];
    if (job->in->value[OPTION_exact] != NULL) {
        keep_text(job, side);
        return;
    }
    jx_digest_list *list = digests_make(job);
    if (list == NULL)
        return;
    side->n = jx_program_count(job->module);
    side->digests = must_allocate((side->n + 1) * sizeof *side->digests);
    for (uint32_t i = 0; i < side->n; i++) {
        struct jx_string digest = jx_digest_at(list, i);
        side->digests[i] = must_copy(digest.at, digest.n);
    }
    jx_digest_list_free(list);
}

/* Compares the sides; true if they are equal. */
static bool
compare(const struct invocation *in)
{
    uint32_t most = sides[0].n > sides[1].n ? sides[0].n : sides[1].n;
    bool same = true;
    for (uint32_t i = 0; i < most; i++) {
        bool both = i < sides[0].n && i < sides[1].n;
        if (both && strcmp(sides[0].digests[i], sides[1].digests[i]) == 0 && sides[0].digests[i][0] != 0)
            continue;
        same = false;
        if (in->value[OPTION_quiet] != NULL)
            break;
        if (!both) {
            output_printf(&standard_output, "program %u is only in ", (unsigned)(i + 1));
            output_name(&standard_output, in->files[i < sides[0].n ? 0 : 1]);
            output_puts(&standard_output, "\n");
        } else if (in->value[OPTION_exact] != NULL) {
            output_printf(&standard_output, "the texts differ\n");
        } else if (sides[0].digests[i][0] != 0 && sides[1].digests[i][0] != 0) { /* else its errors were reported */
            output_printf(&standard_output, "program %u differs\n", (unsigned)(i + 1));
        }
    }
    return same;
}

/* prints the lines in which the texts differ, or the first difference of the programs; returns an exit status */
static int
print_difference(const struct invocation *in)
{
    if (in->value[OPTION_quiet] != NULL)
        return EXIT_FINDINGS;
    if (in->value[OPTION_exact] == NULL) {
        struct invocation first = *in;
        first.value[OPTION_first] = "";
        return command_diff(&first);
    }
    char *from = sides[0].digests[0], *to = sides[1].digests[0];
    unified_diff(&standard_output, in->files[0], in->files[1], (struct input){from, strlen(from)},
                 (struct input){to, strlen(to)});
    return EXIT_FINDINGS;
}

int
command_eq(const struct invocation *in)
{
    if (!two_files(in))
        return EXIT_TROUBLE;
    if (in->value[OPTION_exact] != NULL &&
        (in->value[OPTION_dce] != NULL || in->value[OPTION_commute] != NULL || in->value[OPTION_ignore_names] != NULL ||
         in->value[OPTION_ignore_params] != NULL)) {
        complain("--exact compares texts: it cannot be used with --dce, --commute, --ignore-names or --ignore-params");
        return EXIT_TROUBLE;
    }
    int status = batch_run(in, work, false, NULL, &standard_error);
    if (status == EXIT_CLEAN && !compare(in)) {
        status = EXIT_FINDINGS;
        if (in->value[OPTION_verbose] != NULL && print_difference(in) == EXIT_TROUBLE)
            status = EXIT_TROUBLE;
    }
    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < sides[i].n; k++)
            free(sides[i].digests[k]);
        free(sides[i].digests);
    }
    return status;
}
