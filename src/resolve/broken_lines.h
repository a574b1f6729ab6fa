/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a program that have syntax errors, and what these may have bound. */
#ifndef JX_BROKEN_LINES_H
#define JX_BROKEN_LINES_H

#include "resolve/check.h"

/* A statement with a syntax error: an equation or a header, at most to the end of its line. It may bind the words in
 * [from, right), and reads those in [right, end). */
struct broken_line {
    u32 from, right, end;
};

/* A broken line at `from` that lost the name of a binder, which was one of the numerals in [low, high). */
struct lost_name {
    u32 from;
    name_t low, high;
};

enum { MOST_LOST = 32 };

struct syntax_error {
    u32 at, line; /* its offset, and that of its line */
};

/* Zero-initialized; the caller frees both arrays (mem_free). */
struct broken_lines {
    VEC(struct syntax_error) errors; /* those of the module, in order */
    bool read;
    VEC(struct broken_line) list;      /* those of one program, in order */
    struct lost_name names[MOST_LOST]; /* those that lost one of a few names, */
    u32 n_names;                       /* and how many they are */
    u32 lost;                          /* the offset of the first that lost any name; NONE */
};

/* finds the broken lines of a program whose text is given. The first call sorts the errors of the module. Linear in the
 * lines that have errors */
void broken_lines_read(struct mem *mem, struct broken_lines *lines, const struct diags *ds, struct slice module,
                       struct span program);

/* the broken line at an offset; NULL if there is none. Logarithmic */
const struct broken_line *broken_line_at(const struct broken_lines *lines, u32 at);

/* whether a broken line before an offset may have lost a binder with this name. O(1) */
bool broken_may_bind(const struct broken_lines *lines, name_t name, u32 at);

/* whether a syntax error is between two offsets, or after the second, before `end`, and on its line. Logarithmic */
bool broken_near(const struct broken_lines *lines, u32 from, u32 at, u32 end);

#endif
