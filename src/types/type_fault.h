/* SPDX-License-Identifier: Apache-2.0
 *
 * Types whose text is damaged. */
#ifndef JX_TYPE_FAULT_H
#define JX_TYPE_FAULT_H

#include "ir/module.h"
#include "types/ref_fault.h"

/* whether the name of an unknown element type is a misspelling: `F32`, `i3x2`, `oat32`. A later release may add widths
 */
bool dtype_is_misspelled(struct slice name);

/* the error (D108) in the text of a damaged array or ref type, such as `64[n]`, `f[n]`, `key[]`, or with the shape in
 * other brackets, `f32(8,16)`; NULL if there is none. Without memory (NULL), the text may be incomplete */
const char *type_fault(struct mem *mem, const struct type *t);

/* whether the type of a user seems to have lost or gained characters: spaces outside brackets, fields without values,
 * a form or name that Catalyst and PennyLane do not print, a ref without its element type, or ref_is_cut() */
bool type_is_damaged(const struct type *t);

#endif
