/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: the first word says which verb, its file in src/command does the rest. */
#include "command/command.h"

#include <string.h>

static int (*const commands[])(const struct invocation *) = {
#define VERB(id, name, arguments, summary, about) command_##id,
#include "options.def"
#undef VERB
};

int
main(int argc, char **argv)
{
    if (argc < 2) {
        complain("a verb is missing; try `jaxpr --help`");
        return output_finish(EXIT_TROUBLE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help_print(VERB_COUNT);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return version_print();
    enum verb_id verb = verb_find(argv[1]);
    if (verb == VERB_COUNT) {
        complain("`%s` is not a verb; try `jaxpr --help`", argv[1]);
        return output_finish(EXIT_TROUBLE);
    }
    struct invocation in;
    int status = arguments_read(&in, verb, argc - 1, argv + 1);
    if (status >= 0)
        return output_finish(status);
    return output_finish(commands[verb](&in));
}
