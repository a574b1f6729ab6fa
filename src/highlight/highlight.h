/* SPDX-License-Identifier: Apache-2.0
 *
 * What words of a line are to its reader: the rules of editors/generate, which a test compares with these. Each line is
 * judged by itself, whether or not it can be parsed. */
#ifndef JX_HIGHLIGHT_H
#define JX_HIGHLIGHT_H

#include "base/sink.h"

enum word_class {
#define CLASS(id, ...) WORD_##id,
#include "classes.def"
#undef CLASS
    WORD_none, /* blanks */
};

/* A line being looked through. */
struct highlight {
    const char *line, *at, *end;
};

/* takes the next word, or run of blanks, of a line; false at its end. Linear in the words and what follows each */
bool highlight_next(struct highlight *h, struct slice *word, enum word_class *class);

/* the parameters of the terminal's sequence that shows a class, `1;34`; empty where it is shown as it is */
const char *class_style(enum word_class class);

/* appends a text with its classes shown, and what would act on a terminal made visible */
void write_highlighted(struct sink *out, struct slice text);

#endif
