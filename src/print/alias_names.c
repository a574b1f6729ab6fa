/* SPDX-License-Identifier: Apache-2.0
 *
 * Twins: nested programs that stand in the text twice with the same names inside. Up to 0.10.0 JAX prints one jaxpr
 * object in full at several places (inside a `let` and again as a later `let` of its own), and an object keeps the
 * names it was given first; in any version several jaxprs may hold the same variables, as those do that were made of
 * one. Text does not tell objects apart, but equal bytes under equal names come from the same variables only; what a
 * pass made of them has the same ones where they had. A fingerprint of each nested jaxpr, innermost first, finds them;
 * linear. */
#include "print/renaming.h"

static u64
mix(u64 h, u64 value)
{
    return hash_bytes(h, (const char *)&value, sizeof value);
}

static u64
mix_binders(const struct module *m, u64 h, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++)
        h = mix(h, (u64)(m->vars.at[vars + i].name & NAME_MASK) << 32 | m->vars.at[vars + i].type);
    return mix(h, n);
}

static u64
mix_atoms(const struct module *m, u64 h, u32 atoms, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        atom_t a = m->atoms.at[atoms + i];
        u32 id = atom_id(a);
        if (atom_kind(a) == ATOM_LIT)
            h = mix(hash_slice(h, module_bytes(m, m->literals.at[id].value)), m->literals.at[id].type);
        else if (atom_kind(a) == ATOM_REF)
            h = hash_slice(h, module_bytes(m, m->refs.at[id].index));
        else
            h = mix(h, atom_kind(a) == ATOM_VAR ? m->vars.at[id].name & NAME_MASK : id);
    }
    return mix(h, n);
}

static u64
mix_segments(const struct naming *n, u64 h, u32 segment)
{
    const struct module *m = n->m;
    for (u32 s = segment; s != NONE; s = m->segments.at[s].next)
        h = m->segments.at[s].kind == SEGMENT_JAXPR ? mix(h, memo_get(&n->prints, m->segments.at[s].a))
                                                    : hash_slice(h, module_bytes(m, m->segments.at[s].span));
    return h;
}

static u64
mix_params(const struct naming *n, u64 h, param_t params)
{
    const struct module *m = n->m;
    for (param_t p = params; p != NONE; p = m->params.at[p].next) {
        const struct param *v = &m->params.at[p];
        h = mix(h, v->key);
        if (v->kind == PARAM_JAXPR)
            h = mix(h, memo_get(&n->prints, v->a));
        else if (v->kind == PARAM_TUPLE)
            h = mix_segments(n, h, v->a);
        else
            h = hash_slice(h, module_bytes(m, v->span));
    }
    return h;
}

static u64
fingerprint(const struct naming *n, jaxpr_t id)
{
    const struct module *m = n->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    u64 h = mix(m->names.seed, j->n_consts);
    h = mix_binders(m, h, j->vars, j->n_consts + j->n_ins);
    for (eqn_t i = j->eqns; i != NONE; i = m->eqns.at[i].next) {
        const struct eqn *e = &m->eqns.at[i];
        h = mix(h, (u64)e->form << 32 | e->prim);
        h = mix_binders(m, h, e->vars, e->n_vars);
        h = mix_params(n, h, e->params);
        h = mix_atoms(m, h, e->atoms, e->n_atoms);
    }
    return mix_atoms(m, h, j->outs, j->n_outs);
}

void
twins_prepare(struct naming *n, const jaxpr_t *jaxprs, u32 count)
{
    for (u32 i = count > 1 ? count : 0; i-- > 0;) {
        u64 print = fingerprint(n, jaxprs[i]);
        jaxpr_t origin = jaxpr_origin(n->m, jaxprs[i]); /* which stands behind its copy in the list */
        if (origin != NONE)
            print = mix(print, memo_get(&n->prints, origin));
        memo_set(n->m->mem, &n->prints, jaxprs[i], print | 1);
    }
}

jaxpr_t
twin_find(const struct naming *n, jaxpr_t j)
{
    u64 print = memo_get(&n->prints, j);
    u64 first = print == 0 ? 0 : memo_get(&n->firsts, (u32)(print >> 33));
    return first != 0 && memo_get(&n->prints, (u32)first - 1) == print ? (jaxpr_t)first - 1 : NONE;
}

void
twin_record(struct naming *n, jaxpr_t j)
{
    u64 print = memo_get(&n->prints, j);
    if (print != 0)
        memo_set(n->m->mem, &n->firsts, (u32)(print >> 33), (u64)j + 1);
}

static void
copy_names(struct module *m, u32 to, u32 from, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        name_t *name = &m->vars.at[var_origin(m, to + i)].name;
        *name = (m->vars.at[var_origin(m, from + i)].name & ~VAR_USED) | (*name & VAR_USED);
    }
}

void
twin_copy(struct naming *n, jaxpr_t to, jaxpr_t from)
{
    struct module *m = n->m;
    const struct jaxpr *a = &m->jaxprs.at[to], *b = &m->jaxprs.at[from];
    copy_names(m, a->vars, b->vars, a->n_consts + a->n_ins);
    for (eqn_t e = a->eqns, f = b->eqns; e != NONE && f != NONE; e = m->eqns.at[e].next, f = m->eqns.at[f].next)
        copy_names(m, m->eqns.at[e].vars, m->eqns.at[f].vars, m->eqns.at[e].n_vars);
}
