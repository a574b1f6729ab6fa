/* SPDX-License-Identifier: Apache-2.0
 *
 * The trees by which scan says, since 0.11, how its operands and results are laid out (jax/_src/flattree.py). */
#ifndef JX_TREES_H
#define JX_TREES_H

#include "base/base.h"

/* how many values each of the n parts of a FlatTree text holds; false where it is not understood */
bool flat_tree_counts(struct slice text, u32 *counts, u32 n);

/* false where a text is not a FlatTree: a leaf is a number. What holds unknown objects may be one of a newer JAX */
bool flat_tree_fits(struct slice text);

#endif
