/* SPDX-License-Identifier: Apache-2.0
 *
 * Which equation a conflict of types is about: the one at hand, or the one that alone says what an operand is. Asked
 * only once something is wrong; at most a few equations are judged again for it. */
#ifndef JX_BLAME_H
#define JX_BLAME_H

#include "check/rule.h"

/* How much of a result's printed type its equation's rule works out: the rest its binder alone says. */
struct probe {
    u32 result;       /* which result is asked about; set by the caller */
    bool judged;      /* the rule compared the result with a type */
    bool wrong;       /* the rule reported something */
    bool dtype_known; /* the element type follows from the operands and parameters */
    bool rank_known;
    u64 dims_known; /* bit d: so does extent d, for the first 64 */
};

/* what a conflict turns on when an operand's own equation is to blame for it */
struct blame {
    u32 operand; /* NONE: the equation at hand is to blame */
    bool dtype;  /* the element types are in conflict, not the shapes */
};

/* finds the operand whose binder is to blame for a finding about types. At most 16 operands are looked at, and each
 * of a few equations around is judged once; the table of births is made the first time */
struct blame blame_find(struct rule *r, enum diag_code code, struct where where);

/* makes the tables of where each variable is bound and which program each equation belongs to; once a check. Linear */
void find_births(struct checker *c);

/* the place of a variable's binder; at == NONE where there is none, or far along a list */
struct span birth_span(struct checker *c, var_t v);

#endif
