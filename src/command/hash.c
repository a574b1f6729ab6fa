/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr hash: a digest for every program, in the manner of sha256sum; -c reads such lines and checks them. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The `#2` at the end of a name, or NULL. No file has a billion programs. */
static const char *
program_number(const char *name)
{
    const char *number = strrchr(name, '#');
    size_t digits = number == NULL ? 0 : strspn(number + 1, "0123456789");
    return digits > 0 && digits < 10 && number[1] != '0' && number[1 + digits] == 0 ? number : NULL;
}

/* The letter for a character that is escaped in a name, or 0. */
static char
escape_letter(char c)
{
    return c == '\n' ? 'n' : c == '\r' ? 'r' : 0;
}

/* Prints a line and frees the name. If a name has a line end, the line begins with a backslash, as in the lists of
 * sha256sum. */
static void
print_line(struct job *job, struct jx_string digest, struct output *name)
{
    bool escaped = memchr(name->at, '\n', name->n) != NULL || memchr(name->at, '\r', name->n) != NULL;
    output_printf(job->out, "%s%.*s  ", escaped ? "\\" : "", (int)digest.n, digest.at);
    for (size_t i = 0, n; escaped && i < name->n; i += n) {
        for (n = 0; i + n < name->n && !escape_letter(name->at[i + n]) && name->at[i + n] != '\\';)
            n++;
        output_write(job->out, name->at + i, n);
        if (i + n < name->n) {
            char letter = escape_letter(name->at[i + n++]);
            output_printf(job->out, "\\%c", letter ? letter : '\\');
        }
    }
    if (!escaped)
        output_write(job->out, name->at, name->n);
    output_puts(job->out, "\n");
    output_free(name);
}

/* Prints the functions of a program, from `next` on; they are in the order of the programs. */
static void
print_functions(struct job *job, jx_digest_list *list, uint32_t program, uint32_t *next)
{
    struct jx_function f;
    for (; jx_function_at(list, *next, &f) && f.program <= program; ++*next)
        if (f.program == program && !f.whole) {
            struct output name = {.fd = -1};
            output_printf(&name, "%s:%u%s%.*s", job->name, (unsigned)f.line, f.name.n > 0 ? " " : "", (int)f.name.n,
                          f.name.at);
            print_line(job, f.digest, &name);
        }
}

static void
work(struct job *job)
{
    jx_digest_list *list = digests_make(job);
    uint32_t n = jx_program_count(job->module), next = 0;
    bool numbered = program_number(job->name) != NULL; /* then that of the first program is printed, too */
    for (uint32_t i = 0; list != NULL && i < n; i++) {
        struct jx_string digest = jx_digest_at(list, i);
        if (digest.n == 0)
            continue;
        struct output name = {.fd = -1};
        output_puts(&name, job->name);
        if (i > 0 || numbered)
            output_printf(&name, "#%u", (unsigned)(i + 1));
        print_line(job, digest, &name);
        if (job->in->value[OPTION_per_function] != NULL)
            print_functions(job, list, i, &next);
    }
    jx_digest_list_free(list);
}

/* ---- checking a list ---- */

/* The whole text of a file without a byte order mark and with a NUL after it, or NULL, reported on stderr under `name`.
 */
static char *
read_text(const char *path, const char *name)
{
    struct source source = {.keep = true};
    char scratch[4096], *text = NULL;
    if (source_open(&source, path))
        while (source_read(&source, scratch, sizeof scratch) > 0)
            ;
    if (source.error != 0) {
        complain("%s: %s", name, source_why(&source));
    } else if (source.kept.n > 0 && memchr(source.kept.at, 0, source.kept.n) != NULL) {
        complain("%s: a list of digests contains no NUL byte", name);
    } else {
        static const char mark[] = {'\xef', '\xbb', '\xbf'};
        size_t n = source.kept.n,
               skip = n >= sizeof mark && !memcmp(source.kept.at, mark, sizeof mark) ? sizeof mark : 0;
        text = must_allocate(n - skip + 1);
        if (n > skip)
            memcpy(text, source.kept.at + skip, n - skip);
        text[n - skip] = 0;
    }
    source_close(&source);
    return text;
}

/* One line of a list: a digest, and the program or nested program of a file that has it. */
struct entry {
    const char *digest, *file;
    uint32_t program;
    const char *line; /* of a nested program: its line and, after a space, its name; else NULL */
};

/* Splits `FILE:LINE NAME`, which refers to a nested program, unless a file has this name. */
static void
split_function(char *file, struct entry *e)
{
    char *colon = NULL;
    for (char *p = strchr(file, ':'); p != NULL; p = strchr(p + 1, ':')) {
        size_t digits = strspn(p + 1, "0123456789");
        if (p > file && digits > 0 && (p[1 + digits] == 0 || p[1 + digits] == ' '))
            colon = p;
    }
    if (colon == NULL || access(file, F_OK) == 0)
        return;
    *colon = 0;
    e->line = colon + 1;
}

/* Replaces `\\n`, `\\r` and `\\\\` in a name. */
static void
unescape(char *name)
{
    char *to = name;
    for (; *name != 0; name++) {
        bool slash = *name == '\\' && name[1] != 0;
        name += slash;
        *to++ = slash && *name == 'n' ? '\n' : slash && *name == 'r' ? '\r' : *name;
    }
    *to = 0;
}

static bool
entry_read(char *line, struct entry *e)
{
    bool escaped = *line == '\\';
    line += escaped;
    char *file = strstr(line, "  ");
    if (file == NULL || strncmp(line, "jx", 2) != 0)
        return false;
    *file = 0;
    file += 2;
    if (escaped)
        unescape(file);
    const char *number = program_number(file);
    *e = (struct entry){.digest = line, .file = file};
    if (number != NULL) {
        e->program = (uint32_t)strtoul(number + 1, NULL, 10) - 1;
        file[number - file] = 0;
    } else {
        split_function(file, e);
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

/* The file of the previous lines: its digests, NULL if it cannot be read, and its nested programs, sorted. */
struct held {
    const char *file;
    jx_digest_list *list;
    struct jx_function *functions;
    size_t n;
    bool listed; /* its nested programs are in `functions` */
};

static int
compare_strings(struct jx_string a, struct jx_string b)
{
    int order = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
    return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static int
compare_functions(const void *a, const void *b)
{
    const struct jx_function *x = a, *y = b;
    int order = compare_strings(x->digest, y->digest);
    return order != 0 ? order : compare_strings(x->name, y->name);
}

static void
held_free(struct held *held)
{
    jx_digest_list_free(held->list);
    free(held->functions);
    *held = (struct held){.file = NULL};
}

static void
hold_functions(struct held *held)
{
    struct jx_function f;
    size_t room = 0;
    for (uint32_t i = 0; jx_function_at(held->list, i, &f); i++) {
        if (f.whole)
            continue;
        if (held->n == room)
            held->functions = must_resize(held->functions, (room = 2 * room + 16) * sizeof *held->functions);
        held->functions[held->n++] = f;
    }
    if (held->n > 0)
        qsort(held->functions, held->n, sizeof *held->functions, compare_functions);
}

/* Reads the file of a line, in place of the previous one; reports failures on stderr. */
static void
hold_file(const struct invocation *in, jx_context *context, const struct entry *e, struct held *held)
{
    struct source source = {.keep = false};
    jx_module *module = NULL;
    char *ignored;
    struct jx_compare_options how = compare_options(in, &ignored);
    enum jx_status status = JX_READ_FAILED;
    how.functions = e->line != NULL;
    held_free(held);
    held->file = e->file;
    held->listed = how.functions;
    if (source_open(&source, e->file))
        status = jx_read_from(context, e->file, source_read, &source, source.expected, &module);
    if (status == JX_OK)
        status = jx_digests(module, &how, &held->list);
    if (status != JX_OK)
        complain("%s: %s", e->file, status == JX_READ_FAILED ? source_why(&source) : jx_status_text(status));
    else if (how.functions)
        hold_functions(held);
    free(ignored);
    jx_module_free(module);
    source_close(&source);
}

/* Whether a program has the digest of its line; a nested one is found by its name, because its line may change. */
static bool
entry_holds(const struct entry *e, const struct held *held, struct jx_string digest)
{
    struct jx_string wanted = {e->digest, strlen(e->digest)};
    if (e->line == NULL)
        return compare_strings(digest, wanted) == 0;
    const char *name = e->line + strcspn(e->line, " ");
    name += *name == ' ';
    struct jx_function key = {.digest = wanted, .name = {name, strlen(name)}};
    return held->n > 0 && bsearch(&key, held->functions, held->n, sizeof key, compare_functions) != NULL;
}

static int
entry_check(const struct invocation *in, jx_context *context, const char *list, const struct entry *e,
            struct held *held, bool *reported)
{
    if (held->file == NULL || strcmp(held->file, e->file) != 0 || (e->line != NULL && !held->listed))
        hold_file(in, context, e, held);
    if (held->list == NULL)
        return EXIT_TROUBLE;
    struct jx_string digest = jx_digest_at(held->list, e->program);
    bool same = entry_holds(e, held, digest);
    if (!same || in->value[OPTION_quiet] == NULL) {
        output_name(&standard_output, e->file);
        if (e->program > 0 || (e->line == NULL && program_number(e->file) != NULL))
            output_printf(&standard_output, "#%u", (unsigned)(e->program + 1));
        if (e->line != NULL) {
            output_puts(&standard_output, ":");
            output_name(&standard_output, e->line);
        }
        output_puts(&standard_output, same ? ": OK\n" : ": FAILED\n");
    }
    if (!same && digest.n > 0)
        report_version(list, e, digest, reported);
    return same ? EXIT_CLEAN : EXIT_FINDINGS;
}

/* true if some line begins like one of a list */
static bool
is_list(const char *text)
{
    return strncmp(text, "jx", 2) == 0 || strncmp(text, "\\jx", 3) == 0 || strstr(text, "\njx") != NULL ||
           strstr(text, "\n\\jx") != NULL;
}

/* Ends a line before its `\n` or `\r\n`, which no escaped name contains; the next line. */
static char *
end_line(char *line)
{
    char *end = line + strcspn(line, "\n"), *next = *end != 0 ? end + 1 : end;
    end -= end > line && end[-1] == '\r';
    *end = 0;
    return next;
}

static int
check_lists(const struct invocation *in)
{
    int status = EXIT_CLEAN;
    jx_context *context = context_make(in);
    for (int i = 0; i < in->n_files; i++) {
        const char *name = input_name(in, in->files[i]);
        char *text = read_text(in->files[i], name);
        struct held held = {.file = NULL};
        bool reported = false;
        if (text != NULL && !is_list(text)) {
            complain("%s: no digest lines found; expected lines that `jaxpr hash` prints", name);
            status = EXIT_TROUBLE;
            *text = 0;
        }
        status = text == NULL ? EXIT_TROUBLE : status;
        for (char *line = text, *next; line != NULL && *line != 0; line = next) {
            struct entry e;
            next = end_line(line);
            int one = EXIT_TROUBLE;
            if (entry_read(line, &e))
                one = entry_check(in, context, name, &e, &held, &reported);
            else
                complain("%s: `%s` is not a line that `jaxpr hash` prints", name, line);
            status = one > status ? one : status;
        }
        held_free(&held);
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
