/* SPDX-License-Identifier: Apache-2.0
 *
 * The one cursor over Python's printed values: strings, brackets, elements, numbers. A value is kept as the bytes
 * JAX printed, and each caller reads as much as it needs. Every reader returns false if the text is something
 * else, is linear in the bytes it passes, and never recurses. */
#ifndef JX_VALUE_H
#define JX_VALUE_H

#include "base/chars.h"

/* A position inside a value: readers advance p on success and leave it where it was on failure. */
struct cursor {
    const char *p, *end;
};

static inline struct cursor
cursor_of(struct slice s)
{
    return (struct cursor){s.at, s.at + s.n};
}

/* the same, after the opening bracket of a tuple or list, if there is one */
struct cursor cursor_inside(struct slice s);

/* the end of the string whose quote is at p, or `end` where none closes it */
static inline const char *
quoted_end(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote)
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end ? p + 1 : end;
}

/* the bracket that closes the one at s.at[i], where strings count as other text; s.n if there is none */
size_t bracket_end(struct slice s, size_t i);

/* whether from .. p is a number, a constant or a bracketed group, which only a key can follow, in any order */
bool value_is_whole(const char *from, const char *p);

/* whether this is the key that JAX prints before those that ascend, `name` (jax/_src/core.py, pp_eqn) */
bool key_leads(struct slice key);

/* the first of the bytes `stops` from p on that is outside brackets and strings, or `end` */
const char *value_find(const char *p, const char *end, const char *stops);

/* skips spaces and newlines */
void value_blanks(struct cursor *c);

/* passes the bytes of word, after spaces, when they come next */
bool value_word(struct cursor *c, const char *word);

/* passes `(` or `[` (tuple and list mean the same to every rule); value_close passes `)` or `]` */
bool value_open(struct cursor *c);
bool value_close(struct cursor *c);

/* passes a comma if there is one; false at a closing bracket or the end */
bool value_comma(struct cursor *c);

/* reads a whole number, `_` between its digits or not; false if there is none below 2^64 */
bool value_number(struct cursor *c, u64 *out);

/* value_size reads a text that is as a whole `4096`, `16 MiB`, `1K` (1024) or `1e6`; false if it is not such a number
 * below 2^64. value_size_too_large: whether it is one that exceeds this bound */
bool value_size(struct slice text, u64 *out);
bool value_size_too_large(struct slice text);

/* true if nothing but spaces is left */
bool value_done(struct cursor *c);

/* NumPy's types of numbers, as the reprs of scalars name them, separated by spaces */
extern const char numpy_integers[], numpy_floats[];

/* reads an integer: `3`, `-1`, `np.int64(3)`, `<Axis.ROW: 1>`, `True` (1), `False` (0) */
bool value_int(struct cursor *c, i64 *out);

/* reads `True` or `False` */
bool value_bool(struct cursor *c, bool *out);

/* reads a whole value of which JAX only takes the truth: `True`, `False`, `None` or a number */
bool value_truth(struct slice text, bool *out);

/* reads a whole value `(1, 2)` of at most `most` integers into `at`; false if it is something else */
bool value_ints(struct slice value, i64 *at, u32 most, u32 *n);

/* reads one whole element, with balanced quotes and brackets, and passes the comma after it; false at a closing bracket
 * and at the end */
bool value_element(struct cursor *c, struct slice *out);

/* reads the next of the words that spaces and commas separate; false at the end */
bool value_item(struct cursor *c, struct slice *out);

/* finds the value of `field=` inside the outermost parentheses of `Name(field=.., ..)`; false if there is none */
bool value_field(struct slice value, const char *field, struct slice *out);

/* counts the elements of a tuple or list; false if the value is neither */
bool value_count(struct slice value, u32 *out);

/* true for `(a)`, which Python reads as `a`, not as a tuple: no comma follows the only element. Also for a list */
bool value_lacks_comma(struct slice value);

/* true if `elements`, such as `a, b` without brackets, contains the element */
bool value_has(struct slice elements, struct slice element);

/* true if two texts are equal except for spaces */
bool value_alike(struct slice a, struct slice b);

/* removes spaces from both ends */
struct slice value_trim(struct slice s);

/* what is wrong with a field: its value is not a string, a number or a truth, the record has no such field, or has it
 * twice
 */
enum {
    FIELD_STRING = '\'',
    FIELD_NUMBERS = '#',
    FIELD_TRUTH = '?',
    FIELD_TUPLE = '(',
    FIELD_TUPLE_OR_NONE = ')',
    FIELD_SPEC = ':',
    FIELD_DTYPE = '@',
    FIELD_TREE = '*',
    FIELD_OBJECT = '%',
    FIELD_UNKNOWN = '!',
    FIELD_TWICE = '2'
};

/* the state of a value that object.c reads in pieces; {0} before the first */
struct object_scan {
    u8 before, depth;
    bool gap, first;
    char open[64];     /* the open brackets; deeper ones are not checked */
    u8 of[64];         /* by bracket: whose arguments it contains; see object.c */
    u32 fields[64];    /* by bracket: which fields of a record were read, one bit each */
    u8 commas[64];     /* by bracket: how many were read, up to 2 */
    u8 named[64];      /* by bracket: which of its elements have names; see object.c */
    struct slice flaw; /* the refused part of a `<..>` or node, or the field that a `<Record: ..>` lacks */
    char wanted;       /* of the refused field: what its value must be, or what is wrong with its name */
};

/* reads a piece of text; returns its length, or the offset at which no Python value continues like this */
size_t object_read(struct object_scan *o, struct slice s);

/* notes a program between two pieces; false if no Python value can have one there */
bool object_program(struct object_scan *o);

/* true if the value is complete */
bool object_ends(const struct object_scan *o);

/* true if a text seems to be a Python value */
bool value_is_object(struct slice s);

/* the part of a text at which it stops being a Python value, up to the next comma or closing bracket; empty if it is a
 * value, stops at its end, or is not one from its first byte. *wanted, unless wanted is NULL, becomes what is wrong
 * with the field there (FIELD_STRING ..), or 0 */
struct slice value_stop(struct slice s, char *wanted);

#endif
