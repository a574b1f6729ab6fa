/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of one context. Every block belongs to a pool, so that a failed allocation can leave from any depth: it
 * jumps to the entry point of the library (`mem.oom`), which drops the pool and returns an error. Code below the
 * library's entry points therefore never sees NULL and never frees on error paths. */
#ifndef JX_MEM_H
#define JX_MEM_H

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#endif
#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

struct mem_block;

/* The allocator, which the embedding program may replace. resize is like realloc, but size 0 frees; it returns NULL on
 * failure. */
struct mem_hooks {
    void *(*resize)(void *user, void *old, size_t size);
    void *user;
};

/* A callback that decides from time to time whether work continues. */
struct mem_watch {
    int (*ask)(void *user, u64 steps); /* returns 0 to go on; NULL: never called */
    void *user;
    bool cancelled; /* `ask` returned a nonzero number; the entry point of the library clears this */
};

struct mem {
    struct mem_hooks hooks;
    struct mem_watch *watch;  /* NULL: work is never cancelled */
    u32 ticks;                /* steps left until mem_ask */
    u64 steps;                /* of the current work */
    bool cancelled;           /* work on the pool was cancelled by mem_ask */
    struct mem_block *blocks; /* every live block, newest first */
    struct mem *inner;        /* pools made by mem_inner, newest first */
    struct mem *outer, *next; /* of such a pool: the pool it is freed with, and its next sibling */
    char *bump, *bump_end;    /* the open arena chunk */
    size_t chunk;             /* size of the next chunk */
    jmp_buf *oom;             /* where a failed allocation jumps; set by the entry point */
    u64 secret;               /* unknown to the input: the seed of tables whose keys come from the input */
};

/* malloc, realloc and free; large blocks ask the system for huge pages */
extern const struct mem_hooks mem_libc;

/* calls the pool's watch, and exits as a failed allocation does if it returns a nonzero number */
void mem_ask(struct mem *m);

/* counts a step of work, such as visiting an equation, and calls mem_ask after some hundreds of steps. Long loops that
 * do not allocate call it */
static inline void
mem_poll(struct mem *m)
{
    if (unlikely(m->ticks-- == 0))
        mem_ask(m);
}

/* makes an empty pool; hooks NULL means mem_libc */
void mem_init(struct mem *m, const struct mem_hooks *hooks);

/* frees every block of the pool, and the pools inside it; the pool is empty and usable again */
void mem_drop(struct mem *m);

/* makes a pool with the hooks of m, for work on another thread; it is freed with m, or earlier by mem_inner_drop, and
 * cannot have inner pools. The watch of m is not called for work on it */
struct mem *mem_inner(struct mem *m);
void mem_inner_drop(struct mem *inner);

/* returns size bytes, uninitialised, 16-byte aligned, that live until mem_free or mem_drop */
void *mem_alloc(struct mem *m, size_t size);

/* a block of mem_alloc whose bytes are zero */
void *mem_zeroed(struct mem *m, size_t size);

/* a block of n ids, each NONE */
u32 *mem_nones(struct mem *m, size_t n);

/* ends the work on a pool, as a failed allocation does: another pool that it needs has failed, or was cancelled */
void mem_fail(struct mem *m);

/* resizes a block of mem_alloc, or allocates one if `old` is NULL; contents are kept up to the smaller size */
void *mem_resize(struct mem *m, void *old, size_t size);

/* the size, at least `size`, for a block that grows: a large block fills whole huge pages, because memory that is added
 * to a partly used huge page stays in small pages */
size_t mem_block_size(const struct mem *m, size_t size);

/* frees a block of mem_alloc; NULL is fine */
void mem_free(struct mem *m, void *old);

/* frees several blocks, such as the `at` of a vector or the `slots` of a memo */
#define mem_free_all(m, ...) \
    mem_free_each((m), (const void *const[]){__VA_ARGS__}, sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))
void mem_free_each(struct mem *m, const void *const *blocks, size_t n);

/* With AddressSanitizer, a read or write of memory between mem_poison and mem_unpoison is an error: for memory that is
 * handed out again, but does not belong to anybody meanwhile. Otherwise they do nothing. */
static inline void
mem_poison(const void *at, size_t size)
{
#ifdef ADDRESS_SANITIZER
    __asan_poison_memory_region(at, size);
#else
    (void)at;
    (void)size;
#endif
}

static inline void
mem_unpoison(const void *at, size_t size)
{
#ifdef ADDRESS_SANITIZER
    __asan_unpoison_memory_region(at, size);
#else
    (void)at;
    (void)size;
#endif
}

/* returns size bytes, uninitialised, 8-byte aligned, that live until mem_drop and cannot be freed alone */
void *arena_alloc(struct mem *m, size_t size);

/* returns a copy of the slice in the arena, with a NUL after it */
struct slice arena_copy(struct mem *m, struct slice s);

/* formats into the arena; the result lives until mem_drop */
struct slice arena_printf(struct mem *m, const char *format, ...) printf_like(2, 3);

/* the same with the arguments as a va_list, which is consumed */
struct slice arena_vprintf(struct mem *m, const char *format, va_list args);

#endif
