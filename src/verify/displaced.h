/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in the wrong order: one mistake by which several of an equation's values do not fit their places. */
#ifndef JX_DISPLACED_H
#define JX_DISPLACED_H

#include "verify/rule.h"

/* n values and as many places. */
struct order {
    struct rule *r;
    const void *of;
    bool (*fits)(const struct order *order, u32 value, u32 place); /* whether their types agree; it reports nothing */
    u32 n;
};

/* What moved: a value and the value at `other` to each other's places, or the values up to `other` by one place. */
struct displaced {
    u64 places; /* the mismatches that follow from it, besides that of the value; 0: nothing moved */
    u32 other;
    bool shifted;
};

/* finds what explains the mismatch of value i and of others that are not in `explained`: a value after i fits its
 * place, and i that of it, or three or more from i on fit the places before or after them. Only the first 64 values are
 * compared; at most quadratic in these */
struct displaced order_displaced(const struct order *order, u64 explained, u32 i);

/* the hint that values were moved, with the texts of value i and of the other; false, as rule_hint */
bool rule_hint_displaced(struct rule *r, const struct displaced *d, const char *one, const char *other);

#endif
