/* SPDX-License-Identifier: Apache-2.0
 *
 * Repairs text that terminals, mail and editors changed, before it is parsed: text to text, with the origins of
 * each part. */
#ifndef JX_PREPROCESS_H
#define JX_PREPROCESS_H

#include "base/crew.h"
#include "base/sink.h"
#include "base/text.h"
#include "prims/names/prim_names.h"

/* how many bytes show whether a text was rewrapped or has JAX's comments */
enum { FIRST_LOOK = 1 << 16 };

/* longer than any variable's name: JAX prints it after twelve million variables */
enum { LONG_NAME = 6 };

/* What decides whether a text must be searched for characters to repair, and for comments. */
enum text_look {
    LOOK_ODD = 1,    /* some bytes are neither printable ASCII nor line ends */
    LOOK_HASHES = 2, /* some are `#`, or may be */
};

/* characters.c: enum text_look of a text, in one pass, whose parts the threads of a crew share. crew may be NULL */
u32 look_at_characters(struct mem *m, const struct text *t, const struct crew *crew);

/* restores the characters that JAX prints in a text of which `look` is known; removes colour codes, and sets
 * t->colored. False where the text has NUL bytes or invalid UTF-8 */
bool clean_characters(struct mem *m, struct text *t, u32 look);

/* repairs.c: the kinds of repair, by the indices of their bits, in the order of the text; returns how many there are */
u32 repairs_in_order(const struct text *t, u32 kinds[REPAIR_KINDS]);
/* writes what a kind of repair did, `lines wrapped at column 80 were joined` */
void put_repair(struct sink *out, const struct text *t, u32 kind);

/* unwrap_lines.c: joins the lines of a text that was cut at one width */
void unwrap_lines(struct mem *m, struct text *t);

/* source_comments.c: restores the ends of JAX's comments where lines were broken or joined. True where there may be
 * other comments, too. `look` is that of the text */
bool restore_comment_ends(struct mem *m, struct text *t, u32 look);

/* True for the name of a primitive that no variable has. */
static inline bool
is_primitive(struct slice word)
{
    return word.n >= LONG_NAME && names_primitive(word);
}

/* Which part of a parameter's value a text is, or that it is a type. */
enum value_part {
    VALUE_WHOLE,
    VALUE_TYPE,
    VALUE_OF_CLASS, /* whole, of a primitive of a class, whose values may be such primitives: `Two[q=1 r=2]` */
    VALUE_BEFORE,   /* of a value with programs inside: what is before the first */
    VALUE_AFTER,    /* what is after one */
};

/* unwrap_value.c: the text with added line ends replaced by spaces; the same bytes when there are none, else a copy in
 * the arena. *doubt, 0 before, becomes the offset of the first line end within a string, where a space may or may not
 * belong */
struct slice value_unwrap(struct mem *m, struct slice text, enum value_part part, size_t *doubt);

#endif
