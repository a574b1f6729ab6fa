/* SPDX-License-Identifier: Apache-2.0
 *
 * floor copy|lines|read FILE: reads a file into memory and copies it once, or counts its line ends with the vectors
 * of the processor, or does neither: a lower bound for the time of any reader of the text. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__ && defined __gnu_linux__
__attribute__((target_clones("avx2", "default")))
#endif
static size_t
count_lines(const char *p, size_t n)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i += 128) {
        unsigned char few = 0; /* a count of at most 128 fits in a byte, so that vectors of bytes are added */
        for (size_t k = i; k < i + 128; k++)
            few += p[k] == '\n';
        lines += few;
    }
    return lines;
}

int
main(int argc, char **argv)
{
    struct stat about;
    int file = argc == 3 ? open(argv[2], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &about) != 0)
        return 2;
    size_t n = (size_t)about.st_size, room = n + 128, at = 0;
    char *bytes = malloc(room), *copy = NULL;
    if (bytes == NULL)
        return 2;
    for (ssize_t got; (got = read(file, bytes + at, n - at)) > 0;)
        at += (size_t)got;
    memset(bytes + at, 0, room - at);
    if (strcmp(argv[1], "copy") == 0 && (copy = malloc(room)) != NULL)
        memcpy(copy, bytes, room);
    size_t lines = strcmp(argv[1], "lines") == 0 ? count_lines(bytes, n) : 0;
    printf("%zu %d\n", lines, copy != NULL ? copy[n / 2] : 0);
    return 0;
}
