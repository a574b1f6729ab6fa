/* SPDX-License-Identifier: Apache-2.0
 *
 * What equations do besides computing their results, worked out from the primitive table and from nested programs, for
 * prints do not show it. */
#ifndef JX_EFFECT_ANALYSIS_H
#define JX_EFFECT_ANALYSIS_H

#include "base/memo.h"
#include "prims/prims.h"
#include "ir/reach.h"
#include "regions/region_map.h"

enum effect {
    EFFECT_KEPT = 1,     /* forbids removal: input, output, callbacks that may not be elided .. */
    EFFECT_READ = 2,     /* reads a ref */
    EFFECT_WRITE = 4,    /* writes a ref; of an equation: one that lives outside it */
    EFFECT_LOCAL = 8,    /* makes refs, or frees them */
    EFFECT_AXIS = 16,    /* needs a mesh axis by name */
    EFFECT_UNKNOWN = 32, /* the primitive is not in the table */
};

/* What is known of one jaxpr. */
struct jaxpr_effects {
    u8 flags;   /* its own and those of its equations; writes only where they reach an argument */
    u32 writes; /* first of n_consts + n_ins bytes: nonzero for arguments that are written */
};

struct effects {
    struct module *m;
    struct prims *prims;
    struct version_range version; /* some primitives had no effects at first */
    struct region_map map;        /* of the equation asked last */
    bool unpasted;                /* what programs pasted into values do is left out */
    struct memo records;          /* a jaxpr: its place in `jaxprs`, plus one */
    VEC(struct jaxpr_effects) jaxprs;
    VEC(u8) writes;
    VEC(u8) written; /* of the equation asked last: a byte for each operand */
};

/* makes a table of effects of the programs of m, as JAX of `version` has them; effects_end gives its memory back */
void effects_init(struct effects *x, struct module *m, struct prims *prims, struct version_range version);
void effects_end(struct effects *x);

/* the effects of a jaxpr, or NULL when they are not known */
const struct jaxpr_effects *effects_of(const struct effects *x, jaxpr_t j);

/* works out the effects of a jaxpr whose nested ones are known already. Linear in its equations */
void effects_add(struct effects *x, jaxpr_t j);

/* what an equation does, as enum effect; fills x->written where it writes. Its nested programs must be known */
u8 effects_eqn(struct effects *x, eqn_t e);

#endif
