/* SPDX-License-Identifier: Apache-2.0
 *
 * Types: element types spelled short, dims that are variables by their numbers, refs without the spaces that
 * versions print differently. Linear in the text; the names of a jaxpr are collected for its first dim that is a
 * name. */
#include "canon/canon.h"

/* notes variables that a size may name: any variable, as one that is not an integer is also printed and renamed */
static void
find_dims(struct canon *c, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++)
        memo_set(c->m->mem, &c->dims, c->m->vars.at[vars + i].name, (u64)vars + i + 1);
}

var_t
canon_size(struct canon *c, const struct dim *d)
{
    struct module *m = c->m;
    if (d->kind != DIM_NAME || !c->mode.variables)
        return NONE;
    if (c->dims.n == 0) {
        const struct jaxpr *j = &m->jaxprs.at[c->at.jaxpr];
        find_dims(c, j->vars, jaxpr_binders(j));
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            find_dims(c, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
        memo_set(m->mem, &c->dims, NAME_MASK, 1); /* so that the table is not empty */
    }
    u64 v = memo_get(&c->dims, d->name);
    return v ? (var_t)(v - 1) : NONE;
}

static void
write_dim(struct canon *c, struct sink *out, const struct dim *d)
{
    var_t v = canon_size(c, d);
    if (v != NONE && c->number[v] != NONE)
        sink_printf(out, "#%u", c->number[v]);
    else if (v != NONE)
        sink_char(out, '#'); /* bound later, which is an error: its number is not known while the order is computed */
    else
        sink_slice(out, d->text);
    if (d->sharding.n) {
        sink_char(out, '@');
        sink_slice(out, d->sharding);
    }
}

static void
write_type(struct canon *c, struct sink *out, type_t id)
{
    const struct types *types = &c->m->types;
    const struct type *t = type_get(types, id);
    if (t->kind == TYPE_REF && t->inner != NONE) {
        sink_printf(out, "Ref");
        if (t->space.n && !slice_eq(t->space, SLICE("default")) && !slice_eq(t->space, SLICE("None")))
            sink_printf(out, "<%.*s>", (int)t->space.n, t->space.at);
        sink_char(out, '{');
        t = type_get(types, t->inner);
        if (t->kind == TYPE_REF) { /* never printed by JAX */
            sink_slice(out, t->text);
            sink_char(out, '}');
            return;
        }
    }
    bool ref = type_get(types, id)->kind == TYPE_REF;
    if (t->kind == TYPE_ARRAY) {
        const struct dim *dims = type_dims(types, t);
        sink_slice(out, dtype_text(&c->m->names, t->dtype));
        if (t->space.n)
            sink_printf(out, "<%.*s>", (int)t->space.n, t->space.at);
        sink_char(out, '[');
        for (u32 i = 0; i < t->rank; i++) {
            if (i > 0)
                sink_char(out, ',');
            write_dim(c, out, &dims[i]);
        }
        sink_char(out, ']');
        for (size_t i = 0; i < t->vary.n; i++)
            if (t->vary.at[i] != ' ' || i == 0 || !strchr(":,", t->vary.at[i - 1])) /* `{V: x}` */
                sink_char(out, t->vary.at[i]);
    } else {
        canon_value(c->m->mem, out, t->text);
    }
    if (ref)
        sink_char(out, '}');
}

/* true if a type means the same in every scope */
static bool
is_constant(const struct types *types, const struct type *t)
{
    return !t->dynamic && (t->kind != TYPE_REF || t->inner == NONE || !type_get(types, t->inner)->dynamic);
}

void
canon_type(struct canon *c, struct sink *out, type_t id)
{
    if (id == NONE)
        return;
    if (id < c->types.n && c->types.at[id].n) {
        sink_slice(out, c->types.at[id]);
        return;
    }
    size_t from = out->n;
    write_type(c, out, id);
    if (!is_constant(&c->m->types, type_get(&c->m->types, id)))
        return;
    while (c->types.n <= id)
        *vec_push(c->m->mem, &c->types) = (struct slice){"", 0};
    c->types.at[id] = arena_copy(c->m->mem, (struct slice){out->at + from, out->n - from});
}

bool
canon_writes_alike(struct canon *c, type_t id)
{
    size_t from = c->scratch.n;
    canon_type(c, &c->scratch, id);
    canon_cut(c, from);
    return id < c->types.n && c->types.at[id].n > 0;
}
