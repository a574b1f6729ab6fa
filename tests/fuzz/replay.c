/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs targets on files, without libFuzzer: what was found once stays found.
 *
 *     replay [-v] TARGET|all FILE... */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        for (size_t t = 0; t < TARGET_COUNT; t++) {
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
