/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs targets on files, without libFuzzer: a regression test for inputs that once failed.
 *
 *     replay [-v] TARGET|all FILE...      -v prints each target and file before it runs
 *
 * A child runs them, so that its parent can print the command that repeats a failure; one target on one file runs in
 * the process itself, for debuggers. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is running, in memory that a child shares with its parent. */
struct work {
    const char *target, *file;
    unsigned long runs;
};

static void
run_all(struct work *work, const char *name, char **files, bool talk)
{
    for (; *files != NULL; files++) {
        struct written w = file_bytes(*files);
        work->file = *files;
        for (size_t t = 0; t < TARGET_COUNT; t++) {
            if (strcmp(name, "all") != 0 && strcmp(name, targets[t].name) != 0)
                continue;
            if (talk)
                fprintf(stderr, "%s %s\n", targets[t].name, *files);
            work->target = targets[t].name;
            targets[t].run(w.n > 0 ? w.at : "", w.n);
            work->runs++;
        }
        free(w.at);
    }
    work->target = NULL;
}

int
main(int argc, char **argv)
{
    bool talk = argc > 1 && strcmp(argv[1], "-v") == 0;
    argc -= talk;
    argv += talk;
    if (argc < 3)
        return 2;
    struct work *work = mmap(NULL, sizeof *work, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool alone = argc == 3 && strcmp(argv[1], "all") != 0;
    pid_t child = alone || work == MAP_FAILED ? 0 : fork();
    if (work == MAP_FAILED || child < 0) {
        perror("replay");
        return 2;
    }
    if (child == 0)
        run_all(work, argv[1], argv + 2, talk);
    if (child == 0 && !alone)
        exit(0);
    int status = 0;
    if (child > 0 && (waitpid(child, &status, 0) < 0 || status != 0)) {
        if (work->target == NULL)
            printf("a run leaked memory\n");
        else
            printf("repeat: %s %s %s\n", argv[talk ? -1 : 0], work->target, work->file);
        return 1;
    }
    printf("%lu runs of %d files\n", work->runs, argc - 2);
    return work->runs > 0 ? 0 : 2;
}
