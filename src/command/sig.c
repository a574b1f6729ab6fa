/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr sig: the in_type and out_type of every program, for people or as one JSON array over all files. */
#include "command/command.h"

#include <string.h>

static const char *const layouts[] = {"text", "json"};
static const char *const modes[] = {"auto", "vars", "symbolic"};

static void
work(struct job *job)
{
    struct jx_signature_options how = {
        .size = sizeof how,
        .dims = (enum jx_dims)option_word(job->in, OPTION_dims, modes, 3),
        .dialect = (enum jx_dialect)dialect_read(job->in),
        .jax = option_version(job->in, OPTION_jax),
        .inputs = job->in->value[OPTION_explicit],
        .outputs = job->in->value[OPTION_explicit_results],
        .nested = job->in->value[OPTION_nested] != NULL,
        .expand = job->in->value[OPTION_expand],
        .json = option_word(job->in, OPTION_layout, layouts, 2) == 1,
    };
    struct jx_read_signature_options read = {
        .size = sizeof read,
        .binders = job->in->value[OPTION_binders] != NULL,
        .results = job->in->value[OPTION_results],
        .implicit = job->in->value[OPTION_implicit],
        .json = how.json,
    };
    how.arrow = read.arrow = !job->in->value[OPTION_in_type] && !how.inputs && !how.outputs && !how.expand;
    bool first = true;
    if (!how.json && job->in->n_files > 1) {
        output_name(job->out, job->name);
        output_puts(job->out, ":\n");
    }
    enum jx_status status =
        job->signatures != NULL
            ? jx_write_read_signatures(job->signatures, &read, job->name, &first, output_write, job->out)
            : jx_write_signatures(job->module, &how, job->name, &first, output_write, job->out);
    if (status != JX_OK && status != JX_WRITE_FAILED)
        job_fail(job, jx_status_text(status));
}

/* Whether every word of a comma-separated list names a way to expand; reports the first that does not. */
static bool
expand_words(const char *p)
{
    static const char *const words[] = {"for",     "for-resizing", "while", "while-resizing", "cond",
                                        "unshare", "inputs",       "index", "ready"};
    while (p != NULL && *p != 0) {
        size_t n = strcspn(p, ","), i = 0;
        while (i < sizeof words / sizeof *words && (strlen(words[i]) != n || memcmp(words[i], p, n) != 0))
            i++;
        if (i == sizeof words / sizeof *words) {
            complain("--expand: expected for, for-resizing, while, while-resizing, cond, unshare, inputs, index or "
                     "ready, got `%.*s`",
                     (int)n, p);
            return false;
        }
        p += n + (p[n] == ',');
    }
    return true;
}

/* Whether an option is missing or a comma-separated list of positions; reports an invalid word. */
static bool
positions(const struct invocation *in, enum option_id option, const char *name)
{
    const char *p = in->value[option];
    size_t digits = 0;
    for (; p != NULL && *p != 0 && strchr("0123456789,", *p) != NULL; p++) {
        digits = *p == ',' ? 0 : digits + 1;
        if (*p == ',' && (p == in->value[option] || p[1] == 0 || p[1] == ','))
            break;
    }
    if (p == NULL || (*p == 0 && digits < 10))
        return true;
    complain("--%s: expected a list of positions such as 0,2, got `%s`", name, in->value[option]);
    return false;
}

int
command_sig(const struct invocation *in)
{
    int layout = option_word(in, OPTION_layout, layouts, 2);
    if (layout < 0 || option_word(in, OPTION_dims, modes, 3) < 0 || dialect_read(in) < 0)
        return EXIT_TROUBLE;
    if (option_version(in, OPTION_jax) == UINT32_MAX)
        return EXIT_TROUBLE;
    if (!expand_words(in->value[OPTION_expand]) || !positions(in, OPTION_explicit, "explicit") ||
        !positions(in, OPTION_explicit_results, "explicit-results"))
        return EXIT_TROUBLE;
    bool made = in->value[OPTION_binders] || in->value[OPTION_results] || in->value[OPTION_implicit];
    if (made && (in->value[OPTION_read] == NULL || layout != 0)) {
        complain("--binders, --results and --implicit need --read, and --format=text");
        return EXIT_TROUBLE;
    }
    if (layout == 0)
        return batch_run(in, work, false, "\n", &standard_error);
    output_puts(&standard_output, "[");
    standard_output.used = false;
    int status = batch_run(in, work, false, ",\n", &standard_error);
    output_puts(&standard_output, "]\n");
    return status;
}
