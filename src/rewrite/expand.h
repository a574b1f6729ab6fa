/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files of pass_expand: the sizes of one equation's loop or branches, and sizes that get new names. */
#ifndef JX_EXPAND_H
#define JX_EXPAND_H

#include "rewrite/rewrite.h"
#include "rewrite/sizes.h"

struct expanding {
    struct sizing s;
    const struct passes *p;
    struct binders holder; /* of the jaxpr whose equations are expanded */
    struct memo bound;     /* by name, 1: the name of a variable before the pass */
    struct memo named;     /* by name, 1: some type has it as a size; noted before the first copy */
    struct memo sized;     /* by name, 1: a size of an argument of the holder */
    struct memo added;     /* by name, 1: it is an implicit result of an equation of the holder */
    struct memo copies;    /* by name of a size, or of a copy of it: the name of that size, plus one */
    struct region_map map; /* of the equation that is retyped */
    struct memo passed;    /* by name of a size inside a program of such an equation: an operand and its axis; see
                            * note_passed */
    VEC(atom_t) atoms;
    VEC(name_t) names;
    VEC(type_t) types;
    VEC(struct slice) sizes;
    name_t underscore;
    u32 fresh;   /* the counter of fresh_name */
    bool copied; /* a size got a copy */
    bool any;    /* something was added */
};

/* adds the implicit arguments and results of equation e, whose jaxpr is x->holder; false if nothing changes */
bool expand_equation(struct expanding *x, eqn_t e);

/* finds the sizes of x->s.spots in x->s.scope, as atoms for results; false if one is unbound */
bool expand_outs(struct expanding *x);

/* gives axis k of the type of v a copy of its size, and returns the name of the copy */
name_t size_copy(struct expanding *x, var_t v, u32 k);

/* gives axis k of the type of v the size `name`, which then counts as a copy of the size before */
void size_rename(struct expanding *x, var_t v, u32 k, name_t name);

/* whether two names are copies of one size, or the size and a copy of it */
bool are_copies(const struct expanding *x, name_t a, name_t b);

/* gives the types of an equation's results the copies of sizes that its operands have. Linear in the equation and its
 * programs' binders */
void retype_equation(struct expanding *x, eqn_t e);

/* replaces sizes in the types of n variables; `by` has, by name, the new name plus one */
void sizes_replace(struct expanding *x, var_t first, u32 n, const struct memo *by);

#endif
