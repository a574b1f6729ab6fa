/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing with every failure noticed: a full disk must never look like success. A closed pipe (EPIPE) is not an
 * error and is not reported. */
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
struct output standard_error = {.fd = STDERR_FILENO, .shown = true};

/* reports out of memory and exits */
static void
run_out_of_memory(void)
{
    static const char message[] = "jaxpr: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    files_abandon();
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

/* Appends bytes as they are; many are written without a copy. */
static int
put(void *output, const char *bytes, size_t n)
{
    struct output *o = output;
    o->used = true;
    if (o->fd >= 0 && (o->n + n > BUFFER || n >= BUFFER / 2)) {
        write_all(o, o->at, o->n);
        o->n = 0;
        if (n >= BUFFER / 2) {
            write_all(o, bytes, n);
            return o->error;
        }
    }
    if (o->at == NULL || o->cap - o->n < n) {
        o->cap = o->cap * 2 > o->n + n ? o->cap * 2 : o->n + n;
        o->cap = o->cap > 1024 ? o->cap : 1024;
        o->at = must_resize(o->at, o->cap);
    }
    memcpy(o->at + o->n, bytes, n);
    o->n += n;
    return o->error;
}

/* writes printable text; `write` records failures */
static void
write_visible(const char *bytes, size_t n, bool lines, jx_write_fn write, struct output *o)
{
    enum jx_status status = jx_write_visible(bytes, n, lines, write, o);
    (void)status;
}

bool
output_flush(struct output *o)
{
    size_t begun = o->n_begun;
    o->n_begun = 0;
    write_visible(o->begun, begun, true, put, o);
    if (o->fd >= 0) {
        write_all(o, o->at, o->n);
        o->n = 0;
    }
    return o->error == 0;
}

/* Prepares for appended bytes; false if there are none to write. */
static bool
begin(struct output *o, size_t n)
{
    const char *separator = o->separator;
    if (n == 0 || o->error != 0)
        return false;
    o->separator = NULL;
    if (separator != NULL)
        put(o, separator, strlen(separator));
    return true;
}

/* the number of bytes of a character with this first byte; 1 if it is invalid */
static size_t
character_length(unsigned char c)
{
    return c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/* how many of the last of n bytes begin an incomplete character */
static size_t
begun_length(const char *bytes, size_t n)
{
    for (size_t back = 1; back < 4 && back <= n; back++) {
        unsigned char c = (unsigned char)bytes[n - back];
        if (c >= 0xC0)
            return character_length(c) > back ? back : 0;
        if (c < 0x80)
            return 0;
    }
    return 0;
}

/* Appends bytes, escaped for display. A character may arrive in several parts. */
static int
write_shown(void *output, const char *bytes, size_t n)
{
    struct output *o = output;
    while (o->n_begun > 0 && n > 0) {
        bool more = ((unsigned char)*bytes & 0xC0) == 0x80 && o->n_begun < sizeof o->begun;
        if (more) {
            o->begun[o->n_begun++] = *bytes++;
            n--;
        }
        if (!more || o->n_begun == character_length((unsigned char)o->begun[0])) {
            write_visible(o->begun, o->n_begun, true, put, o);
            o->n_begun = 0;
        }
    }
    size_t begun = begun_length(bytes, n);
    write_visible(bytes, n - begun, true, put, o);
    memcpy(o->begun + o->n_begun, bytes + n - begun, begun);
    o->n_begun += begun;
    return o->error;
}

int
output_write(void *output, const char *bytes, size_t n)
{
    struct output *o = output;
    if (begin(o, n))
        (o->shown ? write_shown : put)(o, bytes, n);
    return o->error;
}

/* Appends text that contains colour codes, and whose input is already escaped. */
static int
write_styled(void *output, const char *bytes, size_t n)
{
    struct output *o = output;
    if (begin(o, n))
        put(o, bytes, n);
    return o->error;
}

jx_write_fn
output_writer(bool color)
{
    return color ? write_styled : output_write;
}

void
output_puts(struct output *o, const char *string)
{
    output_write(o, string, strlen(string));
}

static void
output_vprintf(struct output *o, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char small[256];
    int n = vsnprintf(small, sizeof small, format, args);
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
output_printf(struct output *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    output_vprintf(o, format, args);
    va_end(args);
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
output_close(struct output *o)
{
    output_flush(o);
    int error = o->error;
    if (close(o->fd) != 0 && errno != EINTR && error == 0) /* an interrupted descriptor is closed */
        error = errno;
    output_free(o);
    return error;
}

void
output_shown(struct output *o, const char *bytes, size_t n)
{
    write_visible(bytes, n, false, output_write, o);
}

void
output_json(struct output *o, const char *bytes, size_t n)
{
    if (jx_write_json_string(bytes, n, output_write, o) == JX_OUT_OF_MEMORY && o->error == 0)
        o->error = ENOMEM;
}

void
output_name(struct output *o, const char *name)
{
    output_shown(o, name, strlen(name));
}

static void
complain_to(struct output *o, const char *format, va_list args)
{
    struct output message = {.fd = -1};
    output_vprintf(&message, format, args);
    output_puts(o, "jaxpr: ");
    output_shown(o, message.at, message.n);
    output_puts(o, "\n");
    output_free(&message);
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

/* True if the verb prints programs, patches, data, or names for another program. */
static bool
prints_bytes(const struct invocation *in)
{
    static const enum option_id formats[] = {OPTION_format, OPTION_layout, OPTION_diff_layout};
    static const enum option_id texts[] = {OPTION_fix, OPTION_repair, OPTION_diff, OPTION_write_baseline};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *format = in->value[formats[i]];
        if (format != NULL && strcmp(format, "text") != 0 && strcmp(format, "gcc") != 0)
            return true;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (in->value[texts[i]] != NULL)
            return true;
    switch (in->verb) {
    case VERB_fmt:
    case VERB_norm:
    case VERB_extract:
    case VERB_json:
    case VERB_graph:
    case VERB_report:
        return true;
    case VERB_hash:
        return in->value[OPTION_verify] == NULL; /* prints digests, unless it checks them */
    case VERB_contract:
        return in->n_files > 0 && strcmp(in->files[0], "init") == 0;
    default:
        return false;
    }
}

bool
programs_colored(const struct invocation *in)
{
    static const enum option_id others[] = {OPTION_write, OPTION_list, OPTION_diff, OPTION_check};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (in->value[others[i]] != NULL)
            return false;
    return in->verb == VERB_fmt && color_wanted(in, STDOUT_FILENO);
}

void
output_prepare(const struct invocation *in)
{
    standard_output.shown = (isatty(standard_output.fd) || !prints_bytes(in)) && !programs_colored(in);
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
