/* SPDX-License-Identifier: Apache-2.0
 *
 * What the engine of dead code elimination (dce.c) and its rules by primitive (dce_rules.c) share. */
#ifndef JX_DCE_H
#define JX_DCE_H

#include "rewrite/copy.h"
#include "regions/effect_analysis.h"
#include "regions/region_map.h"
#include "ir/reach.h"
#include "rewrite/rewrite.h"
#include "rewrite/values.h"

struct dce_request;

struct dce {
    struct module *m;
    struct version_range version; /* the versions whose rules apply */
    struct prims prims;
    struct effects effects;
    struct copier copier;
    VEC(struct dce_request) requests;
    VEC(struct dce_frame) frames;
    struct memo *table;
    VEC(u8) bits;     /* masks that outlive one visit */
    VEC(eqn_t) order; /* the equations of the current jaxprs, in printed order */
    VEC(struct dce_plan) plans;
    struct memo sizes_of;  /* by variable: the index of its first in sizes, plus one */
    VEC(var_t) sizes;      /* lists of the variables that are sizes in a type; each ends with NONE */
    u8 *needed, *live;     /* a byte for each variable of the module as it was read */
    u64 budget;            /* the steps left before every equation counts as needed */
    struct region_map map; /* of the last equation that a rule read */
    bool respelled;        /* the tree that describes a loop's operands was respelled */
};

/* One equation that is visited. A rule reads the members above the line and sets those below. */
struct dce_visit {
    eqn_t e;
    u32 n_outs, n_ins;
    const u8 *outs; /* which results are needed */
    const u8 *live; /* which refs among the operands are read later */
    bool any_out, effects;
    /* ---- */
    u8 *ins;        /* which operands are needed */
    u8 *results;    /* which results are kept */
    param_t params; /* the new parameters */
    bool changed;   /* false: the equation is kept as it is */
};

enum dce_answer { DCE_WAIT, DCE_DROP, DCE_KEEP };

struct dce_row;
/* the rule of a primitive, called for its equations, from the last to the first */
typedef enum dce_answer dce_rule(struct dce *d, struct dce_visit *t, const struct dce_row *row);

/* A rule of primitives, and its data. */
struct dce_row {
    enum jax_change since; /* the first version with the rule */
    dce_rule *rule;
    const char *ins, *outs; /* parameters that are tuples with an element for each operand, and each result: `key`, or
                             * `key?word` if the parameter is omitted when every element is that word */
    bool instantiate;       /* every operand is kept */
    bool recreates;         /* JAX makes a new equation even if nothing changes */
};

/* the row of an equation's primitive; without one, a row that changes no nested program */
const struct dce_row *dce_row_find(struct dce *d, eqn_t e);

/* The result for a jaxpr. */
struct dced {
    jaxpr_t jaxpr;
    const u8 *ins; /* which arguments are kept; valid until the next dce_ask */
    u8 effects;    /* enum effect, of the new jaxpr */
};

/* eliminates from a jaxpr what the results marked in outs do not need; inst marks arguments that are kept in any case
 * (NULL: none), live marks refs that are read later (NULL: all). False if *answer is not computed yet: the rule then
 * returns DCE_WAIT and is called again */
bool dce_ask(struct dce *d, jaxpr_t j, const u8 *outs, const u8 *inst, const u8 *live, struct dced *answer);

/* collects the variables that are sizes in types of the jaxprs; linear in them */
void dce_sizes_find(struct dce *d, const struct jaxprs *all);

/* marks the sizes in the type of a variable as needed */
void dce_sizes_need(struct dce *d, var_t v);

#endif
