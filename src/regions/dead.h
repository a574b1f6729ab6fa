/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations whose results nothing reads. */
#ifndef JX_DEAD_H
#define JX_DEAD_H

#include "regions/effect_analysis.h"

/* A list of equations. */
struct eqns {
    eqn_t *at;
    u32 n, cap;
};

/* How often each of n variables from `first` on is read; other variables count as read. */
struct readers {
    u32 *at;
    u32 first, n;
};

/* the number of reads of a variable, or NULL if it is not among those counted */
static inline u32 *
readers_of(const struct readers *r, var_t v)
{
    return v - r->first < r->n ? &r->at[v - r->first] : NULL;
}

/* Whether an equation may be removed where nothing reads its results: it takes and returns arrays, and neither it nor
 * its nested programs have other effects than reading mesh axes. `row` is that of its primitive, or NULL; `effects`
 * must contain those of its nested programs. */
bool eqn_is_pure(struct module *m, const struct prim *row, struct effects *effects, eqn_t e);

/* Appends, last ones first, the pure equations of j whose results are not read, or only by such equations. The reads of
 * each such equation are subtracted from `readers`. Linear in j. */
void dead_equations(struct module *m, struct effects *effects, const struct readers *readers, jaxpr_t j,
                    struct eqns *dead);

#endif
