/* SPDX-License-Identifier: Apache-2.0
 *
 * The sharding of a result over explicit mesh axes, computed from operands and parameters as JAX's sharding rules do.
 */
#ifndef JX_SHARDING_RULES_H
#define JX_SHARDING_RULES_H

#include "verify/call_check.h"

/* A result whose sharding is computed. */
struct placing {
    struct rule *r;
    const struct aval *type; /* as the rule computed it; unranked if it did not */
    u32 result, rank;        /* which one, and how many axes its binder has */
    struct slice *over;      /* an entry for each axis: `x`, `(x,y)`, or empty */
    bool guessed; /* set by placing_find: since JAX_TARGET_SHARDINGS_HIDDEN, a parameter that is not printed may request
                     another sharding */
};

/* the sharding of axis d of an array, `x` or `(x,y)`; empty if it has none */
struct slice axis_sharding(const struct aval *a, u32 d);

/* whether no axis of an array is sharded, so that it may have no explicit mesh */
bool is_unsharded(const struct aval *a);

/* whether an array may have no mesh: no axis is sharded, and its type names no axes of a mesh in braces */
bool may_lack_mesh(const struct rule *r, const struct aval *a);

/* whether an array is sharded over a mesh axis */
bool sharded_over(const struct aval *a, struct slice axis);

/* fills p->over; false if the text does not determine it: a parameter is not printed, sizes of mesh axes are needed, or
 * JAX has no rule. Linear in ranks and operands */
bool placing_find(struct placing *p);

/* whether two arrays of one shape have the same sharding; true for other types, and if one has none, because it may
 * have no mesh (jax/_src/core.py, typematch). `(x,y)` and `(x, y)` are equal */
bool placings_agree(const struct aval *a, const struct aval *b);
/* the same for arrays that are on one mesh: an unsharded one differs from a sharded one */
bool placings_equal(const struct aval *a, const struct aval *b);

/* "sharded over `x`" or "not sharded", for messages; lives until the next equation */
const char *format_sharding(struct rule *r, struct slice axes);

/* whether the operands have valid shardings: equal ones for elementwise and joining primitives, and none along an axis
 * that is sorted, accumulated or split; reports T008, T009 */
bool placing_allowed(struct rule *r);

/* An axis of an operand. */
struct operand_axis {
    u32 operand, axis;
};

/* an axis of operand i must not be sharded, or two axes must have the same sharding, unless one has none and the rule
 * is not `exact`; `what` they are begins the message. Report T008, of AXES_NUMBERED as a
 * warning, since JAX before 0.8 accepts more there */
bool axis_must_be_whole(struct rule *r, const char *what, u32 i, u32 d);
bool axes_must_be_alike(struct rule *r, const char *what, struct operand_axis one, struct operand_axis other,
                        bool exact);

/* no axis is sharded */
bool place_nowhere(struct placing *p);

/* reshape (sharding_reshape.c): whether the operand has a valid sharding, and where the result is */
bool reshape_allowed(struct rule *r);
bool place_reshaped(struct placing *p);

/* gather and scatter (sharding_numbers.c): whether operands have valid shardings, and where results are */
bool gather_allowed(struct rule *r);
bool scatter_allowed(struct rule *r);
bool place_gathered(struct placing *p);
bool place_scattered(struct placing *p);

#endif
