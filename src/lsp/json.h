/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON reader: a tree of values in a pool, which is freed as a whole. No recursion at any depth. */
#ifndef JX_LSP_JSON_H
#define JX_LSP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* A value. Its text is NUL-terminated, and may contain other NULs. */
struct json {
    enum json_kind kind;
    const char *key;  /* of a member of an object; else NULL */
    const char *text; /* the bytes of a string, the digits of a number; else empty */
    size_t n;         /* bytes of text */
    int64_t integer;  /* the value of a number without fraction and exponent, if it fits; 1 for `true`; else 0 */
    struct json *parent, *child, *last, *next; /* child and last are the first and last element; NULL: none */
};

/* The memory of values; {NULL} is empty. */
struct json_pool {
    struct json_chunk *chunks;
};

/* Parses n bytes as one JSON value, allocated in an empty pool; NULL if they are not one. Call json_free in both
 * cases. */
const struct json *json_read(struct json_pool *pool, const char *bytes, size_t n);

/* Frees all values of a pool. */
void json_free(struct json_pool *pool);

/* The value at a path of keys such as `params.position.line`; NULL if there is none, or `value` is NULL. */
const struct json *json_get(const struct json *value, const char *path);

/* The value at a path as a string, NULL if it is not one or contains NUL; as an integer, -1 if it is not a number; and
 * whether it is `true`. The string belongs to the pool. */
const char *json_string(const struct json *value, const char *path);
int64_t json_integer(const struct json *value, const char *path);
bool json_true(const struct json *value, const char *path);

#endif
