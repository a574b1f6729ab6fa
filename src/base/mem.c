/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks carry a header that links them into their pool; small long-lived objects are allocated in chunks that double
 * from 2 KiB up to 1 MiB. Allocation is O(1); dropping a pool is linear in its blocks. Where huge pages are used, a
 * large block is a mapping of its own, aligned to one: realloc would move it to addresses where huge pages are
 * split. */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct mem_block {
    struct mem_block *next, *prev;
    size_t size, mapped; /* its bytes, with this header; the bytes of its mapping, or 0 */
};

enum { FIRST_CHUNK = 2 << 10, LAST_CHUNK = 1 << 20 };

/* A block of at least this many bytes uses huge pages: page faults for each 4 KiB and page table walks are a quarter of
 * the time for a large program. */
enum { HUGE_BLOCK = 2 << 20, PAGE = 4 << 10 };

/* A block of at least this many bytes fills whole huge pages: if it grew from part of one, that part would stay in
 * small pages. */
enum { WHOLE_PAGES = 8 << 20 };

static void *
libc_resize(void *user, void *old, size_t size)
{
    (void)user;
    if (size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, size);
}

/* not with sanitizers, which track blocks of realloc */
#if defined(MADV_HUGEPAGE) && defined(MREMAP_FIXED) && !defined(__EMSCRIPTEN__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
enum { MAPS = 1 };

/* a mapping that begins at a huge page; NULL on failure */
static void *
map_aligned(size_t length)
{
    char *at = mmap(NULL, length + HUGE_BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)at % HUGE_BLOCK;
    if (before)
        munmap(at, before);
    if (before < HUGE_BLOCK)
        munmap(at + before + length, HUGE_BLOCK - before);
    madvise(at + before, length, MADV_HUGEPAGE); /* it may fail */
    return at + before;
}

/* like realloc, for a block that is a mapping or becomes one */
static struct mem_block *
map_resize(struct mem_block *old, size_t size)
{
    size_t whole = size < WHOLE_PAGES ? PAGE : HUGE_BLOCK, length = (size + whole - 1) / whole * whole;
    struct mem_block *b = old;
    if (old && old->mapped) {
        if (size == 0 || mremap(old, old->mapped, length, 0) == MAP_FAILED) {
            b = size ? map_aligned(length) : NULL;
            if (b && mremap(old, old->mapped, length, MREMAP_MAYMOVE | MREMAP_FIXED, b) == MAP_FAILED) {
                munmap(b, length);
                return NULL;
            }
            if (size == 0)
                munmap(old, old->mapped);
        }
    } else {
        b = map_aligned(length);
        if (b && old) {
            memcpy(b, old, old->size);
            free(old);
        }
    }
    if (b)
        b->mapped = length;
    return b;
}
#else
enum { MAPS = 0 };

static struct mem_block *
map_resize(struct mem_block *old, size_t size)
{
    (void)size;
    return old;
}
#endif

const struct mem_hooks mem_libc = {libc_resize, NULL};

/* a mix of addresses in the heap or its mappings, the stack and the code, which the system randomizes in each run */
static u64
make_secret(const struct mem *m)
{
    const u64 places[] = {(u64)(uintptr_t)m, (u64)(uintptr_t)&m, (u64)(uintptr_t)&mem_libc};
    u64 secret = 0;
    for (size_t i = 0; i < countof(places); i++) {
        secret = (secret ^ places[i]) * 0x9e3779b97f4a7c15u;
        secret ^= secret >> 32;
    }
    return secret;
}

void
mem_init(struct mem *m, const struct mem_hooks *hooks)
{
    *m = (struct mem){.hooks = hooks ? *hooks : mem_libc, .chunk = FIRST_CHUNK, .secret = make_secret(m)};
}

/* like realloc, with a header; size 0 frees */
static struct mem_block *
block_resize(const struct mem *m, struct mem_block *old, size_t size)
{
    bool maps = MAPS && m->hooks.resize == libc_resize && ((old && old->mapped) || size >= HUGE_BLOCK);
    struct mem_block *b = maps ? map_resize(old, size) : m->hooks.resize(m->hooks.user, old, size);
    if (b) {
        b->size = size;
        b->mapped = maps ? b->mapped : 0;
    }
    return b;
}

static void
drop_blocks(struct mem *m)
{
    for (struct mem_block *b = m->blocks, *next; b; b = next) {
        next = b->next;
        block_resize(m, b, 0);
    }
}

struct mem *
mem_inner(struct mem *m)
{
    struct mem *inner = mem_alloc(m, sizeof *inner);
    mem_init(inner, &m->hooks);
    inner->outer = m;
    inner->next = m->inner;
    m->inner = inner;
    return inner;
}

void
mem_inner_drop(struct mem *inner)
{
    struct mem *outer = inner->outer, **link = &outer->inner;
    while (*link != inner)
        link = &(*link)->next;
    *link = inner->next;
    drop_blocks(inner);
    mem_free(outer, inner);
}

void
mem_drop(struct mem *m)
{
    struct mem_hooks hooks = m->hooks;
    while (m->inner)
        mem_inner_drop(m->inner);
    drop_blocks(m);
    mem_init(m, &hooks);
}

void
mem_ask(struct mem *m)
{
    enum { STEPS = 512 };
    m->ticks = STEPS - 1;
    m->steps += STEPS;
    if (m->watch == NULL || m->watch->ask == NULL || m->oom == NULL || m->watch->ask(m->watch->user, m->steps) == 0)
        return;
    m->watch->cancelled = true;
    longjmp(*m->oom, 1);
}

static void
link_block(struct mem *m, struct mem_block *b)
{
    b->prev = NULL;
    b->next = m->blocks;
    if (m->blocks)
        m->blocks->prev = b;
    m->blocks = b;
}

static void
unlink_block(struct mem *m, struct mem_block *b)
{
    if (b->prev)
        b->prev->next = b->next;
    else
        m->blocks = b->next;
    if (b->next)
        b->next->prev = b->prev;
}

void
mem_fail(struct mem *m)
{
    longjmp(*m->oom, 1);
}

void *
mem_resize(struct mem *m, void *old, size_t size)
{
    struct mem_block *b = old ? (struct mem_block *)old - 1 : NULL;
    mem_poll(m);
    if (size > SIZE_MAX / 2)
        longjmp(*m->oom, 1);
    if (b)
        unlink_block(m, b);
    struct mem_block *grown = block_resize(m, b, size + sizeof *b);
    if (!grown) {
        if (b)
            link_block(m, b);
        longjmp(*m->oom, 1);
    }
    link_block(m, grown);
    return grown + 1;
}

size_t
mem_block_size(const struct mem *m, size_t size)
{
    const size_t header = sizeof(struct mem_block);
    if (!MAPS || m->hooks.resize != libc_resize || size < HUGE_BLOCK / 2)
        return size;
    return (size + header + HUGE_BLOCK - 1) / HUGE_BLOCK * HUGE_BLOCK - header;
}

void *
mem_alloc(struct mem *m, size_t size)
{
    return mem_resize(m, NULL, size);
}

void *
mem_zeroed(struct mem *m, size_t size)
{
    struct mem_block *b = (struct mem_block *)mem_alloc(m, size) - 1;
    return b->mapped ? b + 1 : memset(b + 1, 0, size); /* a new mapping is zero */
}

u32 *
mem_nones(struct mem *m, size_t n)
{
    return memset(mem_alloc(m, n * sizeof(u32)), 0xff, n * sizeof(u32));
}

void
mem_free(struct mem *m, void *old)
{
    if (!old)
        return;
    struct mem_block *b = (struct mem_block *)old - 1;
    unlink_block(m, b);
    block_resize(m, b, 0);
}

void
mem_free_each(struct mem *m, const void *const *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mem_free(m, (void *)blocks[i]);
}

void *
arena_alloc(struct mem *m, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if ((size_t)(m->bump_end - m->bump) < size) {
        if (size > m->chunk / 4)
            return mem_alloc(m, size);
        m->bump = mem_alloc(m, m->chunk);
        m->bump_end = m->bump + m->chunk;
        if (m->chunk < LAST_CHUNK)
            m->chunk *= 2;
    }
    void *p = m->bump;
    m->bump += size;
    return p;
}

struct slice
arena_copy(struct mem *m, struct slice s)
{
    char *p = arena_alloc(m, s.n + 1);
    if (s.n)
        memcpy(p, s.at, s.n);
    p[s.n] = 0;
    return (struct slice){p, s.n};
}

struct slice
arena_vprintf(struct mem *m, const char *format, va_list args)
{
    char small[512]; /* most messages fit and are formatted once */
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, format, args);
    struct slice text = {small, n > 0 ? (size_t)n : 0};
    if (text.n < sizeof small) {
        text = arena_copy(m, text);
    } else {
        char *large = arena_alloc(m, text.n + 1);
        vsnprintf(large, text.n + 1, format, again);
        text.at = large;
    }
    va_end(again);
    return text;
}

struct slice
arena_printf(struct mem *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct slice text = arena_vprintf(m, format, args);
    va_end(args);
    return text;
}
