/* SPDX-License-Identifier: Apache-2.0
 *
 * More arguments for nested programs: binders in front, operands at the place where the equation keeps the constants of
 * that program, and counts that follow. */
#ifndef JX_CONST_OPERANDS_H
#define JX_CONST_OPERANDS_H

#include "regions/region_map.h"

/* Where an equation keeps the constants of one of its programs. */
struct const_slot {
    u32 operand; /* the place of more of them among the operands */
    bool open;   /* the program's constvars are bound to operands and stay constvars (PennyLane, `n_consts`) .. */
    u32 bound;   /* .. and so many of them have one already */
    struct slice count;  /* the parameter that counts them; empty where nothing does */
    struct slice tree;   /* the parameter whose tree counts them (scan, since 0.11) */
    struct slice slices; /* the parameter whose slice cuts them out; empty where there is none .. */
    u32 slice, base;     /* .. which of its slices, and the operand that positions count from */
};

/* finds the place for the constants of program j of equation e; map is read for e, unless it was (region_map_again).
 * False where the equation is of no kind that is known, or its counts were left out */
bool const_slot_find(const struct module *m, eqn_t e, jaxpr_t j, struct region_map *map, struct const_slot *out);

/* puts n atoms among the operands of e, at `at` */
void operands_insert(struct module *m, eqn_t e, u32 at, const atom_t *atoms, u32 n);

/* passes n more constants: operands, count and slices */
void const_slot_fill(struct module *m, eqn_t e, const struct const_slot *slot, const atom_t *atoms, u32 n);

/* appends variables like n others under fresh names, sized by each other as those are, and adds them to list, a
 * VEC(var_t); *fresh is fresh_name's. `pads`: the names end in `_`, as those of arguments that a branch takes for
 * another one do. Linear in their types */
void binders_like(struct module *m, const var_t *likes, u32 n, bool pads, u32 *fresh, void *list);

/* puts n binders before those of a jaxpr from position `at` on, constvars counted first, and follows them through
 * the jaxpr; `constants` says that they are constvars. binders are copied: the new variables are returned as a run.
 * O(jaxpr) */
u32 binders_insert(struct module *m, jaxpr_t j, u32 at, const var_t *binders, u32 n, bool constants);

#endif
