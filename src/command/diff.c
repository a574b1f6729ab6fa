/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr diff: what changed from the programs of one file to those of another. */
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A file read for a comparison. */
struct side {
    struct source source;
    jx_module *module;
    const char *name;
    enum jx_status status;
};

/* Reads a file, and keeps its bytes on request; false (see status) on failure. */
static bool
side_read(struct side *side, jx_context *context, const char *path, bool keep)
{
    side->source.keep = keep;
    side->status = JX_READ_FAILED;
    if (source_open(&side->source, path))
        side->status =
            jx_read_from(context, side->name, source_read, &side->source, side->source.expected, &side->module);
    if (keep && side->source.error == 0)
        source_drain(&side->source);
    return side->status == JX_OK;
}

static void
side_complain(const struct side *side)
{
    complain("%s: %s", side->name,
             side->status == JX_READ_FAILED ? source_why(&side->source) : jx_status_text(side->status));
}

/* Reads a file given on the command line. */
static bool
side_named(struct side *side, jx_context *context, const struct invocation *in, int i)
{
    const char *path = in->files[i];
    side->name = input_name(in, path);
    bool read = side_read(side, context, path, false);
    if (!read)
        side_complain(side);
    source_close(&side->source);
    return read;
}

/* Prints the findings of the programs; true if there was no error. */
static bool
report(const struct invocation *in, jx_context *context, struct side *sides)
{
    jx_module *modules[2] = {sides[0].module, sides[1].module};
    uint32_t errors = jx_diagnostic_count(modules[0], JX_ERROR) + jx_diagnostic_count(modules[1], JX_ERROR);
    uint32_t all = jx_diagnostic_count(modules[0], JX_NOTE) + jx_diagnostic_count(modules[1], JX_NOTE);
    struct jx_render_options how = {.size = sizeof how, .color = color_wanted(in, STDERR_FILENO)};
    if (all > 0 && in->value[OPTION_quiet] == NULL) {
        output_flush(&standard_output);
        enum jx_status status = jx_render(context, modules, 2, &how, output_writer(how.color), &standard_error);
        if (status != JX_OK && status != JX_WRITE_FAILED)
            complain("%s", jx_status_text(status));
    }
    return errors == 0;
}

/* The value of COLUMNS or the columns of the terminal, at least 40; 132 if neither is known. */
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
options_of(const struct invocation *in, int layout, const char *ignored)
{
    struct jx_diff_options how = {
        .size = sizeof how,
        .format = layout == 1                         ? JX_DIFF_JSON
                  : in->value[OPTION_stat] != NULL    ? JX_DIFF_STAT
                  : in->value[OPTION_summary] != NULL ? JX_DIFF_SUMMARY
                                                      : JX_DIFF_TEXT,
        .all = in->value[OPTION_all] != NULL,
        .passes = passes_read(in, OPTION_pass_before),
        .color = color_wanted(in, STDOUT_FILENO),
        .first = in->value[OPTION_first] != NULL,
        .signature = in->value[OPTION_interface] != NULL,
        .without = ignored,
        .dce = in->value[OPTION_dce] != NULL,
        .in_place = true,
        .commute = in->value[OPTION_commute] != NULL,
    };
    uint32_t context = option_number(in, OPTION_context, 3);
    how.context = context < UINT32_MAX ? context + 1 : context;
    uint32_t columns = option_number(in, OPTION_columns, terminal_columns());
    if (in->value[OPTION_side_by_side] != NULL)
        how.columns = columns > 0 ? columns : 1; /* the minimum */
    return how;
}

/* Compares two files that were read. */
static int
compare(const struct invocation *in, jx_context *context, struct side *sides, int layout)
{
    char *ignored = ignored_keys(in);
    struct jx_diff_options how = options_of(in, layout, ignored);
    struct jx_diff_counts counts;
    bool quiet = in->value[OPTION_quiet] != NULL, paged = layout == 0 && !quiet && pager_wanted(in);
    struct output held = {.fd = -1, .shown = standard_output.shown};
    jx_differences *differences = NULL;
    enum jx_status status = jx_diff(sides[0].module, sides[1].module, &how, quiet ? NULL : output_writer(how.color),
                                    paged ? &held : &standard_output, &differences);
    bool known = jx_differences_counts(differences, &counts);
    jx_differences_free(differences);
    free(ignored);
    if (status == JX_OK || status == JX_WRITE_FAILED)
        pager_print(&held);
    output_free(&held);
    if (!known && status == JX_WRITE_FAILED)
        return EXIT_TROUBLE;
    if (!known) {
        complain("%s", jx_status_text(status));
        return EXIT_TROUBLE;
    }
    bool same = how.signature ? counts.signature == 0 : counts.unequal == 0;
    return report(in, context, sides) && same && counts.programs == 0 ? EXIT_CLEAN : EXIT_FINDINGS;
}

/* What git passes: a path, the old file, its hash and mode, the new file, its hash and mode, and for a rename the new
 * path and lines that describe it. */
enum { GIT_PATH, GIT_OLD, GIT_OLD_MODE = 3, GIT_NEW, GIT_NEW_MODE = 6, GIT_PLAIN, GIT_NEW_PATH = GIT_PLAIN, GIT_NOTES };

static bool
is_nothing(const char *path)
{
    return strcmp(path, "/dev/null") == 0;
}

/* Prints the lines that git's own diff begins with. */
static void
git_header(const struct invocation *in, const char *new_path)
{
    struct output *o = &standard_output;
    char *const *arg = in->files;
    const char *from = arg[GIT_OLD_MODE], *to = arg[GIT_NEW_MODE];
    output_puts(o, "diff --git a/");
    output_name(o, arg[GIT_PATH]);
    output_puts(o, " b/");
    output_name(o, new_path);
    output_puts(o, "\n");
    if (is_nothing(arg[GIT_OLD]))
        output_printf(o, "new file mode %s\n", to);
    else if (is_nothing(arg[GIT_NEW]))
        output_printf(o, "deleted file mode %s\n", from);
    else if (strcmp(from, to) != 0)
        output_printf(o, "old mode %s\nnew mode %s\n", from, to);
    const char *line = in->n_files > GIT_NOTES ? arg[GIT_NOTES] : "";
    for (size_t n; *line != 0; line += n + (line[n] != 0)) {
        n = strcspn(line, "\n");
        output_shown(o, line, n);
        output_puts(o, "\n");
    }
}

/* The name of a side in git's header, to be freed. */
static char *
git_name(const char *prefix, const char *path, const char *file)
{
    size_t n = strlen(prefix) + strlen(path) + 1;
    if (is_nothing(file))
        return must_copy(file, strlen(file));
    char *name = must_allocate(n);
    snprintf(name, n, "%s%s", prefix, path);
    return name;
}

/* Compares two versions as programs; prints nothing and returns false if either is not a program or has errors. */
static bool
git_programs(const struct invocation *in, struct side *sides)
{
    if (sides[0].status != JX_OK || sides[1].status != JX_OK)
        return false;
    char *ignored = ignored_keys(in);
    struct jx_diff_options how = options_of(in, 0, ignored);
    struct jx_diff_counts counts;
    struct output changes = {.fd = -1};
    jx_module *modules[2] = {sides[0].module, sides[1].module};
    jx_differences *differences = NULL;
    bool done = jx_diff(modules[0], modules[1], &how, output_write, &changes, &differences) == JX_OK &&
                jx_differences_counts(differences, &counts) &&
                jx_diagnostic_count(modules[0], JX_ERROR) + jx_diagnostic_count(modules[1], JX_ERROR) == 0;
    if (done && counts.unequal + counts.programs == 0)
        output_puts(&standard_output, "the programs are equal; only their text differs\n");
    else if (done)
        output_writer(how.color)(&standard_output, changes.at, changes.n);
    jx_differences_free(differences);
    output_free(&changes);
    free(ignored);
    return done;
}

/* Prints the changes between two versions: of programs as diff does; other text and whole added or deleted files line
 * by line. */
static int
git_compare(const struct invocation *in, jx_context *context)
{
    const char *new_path = in->files[in->n_files > GIT_NEW_PATH ? GIT_NEW_PATH : GIT_PATH];
    char *const *arg = in->files;
    char *names[2] = {git_name("a/", arg[GIT_PATH], arg[GIT_OLD]), git_name("b/", new_path, arg[GIT_NEW])};
    struct side sides[2] = {{.name = names[0]}, {.name = names[1]}};
    side_read(&sides[0], context, arg[GIT_OLD], true);
    side_read(&sides[1], context, arg[GIT_NEW], true);
    int status = EXIT_TROUBLE;
    const struct input from = sides[0].source.kept, to = sides[1].source.kept;
    if (sides[0].source.error != 0 || sides[1].source.error != 0) {
        side_complain(&sides[sides[0].source.error == 0]);
    } else {
        git_header(in, new_path);
        bool whole = is_nothing(arg[GIT_OLD]) || is_nothing(arg[GIT_NEW]);
        bool same = from.n == to.n && (to.n == 0 || memcmp(from.at, to.at, to.n) == 0);
        if (!same && (whole || !git_programs(in, sides)))
            unified_diff(&standard_output, names[0], names[1], from, to);
        status = EXIT_CLEAN;
    }
    for (int i = 0; i < 2; i++) {
        source_close(&sides[i].source);
        free(names[i]);
    }
    return status;
}

/* diff as git's external driver, whose exit status must be 0 unless something went wrong */
static int
git_driver(const struct invocation *in, jx_context *context)
{
    int given = files_given(in);
    if (given == 1) {
        output_puts(&standard_output, "* Unmerged path ");
        output_name(&standard_output, in->files[GIT_PATH]);
        output_puts(&standard_output, "\n");
        return EXIT_CLEAN;
    }
    if (given >= GIT_PLAIN && given <= GIT_NOTES + 1)
        return git_compare(in, context);
    complain("--git is for git, which passes 7 arguments, 9 for a rename or 1 for an unmerged path; got %d", given);
    return EXIT_TROUBLE;
}

int
command_diff(const struct invocation *in)
{
    static const char *const layouts[] = {"text", "json"};
    int layout = option_word(in, OPTION_diff_layout, layouts, 2);
    bool git = in->value[OPTION_git] != NULL;
    if (layout < 0 || (!git && !two_files(in)) || passes_read(in, OPTION_pass_before) == ~0u)
        return EXIT_TROUBLE;
    jx_context *context = context_make(in);
    struct side sides[2];
    memset(sides, 0, sizeof sides);
    int status = EXIT_TROUBLE, threads = threads_wanted(in);
    if (threads > 1)
        threads_set(context, threads);
    sides[0].source.threads = sides[1].source.threads = threads;
    if (git)
        status = git_driver(in, context);
    else if (side_named(&sides[0], context, in, 0) && side_named(&sides[1], context, in, 1))
        status = compare(in, context, sides, layout);
    jx_context_free(context);
    return status;
}
