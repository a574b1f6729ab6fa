/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of types that are known by their text alone. */
#ifndef JX_TYPE_NAMES_H
#define JX_TYPE_NAMES_H

#include "ir/module.h"

/* the type of Catalyst or PennyLane that a type without a shape was meant as: its name has lost or swapped letters,
 * `AbstractQrg()`, or gained a symbol, or no parentheses follow; empty if there is none. Others of similar names, such
 * as AbstractQubit(), may be types of users */
struct slice type_name_meant(struct slice text);

/* whether a name is nearly that of an element type that JAX defines beside those of dtypes.def: `dma_sen` */
bool element_is_misspelled(struct slice name);

/* whether JAX, Catalyst or PennyLane are known to print types of this name; `table` has the names of element types. Of
 * a ref, its element type is to be asked instead. Others may be types of users */
bool type_is_known(const struct names *table, const struct type *t);

#endif
