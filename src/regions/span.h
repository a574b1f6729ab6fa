/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the parts of an equation and of a nested program are in the text. */
#ifndef JX_SPAN_H
#define JX_SPAN_H

#include "ir/module.h"

/* the place in the text of an equation's i-th operand or result, or of its primitive; at == NONE if it has no text.
 * Found by scanning the equation from its beginning, or from the part that was found last if that is not after it */
struct span eqn_operand_span(const struct module *m, eqn_t e, u32 i);
struct span eqn_result_span(const struct module *m, eqn_t e, u32 i);
struct span eqn_prim_span(const struct module *m, eqn_t e);

/* the first byte after an equation, NONE if it has no text. Linear in its operands and the number of its nested
 * programs */
u32 eqn_end(const struct module *m, eqn_t e);
struct span jaxpr_binder_span(const struct module *m, jaxpr_t j, u32 i); /* constvars first, then invars */
/* the place of binder i of jaxpr j, or, where e is not NONE, result i of equation e */
static inline struct span
binder_span(const struct module *m, jaxpr_t j, eqn_t e, u32 i)
{
    return e == NONE ? jaxpr_binder_span(m, j, i) : eqn_result_span(m, e, i);
}

/* the part of a binder or a literal that is its type, after the `:`; all of it if there is none */
struct span typed_part(const struct module *m, struct span s);

/* the place of result i of a jaxpr after its `in` */
struct span jaxpr_out_span(const struct module *m, jaxpr_t j, u32 i);

#endif
