/* SPDX-License-Identifier: Apache-2.0
 *
 * The words rules of products are made of: which axes of two sides are contracted, which are batched. */
#ifndef JX_DOT_H
#define JX_DOT_H

#include "verify/axes.h"

/* `(([1], [0]), ([], []))`: contracting and batch axes of both sides */
struct dot {
    struct ints contract[2], batch[2];
    u8 *marks[2];                /* one byte an axis: contracted or batched */
    const struct aval *sides[2]; /* what is multiplied */
    u32 at[2];                   /* and which operand it is */
};

enum { LEFT, RIGHT };

/* reads two groups of two lists; false when they are not understood, or reported because they are not two */
bool read_dot(struct rule *r, struct slice text, struct dot *d);

/* the sides are operands `left` and `right` */
void set_sides(struct rule *r, struct dot *d, u32 left, u32 right);

/* checks the numbers, which parameter `key` holds, and gives batch ++ free left ++ free right (without group axes of
 * the right, where there are any); both sides are ranked. Reports T008, T009, T010 */
bool dot_shape(struct rule *r, const char *key, struct dot *d, const struct ints *groups, struct aval *out);

/* reports T010: no element type like `to` comes of operand i's */
bool wrong_preference(struct rule *r, u32 i, dtype_t to);

#endif
