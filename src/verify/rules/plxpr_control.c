/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops and branches of Catalyst and PennyLane, which share their names and differ in the layout of their operands
 * (regions/region_plxpr.c). Rules are those of catalyst/jax_primitives.py and pennylane/capture (0.38 to 0.45).
 * Linear in operands and binders. */
#include "verify/call_check.h"
#include "resolve/dim_resolve.h"

/* checks that a program of PennyLane takes the constants, sizes, index and other values that the layout passes to it;
 * constants are passed to its constvars if it has any, else to its first invars */
static bool
bind_counted_region(struct rule *r, const struct region_map *map, const struct region *in, const char *key)
{
    u32 takes = jaxpr_consts(r, in->jaxpr) + jaxpr_ins(r, in->jaxpr), given = 0,
        shapes = map->kind == REGION_LOOP ? map->implicit : 0;
    for (u32 i = 0; i < in->n_ranges; i++)
        given += in->ranges[i].n;
    if (takes != given)
        return rule_error(r, DIAG_T012, at_param(r, key),
                          "`%s` takes %u values, but `%s` passes %u constants, %u sizes and %u others", key, takes,
                          format_prim(r), in->n_consts, shapes, given - in->n_consts - shapes);
    return bind_region(r, AS_JAX, in);
}

static bool
no_layout(struct rule *r)
{
    return !r->failed && rule_trust_layout(r);
}

/* the key of the parameter that counts an equation's implicit values, which was renamed in 0.7, and in *n the count.
 * NULL if there is none, or if it is wrong, which is reported as T018 */
static const char *
implicit_key(struct rule *r, const char *key, const char *old_key, u32 *n)
{
    return param_count(r, key, n) ? key : !r->failed && param_count(r, old_key, n) ? old_key : NULL;
}

/* checks that the first n results, which `key` counts as implicit, are integer scalars, as sizes are; reports T018 */
static bool
are_sizes(struct rule *r, const char *key, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        type_t type = r->m->vars.at[r->eqn->vars + i].type;
        if (type == NONE || type_is_dim(r->m, type))
            continue;
        rule_error(r, DIAG_T018, at_param(r, key), "`%s` of `%s` counts %s, but `%s` is not an integer scalar", key,
                   format_prim(r), format_count(r, n, "size", "sizes"), format_result(r, i));
        struct aval binder = rule_binder(r, i);
        return rule_note(r, at_result(i), "`%s` is %s, bound here", format_result(r, i), format_aval(r, &binder));
    }
    return true;
}

/* ---- branches ---- */

/* checks that the first n operands are bool[] */
static bool
are_conditions(struct rule *r, u32 n)
{
    struct aval wanted = aval_scalar(DT_bool);
    for (u32 i = 0; i < n; i++)
        if (avals_agree(&wanted, &r->in[i]) == NO)
            return rule_error_operand(r, DIAG_T014, i, "the predicates of `%s` must be bool[]", format_prim(r));
    return true;
}

/* the same for PennyLane, which until 0.44 accepted any scalar, such as the integer of a measurement */
static bool
are_scalars(struct rule *r, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (r->in[i].kind != AVAL_UNKNOWN && (r->in[i].kind != AVAL_ARRAY || (r->in[i].ranked && r->in[i].rank)))
            return rule_error_operand(r, DIAG_T014, i, "the predicates of `%s` must be scalars", format_prim(r));
    return true;
}

/* checks that the index of a switch and its case keys are integers */
static bool
are_cases(struct rule *r, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const struct aval *a = &r->in[i];
        if (a->kind != AVAL_ARRAY || ((a->classes & (IN_INT | IN_BOOL)) && (!a->ranked || a->rank == 0)))
            continue;
        return rule_error_operand(r, DIAG_T014, i, "the index of `%s` must be an integer scalar", format_prim(r));
    }
    return true;
}

bool
cond_of_catalyst(struct rule *r, const struct jaxpr_list *all, bool cases)
{
    if (all->n == 0)
        return rule_error(r, DIAG_T010, at_param(r, "branch_jaxprs"), "`%s` has no branches", format_prim(r));
    u32 choosing = all->n - 1 + cases;
    if (r->n < choosing)
        return rule_error(r, DIAG_T005, at_prim(),
                          "`%s` of %u branches requires %u operand%s to select one, but %u %s given", format_prim(r),
                          all->n, choosing, choosing == 1 ? "" : "s", r->n, r->n == 1 ? "is" : "are");
    jaxpr_t zero = all->at[0];
    struct region_map map;
    u32 implicit = 0;
    const char *key = implicit_key(r, "num_implicit_outputs", "nimplicit_outputs", &implicit);
    if (implicit > r->n_results)
        return rule_error(r, DIAG_T018, at_param(r, key), "`%s` has %u implicit results, but %u %s bound",
                          format_prim(r), implicit, r->n_results, r->n_results == 1 ? "is" : "are");
    if (r->failed)
        return false;
    if (!(cases ? are_cases(r, choosing) : are_conditions(r, choosing)) || !branches_agree(r, all, true))
        return false;
    if (zero == NONE)
        return rule_trust(r, at_param(r, "branch_jaxprs"),
                          "a branch of `%s` is not a program, so its results are not verified", format_prim(r));
    return bind_count(r, AS_JAX, zero, r->n - choosing, "branch_jaxprs") && rule_regions(r, &map) &&
           bind_region(r, AS_JAX, &map.regions.at[0]) && bind_outs(r, zero, "branch_jaxprs") &&
           are_sizes(r, key, implicit);
}

bool
shape_switch(struct rule *r, struct aval *out)
{
    struct jaxpr_list all;
    *out = aval_unknown();
    if (!rule_jaxprs(r, "branch_jaxprs", &all))
        return rule_trust_param(r, at_prim(), "branch_jaxprs");
    return cond_of_catalyst(r, &all, true);
}

bool
cond_of_pennylane(struct rule *r, const struct jaxpr_list *all)
{
    struct region_map map;
    u32 zero = 0, per;
    while (zero < all->n && all->at[zero] == NONE)
        zero++;
    if (zero == all->n || param_count(r, "n_consts_per_branch", &per) || !rule_regions(r, &map) ||
        map.regions.n != all->n)
        return no_layout(r);
    if (!are_scalars(r, map.selectors < all->n ? map.selectors : all->n) || !branches_agree(r, all, false))
        return false;
    for (u32 b = 0; b < all->n; b++)
        if (all->at[b] != NONE && !bind_counted_region(r, &map, &map.regions.at[b], "jaxpr_branches"))
            return false;
    return bind_outs(r, all->at[zero], "jaxpr_branches");
}

/* ---- loops ---- */

/* checks that operands [at, at + 3), the loop's bounds and its step, are scalars with an element type of these
 * classes */
static bool
are_bounds(struct rule *r, u32 at, u32 classes)
{
    for (u32 i = at; i < at + 3; i++) {
        const struct aval *a = &r->in[i];
        if (a->kind != AVAL_ARRAY || ((a->classes & classes) && (!a->ranked || a->rank == 0)))
            continue;
        return rule_error_operand(r, DIAG_T008, i, "the bounds and the step of `%s` must be %sscalars", format_prim(r),
                                  classes & IN_FLOAT ? "" : "integer ");
    }
    return true;
}

/* checks that the body of a PennyLane loop returns its carry with the same shapes: PennyLane allows an integer to
 * become a float */
static bool
shapes_return(struct rule *r, const struct carry *c)
{
    for (u32 i = 0; i < c->n; i++) {
        u32 k = c->binder + i, out = c->out + i;
        struct aval taken = binder_aval(r, c->body, k), given = jaxpr_out_aval(r, c->body, out);
        if (taken.kind != AVAL_ARRAY || given.kind != AVAL_ARRAY || shapes_agree(&taken, &given) != NO)
            continue;
        rule_error(r, DIAG_T016, at_out(c->body, out),
                   "the carry of `%s` changes its shape: the body takes `%s` as %s and returns `%s`, which is %s",
                   format_prim(r), format_binder(r, c->body, k), format_aval(r, &taken), format_out(r, c->body, out),
                   format_aval(r, &given));
        return rule_note_binder(r, c->body, k);
    }
    return true;
}

/* checks that results of a PennyLane loop have the type of the carry that its body takes, or of the one that it
 * returns */
static bool
loop_results(struct rule *r, const struct carry *c)
{
    bool right = true;
    for (u32 i = 0; i < c->n; i++) {
        u32 out = c->out + i;
        struct aval taken = binder_aval(r, c->body, c->binder + i), given = jaxpr_out_aval(r, c->body, out),
                    binder = rule_binder(r, out);
        if (result_agrees(r, &taken, &binder) == NO)
            right &= bind_result(r, c->body, out, out, &given);
    }
    return right;
}

/* checks that the body returns as many values as the carry has, of the same types or shapes */
static bool
carry_of(struct rule *r, const struct carry *c, bool types)
{
    if (!carry_counted(r, AS_JAX, c))
        return false;
    return types ? carry_returns(r, AS_JAX, DIAG_T016, c) : shapes_return(r, c);
}

/* whether a nested program of Catalyst has constvars, which is an error: check_loop reports it (D115), and mismatches
 * follow from it */
static bool
has_constants(struct rule *r, jaxpr_t j)
{
    return jaxpr_consts(r, j) > 0;
}

/* checks a loop without printed counts: its body returns as many values as are bound, and its programs take as many as
 * they are passed */
static bool
fits_uncounted(struct rule *r, jaxpr_t body, u32 operands)
{
    if (jaxpr_outs(r, body) != r->n_results)
        return bind_outs(r, body, "body_jaxpr");
    if (r->n != operands)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` has %s, but its programs take %u", format_prim(r),
                          format_count(r, r->n, "operand", "operands"), operands);
    return true;
}

/* checks that the body of a loop takes the index, whose first value is operand `start`, as binder k; reports T012 */
static bool
bind_index(struct rule *r, jaxpr_t body, u32 k, u32 start, u32 classes)
{
    struct aval index = binder_aval(r, body, k);
    if (index.kind == AVAL_UNKNOWN || (index.kind == AVAL_ARRAY && (index.classes & classes) && index.rank == 0))
        return bind_operands(r, AS_JAX, body, k, start, 1);
    return rule_error(r, DIAG_T012, at_part(r, body, false, k - jaxpr_consts(r, body)),
                      "the index of `%s` is an integer scalar, but its body takes it as `%s`, which is %s",
                      format_prim(r), format_binder(r, body, k), format_aval(r, &index));
}

/* Catalyst: operands are constants, implicit sizes, the bounds, the start again, and the carry */
static bool
for_of_catalyst(struct rule *r, jaxpr_t body)
{
    u32 consts, counts = 0, takes = jaxpr_ins(r, body);
    struct region_map map;
    if (has_constants(r, body))
        return false;
    bool counted = param_count(r, "body_nconsts", &consts);
    const char *key = r->failed ? NULL : implicit_key(r, "num_implicit_inputs", "nimplicit", &counts);
    if (r->failed || (!counted && !fits_uncounted(r, body, takes + 3)))
        return false;
    if (!rule_regions(r, &map) || (!counted && map.regions.n == 0))
        return no_layout(r);
    u32 implicit = map.implicit, head = map.body_carry + implicit, carry = takes - head - 1;
    if (r->n != takes + 3 || map.regions.n == 0)
        return rule_error(r, DIAG_T018, at_param(r, "body_nconsts"),
                          "`%s` has %u operands; its body takes %u: %u constants, %u implicit sizes, the index and the "
                          "carry, and the operands also contain 3 bounds before the index",
                          format_prim(r), r->n, takes, map.body_carry, implicit);
    if (jaxpr_outs(r, body) != implicit + carry)
        return rule_error(r, DIAG_T016, at_param(r, "body_jaxpr"),
                          "the body of `%s` returns %u values, but the carry has %u with %u implicit sizes",
                          format_prim(r), jaxpr_outs(r, body), implicit + carry, implicit);
    /* up to 0.6 the bounds came first; the index starts at an operand of its own */
    if (!are_bounds(r, map.system == SYSTEM_CATALYST_G0 ? 0 : map.index, IN_INT) ||
        !bind_region(r, AS_JAX, &map.regions.at[0]) || !bind_index(r, body, map.index, map.index + 3, IN_INT))
        return false;
    return carry_returns(r, AS_JAX, DIAG_T016, &(struct carry){body, map.body_carry, 0, implicit}) &&
           carry_returns(r, AS_JAX, DIAG_T016, &(struct carry){body, head + 1, implicit, carry}) &&
           bind_outs(r, body, "body_jaxpr") && are_sizes(r, key, counts);
}

/* PennyLane: operands are the bounds, then constants, shapes and arguments, whose places are parameters (slices) */
static bool
for_of_pennylane(struct rule *r, jaxpr_t body)
{
    const char *key = "jaxpr_body_fn";
    struct region_map map;
    u32 count;
    if (r->n < 3)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` requires a start, a stop and a step", format_prim(r));
    param_count(r, "n_consts", &count);
    if (r->failed || !rule_regions(r, &map))
        return no_layout(r);
    if (!are_bounds(r, 0, IN_INT | IN_FLOAT) || !bind_counted_region(r, &map, &map.regions.at[0], key) ||
        !bind_index(r, body, map.index, 0, IN_INT | IN_FLOAT))
        return false;
    const struct carry shapes = {body, map.body_carry, 0, map.implicit},
                       args = {body, map.index + 1, map.implicit, map.n_carry - map.implicit};
    if (!carry_counted(r, AS_JAX, &(struct carry){body, args.binder, 0, map.n_carry}))
        return false;
    if (r->n_results != jaxpr_outs(r, body))
        return bind_outs(r, body, key);
    return shapes_return(r, &shapes) && shapes_return(r, &args) && loop_results(r, &shapes) && loop_results(r, &args) &&
           are_sizes(r, "abstract_shapes_slice", map.implicit);
}

bool
shape_for_loop(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "body_jaxpr");
    *out = aval_unknown();
    if (body != NONE)
        return for_of_catalyst(r, body);
    body = rule_jaxpr(r, "jaxpr_body_fn");
    return body != NONE ? for_of_pennylane(r, body) : rule_trust_param(r, at_prim(), "body_jaxpr");
}

static bool
while_of_catalyst(struct rule *r, jaxpr_t body, jaxpr_t cond)
{
    u32 body_consts, cond_consts, counts = 0, gives = jaxpr_outs(r, body), takes = jaxpr_ins(r, body),
                                  tests = jaxpr_ins(r, cond);
    struct region_map map;
    if (has_constants(r, body) || has_constants(r, cond))
        return false;
    bool counted = param_count(r, "body_nconsts", &body_consts) && param_count(r, "cond_nconsts", &cond_consts);
    const char *key = r->failed ? NULL : implicit_key(r, "num_implicit_inputs", "nimplicit", &counts);
    if (r->failed || (!counted && !fits_uncounted(r, body, takes + (tests > gives ? tests - gives : 0))))
        return false;
    if (!rule_regions(r, &map) || (!counted && map.regions.n == 0))
        return no_layout(r);
    if (!counted) {
        body_consts = map.body_carry;
        cond_consts = map.carry - map.body_carry;
    }
    u32 consts = body_consts + cond_consts, carry = r->n - consts;
    if (consts <= r->n && counts > carry)
        return rule_error(r, DIAG_T018, at_param(r, key), "`%s` has %u implicit operands, but carries %u",
                          format_prim(r), counts, carry);
    if (consts > r->n || takes != body_consts + carry || tests != cond_consts + carry)
        return rule_error(r, DIAG_T018, at_param(r, "body_nconsts"),
                          "`%s` has %u operands, of which %u are constants of its condition and %u of its body; the "
                          "condition takes %u values, the body %u",
                          format_prim(r), r->n, cond_consts, body_consts, tests, takes);
    if (map.regions.n == 0)
        return no_layout(r);
    return bind_region(r, AS_JAX, &map.regions.at[1]) && bind_region(r, AS_JAX, &map.regions.at[0]) &&
           carry_of(r, &(struct carry){body, body_consts, 0, carry}, true) &&
           returns_bool(r, cond, "cond_jaxpr", false) && bind_outs(r, body, "body_jaxpr") && are_sizes(r, key, counts);
}

static bool
while_of_pennylane(struct rule *r, jaxpr_t body, jaxpr_t cond)
{
    const char *key = "jaxpr_body_fn", *tests = "jaxpr_cond_fn";
    struct region_map map;
    u32 count;
    if (param_count(r, "n_consts_body", &count))
        param_count(r, "n_consts_cond", &count);
    if (r->failed || !rule_regions(r, &map))
        return no_layout(r);
    const struct carry carry = {body, map.body_carry, 0, map.n_carry};
    return bind_counted_region(r, &map, &map.regions.at[0], key) &&
           bind_counted_region(r, &map, &map.regions.at[1], tests) && carry_of(r, &carry, false) &&
           returns_bool(r, cond, tests, false) &&
           (r->n_results == carry.n ? loop_results(r, &carry) : bind_outs(r, body, key));
}

bool
shape_while_loop(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "body_jaxpr"), cond = rule_jaxpr(r, "cond_jaxpr");
    *out = aval_unknown();
    if (body != NONE && cond != NONE)
        return while_of_catalyst(r, body, cond);
    body = rule_jaxpr(r, "jaxpr_body_fn");
    cond = rule_jaxpr(r, "jaxpr_cond_fn");
    return body != NONE && cond != NONE ? while_of_pennylane(r, body, cond)
                                        : rule_trust_param(r, at_prim(), "body_jaxpr");
}
