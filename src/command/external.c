/* SPDX-License-Identifier: Apache-2.0
 *
 * Verbs that are programs of their own: `jaxpr VERB` runs `jaxpr-VERB` from PATH if the program has no such verb. */
#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
external_run(char **argv, bool help)
{
    char *verb = argv[0];
    if (*verb == '-' || *verb == '\0' || strchr(verb, '/') != NULL) /* a name with a slash would be a path */
        return false;
    size_t n = strlen(verb) + sizeof "jaxpr-";
    char *name = must_allocate(n);
    snprintf(name, n, "jaxpr-%s", verb);
    char *const asked[] = {name, (char[]){"--help"}, NULL};
    argv[0] = name;
    output_flush(&standard_output);
    execvp(name, help ? asked : argv);
    argv[0] = verb;
    bool found = errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG;
    if (found)
        complain("%s: %s", name, strerror(errno));
    free(name);
    return found;
}
