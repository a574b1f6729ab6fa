/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes messages of the base protocol: `Content-Length: N`, an empty line, N bytes of JSON. All available
 * messages are read ahead, so that a request cancelled before its turn is never started. Linear in the bytes. */
#include "lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 << 10, MOST_HEADER = 4 << 10, MOST_BODY = 1 << 30 };

void
queue_init(struct queue *q)
{
    *q = (struct queue){.last = NULL};
    q->last = &q->first;
}

void
message_free(struct message *m)
{
    if (m != NULL)
        json_free(&m->pool);
    free(m);
}

static bool
same_id(const struct json *a, const struct json *b)
{
    return a != NULL && b != NULL && a->kind == b->kind && a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* sets `cancelled` of the request that the message `by`, a $/cancelRequest, names */
static void
cancel(struct queue *q, const struct message *by)
{
    const struct json *id = json_get(by->root, "params.id");
    for (struct message *m = q->first; m != NULL; m = m->next)
        if (same_id(m->id, id))
            m->cancelled = true;
    if (q->running != NULL && same_id(q->running->id, id))
        q->running->cancelled = true;
}

static void
append(struct queue *q, const char *body, size_t n)
{
    struct message *m = must_allocate(sizeof *m);
    *m = (struct message){.next = NULL};
    m->root = json_read(&m->pool, body, n);
    m->id = json_get(m->root, "id");
    m->method = json_string(m->root, "method");
    if (m->method != NULL && strcmp(m->method, "$/cancelRequest") == 0) {
        cancel(q, m);
        message_free(m);
        return;
    }
    q->edited |= m->method != NULL && strcmp(m->method, "textDocument/didChange") == 0;
    *q->last = m;
    q->last = &m->next;
}

/* The Content-Length in a header of n bytes; SIZE_MAX if it is missing, invalid or above MOST_BODY. */
static size_t
header_length(const char *header, size_t n)
{
    static const char name[] = "content-length:";
    size_t length = SIZE_MAX;
    for (const char *end = header + n; header < end;) {
        const char *line_end = memchr(header, '\n', (size_t)(end - header));
        line_end = line_end != NULL ? line_end : end;
        if ((size_t)(line_end - header) > sizeof name && strncasecmp(header, name, sizeof name - 1) == 0) {
            const char *digits = header + sizeof name - 1;
            digits += strspn(digits, " \t");
            unsigned long long value = strtoull(digits, NULL, 10);
            length = *digits >= '0' && *digits <= '9' && value <= MOST_BODY ? (size_t)value : SIZE_MAX;
        }
        header = line_end + 1;
    }
    return length;
}

/* The length of the header at p with its empty line; 0 if it is not complete. */
static size_t
header_end(const char *p, size_t n)
{
    for (size_t i = 1; i < n && i < MOST_HEADER; i++)
        if (p[i] == '\n' && (p[i - 1] == '\n' || (i > 2 && p[i - 1] == '\r' && p[i - 2] == '\n')))
            return i + 1;
    return 0;
}

/* Appends the complete messages in the buffer to the queue. Returns the number of missing bytes of the next one; 0:
 * unknown. */
static size_t
split(struct queue *q)
{
    for (;;) {
        const char *p = q->at + q->begin;
        size_t n = q->n - q->begin, head = n > 0 ? header_end(p, n) : 0;
        if (head == 0) {
            q->ended |= n >= MOST_HEADER;
            return 0;
        }
        size_t length = header_length(p, head);
        if (length == SIZE_MAX) {
            complain("lsp: a message without a usable Content-Length");
            q->ended = true;
            return 0;
        }
        if (n - head < length)
            return length - (n - head);
        append(q, p + head, length);
        q->begin += head + length;
        if (q->begin == q->n)
            q->begin = q->n = 0;
    }
}

static void
make_room(struct queue *q, size_t room)
{
    if (q->begin > 0) {
        memmove(q->at, q->at + q->begin, q->n - q->begin);
        q->n -= q->begin;
        q->begin = 0;
    }
    if (q->cap - q->n < room) {
        q->cap = q->n + room > q->cap * 2 ? q->n + room : q->cap * 2;
        q->at = must_resize(q->at, q->cap);
    }
}

/* waits up to a time (-1: no limit) until read() would not block; false if it still would */
static bool
readable(int milliseconds)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    int got = poll(&fd, 1, milliseconds);
    return got > 0 || (got < 0 && errno != EINTR);
}

void
queue_fill(struct queue *q, int milliseconds)
{
    size_t lacking = 0;
    while (!q->ended && readable(q->first != NULL || lacking > 0 ? 0 : milliseconds)) {
        make_room(q, lacking > PIECE ? lacking : PIECE);
        ssize_t got = read(STDIN_FILENO, q->at + q->n, q->cap - q->n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            q->ended = true;
            return;
        }
        q->n += (size_t)got;
        lacking = split(q);
    }
}

struct message *
queue_take(struct queue *q)
{
    struct message *m = q->first;
    if (m == NULL)
        return NULL;
    q->first = m->next;
    if (q->first == NULL) {
        q->last = &q->first;
        q->edited = false;
    }
    return m;
}

void
queue_free(struct queue *q)
{
    for (struct message *m; (m = queue_take(q)) != NULL;)
        message_free(m);
    free(q->at);
}

bool
message_write(const struct output *body)
{
    struct output o = {.fd = STDOUT_FILENO};
    output_printf(&o, "Content-Length: %zu\r\n\r\n", body->n);
    output_write(&o, body->at != NULL ? body->at : "", body->n);
    bool fine = output_flush(&o);
    free(o.at);
    return fine;
}
