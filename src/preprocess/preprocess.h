/* SPDX-License-Identifier: Apache-2.0
 *
 * Repairs text that terminals, mail and editors changed, before it is parsed. The result is text, with the origins
 * of its parts. */
#ifndef JX_PREPROCESS_H
#define JX_PREPROCESS_H

#include "base/executor.h"
#include "base/sink.h"
#include "base/text.h"
#include "prims/names/prim_names.h"

/* how many bytes are examined to decide whether a text was rewrapped or has JAX's comments */
enum { FIRST_LOOK = 1 << 16 };

/* JAX gives no variable a name of this length before twelve million shorter ones */
enum { LONG_NAME = 6 };

/* Whether a text must be searched for characters to repair, and for comments. */
enum text_look {
    LOOK_ODD = 1,    /* some bytes are neither printable ASCII nor line ends */
    LOOK_HASHES = 2, /* some are `#`, or may become `#` by a repair */
};

/* characters.c: the flags of enum text_look for a text, in one pass, whose parts are shared among the threads of a
 * executor, or done by the caller if executor is NULL */
u32 look_at_characters(struct mem *m, const struct text *t, const struct executor *executor);

/* restores the characters that JAX prints in a text with the flags `look`; removes colour codes, and then sets
 * t->colored. False if the text has NUL bytes or invalid UTF-8 */
bool clean_characters(struct mem *m, struct text *t, u32 look);

/* repairs.c: lists the kinds of repair made to a text, in the order of their first places; returns how many there
 * are */
u32 repairs_in_order(const struct text *t, u32 kinds[REPAIR_KINDS]);
/* writes what a kind of repair did, such as `lines wrapped at column 80 were joined` */
void put_repair(struct sink *out, const struct text *t, u32 kind);

/* unwrap_lines.c: joins the lines of a text that was cut at one width */
void unwrap_lines(struct mem *m, struct text *t);

/* source_comments.c: restores the ends of JAX's comments if lines were broken or joined; `look` has the flags of the
 * text. True if there may be other comments, too */
bool restore_comment_ends(struct mem *m, struct text *t, u32 look);

/* True if a word is the name of a primitive, and too long for that of a variable. */
static inline bool
is_primitive(struct slice word)
{
    return word.n >= LONG_NAME && names_primitive(word);
}

/* What a text is: a parameter's value, a part of one, or a type. */
enum value_part {
    VALUE_WHOLE,
    VALUE_TYPE,
    VALUE_OF_CLASS, /* a whole value, possibly a primitive that is a class, `Two[q=1 r=2]` */
    VALUE_BEFORE,   /* the part of a value before the first program in it */
    VALUE_AFTER,    /* the part of a value after a program in it */
};

/* Line ends of a value by their offsets in its text; 0 if there are none. */
struct line_ends {
    size_t ambiguous; /* the first one within a string, which may or may not have replaced a space */
    size_t kept;      /* the first one that was not added and does not end a row of a numpy array */
};

/* unwrap_value.c: a text with added line ends replaced by spaces: the same bytes if there are none, else a copy in
 * the arena. *ends must be zero, and receives the line ends that a reader may have to be warned of */
struct slice value_unwrap(struct mem *m, struct slice text, enum value_part part, struct line_ends *ends);

/* the text itself, whose line ends all are kept: a string, or a value whose brackets do not match */
struct slice value_unread(struct slice text, struct line_ends *ends);

#endif
