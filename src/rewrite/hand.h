/* SPDX-License-Identifier: Apache-2.0
 *
 * More arguments for nested programs: binders in front, operands at the place where the equation keeps the constants of
 * that program, and counts that follow. */
#ifndef JX_HAND_H
#define JX_HAND_H

#include "check/layout.h"

/* Where an equation keeps the constants of one of its programs. */
struct post {
    u32 operand;       /* the first constant's place among the operands */
    struct slice count; /* the parameter that counts them; empty where nothing does */
};

/* finds the place for the constants of program j of equation e; l is scratch. False where the equation is of no kind
 * that is known, or its counts were left out */
bool post_find(const struct module *m, eqn_t e, jaxpr_t j, struct layout *l, struct post *out);

/* puts n atoms among the operands of e, at `at` */
void operands_insert(struct module *m, eqn_t e, u32 at, const atom_t *atoms, u32 n);

/* adds n to the number a parameter prints */
void count_add(struct module *m, eqn_t e, struct slice key, u32 n);

/* puts n binders in front of those of a jaxpr from position `at` on, constvars counted first, and follows them through the
 * jaxpr; `constants` says that they are constvars. binders are copied: the new variables are returned as a run. O(jaxpr) */
u32 binders_insert(struct module *m, jaxpr_t j, u32 at, const var_t *binders, u32 n, bool constants);

#endif
