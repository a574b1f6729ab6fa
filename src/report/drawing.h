/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes with two lines of text and curves between them, as SVG in layers. */
#ifndef JX_DRAWING_H
#define JX_DRAWING_H

#include "base/memo.h"
#include "base/vec.h"
#include "base/sink.h"

/* A box, or a point where a line crosses a layer. */
struct box {
    struct slice text[2]; /* empty: no such line */
    struct slice tooltip;
    const char *class; /* NULL: none */
    char kind;         /* the kind of its link target: `#m1e12` for e; 0: no link */
    u32 id;
    bool source; /* an argument: it is placed right above its first reader */
    bool bend;   /* it is a bend of a line */
    u32 layer;
    i64 x, width; /* left edge */
};

/* A line between two boxes, down. */
struct line {
    u32 from, to;
};

struct drawing {
    struct mem *mem;
    VEC(struct box) boxes;
    VEC(struct line) lines;
    struct memo known; /* of lines: 1 by their two ends */
    u32 layers;
};

/* the most boxes of a drawing, as keys of `known` have two of them */
enum { DRAWING_MOST = 4000 };

/* adds a box and returns its number; drawing_write places it, and its texts must live until then */
u32 drawing_add(struct drawing *d, const struct box *like);

/* adds a line from a box to a later one, once */
void drawing_line(struct drawing *d, u32 from, u32 to);

/* places everything and writes an SVG element; links begin with `#m` and `number`. Frees the memory. About quadratic in
 * boxes and lines */
void drawing_write(struct drawing *d, struct sink *out, u32 number);

#endif
