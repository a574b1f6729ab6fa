/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of Jaxpr text: words, keys, types, beginnings of equations. Texts end in padding, so that a few bytes
 * after any place may be read. */
#ifndef JX_LEXICAL_H
#define JX_LEXICAL_H

#include "base/base.h"

/* true if the whole word is at p */
bool word_at(const char *p, struct slice word);

/* large_integer: the first integer of a text that is larger than 2^63-1, empty if all fit, which integers_fit tests;
 * digits in names and fractions do not count. Linear */
struct slice large_integer(struct slice text);
bool integers_fit(struct slice text);

/* true if a number in the text has leading zeros, as in `2*03` */
bool has_padded_number(struct slice text);

/* true for `inf`, `nan`, `True`, `False`: literals that are spelled like names */
bool is_literal_name(struct slice name);

/* the end of the type that starts at p (before end): brackets balance, and the type stops at depth 0 before a space,
 * newline, `;`, `,`, `)` or the `. let` that ends a header. Returns p if no type starts there */
const char *type_scan(const char *p, const char *end);

/* the end of the key at p, before its `=`; NULL if there is none */
const char *key_end(const char *p);

/* true if the `[` at p opens parameters: `key=` or a line end follows */
bool bracket_opens_params(const char *p);

/* true if the word at p begins an equation, wherever on its line: `a:f32[] b:f32[] =`, `a:f32[] <-`, `a[0] <-`,
 * `prim[key=` */
bool equation_begins(const char *p, const char *end);

/* how JAX's description of a function begins, of which lines follow: a transformation each, and `Core: f` */
#define WRAPPED_FUNCTION "Wrapped function:"

/* whether a word is one of Python's constants None, True and False */
static inline bool
is_python_constant(struct slice word)
{
    return slice_eq(word, SLICE("None")) || slice_eq(word, SLICE("True")) || slice_eq(word, SLICE("False"));
}

/* true if a quote at p, in a text that begins at `from`, opens a string: Python prints strings after brackets, commas,
 * colons and `=` */
bool quote_opens(const char *p, const char *from);

/* the end of the string whose quote is at p, or p + 1 if it does not end on its line */
const char *skip_string(const char *p, const char *end);

/* the end of the repr `<QNode: device='<..>', shots=3>` that begins at p, or p if it has no `>` on its line */
const char *skip_angles(const char *p, const char *end);

#endif
