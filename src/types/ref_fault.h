/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of refs whose text is damaged. */
#ifndef JX_REF_FAULT_H
#define JX_REF_FAULT_H

#include "base/base.h"

/* whether a type is only the beginning of a ref, `Me` or `MemRef`, because its line was cut */
bool ref_is_cut(struct slice text);

/* whether a ref has lost its element type in braces: `Ref`, `Ref<vmem>` */
bool ref_is_bare(struct slice text);

/* the error (D108) in a text that ends with a brace and was a ref: its `name`, the word that begins it, is misspelled
 * or is its memory space, or another character replaces a bracket; NULL if it was none */
const char *ref_fault(struct slice text, struct slice name);

/* the known memory space that `space` is with a letter lost or doubled, or two swapped, or the `None` that other
 * programs write as `null`; empty if it is known, or if there is none */
struct slice space_meant(struct slice space);

#endif
