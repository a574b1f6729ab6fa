/* SPDX-License-Identifier: Apache-2.0
 *
 * Cyclic definitions. */
#ifndef JX_CYCLE_H
#define JX_CYCLE_H

#include "diag/diag.h"
#include "ir/module.h"

/* An operand, counted from 0, of an equation; e is NONE for none. */
struct equation_operand {
    eqn_t e;
    u32 i;
};

/* the operand by which equation `from` of a jaxpr depends on equation `wanted`: a result of `wanted` that `from` reads,
 * or an equation that it depends on; none if `from` is NONE. Linear in the jaxpr */
struct equation_operand equation_needs(const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted);

/* adds a note at that operand, if there is one, to the finding that `name`, read by `wanted`, depends on itself */
void note_cycle(struct diags *ds, const struct module *m, struct equation_operand needs, struct slice name);

#endif
