/* SPDX-License-Identifier: Apache-2.0
 *
 * What grammar/spellings.def says of parameters. */
#ifndef JX_SPELLING_H
#define JX_SPELLING_H

#include "diff/canon.h"

/* true for a parameter that is no part of what a program is, or that the comparison leaves aside */
bool spelling_left_out(const struct canon *c, struct slice prim, struct slice key);

/* true where a value of an equation, spelled canonically, says nothing: other versions do not print the parameter
 * then */
bool spelling_silent(const struct eqn *e, struct slice prim, struct slice key, struct slice value);

/* the first value with which a parameter says nothing; false where there is none */
bool spelling_default(struct slice prim, struct slice key, struct slice *value);

/* gives the value that stands in out from `at` on its newest spelling */
void spelling_respell(struct canon *c, struct sink *out, size_t at, struct slice prim, struct slice key);

/* `(False, False)` against `(False)`: how many elements a tuple of nothing but the one element has, or 0 */
u32 tuple_repeats(struct slice value, struct slice pattern);

/* true for a parameter whose innermost tuples are printed as lists */
bool spelling_listed(struct slice prim, struct slice key);

/* the newest name of a key */
struct slice spelling_newest(struct slice prim, struct slice key);

#endif
