/* SPDX-License-Identifier: Apache-2.0
 *
 * A program being gathered, character by character, from where it begins. Private to extract. */
#ifndef JX_GATHER_H
#define JX_GATHER_H

#include "extract/extract.h"
#include "extract/prefix.h"

enum collector_state {
    GATHER_OPEN,    /* its brackets are open */
    GATHER_CLOSED,  /* they are closed */
    GATHER_STOPPED, /* they are open, but the text says that it is over: another program begins, a string ends */
};

struct collector {
    struct flow *flow;
    struct mem *mem;
    enum collector_state state;
    u64 start, at;       /* where it begins in the flow, and how far it was gathered */
    struct cursor begin; /* where it begins in the file */
    VEC(char) text;
    VEC(struct origin) origins;
    VEC(u64) places;    /* the place of each origin in the flow */
    struct cursor last; /* the place of the last origin */
    u64 next;           /* the place of the next character of the same stretch */
    bool line_begins;   /* so the next character begins a stretch */
    struct prefix prefix;
    u32 line;    /* where the line being gathered begins in text */
    u32 skipped; /* lines in a row that were not the program's */
    /* brackets */
    i64 depth, floor; /* it closes where depth comes down to floor: 0, lower where a string held a bracket */
    enum { IN_PROGRAM, IN_LET, AFTER_LET } part; /* `let f = {..} in` may come before the program */
    u32 let_end;                                 /* the place of the `}` of the last let */
    /* strings */
    u32 level;                        /* of escapes: 1 inside a string literal, 2 where that is quoted once more */
    char quote;                       /* what ends the string */
    bool comment;                     /* this is a source line, up to the end of the line */
    bool quoted;                      /* a quote was seen: escapes are the program's own from here on */
    VEC(struct found_program) claims; /* what it took of the flow, in order */
};

/* begins at `start`, at `{ lambda` or `let`; before[0 .. n) is what comes before it on its line */
void collector_start(struct collector *g, struct flow *flow, u64 start, const char *before, size_t n);

/* gathers on until the state changes, the text has at least `most` bytes, or the flow ends (false) */
bool collector_continue(struct collector *g, u32 most);

/* keeps n bytes of the text, and leaves what came after them in the flow */
void collector_cut(struct collector *g, u32 n);

/* forgets the text and gives its memory back */
void collector_end(struct collector *g);

/* the length of the colour code, or carriage return before a line's end, at p, where n bytes are: 0 where there is
 * none. Codes whose escape character is written out (`\x1b[1m`) count when `escaped` is set */
size_t dressing_length(const char *p, size_t n, bool escaped);

#endif
