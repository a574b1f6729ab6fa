/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a tree from the events of yajl. Values point to their parents, so that no stack is needed. Linear. */
#include "lsp/json.h"

#include "command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

enum { CHUNK = 8 << 10 };

struct json_chunk {
    struct json_chunk *next;
    size_t n, cap;
    _Alignas(16) char at[];
};

struct reading {
    struct json_pool *pool;
    struct json *root, *open; /* open: the array or object being read, or NULL */
    const char *key;
};

static void *
take(struct json_pool *pool, size_t n)
{
    struct json_chunk *c = pool->chunks;
    n = (n + 15) & ~(size_t)15;
    if (c == NULL || c->cap - c->n < n) {
        size_t cap = n > CHUNK ? n : CHUNK;
        c = must_allocate(sizeof *c + cap);
        *c = (struct json_chunk){.next = pool->chunks, .cap = cap};
        pool->chunks = c;
    }
    void *p = c->at + c->n;
    c->n += n;
    return p;
}

static const char *
keep(struct json_pool *pool, const void *bytes, size_t n)
{
    char *copy = take(pool, n + 1);
    memcpy(copy, bytes, n);
    copy[n] = 0;
    return copy;
}

static struct json *
add(struct reading *r, enum json_kind kind)
{
    struct json *value = take(r->pool, sizeof *value);
    *value = (struct json){.kind = kind, .key = r->key, .text = "", .parent = r->open};
    r->key = NULL;
    if (r->open == NULL)
        r->root = value;
    else if (r->open->last == NULL)
        r->open->child = value;
    else
        r->open->last->next = value;
    if (r->open != NULL)
        r->open->last = value;
    return value;
}

static int
on_null(void *user)
{
    add(user, JSON_NULL);
    return 1;
}

static int
on_bool(void *user, int value)
{
    add(user, JSON_BOOL)->integer = value != 0;
    return 1;
}

static int
on_number(void *user, const char *digits, size_t n)
{
    struct reading *r = user;
    struct json *value = add(r, JSON_NUMBER);
    char *end;
    value->text = keep(r->pool, digits, n);
    value->n = n;
    errno = 0;
    long long integer = strtoll(value->text, &end, 10);
    value->integer = errno == 0 && *end == 0 ? integer : 0;
    return 1;
}

static int
on_string(void *user, const unsigned char *text, size_t n)
{
    struct reading *r = user;
    struct json *value = add(r, JSON_STRING);
    value->text = keep(r->pool, text, n);
    value->n = n;
    return 1;
}

static int
on_key(void *user, const unsigned char *text, size_t n)
{
    struct reading *r = user;
    r->key = keep(r->pool, text, n);
    return 1;
}

static int
on_map(void *user)
{
    struct reading *r = user;
    r->open = add(r, JSON_OBJECT);
    return 1;
}

static int
on_array(void *user)
{
    struct reading *r = user;
    r->open = add(r, JSON_ARRAY);
    return 1;
}

static int
on_end(void *user)
{
    struct reading *r = user;
    r->open = r->open->parent;
    return 1;
}

const struct json *
json_read(struct json_pool *pool, const char *bytes, size_t n)
{
    static const yajl_callbacks events = {
        .yajl_null = on_null,
        .yajl_boolean = on_bool,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_map,
        .yajl_map_key = on_key,
        .yajl_end_map = on_end,
        .yajl_start_array = on_array,
        .yajl_end_array = on_end,
    };
    struct reading r = {.pool = pool};
    yajl_handle json = yajl_alloc(&events, NULL, &r);
    if (json == NULL)
        return NULL;
    bool fine = yajl_parse(json, (const unsigned char *)bytes, n) == yajl_status_ok &&
                yajl_complete_parse(json) == yajl_status_ok;
    yajl_free(json);
    return fine ? r.root : NULL;
}

void
json_free(struct json_pool *pool)
{
    while (pool->chunks != NULL) {
        struct json_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
}

const struct json *
json_get(const struct json *value, const char *path)
{
    while (value != NULL && *path != 0) {
        size_t n = strcspn(path, ".");
        const struct json *child = value->kind == JSON_OBJECT ? value->child : NULL;
        while (child != NULL && (strncmp(child->key, path, n) != 0 || child->key[n] != 0))
            child = child->next;
        value = child;
        path += n + (path[n] == '.');
    }
    return value;
}

const char *
json_string(const struct json *value, const char *path)
{
    const struct json *found = json_get(value, path);
    bool whole = found != NULL && found->kind == JSON_STRING && strlen(found->text) == found->n;
    return whole ? found->text : NULL;
}

int64_t
json_integer(const struct json *value, const char *path)
{
    const struct json *found = json_get(value, path);
    return found != NULL && found->kind == JSON_NUMBER ? found->integer : -1;
}

bool
json_true(const struct json *value, const char *path)
{
    const struct json *found = json_get(value, path);
    return found != NULL && found->kind == JSON_BOOL && found->integer != 0;
}
