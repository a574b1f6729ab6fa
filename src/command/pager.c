/* SPDX-License-Identifier: Apache-2.0
 *
 * Long output on a terminal, page by page, as git does: $JAXPR_PAGER, else $PAGER, else less, which ends by itself
 * where all fits on one screen. Without a pager it is printed. */
#include "command/command.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

/* The command to run, NULL if none is wanted. */
static const char *
pager_command(void)
{
    const char *command = getenv("JAXPR_PAGER");
    if (command == NULL)
        command = getenv("PAGER");
    if (command == NULL)
        command = "less";
    return *command == 0 || strcmp(command, "cat") == 0 ? NULL : command;
}

bool
pager_wanted(const struct invocation *in)
{
    return in->value[OPTION_no_pager] == NULL && isatty(STDOUT_FILENO) && pager_command() != NULL;
}

/* The pager's process: it reads from the pipe. */
static void
run_pager(const int *ends)
{
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("LESS", "FRX", 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    execl("/bin/sh", "sh", "-c", pager_command(), (char *)NULL);
    _exit(NOT_FOUND);
}

/* The exit status of a child, -1 if it has none. */
static int
wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Passes the bytes to the pager; false if it cannot be run. */
static bool
page(const char *bytes, size_t n)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    signal(SIGPIPE, SIG_IGN); /* the pager may exit before the end, */
    signal(SIGINT, SIG_IGN);  /* and an interrupt stops the pager, not this program */
    pid_t child = fork();
    if (child == 0)
        run_pager(ends);
    close(ends[0]);
    struct output pipe_end = {.fd = child > 0 ? ends[1] : -1};
    if (child > 0)
        output_write(&pipe_end, bytes, n);
    output_flush(&pipe_end);
    close(ends[1]);
    output_free(&pipe_end);
    return child > 0 && wait_for(child) != NOT_FOUND;
}

void
pager_print(const struct output *text)
{
    output_flush(&standard_output);
    if (text->n > 0 && !page(text->at, text->n))
        output_writer(true)(&standard_output, text->at, text->n);
}
