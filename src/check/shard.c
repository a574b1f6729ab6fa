/* SPDX-License-Identifier: Apache-2.0
 *
 * Explicit shardings of types, `f32[8@x,2]`: for rules whose result lies as their operands do, the binder must say so
 * (jax/_src/lax: the sharding_rule of each primitive; jax/_src/core.py, typematch). Linear in operands and ranks, and
 * no more than a look at each axis where no type shows one. */
#include "check/shard.h"

/* the rules whose shape keeps axes whole: what they copy of an operand's dims is where the result lies */
static bool
keeps_axes(const struct rule *r)
{
    static shape_rule *const rules[] = {shape_transpose, shape_reduce_axes, shape_squeeze, shape_cumulative, shape_rev};
    struct slice text;
    for (u32 i = 0; i < countof(rules); i++)
        if (r->prim->shape == rules[i])
            return !param_text(r, "out_sharding", &text) || slice_eq(text, SLICE("None"));
    return false;
}

static bool
is_elementwise(const struct rule *r)
{
    return r->prim->shape == shape_elementwise || r->prim->shape == shape_select || r->prim->shape == shape_equal;
}

static bool
shows_sharding(const struct aval *a)
{
    bool any = false;
    for (u32 d = 0; a->kind == AVAL_ARRAY && a->ranked && d < a->rank && !any; d++)
        any = a->dims[d].sharding.n && a->dims[d].kind < DIM_WINDOWS;
    return any;
}

/* what an elementwise result's axis d is sharded over: what one of the operands says, which the others leave open or
 * say too; false where they disagree */
static bool
merged_axis(const struct rule *r, u32 rank, u32 d, struct slice *over)
{
    *over = (struct slice){"", 0};
    for (u32 i = 0; i < r->n; i++) {
        const struct aval *a = &r->in[i];
        if (a->kind != AVAL_ARRAY || !a->ranked || a->rank != rank || !a->dims[d].sharding.n)
            continue;
        if (over->n && !slice_eq(*over, a->dims[d].sharding))
            return false;
        *over = a->dims[d].sharding;
    }
    return true;
}

static const char *
say_over(struct rule *r, struct slice axes)
{
    return axes.n ? say(r, "sharded over %s", say_slice(r, axes)) : "not sharded";
}

bool
rule_shards(struct rule *r, const struct aval *out)
{
    struct aval binder = rule_binder(r, 0);
    bool merge = is_elementwise(r), any = shows_sharding(&binder);
    for (u32 i = 0; i < r->n && !any; i++)
        any = shows_sharding(&r->in[i]);
    if (!any || (!merge && !keeps_axes(r)) || !out->ranked || !binder.ranked || out->rank != binder.rank)
        return true;
    for (u32 i = 0; i < r->n; i++)
        if (r->in[i].kind != AVAL_ARRAY || !r->in[i].ranked || (r->in[i].type == NONE && !r->in[i].literal))
            return true;
    for (u32 d = 0; d < out->rank; d++) {
        struct slice over = out->dims[d].sharding;
        if (merge && !merged_axis(r, out->rank, d, &over))
            return true;
        if (slice_eq(over, binder.dims[d].sharding))
            continue;
        /* JAX compares them from 0.8 on */
        bool (*report)(struct rule *, enum diag_code, struct where, const char *, ...) printf_like(4, 5) =
            module_era(r->m)->low >= 800 ? rule_error : rule_warning;
        report(r, DIAG_T003, at_result(0), "`%s` is bound as %s, whose axis %u is %s, but that of what `%s` gives "
                   "is %s, as its operands are", say_result(r, 0), say_aval(r, &binder), d,
                   say_over(r, binder.dims[d].sharding), say_prim(r), say_over(r, over));
        for (u32 i = 0; i < r->n && i < 2; i++)
            rule_note_operand(r, i);
        return !r->failed;
    }
    return true;
}
