/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces, with ld's --wrap, calls that a signal may interrupt: every other one fails with EINTR before it does
 * anything, and the others read or write only short pieces. The outcome does not depend on timing. The number of
 * interrupted calls is stored in the file that $INTERRUPTED names, as four bytes in native byte order. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LEAST = 1000 }; /* a piece has 1 to 7 times this length */

ssize_t __real_read(int fd, void *into, size_t n);
ssize_t __wrap_read(int fd, void *into, size_t n);
ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);
int __real_close(int fd);
int __wrap_close(int fd);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_nanosleep(const struct timespec *op_view, struct timespec *left);

static __thread unsigned calls;
static unsigned nowhere, *interrupted = &nowhere;

__attribute__((constructor)) static void
find_count(void)
{
    const char *path = getenv("INTERRUPTED");
    int fd = path ? __real_open(path, O_RDWR) : -1;
    void *count = mmap(NULL, sizeof *interrupted, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (count != MAP_FAILED)
        interrupted = count;
}

/* Returns true and sets errno for every other call of a thread, and counts it. */
static int
interrupts(void)
{
    if (calls++ % 2 != 0)
        return 0;
    __atomic_add_fetch(interrupted, 1, __ATOMIC_RELAXED);
    errno = EINTR;
    return 1;
}

static size_t
piece(size_t n)
{
    size_t most = (size_t)LEAST * (1 + calls % 7);
    return n < most ? n : most;
}

ssize_t
__wrap_read(int fd, void *into, size_t n)
{
    return interrupts() ? -1 : __real_read(fd, into, piece(n));
}

ssize_t
__wrap_write(int fd, const void *from, size_t n)
{
    return interrupts() ? -1 : __real_write(fd, from, piece(n));
}

/* Linux closes a descriptor even if it returns EINTR */
int
__wrap_close(int fd)
{
    int answer = __real_close(fd);
    return interrupts() ? -1 : answer;
}

#define OPEN(wrap, real) \
    int wrap(const char *path, int flags, ...) \
    { \
        va_list args; \
        va_start(args, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0; \
        va_end(args); \
        return interrupts() ? -1 : real(path, flags, mode); \
    }

OPEN(__wrap_open, __real_open)
OPEN(__wrap_open64, __real_open64)

int
__wrap_nanosleep(const struct timespec *op_view, struct timespec *left)
{
    (void)op_view;
    (void)left;
    errno = EINTR;
    return -1;
}
