/* SPDX-License-Identifier: Apache-2.0
 *
 * The transforms of a ref that is accessed, `a{bitcast(int32)}`, `a{reshape([4, 256])}[:1,:]`
 * (jax/_src/state/types.py). Up to 0.5 they are printed in brackets and with the whole type,
 * `a[reshape(float32[4,256])][:1,:]`. */
#ifndef JX_REF_TRANSFORMS_H
#define JX_REF_TRANSFORMS_H

#include "verify/rule.h"

/* applies the transforms at the start of *text, the indexers of a ref, to its type, and drops them from *text. False if
 * one of them is unknown or does not fit: the type is then unknown. Linear in the text */
bool ref_transformed(struct rule *r, struct slice *text, struct aval *type);

/* whether the tree of a generic print contains a node for a transform, which may change the element type */
bool ref_tree_transforms(const struct rule *r);

#endif
