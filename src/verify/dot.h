/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers of rules of products: which axes of two sides are contracted, which are batched. */
#ifndef JX_DOT_H
#define JX_DOT_H

#include "verify/axes.h"

/* `(([1], [0]), ([], []))`: contracting and batch axes of both sides */
struct dot {
    struct ints contract[2], batch[2];
    u8 *marks[2];                /* a byte for each axis: 1 if it is contracted or batched */
    const struct aval *sides[2]; /* the factors */
    u32 at[2];                   /* the operands that they are */
};

enum { LEFT, RIGHT };

/* reads two groups of two lists of axes; false if they cannot be read, or if there are more or fewer, which is
 * reported */
bool read_dot(struct rule *r, struct slice text, struct dot *d);

/* sets the sides to operands `left` and `right` */
void set_sides(struct rule *r, struct dot *d, u32 left, u32 right);

/* checks the dimension numbers of parameter `key`, and computes *out: batch ++ free left ++ free right (without group
 * axes of the right, if there are any); both sides are ranked. Reports T008, T009, T010 */
bool dot_shape(struct rule *r, const char *key, struct dot *d, const struct ints *groups, struct aval *out);

/* reports T010: the element type of operand i cannot be accumulated in `to` */
bool wrong_preference(struct rule *r, u32 i, dtype_t to);

#endif
