/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations that compute what nothing reads. */
#ifndef JX_DEAD_H
#define JX_DEAD_H

#include "regions/effect_analysis.h"

/* A list of equations. */
struct eqns {
    eqn_t *at;
    u32 n, cap;
};

/* Whether an equation computes its results and does nothing else, so that it may go where nothing reads them: arrays
 * in, arrays out, and no effects but those on mesh axes, its nested programs' included. `row` is that of its primitive,
 * NULL where there is none; `effects` knows what its nested programs do. */
bool eqn_is_pure(struct module *m, const struct prim *row, struct effects *effects, eqn_t e);

/* Appends the pure equations of j whose results nothing reads, or only such equations, last ones first. `readers` holds
 * for every variable how often it is read; each equation found takes its reads away from there. Linear in j. */
void dead_equations(struct module *m, struct effects *effects, u32 *readers, jaxpr_t j, struct eqns *dead);

#endif
