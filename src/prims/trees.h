/* SPDX-License-Identifier: Apache-2.0
 *
 * The trees that describe, since 0.11, the operands and results of scan (jax/_src/flattree.py). */
#ifndef JX_TREES_H
#define JX_TREES_H

#include "base/base.h"

/* reads how many values each of the n parts of a FlatTree text has; false if it cannot be read */
bool flat_tree_counts(struct slice text, u32 *counts, u32 n);

/* whether a text may be a FlatTree: true also if it contains unknown objects, which a newer JAX may print */
bool flat_tree_fits(struct slice text);

/* the number of leaves, `*`, of a PyTreeDef, outside strings and the data of nodes */
u32 tree_leaves(struct slice text);

#endif
