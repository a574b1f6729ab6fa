/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects of equations, computed from the primitive table and nested programs, as most are not printed. */
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
    EFFECT_AXIS = 16,    /* reads a mesh axis by name */
    EFFECT_UNKNOWN = 32, /* the primitive is not in the table */
};

/* The effects of one jaxpr. */
struct jaxpr_effects {
    u8 flags;   /* of its equations; EFFECT_WRITE only where an argument is written */
    u32 writes; /* where its n_consts + n_ins bytes in effects.writes begin: nonzero for arguments that are written */
};

struct effects {
    struct module *m;
    struct prims *prims;
    struct version_range version; /* some primitives have effects only since some version */
    struct region_map map;        /* of the last equation */
    bool unpasted;                /* programs pasted into values are ignored */
    struct memo records;          /* by jaxpr: its index in `jaxprs`, plus one */
    VEC(struct jaxpr_effects) jaxprs;
    VEC(u8) writes;
    VEC(u8) written; /* of the last equation: a byte for each operand */
};

/* makes an empty table for the programs of m, with the effects that these versions of JAX have; effects_end frees it */
void effects_init(struct effects *x, struct module *m, struct prims *prims, struct version_range version);
void effects_end(struct effects *x);

/* the effects of a jaxpr, or NULL if they were not computed */
const struct jaxpr_effects *effects_of(const struct effects *x, jaxpr_t j);

/* computes the effects of a jaxpr, after those of its nested ones. Linear in its equations */
void effects_add(struct effects *x, jaxpr_t j);

/* the effects of an equation, a set of enum effect; marks the operands that it writes in x->written. Those of its
 * nested programs must have been computed */
u8 effects_eqn(struct effects *x, eqn_t e);

#endif
