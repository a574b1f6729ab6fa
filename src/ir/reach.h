/* SPDX-License-Identifier: Apache-2.0
 *
 * The jaxprs a program consists of, each once. */
#ifndef JX_REACH_H
#define JX_REACH_H

#include "ir/module.h"

/* A list of jaxprs. */
struct jaxprs {
    jaxpr_t *at;
    u32 n, cap;
};

/* fills the list with every jaxpr of a program, its lets included, each once, inner ones before those that hold them
 * and the main one last; programs pasted into parameters are text and not entered. Linear; no recursion. A jaxpr that
 * holds itself is met once */
void reach_jaxprs(struct module *m, program_t program, struct jaxprs *list);

/* the same, programs pasted into parameters entered: the branches of Catalyst's and PennyLane's lists */
void reach_all(struct module *m, program_t program, struct jaxprs *list);

/* the same for what one jaxpr holds, itself last */
void reach_from(struct module *m, jaxpr_t root, struct jaxprs *list);

/* true where every operand and result of a program is a variable, a literal or a ref, or where an equation of a form
 * nobody knows may bind the names that are left. Linear */
bool resolved_program(struct module *m, program_t program);

/* the same for one jaxpr, without what it holds and whatever forms its equations have */
bool resolved_jaxpr(const struct module *m, jaxpr_t id);

/* Steps through the jaxprs that the parameters of one equation hold, in printed order. */
struct held {
    param_t param;
    u32 segment;
    param_t from; /* the parameter that holds what was answered last */
};

static inline struct held
held_start(const struct module *m, eqn_t e)
{
    return (struct held){m->eqns.at[e].params, NONE, NONE};
}

/* the next jaxpr, or NONE */
jaxpr_t held_next(const struct module *m, struct held *h);

/* the next jaxpr, those of programs pasted into text included, or NONE */
jaxpr_t held_or_pasted(const struct module *m, struct held *h);

/* true where an equation's own primitive is called so */
bool prim_is(const struct module *m, eqn_t e, struct slice name);

#endif
