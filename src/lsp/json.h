/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON as it is read: a tree of values in a pool that is freed as one. Any depth is read without recursion. */
#ifndef JX_LSP_JSON_H
#define JX_LSP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* A value. Texts end with a NUL, and may hold others. */
struct json {
    enum json_kind kind;
    const char *key;  /* in an object; else NULL */
    const char *text; /* of a string; of a number its digits; else empty */
    size_t n;         /* bytes of text */
    int64_t integer;  /* of a number without a fraction that fits, else 0; 1 for `true` */
    struct json *parent, *child, *last, *next;
};

/* The memory of values. */
struct json_pool {
    struct json_chunk *chunks;
};

/* Reads n bytes into a pool, which is empty before; NULL where they are not one value. */
const struct json *json_read(struct json_pool *pool, const char *bytes, size_t n);

/* Gives everything back. */
void json_free(struct json_pool *pool);

/* The value at a path of keys such as `params.position.line`, or NULL; that of NULL is NULL. */
const struct json *json_get(const struct json *value, const char *path);

/* The same as a string (NULL: it is not one), as a number (`otherwise`: it is not a whole one), and whether it is
 * `true`. */
const char *json_string(const struct json *value, const char *path);
int64_t json_integer(const struct json *value, const char *path, int64_t otherwise);
bool json_true(const struct json *value, const char *path);

#endif
