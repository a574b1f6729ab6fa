/* SPDX-License-Identifier: Apache-2.0
 *
 * How an equation and a program among its parameters go together: operands to binders, results of the program to
 * results of the equation. All calls, loops and branches are reported in these words. */
#ifndef JX_BIND_H
#define JX_BIND_H

#include "verify/rule.h"
#include "prims/trees.h"
#include "regions/region_map.h"

/* Whether JAX's own checker makes the comparison too. Where none does, a finding is a warning under --as-jax; where
 * only newer ones do (0.7.2 on: shardings), it is one there for a program that an older one may have printed. No
 * verdict without --as-jax depends on the version: a canonical text shows none. */
enum judged { AS_JAX, STRICTER, AS_NEWER_JAX };

/* reports like rule_error or rule_stricter, by `by`; text comes from say(). False */
bool bind_error(struct rule *r, enum judged by, enum diag_code code, struct where where, const char *text);

/* whether two types are one: as avals_agree says, in one memory space and sharded alike; *by becomes AS_NEWER_JAX where
 * only the last keeps them apart */
bool bind_agree(const struct rule *r, enum judged *by, const struct aval *a, const struct aval *b);

/* the type of binder k of a program, constvars counted first */
struct aval binder_aval(const struct rule *r, jaxpr_t j, u32 k);

/* the name of binder k, and result k as it is written: `c`, `2.0` */
const char *format_binder(struct rule *r, jaxpr_t j, u32 k);
const char *format_out(struct rule *r, jaxpr_t j, u32 k);

static inline u32
jaxpr_ins(const struct rule *r, jaxpr_t j)
{
    return r->m->jaxprs.at[j].n_ins;
}
static inline u32
jaxpr_consts(const struct rule *r, jaxpr_t j)
{
    return r->m->jaxprs.at[j].n_consts;
}
static inline u32
jaxpr_outs(const struct rule *r, jaxpr_t j)
{
    return r->m->jaxprs.at[j].n_outs;
}

/* the first of the keys (NULL ends them) whose value is a program, NONE when none is; *found is that key */
jaxpr_t first_jaxpr(const struct rule *r, const char *const *keys, const char **found);

/* operand i has the type `have` and goes to binder k of the program; reports T012 */
bool bind_one(struct rule *r, enum judged by, jaxpr_t j, u32 k, u32 i, const struct aval *have);

/* operands [operand, operand + n) go to binders [k, k + n); reports T012 */
bool bind_operands(struct rule *r, enum judged by, jaxpr_t j, u32 k, u32 operand, u32 n);

/* how the equation hands its operands to its programs; false where that is not known. The map lives as long as what the
 * rule computes, and is not to be freed */
bool rule_regions(struct rule *r, struct region_map *map);

/* each binder of a region that receives an operand has its type; reports T012 */
bool bind_region(struct rule *r, enum judged by, const struct region *in);

/* the program takes `takes` invars, as many as are given it; `what` says what they are. Reports T012 at a place */
bool bind_count(struct rule *r, enum judged by, jaxpr_t j, u32 given, const char *key);

/* all operands go to all invars; reports T012 */
bool bind_call(struct rule *r, enum judged by, jaxpr_t j, const char *key);

/* result i is bound to a value of type `type` that out k of the program gives; reports T003 */
bool bind_result(struct rule *r, jaxpr_t j, u32 k, u32 i, const struct aval *type);

/* results of the equation are the outs of the program, one by one; reports T006, T003 */
bool bind_outs(struct rule *r, jaxpr_t j, const char *key);

/* a list among the parameters has n entries for `wanted` of what `one` and `many` call; else reports T018 */
bool bind_entries(struct rule *r, enum judged by, const char *key, u32 n, u32 wanted, const char *one,
                  const char *many);

/* each operand, a ref or an array, is lent to the ref that is its binder in the equation's program; reports T012 */
bool bind_refs(struct rule *r);

/* what a loop's body takes at binders [k, k + n) it gives back at outs [out, out + n); reports `code` */
bool carry_returns(struct rule *r, enum judged by, enum diag_code code, jaxpr_t body, u32 k, u32 out, u32 n);

/* the program of a loop's condition gives one bool[], or an array of them where vmap may have made it one (JAX lets a
 * batched `while` run on until none is true); reports T017 */
bool returns_bool(struct rule *r, jaxpr_t cond, const char *key, bool batched);

/* all branches take (`ins`) and give the same types; reports T013. A branch may be NONE, which is not looked at */
bool branches_agree(struct rule *r, const struct jaxpr_list *all, bool ins);

/* the cond and switch of Catalyst (`cases`: its operands begin with an index and the case keys) and of PennyLane */
bool cond_of_catalyst(struct rule *r, const struct jaxpr_list *all, bool cases);
bool cond_of_pennylane(struct rule *r, const struct jaxpr_list *all);

/* a tuple of booleans, where it is printed, has `wanted` entries; reports T018 */
bool flags_count(struct rule *r, const char *key, u32 wanted, enum judged by);

/* a count parameter: false when it is missing or not understood; *out is at least 0. Reports T018 when negative */
bool param_count(struct rule *r, const char *key, u32 *out);

#endif
