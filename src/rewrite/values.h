/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameter values that passes edit as text: Python tuples, and the trees of scan (jax/_src/flattree.py, 0.11+). */
#ifndef JX_VALUES_H
#define JX_VALUES_H

#include "ir/module.h"

/* Parts of a value. */
struct slices {
    struct slice *at;
    u32 n, cap;
};

/* splits `(a, b)`, `[a, b]` or `(a,)` into its elements; false for other text. Linear */
bool tuple_split(struct mem *m, struct slice text, struct slices *elements);

/* the same for any brackets, such as the items of a `{'k': v}` */
bool items_split(struct mem *m, struct slice text, struct slices *items);

/* a tuple of the elements as Python prints it, in the arena */
struct slice tuple_join(struct mem *m, const struct slice *elements, u32 n);

/* the same between brackets of the kind that `open` begins */
struct slice list_join(struct mem *m, char open, const struct slice *elements, u32 n);

/* the tuple of the marked elements of a tuple; the text itself unless it has exactly n elements */
struct slice tuple_filter(struct mem *m, struct slice text, const u8 *keep, u32 n);

/* the value of a text that is a whole number, else -1 */
i64 text_int(struct slice text);

/* the text of a tree after FlatTree.filter_with_mask, which keeps the marked leaves; in the arena */
struct slice flat_filter(struct mem *m, struct slice text, const u8 *keep, u32 n);

/* true if every leaf of a tree is as flat_filter writes it */
bool flat_filtered(struct slice text);

/* the tree of a scan's operands with n more leading constants; the text itself if it is not such a tree */
struct slice flat_grow(struct mem *m, struct slice text, u32 n);

#endif
