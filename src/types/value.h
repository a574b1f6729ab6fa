/* SPDX-License-Identifier: Apache-2.0
 *
 * Readers of parameter values. A value is kept as the bytes JAX printed; a rule that asks reads them here, as far as
 * it needs to. Every reader answers false when the text is not what it understands: the rule then trusts. Readers are
 * linear in the bytes they pass and never recurse. */
#ifndef JX_VALUE_H
#define JX_VALUE_H

#include "base/base.h"

/* A position inside a value: readers advance p on success and leave it where it was on failure. */
struct cursor {
    const char *p, *end;
};

static inline struct cursor
cursor_of(struct slice s)
{
    return (struct cursor){s.at, s.at + s.n};
}

/* skips blanks and newlines */
void value_blanks(struct cursor *c);

/* passes the bytes of word, after blanks, when they come next */
bool value_word(struct cursor *c, const char *word);

/* passes `(` or `[` (tuple and list mean the same to every rule); value_close passes the other one */
bool value_open(struct cursor *c);
bool value_close(struct cursor *c);

/* passes a comma if there is one; false at the closing bracket or the end */
bool value_comma(struct cursor *c);

/* true where nothing but blanks is left */
bool value_done(struct cursor *c);

/* reads an integer: `3`, `-1`, `np.int64(3)`, `True` (1), `False` (0) */
bool value_int(struct cursor *c, i64 *out);

/* reads `True` or `False` */
bool value_bool(struct cursor *c, bool *out);

/* passes one whole element: up to a comma or closing bracket at depth 0, quotes and brackets balanced */
bool value_element(struct cursor *c, struct slice *out);

/* finds `field=` inside the outermost parentheses of `Name(field=.., ..)` and gives its value */
bool value_field(struct slice value, const char *field, struct slice *out);

/* how many elements a tuple or list has; false when the value is neither */
bool value_count(struct slice value, u32 *out);

/* true where `a, b`, elements without their brackets, has the element */
bool value_has(struct slice elements, struct slice element);

/* drops blanks at both ends */
struct slice value_trim(struct slice s);

#endif
