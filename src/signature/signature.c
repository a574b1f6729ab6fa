/* SPDX-License-Identifier: Apache-2.0
 *
 * in_type and out_type of a program, derived from its binders and results. Positions are found by variable, in arrays
 * that are stamped rather than cleared; linear in the program. */
#include "signature/signature.h"

#include "base/memo.h"
#include "ir/reach.h"

static bool
module_has_references(const struct module *m)
{
    for (u32 i = 0; i < m->types.dims.n; i++)
        if (m->types.dims.at[i].kind == DIM_INDBIDX || m->types.dims.at[i].kind == DIM_OUTDBIDX)
            return true;
    return false;
}

void
signer_init(struct signer *s, struct module *m)
{
    size_t n = m->vars.n + 1;
    *s = (struct signer){.m = m};
    binders_init(&s->binders[0], m);
    binders_init(&s->binders[1], m);
    s->out_stamp = mem_zeroed(m->mem, n * sizeof *s->out_stamp);
    s->out_first = mem_alloc(m->mem, n * sizeof *s->out_first);
    for (u32 i = 0; i < m->types.list.n && !s->wide; i++) {
        dtype_t t = m->types.list.at[i].kind == TYPE_ARRAY ? m->types.list.at[i].dtype : NONE;
        s->wide = t == DT_i64 || t == DT_f64 || t == DT_u64 || t == DT_c128;
    }
    if (!module_has_references(m))
        return;
    s->owners = mem_nones(m->mem, n);
    for (eqn_t e = 0; e < m->eqns.n; e++)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            s->owners[m->eqns.at[e].vars + i] = e;
}

void
signer_drop(struct signer *s)
{
    binders_drop(&s->binders[0]);
    binders_drop(&s->binders[1]);
    mem_free_all(s->m->mem, s->out_stamp, s->out_first, s->owners);
}

/* The state of a derivation. */
struct deriving {
    struct signer *s;
    const struct jaxpr *jaxpr;
    jaxpr_t j;
    bool variables;
    u32 base;           /* the position among constants and arguments of DBIdx(0) */
    bool counted;       /* some InDBIdx refers to constants and arguments */
    u32 index;          /* position of a loop's index; NONE if there is none */
    struct memo called; /* sizes that a jit returns together with their arrays */
    struct sink text;
};

static struct size
var_size(const struct deriving *d, var_t v, const struct dim *dim)
{
    eqn_t owner = d->s->owners && !d->s->as_jax ? d->s->owners[v] : NONE; /* JAX does not use it */
    return size_of_dim(d->s->m, d->variables ? &d->s->binders[0] : NULL, dim, d->j, owner);
}

/* the position of a variable among constants and arguments, or NONE */
static u32
in_position(const struct deriving *d, var_t v)
{
    u32 n = jaxpr_binders(d->jaxpr);
    return v >= d->jaxpr->vars && v - d->jaxpr->vars < n ? v - d->jaxpr->vars : NONE;
}

static void
write_dim(struct deriving *d, var_t v, const struct dim *dim, bool out)
{
    static const char *const references[] = {
        [DIM_DBIDX] = "DBIdx", [DIM_INDBIDX] = "InDBIdx", [DIM_OUTDBIDX] = "OutDBIdx"};
    struct size size = var_size(d, v, dim);
    u32 in = size.kind == SIZE_VAR ? in_position(d, size.var) : NONE;
    if (out && in != NONE && in == d->index && d->s->out_stamp[size.var] == d->s->stamp)
        in = NONE;
    if (size.kind == SIZE_INT)
        sink_printf(&d->text, "%lld", (long long)size.value);
    else if (in != NONE)
        sink_printf(&d->text, "%s(%u)", out ? "InDBIdx" : "DBIdx", out ? in : in - d->base), d->counted |= out;
    else if (out && size.kind == SIZE_VAR && d->s->out_stamp[size.var] == d->s->stamp)
        sink_printf(&d->text, "OutDBIdx(%u)", d->s->out_first[size.var]);
    else if (dim->kind == DIM_DBIDX || dim->kind == DIM_INDBIDX || dim->kind == DIM_OUTDBIDX)
        sink_printf(&d->text, "%s(%lld)", references[dim->kind], (long long)dim->value);
    else
        sink_slice(&d->text, dim->text);
}

/* the type of a variable with references as its dims */
static type_t
refer(struct deriving *d, var_t v, bool out)
{
    struct module *m = d->s->m;
    type_t id = m->vars.at[v].type;
    const struct type *t = id == NONE ? NULL : type_get(&m->types, id), *array = type_array(m, id);
    if (!array || !array->dynamic)
        return id;
    struct slice text = array->text;
    const char *at = text.at, *end = text.at + text.n;
    d->text.n = 0;
    if (t != array)
        sink_write(&d->text, t->text.at, (size_t)((const char *)memchr(t->text.at, '{', t->text.n) + 1 - t->text.at));
    for (u32 i = 0; i < array->rank; i++) {
        const struct dim *dim = &type_dims(&m->types, array)[i];
        sink_write(&d->text, at, (size_t)(dim->text.at - at));
        write_dim(d, v, dim, out);
        at = dim->text.at + dim->text.n;
    }
    sink_write(&d->text, at, (size_t)(end - at));
    if (t != array)
        sink_char(&d->text, '}');
    return types_intern(&m->types, arena_copy(m->mem, (struct slice){d->text.at, d->text.n}));
}

/* ---- in_type ---- */

/* marks which constants and arguments are dims of arguments; true if a constant is one */
static bool
mark_dims(struct deriving *d, u8 *is_dim)
{
    const struct module *m = d->s->m;
    bool constant = false;
    for (u32 i = d->jaxpr->n_consts; i < jaxpr_binders(d->jaxpr); i++) {
        var_t v = d->jaxpr->vars + i;
        const struct type *t = type_array(m, m->vars.at[v].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            struct size size = var_size(d, v, &type_dims(&m->types, t)[k]);
            u32 at = size.kind == SIZE_VAR ? in_position(d, size.var) : NONE;
            if (at == NONE)
                continue;
            is_dim[at] |= at < i;
            constant |= at < d->jaxpr->n_consts;
        }
    }
    return constant;
}

static void
derive_in(struct deriving *d, struct signature *out)
{
    struct module *m = d->s->m;
    u32 n_consts = d->jaxpr->n_consts, n = n_consts + d->jaxpr->n_ins;
    u8 *is_dim = mem_zeroed(m->mem, n + 1);
    d->base = mark_dims(d, is_dim) || (d->counted && !d->s->as_jax) ? 0 : n_consts;
    bool leading = true;
    for (u32 i = d->base; i < n; i++) {
        if (i >= n_consts)
            leading &= is_dim[i] && type_is_dim(m, m->vars.at[d->jaxpr->vars + i].type);
        struct sig_entry entry = {refer(d, d->jaxpr->vars + i, false), i < n_consts ? SIG_CONSTANT
                                                                       : leading    ? SIG_IMPLICIT
                                                                                    : SIG_EXPLICIT};
        *vec_push(m->mem, &out->in) = entry;
        if (!leading && d->index == NONE && d->s->loops && i > n_consts &&
            out->in.at[out->in.n - 2].flag == SIG_IMPLICIT && type_is_dim(m, m->vars.at[d->jaxpr->vars + i].type))
            d->index = i;
    }
    mem_free(m->mem, is_dim);
}

/* ---- out_type ---- */

static void
returned(struct deriving *d, var_t v, u32 at)
{
    if (d->s->out_stamp[v] == d->s->stamp && (!d->s->as_jax || memo_get(&d->called, v)))
        return;
    d->s->out_stamp[v] = d->s->stamp;
    d->s->out_first[v] = at;
}

/* the type of a literal result; an untyped number has the width of the widest type in the module */
static type_t
literal_type(struct signer *s, const struct literal *l)
{
    struct module *m = s->m;
    bool wide = s->wide;
    if (l->type != NONE)
        return l->type;
    switch (l->kind) {
    case LIT_INT:
        return types_intern(&m->types, wide ? SLICE("i64[]") : SLICE("i32[]"));
    case LIT_FLOAT:
        return types_intern(&m->types, wide ? SLICE("f64[]") : SLICE("f32[]"));
    case LIT_BOOL:
        return types_intern(&m->types, SLICE("bool[]"));
    default:
        return NONE;
    }
}

/* appends the dims of results that are neither arguments nor earlier results, from left to right */
static void
derive_implicit(struct deriving *d, void *list)
{
    VEC(var_t) *implicit = list;
    struct module *m = d->s->m;
    struct signer *s = d->s;
    s->stamp++; /* until the next increment, stamps mark variables that were seen */
    for (u32 i = 0; i < d->jaxpr->n_outs; i++) {
        atom_t a = m->atoms.at[d->jaxpr->outs + i];
        if (atom_kind(a) != ATOM_VAR)
            continue;
        var_t v = atom_id(a);
        s->out_stamp[v] = s->stamp;
        const struct type *t = type_array(m, m->vars.at[v].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            struct size size = var_size(d, v, &type_dims(&m->types, t)[k]);
            if (size.kind != SIZE_VAR || in_position(d, size.var) != NONE || s->out_stamp[size.var] == s->stamp)
                continue;
            s->out_stamp[size.var] = s->stamp;
            *vec_push(m->mem, implicit) = size.var;
        }
    }
    s->stamp++;
}

/* finds the sizes that a jit returns together with their arrays: in JAX the size in the type is another tracer than the
 * result, so such a size is returned again first, and its first occurrence is the implicit one */
static void
find_called(struct deriving *d)
{
    struct module *m = d->s->m;
    for (eqn_t e = d->jaxpr->eqns; e != NONE && d->s->as_jax; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        if (eqn->n_vars < 2 || (!prim_is(m, e, SLICE("jit")) && !prim_is(m, e, SLICE("pjit"))))
            continue;
        for (u32 i = 0; i < eqn->n_vars; i++) {
            const struct type *t = type_array(m, m->vars.at[eqn->vars + i].type);
            for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
                struct size size = var_size(d, eqn->vars + i, &type_dims(&m->types, t)[k]);
                if (size.kind == SIZE_VAR && size.var - eqn->vars < eqn->n_vars)
                    memo_set(m->mem, &d->called, size.var, 1);
            }
        }
    }
}

/* marks leading integer scalars that later entries refer to as implicit */
static void
mark_implicit_results(struct deriving *d, struct signature *out)
{
    struct module *m = d->s->m;
    u8 *is_dim = mem_zeroed(m->mem, out->out.n + 1);
    for (u32 i = 0; i < out->out.n; i++) {
        const struct type *t = type_array(m, out->out.at[i].type);
        for (u32 k = 0; t && k < t->rank; k++) {
            const struct dim *dim = &type_dims(&m->types, t)[k];
            if (dim->kind == DIM_OUTDBIDX && dim->value >= 0 && dim->value < i)
                is_dim[dim->value] = 1;
        }
    }
    for (u32 i = 0; i < out->out.n && is_dim[i] && type_is_dim(m, out->out.at[i].type); i++)
        out->out.at[i].flag = SIG_IMPLICIT;
    mem_free(m->mem, is_dim);
}

static void
derive_out(struct deriving *d, struct signature *out)
{
    struct module *m = d->s->m;
    VEC(var_t) implicit = {0};
    find_called(d);
    derive_implicit(d, &implicit);
    for (u32 i = 0; i < implicit.n; i++)
        returned(d, implicit.at[i], i);
    for (u32 i = 0; i < d->jaxpr->n_outs; i++) {
        atom_t a = m->atoms.at[d->jaxpr->outs + i];
        if (atom_kind(a) == ATOM_VAR)
            returned(d, atom_id(a), implicit.n + i);
    }
    for (u32 i = 0; i < implicit.n; i++)
        *vec_push(m->mem, &out->out) = (struct sig_entry){m->vars.at[implicit.at[i]].type, SIG_EXPLICIT};
    for (u32 i = 0; i < d->jaxpr->n_outs; i++) {
        atom_t a = m->atoms.at[d->jaxpr->outs + i];
        type_t type = atom_kind(a) == ATOM_VAR   ? refer(d, atom_id(a), true)
                      : atom_kind(a) == ATOM_LIT ? literal_type(d->s, &m->literals.at[atom_id(a)])
                                                 : NONE;
        *vec_push(m->mem, &out->out) = (struct sig_entry){type, SIG_EXPLICIT};
    }
    vec_free(m->mem, &implicit);
    mark_implicit_results(d, out);
}

void
signature_derive(struct signer *s, jaxpr_t j, bool variables, struct signature *out)
{
    struct module *m = s->m;
    struct deriving d = {.s = s, .j = j, .jaxpr = &m->jaxprs.at[j], .variables = variables, .index = NONE};
    sink_init_memory(&d.text, m->mem);
    out->in.n = out->out.n = 0;
    binders_open(&s->binders[0]);
    for (u32 i = 0; i < jaxpr_binders(d.jaxpr); i++)
        binders_bind(&s->binders[0], d.jaxpr->vars + i);
    for (eqn_t e = d.jaxpr->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            binders_bind(&s->binders[0], m->eqns.at[e].vars + i);
    derive_in(&d, out);
    derive_out(&d, out);
    if (d.counted && d.base && !s->as_jax) {
        out->in.n = 0;
        derive_in(&d, out);
    }
    mem_free(m->mem, d.text.at);
    memo_free(m->mem, &d.called);
}
