/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses a command line: each line of the input is an argument, the first one the verb, which is not run. */
#include "command/command.h"
#include "target.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64 };

static void
ask_everything(const struct invocation *in)
{
    static const char *const words[] = {"text", "json"};
    for (int i = 0; i < in->n_files; i++)
        if (in->files[i] == NULL)
            broken_promise("every file has a name", "", 0);
    option_number(in, OPTION_jobs, 1);
    option_number(in, OPTION_width, 0);
    option_word(in, OPTION_format, words, 2);
    option_version(in, OPTION_jax);
    color_wanted(in, -1);
}

void
target_options(const char *bytes, size_t n)
{
    char *copy = malloc(n + 1), *argv[MOST_ARGUMENTS + 1];
    int argc = 0;
    struct invocation in;
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, n);
    copy[n] = 0;
    for (char *at = copy, *end = copy + n; argc < MOST_ARGUMENTS && at <= end; argc++) {
        argv[argc] = at;
        at += strcspn(at, "\n");
        *at++ = 0;
    }
    argv[argc] = NULL;
    standard_output = standard_error = (struct output){.fd = -1};
    optind = 0; /* getopt starts again */
    opterr = 0;
    enum verb_id verb = argc > 0 ? verb_find(argv[0]) : VERB_COUNT;
    if (verb != VERB_COUNT && arguments_read(&in, verb, argc, argv) < 0)
        ask_everything(&in);
    output_free(&standard_output);
    output_free(&standard_error);
    free(copy);
}
