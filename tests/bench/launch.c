/* SPDX-License-Identifier: Apache-2.0
 *
 * launch COMMAND [ARGUMENT...]: runs a command with its output thrown away, and says how it ended, in how many
 * nanoseconds, with how many KiB of memory at most, and how many microseconds of a processor it took. A small process
 * does this, since the kernel counts the memory of the one that forks as the child's own. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    struct timespec from, to;
    struct rusage usage;
    int status;
    if (argc < 2)
        return 2;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = vfork();
    if (child == 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%d %lld %ld %lld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           (long long)(to.tv_sec - from.tv_sec) * 1000000000 + (to.tv_nsec - from.tv_nsec), usage.ru_maxrss,
           (long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
               usage.ru_stime.tv_usec);
    return 0;
}
