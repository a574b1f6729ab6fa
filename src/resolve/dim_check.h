/* SPDX-License-Identifier: Apache-2.0
 *
 * What lives as long as one check_dims: private to dim_check.c, dim_call.c and dim_loop.c. */
#ifndef JX_DYNAMIC_H
#define JX_DYNAMIC_H

#include "regions/region_map.h"
#include "prims/prims.h"
#include "resolve/dim_resolve.h"

struct dynamics {
    struct module *m;
    const struct check_options *options;
    struct resolution *found;
    struct diags *ds;
    struct binders scope;  /* what is bound so far in the jaxpr at hand */
    struct binders around; /* everything bound in the program so far, outer programs first */
    struct binders inner;  /* binders and results of a nested program */
    struct region_map map;
    u8 *aliased;     /* by jaxpr_t: two of its sizes are one operand outside, so names do not distinguish sizes */
    bool *concerns;  /* by type_t: it has a size that is not a number, or is misspelt */
    name_t words[5]; /* primitives and parameters of equations that are ours to judge */
    bool variables;  /* dims of the program at hand are variables */
    bool named;      /* some of them are names, so that binders must be known by name */
    struct prims prims;
    bool unknown_prim;    /* no rule knows the primitive of the equation at hand */
    u32 borrowed;         /* names of outer variables that were looked for inside; see EXPLAINED */
    struct memo reported; /* a name: the last jaxpr in which it was reported not to be a size, plus one */
};

/* the span of a dim of the type of a binder, or the whole binder */
struct span dim_span(const struct module *m, struct span binder, const struct type *array, const struct dim *d);

/* how many errors, or odd sizes, may look around for what was meant: each costs time linear in the program */
enum { EXPLAINED = 64 };

/* whether a jaxpr binds a name anywhere; linear in it, for messages only */
bool binds_name(const struct module *m, jaxpr_t j, name_t name);

/* the name of a variable for messages; it lives as long as the pool */
const char *dyn_name(struct dynamics *d, var_t v);

/* checks how equation e, whose results are bound in d->scope, goes together with the programs inside it */
void check_nested(struct dynamics *d, eqn_t e);

/* what a size of the program at hand is: a number, or a variable bound so far */
struct size outer_size(const struct dynamics *d, const struct dim *dim);

/* what a size of a nested program is outside, through the operand of the binder that bears the name; d->inner is open
 * for the program. SIZE_LOOSE where it is not an operand */
struct size inner_size(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim);

/* whether two sizes surely are two */
bool sizes_differ(struct size a, struct size b);

/* whether the size printed for a result of e may be this size of the program's result: the operand its name is
 * bound to, returned in *wanted where there is one, or the result that returns it */
bool result_size_fits(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim, struct size printed,
                      struct size *wanted);

/* whether a printed size that does not fit is one of those that Catalyst and PennyLane are known to print: a warning */
bool result_size_excused(const struct dynamics *d, struct size printed, struct size wanted);

/* opens d->inner for a nested program: its binders, then the variables it returns */
void inner_open(struct dynamics *d, const struct region *in);

/* the sizes that a loop carries and branches return, in Catalyst's and PennyLane's equations. False when it reported an
 * error, or when the counts are so wrong that nothing else can be said */
bool check_loop(struct dynamics *d, eqn_t e);

/* a message's word for a dim: `n`, `3`, or its text */
const char *dyn_size(struct dynamics *d, struct size size);
const char *dyn_type(struct dynamics *d, type_t type);

#endif
