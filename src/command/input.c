/* SPDX-License-Identifier: Apache-2.0
 *
 * Files, read whole with read(2), so that a pipe, a terminal and a file are one case; and files replaced whole, so
 * that nobody ever sees half of one. */
#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 64 << 10 };

/* Reads a descriptor to its end; 0 or an errno. */
static int
read_all(struct input *input, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    /* one byte more than a file is long, so that its end shows at once */
    size_t cap = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size + 1 : FIRST_READ;
    input->at = must_allocate(cap);
    for (;;) {
        if (input->n == cap) {
            cap *= 2;
            input->at = must_resize(input->at, cap);
        }
        ssize_t got = read(fd, input->at + input->n, cap - input->n);
        if (got == 0)
            return 0;
        if (got > 0)
            input->n += (size_t)got;
        else if (errno != EINTR)
            return errno;
    }
}

int
input_read(struct input *input, const char *path)
{
    *input = (struct input){0};
    if (strcmp(path, "-") == 0)
        return read_all(input, STDIN_FILENO);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return errno;
    int error = read_all(input, fd);
    close(fd);
    return error;
}

void
input_free(struct input *input)
{
    free(input->at);
    *input = (struct input){0};
}

/* Fills the temporary file and puts it in the place of the real one; 0 or an errno. */
static int
fill_and_rename(int fd, const char *temporary, const char *path, const struct stat *st, const char *bytes, size_t n)
{
    struct output o = {.fd = fd};
    output_write(&o, bytes, n);
    output_flush(&o);
    free(o.at);
    int error = o.error;
    /* the owner may not be ours to give; the mode must be kept, and after chown, which clears bits of it */
    if (error == 0 && fchown(fd, st->st_uid, st->st_gid) != 0)
        errno = 0;
    if (error == 0 && fchmod(fd, st->st_mode & 07777) != 0)
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(temporary, path) != 0)
        error = errno;
    return error;
}

int
file_replace(const char *path, const char *bytes, size_t n)
{
    char *real = realpath(path, NULL);
    if (real == NULL)
        return errno;
    struct stat st;
    int error = 0;
    if (stat(real, &st) != 0)
        error = errno;
    else if (!S_ISREG(st.st_mode))
        error = EINVAL;
    else if (access(real, W_OK) != 0)
        error = errno;
    if (error == 0) {
        static const char suffix[] = ".jaxpr-XXXXXX";
        size_t length = strlen(real);
        char *temporary = must_allocate(length + sizeof suffix);
        memcpy(temporary, real, length);
        memcpy(temporary + length, suffix, sizeof suffix);
        int fd = mkstemp(temporary);
        error = fd < 0 ? errno : fill_and_rename(fd, temporary, real, &st, bytes, n);
        if (fd >= 0 && error != 0)
            unlink(temporary);
        free(temporary);
    }
    free(real);
    return error;
}
