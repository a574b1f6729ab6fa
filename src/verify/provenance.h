/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the equation that causes a type conflict: the current one, or the one whose binder alone determines the type of
 * an operand. Used only after an error; at most a few equations are checked again. */
#ifndef JX_PROVENANCE_H
#define JX_PROVENANCE_H

#include "verify/rule.h"

/* A trial run of an equation's rule, which reports nothing: what the caller assumes, and which part of a result's
 * printed type the rule computes; only the binder determines the rest. */
struct probe {
    u32 result;       /* the result in question, NONE: all; set by the caller */
    bool ran;         /* the rule was run: no operand was reported already */
    bool compared;    /* the rule compared the result with a type */
    bool wrong;       /* the rule reported something */
    bool mismatch;    /* the finding is that a result is bound as another type than computed */
    bool dtype_known; /* the element type follows from the operands and parameters */
    bool rank_known;
    u64 dims_known;             /* bit d: so does extent d, for the first 64 */
    bool passed;                /* set by the caller: binders have the types that their calls pass (rule_passed) */
    const struct aval *assumed; /* set by the caller, if not NULL: the type of .. */
    var_t assumed_of;           /* .. this variable */
    bool computed; /* set by the caller: reported operands have the types that rules computed, else unknown ones; */
    u32 alone;     /* if not 0: only operand `alone` - 1 has */
    u32 swap[2];   /* set by the caller: these two operands are exchanged; equal: none are */
    const struct parts *unread; /* set by the caller, if not NULL: these parts are not read, .. */
    u32 passed_before;          /* .. and this is that of the rule that reported them */
    struct where at;            /* of the first finding, .. */
    enum diag_code code;        /* .. and its code */
};

/* The operand whose binder causes a conflict of types. */
struct culprit {
    u32 operand;        /* NONE: the current equation causes it */
    u32 readers;        /* of an argument: how many equations with errors fit another type of it; else 0 */
    struct aval wanted; /* that type */
    bool dtype;         /* the element types are in conflict, not the shapes */
};

/* an equation with more operands or results is not checked again */
enum { LARGEST_ASKED = 32 };

/* finds the operand whose binder causes a finding about types. Examines at most 16 operands, and checks their equations
 * and a few others once each; the table of def_sites is made the first time */
struct culprit find_culprit(struct rule *r, enum diag_code code, struct where where);

/* argument_culprit.c: finds an argument that several equations, including the current one, use as another type than
 * printed, and none as printed. Each argument is examined once; def_sites must be made */
bool find_culprit_argument(struct rule *r, struct culprit *found);

/* whether an equation with a finding would be correct if the binders of its program had the types that their call
 * passes (rule_passed): the finding would repeat that of the call */
bool repeats_call(struct rule *r, struct where where);

/* whether a finding of the equation says that a variable of a nested program has this type elsewhere (rule_passed) */
bool var_is_passed(const struct rule *r, var_t v, const struct aval *type);

/* whether a finding of the equation says that a binder of program j has one type where it is passed, and is printed as
 * the other: one mistake in the program may replace the one by the other in several places */
bool type_is_passed(const struct rule *r, jaxpr_t j, const struct aval *printed, const struct aval *type);

/* whether an atom is a variable whose binder was reported, and the type that a rule computed for it, or an unknown one,
 * agrees with `type` */
bool computed_fits(const struct checker *c, atom_t a, const struct aval *type);

/* whether result k of program j is bound inside as another type than its equation computes: a finding about the result
 * would repeat that */
bool repeats_result(struct rule *r, jaxpr_t j, u32 k);

/* records that the printed type of a variable may be wrong, and the type that a rule computed for it, which
 * repeats_operand tries; NULL: unknown. A trial run records nothing */
void var_doubt(struct checker *c, var_t v, const struct aval *computed);

/* whether an equation with a finding would be correct with the types that rules computed for its operands whose binders
 * were reported: the finding would repeat theirs */
bool repeats_operand(struct rule *r, struct where where);

/* adds a hint to the last finding, about e, if e would be correct with exactly one pair of operands swapped; true if it
 * did. Checks equations of at most 6 operands once for each pair */
bool hint_swapped(struct checker *c, eqn_t e);

static inline bool
parts_empty(const struct parts *p)
{
    return !(p->operands | p->dtypes | p->shapes | p->results | p->params);
}
static inline void
parts_add(struct parts *p, const struct parts *more)
{
    p->operands |= more->operands;
    p->dtypes |= more->dtypes;
    p->shapes |= more->shapes;
    p->results |= more->results;
    p->params |= more->params;
}
static inline void
parts_remove(struct parts *p, const struct parts *less)
{
    p->operands &= ~less->operands;
    p->dtypes &= ~(less->dtypes | less->operands);
    p->shapes &= ~(less->shapes | less->operands);
    p->results &= ~less->results;
    p->params &= ~less->params;
}

/* beside.c: which part of the equation a place is in; none for the name of its primitive or a nested program */
struct parts parts_at(const struct rule *r, enum diag_code code, struct where where);

/* reports what else is wrong in an equation with a finding, if no other single part of the equation explains all: its
 * rule is run again without the parts that were reported. Checks the equation once for each part */
void check_beside(struct rule *r);

/* whether a result of an equation is bound as another type than the rule computes, though it may find something else
 * before that */
bool is_result_wrong(struct checker *c, eqn_t e, const struct prim *prim, u32 result);

/* forgets what is in `unread` of the types of the operands */
void forget_operands(const struct rule *r, const struct parts *unread, struct aval *in);

/* applies the changes of r->probe to the operands in `in` */
void probe_operands(const struct rule *r, struct aval *in);

/* makes c->eqn_jaxprs, once. Linear */
void find_eqn_jaxprs(struct checker *c);

/* the span of a variable's binder; at == NONE if there is none, or it is far along a list */
struct span def_site_span(struct checker *c, var_t v);

/* what binds an atom; its owner is NONE for a literal, and for a name that nothing binds. Def sites are made if needed
 */
struct def_site def_site_of(struct checker *c, atom_t a);

/* the span of the `new_dtype` of the equation that computes an operand; at == NONE if it has none */
struct span conversion_of(struct checker *c, atom_t a);

#endif
