/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that are nearly alike, for `did you mean`. */
#ifndef JX_NEAR_H
#define JX_NEAR_H

#include "base/base.h"

/* how many letters must be put in, left out or changed to make one word of the other; 3 for more than 2 and for words
 * of more than 40 bytes. At most O(product of their lengths) */
u32 word_distance(struct slice a, struct slice b);

/* true if a candidate is nearer to a word than all before it, and near enough to be suggested; *least is kept
 * between calls and is 0 before the first */
bool word_nearer(struct slice word, struct slice candidate, u32 *least);

/* true if two words differ in one letter, or in the order of two. Linear in their length, which may be any */
bool word_is_misspelled(struct slice a, struct slice b);

/* true if word a is b without some letters in a row, two at least, unless those are whole words of b: `concaten`, not
 * `dot` of `dot_general`; unless `ends`, not without the end of a word either, as `dims` is short for `dimensions`; or
 * with each occurrence of one letter replaced, `sbban` of `scan`. Linear */
bool word_lost_part(struct slice a, struct slice b, bool ends);
bool word_is_replaced(struct slice a, struct slice b);

/* true if word a is b with damage by chats, editors or text recognition: a lost `_` or ligature, letters of other
 * scripts, letters that look alike. Linear */
bool word_is_worn(struct slice a, struct slice b);

/* How text recognition may misread a letter. */
struct letter_look {
    char as;           /* 0: unchanged */
    char second, pair; /* it and the second may be taken for the pair, as `rn` for `m` */
};

extern const struct letter_look letter_looks[256];

/* one letter for all that look alike at the start of a word; of `word_is_worn` words the first letters look alike,
 * unless that of a is not ASCII, or b begins with `_` or the `f` of a ligature */
static inline char
first_look(char c)
{
    const struct letter_look *look = &letter_looks[(u8)c];
    return look->pair ? look->pair : look->as ? look->as : c;
}

/* true if the letters of one word are, in order, among those of the other, and both begin and end alike: parts of it
 * were lost, or are there twice, `bn_dim` of `broadcast_in_dim`. Linear */
bool word_is_within(struct slice a, struct slice b);

/* true if word a is b written twice; where it is b in capitals */
bool word_is_doubled(struct slice a, struct slice b);
bool word_is_capital(struct slice a, struct slice b);

#endif
