/* SPDX-License-Identifier: Apache-2.0
 *
 * What terminals, mail and people did to a text on its way here, undone before it is parsed: text to text, with the
 * origins of the text saying where each piece was. */
#ifndef JX_PREPROCESS_H
#define JX_PREPROCESS_H

#include "base/sink.h"
#include "base/text.h"

/* a text that was rewrapped, or has comments of JAX's, shows it in its first bytes: no other is looked through */
enum { FIRST_LOOK = 1 << 16 };

/* letters that no variable's name has: JAX comes to it after twelve million */
enum { LONG_NAME = 6 };

/* characters.c: puts back the characters that JAX prints; drops colours, and sets t->colored. False where
 * bytes are NULs, or not UTF-8 */
bool clean_characters(struct mem *m, struct text *t);

/* repairs.c: says what was repaired, `joined lines that were cut at column 80; read tabs as blanks` */
void put_repairs(struct sink *out, const struct text *t);

/* unwrap_lines.c: joins the lines of a text that was cut at one width */
void unwrap_lines(struct mem *m, struct text *t);

/* source_comments.c: ends the comments JAX prints where they end, wherever lines were broken or joined.
 * True where there may be comments of somebody else's */
bool restore_comment_ends(struct mem *m, struct text *t);

/* primitive_words.c: true for the name of a primitive; of one that no variable has */
bool names_primitive(struct slice word);
bool is_primitive(struct slice word);

/* What a text is of its parameter's value, or that it is a type. */
enum value_part {
    VALUE_WHOLE,
    VALUE_TYPE,
    VALUE_OF_CLASS, /* whole, of a primitive of a class, whose values may be such primitives: `Two[q=1 r=2]` */
    VALUE_BEFORE,   /* of a value with programs inside: what is before the first */
    VALUE_AFTER,    /* what is after one */
};

/* unwrap_value.c: the text with those line ends as blanks that a hand put there; the same bytes when there are none,
 * else a copy in the arena. *doubt, 0 before, becomes the offset of the first line end within a string, where nothing
 * shows whether a blank belongs in its place */
struct slice value_unwrap(struct mem *m, struct slice text, enum value_part part, size_t *doubt);

#endif
