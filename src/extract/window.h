/* SPDX-License-Identifier: Apache-2.0
 *
 * A window on a text that is read as a stream, and the place in the file of every byte of the window. For logs the
 * text is the bytes of the file; for notebooks, whose text is in strings of JSON, it is the text of these strings. */
#ifndef JX_WINDOW_H
#define JX_WINDOW_H

#include "base/vec.h"

/* like read(2): writes at most `room` bytes at `into` and returns how many, 0 at the end, less than 0 on failure */
typedef ptrdiff_t window_read(void *user, char *into, size_t room);

/* A place in the file: 1-based line, 1-based column in code points, and offset in bytes. */
struct file_place {
    u64 offset;
    u32 line, column;
};

/* Where a part of a notebook's text begins, in that text and in the file. */
struct file_range {
    u64 at;
    struct file_place place;
};

struct flow {
    struct mem *mem;
    window_read *read;
    void *user;
    char *at; /* the window: n bytes of the text, from offset base on, followed by zeros */
    size_t n, cap;
    u64 base;
    bool ended;                         /* the window reaches the end of the text */
    bool failed;                        /* `read` failed */
    bool unsupported;                   /* it is a notebook, and the library was built without yajl */
    struct file_place mark;             /* the place of the window's first byte; not used for notebooks */
    struct file_place last;             /* the last result of window_place without `near`; not used for notebooks */
    VEC(struct file_range) file_ranges; /* of notebooks */
};

/* zero bytes after the window */
#define FLOW_PADDING 16

/* initializes a flow with an empty window. A notebook (recognized by its name or its beginning) is read whole */
void window_start(struct flow *f, struct mem *m, struct slice name, window_read *read, void *user);

/* the same for the rest of a text that is not a notebook, from the beginning of a line on; `read` reads from there
 * on */
void window_resume(struct flow *f, struct mem *m, struct file_place from, window_read *read, void *user);

/* reads until the window reaches `to` or the end of the text; false if the text ends before `to` */
bool window_fill(struct flow *f, u64 to);

/* allows the bytes before `from` to be dropped from the window */
void window_drop(struct flow *f, u64 from);

/* the place of a byte of the window, computed from `near`, an earlier result for a byte not after it, or with NULL
 * from the last result without `near`. For ascending bytes, linear in all calls together */
struct file_place window_place(struct flow *f, u64 at, const struct file_place *near);

/* whether the text comes from strings of JSON */
static inline bool
window_is_notebook(const struct flow *f)
{
    return f->file_ranges.n > 0;
}

/* how many of the n bytes from `at` on are adjacent in the file, too: all, except in notebooks */
u32 window_run(const struct flow *f, u64 at, u32 n);

/* the address of a byte of the window, by its offset in the text */
static inline const char *
window_at(const struct flow *f, u64 at)
{
    return f->at + (at - f->base);
}

/* the offset of the end of the window */
static inline u64
window_limit(const struct flow *f)
{
    return f->base + f->n;
}

/* notebook.c: true; false if the library was built without yajl (no_notebook.c), and no notebook can be read */
bool notebook_supported(void);

/* notebook.c: replaces the window, which contains the whole file, by the text of a notebook's strings; returns
 * false, and leaves the window unchanged, if the file is not JSON */
bool notebook_read(struct flow *f);

#endif
