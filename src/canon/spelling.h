/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of grammar/spellings.def and versions.def about parameters. */
#ifndef JX_SPELLING_H
#define JX_SPELLING_H

#include "canon/canon.h"

/* properties of a parameter's key */
enum {
    KEY_LEFT_OUT = 1, /* it is not part of a program's identity, or the comparison ignores it */
    KEY_SILENT = 2,   /* it may have a value that means the same as no parameter */
    KEY_SPELLED = 4,  /* it has a value with several spellings */
    KEY_LISTED = 8,   /* its innermost tuples are printed as lists */
    KEY_TUPLED = 16,  /* it may be one value instead of a tuple of them */
    KEY_NEEDED = 32,  /* the primitive requires it, so `None` is not the same as no parameter */
};

/* what types determine about a parameter's value: a parameter with this value means the same as none */
enum typed {
    TYPED_NOT,
    TYPED_SHAPE,     /* the shape of the first result */
    TYPED_PREFERRED, /* its element type, if the first two operands have it, too */
    TYPED_DTYPE,     /* its element type, if it has two or more axes */
    TYPED_ROWS,      /* the size of its last axis but one, if it has two or more */
    TYPED_COLUMNS,   /* the size of its last axis, if it has two or more */
    TYPED_LAST_AXIS, /* the number of its last axis */
    TYPED_NO_AXES,   /* `()`, if the first operand is not known to have axes */
};

/* A parameter that versions of the range call `to`, the newest name, and other versions `from`. If quote.at is not
 * NULL, the value of `to` is a tuple of one element, and that of `from` is the element without its quotes. */
struct renamed_key {
    struct slice prim, from, to, quote;
    struct version_range range;
};

/* the row-th such row of grammar/versions.def; NULL after the last */
const struct renamed_key *spelling_renamed(u32 row);

/* whether these versions print a single value for a key for which others print one for each operand: they print only
 * equations with one operand so. An empty key means any key of the primitive */
bool spelling_has_one_value(struct slice prim, struct slice key, struct version_range version);

/* looks up a key; prim is the name of the primitive in the table. The result is valid until the next call; O(1) for
 * cached keys */
const struct canon_key *spelling_key(struct canon *c, name_t primitive, struct slice prim, name_t key);

/* true for a key that is not part of a program's identity, or is in `without`, a list of keys separated by commas */
bool spelling_left_out(struct slice without, struct slice prim, struct slice key);

/* true for a value that means the same as no parameter under any key but the sharding of a constraint */
bool spelling_nothing(struct slice value);

/* true if a canonical value means the same as no parameter: other versions do not print it then */
bool spelling_is_default(const struct eqn *e, struct slice prim, const struct canon_key *key, struct slice value);

/* finds the first value of a key that means the same as no parameter; false if there is none */
bool spelling_default(struct slice prim, struct slice key, struct slice *value);

/* changes the value in out from `at` on to its newest spelling; respell_program does the reverse */
void spelling_modernize(struct canon *c, struct sink *out, size_t at, struct slice prim, const struct canon_key *key);

/* whether a value is one word */
bool spelling_is_word(struct slice value);

/* the first offset, not before `from`, of a whole word in a value that does not begin the text of an object, `<word`;
 * the length of the value if there is none */
size_t spelling_find(struct slice value, size_t from, struct slice word);

/* replaces the whole words `from` in a value by `to`: returns a copy in the arena, or the value itself if it has
 * none */
struct slice spelling_replace(struct mem *mem, struct slice value, struct slice from, struct slice to);

/* what types determine about the value of a key, by the newest names of the primitive and the key */
enum typed spelling_typed(struct slice prim, struct slice key);

/* whether a canonical value is the one that follows from the types of an equation */
bool typed_is(const struct canon *c, const struct eqn *e, enum typed what, struct slice value);

/* the value that follows from the types of an equation, as Python prints it; empty if they do not determine it. In the
 * arena or the module */
struct slice typed_value(const struct canon *c, const struct eqn *e, enum typed what);

/* true for a shard_map as printed until 0.6.0 whose text contains all that later versions print: its keys are those of
 * shard_key, and `rewrite` is ignored */
bool shard_is_old(struct canon *c, eqn_t e, struct slice prim);

/* the newest name of a key of such an equation */
struct slice shard_key(struct slice key);

/* changes a value of a shard_map in out from `at` on to its newest spelling; cp has the newest name of its key */
void shard_modernize(struct canon *c, struct sink *out, size_t at, eqn_t e, const struct canon_param *cp);

/* how many elements a tuple has if it repeats the one element of `pattern`, as `(False, False)` repeats that of
 * `(False)`; else 0 */
u32 tuple_repeats(struct slice value, struct slice pattern);

#endif
