/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of one check_dims. Private to dim_check.c, dim_call.c and dim_loop.c. */
#ifndef JX_DIM_CHECK_H
#define JX_DIM_CHECK_H

#include "base/decimal.h"
#include "regions/region_map.h"
#include "prims/prims.h"
#include "resolve/dim_resolve.h"
#include "resolve/wrong_types.h"

struct dynamics {
    struct module *m;
    const struct check_options *options;
    struct resolution *found;
    struct diags *ds;
    struct binders scope;  /* variables bound so far in the current jaxpr */
    struct binders around; /* variables bound so far in the program, outer programs first */
    struct binders inner;  /* binders and results of a nested program */
    struct region_map map;
    u8 *aliased;     /* by jaxpr_t: two of its sizes are the same operand outside, so that different names may be equal
                      * sizes */
    bool *concerns;  /* by type_t: it has a size that is not a number, or is wrong or unknown */
    name_t words[5]; /* names of the primitives and parameters that are checked here */
    bool variables;  /* dims of the current program are variables */
    bool named;      /* some dims are names, so that binders are looked up by name */
    struct prims prims;
    bool shared;          /* the current jaxpr is a shared program, or in one */
    bool unknown_prim;    /* the primitive of the current equation is not in the table */
    u32 outer_searches;   /* how many names of outer variables were searched inside; see EXPLAINED */
    u32 searched;         /* how many names of sizes were searched outside; see EXPLAINED */
    jaxpr_t *eqn_jaxprs;  /* eqns_to_jaxprs; computed when a message needs it */
    struct memo reported; /* by name: the last jaxpr in which it was reported not to be a size, plus one, doubled; the
                           * low bit: as an error */
    struct unknown_types unknown;
};

/* the span of a dim of the type of a binder, or the whole binder */
struct span dim_span(const struct module *m, struct span binder, const struct type *array, const struct dim *d);

/* the name of a variable for messages; it lives as long as the pool */
const char *dyn_name(struct dynamics *d, var_t v);

/* checks equation e, whose results are bound in d->scope, against its nested programs */
void check_nested(struct dynamics *d, eqn_t e);

/* what a size of the current program is: a number, or a variable bound so far */
struct size outer_size(const struct dynamics *d, const struct dim *dim);

/* what a size of a nested program is outside: the operand of the binder with its name; SIZE_LOOSE if that is not an
 * operand. d->inner must be open for the program */
struct size inner_size(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim);

/* whether two sizes are known to differ */
bool sizes_differ(struct size a, struct size b);

/* whether `printed`, the size of a result of e, may be `dim`, that size of the nested program's result: the operand to
 * which its name is bound, which *wanted becomes if there is one, or the result that returns it */
bool result_size_fits(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim, struct size printed,
                      struct size *wanted);

/* whether a wrong printed size is one that Catalyst and PennyLane are known to print, and so a warning */
bool result_size_excused(const struct dynamics *d, eqn_t e, struct size printed, struct size wanted);

/* opens d->inner for a nested program: its binders, then the variables it returns */
void inner_open(struct dynamics *d, const struct region *in);

/* checks the sizes that loops carry and branches return, in Catalyst's and PennyLane's equations. False if it reported
 * an error, or if wrong counts prevent other checks */
bool check_loop(struct dynamics *d, eqn_t e);

/* dyn_size: the text of a size for messages, `n`, `3`, or as printed; dyn_type: that of a type */
const char *dyn_size(struct dynamics *d, struct size size);
const char *dyn_type(struct dynamics *d, type_t type);

#endif
