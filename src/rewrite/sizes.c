/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of binders and results by name, in the order of the tracers of Catalyst and JAX
 * (catalyst/jax_extras/tracing.py, infer_lambda_input_type and infer_output_type). Linear in the types. */
#include "rewrite/sizes.h"

#include "rewrite/dim_subst.h"

void
sizing_init(struct sizing *s, struct module *m)
{
    *s = (struct sizing){.m = m};
    binders_init(&s->scope, m);
}

void
sizing_drop(struct sizing *s)
{
    binders_drop(&s->scope);
    region_map_free(s->m, &s->map);
    mem_free_all(s->m->mem, s->spots.at, s->names.at, s->moved.slots);
}

void
sizing_open(struct sizing *s, jaxpr_t id)
{
    const struct jaxpr *j = &s->m->jaxprs.at[id];
    binders_open(&s->scope);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        binders_bind(&s->scope, j->vars + i);
    for (eqn_t e = j->eqns; e != NONE; e = s->m->eqns.at[e].next)
        for (u32 i = 0; i < s->m->eqns.at[e].n_vars; i++)
            binders_bind(&s->scope, s->m->eqns.at[e].vars + i);
}

void
note_sizes(const struct module *m, var_t first, u32 n, struct memo *names)
{
    for (var_t v = first; v < first + n; v++) {
        const struct type *t = type_array(m, m->vars.at[v].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++)
            if (type_dims(&m->types, t)[k].kind == DIM_NAME)
                memo_set(m->mem, names, type_dims(&m->types, t)[k].name, 1);
    }
}

const struct type *
atom_array_type(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_VAR ? type_array(m, m->vars.at[atom_id(a)].type) : NULL;
}

void
open_sizes(struct sizing *s, jaxpr_t j, u32 from, u32 n, bool each)
{
    struct module *m = s->m;
    struct memo seen = {0};
    s->spots.n = 0;
    for (u32 i = from; i < from + n; i++) {
        const struct type *t = type_array(m, m->vars.at[m->jaxprs.at[j].vars + i].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind != DIM_NAME || binders_find(&s->scope, d->name) != NONE || (!each && memo_get(&seen, d->name)))
                continue;
            memo_set(m->mem, &seen, d->name, 1);
            *vec_push(m->mem, &s->spots) = (struct size_place){d->name, i - from, k};
        }
    }
    memo_free(m->mem, &seen);
}

void
returned_sizes(struct sizing *s, jaxpr_t id, u32 from, bool once)
{
    struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    struct memo seen = {0};
    s->spots.n = 0;
    for (u32 i = from; i < j->n_outs; i++) {
        atom_t a = m->atoms.at[j->outs + i];
        const struct type *t = atom_array_type(m, a);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind != DIM_NAME || (once && memo_get(&seen, d->name)))
                continue;
            memo_set(m->mem, &seen, d->name, 1);
            *vec_push(m->mem, &s->spots) = (struct size_place){d->name, i - from, k};
        }
        if (atom_kind(a) == ATOM_VAR)
            memo_set(m->mem, &seen, m->vars.at[atom_id(a)].name, 1);
    }
    memo_free(m->mem, &seen);
}

bool
returns_once(const struct module *m, eqn_t e, const struct region_map *l)
{
    param_t p = eqn_param(m, e, SLICE("preserve_dimensions"));
    return l->kind != REGION_BRANCH && p != NONE && slice_eq(param_bytes(m, &m->params.at[p]), SLICE("True"));
}

param_t
implicit_param(const struct module *m, eqn_t e, const struct region_map *l)
{
    bool branch = l->kind == REGION_BRANCH;
    param_t p = eqn_param(m, e, branch ? SLICE("num_implicit_outputs") : SLICE("num_implicit_inputs"));
    return p != NONE ? p : eqn_param(m, e, branch ? SLICE("nimplicit_outputs") : SLICE("nimplicit"));
}

/* ---- edits ---- */

static void
finish(struct sizing *s, atom_t *a, bool resolve)
{
    if (atom_kind(*a) == ATOM_VAR) {
        u64 to = memo_get(&s->moved, atom_id(*a));
        if (to)
            *a = (atom_t)(to - 1);
    } else if (atom_kind(*a) == ATOM_NAME && resolve) {
        var_t v = binders_find(&s->scope, atom_id(*a));
        if (v != NONE)
            *a = atom_make(ATOM_VAR, v);
    }
}

void
finish_moved(struct sizing *s, jaxpr_t id, bool resolve)
{
    struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
            atom_t *a = &m->atoms.at[m->eqns.at[e].atoms + i];
            if (atom_kind(*a) != ATOM_REF) {
                finish(s, a, resolve);
                continue;
            }
            struct refexpr *ref = &m->refs.at[atom_id(*a)];
            finish(s, &ref->ref, resolve);
            for (u32 k = 0; k < ref->n_uses; k++)
                finish(s, &m->uses.at[ref->uses + k], resolve);
        }
    for (u32 i = 0; i < j->n_outs; i++)
        finish(s, &m->atoms.at[j->outs + i], resolve);
    memo_free(m->mem, &s->moved);
}

static void
move(struct sizing *s, var_t from, atom_t to)
{
    memo_set(s->m->mem, &s->moved, from, (u64)to + 1);
}

static void
forget(struct sizing *s, var_t v)
{
    move(s, v, atom_make(ATOM_NAME, s->m->vars.at[v].name));
}

void
binders_drop_run(struct sizing *s, jaxpr_t id, u32 at, u32 n)
{
    struct module *m = s->m;
    struct jaxpr *j = &m->jaxprs.at[id];
    u32 old = j->vars, count = jaxpr_binders(j);
    j->vars = m->vars.n;
    j->n_ins -= n;
    for (u32 i = 0; i < count; i++) {
        if (i >= at && i < at + n)
            forget(s, old + i);
        else
            move(s, old + i, atom_make(ATOM_VAR, var_append(m, old + i, NONE)));
    }
}

static var_t
append(struct module *m, name_t name, type_t type)
{
    for (var_t self = m->origins.n; self <= m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    *vec_push(m->mem, &m->vars) = (struct var){name, type};
    return m->vars.n - 1;
}

void
binders_add_run(struct sizing *s, jaxpr_t id, u32 at, u32 n, type_t type)
{
    struct module *m = s->m;
    struct jaxpr *j = &m->jaxprs.at[id];
    u32 old = j->vars, count = jaxpr_binders(j);
    j->vars = m->vars.n;
    j->n_ins += n;
    for (u32 i = 0; i < count + n; i++) {
        if (i >= at && i < at + n)
            append(m, s->spots.at[i - at].name, type);
        else
            move(s, old + i - (i >= at ? n : 0), atom_make(ATOM_VAR, var_append(m, old + i - (i >= at ? n : 0), NONE)));
    }
}

void
results_drop(struct sizing *s, eqn_t e, u32 n)
{
    struct eqn *eqn = &s->m->eqns.at[e];
    for (u32 i = 0; i < n; i++)
        forget(s, eqn->vars + i);
    eqn->vars += n;
    eqn->n_vars -= n;
}

void
results_add(struct sizing *s, eqn_t e, const name_t *names, u32 n, type_t type)
{
    struct module *m = s->m;
    struct eqn eqn = m->eqns.at[e];
    u32 first = m->vars.n;
    for (u32 i = 0; i < n; i++)
        append(m, names[i], type);
    for (u32 i = 0; i < eqn.n_vars; i++)
        move(s, eqn.vars + i, atom_make(ATOM_VAR, var_append(m, eqn.vars + i, NONE)));
    m->eqns.at[e].vars = first;
    m->eqns.at[e].n_vars = eqn.n_vars + n;
}

void
outs_drop(struct module *m, jaxpr_t j, u32 n)
{
    m->jaxprs.at[j].outs += n;
    m->jaxprs.at[j].n_outs -= n;
}

void
outs_add(struct module *m, jaxpr_t id, const atom_t *atoms, u32 n)
{
    struct jaxpr *j = &m->jaxprs.at[id];
    u32 first = m->atoms.n;
    for (u32 i = 0; i < n; i++)
        *vec_push(m->mem, &m->atoms) = atoms[i];
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = m->atoms.at[j->outs + i];
        *vec_push(m->mem, &m->atoms) = a;
    }
    j->outs = first;
    j->n_outs += n;
}

/* The width of a program's numbers, by its types. */
struct width {
    bool wide;    /* values that are not sizes have 64 bits */
    bool perhaps; /* values that may be sizes have 64 bits */
};

static void
look_width(const struct module *m, type_t type, struct width *w)
{
    const struct type *t = type == NONE ? NULL : type_array(m, type);
    bool wide = t && (t->dtype == DT_i64 || t->dtype == DT_f64);
    *(type_is_dim(m, type) ? &w->perhaps : &w->wide) |= wide;
}

type_t
sizes_type(struct module *m, const struct jaxprs *list, bool sure)
{
    struct width w = {false, false}, literal = {false, false};
    for (u32 i = 0; i < list->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        for (u32 k = 0; k < jaxpr_binders(j); k++)
            look_width(m, m->vars.at[j->vars + k].type, &w);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            const struct eqn *eqn = &m->eqns.at[e];
            for (u32 k = 0; k < eqn->n_vars; k++)
                look_width(m, m->vars.at[eqn->vars + k].type, &w);
            for (u32 k = 0; k < eqn->n_atoms; k++) {
                atom_t a = m->atoms.at[eqn->atoms + k];
                if (atom_kind(a) == ATOM_LIT && m->literals.at[atom_id(a)].type != NONE)
                    look_width(m, m->literals.at[atom_id(a)].type, &literal);
            }
        }
    }
    w.wide |= literal.wide || literal.perhaps;
    if (sure && w.perhaps && !w.wide)
        return NONE;
    return types_intern(&m->types, w.wide || w.perhaps ? SLICE("i64[]") : SLICE("i32[]"));
}

type_t
size_type(struct sizing *s, name_t name)
{
    struct module *m = s->m;
    var_t v = binders_find(&s->scope, name);
    if (v != NONE && type_is_dim(m, m->vars.at[v].type))
        return m->vars.at[v].type;
    return s->size;
}
