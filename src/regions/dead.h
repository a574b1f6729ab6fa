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

/* How often each of n variables is read, from the `first` on; of other variables nothing is known, and they count as
 * read. */
struct readers {
    u32 *at;
    u32 first, n;
};

/* the number of reads of a variable, or NULL where it is not among those counted */
static inline u32 *
readers_of(const struct readers *r, var_t v)
{
    return v - r->first < r->n ? &r->at[v - r->first] : NULL;
}

/* Whether an equation computes its results and does nothing else, so that it may go where nothing reads them: arrays
 * in, arrays out, and no effects but those on mesh axes, its nested programs' included. `row` is that of its primitive,
 * NULL where there is none; `effects` knows what its nested programs do. */
bool eqn_is_pure(struct module *m, const struct prim *row, struct effects *effects, eqn_t e);

/* Appends the pure equations of j whose results nothing reads, or only such equations, last ones first. Each
 * equation found takes its reads away from `readers`. Linear in j. */
void dead_equations(struct module *m, struct effects *effects, const struct readers *readers, jaxpr_t j,
                    struct eqns *dead);

#endif
