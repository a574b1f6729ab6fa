/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes of the words of a line, by the rules of editors/generate; a test compares both. Each line is
 * classified by itself, whether or not it can be parsed. */
#ifndef JX_HIGHLIGHT_H
#define JX_HIGHLIGHT_H

#include "base/sink.h"

enum word_class {
#define CLASS(id, ...) WORD_##id,
#include "classes.def"
#undef CLASS
    WORD_none, /* spaces */
};

/* An iteration over the words of a line. */
struct highlight {
    const char *line, *at, *end;
};

/* sets *word to the next word, or run of spaces, of a line, and *class to its class; false at its end. Linear in the
 * line */
bool highlight_next(struct highlight *h, struct slice *word, enum word_class *class);

/* the parameters of the terminal escape sequence of a class, `1;34`; empty if it is not highlighted */
const char *class_style(enum word_class class);

/* appends a text highlighted for a terminal, with control characters escaped */
void write_highlighted(struct sink *out, struct slice text);

#endif
