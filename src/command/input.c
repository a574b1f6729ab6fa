/* SPDX-License-Identifier: Apache-2.0
 *
 * Files, read whole with read(2), so that a pipe, a terminal and a file are one case; gzip files are decompressed. The
 * rest of a long file is read in parts by several threads: copying it and the first use of its memory take time. */
#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool
source_open(struct source *s, const char *path)
{
    *s = (struct source){.fd = STDIN_FILENO, .keep = s->keep, .no_devices = s->no_devices, .threads = s->threads};
    if (s->no_devices || strcmp(path, "-") != 0)
        s->fd = file_open(path, O_RDONLY | (s->no_devices ? O_NONBLOCK : 0));
    if (s->fd < 0 || fstat(s->fd, &s->was) != 0)
        s->error = errno;
    else if (S_ISDIR(s->was.st_mode))
        s->error = EISDIR;
    else if (S_ISREG(s->was.st_mode)) {
        s->regular = true;
        s->expected = s->was.st_size > 0 ? (size_t)s->was.st_size : 0;
    } else if (s->no_devices) {
        s->error = EINVAL;
        s->why = "is not a regular file";
    }
    return s->error == 0;
}

/* true if more bytes may follow in a file read to its end: it is empty, as during a save, or has grown since */
static bool
may_grow(const struct source *s)
{
    if (!s->regular)
        return false;
    struct stat st;
    off_t at = lseek(s->fd, 0, SEEK_CUR);
    return at >= 0 && fstat(s->fd, &st) == 0 && (at == 0 || st.st_size > at);
}

/* ---- parts ---- */

enum { PART = 256 << 10, MOST_PARTS = 1024 };

struct parts {
    int fd;
    off_t at; /* where the first part begins in the file */
    char *into;
    size_t n, got[MOST_PARTS];
};

static void
read_one(void *arg, uint32_t i)
{
    struct parts *p = arg;
    size_t from = (size_t)i * PART, room = p->n - from < PART ? p->n - from : PART;
    ssize_t more = 1;
    while (p->got[i] < room && more > 0) {
        size_t at = from + p->got[i];
        while ((more = pread(p->fd, p->into + at, room - p->got[i], p->at + (off_t)at)) < 0 && errno == EINTR)
            ;
        p->got[i] += more > 0 ? (size_t)more : 0;
    }
}

/* reads the rest of a long file in parts, by several threads; returns the bytes before the first incomplete part, or
 * 0 if the caller must read the file itself */
static size_t
read_parts(const struct source *s, char *into, size_t room)
{
    if (s->threads < 2 || !s->regular || room < 2 * PART)
        return 0;
    struct parts p = {s->fd, lseek(s->fd, 0, SEEK_CUR), into, room, {0}};
    size_t most = (size_t)MOST_PARTS * PART, got = 0;
    p.n = room < most ? room : most;
    if (p.at < 0)
        return 0;
    uint32_t n = (uint32_t)((p.n + PART - 1) / PART), i = 0;
    threads_run((void *)(uintptr_t)s->threads, read_one, &p, n);
    do
        got += p.got[i];
    while (p.got[i] == PART && ++i < n);
    return lseek(s->fd, p.at + (off_t)got, SEEK_SET) < 0 ? 0 : got;
}

static ssize_t
read_once(int fd, char *into, size_t room)
{
    ssize_t got;
    while ((got = read(fd, into, room)) < 0 && errno == EINTR)
        ;
    return got;
}

static void
keep_bytes(struct source *s, const char *bytes, size_t n)
{
    if (s->cap - s->kept.n < n) {
        s->cap = s->cap * 2 > s->kept.n + n ? s->cap * 2 : s->kept.n + n;
        s->cap = s->cap > s->expected ? s->cap : s->expected;
        s->kept.at = must_resize(s->kept.at, s->cap);
    }
    memcpy(s->kept.at + s->kept.n, bytes, n);
    s->kept.n += n;
}

ptrdiff_t
source_read_packed(struct source *s, char *into, size_t room)
{
    size_t read = read_parts(s, into, room);
    ssize_t got = read > 0 ? (ssize_t)read : read_once(s->fd, into, room);
    for (int tries = 0; got == 0 && room > 0 && tries < 20 && may_grow(s); tries++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        got = read_once(s->fd, into, room);
    }
    if (got < 0)
        s->error = errno;
    return got;
}

bool
is_packed(const char *bytes, size_t n)
{
    return n >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

/* The first read, which detects compression. A pipe may deliver single bytes. */
static ptrdiff_t
read_first(struct source *s, char *into, size_t room)
{
    enum { MOST = 1 << 16 };
    ptrdiff_t got = 0, more = 1;
    room = room < MOST ? room : MOST;
    s->begun = true;
    while (more > 0 && (size_t)got < room && (got == 0 || (got == 1 && into[0] == '\x1f'))) {
        more = source_read_packed(s, into + got, room - (size_t)got);
        got += more > 0 ? more : 0;
    }
    if (more < 0 || !is_packed(into, (size_t)got))
        return more < 0 ? more : got;
    return unpack_begin(s, into, (size_t)got) ? unpack_read(s, into, room) : -1;
}

ptrdiff_t
source_read(void *source, char *into, size_t room)
{
    struct source *s = source;
    ptrdiff_t got = !s->begun             ? read_first(s, into, room)
                    : s->unpacker != NULL ? unpack_read(s, into, room)
                                          : source_read_packed(s, into, room);
    if (s->why != NULL)
        s->error = EIO;
    if (got > 0 && s->keep)
        keep_bytes(s, into, (size_t)got);
    return got;
}

const char *
source_why(const struct source *s)
{
    return s->why != NULL ? s->why : strerror(s->error);
}

bool
source_drain(struct source *s)
{
    char bytes[4096];
    while (source_read(s, bytes, sizeof bytes) > 0)
        ;
    return s->error == 0;
}

void
source_close(struct source *s)
{
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    free(s->kept.at);
    unpack_end(s);
    *s = (struct source){.fd = -1};
}
