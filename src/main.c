/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: the first word says which verb, its file in src/command does the rest. Other verbs are searched
 * on PATH. */
#include "command/command.h"

#include <string.h>
#include <unistd.h>

static int (*const commands[])(const struct invocation *) = {
#define VERB(id, group, name, arguments, summary, about) command_##id,
#include "options.def"
#undef VERB
};

/* Reports a word that is not a verb; it may be a file name. */
static int
complain_verb(const char *word)
{
    const char *nearest = verb_nearest(word);
    if (access(word, F_OK) == 0)
        complain("`%s` is a file; name a verb first, as in `jaxpr check %s`", word, word);
    else if (nearest != NULL)
        complain(*word == '-' ? "unknown option `%s`; did you mean `%s`?" : "`%s` is not a verb; did you mean `%s`?",
                 word, nearest);
    else
        complain(*word == '-' ? "unknown option `%s`; try `jaxpr --help`" : "`%s` is not a verb; try `jaxpr --help`",
                 word);
    return output_finish(EXIT_TROUBLE);
}

/* Replaces directories by the files below them, for verbs that take any number of files. */
static char **
find_files(struct invocation *in)
{
    const unsigned others = 1u << VERB_eq | 1u << VERB_diff | 1u << VERB_explain | 1u << VERB_rules;
    bool all = in->verb == VERB_extract || in->value[OPTION_extract] != NULL;
    if (1u << in->verb & others || files_given(in) == 0)
        return NULL;
    return in->files = walk_files(in->files, in->verb == VERB_contract ? 1 : 0, &in->n_files, all);
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        complain("a verb is missing; try `jaxpr --help`");
        return output_finish(EXIT_TROUBLE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return version_print();
    bool help = strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (help && argc == 2)
        return help_print(VERB_COUNT);
    const char *word = argv[help ? 2 : 1];
    enum verb_id verb = verb_find(word);
    if (verb == VERB_COUNT)
        return external_run(argv + (help ? 2 : 1), help) ? output_finish(EXIT_TROUBLE) : complain_verb(word);
    if (help)
        return help_print(verb);
    struct invocation in;
    int status = arguments_read(&in, verb, argc - 1, argv + 1);
    if (status >= 0)
        return output_finish(status);
    output_prepare(&in);
    char **found = find_files(&in);
    status = commands[verb](&in);
    if (status == EXIT_FINDINGS && in.value[OPTION_exit_zero] != NULL)
        status = EXIT_CLEAN;
    if (found != NULL)
        walk_free(found, in.n_files);
    return output_finish(status);
}
