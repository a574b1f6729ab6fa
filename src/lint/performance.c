/* SPDX-License-Identifier: Apache-2.0
 *
 * P: work and memory that could be had for less, found in one look at an equation, a binder or a jaxpr. Linear. */
#include "lint/facts.h"

/* ---- P308 dead equations ------------------------------------------------------------------------------------------ */

/* takes one reader from each variable an equation reads */
static void
unread(const struct module *m, u32 *readers, const struct eqn *eqn)
{
    for (u32 i = 0; i < eqn->n_atoms; i++)
        if (atom_kind(m->atoms.at[eqn->atoms + i]) == ATOM_VAR)
            readers[atom_id(m->atoms.at[eqn->atoms + i])]--;
}

static bool
is_read(const struct module *m, const u32 *readers, const struct eqn *eqn)
{
    (void)m;
    for (u32 i = 0; i < eqn->n_vars; i++)
        if (readers[eqn->vars + i])
            return true;
    return false;
}

void
lint_P308(struct lint *l, u32 j)
{
    struct module *m = l->m;
    VEC(eqn_t) back = {0}, dead = {0};
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        *vec_push(m->mem, &back) = e;
    for (u32 i = back.n; i-- > 0;) {
        const struct eqn *eqn = &m->eqns.at[back.at[i]];
        if (is_read(m, l->readers, eqn) || !lint_is_pure(l, back.at[i]))
            continue;
        unread(m, l->readers, eqn);
        *vec_push(m->mem, &dead) = back.at[i];
    }
    for (u32 i = dead.n; i-- > 0;) {
        eqn_t e = dead.at[i];
        const struct eqn *eqn = &m->eqns.at[e];
        bool bare = eqn->n_vars == 0;
        struct span at = bare ? eqn_prim_span(m, e) : eqn_result_span(m, e, 0);
        if (lint_tell(l, e, at, "nobody needs %s%s that `%s` computes", eqn->n_vars > 1 ? "any of the results" : "the result",
                      bare ? "s" : "", lint_prim(l, e)))
            lint_drop(l, e);
    }
    vec_free(m->mem, &back);
    vec_free(m->mem, &dead);
}

/* ---- P311 equations that give back their operand -------------------------------------------------------------------- */

/* true where a tuple holds 0, 1, 2 .. */
static bool
counts_up(struct slice text)
{
    struct cursor c = cursor_of(text);
    i64 value;
    if (!value_open(&c))
        return false;
    for (i64 i = 0; value_int(&c, &value); i++) {
        if (value != i)
            return false;
        value_comma(&c);
    }
    return value_close(&c) && value_done(&c);
}

/* true where a tuple has no elements, or is None */
static bool
is_empty(struct slice text)
{
    struct cursor c = cursor_of(text);
    return slice_eq(text, SLICE("None")) || (value_open(&c) && value_close(&c) && value_done(&c));
}

static bool
param_is(const struct lint *l, eqn_t e, const char *key, bool (*test)(struct slice), bool missing)
{
    struct slice value;
    return lint_param(l, e, slice_of(key), &value) ? test(value) : missing;
}

/* equal types: that their operand has the shape of the result was printed by JAX, so only axes can still move */
static bool
gives_back(const struct lint *l, eqn_t e)
{
    struct slice name = slice_of(l->row->name), value;
    if (slice_eq(name, SLICE("transpose")))
        return param_is(l, e, "permutation", counts_up, false);
    if (slice_eq(name, SLICE("broadcast_in_dim")))
        return l->m->eqns.at[e].n_atoms == 1 && param_is(l, e, "broadcast_dimensions", counts_up, false);
    if (slice_eq(name, SLICE("rev")) || slice_eq(name, SLICE("squeeze")))
        return param_is(l, e, "dimensions", is_empty, false);
    if (slice_starts(name, SLICE("reduce_")))
        return param_is(l, e, "axes", is_empty, false);
    if (slice_eq(name, SLICE("integer_pow")))
        return lint_param(l, e, SLICE("y"), &value) && slice_eq(value, SLICE("1"));
    if (slice_eq(name, SLICE("reshape")))
        return l->m->eqns.at[e].n_atoms == 1 && param_is(l, e, "dimensions", is_empty, true);
    return true; /* convert_element_type, slice, concatenate of one, dynamic_slice, real: equal types are enough */
}

void
lint_P311(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    var_t from = lint_operand(l, e, 0);
    bool sliced = strcmp(l->row->name, "dynamic_slice") == 0;
    if (eqn->n_vars != 1 || (eqn->n_atoms != 1 && !sliced) || from == NONE || m->vars.at[from].type == NONE ||
        m->vars.at[from].type != m->vars.at[eqn->vars].type || strcmp(l->row->name, "copy") == 0 ||
        !type_array(m, m->vars.at[from].type) || !gives_back(l, e))
        return;
    bool cast = strcmp(l->row->name, "convert_element_type") == 0;
    if (lint_tell(l, e, eqn_prim_span(m, e), "`%s` gives back `%s`, which is %s already", lint_prim(l, e), lint_var(l, from),
                  lint_type(l, m->vars.at[from].type)) && !cast)
        lint_replace(l, e, eqn->vars, from);
}
