/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr hash: a digest for every program, in the manner of sha256sum; -c reads such lines and checks them. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

/* Prints the functions of a program, from `next` on; they are in the order of the programs. */
static void
print_functions(struct job *job, jx_digest_list *list, uint32_t program, uint32_t *next)
{
    struct jx_function f;
    for (; jx_function_at(list, *next, &f) && f.program <= program; ++*next)
        if (f.program == program && !f.whole)
            output_printf(job->out, "%.*s  %s:%u%s%.*s\n", (int)f.digest.n, f.digest.at, job->name, (unsigned)f.line,
                          f.name.n > 0 ? " " : "", (int)f.name.n, f.name.at);
}

static void
work(struct job *job)
{
    jx_digest_list *list = digests_make(job);
    uint32_t n = jx_program_count(job->module), next = 0;
    for (uint32_t i = 0; list != NULL && i < n; i++) {
        struct jx_string digest = jx_digest_at(list, i);
        if (digest.n == 0)
            continue;
        output_printf(job->out, "%.*s  %s", (int)digest.n, digest.at, job->name);
        if (i > 0)
            output_printf(job->out, "#%u", (unsigned)(i + 1));
        output_puts(job->out, "\n");
        if (job->in->value[OPTION_per_function] != NULL)
            print_functions(job, list, i, &next);
    }
    jx_digest_list_free(list);
}

/* ---- checking a list ---- */

/* The whole text of a file with a NUL after it, or NULL, reported on stderr. */
static char *
read_text(const char *path)
{
    struct source source = {.keep = true};
    char scratch[4096], *text = NULL;
    if (source_open(&source, path))
        while (source_read(&source, scratch, sizeof scratch) > 0)
            ;
    if (source.error != 0) {
        complain("%s: %s", path, source_why(&source));
    } else {
        text = must_allocate(source.kept.n + 1);
        if (source.kept.n > 0)
            memcpy(text, source.kept.at, source.kept.n);
        text[source.kept.n] = 0;
    }
    source_close(&source);
    return text;
}

/* One line of a list: the digest of a program of a file. */
struct entry {
    const char *digest, *file;
    uint32_t program;
};

static bool
entry_read(char *line, struct entry *e)
{
    char *file = strstr(line, "  ");
    if (file == NULL || file == line)
        return false;
    *file = 0;
    file += 2;
    char *number = strrchr(file, '#');
    e->digest = line;
    e->file = file;
    e->program = 0;
    if (number != NULL && number[1] >= '1' && number[1] <= '9' &&
        strspn(number + 1, "0123456789") == strlen(number + 1)) {
        e->program = (uint32_t)strtoul(number + 1, NULL, 10) - 1;
        *number = 0;
    }
    return true;
}

/* Reports, once per list, a digest of another version of the canonical form, which cannot be compared. */
static void
report_version(const char *list, const struct entry *e, struct jx_string digest, bool *reported)
{
    const char *colon = memchr(digest.at, ':', digest.n);
    size_t n = colon == NULL ? 0 : (size_t)(colon - digest.at) + 1, given = strcspn(e->digest, ":");
    if (*reported || n == 0 || strncmp(e->digest, digest.at, n) == 0 || strncmp(e->digest, "jx", 2) != 0)
        return;
    *reported = true;
    complain("%s: `%.*s` digests are from another release; print the list again with `jaxpr hash`", list,
             (int)given + 1, e->digest);
}

/* The digests of a file, or NULL, reported on stderr. */
static jx_digest_list *
digested(const struct invocation *in, jx_context *context, const char *path)
{
    struct source source = {.keep = false};
    jx_module *module = NULL;
    jx_digest_list *list = NULL;
    enum jx_status status = JX_READ_FAILED;
    struct jx_compare_options how = {
        .size = sizeof how,
        .dce = in->value[OPTION_dce] != NULL,
        .commute = in->value[OPTION_commute] != NULL,
        .without = in->value[OPTION_ignore_params],
        .in_place = true,
    };
    if (source_open(&source, path))
        status = jx_read_from(context, path, source_read, &source, source.expected, &module);
    if (status == JX_OK)
        status = jx_digests(module, &how, &list);
    if (status != JX_OK)
        complain("%s: %s", path, status == JX_READ_FAILED ? source_why(&source) : jx_status_text(status));
    jx_module_free(module);
    source_close(&source);
    return list;
}

static int
entry_check(const struct invocation *in, jx_context *context, const char *list, const struct entry *e, bool *reported)
{
    jx_digest_list *digests = digested(in, context, e->file);
    if (digests == NULL)
        return EXIT_TROUBLE;
    struct jx_string digest = jx_digest_at(digests, e->program);
    bool same = digest.n == strlen(e->digest) && memcmp(digest.at, e->digest, digest.n) == 0;
    if (!same || in->value[OPTION_quiet] == NULL) {
        output_name(&standard_output, e->file);
        if (e->program > 0)
            output_printf(&standard_output, "#%u", (unsigned)(e->program + 1));
        output_puts(&standard_output, same ? ": OK\n" : ": FAILED\n");
    }
    if (!same && digest.n > 0)
        report_version(list, e, digest, reported);
    jx_digest_list_free(digests);
    return same ? EXIT_CLEAN : EXIT_FINDINGS;
}

static int
check_lists(const struct invocation *in)
{
    int status = EXIT_CLEAN;
    jx_context *context = context_make(in);
    for (int i = 0; i < in->n_files; i++) {
        char *text = read_text(in->files[i]);
        bool reported = false;
        status = text == NULL ? EXIT_TROUBLE : status;
        for (char *line = text, *next; line != NULL && *line != 0; line = next) {
            struct entry e;
            next = line + strcspn(line, "\n");
            if (*next != 0)
                *next++ = 0;
            int one = EXIT_TROUBLE;
            if (entry_read(line, &e))
                one = entry_check(in, context, in->files[i], &e, &reported);
            else
                complain("%s: not a digest line: `%s`", in->files[i], line);
            status = one > status ? one : status;
        }
        free(text);
    }
    jx_context_free(context);
    return status;
}

int
command_hash(const struct invocation *in)
{
    if (in->value[OPTION_verify] != NULL)
        return check_lists(in);
    return batch_run(in, work, false, NULL, &standard_error);
}
