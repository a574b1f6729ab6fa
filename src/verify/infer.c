/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the rules to infer types; check_types runs them to report errors. Also stores the types inferred for variables
 * without a printed type. */
#include "verify/infer.h"

#include "base/sink.h"
#include "verify/checker.h"

struct inferrer {
    struct module *m;
    program_t program;
    struct checker *c; /* NULL until an equation needs it: most programs print their types */
    struct diags unobserved;
};

struct inferrer *
inferrer_new(struct module *m)
{
    struct inferrer *x = mem_alloc(m->mem, sizeof *x);
    *x = (struct inferrer){.m = m};
    diags_init(&x->unobserved, m->mem);
    x->unobserved.limit = 1;
    return x;
}

void
inferrer_enter(struct inferrer *x, program_t program)
{
    x->program = program;
}

void
inferrer_free(struct inferrer *x)
{
    if (x->c)
        checker_free(x->c);
    mem_free(x->m->mem, x);
}

void
infer_again(struct inferrer *x, var_t first, u32 n)
{
    const struct checker *c = x->c;
    for (u32 v = first; c && c->inferred && v < first + n && v < c->room; v++) /* copies may be newer than the room */
        c->inferred[v] = aval_unknown();
}

void
infer_equation(struct inferrer *x, eqn_t e)
{
    static const struct check_options options = {.dims = DIMS_VARS};
    static const struct resolution nothing;
    if (!x->c)
        x->c = checker_new(x->m, &options, &nothing, &x->unobserved);
    x->c->infers = true;
    checker_extend(x->c);
    x->c->program = x->program;
    infer_again(x, x->m->eqns.at[e].vars, x->m->eqns.at[e].n_vars);
    check_equation(x->c, e);
}

bool
inferrer_shards(const struct inferrer *x)
{
    return x->c->placed;
}

/* interns an inferred type; NONE if some of it is unknown. `fallback` replaces an unknown element type */
static type_t
type_of_aval(struct module *m, const struct aval *a, dtype_t fallback)
{
    dtype_t dtype = a->dtype == NONE ? fallback : a->dtype;
    if (a->type != NONE)
        return a->type;
    if (a->kind != AVAL_ARRAY || dtype == NONE || !a->ranked)
        return NONE;
    struct sink text;
    struct name_buffer buffer;
    bool known = true;
    sink_init_memory(&text, m->mem);
    sink_slice(&text, dtype_text(&m->names, dtype));
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
inferred_type(struct inferrer *x, var_t v, dtype_t fallback)
{
    struct checker *c = x->c;
    return c && c->inferred && c->m->vars.at[v].type == NONE ? type_of_aval(c->m, &c->inferred[v], fallback) : NONE;
}

/* whether all of a type was inferred */
static bool
aval_known(const struct aval *a)
{
    bool known = a->kind != AVAL_UNKNOWN && (a->kind != AVAL_ARRAY || (a->ranked && a->dtype != NONE));
    for (u32 d = 0; known && a->ranked && d < a->rank; d++)
        known = a->dims[d].kind < DIM_WINDOWS;
    return known;
}

/* NumPy arrays had at most 32 axes when JAX did not print types; without a limit, each equation of a hostile text could
 * copy as many as its operand has */
enum { MOST_AXES = 32 };

bool
infer_result(struct checker *c, var_t v, const struct aval *type)
{
    struct module *m = c->m;
    if (c->probing)
        return true;
    if (type->kind == AVAL_UNKNOWN && type->dtype == NONE)
        return false;
    if (!c->inferred) {
        c->inferred = mem_alloc(m->mem, (size_t)c->room * sizeof *c->inferred);
        for (u32 k = 0; k < c->room; k++)
            c->inferred[k] = aval_unknown();
    }
    c->learned |= !aval_known(&c->inferred[v]);
    c->inferred[v] = *type;
    if (type->kind == AVAL_UNKNOWN) { /* the operand of a cast is an array of any shape */
        c->inferred[v].kind = AVAL_ARRAY;
        c->inferred[v].ranked = false;
    }
    c->inferred[v].literal = false;
    if (type->ranked && type->rank > MOST_AXES) {
        c->inferred[v].ranked = false;
        c->inferred[v].type = NONE;
    } else if (type->ranked && type->rank) {
        struct dim *dims = arena_alloc(m->mem, type->rank * sizeof *dims);
        memcpy(dims, type->dims, type->rank * sizeof *dims);
        c->inferred[v].dims = dims;
    }
    return aval_known(&c->inferred[v]);
}

/* whether a size is a variable, which is known only in its program; a symbol is the same in all programs */
static bool
is_local(const struct dim *d)
{
    return d->kind == DIM_NAME && d->value != DIM_SYMBOL;
}

bool
infer_across(struct checker *c, var_t v, const struct aval *type)
{
    struct aval typed = *type;
    bool local = false;
    for (u32 d = 0; type->ranked && type->rank <= MOST_AXES && d < type->rank; d++)
        local |= is_local(&type->dims[d]);
    if (local) {
        struct dim *dims = arena_alloc(c->m->mem, type->rank * sizeof *dims);
        for (u32 d = 0; d < type->rank; d++)
            dims[d] = is_local(&type->dims[d]) ? dim_unknown() : type->dims[d];
        typed.dims = dims;
        typed.type = NONE;
    }
    return infer_result(c, v, &typed);
}

/* whether a program is shared, and prints no type of an argument */
static bool
is_shared_untyped(const struct module *m, const struct jaxpr *j)
{
    bool typed = j->parent != NONE;
    for (u32 i = 0; i < jaxpr_binders(j) && !typed; i++)
        typed = m->vars.at[j->vars + i].type != NONE;
    return !typed;
}

void
infer_binder(struct checker *c, jaxpr_t j, u32 k, const struct aval *type)
{
    var_t v = c->m->jaxprs.at[j].vars + k;
    if (c->probing || c->m->vars.at[v].type != NONE || memo_get(&c->conflicting, v))
        return;
    if (!c->inferred || c->inferred[v].kind == AVAL_UNKNOWN) {
        infer_across(c, v, type);
    } else if (avals_agree(&c->inferred[v], type) == NO && is_shared_untyped(c->m, &c->m->jaxprs.at[j])) {
        memo_set(c->m->mem, &c->conflicting, v, 1);
        c->inferred[v] = aval_unknown();
        c->disagreed = true;
    }
}

/* whether a nested program prints a binder or a result without a type: the equation that contains it is checked
 * first, and needs both types */
static bool
nests_untyped(const struct module *m)
{
    for (u32 j = 0; j < m->jaxprs.n; j++) {
        const struct jaxpr *inner = &m->jaxprs.at[j];
        if (inner->parent == NONE && !m->lets.n)
            continue;
        for (u32 i = 0; i < jaxpr_binders(inner); i++)
            if (m->vars.at[inner->vars + i].type == NONE)
                return true;
        for (u32 i = 0; i < inner->n_outs; i++) {
            atom_t a = m->atoms.at[inner->outs + i];
            if (atom_kind(a) == ATOM_VAR && m->vars.at[atom_id(a)].type == NONE)
                return true;
        }
    }
    return false;
}

static void
infer_nested(struct checker *c)
{
    enum { MOST_PASSES = 8, MOST_RESTARTS = 4 };
    struct diags unobserved;
    if (!nests_untyped(c->m))
        return;
    diags_init(&unobserved, c->m->mem);
    unobserved.limit = 1;
    struct checker *silent = checker_new(c->m, c->options, c->found, &unobserved);
    silent->learned = true;
    for (u32 pass = 0, restarts = 0; pass < MOST_PASSES && silent->learned; pass++) {
        silent->learned = silent->disagreed = false;
        check_programs(silent);
        if (!silent->disagreed)
            continue;
        for (u32 v = 0; v < silent->room; v++) /* some were inferred from types that disagree with others */
            silent->inferred[v] = aval_unknown();
        silent->learned = true;
        if (restarts++ < MOST_RESTARTS)
            pass = 0;
    }
    c->conflicting = silent->conflicting;
    silent->conflicting = (struct memo){0};
    c->inferred = silent->inferred;
    silent->inferred = NULL;
    checker_free(silent);
}

struct checker *
check_begin(struct module *m, const struct check_options *options, const struct resolution *found, struct diags *ds)
{
    struct checker *c = checker_new(m, options, found, ds);
    for (u32 i = 0; i < found->unsized.room; i++)
        if (found->unsized.slots[i].id)
            var_report(c, found->unsized.slots[i].id - 1);
    infer_nested(c);
    return c;
}
