/* SPDX-License-Identifier: Apache-2.0
 *
 * Layered drawings as SVG: boxes with up to two lines of text, and curves between them. */
#ifndef JX_DRAWING_H
#define JX_DRAWING_H

#include "base/memo.h"
#include "base/vec.h"
#include "base/sink.h"

/* A box, or a point where a line crosses a layer. */
struct box {
    struct slice text[2]; /* its lines; empty: none */
    struct slice tooltip;
    const char *class; /* NULL: none */
    char kind;         /* the kind of its link target: `#m1e12` for e; 0: no link */
    u32 id;
    bool source; /* an argument: it is placed one layer above its first reader */
    bool bend;   /* it is a bend of a line */
    u32 layer;
    i64 x, width; /* x is its left edge */
};

/* A line from a box down to another one. */
struct line {
    u32 from, to;
};

struct drawing {
    struct mem *mem;
    VEC(struct box) boxes;
    VEC(struct line) lines;
    struct memo known; /* by the two ends of a line: 1 */
    u32 layers;
};

/* the maximum number of boxes: a key of `known` consists of two of their numbers */
enum { DRAWING_MOST = 4000 };

/* adds a copy of a box, which drawing_write places, and returns its number; its texts must live until drawing_write */
u32 drawing_add(struct drawing *d, const struct box *like);

/* adds a line from a box to a later one, unless it exists */
void drawing_line(struct drawing *d, u32 from, u32 to);

/* places everything and writes an SVG element; links begin with `#m` and `number`. Frees the memory. About quadratic in
 * boxes and lines */
void drawing_write(struct drawing *d, struct sink *out, u32 number);

#endif
