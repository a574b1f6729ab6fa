/* SPDX-License-Identifier: Apache-2.0
 *
 * How a result lies on a mesh of explicit axes: which of them each of its axes is sharded over, worked out from the
 * operands and parameters as JAX's sharding rules do. */
#ifndef JX_PLACING_H
#define JX_PLACING_H

#include "verify/call_check.h"

/* A result whose place is asked for. */
struct placing {
    struct rule *r;
    const struct aval *type; /* as the rule worked it out; unranked where it keeps that to itself */
    u32 result, rank;        /* which one, and how many axes its binder has */
    struct slice *over;      /* an entry an axis: `x`, `(x,y)`, or empty */
    bool guessed;            /* set by placing_find: a parameter may ask for another place, which versions
                              * with JAX_TARGET_SHARDINGS_HIDDEN leave out */
};

/* fills over; false where the operands do not decide: a parameter that would is not printed, sizes of mesh axes are
 * asked for, JAX has no rule. Linear in ranks and operands */
bool placing_find(struct placing *p);

/* whether two arrays of one shape say that they lie alike; true of all else, and where one lies nowhere, which may know
 * of no mesh (jax/_src/core.py, typematch). `(x,y)` and `(x, y)` are one place */
bool placings_agree(const struct aval *a, const struct aval *b);
/* the same, where both know of the same mesh */
bool placings_equal(const struct aval *a, const struct aval *b);
bool placing_same(struct slice a, struct slice b);

/* `sharded over x`, for messages; lives until the next equation */
const char *format_sharding(struct rule *r, struct slice axes);

/* whether the operands may lie as they do: those of elementwise and joining primitives alike, and on no mesh axis along
 * an axis that is sorted, accumulated or taken apart; reports T008, T009 */
bool placing_allowed(struct rule *r);

#endif
