/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts about primitives that jaxpr_tools.h returns. */
#include "api/api.h"

#include "prims/prims.h"

bool(jx_primitive_find)(const char *name, size_t n, struct jx_primitive *answer, size_t size)
{
    struct prim row;
    if (name == NULL || !prim_named((struct slice){name, n}, &row))
        return false;
    struct jx_primitive all = {
        .name = row.name,
        .meaning = prim_meaning(row.name),
        .least_operands = row.min,
        .most_operands = row.max == ANY_COUNT ? JX_NONE : row.max,
    };
    return api_answer(answer, size, &all, sizeof all);
}

const char *
jx_parameter_meaning(const char *primitive, const char *key, size_t n)
{
    struct prim row;
    if (primitive == NULL || key == NULL)
        return "";
    bool known = prim_named(slice_of(primitive), &row);
    return prim_param_meaning(known ? &row : NULL, (struct slice){key, n});
}
