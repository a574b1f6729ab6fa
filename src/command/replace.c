/* SPDX-License-Identifier: Apache-2.0
 *
 * The one writer of files. The bytes are written to a temporary file in the same directory, which is renamed, so
 * that half of a file is never visible; a signal that ends the program removes the temporary files. The new file
 * keeps the owner, mode, extended attributes and links of the old one, or nothing is written and the reason is
 * returned. */
#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

/* ---- the existing temporary files, at most one for each thread ---- */

enum { SLOTS = 256, LONGEST = 200 }; /* how many, and the bytes of a name that they begin with */
enum slot_state { FREE, TAKEN, OPENING, NAMED };

static struct {
    int state; /* enum slot_state; if NAMED, the file is removed when a signal ends the program */
    char path[PATH_MAX];
} slots[SLOTS];

static int ending; /* a signal is ending the program: open no more files */

/* signals that end a program and can be caught, except those that its own faults raise */
static const int ending_signals[] = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
#ifdef __linux__
    SIGIO,  SIGPWR,
#endif
};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* Signals are blocked in a thread that is opening a file, so this wait ends. */
void
files_abandon(void)
{
    __atomic_store_n(&ending, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < SLOTS; i++) {
        int state;
        while ((state = __atomic_load_n(&slots[i].state, __ATOMIC_SEQ_CST)) == OPENING)
            ;
        if (state == NAMED)
            unlink(slots[i].path);
    }
}

static void
end_by_signal(int number)
{
    files_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

static void
catch_signal(int number)
{
    struct sigaction old, catching = {.sa_handler = end_by_signal};
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL) /* nohup ignores SIGHUP */
        sigaction(number, &catching, NULL);
}

static void
catch_signals(void)
{
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        catch_signal(ending_signals[i]);
#ifdef SIGRTMIN
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        catch_signal(number);
#endif
    signal(SIGXFSZ, SIG_IGN); /* a file that would grow too large makes write fail */
}

/* a slot for one more temporary file; -1 if there is none */
static int
slot_take(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, catch_signals);
    for (int i = 0; i < SLOTS; i++) {
        int expected = FREE;
        if (__atomic_compare_exchange_n(&slots[i].state, &expected, TAKEN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return i;
    }
    return -1;
}

static void
slot_set(int slot, enum slot_state state)
{
    __atomic_store_n(&slots[slot].state, (int)state, __ATOMIC_SEQ_CST);
}

/* open(2) of a slot's path, a new file, with this thread's signals blocked; -1 and errno on failure */
static int
open_slot(int slot, mode_t mode)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int fd = -1, error = EINTR;
    slot_set(slot, OPENING);
    while (error == EINTR && !__atomic_load_n(&ending, __ATOMIC_SEQ_CST)) {
        fd = open(slots[slot].path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        error = fd < 0 ? errno : 0;
    }
    slot_set(slot, fd >= 0 ? NAMED : TAKEN);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return fd;
}

/* creates a file beside a path; -1 and errno on failure. A long name is cut off, between characters */
static int
open_beside(const char *path, int slot, mode_t mode)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > LONGEST)
        for (length = LONGEST; length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80;)
            length--;
    length += (size_t)(name - path);
    for (unsigned number = 0;; number++) {
        int n = snprintf(slots[slot].path, PATH_MAX, "%.*s.jaxpr-%ld-%d-%u", (int)length, path, (long)getpid(), slot,
                         number);
        if (n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open_slot(slot, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
}

/* ---- what a file is besides its bytes ---- */

#ifdef __linux__
/* Copies an extended attribute of the old file to the new one; false on failure. */
static bool
copy_attribute(int fd, const char *path, const char *name)
{
    ssize_t n = getxattr(path, name, NULL, 0);
    char *value = must_allocate(n > 0 ? 2 * (size_t)n : 1);
    bool same = n >= 0 && getxattr(path, name, value, (size_t)n) == n;
    if (same)
        same = (fgetxattr(fd, name, value + n, (size_t)n) == n && memcmp(value, value + n, (size_t)n) == 0) ||
               fsetxattr(fd, name, value, (size_t)n, 0) == 0;
    free(value);
    return same;
}

static bool
copy_attributes(int fd, const char *path)
{
    static const char acl[] = "system.posix_acl_access";
    ssize_t n = listxattr(path, NULL, 0);
    if (n < 0)
        return errno == ENOTSUP;
    char *names = must_allocate((size_t)n + 1);
    n = listxattr(path, names, (size_t)n);
    bool all = n >= 0, listed = false;
    for (ssize_t i = 0; all && i < n; i += (ssize_t)strlen(names + i) + 1) {
        all = copy_attribute(fd, path, names + i);
        listed |= strcmp(names + i, acl) == 0;
    }
    free(names);
    if (all && !listed && fremovexattr(fd, acl) != 0) /* the new file has that which its directory gives new files */
        all = errno == ENODATA || errno == ENOTSUP;
    return all;
}
#else
static bool
copy_attributes(int fd, const char *path)
{
    (void)fd, (void)path;
    return true;
}
#endif

/* Gives a new file the attributes of the old one; the reason if that fails, or NULL. */
static const char *
copy_metadata(int fd, const char *path, const struct stat *old)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return strerror(errno);
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid) != 0)
        return "cannot preserve its owner or group; not written";
    if (!copy_attributes(fd, path))
        return "cannot preserve its extended attributes; not written";
    return fchmod(fd, old->st_mode & 07777) == 0 ? NULL : strerror(errno); /* last: chown clears some mode bits */
}

/* Why a file cannot be replaced, or NULL. */
static const char *
irreplaceable(const char *path, const struct stat *st)
{
    if (S_ISDIR(st->st_mode))
        return strerror(EISDIR);
    if (S_ISLNK(st->st_mode))
        return "is a symbolic link; not written";
    if (!S_ISREG(st->st_mode))
        return S_ISFIFO(st->st_mode) ? "is a pipe, which cannot be replaced" : "is not a regular file; not written";
    if (st->st_nlink > 1)
        return "has several hard links; not written";
    return access(path, W_OK) == 0 ? NULL : strerror(errno);
}

/* ---- writing ---- */

/* Writes bytes to a descriptor and closes it; 0 or an errno. */
static int
fill(int fd, const char *bytes, size_t n)
{
    struct output o = {.fd = fd};
    output_write(&o, bytes, n);
    return output_close(&o);
}

/* Whether a path has another file than `was`, or that one after a change. */
static bool
has_changed(const char *path, const struct stat *was)
{
    struct stat now;
    if (stat(path, &now) != 0 || now.st_dev != was->st_dev || now.st_ino != was->st_ino || now.st_size != was->st_size)
        return true;
#ifdef __APPLE__
    return memcmp(&now.st_mtimespec, &was->st_mtimespec, sizeof now.st_mtimespec) != 0;
#else
    return now.st_mtim.tv_sec != was->st_mtim.tv_sec || now.st_mtim.tv_nsec != was->st_mtim.tv_nsec;
#endif
}

/* Whether a file contains exactly these bytes, as after another thread wrote them. */
static bool
has_bytes(const char *path, const char *bytes, size_t n)
{
    struct source source = {.keep = true};
    bool same = source_open(&source, path) && source_drain(&source) && source.kept.n == n &&
                (n == 0 || memcmp(source.kept.at, bytes, n) == 0);
    source_close(&source);
    return same;
}

/* Replaces the file at a path that is not a link; `old` describes the existing file, and `was` what was read of it, or
 * they are NULL; the reason on failure. */
static const char *
write_in_place(const char *path, const struct stat *old, const struct stat *was, const char *bytes, size_t n)
{
    int slot = slot_take();
    if (slot < 0)
        return strerror(EMFILE);
    const char *why = NULL;
    int fd = open_beside(path, slot, old != NULL ? 0600 : 0666);
    if (fd < 0) {
        why = strerror(errno);
    } else {
        struct output o = {.fd = fd};
        output_write(&o, bytes, n);
        output_flush(&o);
        why = old != NULL ? copy_metadata(fd, path, old) : NULL; /* after writes, which clear some mode bits */
        int error = output_close(&o);
        if (why == NULL && error == 0 && was != NULL && has_changed(path, was) && !has_bytes(path, bytes, n))
            why = "changed since it was read; not written";
        if (why == NULL && (error != 0 || rename(slots[slot].path, path) != 0))
            why = strerror(error != 0 ? error : errno);
        if (why != NULL)
            unlink(slots[slot].path);
    }
    slot_set(slot, FREE);
    return why;
}

static bool
holds_packed(const char *path)
{
    char first[2];
    int fd = file_open(path, O_RDONLY);
    bool packed = fd >= 0 && read(fd, first, sizeof first) == sizeof first && is_packed(first, sizeof first);
    if (fd >= 0)
        close(fd);
    return packed;
}

const char *
file_replace(const char *path, const struct stat *was, const char *bytes, size_t n)
{
    struct stat st;
    char *real = realpath(path, NULL);
    if (real == NULL || stat(real, &st) != 0) {
        const char *why = strerror(errno);
        free(real);
        return why;
    }
    const char *why = irreplaceable(real, &st);
    if (why == NULL && holds_packed(real))
        why = "is compressed with gzip; not written: decompress it first";
    why = why != NULL ? why : write_in_place(real, &st, was, bytes, n);
    free(real);
    return why;
}

const char *
file_make(const char *path, const char *bytes, size_t n)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? write_in_place(path, NULL, NULL, bytes, n) : strerror(errno);
    const char *why = irreplaceable(path, &st);
    return why != NULL ? why : write_in_place(path, &st, NULL, bytes, n);
}

/* Writes into a pipe, a device or standard output, which cannot be replaced; the reason on failure. */
static const char *
write_into(int fd, const char *bytes, size_t n)
{
    int error = fd < 0 ? errno : fill(fd, bytes, n);
    return error != 0 ? strerror(error) : NULL;
}

const char *
file_write(const char *path, const char *bytes, size_t n)
{
    struct stat st, out, link;
    bool linked = lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && strncmp(path, "/dev/", 5) != 0 &&
                  strncmp(path, "/proc/", 6) != 0; /* where links mean descriptors */
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode) || linked)
        return file_make(path, bytes, n);
    if (strncmp(path, "/dev/", 5) == 0 && fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st.st_dev &&
        out.st_ino == st.st_ino)
        return write_into(dup(STDOUT_FILENO), bytes, n);
    return S_ISREG(st.st_mode) ? file_make(path, bytes, n) : write_into(file_open(path, O_WRONLY), bytes, n);
}
