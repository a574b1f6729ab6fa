/* SPDX-License-Identifier: Apache-2.0
 *
 * What every file uses: fixed-width integers, slices of bytes, branch hints. No dependencies but libc. */
#ifndef JX_BASE_H
#define JX_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

/* "no such id", for every 32-bit id */
#define NONE UINT32_MAX

#define countof(array) (sizeof(array) / sizeof(*(array)))

/* a distinct name for each line of an included table: AT_LINE(row_, __LINE__) */
#define JOIN(a, b) a##b
#define AT_LINE(what, line) JOIN(what, line)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* prefetches data that is needed soon */
#define prefetch(address) __builtin_prefetch(address)
/* for rarely called functions: they are not inlined */
#define never_inline __attribute__((noinline))
/* for functions that become short with constant arguments: they are always inlined */
#define forced_inline __attribute__((always_inline)) static inline
#define printf_like(string, first) __attribute__((format(printf, string, first)))

#ifdef JX_WITHOUT_MEMRCHR
/* the last byte c among n bytes at p, or NULL: a function of glibc and musl that other systems lack */
static inline void *
memrchr(const void *p, int c, size_t n)
{
    for (const char *q = (const char *)p + n; q > (const char *)p;)
        if (*--q == (char)c)
            return (void *)(uintptr_t)q;
    return NULL;
}
#endif

/* A view of bytes, which it does not own; not NUL-terminated. */
struct slice {
    const char *at;
    size_t n;
};

/* the slice of a string literal */
#define SLICE(literal) ((struct slice){literal, sizeof(literal) - 1})

/* true if two slices hold the same bytes */
static inline bool
slice_eq(struct slice a, struct slice b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

/* the slice of a NUL-terminated string */
static inline struct slice
slice_of(const char *string)
{
    return (struct slice){string, strlen(string)};
}

/* true if s begins with prefix */
static inline bool
slice_starts(struct slice s, struct slice prefix)
{
    return s.n >= prefix.n && memcmp(s.at, prefix.at, prefix.n) == 0;
}

static inline bool
slice_ends(struct slice s, struct slice suffix)
{
    return s.n >= suffix.n && memcmp(s.at + s.n - suffix.n, suffix.at, suffix.n) == 0;
}

/* true if s contains part */
static inline bool
slice_contains(struct slice s, struct slice part)
{
    return part.n == 0 || (s.n > 0 && memmem(s.at, s.n, part.at, part.n) != NULL);
}

/* true if all bytes of s are ASCII */
static inline bool
slice_is_ascii(struct slice s)
{
    u8 all = 0;
    for (size_t i = 0; i < s.n; i++)
        all |= (u8)s.at[i];
    return all < 0x80;
}

/* the order of two slices for qsort: by their bytes, a prefix before the longer slice */
static inline int
slice_order(const void *a, const void *b)
{
    const struct slice *x = (const struct slice *)a, *y = (const struct slice *)b;
    int bytes = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);
    return bytes != 0 ? bytes : (x->n > y->n) - (x->n < y->n);
}

/* takes the next word of a space-separated list, empty at the end */
static inline struct slice
words_next(const char **words)
{
    const char *word = *words;
    while (*word == ' ')
        word++;
    size_t n = strcspn(word, " ");
    *words = word + n;
    return (struct slice){word, n};
}

/* true if a space-separated list contains the word. Linear in the list */
static inline bool
words_have(const char *words, struct slice word)
{
    for (struct slice known; (known = words_next(&words)).n > 0;)
        if (slice_eq(known, word))
            return true;
    return false;
}

#endif
