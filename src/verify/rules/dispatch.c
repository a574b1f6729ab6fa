/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of each row of grammar/primitives.def. No other code compares rule functions: properties of a row are
 * columns of it. A switch, as a table of pointers would have to be relocated in every process. O(1). */
#include "verify/rule.h"

enum row_number {
#define PRIM(...) AT_LINE(ROW_, __LINE__),
#include "primitives.def"
#undef PRIM
};

bool
prim_shape(struct rule *r, struct aval *out)
{
    switch ((enum row_number)r->prim->row) {
#define PRIM(name, also, min, max, in, shape, ...) \
    case AT_LINE(ROW_, __LINE__): \
        return shape_##shape(r, out);
#include "primitives.def"
#undef PRIM
    }
    return shape_listed(r, out); /* for any primitive: types listed in a parameter are those of its results */
}

bool
prim_dtype(struct rule *r, struct aval *out)
{
    switch ((enum result_dtype)r->prim->dtype) {
    case DTYPE_own:
        break;
    case DTYPE_same:
        return dtype_same(r, out);
    case DTYPE_first:
        return dtype_first(r, out);
    case DTYPE_out:
        return dtype_out(r, out);
    case DTYPE_bool:
        return dtype_bool(r, out);
    case DTYPE_i32:
        return dtype_i32(r, out);
    case DTYPE_real:
        return dtype_real(r, out);
    case DTYPE_complex:
        return dtype_complex(r, out);
    case DTYPE_pow:
        return dtype_pow(r, out);
    case DTYPE_new:
        return dtype_new(r, out);
    case DTYPE_param:
        return dtype_param(r, out);
    case DTYPE_target:
        return dtype_target(r, out);
    case DTYPE_index:
        return dtype_index(r, out);
    case DTYPE_dot:
        return dtype_dot(r, out);
    case DTYPE_conv:
        return dtype_conv(r, out);
    case DTYPE_einsum:
        return dtype_einsum(r, out);
    }
    return true;
}
