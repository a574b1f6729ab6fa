/* SPDX-License-Identifier: Apache-2.0
 *
 * The limit of --max-memory: an allocator that counts, and fails when that much is in use. The library then returns
 * JX_OUT_OF_MEMORY, and everything read so far is freed with the context. */
#include "command/command.h"

#include <stdlib.h>

/* The memory a context may still allocate. It is freed with the context's last block, the context itself. */
struct mem_limit {
    size_t left, blocks;
};

/* a header before every block; its size is the strictest alignment */
struct block_header {
    _Alignas(max_align_t) size_t size;
};

static void
block_free(struct mem_limit *a, struct block_header *header)
{
    a->left += header->size;
    free(header);
    if (--a->blocks == 0)
        free(a);
}

static void *
allowed(void *user, void *old, size_t size)
{
    struct mem_limit *a = user;
    struct block_header *header = old != NULL ? (struct block_header *)old - 1 : NULL;
    size_t held = header != NULL ? header->size : 0;
    if (size == 0) {
        if (header != NULL)
            block_free(a, header);
        return NULL;
    }
    if (size > held && size - held > a->left)
        return NULL;
    struct block_header *grown = realloc(header, sizeof *header + size);
    if (grown == NULL)
        return NULL;
    a->blocks += header == NULL;
    a->left = a->left + held - size;
    grown->size = size;
    return grown + 1;
}

static jx_context *
context_limited(const struct invocation *in)
{
    if (in->value[OPTION_max_memory] == NULL)
        return jx_context_new(NULL);
    struct mem_limit *a = malloc(sizeof *a);
    if (a == NULL)
        return NULL;
    *a = (struct mem_limit){(size_t)option_number(in, OPTION_max_memory, 0) << 20, 0};
    jx_context *context = jx_context_new(&(struct jx_allocator){allowed, a});
    if (context == NULL)
        free(a);
    return context;
}

jx_context *
context_make(const struct invocation *in)
{
    jx_context *context = context_limited(in);
    struct jx_parse_options options = {
        .size = sizeof options, .no_fast_path = in->no_fast_path, .force = in->value[OPTION_force] != NULL};
    if (context != NULL && jx_set_parse_options(context, &options) == JX_OK)
        return context;
    complain("%s", jx_status_text(JX_OUT_OF_MEMORY));
    files_abandon();
    exit(output_finish(EXIT_TROUBLE));
}
