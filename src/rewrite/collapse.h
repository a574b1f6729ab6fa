/* SPDX-License-Identifier: Apache-2.0
 *
 * Which equations may drop their implicit arguments and results: those whose implicit values are only read as
 * implicit operands and results of others that drop theirs. */
#ifndef JX_COLLAPSE_H
#define JX_COLLAPSE_H

#include "base/memo.h"
#include "regions/region_map.h"
#include "ir/reach.h"

/* The implicit values of an equation: the first n results, n operands, and n binders of each nested program (loops). */
struct implicit {
    u32 n;
    u32 operand;   /* the first operand; NONE for branches */
    u32 binder[2]; /* the first binder of the body, of the condition */
};

/* An equation that may drop its implicit values. */
struct candidate {
    struct implicit run;
    bool stays;       /* something else reads its values */
    u32 first_needed; /* its first entry in `needs`: the candidates whose values it reads; NONE if there are none */
};

/* `candidate` keeps its values if the reader to whose list this belongs does. */
struct need {
    u32 candidate;
    u32 next;
};

struct collapsing {
    struct module *m;
    VEC(struct candidate) candidates;
    VEC(struct need) needs; /* lists, one for each candidate: those whose values it reads */
    VEC(u32) failed;        /* candidates that keep their values, to be propagated */
    struct memo by_eqn;     /* by equation: its candidate, plus one */
    struct memo owners;     /* by variable: the candidate whose implicit value it is, plus one */
    struct memo bodies;     /* by jaxpr: the candidate whose implicit values are its first results, plus one */
    struct memo holders;    /* by jaxpr: the equation that holds it, plus one; UINT64_MAX if several do */
};

/* begins without candidates, given all jaxprs of the program; collapsing_end frees the memory */
void collapsing_init(struct collapsing *c, struct module *m, const struct jaxprs *list);
void collapsing_end(struct collapsing *c);

/* adds equation e with region map l and implicit values `run`, unless another holds its programs, too: that of a `let`
 * may be used by several */
void collapsing_add(struct collapsing *c, eqn_t e, const struct region_map *l, const struct implicit *run);

/* decides which candidates keep their values, given all jaxprs of the program. Linear */
void collapsing_decide(struct collapsing *c, const struct jaxprs *list);

/* the values that an equation drops, or NULL */
const struct implicit *collapsing_find(const struct collapsing *c, eqn_t e);

/* Iterates over the operands and results of a jaxpr, and the variables in indices of refs. */
struct atoms_walk {
    const struct module *m;
    jaxpr_t jaxpr;
    eqn_t e; /* the equation of the last operand; NONE among the results */
    u32 at;  /* the next operand or result */
    u32 use; /* of a ref: the next variable in its index, plus one */
};

/* begins at the first operand; atoms_next sets *a to one atom after another, for refs to the variables in them; false
 * after the last result */
void atoms_start(struct atoms_walk *w, const struct module *m, jaxpr_t j);
bool atoms_next(struct atoms_walk *w, atom_t *a);

#endif
