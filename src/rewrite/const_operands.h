/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds arguments to nested programs: leading binders, operands at the place of that program's constants, and the counts
 * of these. */
#ifndef JX_CONST_OPERANDS_H
#define JX_CONST_OPERANDS_H

#include "regions/region_map.h"

/* Where the operands of an equation include the constants of one of its programs. */
struct const_slot {
    u32 operand; /* the operand before which more of them are inserted */
    bool open;   /* the program's constvars are bound to operands and stay constvars (PennyLane, `n_consts`) .. */
    u32 bound;   /* .. and this many of them are bound */
    struct slice count;  /* the parameter that counts them; empty if nothing does */
    struct slice tree;   /* the parameter whose tree counts them (scan, since 0.11) */
    struct slice slices; /* the parameter whose slice cuts them out; empty if there is none .. */
    u32 slice, base;     /* .. which of its slices, and the operand that positions count from */
};

/* finds where the constants of program j of equation e are; reads map for e (region_map_again). False if the equation
 * is of an unknown kind, or its counts are missing or exceed its operands */
bool const_slot_find(const struct module *m, eqn_t e, jaxpr_t j, struct region_map *map, struct const_slot *out);

/* inserts n operands of e at `at` */
void operands_insert(struct module *m, eqn_t e, u32 at, const atom_t *atoms, u32 n);

/* passes n more constants: inserts operands, and updates the count and slices */
void const_slot_fill(struct module *m, eqn_t e, const struct const_slot *slot, const atom_t *atoms, u32 n);

/* appends copies of n variables under fresh names, whose sizes refer to each other as those of the originals do, and
 * adds them to list, a VEC(var_t); *fresh is the counter of fresh_name. `pads`: the names end in `_`, like those of
 * arguments that a branch takes only because another one does. Linear in their types */
void binders_like(struct module *m, const var_t *likes, u32 n, bool pads, u32 *fresh, void *list);

/* inserts copies of n variables as binders of a jaxpr at position `at`, constvars counted first, and replaces the
 * originals by them in the jaxpr; `constants`: they are constvars. Returns the first of the new variables. O(jaxpr) */
u32 binders_insert(struct module *m, jaxpr_t j, u32 at, const var_t *binders, u32 n, bool constants);

#endif
