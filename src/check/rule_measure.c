/* SPDX-License-Identifier: Apache-2.0
 *
 * Measurements of Catalyst (catalyst/jax_primitives.py, 0.11 on): the shape stands in `static_shape`, its holes filled
 * from the left with the operands behind the first. Linear in the shape. */
#include "check/rule.h"

bool
shape_measured(struct rule *r, struct aval *out)
{
    struct dims shape;
    *out = aval_unknown();
    if (!param_dims(r, "static_shape", &shape))
        return rule_trust(r, at_prim(), "the shape of `%s` is taken as printed", say_prim(r));
    struct dim *at = rule_alloc(r, (shape.n + 1u) * sizeof *at);
    u32 next = 1;
    for (u32 i = 0; i < shape.n; i++) {
        at[i] = shape.at[i];
        if (at[i].kind != DIM_UNKNOWN)
            continue;
        if (next < r->n)
            at[i] = operand_dim(r, next);
        next++;
    }
    if (next != r->n)
        return rule_error(r, DIAG_T005, r->n > next ? at_operand(next) : at_prim(),
                          "`%s` takes %u operands: 1 and one for each None of its shape, %u are given", say_prim(r),
                          next, r->n);
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval binder = rule_binder(r, i), type = aval_reshaped(&binder, shape.n, at);
        if (binder.kind == AVAL_ARRAY && !rule_result(r, i, &type))
            return false;
    }
    return true;
}
