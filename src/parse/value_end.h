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
    bool open;        /* the column of a line decided, although brackets were open */
    bool odd;         /* its brackets do not balance, or are inside strings */
    bool lines;       /* it may contain line ends */
    bool gap;         /* it contains spaces outside of brackets */
};

/* true if the value of a broken list ends before `line`, a line inside it; *found is what begins there. exact: only its
 * column decides */
bool line_stops(const struct token_source *f, const struct frame *frame, const char *line, bool exact,
                struct value_end *found);

/* finds the end of the value that continues at `from`, frame->depth brackets deep; STOP_TEXT_END if it has none: then
 * `end` is the last place where it could be */
struct value_end find_end(struct token_source *f, struct frame *frame, const char *from);

#endif
