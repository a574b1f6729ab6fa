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
    struct version_range version; /* whose rules apply */
    struct prims prims;
    struct effects effects;
    struct copier copier;
    VEC(struct dce_request) requests;
    VEC(struct dce_frame) frames;
    struct memo *table;
    VEC(u8) bits;     /* masks that live on */
    VEC(eqn_t) order; /* the equations of the jaxprs at work, in printed order */
    VEC(struct dce_plan) plans;
    struct memo sizes_of;  /* by variable: where the sizes its type names begin, plus one */
    VEC(var_t) sizes;      /* each list ends with NONE */
    u8 *needed, *live;     /* a byte for each variable of the module as it was read */
    u64 patience;          /* as much is still looked at before what is needed stays as it is */
    struct region_map map; /* of the equation a rule read last */
    bool respelled;        /* a tree of operands is written otherwise */
};

/* One equation looked at. A rule reads what is above the line and fills what is below. */
struct dce_turn {
    eqn_t e;
    u32 n_outs, n_ins;
    const u8 *outs; /* which results are needed */
    const u8 *live; /* which refs among the operands are read later */
    bool any_out, effects;
    /* ---- */
    u8 *ins;        /* operands that are needed */
    u8 *results;    /* results that stay */
    param_t params; /* the new parameters */
    bool changed;   /* anything but the equation itself */
};

enum dce_answer { DCE_WAIT, DCE_DROP, DCE_KEEP };

struct dce_row;
/* what a primitive does about unneeded operands: asked when its equation is met, walking backwards */
typedef enum dce_answer dce_rule(struct dce *d, struct dce_turn *t, const struct dce_row *row);

/* A rule of primitives, and what it needs to know. */
struct dce_row {
    enum jax_change since; /* the rule holds from then on */
    dce_rule *rule;
    const char *ins, *outs; /* tuples that go with operands and results: `key`, or `key?word` where the parameter is not
                               printed when every element is that word */
    bool instantiate;       /* every operand stays */
    bool renews;            /* makes a new equation even where nothing changes */
};

/* the row of an equation's primitive; one that lets everything inside be where there is none */
const struct dce_row *dce_row_find(struct dce *d, eqn_t e);

/* What became of a jaxpr. */
struct dced {
    jaxpr_t jaxpr;
    const u8 *ins; /* which arguments stay; good until the next dce_ask */
    u8 effects;    /* enum effect, of the new jaxpr */
};

/* asks for a jaxpr without what its marked results do not need; inst marks arguments that stay whatever happens
 * (NULL: none), live refs that are read later (NULL: all). False where the answer has to be worked out first: the rule
 * then returns DCE_WAIT and is called again */
bool dce_ask(struct dce *d, jaxpr_t j, const u8 *outs, const u8 *inst, const u8 *live, struct dced *answer);

/* finds the sizes that types of the jaxprs name; linear in them */
void dce_sizes_find(struct dce *d, const struct jaxprs *all);

/* marks the sizes that the type of a variable names as needed */
void dce_sizes_need(struct dce *d, var_t v);

#endif
