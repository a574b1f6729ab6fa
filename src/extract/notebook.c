/* SPDX-License-Identifier: Apache-2.0
 *
 * Jupyter notebooks. Their cells and outputs are JSON strings, or arrays of strings that are the lines of one text.
 * yajl parses them and returns where each ends, which gives every character its place in the file. Linear. */
#include "extract/window.h"
#include "extract/unescape.h"

#include <yajl/yajl_parse.h>

struct notebook {
    struct flow *flow;
    yajl_handle json;
    VEC(char) text;
    VEC(struct file_range) file_ranges;
    u64 read;                /* how far the file was read */
    struct file_place place; /* the place of `read` */
    u32 arrays;              /* 1 plus the number of strings in the innermost array; 0 outside of arrays */
};

bool
notebook_supported(void)
{
    return true;
}

/* advances to a byte of the file */
static void
pass(struct notebook *b, u64 to)
{
    b->place = window_place(b->flow, to, &b->place);
    b->read = to;
}

static void
add_file_range(struct notebook *b, u64 at)
{
    *vec_push(b->flow->mem, &b->file_ranges) = (struct file_range){at, b->place};
}

/* records the places of the characters of the string whose quotes are at `open` and `close`; its n bytes are about
 * to be appended to the text */
static void
note_places(struct notebook *b, u64 open, u64 close, size_t n)
{
    u64 at = b->text.n, end = at + n;
    pass(b, open + 1);
    add_file_range(b, at);
    const char *p = window_at(b->flow, open + 1), *last = window_at(b->flow, close);
    while (p < last && at < end) {
        const char *escape = memchr(p, '\\', (size_t)(last - p));
        if (!escape)
            break;
        struct unescaped c;
        unescape(escape, 1, &c);
        at += (u64)(escape - p) + c.n;
        p = escape + c.length;
        pass(b, b->flow->base + (u64)(p - b->flow->at));
        add_file_range(b, at < end ? at : end);
    }
}

static int
consume_string(void *arg, const unsigned char *bytes, size_t n)
{
    struct notebook *b = arg;
    struct mem *m = b->flow->mem;
    u64 close = b->flow->base + yajl_get_bytes_consumed(b->json) - 1;
    const char *open = memchr(window_at(b->flow, b->read), '"', (size_t)(close - b->read));
    if (!open)
        return 0;
    /* the lines of one text are joined as they are; two texts are separated by a newline */
    if (b->text.n && (b->arrays < 2 || b->text.at[b->text.n - 1] != '\n'))
        *vec_push(m, &b->text) = '\n';
    b->arrays += b->arrays > 0;
    note_places(b, b->flow->base + (u64)(open - b->flow->at), close, n);
    vec_append(m, &b->text, bytes, n);
    pass(b, close + 1);
    return 1;
}

static int
consume_key(void *arg, const unsigned char *bytes, size_t n)
{
    struct notebook *b = arg;
    (void)bytes;
    (void)n;
    pass(b, b->flow->base + yajl_get_bytes_consumed(b->json));
    return 1;
}

static int
begin_array(void *arg)
{
    ((struct notebook *)arg)->arrays = 1;
    return 1;
}

static int
end_array(void *arg)
{
    ((struct notebook *)arg)->arrays = 0;
    return 1;
}

static void *
json_malloc(void *mem, size_t n)
{
    return mem_alloc(mem, n);
}

static void *
json_realloc(void *mem, void *old, size_t n)
{
    return mem_resize(mem, old, n);
}

static void
json_free(void *mem, void *old)
{
    mem_free(mem, old);
}

bool
notebook_read(struct flow *f)
{
    static const yajl_callbacks callbacks = {
        .yajl_string = consume_string,
        .yajl_map_key = consume_key,
        .yajl_start_array = begin_array,
        .yajl_end_array = end_array,
    };
    yajl_alloc_funcs memory = {json_malloc, json_realloc, json_free, f->mem};
    struct notebook b = {.flow = f, .place = f->mark};
    b.json = yajl_alloc(&callbacks, &memory, &b);
    bool read = yajl_parse(b.json, (const unsigned char *)f->at, f->n) == yajl_status_ok &&
                yajl_complete_parse(b.json) == yajl_status_ok && b.file_ranges.n;
    yajl_free(b.json);
    if (!read) {
        vec_free(f->mem, &b.text);
        vec_free(f->mem, &b.file_ranges);
        return false;
    }
    memset(vec_push_n(f->mem, &b.text, FLOW_PADDING), 0, FLOW_PADDING);
    mem_free(f->mem, f->at);
    f->at = b.text.at;
    f->n = b.text.n - FLOW_PADDING;
    f->cap = b.text.cap;
    f->file_ranges.at = b.file_ranges.at;
    f->file_ranges.n = b.file_ranges.n;
    f->file_ranges.cap = b.file_ranges.cap;
    return true;
}
