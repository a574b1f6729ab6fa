/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures as Catalyst's expansion strategies make them (catalyst/jax_extras/tracing.py, expand_args and
 * infer_output_type, 0.7 to 0.15; the drafts before 0.7). Sizes are identified by name: depending on the strategy, a
 * size in an argument's type that nothing binds becomes an implicit argument, and a size in a result's type an implicit
 * result. Linear in the types. */
#include "signature/expand.h"

#include "base/memo.h"
#include "base/sink.h"
#include "types/implicit_args.h"
#include "resolve/dim_resolve.h"

/* The state of an expansion. */
struct growing {
    struct module *m;
    const struct jaxpr *j;
    const struct strategy *how;
    struct memo bound; /* by name: nonzero if a constant or argument has it */
    struct memo ins;   /* by name: its position among constants and expanded arguments, plus one */
    struct memo outs;  /* by name: its position among the expanded results, plus one */
    VEC(name_t) implicit;
    struct sink text;
};

static const struct type *
out_array(const struct growing *g, u32 i)
{
    atom_t a = g->m->atoms.at[g->j->outs + i];
    return atom_kind(a) == ATOM_VAR ? type_array(g->m, g->m->vars.at[atom_id(a)].type) : NULL;
}

/* the type of sizes: of the variable with this name, else the widest type in the module */
static type_t
size_type(const struct growing *g, const struct binders *scope, name_t name)
{
    struct module *m = g->m;
    var_t v = binders_find(scope, name);
    if (v != NONE && m->vars.at[v].type != NONE)
        return m->vars.at[v].type;
    return types_size_type(&m->types);
}

/* a type whose sizes are written by `put` */
static type_t
with_sizes(struct growing *g, type_t id, void (*put)(struct growing *g, const struct dim *d, void *user), void *user)
{
    const struct type *t = id == NONE ? NULL : type_get(&g->m->types, id), *array = type_array(g->m, id);
    if (!array || !array->dynamic || array != t)
        return id;
    const char *at = array->text.at, *end = at + array->text.n;
    g->text.n = 0;
    for (u32 k = 0; k < array->rank; k++) {
        const struct dim *d = &type_dims(&g->m->types, array)[k];
        sink_write(&g->text, at, (size_t)(d->text.at - at));
        put(g, d, user);
        at = d->text.at + d->text.n;
    }
    sink_write(&g->text, at, (size_t)(end - at));
    return types_intern(&g->m->types, arena_copy(g->m->mem, (struct slice){g->text.at, g->text.n}));
}

/* ---- arguments ---- */

/* writes a size of an argument as `DBIdx`; *user is the next implicit argument if every occurrence has its own */
static void
write_argument(struct growing *g, const struct dim *d, void *user)
{
    u32 *next = user;
    u64 at = d->kind == DIM_NAME ? memo_get(&g->ins, d->name) : 0;
    bool own = d->kind == DIM_NAME && g->how->unshare && !memo_get(&g->bound, d->name);
    if (own)
        sink_printf(&g->text, "DBIdx(%u)", (*next)++);
    else if (at)
        sink_printf(&g->text, "DBIdx(%u)", (u32)at - 1);
    else
        sink_slice(&g->text, d->text); /* a variable of the outer program, which may become a constant */
}

static void
grow_arguments(struct growing *g, const struct binders *scope, struct signature *out)
{
    struct module *m = g->m;
    u32 consts = g->j->n_consts, n = consts + g->j->n_ins;
    for (u32 i = 0; i < n; i++)
        memo_set(m->mem, &g->bound, m->vars.at[g->j->vars + i].name, 1);
    g->implicit.n = 0;
    for (u32 i = consts; i < n && (g->how->unshare || g->how->draft); i++) {
        const struct type *t = type_array(m, m->vars.at[g->j->vars + i].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind != DIM_NAME || memo_get(&g->bound, d->name) || (!g->how->unshare && memo_get(&g->ins, d->name)))
                continue;
            if (!memo_get(&g->ins, d->name))
                memo_set(m->mem, &g->ins, d->name, (u64)consts + g->implicit.n + 1);
            *vec_push(m->mem, &g->implicit) = d->name;
        }
    }
    u32 next = consts;
    for (u32 i = 0; i < n; i++)
        memo_set(m->mem, &g->ins, m->vars.at[g->j->vars + i].name, (u64)i + (i < consts ? 0 : g->implicit.n) + 1);
    for (u32 i = 0; i < consts; i++)
        *vec_push(m->mem, &out->in) =
            (struct sig_entry){with_sizes(g, m->vars.at[g->j->vars + i].type, write_argument, &next), SIG_CONSTANT};
    for (u32 i = 0; i < g->implicit.n; i++)
        *vec_push(m->mem, &out->in) = (struct sig_entry){size_type(g, scope, g->implicit.at[i]), SIG_IMPLICIT};
    for (u32 i = consts; i < n; i++)
        *vec_push(m->mem, &out->in) =
            (struct sig_entry){with_sizes(g, m->vars.at[g->j->vars + i].type, write_argument, &next), SIG_EXPLICIT};
}

/* marks leading arguments that are sizes of later ones as implicit: they were expanded already */
static void
mark_expanded(const struct growing *g, struct signature *out)
{
    struct module *m = g->m;
    u32 consts = g->j->n_consts, first = consts + g->implicit.n;
    struct memo named = {0};
    for (u32 i = out->in.n; i-- > first;) {
        const struct type *t = type_array(m, out->in.at[i].type);
        if (type_is_dim(m, out->in.at[i].type) && memo_get(&named, i))
            out->in.at[i].flag = SIG_IMPLICIT;
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind == DIM_DBIDX && d->value >= 0 && d->value < i)
                memo_set(m->mem, &named, (u32)d->value, 1);
        }
    }
    bool leading = true;
    for (u32 i = first; i < out->in.n; i++) {
        leading &= out->in.at[i].flag == SIG_IMPLICIT;
        if (!leading)
            out->in.at[i].flag = SIG_EXPLICIT;
    }
    memo_free(m->mem, &named);
}

void
signature_expand_arguments(struct module *m, jaxpr_t id, const struct strategy *how, const struct binders *scope,
                           struct signature *out)
{
    struct growing g = {.m = m, .j = &m->jaxprs.at[id], .how = how};
    sink_init_memory(&g.text, m->mem);
    out->in.n = out->out.n = 0;
    grow_arguments(&g, scope, out);
    mark_expanded(&g, out);
    mem_free_all(m->mem, g.bound.slots, g.ins.slots, g.implicit.at, g.text.at);
}

/* ---- results ---- */

/* finds the implicit results that results from `first` on need: each new size or, if unshared, every occurrence of a
 * size */
static void
implicit_results(struct growing *g, u32 first)
{
    struct module *m = g->m;
    struct memo seen = {0};
    bool inputs = g->how->draft && !g->how->inputs, constants = inputs || (!g->how->draft && !g->how->unshare);
    u32 known = inputs ? jaxpr_binders(g->j) : constants ? g->j->n_consts : 0;
    for (u32 i = 0; i < known; i++)
        memo_set(m->mem, &seen, m->vars.at[g->j->vars + i].name, 1);
    g->implicit.n = 0;
    for (u32 i = first; i < g->j->n_outs; i++) {
        const struct type *t = out_array(g, i);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind != DIM_NAME || memo_get(&seen, d->name))
                continue;
            *vec_push(m->mem, &g->implicit) = d->name;
            if (!g->how->unshare)
                memo_set(m->mem, &seen, d->name, 1);
        }
        atom_t a = m->atoms.at[g->j->outs + i];
        if (!g->how->unshare && atom_kind(a) == ATOM_VAR)
            memo_set(m->mem, &seen, m->vars.at[atom_id(a)].name, 1);
    }
    memo_free(m->mem, &seen);
}

/* how many leading results an earlier expansion added */
static u32
expanded_results(struct growing *g)
{
    struct module *m = g->m;
    VEC(name_t) leading = {0};
    for (u32 i = 0; i < g->j->n_outs; i++) {
        atom_t a = m->atoms.at[g->j->outs + i];
        if (atom_kind(a) != ATOM_VAR || !type_is_dim(m, m->vars.at[atom_id(a)].type))
            break;
        *vec_push(m->mem, &leading) = m->vars.at[atom_id(a)].name;
    }
    implicit_results(g, leading.n);
    u32 n = g->implicit.n, same = 0;
    if (!g->how->unshare)
        n = leading_sizes(m->mem, leading.at, leading.n, g->implicit.at, n);
    while (g->how->unshare && same < n && same < leading.n && g->implicit.at[same] == leading.at[same])
        same++;
    vec_free(m->mem, &leading);
    g->implicit.n = 0;
    return g->how->unshare && same < n ? 0 : n;
}

/* The target of a reference to the index of a loop. */
struct indexing {
    struct diags *ds;
    struct span at, bound; /* the places of the result and of the loop index */
    u32 index;  /* its position among constants and arguments; NONE if the strategy allows references to it */
    u32 first;  /* the first result that returns it; NONE: none does */
    u32 result; /* the position of the current result */
};

static void
write_result(struct growing *g, const struct dim *d, void *user)
{
    struct indexing *x = user;
    u64 in = d->kind == DIM_NAME ? memo_get(&g->ins, d->name) : 0,
        out = d->kind == DIM_NAME ? memo_get(&g->outs, d->name) : 0;
    if (in && in - 1 == x->index && x->first != NONE && x->first < x->result) {
        sink_printf(&g->text, "OutDBIdx(%u)", x->first);
        return;
    }
    if (in && in - 1 == x->index) {
        const char *size = diag_quote(x->ds, d->text);
        const char *result = diag_quote(x->ds, module_bytes(g->m, x->at));
        diag_add(x->ds, DIAG_D129, x->at.at, x->at.n,
                 "the body of a loop must return the loop index `%s` before `%s`, which has `%s` as a size", size,
                 result, size);
        diag_note(x->ds, x->bound.at, x->bound.n, "`%s` is bound here", size);
        diag_note(x->ds, NONE, 0, "return `%s` before `%s`", size, result);
    }
    if (in)
        sink_printf(&g->text, "InDBIdx(%u)", (u32)in - 1);
    else if (out)
        sink_printf(&g->text, "OutDBIdx(%u)", (u32)out - 1);
    else
        sink_slice(&g->text, d->text);
}

static void
returned(struct growing *g, name_t name, u32 at)
{
    if (g->how->last || !memo_get(&g->outs, name))
        memo_set(g->m->mem, &g->outs, name, (u64)at + 1);
}

void
signature_expand_results(struct module *m, struct diags *ds, jaxpr_t id, const struct strategy *how,
                         const struct binders *scope, struct signature *out)
{
    struct growing g = {.m = m, .j = &m->jaxprs.at[id], .how = how};
    struct indexing x = {.ds = ds, .index = NONE, .first = NONE};
    u32 consts = g.j->n_consts, grown = out->in.n - consts - g.j->n_ins, implicit = 0;
    sink_init_memory(&g.text, m->mem);
    struct signature again = {0}; /* for the positions only */
    grow_arguments(&g, scope, &again);
    vec_free(m->mem, &again.in);
    for (u32 i = consts; i < out->in.n; i++)
        implicit += out->in.at[i].flag == SIG_IMPLICIT;
    if (how->index && consts + implicit < out->in.n)
        x.index = consts + implicit;
    u32 expanded = how->ready ? expanded_results(&g) : 0;
    if (!how->ready)
        implicit_results(&g, 0);
    for (u32 i = 0; i < g.implicit.n; i++)
        returned(&g, g.implicit.at[i], i);
    for (u32 i = 0; i < g.j->n_outs; i++) {
        atom_t a = m->atoms.at[g.j->outs + i];
        if (atom_kind(a) == ATOM_VAR)
            returned(&g, m->vars.at[atom_id(a)].name, g.implicit.n + i);
    }
    name_t index = x.index == NONE ? NONE : m->vars.at[g.j->vars + x.index - grown].name;
    if (x.index != NONE)
        x.bound = jaxpr_binder_span(m, id, x.index - grown);
    for (u32 i = 0; i < g.implicit.n + g.j->n_outs && x.first == NONE && index != NONE; i++) {
        atom_t a = i < g.implicit.n ? 0 : m->atoms.at[g.j->outs + i - g.implicit.n];
        bool is = i < g.implicit.n ? g.implicit.at[i] == index
                                   : atom_kind(a) == ATOM_VAR && m->vars.at[atom_id(a)].name == index;
        x.first = is ? i : NONE;
    }
    for (u32 i = 0; i < g.implicit.n; i++)
        *vec_push(m->mem, &out->out) = (struct sig_entry){size_type(&g, scope, g.implicit.at[i]), SIG_IMPLICIT};
    for (u32 i = 0; i < g.j->n_outs; i++) {
        atom_t a = m->atoms.at[g.j->outs + i];
        x.result = g.implicit.n + i;
        x.at = jaxpr_out_span(m, id, i);
        u8 flag = i < expanded ? SIG_IMPLICIT : SIG_EXPLICIT;
        *vec_push(m->mem, &out->out) = (struct sig_entry){with_sizes(&g, atom_type(m, a), write_result, &x), flag};
    }
    mem_free_all(m->mem, g.bound.slots, g.ins.slots, g.outs.slots, g.implicit.at, g.text.at);
}
