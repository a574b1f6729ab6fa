/* SPDX-License-Identifier: Apache-2.0
 *
 * The jaxprs of a program, each once. */
#ifndef JX_REACH_H
#define JX_REACH_H

#include "ir/module.h"

/* A list of jaxprs. */
struct jaxprs {
    jaxpr_t *at;
    u32 n, cap;
};

/* fills the list with every jaxpr of a program, shared ones and those pasted into values included, each once, nested
 * ones before those that contain them and the main one last. Linear. A jaxpr that contains itself is listed once */
void reach_all(struct module *m, program_t program, struct jaxprs *list);

/* the same for one jaxpr and its nested ones, itself last */
void reach_from(struct module *m, jaxpr_t root, struct jaxprs *list);

/* reach_all without programs pasted into values, for passes that rewrite sharing: a pasted print has shared programs of
 * its own */
void reach_unpasted(struct module *m, program_t program, struct jaxprs *list);

/* true if no operand or result of a program is an unbound name, except if an equation of an unknown form may bind it.
 * Linear */
bool resolved_program(struct module *m, program_t program);

/* the same for one jaxpr, without nested ones and regardless of the forms of its equations */
bool resolved_jaxpr(const struct module *m, jaxpr_t id);

/* Steps through the programs nested in one equation or parameter, in printed order: those that are values of
 * parameters, shared ones, and those pasted into values such as `solve={ lambda .. }`. */
struct nested {
    param_t next, last; /* the next parameter, and the last one */
    u32 segment;
    param_t param; /* the parameter that contained the last result .. */
    bool pasted;   /* .. and whether it was pasted into its value */
};

static inline struct nested
nested_start(const struct module *m, eqn_t e)
{
    return (struct nested){eqn_holding(m, e), NONE, NONE, NONE, false};
}

static inline struct nested
nested_in_param(param_t p)
{
    return (struct nested){p, p, NONE, NONE, false};
}

/* the next jaxpr, or NONE */
jaxpr_t nested_next(const struct module *m, struct nested *n);

/* whether an equation contains a program */
static inline bool
eqn_nests(const struct module *m, eqn_t e)
{
    struct nested held = nested_start(m, e);
    return nested_next(m, &held) != NONE;
}

/* nested_next without programs pasted into values */
jaxpr_t nested_unpasted(const struct module *m, struct nested *n);

/* true if an equation's primitive has this name */
bool prim_is(const struct module *m, eqn_t e, struct slice name);

#endif
