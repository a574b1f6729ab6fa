/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing with every failure noticed: a full disk must never look like success. A reader that went away (EPIPE) is
 * nobody's fault and is not talked about. */
#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 64 << 10 };

struct output standard_output = {.fd = STDOUT_FILENO};
struct output standard_error = {.fd = STDERR_FILENO};

/* reports that memory ran out, and ends the program */
static void
run_out_of_memory(void)
{
    static const char message[] = "jaxpr: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    _exit(EXIT_TROUBLE);
}

void *
must_resize(void *old, size_t n)
{
    void *p = realloc(old, n > 0 ? n : 1);
    if (p == NULL)
        run_out_of_memory();
    return p;
}

char *
must_copy(const char *bytes, size_t n)
{
    char *copy = must_allocate(n + 1);
    memcpy(copy, bytes, n);
    copy[n] = 0;
    return copy;
}

void *
must_allocate(size_t n)
{
    return must_resize(NULL, n);
}

/* Writes all of the bytes to the descriptor. */
static void
write_all(struct output *o, const char *bytes, size_t n)
{
    while (n > 0 && o->error == 0) {
        ssize_t done = write(o->fd, bytes, n);
        if (done >= 0) {
            bytes += done;
            n -= (size_t)done;
        } else if (errno != EINTR) {
            o->error = errno;
        }
    }
}

const char *
plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *
level_name(enum jx_level level)
{
    return level == JX_ERROR ? "error" : level == JX_WARNING ? "warning" : "note";
}

bool
output_flush(struct output *o)
{
    if (o->fd >= 0) {
        write_all(o, o->at, o->n);
        o->n = 0;
    }
    return o->error == 0;
}

int
output_write(void *output, const char *bytes, size_t n)
{
    struct output *o = output;
    if (n == 0 || o->error != 0)
        return o->error;
    if (o->separator != NULL) {
        const char *separator = o->separator;
        o->separator = NULL;
        output_puts(o, separator);
    }
    o->used = true;
    if (o->fd >= 0 && o->n + n > BUFFER) {
        output_flush(o);
        if (n >= BUFFER) {
            write_all(o, bytes, n);
            return o->error;
        }
    }
    if (o->cap - o->n < n) {
        o->cap = o->cap * 2 > o->n + n ? o->cap * 2 : o->n + n;
        o->cap = o->cap > 1024 ? o->cap : 1024;
        o->at = must_resize(o->at, o->cap);
    }
    memcpy(o->at + o->n, bytes, n);
    o->n += n;
    return o->error;
}

void
output_puts(struct output *o, const char *string)
{
    output_write(o, string, strlen(string));
}

void
output_printf(struct output *o, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char small[256];
    int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n >= (int)sizeof small) {
        char *large = must_allocate((size_t)n + 1);
        vsnprintf(large, (size_t)n + 1, format, again);
        output_write(o, large, (size_t)n);
        free(large);
    } else if (n > 0) {
        output_write(o, small, (size_t)n);
    }
    va_end(again);
}

void
output_free(struct output *o)
{
    free(o->at);
    *o = (struct output){.fd = -1};
}

int
file_open(const char *path, int flags)
{
    int fd;
    while ((fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666)) < 0 && errno == EINTR)
        ;
    return fd;
}

int
output_create(struct output *o, const char *path)
{
    *o = (struct output){.fd = file_open(path, O_WRONLY | O_CREAT | O_TRUNC)};
    return o->fd < 0 ? errno : 0;
}

int
output_close(struct output *o)
{
    output_flush(o);
    int error = o->error;
    if (close(o->fd) != 0 && errno != EINTR && error == 0) /* one that was interrupted is closed */
        error = errno;
    output_free(o);
    return error;
}

void
output_shown(struct output *o, const char *bytes, size_t n)
{
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i], before = i > from ? (unsigned char)bytes[i - 1] : 0;
        bool control = c < 0x20 || c == 0x7F || (before == 0xC2 && c >= 0x80 && c < 0xA0);
        if (!control)
            continue;
        output_write(o, bytes + from, i - from);
        from = i + 1;
        char shown[8];
        output_write(o, shown, (size_t)snprintf(shown, sizeof shown, "\\x%02x", c));
    }
    output_write(o, bytes + from, n - from);
}

void
output_name(struct output *o, const char *name)
{
    output_shown(o, name, strlen(name));
}

static void
complain_to(struct output *o, const char *format, va_list args)
{
    char small[1024], *large = NULL;
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, format, args);
    if (n >= (int)sizeof small) {
        large = must_allocate((size_t)n + 1);
        vsnprintf(large, (size_t)n + 1, format, again);
    }
    va_end(again);
    output_puts(o, "jaxpr: ");
    output_name(o, large != NULL ? large : small);
    output_puts(o, "\n");
    free(large);
}

void
output_complain(struct output *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain_to(o, format, args);
    va_end(args);
}

void
complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    output_flush(&standard_output);
    complain_to(&standard_error, format, args);
    va_end(args);
}

int
output_finish(int status)
{
    if (!output_flush(&standard_output)) {
        if (standard_output.error != EPIPE)
            complain("standard output: %s", strerror(standard_output.error));
        status = EXIT_TROUBLE;
    }
    if (!output_flush(&standard_error))
        status = EXIT_TROUBLE;
    return status;
}

bool
color_wanted(const struct invocation *in, int fd)
{
    const char *when = in->value[OPTION_color];
    if (when != NULL && strcmp(when, "always") == 0)
        return true;
    if (when != NULL && strcmp(when, "never") == 0)
        return false;
    const char *none = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM");
    if (none != NULL && none[0] != 0)
        return false;
    if (force != NULL && force[0] != 0 && strcmp(force, "0") != 0)
        return true;
    return isatty(fd) && (term == NULL || strcmp(term, "dumb") != 0);
}

bool
unified_diff(struct output *out, const char *old_name, const char *new_name, struct input from, struct input to)
{
    struct output header = {.fd = -1};
    output_puts(&header, "--- ");
    output_name(&header, old_name);
    output_puts(&header, "\n+++ ");
    output_name(&header, new_name);
    output_write(&header, "\n", sizeof "\n");
    bool differ;
    if (jx_write_line_diff(header.at, (struct jx_string){from.at, from.n}, (struct jx_string){to.at, to.n}, &differ,
                           output_write, out) == JX_OUT_OF_MEMORY)
        run_out_of_memory();
    output_free(&header);
    return differ;
}
