/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives that change where a value is or how it is sharded, not the value (jax/_src/dispatch.py: device_put;
 * jax/_src/pjit.py: sharding_constraint, reshard, mesh_cast; jax/_src/lax/parallel.py: pvary and similar), values
 * without operands (jax/_src/lax/lax.py: empty), and calls with results in other memory spaces. Linear in operands and
 * parameters. */
#include "verify/axes.h"
#include "verify/call_check.h"
#include "verify/checker.h"
#include "verify/sharding_check.h"
#include "verify/unknown_primitive.h"

/* device_put[copy_semantics devices srcs]: each has one entry for each operand (up to 0.4.30 a single `device`) */
bool
shape_device_put(struct rule *r, struct aval *out)
{
    static const char *const lists[] = {"devices", "srcs", "copy_semantics"};
    struct slice text;
    u32 count;
    bool single = rule_param(r, "device") != NONE;
    if (single && r->n != 1)
        return rule_error(r, DIAG_T005, r->n ? at_operand(1) : at_prim(), "`%s` takes 1 operand, but %u are given",
                          format_prim(r), r->n);
    for (u32 i = 0; i < countof(lists); i++)
        if (param_text(r, lists[i], &text) && value_count(text, &count) &&
            !bind_entries(r, STRICTER, lists[i], count, r->n, "operand"))
            return false;
    if (!shape_like_operands(r, out) || !param_text(r, "devices", &text))
        return !r->failed;
    struct cursor c = cursor_inside(text);
    for (u32 i = 0; i < r->n_results && value_element(&c, &text); i++) {
        bool stays = slice_eq(text, SLICE("None")) || slice_starts(text, SLICE("MemorySpace."));
        if (!rule_put(r, i, "devices", text) || (stays && i < r->n && !rule_result_sharded(r, i, &r->in[i])))
            return false;
    }
    return true;
}

/* outside_call[arg_treedef identity] (jax/experimental/host_callback.py): with `identity` the results are the operands,
 * otherwise they are listed in the parameters */
bool
shape_outside_call(struct rule *r, struct aval *out)
{
    bool identity;
    if (!param_bool(r, "identity", &identity))
        return true;
    if (identity)
        return shape_like_operands(r, out);
    if (rule_param(r, "flat_results_aval") == NONE && rule_param(r, "result_treedef") == NONE)
        return rule_error(r, DIAG_T010, at_param(r, "identity"),
                          "`%s` does not return its operands, but the types of its results are unknown: "
                          "`flat_results_aval` is missing",
                          format_prim(r));
    return true;
}

/* inspect_sharding[callback]: one operand, no results */
bool
shape_inspect(struct rule *r, struct aval *out)
{
    (void)out;
    return rule_results(r, 0);
}

/* empty[dtype] and empty2[dtype]: a scalar; from 0.8 on empty has a shape */
bool
shape_empty(struct rule *r, struct aval *out)
{
    struct dims shape = {NULL, 0};
    bool shaped = rule_param(r, "shape") != NONE;
    *out = aval_of_kind(AVAL_ARRAY);
    if (shaped && !param_dims(r, "shape", &shape))
        return unranked(r, out);
    *out = aval_reshaped(out, shape.n, shape.at);
    return true;
}

/* full_to_shard, host_local_array_to_global_array and their inverses: rank and element type are kept, and a mesh that
 * is a Python object divides or multiplies the extents (jax/_src/interpreters/pxla.py, experimental/multihost_utils.py)
 */
bool
shape_resharded(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    if (!out->ranked)
        return true;
    struct dim *dims = copy_dims(r, 0, 0);
    for (u32 i = 0; i < out->rank; i++)
        dims[i] = dim_unknown();
    *out = aval_reshaped(out, out->rank, dims);
    return true;
}

/* add_dependency x token: x, available after the token (jax/_src/ad_util.py, up to 0.4). With one operand it is
 * Mosaic's, which only touches a ref (pallas/mosaic/primitives.py, _touch_abstract_eval) */
bool
shape_dependency(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    return r->n == 1 ? rule_results(r, 0) : rule_results(r, 1) && rule_result(r, 0, out);
}

/* new_box, pin: one Python object, whose class is printed */
bool
shape_object(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    if (!rule_results(r, 1))
        return false;
    struct aval binder = rule_binder(r, 0);
    struct slice class;
    if (binder.kind == AVAL_UNKNOWN || binder.kind == AVAL_OTHER || (binder.kind == AVAL_ARRAY && binder.bounded))
        return true;
    if (!param_text(r, "op_cls", &class))
        return rule_error(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but `%s` gives a Python object",
                          format_result(r, 0), format_aval(r, &binder), format_prim(r));
    rule_error(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but `%s` gives an object of the class `%s`",
               format_result(r, 0), format_aval(r, &binder), format_prim(r), format_slice(r, class));
    return rule_note(r, at_param(r, "op_cls"), "the class is given here");
}

/* the sum of the counts in a parameter; false if it cannot be read */
static bool
sum_counts(struct rule *r, const char *key, u32 *n, u64 *sum)
{
    struct ints counts;
    if (!param_ints(r, key, &counts))
        return false;
    *n = counts.n;
    *sum = 0;
    for (u32 i = 0; i < counts.n; i++)
        if (counts.at[i] < 0 || __builtin_add_overflow(*sum, (u64)counts.at[i], sum))
            return false;
    return true;
}

/* operator parameters.. wires.. leaves.. control wires.. control values..: a Python object. wire_lens and hybrid_lens
 * count wires and leaves; each hybrid argument has a tree, and each leaf an entry of forward_mask
 * (pennylane/core/operator/operator2.py, _bind_primitive) */
bool
shape_operator(struct rule *r, struct aval *out)
{
    struct slice text;
    u32 n_wires, n_hybrid, n;
    u64 wires, leaves;
    i64 controls;
    if (sum_counts(r, "hybrid_lens", &n_hybrid, &leaves)) {
        if (param_text(r, "hybrid_trees", &text) && value_count(text, &n) && n != n_hybrid)
            return rule_error(r, DIAG_T010, at_param(r, "hybrid_trees"),
                              "`hybrid_trees` of `%s` has %s, but `hybrid_lens` has %u", format_prim(r),
                              format_count(r, n, "entry", "entries"), n_hybrid);
        if (param_text(r, "forward_mask", &text) && value_count(text, &n) && n != leaves)
            return rule_error(r, DIAG_T010, at_param(r, "forward_mask"),
                              "`forward_mask` of `%s` has %s, but `hybrid_lens` counts %llu", format_prim(r),
                              format_count(r, n, "entry", "entries"), (unsigned long long)leaves);
        if (sum_counts(r, "wire_lens", &n_wires, &wires) && param_int(r, "n_ctrls", &controls) &&
            (wires > r->n || leaves > r->n - wires || controls > (i64)(r->n - wires - leaves) / 2))
            return rule_error(r, DIAG_T005, at_prim(),
                              "`%s` has %s, fewer than its %llu wires, %llu leaves, and a wire and a value for each of "
                              "%lld controls",
                              format_prim(r), format_count(r, r->n, "operand", "operands"), (unsigned long long)wires,
                              (unsigned long long)leaves, (long long)controls);
    }
    if (!shape_object(r, out))
        return false;
    r->computed += makes_operator(r->m, r->e); /* this class is all there is to know */
    return true;
}

/* box_set box values.., log_extend log values..: a mutable Python object first, no results (jax/experimental/hijax.py,
 * Box) */
bool
shape_object_first(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    (void)out;
    if (a->kind == AVAL_ARRAY || a->kind == AVAL_REF || a->kind == AVAL_TOKEN)
        return rule_error_operand(r, DIAG_T025, 0, "the operand of `%s` must be a Python object", format_prim(r));
    return rule_results(r, 0);
}

/* the single result of an equation that creates a token */
static bool
gives_token(struct rule *r)
{
    struct aval token = aval_of_kind(AVAL_TOKEN);
    return rule_results(r, 1) && rule_result(r, 0, &token);
}

bool
shape_create_token(struct rule *r, struct aval *out)
{
    (void)out;
    return gives_token(r);
}

/* after_all tokens.. (jax/_src/lax/lax.py, _after_all_abstract_eval) */
bool
shape_after_all(struct rule *r, struct aval *out)
{
    (void)out;
    for (u32 i = 0; i < r->n; i++)
        if (r->in[i].kind == AVAL_ARRAY || r->in[i].kind == AVAL_REF)
            return rule_error_operand(r, DIAG_T025, i, "the operands of `%s` must be tokens", format_prim(r));
    return gives_token(r);
}

/* fused_call: the program takes operands in any memory space, and a parameter gives those of the results
 * (jax/experimental/fused.py) */
bool
shape_fused_call(struct rule *r, struct aval *out)
{
    struct slice text;
    u32 spaces;
    jaxpr_t j = rule_jaxpr(r, "jaxpr");
    *out = aval_unknown();
    if (j == NONE)
        return rule_trust_program(r);
    if (!bind_count(r, STRICTER, j, r->n, "jaxpr"))
        return false;
    if (jaxpr_outs(r, j) != r->n_results)
        return bind_outs(r, j, "jaxpr");
    for (u32 i = 0; i < r->n; i++) {
        struct aval have = r->in[i];
        have.placed = NONE;
        have.literal = false;
        if (!bind_one(r, STRICTER, j, jaxpr_consts(r, j) + i, i, &have))
            return false;
    }
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval type = jaxpr_out_aval(r, j, i);
        type.placed = NONE;
        if (!bind_result(r, j, i, i, &type))
            return false;
    }
    return !param_text(r, "out_spaces", &text) || !value_count(text, &spaces) ||
           bind_entries(r, AS_JAX, "out_spaces", spaces, r->n_results, "result");
}
