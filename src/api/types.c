/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of jaxpr_walk.h, as they were parsed when they were interned. Only terms are parsed again. */
#include "api/api.h"

#include "types/aval.h"
#include "types/poly.h"

static const struct type *
type_of(const jx_module *module, u32 type)
{
    return api_ir(module) != NULL && !module->lost && type < module->ir.types.list.n ? type_get(&module->ir.types, type)
                                                                                     : NULL;
}

static enum jx_dtype_kind
dtype_kind(dtype_t dtype)
{
    static const enum jx_dtype_kind kinds[] = {
        [CLASS_BOOL] = JX_DTYPE_BOOL,         [CLASS_SIGNED] = JX_DTYPE_SIGNED,   [CLASS_UNSIGNED] = JX_DTYPE_UNSIGNED,
        [CLASS_FLOAT] = JX_DTYPE_FLOAT,       [CLASS_COMPLEX] = JX_DTYPE_COMPLEX, [CLASS_FLOAT0] = JX_DTYPE_FLOAT0,
        [CLASS_EXTENDED] = JX_DTYPE_EXTENDED,
    };
    return dtype == NONE ? JX_DTYPE_NONE : kinds[dtype_class(dtype)];
}

bool(jx_type_at)(jx_module *module, uint32_t type, struct jx_type *answer, size_t size)
{
    static const enum jx_type_kind kinds[] = {
        [TYPE_ARRAY] = JX_TYPE_ARRAY, [TYPE_REF] = JX_TYPE_REF,       [TYPE_TOKEN] = JX_TYPE_TOKEN,
        [TYPE_UNIT] = JX_TYPE_UNIT,   [TYPE_OPAQUE] = JX_TYPE_OPAQUE,
    };
    const struct type *t = type_of(module, type);
    if (t == NULL)
        return false;
    bool array = t->kind == TYPE_ARRAY;
    dtype_t dtype = array ? t->dtype : NONE;
    struct jx_type all = {
        .kind = kinds[t->kind],
        .text = api_string(t->text),
        .dtype = api_string(dtype == NONE ? SLICE("") : dtype_text(&module->ir.names, dtype)),
        .dtype_kind = dtype_kind(dtype),
        .bits = dtype == NONE ? 0 : dtype_bits(dtype),
        .rank = array ? t->rank : 0,
        .inner = t->kind == TYPE_REF ? t->inner : NONE,
        .memory_space = api_string(t->space),
        .varying = api_string(array ? vary_list(&module->ir, type) : SLICE("")),
    };
    return api_answer(answer, size, &all, sizeof all);
}

/* a dimension as printed, regardless of the names of a scope */
static const struct dim *
dim_of_type(const jx_module *module, u32 type, u32 i)
{
    const struct type *t = type_of(module, type);
    return t != NULL && t->kind == TYPE_ARRAY && i < t->rank ? &module->ir.types.dims.at[t->dims + i] : NULL;
}

bool(jx_dim_at)(jx_module *module, uint32_t type, uint32_t i, struct jx_dim *answer, size_t size)
{
    static const enum jx_dim_kind kinds[] = {
        [DIM_INT] = JX_DIM_INTEGER,     [DIM_NAME] = JX_DIM_NAME,       [DIM_EXPR] = JX_DIM_OPAQUE,
        [DIM_DBIDX] = JX_DIM_DBIDX,     [DIM_INDBIDX] = JX_DIM_INDBIDX, [DIM_OUTDBIDX] = JX_DIM_OUTDBIDX,
        [DIM_BOUNDED] = JX_DIM_BOUNDED,
    };
    const struct dim *d = dim_of_type(module, type, i);
    struct poly poly;
    if (d == NULL)
        return false;
    struct jx_dim all = {
        .kind = kinds[d->kind],
        .value = d->kind == DIM_NAME || d->kind == DIM_EXPR ? 0 : d->value,
        .text = api_string(d->text),
        .sharding = api_string(d->sharding),
    };
    if (d->kind == DIM_EXPR && poly_read(&poly, d->text) && poly.n > 0 && poly.terms[0].n > 0) {
        all.kind = JX_DIM_POLYNOMIAL;
        all.terms = poly.n;
    }
    return api_answer(answer, size, &all, sizeof all);
}

_Static_assert(countof(((struct jx_term *)NULL)->factor) >= POLY_FACTORS, "a term has room for every factor");

bool
jx_term_at(jx_module *module, uint32_t type, uint32_t i, uint32_t k, struct jx_term *answer)
{
    const struct dim *d = dim_of_type(module, type, i);
    struct poly poly;
    if (answer == NULL || d == NULL || d->kind != DIM_EXPR || !poly_read(&poly, d->text) || k >= poly.n)
        return false;
    *answer = (struct jx_term){.coefficient = poly.terms[k].coefficient, .factors = poly.terms[k].n};
    for (u32 f = 0; f < poly.terms[k].n; f++)
        answer->factor[f] = api_string(poly.terms[k].factors[f]);
    return true;
}
