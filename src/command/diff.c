/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr diff: what changed from the programs of one file to those of another. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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
        complain("%s: %s", side->name,
                 status == JX_READ_FAILED ? strerror(side->source.error) : jx_status_text(status));
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

static int
ignore(void *user, const char *bytes, size_t n)
{
    (void)user;
    (void)bytes;
    (void)n;
    return 0;
}

/* Columns of the terminal, or as many as COLUMNS says. */
static uint32_t
terminal_columns(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int n = columns != NULL && strlen(columns) < 6 ? (int)strtol(columns, NULL, 10) : 0;
    if (n <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        n = size.ws_col;
    return n >= 40 ? (uint32_t)n : n > 0 ? 40 : 132;
}

static struct jx_diff_options
options_of(const struct invocation *in, int layout, const char *aside)
{
    struct jx_diff_options how = {
        .size = sizeof how,
        .format = layout == 1                      ? JX_DIFF_JSON
                  : in->value[OPTION_stat] != NULL ? JX_DIFF_STAT
                                                   : JX_DIFF_TEXT,
        .color = color_wanted(in, STDOUT_FILENO),
        .first = in->value[OPTION_first] != NULL,
        .interface = in->value[OPTION_interface] != NULL,
        .without = aside,
        .dce = in->value[OPTION_dce] != NULL,
        .commute = in->value[OPTION_commute] != NULL,
    };
    uint32_t context = option_number(in, OPTION_context, 3);
    how.context = context < UINT32_MAX ? context + 1 : context;
    uint32_t columns = option_number(in, OPTION_columns, terminal_columns());
    if (in->value[OPTION_side_by_side] != NULL)
        how.columns = columns > 0 ? columns : 1; /* as few as there can be */
    return how;
}

/* Compares two files that could be read. */
static int
compare(const struct invocation *in, jx_context *context, struct side *sides, int layout)
{
    char *aside = keys_aside(in);
    struct jx_diff_options how = options_of(in, layout, aside);
    struct jx_diff_counts counts;
    bool quiet = in->value[OPTION_quiet] != NULL;
    enum jx_status status =
        jx_diff(sides[0].module, sides[1].module, &how, &counts, quiet ? ignore : output_write, &standard_output);
    free(aside);
    if (status != JX_OK && status != JX_WRITE_FAILED) {
        complain("%s", jx_status_text(status));
        return EXIT_TROUBLE;
    }
    bool same = how.interface ? counts.interface == 0 : counts.unequal == 0;
    return report(in, context, sides) && same && counts.programs == 0 ? EXIT_CLEAN : EXIT_FINDINGS;
}

int
command_diff(const struct invocation *in)
{
    static const char *const layouts[] = {"text", "json"};
    int layout = option_word(in, OPTION_diff_layout, layouts, 2);
    if (!two_files(in) || layout < 0)
        return EXIT_TROUBLE;
    jx_context *context = context_make(in);
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
