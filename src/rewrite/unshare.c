/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives new names to sizes, where one name meant several: arrays that are carried get new sizes, and the results
 * computed from them follow, by the rules of their equations. A type changes only if it names a size that has copies.
 * Linear in the equations. */
#include "rewrite/dim_subst.h"
#include "rewrite/expand.h"
#include "verify/infer.h"

void
size_rename(struct expanding *x, var_t v, u32 k, name_t name)
{
    struct module *m = x->s.m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    if (!t)
        return;
    name_t old = type_dims(&m->types, t)[k].name;
    u64 of = memo_get(&x->copies, old);
    struct name_buffer buffer;
    of = of ? of : (u64)old + 1;
    memo_set(m->mem, &x->copies, old, of);
    memo_set(m->mem, &x->copies, name, of);
    x->sizes.n = 0;
    for (u32 i = 0; i < t->rank; i++)
        *vec_push(m->mem, &x->sizes) = (struct slice){NULL, 0};
    x->sizes.at[k] = arena_copy(m->mem, module_name(m, name, &buffer));
    m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, x->sizes.at);
    x->copied = true;
}

name_t
size_copy(struct expanding *x, var_t v, u32 k)
{
    struct module *m = x->s.m;
    name_t name;
    if (x->fresh == 0) /* names in types may be sizes that are not bound yet */
        note_sizes(m, 0, m->vars.n, &x->named);
    do
        name = fresh_name(m, &x->fresh);
    while (memo_get(&x->named, name));
    size_rename(x, v, k, name);
    return name;
}

bool
are_copies(const struct expanding *x, name_t a, name_t b)
{
    u64 of = memo_get(&x->copies, a);
    return of && memo_get(&x->copies, b) == of;
}

/* the type of a variable if it names a size that has copies; else NULL */
static const struct type *
copied_type(const struct expanding *x, var_t v)
{
    const struct module *m = x->s.m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        if (d->kind == DIM_NAME && memo_get(&x->copies, d->name))
            return t;
    }
    return NULL;
}

/* are_copies for two sizes, if both are names */
static bool
are_copied(const struct expanding *x, const struct dim *a, const struct dim *b)
{
    return a->kind == DIM_NAME && b->kind == DIM_NAME && are_copies(x, a->name, b->name);
}

/* gives a variable's type the copies in a computed type, if the types differ in nothing else */
static void
take_copies(struct expanding *x, var_t v, type_t computed)
{
    struct module *m = x->s.m;
    const struct type *t = type_array(m, m->vars.at[v].type), *by = type_array(m, computed);
    if (!t || !by || t->rank != by->rank || t->dtype != by->dtype)
        return;
    x->sizes.n = 0;
    for (u32 k = 0; k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k], *given = &type_dims(&m->types, by)[k];
        bool copy = are_copied(x, d, given);
        if (!copy && (d->kind != given->kind || !slice_eq(d->text, given->text)))
            return;
        *vec_push(m->mem, &x->sizes) = copy ? given->text : (struct slice){NULL, 0};
    }
    m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, x->sizes.at);
}

/* notes, for each size of a region's arguments, the operand and the axis of its type that have this size outside */
static void
note_passed(struct expanding *x, eqn_t e, const struct region *in)
{
    const struct module *m = x->s.m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    memo_free(m->mem, &x->passed);
    for (u32 b = jaxpr_binders(j); b-- > 0;) {
        u32 operand = region_operand(in, b);
        if (operand >= m->eqns.at[e].n_atoms)
            continue;
        const struct type *inside = type_array(m, m->vars.at[j->vars + b].type);
        const struct type *outside = atom_array_type(m, m->atoms.at[m->eqns.at[e].atoms + operand]);
        for (u32 k = inside && outside && inside->rank == outside->rank ? inside->rank : 0; k-- > 0;)
            if (type_dims(&m->types, inside)[k].kind == DIM_NAME)
                memo_set(m->mem, &x->passed, type_dims(&m->types, inside)[k].name, ((u64)operand << 32 | k) + 1);
    }
}

/* the size outside that corresponds to the size `name` of an argument of the region; NULL if there is none */
static const struct dim *
passed_size(const struct expanding *x, eqn_t e, name_t name)
{
    const struct module *m = x->s.m;
    u64 at = memo_get(&x->passed, name);
    if (at == 0)
        return NULL;
    const struct type *t = atom_array_type(m, m->atoms.at[m->eqns.at[e].atoms + (u32)((at - 1) >> 32)]);
    return t ? &type_dims(&m->types, t)[(u32)(at - 1)] : NULL;
}

/* gives result i of a call, loop or conditional the sizes outside that correspond to those inside */
static void
retype_region_result(struct expanding *x, eqn_t e, const struct region *in, u32 i)
{
    struct module *m = x->s.m;
    var_t v = m->eqns.at[e].vars + i;
    const struct type *t = copied_type(x, v);
    const struct type *inside = atom_array_type(m, m->atoms.at[m->jaxprs.at[in->jaxpr].outs + i]);
    if (!t || !inside || inside->rank != t->rank)
        return;
    x->sizes.n = 0;
    for (u32 k = 0; k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, inside)[k];
        const struct dim *outer = d->kind == DIM_NAME ? passed_size(x, e, d->name) : NULL;
        bool copy = outer && are_copied(x, &type_dims(&m->types, t)[k], outer);
        *vec_push(m->mem, &x->sizes) = copy ? outer->text : (struct slice){NULL, 0};
    }
    m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, x->sizes.at);
}

/* replaces each operand that is a size of another operand by the copy that this one has */
static void
repass_sizes(struct expanding *x, eqn_t e, const struct region *in)
{
    struct module *m = x->s.m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    for (u32 b = 0; b < jaxpr_binders(j); b++) {
        u32 operand = region_operand(in, b);
        if (operand >= m->eqns.at[e].n_atoms || !var_may_be_dim(m, j->vars + b))
            continue;
        atom_t *a = &m->atoms.at[m->eqns.at[e].atoms + operand];
        if (atom_kind(*a) != ATOM_VAR && atom_kind(*a) != ATOM_NAME)
            continue;
        name_t name = atom_kind(*a) == ATOM_VAR ? m->vars.at[atom_id(*a)].name : (name_t)atom_id(*a);
        const struct dim *d = memo_get(&x->copies, name) ? passed_size(x, e, m->vars.at[j->vars + b].name) : NULL;
        if (d && d->kind == DIM_NAME && d->name != name && are_copies(x, d->name, name))
            *a = atom_make(ATOM_NAME, d->name);
    }
}

/* gives results of other equations the types that the rule computes */
static void
retype_ruled_results(struct expanding *x, eqn_t e)
{
    struct module *m = x->s.m;
    const struct eqn eqn = m->eqns.at[e];
    x->types.n = 0;
    for (u32 i = 0; i < eqn.n_vars; i++) {
        type_t printed = m->vars.at[eqn.vars + i].type;
        *vec_push(m->mem, &x->types) = printed;
        if (copied_type(x, eqn.vars + i))
            m->vars.at[eqn.vars + i].type = NONE;
    }
    infer_equation(x->p->rules, e);
    for (u32 i = 0; i < eqn.n_vars; i++) {
        if (x->types.at[i] == NONE || m->vars.at[eqn.vars + i].type != NONE)
            continue;
        dtype_t dtype = type_array(m, x->types.at[i])->dtype;
        type_t computed = inferred_type(x->p->rules, eqn.vars + i, dtype);
        m->vars.at[eqn.vars + i].type = x->types.at[i];
        if (computed != NONE)
            take_copies(x, eqn.vars + i, computed);
    }
}

void
retype_equation(struct expanding *x, eqn_t e)
{
    struct module *m = x->s.m;
    const struct eqn *eqn = &m->eqns.at[e];
    bool names = false, nests = eqn_nests(m, e);
    for (u32 i = 0; i < eqn->n_vars; i++)
        names |= copied_type(x, eqn->vars + i) != NULL;
    if (!nests && names)
        retype_ruled_results(x, e);
    if (!nests || eqn->params == NONE || !region_map_read(m, e, &x->map) || !region_map_keeps_types(&x->map))
        return;
    for (u32 r = 0; r < x->map.regions.n; r++) {
        const struct region *in = &x->map.regions.at[r];
        if (in->jaxpr == NONE)
            continue;
        note_passed(x, e, in);
        repass_sizes(x, e, in);
        for (u32 i = 0; r == 0 && i < eqn->n_vars && m->jaxprs.at[in->jaxpr].n_outs == eqn->n_vars; i++)
            retype_region_result(x, e, in, i);
    }
}

static void
replace_sizes(struct expanding *x, var_t v, const struct memo *by)
{
    struct module *m = x->s.m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    bool any = false;
    x->sizes.n = 0;
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        u64 to = d->kind == DIM_NAME ? memo_get(by, d->name) : 0;
        struct name_buffer buffer;
        *vec_push(m->mem, &x->sizes) =
            to ? arena_copy(m->mem, module_name(m, (name_t)(to - 1), &buffer)) : (struct slice){NULL, 0};
        any |= to != 0;
    }
    if (any)
        m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, x->sizes.at);
}

void
sizes_replace(struct expanding *x, var_t first, u32 n, const struct memo *by)
{
    for (u32 i = 0; i < n; i++)
        replace_sizes(x, first + i, by);
}
