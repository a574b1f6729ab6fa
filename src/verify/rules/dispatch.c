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
    return shape_listed(r, out); /* an unknown primitive: types listed in a parameter are those of the results */
}

bool
prim_dtype(struct rule *r, struct aval *out)
{
    switch ((enum result_dtype)r->prim->dtype) {
    case DTYPE_own:
        break;
#define DTYPE(name) \
    case DTYPE_##name: \
        return dtype_##name(r, out);
        RESULT_DTYPES(DTYPE)
#undef DTYPE
    }
    return true;
}
