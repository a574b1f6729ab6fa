/* SPDX-License-Identifier: Apache-2.0
 *
 * Which equations may lose their implicit arguments and results: those whose implicit values nothing reads but implicit
 * operands and results of others that lose theirs. */
#ifndef JX_COLLAPSE_H
#define JX_COLLAPSE_H

#include "base/memo.h"
#include "regions/region_map.h"
#include "ir/reach.h"

/* The implicit values of an equation: n first results, n operands, and n binders of each program inside (loops). */
struct implicit {
    u32 n;
    u32 operand;   /* the first; NONE for branches */
    u32 binder[2]; /* of the body, of the condition */
};

/* A candidate. */
struct candidate {
    struct implicit run;
    bool stays;       /* something reads its values */
    u32 first_needed; /* of its list in `needs`: the candidates it depends on being dropped .. NONE at the end */
};

/* `from` stays as it is if `to`, which reads a value of it, does. */
struct need {
    u32 candidate;
    u32 next;
};

struct collapsing {
    struct module *m;
    VEC(struct candidate) candidates;
    VEC(struct need) needs; /* by the candidate that reads: those whose values it reads */
    VEC(u32) failed;        /* candidates whose values are read, to be followed */
    struct memo by_eqn;     /* an equation: its candidate, plus one */
    struct memo owners;     /* a variable that is an implicit value: its candidate, plus one */
    struct memo bodies;     /* a jaxpr whose first results are implicit: its candidate, plus one */
};

/* begins with no candidate; collapsing_end gives the memory back */
void collapsing_init(struct collapsing *c, struct module *m);
void collapsing_end(struct collapsing *c);

/* adds an equation, whose layout is l; one whose programs something else holds as well is left out */
void collapsing_add(struct collapsing *c, eqn_t e, const struct region_map *l, const struct implicit *run);

/* finds out which candidates keep their values, over all jaxprs of the program. Linear */
void collapsing_decide(struct collapsing *c, const struct jaxprs *list);

/* what an equation loses, or NULL where it stays as it is */
const struct implicit *collapsing_find(const struct collapsing *c, eqn_t e);

/* Steps through the operands and results of a jaxpr, what indexes refs among them. */
struct atoms_walk {
    const struct module *m;
    jaxpr_t jaxpr;
    eqn_t e; /* whose operand came last; NONE among the results */
    u32 at;  /* the next operand or result */
    u32 use; /* of a ref: the next variable in its index, plus one */
};

/* begins at the first operand; atoms_next answers one atom after another, refs as the variables they mention, and false
 * after the last result */
void atoms_start(struct atoms_walk *w, const struct module *m, jaxpr_t j);
bool atoms_next(struct atoms_walk *w, atom_t *a);

#endif
