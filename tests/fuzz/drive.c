/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a target on damaged seeds (inputs.h) without libFuzzer, whose inputs differ between machines; those of CI must
 * not. An input is determined by its index, so that runs can be divided into ranges, and a failing input can be
 * generated again anywhere.
 *
 *     drive TARGET FIRST COUNT PREFIX DIRECTORY    runs COUNT inputs from index FIRST on, made from the files of
 *                                                  DIRECTORY; one that fails is kept in the file PREFIX + index
 *     drive -p TARGET INDEX DIRECTORY              prints an input
 *
 * A child runs the inputs; after one that fails, another child continues. */
#include "inputs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_SECONDS = 60,  /* an input that takes 60 to 120 s of processor time fails; most take milliseconds */
    MOST_FAILURES = 25, /* of a range; no more inputs are run then */
};

/* The current input, in memory that a child shares with its parent. */
struct work {
    uint64_t index;
    size_t n;
    char input[LONGEST_INPUT];
};

/* the shared state, and the input that was current at the last tick of the clock */
static const struct work *watched;
static uint64_t seen;

static void
tick(int signal)
{
    (void)signal;
    if (seen == watched->index)
        abort();
    seen = watched->index;
}

/* runs the inputs work->index .. end - 1; *work has the current one */
static void
run_range(struct work *work, const struct seeds *seeds, const struct target *target, uint64_t end)
{
    const struct timeval limit = {.tv_sec = MOST_SECONDS};
    watched = work;
    seen = UINT64_MAX;
    signal(SIGPROF, tick);
    setitimer(ITIMER_PROF, &(struct itimerval){limit, limit}, NULL);
    for (; work->index < end; work->index++) {
        work->n = input_make(work->input, seeds, target->name, work->index);
        target->run(work->input, work->n);
    }
}

static void
keep(const struct work *work, const char *prefix, char *path, size_t room)
{
    snprintf(path, room, "%s%llu", prefix, (unsigned long long)work->index);
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(work->input, 1, work->n, f) != work->n || fclose(f) != 0) {
        perror(path);
        exit(2);
    }
}

/* runs the rest of the range in a child; if an input fails, prints that, keeps the input and returns false */
static bool
run_child(struct work *work, const struct seeds *seeds, const struct target *target, uint64_t end, const char *prefix)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        run_range(work, seeds, target, end);
        exit(0); /* detects leaks */
    }
    while (child < 0 || waitpid(child, &status, 0) < 0)
        if (child < 0 || errno != EINTR) {
            perror("drive");
            exit(2);
        }
    if (status == 0)
        return true;
    char path[4096], how[64];
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "%s", strsignal(WTERMSIG(status)));
    else
        snprintf(how, sizeof how, "status %d", WEXITSTATUS(status));
    if (work->index >= end) {
        printf("%s: %s after the last input: an input leaked memory\n", target->name, how);
        return false;
    }
    keep(work, prefix, path, sizeof path);
    int directory = (int)(strlen(program_invocation_name) - strlen(program_invocation_short_name));
    printf("%s: input %llu: %s; kept as %s\n", target->name, (unsigned long long)work->index, how, path);
    printf("repeat: %.*sreplay %s %s\n", directory, program_invocation_name, target->name, path);
    return false;
}

/* runs inputs first .. end - 1 and prints the outcome; true if all passed */
static bool
drive(const struct seeds *seeds, const struct target *target, uint64_t first, uint64_t end, const char *prefix)
{
    struct work *work = mmap(NULL, sizeof *work, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (work == MAP_FAILED) {
        perror("drive");
        return false;
    }
    int failures = 0;
    for (work->index = first; work->index < end && failures < MOST_FAILURES; work->index++)
        failures += !run_child(work, seeds, target, end, prefix);
    printf("%s: %llu inputs from %llu on, of %zu seeds: %d failed%s\n", target->name,
           (unsigned long long)((work->index < end ? work->index : end) - first), (unsigned long long)first, seeds->n,
           failures, work->index < end ? ", and no more were run" : "");
    munmap(work, sizeof *work);
    return failures == 0;
}

int
main(int argc, char **argv)
{
    bool print = argc > 1 && strcmp(argv[1], "-p") == 0;
    const struct target *target = argc == (print ? 5 : 6) ? target_find(argv[print ? 2 : 1]) : NULL;
    if (target == NULL) {
        fputs("usage: drive TARGET FIRST COUNT PREFIX DIRECTORY\n       drive -p TARGET INDEX DIRECTORY\n", stderr);
        return 2;
    }
    struct seeds seeds = {0};
    seeds_read(&seeds, argv[argc - 1]);
    if (seeds.n == 0) {
        fputs("drive: no seeds in the directory\n", stderr);
        return 2;
    }
    uint64_t first = strtoull(argv[print ? 3 : 2], NULL, 10);
    bool good = true;
    if (print) {
        char input[LONGEST_INPUT];
        fwrite(input, 1, input_make(input, &seeds, target->name, first), stdout);
    } else {
        good = drive(&seeds, target, first, first + strtoull(argv[3], NULL, 10), argv[4]);
    }
    seeds_drop(&seeds);
    return good ? 0 : 1;
}
