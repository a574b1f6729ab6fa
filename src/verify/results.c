/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares what a rule computed with what the equation binds: how many results, and the type of each. Linear in the
 * operands, and in the parameters where a type is reported. */
#include "verify/provenance.h"
#include "verify/checker.h"
#include "verify/infer.h"

bool
rule_results(struct rule *r, u64 n)
{
    if (r->n_results == n)
        return true;
    return rule_error(r, DIAG_T006, r->n_results > n ? at_result((u32)n) : at_prim(), "`%s` has %s, but %u %s bound",
                      format_prim(r), format_count(r, n, "result", "results"), r->n_results,
                      r->n_results == 1 ? "is" : "are");
}

/* records in the probe which part of the requested result the rule determines */
static void
answer(struct rule *r, u32 i, const struct aval *type, const struct aval *binder)
{
    struct probe *p = r->probe;
    if (avals_agree(type, binder) == NO)
        rule_error(r, DIAG_T003, at_result(i), "%s", ""); /* the messages of a probe are never printed */
    p->compared = true;
    p->dtype_known = dtypes_agree(type, binder) == YES;
    p->rank_known = type->ranked && p->rank_known;
    for (u32 d = 0; type->ranked && binder->ranked && d < type->rank && d < binder->rank && d < 64; d++)
        p->dims_known |= (u64)(dim_equal(&type->dims[d], &binder->dims[d]) == YES) << d;
}

struct dims
rule_stated_dims(struct rule *r, const struct aval *binder)
{
    r->shape_from_binder = true;
    if (!r->probe)
        return (struct dims){binder->dims, binder->rank};
    struct dim *dims = rule_alloc(r, (binder->rank + 1u) * sizeof *dims);
    for (u32 d = 0; d < binder->rank; d++)
        dims[d] = dim_unknown();
    r->probe->rank_known = false;
    return (struct dims){dims, binder->rank};
}

static bool
has_size(const struct aval *type, i64 size)
{
    for (u32 d = 0; d < type->rank; d++)
        if (dim_is(type->dims[d], size))
            return true;
    return false;
}

/* names the part of a type that a parameter determines and that differs from the binder; NULL if there is none */
static const char *
part_made_by(struct rule *r, const char *key, struct slice role, const struct aval *type, const struct aval *binder)
{
    static const char of_dtype[] = "the element type of the result";
    dtype_t dtype;
    struct dims dims;
    if (slice_eq(role, SLICE("DTYPE")) || slice_eq(role, SLICE("NUMBERS")))
        return dtypes_agree(type, binder) == NO && param_dtype(r, key, &dtype) && dtype == type->dtype ? of_dtype
                                                                                                       : NULL;
    i64 value;
    if (strcmp(key, "bit_width") == 0)
        return dtypes_agree(type, binder) == NO && param_int(r, key, &value) && value == dtype_bits(type->dtype)
                   ? of_dtype
                   : NULL;
    if (shapes_agree(type, binder) != NO || !type->ranked)
        return NULL;
    if (slice_eq(role, SLICE("INT")) && param_int(r, key, &value)) {
        /* a collective scales an axis of its operand */
        bool scales = strcmp(key, "axis_size") == 0 && r->n && r->in[0].ranked && r->in[0].rank == type->rank;
        for (u32 d = 0; scales && d < type->rank && type->rank == binder->rank; d++)
            if (dim_equal(&type->dims[d], &binder->dims[d]) == NO && dim_equal(&type->dims[d], &r->in[0].dims[d]) == NO)
                return format_text(r, "the size of axis %u", d);
        for (u32 d = 0; d < type->rank && type->rank == binder->rank; d++)
            if (dim_is(type->dims[d], value) && dim_equal(&type->dims[d], &binder->dims[d]) == NO)
                return has_size(binder, value) ? NULL : format_text(r, "the size of axis %u", d);
        return NULL;
    }
    if ((!slice_eq(role, SLICE("SHAPE")) && !slice_eq(role, SLICE("INTS"))) || !param_dims(r, key, &dims))
        return NULL;
    struct aval shape = aval_array(type->dtype, dims.n, dims.at);
    return dims.n > 0 && shapes_agree(&shape, type) == YES ? "the shape of the result" : NULL;
}

void
rule_note_params(struct rule *r, const struct aval *type, const struct aval *binder)
{
    struct prim_param param;
    for (const char *at = r->prim->params; r->c->finding.noted && prim_param_next(&at, &param);) {
        const char *key = format_text(r, "%.*s", (int)param.key.n, param.key.at);
        const char *part = rule_param(r, key) == NONE ? NULL : part_made_by(r, key, param.role, type, binder);
        if (part)
            rule_note(r, at_param(r, key), DETERMINED_BY, part, key);
    }
    if (rule_param(r, "window_strides") != NONE && shapes_agree(type, binder) == NO)
        rule_note(r, at_param(r, "window_strides"),
                  "the shape of the result also depends on `window_strides` and `padding`");
}

/* describes the axis that differs, if other sizes of the result are unknown; else NULL */
static const char *
odd_axis(struct rule *r, u32 i, const struct aval *type, const struct aval *binder)
{
    u32 d = 0;
    if (!type->ranked || !binder->ranked || type->rank != binder->rank || dtypes_agree(type, binder) == NO ||
        !aval_lacks_size(type))
        return NULL;
    while (d < type->rank && dim_equal(&type->dims[d], &binder->dims[d]) != NO)
        d++;
    return d == type->rank ? NULL
                           : format_text(r, "axis %u of %s has size %s", d, format_which_result(r, i),
                                         format_dim(r, type->dims[d]));
}

enum truth
result_agrees(struct rule *r, const struct aval *type, const struct aval *binder)
{
    enum truth same = avals_agree(type, binder);
    r->computed += same == YES;
    return same;
}

bool
rule_trust_param(struct rule *r, struct where where, const char *key)
{
    if (rule_param(r, key) == NONE)
        return rule_trust(r, where, "`%s` is printed without `%s`, so its results are not verified", format_prim(r),
                          key);
    return rule_trust(r, where, "`%s` of `%s` cannot be read, so its results are not verified", key, format_prim(r));
}

bool
rule_trust_program(struct rule *r)
{
    return rule_trust(r, at_prim(), "the program that `%s` calls is not printed, so its results are not verified",
                      format_prim(r));
}

/* trusts the equation because `what` could not be inferred, and names the first operand of unknown type, if there is
 * one. Always true */
static bool
trust_inferred(struct rule *r, struct where where, const char *what, const char *printed)
{
    u32 k = 0;
    while (k < r->n && r->in[k].kind != AVAL_UNKNOWN)
        k++;
    rule_trust(r, where, "%s could not be inferred%s, so %s not verified", what,
               k < r->n ? format_text(r, ", as the type of `%s` is unknown", format_operand(r, k)) : "", printed);
    return k == r->n || !rule_note_operand(r, k);
}

bool
rule_trust_results(struct rule *r)
{
    return trust_inferred(r, at_prim(), format_text(r, "the types of the results of `%s`", format_prim(r)), "they are");
}

bool
rule_trust_layout(struct rule *r)
{
    return rule_trust(r, at_prim(),
                      "the parameters that group the operands of `%s` are missing or cannot be read, so its results "
                      "are not verified",
                      format_prim(r));
}

/* trusts the printed type of result i, and names the parameter that is omitted, if one is. Always true */
static bool
trust_result(struct rule *r, u32 i, const struct aval *type)
{
    struct name_buffer buffer;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next)
        if (r->m->params.at[p].key != NONE && slice_eq(param_bytes(r->m, &r->m->params.at[p]), SLICE("..."))) {
            const char *key = format_slice(r, module_name(r->m, r->m->params.at[p].key, &buffer));
            return rule_trust(r, at_param(r, key),
                              "`%s` of `%s` is printed as `...`, so the printed type of `%s` is not verified", key,
                              format_prim(r), format_result(r, i));
        }
    struct aval binder = rule_binder(r, i);
    bool dtype = dtypes_agree(type, &binder) == MAYBE, shape = shapes_agree(type, &binder) == MAYBE;
    trust_inferred(r, at_result(i),
                   format_text(r, "the %s of `%s`",
                               dtype == shape ? "type"
                               : dtype        ? "element type"
                                              : "shape",
                               format_result(r, i)),
                   format_text(r, "the printed type, %s, is", format_aval(r, &binder)));
    for (u32 k = 0; k < r->n && k < 2; k++)
        rule_note_operand(r, k);
    return true;
}

/* the text of a computed type, for comparison with the printed one. Varying, unreduced and reduced axes that the rule
 * does not compute are those of the first operand that has some, as most primitives keep them */
static const char *
format_given(struct rule *r, const struct aval *type, const struct aval *printed)
{
    struct aval given = *type;
    for (u32 k = 0; k < r->n && !given.moved && given.placed == NONE; k++)
        given.placed = r->in[k].moved ? NONE : r->in[k].placed;
    return format_compared(r, &given, printed);
}

bool
rule_needs_array(struct rule *r, u32 i, bool jax)
{
    (jax ? rule_error : rule_stricter)(r, DIAG_T025, at_operand(i), "the operands of `%s` must be arrays: `%s` is %s",
                                       format_prim(r), format_operand(r, i), format_aval(r, &r->in[i]));
    return rule_note_operand(r, i) || (r->in[i].kind == AVAL_REF && rule_hint_read(r, i));
}

bool
rule_result(struct rule *r, u32 i, const struct aval *type)
{
    struct aval binder = rule_binder(r, i);
    if (unlikely(r->probe != NULL)) {
        if (i == r->probe->result || r->probe->result == NONE)
            answer(r, i, type, &binder);
        return true;
    }
    enum truth same = avals_agree(type, &binder);
    r->computed++;
    if (r->m->vars.at[r->eqn->vars + i].type == NONE)
        return infer_result(r->c, r->eqn->vars + i, type) || rule_left_open(r, at_result(i));
    /* older versions print literals without a type: the width of the result is then the printed one */
    bool as_wide = same == MAYBE && type->literal && type->dtype == NONE && shapes_agree(type, &binder) == YES;
    if (same == YES || as_wide)
        return true;
    if (same == MAYBE)
        return trust_result(r, i, type);
    bool read = type->kind == AVAL_REF && binder.kind == AVAL_ARRAY;
    for (u32 k = 0; read && k < r->n; k++) /* some of JAX's rules read a ref as the array it holds */
        if (r->in[k].kind == AVAL_REF)
            return rule_needs_array(r, k, false);
    r->given = type;
    const struct type *printed = binder.type == NONE ? NULL : type_get(&r->m->types, binder.type);
    if (type->type == NONE && printed && printed->kind == TYPE_ARRAY &&
        (printed->vary.n || memchr(printed->text.at, '@', printed->text.n)))
        binder.type = NONE; /* the rule computes no sharding: both types are shown without it */
    const char *gives = odd_axis(r, i, type, &binder);
    if (!gives)
        gives = format_text(r, "`%s` gives %s", format_prim(r), format_given(r, type, &binder));
    rule_error(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but %s", format_result(r, i), format_aval(r, &binder),
               gives);
    r->given = NULL;
    bool reads = r->eqn->form == EQN_GET || r->eqn->form == EQN_SWAP; /* whose type depends only on the ref */
    for (u32 k = 0; k < r->n && type->literal; k++)                   /* such as the `2` of `mul 2 c` */
        if (r->in[k].literal && r->in[k].dtype == NONE)
            rule_note(r, at_operand(k), "`%s`, printed without a type, is %s", format_operand(r, k),
                      format_aval(r, &r->in[k]));
    for (u32 k = 0; k < r->n && k < (reads ? 1 : 3); k++)
        rule_note_operand(r, k);
    rule_note_params(r, type, &binder);
    if (r->n == 1 && r->in[0].literal && r->prim->dtype == DTYPE_same && binder.dtype != NONE &&
        dtypes_agree(&r->in[0], &binder) == NO)
        rule_hint_literal(r, 0, &binder);
    return false;
}

bool
results_like_operands(struct rule *r)
{
    bool right = rule_results(r, r->n);
    for (u32 i = 0; right && i < r->n; i++)
        right = rule_result(r, i, &r->in[i]);
    return right;
}

bool
compare_result(struct rule *r, struct aval *out)
{
    out->type = out->placed = NONE;
    return !r->prim->is.trusted && prim_dtype(r, out) && rule_results(r, 1) && rule_result(r, 0, out);
}
