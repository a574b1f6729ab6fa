/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr extract: the programs in a log, each followed by an empty line, in a file of its own, or in an array of
 * JSON with their places; or checked inside the log. Text that only looks like a program is printed, too, and
 * reported on standard error. */
#include "command/command.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const layouts[] = {"text", "json"};

static void
write_json(struct job *job)
{
    struct output *o = job->out;
    const struct jx_found *f = &job->found;
    output_puts(o, "{\"file\":");
    output_json(o, job->name, strlen(job->name));
    output_printf(o, ",\"line\":%" PRIu32 ",\"column\":%" PRIu32 ",\"offset\":%" PRIu64 ",\"text\":", f->place.line,
                  f->place.column, f->offset);
    output_json(o, f->text.at, f->text.n);
    output_puts(o, "}");
}

/* What the files of one run share. */
struct extraction {
    void *seen;             /* with --unique: the digests or texts of programs, a tree of tsearch */
    struct file_set inputs; /* with -o: no program replaces one of these */
};

static const char *
without_dot(const char *path)
{
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

/* DIR/NAME-LINE-COLUMN.jaxpr, where NAME is the file's path; to be freed. A slash is written `%2F` etc., so that
 * names are unique and never hidden */
static char *
file_name(const struct job *job)
{
    struct output path = {.fd = -1};
    const char *name = without_dot(job->name);
    output_printf(&path, "%s/", job->in->value[OPTION_folder]);
    for (const char *p = name; *p != 0; p++) {
        if (*p == '/' || *p == '%' || (*p == '.' && p == name))
            output_printf(&path, "%%%02X", (unsigned)*p);
        else
            output_write(&path, p, 1);
    }
    output_printf(&path, "-%" PRIu32 "-%" PRIu32 ".jaxpr", job->found.place.line, job->found.place.column);
    output_write(&path, "", 1);
    return path.at;
}

static void
write_file(struct job *job)
{
    char *path = file_name(job);
    struct output text = {.fd = -1};
    output_write(&text, job->found.text.at, job->found.text.n);
    output_puts(&text, "\n");
    const struct extraction *extraction = job->in->data;
    const char *why = file_set_has(&extraction->inputs, path) ? IS_INPUT : file_make(path, text.at, text.n);
    if (why != NULL) {
        output_complain(job->err, "%s: %s", path, why);
        job->status = EXIT_TROUBLE;
    }
    output_free(&text);
    free(path);
}

static int
compare_keys(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* True if an equal program was printed before, from any file. A program without a digest equals only its own text. */
static bool
printed_before(struct job *job)
{
    struct extraction *extraction = (struct extraction *)job->in->data;
    struct jx_compare_options how = {.size = sizeof how};
    struct jx_string key = {0};
    jx_digest_list *list = NULL;
    if (jx_digests(job->module, &how, &list) == JX_OK)
        key = jx_digest_at(list, 0);
    if (key.n == 0)
        key = job->found.text;
    char *own = must_allocate(key.n + 1);
    memcpy(own, key.at, key.n);
    own[key.n] = 0;
    jx_digest_list_free(list);
    void *place = tsearch(own, &extraction->seen, compare_keys);
    bool before = place != NULL && *(char **)place != own;
    if (before)
        free(own);
    return before;
}

static void
work(struct job *job)
{
    bool json = option_word(job->in, OPTION_layout, layouts, 2) == 1;
    if (job->in->value[OPTION_unique] != NULL && printed_before(job))
        return;
    if (job->in->value[OPTION_folder] != NULL) {
        write_file(job);
        return;
    }
    if (job->programs++ > 0)
        output_puts(job->out, json ? ",\n" : "\n");
    if (json) {
        write_json(job);
        return;
    }
    if (job->in->value[OPTION_where] != NULL) {
        output_puts(job->out, "# ");
        output_name(job->out, job->name);
        output_printf(job->out, ":%" PRIu32 "\n", job->found.place.line);
    }
    output_write(job->out, job->found.text.at, job->found.text.n);
    output_puts(job->out, "\n");
}

/* Checks the programs in place, as check --extract does. */
static int
check_in_place(const struct invocation *in)
{
    static const char yes[] = "";
    struct invocation check = *in;
    if (in->value[OPTION_folder] != NULL) {
        complain("--in-place prints no programs, so -o cannot be used with it");
        return EXIT_TROUBLE;
    }
    check.value[OPTION_format] = in->value[OPTION_layout];
    check.value[OPTION_extract] = yes;
    return command_check(&check);
}

static int
extract_programs(const struct invocation *given, const char *separator)
{
    struct invocation in = *given;
    struct extraction extraction = {.seen = NULL};
    in.data = &extraction;
    file_set_fill(&extraction.inputs, in.files, in.value[OPTION_folder] != NULL ? in.n_files : 0);
    if (in.value[OPTION_unique] != NULL)
        in.value[OPTION_jobs] = NULL; /* the first of equal programs is printed */
    int status = batch_extract(&in, work, separator, &standard_error);
    file_set_free(&extraction.inputs);
    while (extraction.seen != NULL) {
        char *key = *(char **)extraction.seen;
        tdelete(key, &extraction.seen, compare_keys);
        free(key);
    }
    return status;
}

/* whether a file, or one in a folder, has the name, which has no ./ at its beginning */
static bool
has_name(const char *file, const char *name)
{
    size_t n = strlen(file = without_dot(file));
    bool here = n == 0 || strcmp(file, ".") == 0;
    bool inside = here || (strncmp(file, name, n) == 0 && (name[n] == '/' || file[n - 1] == '/'));
    return strcmp(file, name) == 0 || (inside && access(name, F_OK) == 0);
}

/* True, with a message, if a file has the name of standard input: programs of both would be written to the same file.
 */
static bool
named_twice(const struct invocation *in)
{
    const char *name = input_name(in, "-");
    bool read = false, twice = false;
    for (int i = 0; i < in->n_files; i++) {
        bool input = strcmp(in->files[i], "-") == 0;
        read |= input;
        twice |= !input && has_name(in->files[i], without_dot(name));
    }
    if (read && twice)
        complain("%s is the name of standard input and of a file; use another --stdin-filename", name);
    return read && twice;
}

int
command_extract(const struct invocation *in)
{
    const char *directory = in->value[OPTION_folder];
    if (in->value[OPTION_in_place] != NULL)
        return check_in_place(in);
    int layout = option_word(in, OPTION_layout, layouts, 2);
    if (layout < 0)
        return EXIT_TROUBLE;
    if (directory != NULL && named_twice(in))
        return EXIT_TROUBLE;
    if (directory != NULL && mkdir(directory, 0777) != 0 && errno != EEXIST) {
        complain("%s: %s", directory, strerror(errno));
        return EXIT_TROUBLE;
    }
    if (layout == 0 || directory != NULL)
        return extract_programs(in, "\n");
    output_puts(&standard_output, "[\n");
    standard_output.used = false;
    int status = extract_programs(in, ",\n");
    output_puts(&standard_output, standard_output.used ? "\n]\n" : "]\n");
    return status;
}
