/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks words and numbers within values, while object.c checks the brackets: which of them Python prints
 * differently. */
#ifndef JX_OBJECT_WORDS_H
#define JX_OBJECT_WORDS_H

#include "base/chars.h"

/* whether the bracket at s.at[i] contains what the repr of a number contains after its type, `np.int32(-1)`,
 * `np.float32(2.0)`; true for other objects */
bool number_fits(struct slice s, size_t i);

/* whether strings and classes in the repr of a tree's node, from i to its end, have their quotes: `{'a': *}`, and no
 * entry is empty; if not, *flaw becomes the wrong part */
bool node_is_quoted(struct slice s, size_t i, size_t end, struct slice *flaw);

/* whether all words of a value up to the next field are numbers, as Python prints them, or None */
bool has_numbers(struct slice s);

/* whether the element type after the bracket at s.at[i] has no shape: `ShapedArray(float32)` */
bool lacks_shape(struct slice s, size_t i);

/* whether the shape whose bracket is at s.at[i], as in `float32[3,4]`, has a size below 0 or above 2^63-1 */
bool is_beyond_sizes(struct slice s, size_t i);

/* whether a number directly precedes s.at[i]: `5(..)` */
bool follows_number(struct slice s, size_t i);

/* whether the `^` at s.at[i] was escaped for a shell, `^<axis 0x7f..^>`, or is a key that a terminal shows, `^H`, `^[`,
 * which an object `of_user`, of a class of a user, may print */
bool is_odd_caret(struct slice s, size_t i, bool of_user);

/* whether a word is a Python constant as spreadsheets or JSON spell it, a number that Python would print differently:
 * `1_000`, `007`, `1e5`, `0x8` unless `of_user`: in an object of a user, or a NumPy type without its value: `np.int32`,
 * `jnp.int32`
 */
bool is_foreign_word(struct slice s, size_t from, size_t end, bool of_user);

/* whether a word consists of lower-case letters only, as names of mesh axes and platforms do */
bool is_lower_word(struct slice s, size_t from, size_t end);

/* the end of the value of a field `word`, whose `=` is at s.at[i], if it is text without quotes: `device_kind=TPU v5
 * lite` or, as Pallas prints names of blocks, `origin=errors[[1]`; i if it is none, 0 if it is damaged */
size_t text_field_end(struct slice s, struct slice word, size_t i);

/* whether a word in brackets directly precedes s.at[i], where i > 0: `[REDACTED](..)` */
bool follows_mask(struct slice s, size_t i);

/* whether the string at s.at[i] is an entry of a spec, as far as 256 bytes before it show: `P('x', None)` */
bool in_spec(struct slice s, size_t i);

/* whether the string at s.at[i], a mesh axis, is empty, or begins or ends with a space */
bool is_odd_axis(struct slice s, size_t i);

/* whether a text contains the address of an object, well-formed or not */
bool has_address(struct slice s);

/* whether the inside of `<..>` has the form Python prints for its first word: a function, a class, an enum member;
 * other objects may print anything */
bool angle_fits(struct slice s);

/* whether a field's value begins with `True`, `False` or `None`, or is traced, `JitTracer<..>`, or left out, `...` */
bool is_truth(struct slice s);

/* false if the string of a field of PennyLane or Catalyst, such as `diff_method`, is nearly one that it may have */
bool option_fits(struct slice field, struct slice value);

/* the word that makes angle_fits false: the first one after a space, or the address; empty if it is a different one */
struct slice angle_odd_word(struct slice s);

#endif
