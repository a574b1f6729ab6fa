/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the text of a program, character by character, from its beginning. Private to extract. */
#ifndef JX_COLLECT_H
#define JX_COLLECT_H

#include "extract/extract.h"
#include "extract/prefix.h"

enum collector_state {
    COLLECTOR_OPEN,    /* its brackets are open */
    COLLECTOR_CLOSED,  /* they are closed */
    COLLECTOR_STOPPED, /* they are open, but the program ends: another one begins, or a string ends */
};

struct collector {
    struct flow *flow;
    struct mem *mem;
    enum collector_state state;
    u64 at;                  /* the next byte of the flow to collect */
    struct file_place begin; /* where it begins in the file */
    VEC(char) text;
    VEC(struct origin) origins;
    VEC(u64) places;        /* the place of each origin in the flow */
    struct file_place last; /* the place of the last origin */
    u64 next;               /* the flow's next byte if the current part continues */
    bool line_begins;       /* the next character begins a part */
    struct prefix prefix;
    u32 line;    /* where the current line begins in text */
    u32 skipped; /* how many consecutive lines did not belong to the program */
    /* brackets */
    i64 depth, floor; /* it ends when depth falls to floor: 0, or lower if a string contained an opening brace */
    enum { IN_PROGRAM, IN_LET, AFTER_LET } part; /* `let f = {..} in` may precede the program */
    u32 let_end;                                 /* the place of the `}` of the last let */
    /* strings */
    u32 level;                        /* of escapes: 1 in a string literal, 2 in a string literal inside another */
    char quote;                       /* what ends the string */
    bool comment;                     /* in a source comment, which ends with the line */
    bool quoted;                      /* a quote was read: later escapes are the program's own */
    VEC(struct found_program) claims; /* the ranges of the flow that belong to the program, in order */
};

/* begins at `start`, where `{ lambda` or `let` is; before[0 .. n) is the text before it on its line */
void collector_start(struct collector *g, struct flow *flow, u64 start, const char *before, size_t n);

/* continues until the state changes, the text has at least `most` bytes, or the flow ends (false) */
bool collector_continue(struct collector *g, u32 most);

/* keeps n bytes of the text, and returns the rest to the flow */
void collector_cut(struct collector *g, u32 n);

/* frees the text */
void collector_end(struct collector *g);

/* the length of the colour code, or of the carriage return before a line end, at the start of n bytes; 0 if there is
 * none. With `escaped`, codes whose escape character is itself escaped (`\x1b[1m`) count, too */
size_t invisible_length(const char *p, size_t n, bool escaped);

#endif
