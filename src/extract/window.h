/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as it flows by: a window on it that holds what somebody still looks at, and the place in the file of every byte
 * of the window. Of a log the window moves over the bytes of the file themselves; of a notebook, whose text is in
 * strings of JSON, over the text of its strings. */
#ifndef JX_FLOW_H
#define JX_FLOW_H

#include "base/vec.h"

/* like read(2): how many bytes were put at `into`, 0 at the end, less than 0 on failure */
typedef ptrdiff_t window_read(void *user, char *into, size_t room);

/* A place in the file: 1-based line, 1-based column in code points, and offset in bytes. */
struct cursor {
    u64 offset;
    u32 line, column;
};

/* Where a stretch of a notebook's text begins, in that text and in the file. */
struct stretch {
    u64 at;
    struct cursor place;
};

struct flow {
    struct mem *mem;
    window_read *read;
    void *user;
    char *at; /* the window: n bytes from the base-th of the text on, followed by 0s */
    size_t n, cap;
    u64 base;
    bool ended;                    /* there is nothing after the window */
    bool failed;                   /* read did */
    bool unsupported;              /* it is a notebook, and the library was built without what reads one */
    struct cursor mark;            /* the place of the window's first byte; not of notebooks */
    struct cursor last;            /* the place asked for last; likewise */
    VEC(struct stretch) stretches; /* of notebooks */
};

/* zero bytes after the window */
#define FLOW_PADDING 16

/* begins with an empty window. A notebook (known by its name, or by how it begins) is read whole */
void window_start(struct flow *f, struct mem *m, struct slice name, window_read *read, void *user);

/* begins in the middle of a text that is not a notebook, at the beginning of a line; `read` gives what comes from there
 * on */
void window_resume(struct flow *f, struct mem *m, struct cursor from, window_read *read, void *user);

/* reads until the window reaches up to `to`, or to the end of the text; false where it does not reach that far */
bool window_fill(struct flow *f, u64 to);

/* lets the window begin at `from` or later: earlier bytes are not needed any more */
void window_drop(struct flow *f, u64 from);

/* the place of a byte of the window. `near` is a place found before, of a byte not after it, or NULL: that of the last
 * call without one. Finding places one after another is linear */
struct cursor window_place(struct flow *f, u64 at, const struct cursor *near);

/* whether the text comes from strings of JSON */
static inline bool
window_is_notebook(const struct flow *f)
{
    return f->stretches.n > 0;
}

/* how many of the n bytes from one on are beside each other in the file, too; all are, but in notebooks */
u32 window_run(const struct flow *f, u64 at, u32 n);

/* the offset in the text of a byte of the window */
static inline const char *
window_at(const struct flow *f, u64 at)
{
    return f->at + (at - f->base);
}

/* where the window ends */
static inline u64
window_limit(const struct flow *f)
{
    return f->base + f->n;
}

/* notebook.c: true; false where the library was built without yajl (no_notebook.c), and no notebook can be read */
bool notebook_supported(void);

/* notebook.c: puts the text of a notebook's strings in the place of the file, all of which is in the window; leaves the
 * window alone, and returns false, where it is not JSON */
bool notebook_read(struct flow *f);

#endif
