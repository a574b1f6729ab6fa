/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of an equation against its nested programs: operands against binders, results of the program against
 * results of the equation. All calls, loops and branches use them. Unless said otherwise, they return false where
 * they reported. */
#ifndef JX_CALL_CHECK_H
#define JX_CALL_CHECK_H

#include "verify/rule.h"
#include "prims/trees.h"
#include "regions/region_map.h"

/* Whether JAX's own checker makes the comparison, too. STRICTER: no version does, and a finding is a warning under
 * --as-jax; AS_NEWER_JAX: only newer versions do (0.7.2 on: shardings), and it is a warning there for a program that
 * an older one may have printed. Without --as-jax no verdict depends on the version, which canonical text does not
 * show. */
enum strictness { AS_JAX, STRICTER, AS_NEWER_JAX };

/* reports like rule_error or rule_stricter, depending on `by`; text is from format_text. Always false */
bool bind_error(struct rule *r, enum strictness by, enum diag_code code, struct where where, const char *text);

/* whether two types agree by avals_agree, and in memory space, sharding and varying axes; *by becomes AS_NEWER_JAX
 * where only these last two differ */
bool bind_agree(const struct rule *r, enum strictness *by, const struct aval *a, const struct aval *b);

/* the type of binder k of a program, constvars counted first */
struct aval binder_aval(const struct rule *r, jaxpr_t j, u32 k);

/* the name of binder k, and the text of result k: `c`, `2.0` */
const char *format_binder(struct rule *r, jaxpr_t j, u32 k);
const char *format_out(struct rule *r, jaxpr_t j, u32 k);

/* the place of result k of a program, or of binder k; of the bracket after its results, or of its head, where it has no
 * k-th */
struct where at_part(const struct rule *r, jaxpr_t j, bool out, u32 k);

/* whether the type printed for result k of a program may be wrong, which was reported */
bool out_reported(const struct rule *r, jaxpr_t j, u32 k);

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

/* the program of the first of the keys (NULL-terminated) whose value is one, NONE if none is; *found is that key */
jaxpr_t first_jaxpr(const struct rule *r, const char *const *keys, const char **found);

/* A result that is stored in the memory of an operand, by their indexes in `input_output_aliases`. */
struct alias {
    u32 i;        /* which entry of the parameter it is */
    i64 from, to; /* the operand and the result */
};

/* checks that an operand and a result with one memory exist and have one type; operands are counted from `first` on,
 * and `types`, of the parameter `list`, are those of results. Reports T009, T010 */
bool alias_fits(struct rule *r, const struct alias *alias, u32 first, const char *list, const struct avals *types);

/* checks operand i, of type `have`, against binder k of the program; reports T012 */
bool bind_one(struct rule *r, enum strictness by, jaxpr_t j, u32 k, u32 i, const struct aval *have);

/* checks operands [operand, operand + n) against binders [k, k + n); reports T012 */
bool bind_operands(struct rule *r, enum strictness by, jaxpr_t j, u32 k, u32 operand, u32 n);

/* how the equation maps its operands to arguments of its programs; false if that is unknown. The map is valid until
 * the next equation, and must not be freed */
bool rule_regions(struct rule *r, struct region_map *map);

/* checks each binder of a region against the operand that it receives; reports T012 */
bool bind_region(struct rule *r, enum strictness by, const struct region *in);

/* checks that the program, the value of parameter `key`, takes `given` invars; reports T012 */
bool bind_count(struct rule *r, enum strictness by, jaxpr_t j, u32 given, const char *key);

/* checks all operands against all invars; reports T012 */
bool bind_call(struct rule *r, enum strictness by, jaxpr_t j, const char *key);

/* checks result i of the equation against `type`, the type of out k of the program; reports T003 */
bool bind_result(struct rule *r, jaxpr_t j, u32 k, u32 i, const struct aval *type);

/* checks the results of the equation against the outs of the program, one by one; reports T006, T003 */
bool bind_outs(struct rule *r, jaxpr_t j, const char *key);

/* checks that a list parameter with n entries has one for each of `wanted` things, each called `noun` in the
 * message; reports T018 */
bool bind_entries(struct rule *r, enum strictness by, const char *key, u32 n, u32 wanted, const char *noun);

/* checks each operand, a ref or an array, against the ref that is its binder in the equation's program; reports T012 */
bool bind_refs(struct rule *r);

/* The carry of a loop, or a part of it: n binders of its body from `binder` on, which it returns from `out` on. */
struct carry {
    jaxpr_t body;
    u32 binder, out, n;
};

/* checks that a loop's body returns as many values as the carry has; reports T016 */
bool carry_counted(struct rule *r, enum strictness by, const struct carry *c);

/* checks that a loop's body returns the types that it takes; reports `code` */
bool carry_returns(struct rule *r, enum strictness by, enum diag_code code, const struct carry *c);

/* checks that a loop's condition returns one bool[], or, with `batched`, an array of bool (vmap makes such a `while`,
 * which runs until none is true); reports T017 */
bool returns_bool(struct rule *r, jaxpr_t cond, const char *key, bool batched);

/* checks that all branches return and, with `ins`, take the same types; reports T013. Branches that are NONE are
 * ignored */
bool branches_agree(struct rule *r, const struct jaxpr_list *all, bool ins);

/* check the cond and switch of Catalyst (`cases`: its operands begin with an index and the case keys), and of
 * PennyLane */
bool cond_of_catalyst(struct rule *r, const struct jaxpr_list *all, bool cases);
bool cond_of_pennylane(struct rule *r, const struct jaxpr_list *all);

/* checks that a tuple of booleans, if printed, has `wanted` entries; reports T018 */
bool flags_count(struct rule *r, const char *key, u32 wanted, enum strictness by);

/* reads the first parameter that lists the types of the results, and returns its key; NULL if there is none */
const char *listed_types(struct rule *r, struct avals *types);

/* checks each result against its type in the list of parameter `key`; reports T006, T003 */
bool results_listed(struct rule *r, const char *key, const struct avals *types);

/* reads a count parameter; false if it is missing or cannot be read, or negative, which is reported: T018 */
bool param_count(struct rule *r, const char *key, u32 *out);

#endif
