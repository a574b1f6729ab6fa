/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that are nearly alike, for `did you mean`. */
#ifndef JX_NEAR_H
#define JX_NEAR_H

#include "base/base.h"

/* the edit distance of two words, where exchanging two neighbours is one edit; 3 if it is more than 2, or a word has
 * more than 40 bytes. At most O(product of their lengths) */
u32 word_distance(struct slice a, struct slice b);

/* true if a candidate is nearer to a word than all before it, and near enough to be suggested; *least is kept
 * between calls and is 0 before the first */
bool word_nearer(struct slice word, struct slice candidate, u32 *least);

/* true if two words differ by at most one inserted, lost or replaced letter, or by the order of two neighbours. Linear
 * in their length, which is not limited */
bool word_is_misspelled(struct slice a, struct slice b);

/* word_lost_part: true if word a is b without two or more consecutive letters, `concaten`; but not if these are whole
 * words of b, as in `dot` of `dot_general`, nor, unless `ends`, the end of a word, as in `dims` for `dimensions`.
 * word_is_replaced: true if a is b with each occurrence of one letter replaced, `sbban` of `scan`. Linear */
bool word_lost_part(struct slice a, struct slice b, bool ends);
bool word_is_replaced(struct slice a, struct slice b);

/* true if word a is b as damaged by chats, editors or text recognition: a lost `_` or ligature, letters of other
 * scripts or with accents, letters that look alike. Linear */
bool word_is_garbled(struct slice a, struct slice b);

/* How text recognition may misread a letter. */
struct confusable {
    char as;           /* 0: unchanged */
    char second, pair; /* the letter followed by `second` may be misread as `pair`, as `rn` for `m` */
};

extern const struct confusable confusables[256];

/* one letter for all that look like c at the start of a word. If word_is_garbled(a, b), the first letters look alike,
 * unless that of a is not ASCII, or b begins with `_` or the `f` of a ligature */
static inline char
confusable_class(char c)
{
    const struct confusable *look = &confusables[(u8)c];
    return look->pair ? look->pair : look->as ? look->as : c;
}

/* word_is_camel: true if word a is b with a capital in place of each `_` and the letter after it, `reduceMax` of
 * `reduce_max`; with `first`, its first letter is a capital, too, `ReduceMax`. word_is_reordered: true if a is b with
 * its parts in another order, `max_reduce`. Linear, for words of at most a few parts */
bool word_is_camel(struct slice a, struct slice b, bool first);
bool word_is_reordered(struct slice a, struct slice b);

/* true if word a is the first or the last words of b: `axis` and `types` of `axis_types`. Linear */
bool word_is_part(struct slice a, struct slice b);

/* true if the letters of one word occur, in order, in the other, and both begin and end with the same letters: parts
 * were lost or doubled, `bn_dim` of `broadcast_in_dim`. Linear */
bool word_is_within(struct slice a, struct slice b);

/* word_is_doubled: true if word a is b written twice; word_is_overstruck: if it is b as pagers print bold or underlined
 * text without their backspaces, `aadddd`, `_a_d_d`; word_is_capital: if it is b in capitals */
bool word_is_doubled(struct slice a, struct slice b);
bool word_is_overstruck(struct slice a, struct slice b);
bool word_is_capital(struct slice a, struct slice b);

/* true if word a is b but for capitals and `_`: `shapedarray`, `named_sharding` */
bool word_is_recased(struct slice a, struct slice b);

/* true if word a is b, or nearly b: misspelled, garbled, recased or without a part, as the functions above say */
bool word_resembles(struct slice a, struct slice b);

/* true if word a is probably another word that begins with b: digits follow, `sin2`, or letters that may be a word,
 * `squareplus`, which are neither one letter, nor a repeated one, nor without a vowel. Linear */
bool word_is_extended(struct slice a, struct slice b);

/* whether the first difference between two words of one length is that two letters are swapped */
bool word_swaps_letters(struct slice a, struct slice b);

#endif
