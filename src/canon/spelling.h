/* SPDX-License-Identifier: Apache-2.0
 *
 * What grammar/spellings.def says of parameters. */
#ifndef JX_SPELLING_H
#define JX_SPELLING_H

#include "canon/canon.h"

/* what the tables say of a parameter's key */
enum {
    KEY_LEFT_OUT = 1, /* it is not part of what a program is, or the comparison leaves it aside */
    KEY_SILENT = 2,   /* it may have a value that says nothing */
    KEY_SPELLED = 4,  /* it may have a value that is written otherwise */
    KEY_LISTED = 8,   /* its innermost tuples are printed as lists */
    KEY_TYPED = 16,   /* it says nothing where types say the same */
    KEY_TUPLED = 32,  /* it may be one value instead of a tuple of them */
};

/* Parameters that versions of the range call `to`, others `from`. quote.at is NULL, or `to` holds tuples, of what
 * `from` is one, between two of these quotes. `to` is the newest name. */
struct renamed_key {
    struct slice prim, from, to, quote;
    struct version_range range;
};

/* the rows of grammar/versions.def that say so, in order; NULL after the last */
const struct renamed_key *spelling_renamed(u32 row);

/* looks a key up, prim being the name the table has for the primitive. The answer is good until the next one; O(1) for
 * those met before */
const struct canon_key *spelling_key(struct canon *c, name_t primitive, struct slice prim, name_t key);

/* true for a value that says nothing under any key but the sharding of a constraint */
bool spelling_nothing(struct slice value);

/* true where a value of an equation, spelled canonically, says nothing: other versions do not print the parameter
 * then */
bool spelling_is_default(const struct eqn *e, struct slice prim, const struct canon_key *key, struct slice value);

/* the first value with which a parameter says nothing; false where there is none */
bool spelling_default(struct slice prim, struct slice key, struct slice *value);

/* respells the value in out from `at` on to its newest spelling */
void spelling_respell(struct canon *c, struct sink *out, size_t at, struct slice prim, const struct canon_key *key);

/* the position of a text in a value as a whole word, from an offset on; the length of the value where it does not */
size_t spelling_find(struct slice value, size_t from, struct slice word);

/* a value with one text replaced by another where that is a whole word; the value itself where it
 * does not, else a copy in the arena */
struct slice spelling_replace(struct mem *mem, struct slice value, struct slice from, struct slice to);

/* whether `preferred_element_type` says nothing with this value: it is the element type of the result and of the first
 * two operands */
bool canon_is_preferred(const struct canon *c, const struct eqn *e, struct slice value);

/* true for a shard_map as it was printed until 0.6.0, where its text contains all that later ones do: its keys are
 * those of shard_key then, and `rewrite` says nothing */
bool shard_is_old(struct canon *c, eqn_t e, struct slice prim);

/* what a key of such an equation is called now */
struct slice shard_key(struct slice key);

/* respells a value of a shard_map in out from `at` on to its newest spelling; cp has the name it has now */
void shard_respell(struct canon *c, struct sink *out, size_t at, eqn_t e, const struct canon_param *cp);

/* `(False, False)` against `(False)`: how many elements a tuple of nothing but the one element has, or 0 */
u32 tuple_repeats(struct slice value, struct slice pattern);

#endif
