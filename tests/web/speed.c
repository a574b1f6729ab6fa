/* SPDX-License-Identifier: Apache-2.0
 *
 * The playground's entry point in native code, for tests/web/speed: measures a view of a file.
 *
 *     web_speed RUNS VIEW FILE [OTHER]        prints the milliseconds of the first run and of the fastest run */
#include "../../web/playground.c"

#include <time.h>

static char *
contents(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    *n = (size_t)ftell(file);
    char *text = calloc(1, *n + 1);
    rewind(file);
    if (text == NULL || fread(text, 1, *n, file) != *n)
        return NULL;
    fclose(file);
    return text;
}

static double
milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int
main(int argc, char **argv)
{
    size_t n = 0, other_n = 0;
    if (argc < 4)
        return 2;
    char *text = contents(argv[3], &n), *other = argc > 4 ? contents(argv[4], &other_n) : calloc(1, 1);
    if (text == NULL || other == NULL)
        return 2;
    double best = 1e9, first = -1;
    for (int runs = atoi(argv[1]); runs-- > 0;) {
        double begun = milliseconds();
        if (playground_run(argv[2], text, n, other, other_n) != JX_OK)
            return 1;
        double took = milliseconds() - begun;
        best = took < best ? took : best;
        first = first < 0 ? took : first;
    }
    free(text);
    free(other);
    printf("%.3f %.3f\n", first, best);
    return 0;
}
