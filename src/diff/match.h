/* SPDX-License-Identifier: Apache-2.0
 *
 * Which equation of one jaxpr answers to which of another. First by dataflow: equations that compute the same from the
 * same arguments. What is left, which is what changed and everything behind it, is aligned in printed order by what each
 * equation does, then by primitive. */
#ifndef JX_MATCH_H
#define JX_MATCH_H

#include "diff/canon.h"

/* One side of a comparison. */
struct match_side {
    struct canon *c;
    jaxpr_t jaxpr;
    VEC(eqn_t) eqns;   /* in printed order */
    VEC(u32) partner;  /* of each: the index of the other side's, or NONE */
    VEC(u64) deep;     /* what it computes, from the arguments on */
    VEC(u64) deed;     /* what it does, operands apart */
};

/* matches two jaxprs; both sides must have been digested. Near-linear: equations that repeat are taken in order */
void match_jaxprs(struct match_side *a, struct match_side *b, struct canon *ca, jaxpr_t ja, struct canon *cb, jaxpr_t jb);
void match_end(struct match_side *a, struct match_side *b);

#endif
