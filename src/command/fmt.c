/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr fmt: programs laid out as JAX prints them. Standard output gets every program, unchanged where it cannot be
 * read; -w, -l, -d and --check compare a file with its layout, and leave a file with errors alone. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

/* Whether the layout is compared with what was read, not printed. */
static bool
compares(const struct invocation *in)
{
    return in->value[OPTION_write] != NULL || in->value[OPTION_list] != NULL || in->value[OPTION_diff] != NULL ||
           in->value[OPTION_check] != NULL;
}

static void
found(struct job *job)
{
    job->status = job->status > EXIT_FINDINGS ? job->status : EXIT_FINDINGS;
}

static void
show_diff(struct job *job, struct input formatted)
{
    size_t length = strlen(job->name);
    char *old_name = must_allocate(length + sizeof ".orig");
    memcpy(old_name, job->name, length);
    memcpy(old_name + length, ".orig", sizeof ".orig");
    unified_diff(job->out, old_name, job->name, job->source.kept, formatted);
    free(old_name);
}

/* Does what the options require for a file whose layout differs. */
static void
report_difference(struct job *job, const struct output *formatted)
{
    if (job_given(job, OPTION_list))
        output_printf(job->out, "%s\n", job->name);
    if (job_given(job, OPTION_diff))
        show_diff(job, (struct input){formatted->at, formatted->n});
    if (job_given(job, OPTION_check) && !job_given(job, OPTION_quiet))
        output_complain(job->err, "%s: not laid out as JAX prints it", job->name);
    if (job_given(job, OPTION_write)) {
        const char *why = file_replace(job->path, &job->source.was, formatted->at, formatted->n);
        if (why != NULL)
            job_fail(job, why);
    } else {
        found(job);
    }
}

static void
work(struct job *job)
{
    struct jx_format_options how = {
        .size = sizeof how,
        .width = option_number(job->in, OPTION_width, 0),
        .strip_comments = job_given(job, OPTION_strip_comments),
    };
    bool compare = compares(job->in);
    struct output formatted = {.fd = -1};
    if (compare && jx_diagnostic_count(job->module, JX_ERROR) > 0)
        return;
    uint32_t jax = option_version(job->in, OPTION_jax);
    struct jx_normal_options spelled = {.size = sizeof spelled,
                                        .passes = JX_PASS_SPELL,
                                        .jax = jax,
                                        .in_place = true,
                                        .max_output = option_number(job->in, OPTION_max_output, 0)};
    bool color = programs_colored(job->in);
    struct output *out = compare || color ? &formatted : job->out;
    enum jx_status status = jax ? jx_normalize(job->module, &spelled, output_write, out, NULL)
                                : jx_format(job->module, &how, output_write, out);
    if (status != JX_OK && status != JX_WRITE_FAILED)
        job_fail(job, jx_status_text(status));
    else if (compare && jx_diagnostic_count(job->module, JX_ERROR) == 0 && /* programs with errors were not formatted */
             (formatted.n != job->source.kept.n ||
              (formatted.n > 0 && memcmp(formatted.at, job->source.kept.at, formatted.n) != 0)))
        report_difference(job, &formatted);
    if (color && jx_write_colored(formatted.at, formatted.n, output_writer(true), job->out) != JX_OK)
        job_fail(job, jx_status_text(JX_WRITE_FAILED));
    output_free(&formatted);
}

int
command_fmt(const struct invocation *in)
{
    if (in->value[OPTION_width] != NULL && option_number(in, OPTION_width, 0) == 0) {
        complain("--width must be at least 1");
        return EXIT_TROUBLE;
    }
    if (option_version(in, OPTION_jax) == UINT32_MAX)
        return EXIT_TROUBLE;
    if (in->value[OPTION_jax] != NULL &&
        (in->value[OPTION_width] != NULL || in->value[OPTION_strip_comments] != NULL)) {
        complain("--jax cannot be used with --width or --strip-comments");
        return EXIT_TROUBLE;
    }
    for (int i = 0; in->value[OPTION_write] != NULL && i < in->n_files; i++) {
        if (strcmp(in->files[i], "-") == 0) {
            complain("--write needs files, not standard input");
            return EXIT_TROUBLE;
        }
    }
    return batch_run(in, work, compares(in), NULL, &standard_error);
}
