/* SPDX-License-Identifier: Apache-2.0
 *
 * launch MIB COMMAND [ARGUMENT...]: runs a command, discards its output, and prints its exit status (-1 after a
 * signal), real time in ns, peak memory in KiB, and CPU time in us. A small process does this, since the kernel counts
 * the memory of the process that forks as the child's.
 *
 * A virtual machine returns free memory to its host, and the next process that uses memory waits until the host
 * provides it again, which can take longer than the command. So another process uses MIB MiB of memory first. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
fetch_memory(size_t size)
{
    pid_t child = size > 0 ? fork() : -1;
    if (child == 0) {
        char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at != MAP_FAILED) {
            madvise(at, size, MADV_HUGEPAGE); /* may fail, which does not matter */
            memset(at, 1, size);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

int
main(int argc, char **argv)
{
    struct timespec from, to;
    struct rusage usage;
    int status;
    if (argc < 3)
        return 2;
    fetch_memory((size_t)atoi(argv[1]) << 20);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = vfork();
    if (child == 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(argv[2], argv + 2);
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
