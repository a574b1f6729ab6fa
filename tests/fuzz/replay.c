/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs targets on files, without libFuzzer: what was found once stays found.
 *
 *     replay [-v] TARGET|all FILE... */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(const char *bytes, size_t n);
} targets[] = {
#define X(name) {#name, target_##name},
    TARGETS(X)
#undef X
};

static struct written
file_bytes(const char *path)
{
    struct written w = {0};
    char some[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    while ((n = fread(some, 1, sizeof some, f)) > 0)
        keep_written(&w, some, n);
    fclose(f);
    return w;
}

int
main(int argc, char **argv)
{
    bool talk = argc > 1 && strcmp(argv[1], "-v") == 0;
    argc -= talk;
    argv += talk;
    if (argc < 3)
        return 2;
    unsigned long runs = 0;
    for (int i = 2; i < argc; i++) {
        struct written w = file_bytes(argv[i]);
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
            if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], targets[t].name) != 0)
                continue;
            if (talk)
                fprintf(stderr, "%s %s\n", targets[t].name, argv[i]);
            targets[t].run(w.n > 0 ? w.at : "", w.n);
            runs++;
        }
        free(w.at);
    }
    printf("%lu runs of %d files\n", runs, argc - 2);
    return runs > 0 ? 0 : 2;
}
