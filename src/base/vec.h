/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed growable arrays, indexed by 32-bit ids. Growth doubles, so pushing is amortised O(1); the bytes belong to a
 * pool (base/mem.h), which frees them.
 *
 *     VEC(u32) ids = {0};
 *     *vec_push(mem, &ids) = 7;          // the new element, uninitialised before
 *     for (u32 i = 0; i < ids.n; i++) use(ids.at[i]); */
#ifndef JX_VEC_H
#define JX_VEC_H

#include "base/mem.h"

#define VEC(T) \
    struct { \
        T *at; \
        u32 n, cap; \
    }

/* grows the array so that `more` further elements fit, and returns its storage */
void *vec_grow(struct mem *m, void *at, u32 n, u32 *cap, size_t more, size_t size) __attribute__((returns_nonnull));

#define vec_reserve(m, v, more) \
    ((void)((size_t)(v)->cap - (v)->n < (size_t)(more) \
                ? ((v)->at = vec_grow((m), (v)->at, (v)->n, &(v)->cap, (more), sizeof *(v)->at), 0) \
                : 0))

/* appends one element and returns its address. In `*vec_push(m, &v) = f(x)`, f may run before or after the push: it
 * must not push to v nor read v.n */
#define vec_push(m, v) (vec_reserve((m), (v), 1), &(v)->at[(v)->n++])

/* appends `count` elements, uninitialised, and returns the address of the first */
#define vec_push_n(m, v, count) (vec_reserve((m), (v), (count)), (v)->n += (u32)(count), (v)->at + (v)->n - (count))

/* appends copies of `count` elements at `from`, which may be NULL if there are none */
#define vec_append(m, v, from, count) \
    ((count) > 0 ? (void)memcpy(vec_push_n((m), (v), (count)), (from), (size_t)(count) * sizeof *(v)->at) : (void)0)

/* how many elements of an array are less than `key`: each begins with a u32, by which they ascend. A binary search */
u32 before_key(const void *at, u32 n, size_t size, u32 key);

#define vec_before(v, key) before_key((v)->at, (v)->n, sizeof *(v)->at, (key))

/* the index of the last such element that is at most `key`; 0 if there is none */
static inline u32
last_until(const void *at, u32 n, size_t size, u32 key)
{
    u32 before = key < NONE ? before_key(at, n, size, key + 1) : n;
    return before > 0 ? before - 1 : 0;
}

/* gives the storage back to the pool; the array is empty again */
#define vec_free(m, v) (mem_free((m), (v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

#endif
