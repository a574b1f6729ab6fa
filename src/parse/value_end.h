/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the value of a parameter ends: parse/value_end.c finds it for parse/value.c. */
#ifndef JX_VALUE_END_H
#define JX_VALUE_END_H

#include "parse/token_source.h"

enum stop { STOP_KEY, STOP_CLOSE, STOP_LAMBDA, STOP_LET, STOP_TEXT_END };

/* Where a value ends, and what comes after it. */
struct value_end {
    enum stop stop;
    const char *end;  /* the value's last byte is before this */
    const char *next; /* the key, the `]`, the `{` or the `let` */
    bool open;        /* it was found by its column, while brackets were open */
    bool odd;         /* its brackets do not balance, or strings hide it */
    bool lines;       /* it may contain line ends */
    bool gap;         /* it contains blanks outside of brackets */
};

/* what a line that begins at p inside a value of a broken list is: true, and *found says which, where the value ends
 * with the line before. exact: only by its column */
bool line_stops(const struct token_source *f, const struct frame *frame, const char *line, bool exact,
                struct value_end *found);

/* finds the end of the value text that goes on at `from`, frame->depth brackets deep; STOP_TEXT_END where there is
 * none, and then `end` is where it should have come at the latest */
struct value_end find_end(struct token_source *f, struct frame *frame, const char *from);

#endif
