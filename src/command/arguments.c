/* SPDX-License-Identifier: Apache-2.0
 *
 * options.def turned into getopt's tables and the help. A verb accepts only its own rows. */
#include "command/command.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verb_row {
    const char *group, *name, *arguments, *summary, *about;
};

struct option_row {
    const char *name, *argument, *help;
    unsigned verbs;
    char letter;
};

static const struct verb_row verbs[] = {
#define VERB(id, group, name, arguments, summary, about) {#group, name, arguments, summary, about},
#include "options.def"
#undef VERB
};

static const struct option_row options[] = {
#define ON(verb) (1u << VERB_##verb)
#define EVERY (~0u)
#define OPTION(id, letter, name, argument, verbs, help) {name, argument, help, verbs, letter},
#include "options.def"
#undef OPTION
#undef EVERY
};

enum value_kind { VALUE_any, VALUE_number, VALUE_name, VALUE_path };

static const struct {
    const char *argument;
    enum value_kind kind;
} value_kinds[] = {
#define ARGUMENT(argument, kind) {argument, VALUE_##kind},
#include "options.def"
#undef ARGUMENT
};

static const struct {
    enum option_id option;
    unsigned verbs;
    const char *help;
} help_rows[] = {
#define HELP(id, verbs, help) {OPTION_##id, verbs, help},
#include "options.def"
#undef HELP
#undef ON
};

/* getopt returns this plus i for option i: more than any character */
enum { LONG_ANSWER = 256 };

enum verb_id
verb_find(const char *name)
{
    enum verb_id verb = 0;
    while (verb < VERB_COUNT && strcmp(verbs[verb].name, name) != 0)
        verb++;
    return verb;
}

const char *
verb_nearest(const char *word)
{
    const char *words[VERB_COUNT + 2] = {"--help", "--version"};
    for (int i = 0; i < VERB_COUNT; i++)
        words[i + 2] = verbs[i].name;
    return jx_nearest(word, words, VERB_COUNT + 2);
}

static bool
takes(enum verb_id verb, int option)
{
    return (options[option].verbs & 1u << verb) != 0;
}

/* Reads a whole number of at most 32 bits; false if the text is not one. */
static bool
number_read(const char *text, uint32_t *number)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

static int
usage_error(enum verb_id verb)
{
    complain("try `jaxpr %s --help`", verbs[verb].name);
    return EXIT_TROUBLE;
}

/* A long option that the verb does not have, or an ambiguous prefix: lists the candidates. */
static int
unknown_option(enum verb_id verb, const char *word)
{
    const char *names[OPTION_COUNT], *nearest, *begun[2];
    char written[40];
    int n = 0, n_begun = 0;
    snprintf(written, sizeof written, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!takes(verb, i))
            continue;
        names[n++] = options[i].name;
        if (n_begun < 2 && strncmp(options[i].name, written, strlen(written)) == 0)
            begun[n_begun++] = options[i].name;
    }
    if (n_begun == 2)
        complain("option `--%s` is ambiguous: `--%s` or `--%s`?", written, begun[0], begun[1]);
    else if ((nearest = jx_nearest(written, names, (size_t)n)) != NULL)
        complain("unknown option `--%s`; did you mean `--%s`?", written, nearest);
    else
        complain("unknown option `--%s`; try `jaxpr %s --help`", written, verbs[verb].name);
    return EXIT_TROUBLE;
}

/* the option of the verb with this getopt value, or -1 */
static int
option_find(enum verb_id verb, int answer)
{
    if (answer >= LONG_ANSWER)
        return answer - LONG_ANSWER;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (takes(verb, i) && options[i].letter != 0 && options[i].letter == answer)
            return i;
    return -1;
}

/* Reports what is wrong with an option for which getopt returns `:` (missing value) or `?`. */
static int
option_error(enum verb_id verb, int answer, const char *word)
{
    int i = option_find(verb, optopt);
    if (answer == '?' && optopt == 0)
        return unknown_option(verb, word);
    if (i < 0)
        complain("unknown option `-%c`; try `jaxpr %s --help`", optopt, verbs[verb].name);
    else if (answer == ':')
        complain("`--%s` needs a value: `--%s=%s`", options[i].name, options[i].name, options[i].argument);
    else
        complain("`--%s` takes no value", options[i].name);
    return EXIT_TROUBLE;
}

/* A repeated list option is concatenated: `--select=P --select=R` is `--select=P,R`. */
static const char *
list_extend(int i, const char *list, const char *more)
{
    static char *lists[OPTION_COUNT]; /* the concatenated values */
    size_t size = strlen(list) + strlen(more) + 2;
    char *longer = must_allocate(size);
    snprintf(longer, size, "%s,%s", list, more);
    free(lists[i]);
    lists[i] = longer;
    return longer;
}

/* The kind of an option's values. */
static enum value_kind
kind_of(const char *argument)
{
    for (size_t i = 0; argument != NULL && i < sizeof value_kinds / sizeof *value_kinds; i++)
        if (strcmp(argument, value_kinds[i].argument) == 0)
            return value_kinds[i].kind;
    return VALUE_any;
}

/* Records option i with its value; false if the value is invalid. */
static bool
option_take(struct invocation *in, int i, const char *value)
{
    uint32_t number;
    enum value_kind kind = kind_of(options[i].argument);
    if (kind == VALUE_number && !number_read(value, &number)) {
        if (*value != 0 && value[strspn(value, "0123456789")] == 0)
            complain("--%s: expected at most %" PRIu32 ", got `%s`", options[i].name, UINT32_MAX, value);
        else
            complain("--%s: expected a whole number, got `%s`", options[i].name, value);
        return false;
    }
    if ((kind == VALUE_name || kind == VALUE_path) && *value == 0) {
        complain("`--%s` needs a value: `--%s=%s`", options[i].name, options[i].name, options[i].argument);
        return false;
    }
    bool list = options[i].argument != NULL && strstr(options[i].argument, ",...") != NULL;
    bool again = list && in->value[i] != NULL && *in->value[i] != 0;
    in->value[i] = again ? list_extend(i, in->value[i], value) : value != NULL ? value : "";
    return true;
}

/* Removes --no-fast-path from argv. It is for tests only: help omits it, and it has no abbreviations. */
static bool
take_no_fast_path(int *argc, char **argv)
{
    int n = 1;
    bool files = false; /* after `--` */
    for (int i = 1; i < *argc; i++) {
        files |= strcmp(argv[i], "--") == 0;
        if (files || strcmp(argv[i], "--no-fast-path") != 0)
            argv[n++] = argv[i];
    }
    bool taken = n < *argc;
    argv[n] = NULL;
    *argc = n;
    return taken;
}

int
arguments_read(struct invocation *in, enum verb_id verb, int argc, char **argv)
{
    struct option long_options[OPTION_COUNT + 1] = {0};
    char letters[2 * OPTION_COUNT + 2] = ":", *letter = letters + 1;
    int n = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!takes(verb, i))
            continue;
        int has = options[i].argument != NULL ? required_argument : no_argument;
        long_options[n++] = (struct option){options[i].name, has, NULL, LONG_ANSWER + i};
        if (options[i].letter != 0) {
            *letter++ = options[i].letter;
            if (has == required_argument)
                *letter++ = ':';
        }
    }
    *letter = 0;
    opterr = 0;
    memset(in, 0, sizeof *in);
    in->verb = verb;
    in->no_fast_path = take_no_fast_path(&argc, argv);
    for (int answer; (answer = getopt_long(argc, argv, letters, long_options, NULL)) != -1;) {
        if (answer == '?' || answer == ':')
            return option_error(verb, answer, argv[optind - 1]);
        int i = option_find(verb, answer);
        if (i == OPTION_help)
            return help_print(verb);
        if (i == OPTION_version)
            return version_print();
        if (!option_take(in, i, optarg))
            return usage_error(verb);
    }
    in->files = argv + optind;
    in->n_files = argc - optind;
    if (in->n_files == 0) {
        static char dash[] = "-";
        in->no_files[0] = dash;
        in->files = in->no_files;
        in->n_files = 1;
    }
    return -1;
}

int
files_given(const struct invocation *in)
{
    return in->files == in->no_files ? 0 : in->n_files;
}

bool
two_files(const struct invocation *in)
{
    const char *name = verbs[in->verb].name;
    int given = files_given(in);
    if (given != 2)
        complain("%s takes two files, but %d %s given: `jaxpr %s A B`", name, given, given == 1 ? "is" : "are", name);
    if (given == 2 && strcmp(in->files[0], "-") == 0 && strcmp(in->files[1], "-") == 0) {
        complain("%s takes two files, and only one of them can be standard input", name);
        return false;
    }
    return given == 2;
}

uint32_t
option_number(const struct invocation *in, enum option_id option, uint32_t unset)
{
    uint32_t number = unset;
    if (in->value[option] != NULL)
        number_read(in->value[option], &number);
    return number;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* whether a version may end like this after its numbers: `rc1`, `.dev20260101`, `.1`, or not at all */
static bool
is_suffix(const char *end)
{
    static const char *const words[] = {"rc", "a", "b", "dev", "post", "+"};
    bool known = *end == 0 || (*end == '.' && is_digit(end[1]));
    end += *end == '.';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        known |= strncmp(end, words[i], strlen(words[i])) == 0;
    return known;
}

uint32_t
option_version(const struct invocation *in, enum option_id option)
{
    const char *p = in->value[option];
    uint32_t part[3] = {0, 0, 0};
    if (p == NULL)
        return 0;
    int n = 0;
    for (; n < 3 && is_digit(*p); n++) {
        for (; is_digit(*p); p++)
            part[n] = part[n] < 10000 ? part[n] * 10 + (uint32_t)(*p - '0') : part[n];
        p += n < 2 && *p == '.' && is_digit(p[1]);
    }
    uint32_t version = part[0] * 10000 + part[1] * 100 + part[2];
    bool fits = part[0] < 10000 && part[1] < 100 && part[2] < 100;
    if (n >= 2 && version > 0 && fits && is_suffix(p)) /* 0 would mean that none is given */
        return version;
    complain("--%s: expected a version such as 0.4.28, got `%s`", options[option].name, in->value[option]);
    return UINT32_MAX;
}

const char *
input_name(const struct invocation *in, const char *path)
{
    const char *name = in->value[OPTION_stdin_filename];
    return strcmp(path, "-") != 0 ? path : name != NULL ? name : "<stdin>";
}

int
option_word(const struct invocation *in, enum option_id option, const char *const *words, int n)
{
    if (in->value[option] == NULL)
        return 0;
    for (int i = 0; i < n; i++)
        if (strcmp(in->value[option], words[i]) == 0)
            return i;
    char known[200] = "";
    for (int i = 0; i < n; i++) {
        strncat(known, i == 0 ? "" : i + 1 < n ? ", " : " or ", sizeof known - strlen(known) - 1);
        strncat(known, words[i], sizeof known - strlen(known) - 1);
    }
    complain("--%s: expected %s, got `%s`", options[option].name, known, in->value[option]);
    return -1;
}

int
dialect_read(const struct invocation *in)
{
    /* in the order of enum jx_dialect */
    static const char *const words[] = {"auto", "jax", "catalyst", "catalyst-g1", "catalyst-g0", "pennylane"};
    return option_word(in, OPTION_dialect, words, sizeof words / sizeof *words);
}

/* what an option does in a verb */
static const char *
option_help(enum verb_id verb, enum option_id option)
{
    for (size_t i = 0; i < sizeof help_rows / sizeof *help_rows; i++)
        if (help_rows[i].option == option && (help_rows[i].verbs & 1u << verb) != 0)
            return help_rows[i].help;
    return options[option].help;
}

static void
print_options(struct output *o, enum verb_id verb)
{
    output_puts(o, "\noptions:\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!takes(verb, i))
            continue;
        const struct option_row *row = &options[i];
        char left[40], letter[5] = "    ";
        if (row->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, row->name, row->argument ? "=" : "",
                 row->argument ? row->argument : "");
        output_printf(o, "  %-27s %s\n", left, option_help(verb, (enum option_id)i));
    }
}

int
help_print(enum verb_id verb)
{
    struct output *o = &standard_output;
    if (verb < VERB_COUNT) {
        const struct verb_row *row = &verbs[verb];
        output_printf(o, "usage: jaxpr %s [OPTION...]%s%s\n\n%s\n", row->name, *row->arguments ? " " : "",
                      row->arguments, row->about);
        print_options(o, verb);
    } else {
        output_puts(o, "usage: jaxpr VERB [OPTION...] [FILE...]\n\n"
                       "Checks, formats, compares and measures Jaxprs, the programs that JAX prints.\n\nverbs:\n");
        for (int i = 0; i < VERB_COUNT; i++) {
            if (i == 0 || strcmp(verbs[i].group, verbs[i - 1].group) != 0)
                output_printf(o, " to %s\n", verbs[i].group);
            output_printf(o, "  %-10s%s\n", verbs[i].name, verbs[i].summary);
        }
        output_puts(o, "\n`jaxpr VERB --help` describes a verb, and jaxpr(1) all of them.\n"
                       "Exit status: 0 clean, 1 findings or a difference, 2 usage or input/output error.\n");
    }
    return output_finish(EXIT_CLEAN);
}

int
version_print(void)
{
    output_printf(&standard_output, "jaxpr %s\n", jx_version());
    return output_finish(EXIT_CLEAN);
}
