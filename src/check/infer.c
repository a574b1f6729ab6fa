/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's rules asked for types instead of errors: what they find wrong is for check_types to tell. */
#include "check/infer.h"

#include "base/sink.h"
#include "check/checker.h"

struct inferrer {
    struct checker *c;
    struct diags unheard;
};

struct inferrer *
inferrer_new(struct module *m)
{
    static const struct check_options options = {.dims = DIMS_VARS};
    struct inferrer *x = mem_alloc(m->mem, sizeof *x);
    diags_init(&x->unheard, m->mem);
    x->unheard.limit = 1;
    x->c = checker_new(m, &options, &x->unheard);
    return x;
}

void
inferrer_free(struct inferrer *x)
{
    struct mem *mem = x->c->m->mem;
    checker_free(x->c);
    mem_free(mem, x);
}

void
infer_equation(struct inferrer *x, eqn_t e)
{
    check_equation(x->c, e);
}

/* a type that was worked out, or NONE where some of it is unknown */
static type_t
type_of_aval(struct module *m, const struct aval *a)
{
    if (a->type != NONE)
        return a->type;
    if (a->kind != AVAL_ARRAY || a->dtype == NONE || !a->ranked)
        return NONE;
    struct sink text;
    struct name_buffer buffer;
    bool known = true;
    sink_init_memory(&text, m->mem);
    sink_slice(&text, dtype_text(&m->names, a->dtype));
    sink_char(&text, '[');
    for (u32 d = 0; d < a->rank && known; d++) {
        const struct dim *dim = &a->dims[d];
        sink_printf(&text, "%s", d ? "," : "");
        known = dim->kind < DIM_WINDOWS;
        if (dim->kind == DIM_INT)
            sink_printf(&text, "%lld", (long long)dim->value);
        else if (known)
            sink_slice(&text, dim->kind == DIM_NAME ? module_name(m, dim->name, &buffer) : dim->text);
    }
    sink_char(&text, ']');
    type_t type = known ? types_intern(&m->types, arena_copy(m->mem, (struct slice){text.at, text.n})) : NONE;
    mem_free(m->mem, text.at);
    return type;
}

type_t
inferred_type(struct inferrer *x, var_t v)
{
    struct checker *c = x->c;
    return c->inferred && c->m->vars.at[v].type == NONE ? type_of_aval(c->m, &c->inferred[v]) : NONE;
}
