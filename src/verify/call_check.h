/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of an equation against its nested programs: operands against binders, results of the program against results
 * of the equation. All calls, loops and branches use them. Unless their comments say otherwise, they return false if
 * they reported something. */
#ifndef JX_CALL_CHECK_H
#define JX_CALL_CHECK_H

#include "verify/rule.h"
#include "prims/trees.h"
#include "regions/region_map.h"

/* Whether JAX's own checker makes the comparison, too. STRICTER: no version does, and a finding is a warning under
 * --as-jax; AS_NEWER_JAX: only newer versions do (from 0.7.2 on, of shardings), and a finding is a warning under
 * --as-jax if an older version may have printed the program. Without --as-jax no verdict depends on the version, which
 * canonical text does not show. */
enum strictness { AS_JAX, STRICTER, AS_NEWER_JAX };

/* reports like rule_error or rule_stricter, depending on `by`; text is from format_text. Always false */
bool bind_error(struct rule *r, enum strictness by, enum diag_code code, struct where where, const char *text);

/* whether two types agree by avals_agree, and in memory space, sharding and varying axes; if only these last two
 * differ, AS_JAX in *by becomes AS_NEWER_JAX */
bool bind_agree(struct rule *r, enum strictness *by, const struct aval *a, const struct aval *b);

/* the type of binder k of a program, constvars counted first */
struct aval binder_aval(const struct rule *r, jaxpr_t j, u32 k);

/* the name of binder k, and the text of result k: `c`, `2.0` */
const char *format_binder(struct rule *r, jaxpr_t j, u32 k);
const char *format_out(struct rule *r, jaxpr_t j, u32 k);

/* the place of result k (`out`) or invar k of a program; if it has fewer, of the bracket after its results or of its
 * head */
struct where at_part(const struct rule *r, jaxpr_t j, bool out, u32 k);

/* whether result k of a program is a variable whose printed type may be wrong, which was reported */
bool out_reported(const struct rule *r, jaxpr_t j, u32 k);

/* whether result k of a program is a variable that has this type elsewhere, as a finding says (rule_passed) */
bool out_is_passed(const struct rule *r, jaxpr_t j, u32 k, const struct aval *type);

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

/* the value of the first of the keys (NULL-terminated) that has a program as its value, and in *found that key; NONE if
 * no key has one */
jaxpr_t first_jaxpr(const struct rule *r, const char *const *keys, const char **found);

/* A result that is stored in the memory of an operand, by their indexes in `input_output_aliases`. */
struct alias {
    u32 i;        /* which entry of the parameter it is */
    i64 from, to; /* the operand and the result */
};

/* checks that an operand and the result that is stored in its memory exist and have the same type. Operands are counted
 * from `first` on; the types of the results are `types`, the value of parameter `list`. Reports T009, T010 */
bool alias_fits(struct rule *r, const struct alias *alias, u32 first, const char *list, const struct avals *types);

/* whether a value of type `have` may be passed to binder k of the program, as bind_agree decides it, but for shardings,
 * which must be equal; infers the binder's type if it is not printed */
bool binder_fits(struct rule *r, enum strictness *by, jaxpr_t j, u32 k, const struct aval *have);

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

/* checks result i of the equation against `type`, the type of out k of the program; reports T003 */
bool bind_result(struct rule *r, jaxpr_t j, u32 k, u32 i, const struct aval *type);

/* checks the results of the equation against the outs of the program, one by one; reports T006, T003 */
bool bind_outs(struct rule *r, jaxpr_t j, const char *key);

/* checks that a list parameter with n entries has one for each of `wanted` things, each called `noun` in the
 * message; reports T018 */
bool bind_entries(struct rule *r, enum strictness by, const char *key, u32 n, u32 wanted, const char *noun);

/* checks each operand, a ref or an array, against the ref that is its binder in the equation's program; reports T012 */
bool bind_refs(struct rule *r);

/* The carry of a loop, or a part of it: the binders [binder, binder + n) of the body and its results [out, out + n). */
struct carry {
    jaxpr_t body;
    u32 binder, out, n;
};

/* checks that a loop's body returns as many values as the carry has; reports T016 */
bool carry_counted(struct rule *r, enum strictness by, const struct carry *c);

/* checks that a loop's body returns the carry with the types that it takes; reports `code` */
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

/* reports by `report` unless a tree, a value of parameter `key`, has a leaf for each operand; true for other values */
bool leaves_fit(struct rule *r, const char *key, struct slice tree, report_fn *report);

/* checks each result against its type in the list of parameter `key`; reports T006, T003 */
bool results_listed(struct rule *r, const char *key, const struct avals *types);

/* reads a parameter that is a count; false if it is missing or cannot be read, and if it is negative or too large,
 * which is reported as T018 */
bool param_count(struct rule *r, const char *key, u32 *out);

#endif
