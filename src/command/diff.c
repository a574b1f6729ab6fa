/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr diff: what changed from the programs of one file to those of another. */
#include "command/command.h"

#include <string.h>
#include <unistd.h>

/* A file read for a comparison. */
struct side {
    struct source source;
    jx_module *module;
    const char *name;
};

static bool
side_read(struct side *side, jx_context *context, const struct invocation *in, int i)
{
    const char *path = in->files[i], *stdin_name = in->value[OPTION_stdin_filename];
    enum jx_status status = JX_READ_FAILED;
    side->name = strcmp(path, "-") != 0 ? path : stdin_name != NULL ? stdin_name : "<stdin>";
    if (source_open(&side->source, path))
        status = jx_read_from(context, side->name, source_read, &side->source, side->source.expected, &side->module);
    if (status != JX_OK)
        complain("%s: %s", side->name, status == JX_READ_FAILED ? strerror(side->source.error) : jx_status_text(status));
    source_close(&side->source);
    return status == JX_OK;
}

/* Says what is wrong with the programs; true when nothing is. */
static bool
report(const struct invocation *in, jx_context *context, struct side *sides)
{
    jx_module *modules[2] = {sides[0].module, sides[1].module};
    uint32_t errors = jx_diagnostic_count(modules[0], JX_ERROR) + jx_diagnostic_count(modules[1], JX_ERROR);
    struct jx_render_options how = {.size = sizeof how, .color = color_wanted(in, STDERR_FILENO)};
    if (errors > 0 && in->value[OPTION_quiet] == NULL) {
        output_flush(&standard_output);
        jx_render(context, modules, 2, &how, output_write, &standard_error);
    }
    return errors == 0;
}

static enum jx_diff_form
form_of(const struct invocation *in, int layout)
{
    return in->value[OPTION_stat] != NULL        ? JX_DIFF_STAT
           : in->value[OPTION_signature] != NULL ? JX_DIFF_SIGNATURE
           : layout == 1                         ? JX_DIFF_JSON
                                                 : JX_DIFF_TEXT;
}

static int
ignore(void *user, const char *bytes, size_t n)
{
    (void)user;
    (void)bytes;
    (void)n;
    return 0;
}

/* Compares two files that could be read. */
static int
compare(const struct invocation *in, jx_context *context, struct side *sides, int layout)
{
    struct jx_diff_options how = {
        .size = sizeof how,
        .format = form_of(in, layout),
        .color = color_wanted(in, STDOUT_FILENO),
        .first = in->value[OPTION_first] != NULL,
        .without = in->value[OPTION_ignore_params],
    };
    struct jx_diff_counts counts;
    bool quiet = in->value[OPTION_quiet] != NULL;
    enum jx_status status = jx_diff(sides[0].module, sides[1].module, &how, &counts, quiet ? ignore : output_write,
                                    &standard_output);
    if (status != JX_OK && status != JX_WRITE_FAILED) {
        complain("%s", jx_status_text(status));
        return EXIT_TROUBLE;
    }
    bool fine = report(in, context, sides);
    uint32_t n = jx_program_count(sides[0].module), m = jx_program_count(sides[1].module);
    if (n != m && !quiet)
        complain("%s has %u programs, %s has %u", sides[0].name, (unsigned)n, sides[1].name, (unsigned)m);
    bool same = counts.changed + counts.added + counts.removed + counts.moved + counts.interface == 0 && n == m;
    return same && fine ? EXIT_CLEAN : EXIT_FINDINGS;
}

int
command_diff(const struct invocation *in)
{
    static const char *const layouts[] = {"text", "json"};
    int layout = option_word(in, OPTION_diff_layout, layouts, 2);
    if (in->n_files != 2) {
        complain("diff compares two files");
        return EXIT_TROUBLE;
    }
    if (layout < 0)
        return EXIT_TROUBLE;
    jx_context *context = jx_context_new(NULL);
    if (context == NULL) {
        complain("%s", jx_status_text(JX_OUT_OF_MEMORY));
        return EXIT_TROUBLE;
    }
    struct side sides[2];
    memset(sides, 0, sizeof sides);
    int status = EXIT_TROUBLE;
    if (side_read(&sides[0], context, in, 0) && side_read(&sides[1], context, in, 1))
        status = compare(in, context, sides, layout);
    jx_context_free(context);
    return status == EXIT_FINDINGS && in->value[OPTION_exit_zero] != NULL ? EXIT_CLEAN : status;
}
