/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory spaces in types, `f32<host>[8]`: all operands must be in one space, and results are in the same. */
#ifndef JX_MEMORY_SPACE_H
#define JX_MEMORY_SPACE_H

#include "verify/rule.h"

/* whether some type of the module shows a memory space: `host` or `any` of an array, any space of a ref */
bool spaces_shown(const struct module *m);

/* whether two arrays or two refs are in one memory space: of arrays, only `host` and `any` differ from all others. True
 * if the space of one is unknown, and for other types (jax/_src/core.py, typematch, since 0.7.1) */
bool spaces_agree(const struct module *m, const struct aval *a, const struct aval *b);

/* `<host>` or `<any>` for an array in that space, else nothing */
struct slice shown_space(const struct module *m, const struct aval *a);

/* whether the memory space that a value such as `MemorySpace.Host` names is that of operand 0 */
bool space_inherited(const struct rule *r, struct slice value);

/* checks that result i is in the memory space of operand k, or of the device if k is NONE; reports T003 */
bool result_beside(struct rule *r, u32 i, u32 k);

/* checks that the operands of array primitives are in one space, and the results in the same or in that of a parameter;
 * spaces_shown() must be true, or the row must have SPACE_PUT. Reports T003, T008. Linear in operands and results */
bool rule_spaces(struct rule *r);

#endif
