/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds maps (region_map.h) for the operand layouts of JAX, Catalyst and PennyLane. Private to src/regions. Functions
 * that read a layout return false if the equation does not have it. */
#ifndef JX_REGION_BUILD_H
#define JX_REGION_BUILD_H

#include "regions/region_map.h"

static inline u32
n_binders(const struct module *m, jaxpr_t j)
{
    return j == NONE ? 0 : jaxpr_binders(&m->jaxprs.at[j]);
}

/* appends a region without ranges */
struct region *add_region(const struct module *m, struct region_map *map, jaxpr_t j);

/* appends the programs of a tuple or list parameter, NONE for a `None` among them; false if there is no such
 * parameter */
bool add_branches(const struct module *m, eqn_t e, struct region_map *map, struct slice key);

/* the next n binders receive the operands from `operand` on; NONE: no operands */
void add_range(struct region *r, u32 n, u32 operand);

/* the same for binders that are constants of the program */
void add_consts(struct region *r, u32 n, u32 operand);

/* the number of implicit operands in an equation's parameters, -1 if none has it */
i64 implicit_inputs(const struct module *m, eqn_t e);

/* whether a count of one of Catalyst's loops is negative */
bool miscounted(const struct module *m, eqn_t e);

/* Catalyst's for_loop: consts, implicit, lb, ub, step, i0, carry; up to 0.6 (no implicit) lb, ub, step, consts, i0,
 * carry. If the counts do not fit the operands, the map contains only the counts */
bool catalyst_for(const struct module *m, eqn_t e, struct region_map *map);

/* Catalyst's cond (n - 1 predicates) and switch (an index, n - 1 keys), then one list of operands for every branch */
bool catalyst_branches(const struct module *m, eqn_t e, struct region_map *map, bool keys);

/* PennyLane's for_loop: start, stop, step, then consts, shapes and args, whose places are slices in parameters; the
 * body takes consts, shapes, index, args */
bool pennylane_for(const struct module *m, eqn_t e, struct region_map *map);

/* PennyLane's while_loop: body consts, condition consts and carry, whose places are slices of all operands */
bool pennylane_while(const struct module *m, eqn_t e, struct region_map *map);

/* PennyLane's cond: conditions, then each branch's consts and the shared args, whose places are slices of all
 * operands */
bool pennylane_branches(const struct module *m, eqn_t e, struct region_map *map);

#endif
