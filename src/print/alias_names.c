/* SPDX-License-Identifier: Apache-2.0
 *
 * Duplicates: nested programs that occur twice in the text with the same names. Up to 0.10.0 JAX prints one jaxpr
 * object in full at several places (inside a `let` and again as a later `let` of its own) with the names that it got
 * first; in any version, jaxprs derived from one may share its variables. Text does not distinguish objects, but equal
 * bytes with equal names only come from the same variables; copies made by passes share them, too. A fingerprint of
 * each nested jaxpr, innermost first, finds duplicates; linear. */
#include "ir/identity.h"
#include "print/renaming.h"

static u64
name_of(const void *naming, var_t v)
{
    return ((const struct naming *)naming)->m->vars.at[v].name & NAME_MASK;
}

static u64
binder_of(const void *naming, var_t v)
{
    return name_of(naming, v) << 32 | ((const struct naming *)naming)->m->vars.at[v].type;
}

/* the fingerprint of a nested jaxpr, or of a program pasted into a value together with its `let`s */
static u64
nested_print(const void *naming, const struct segment *part)
{
    const struct naming *n = naming;
    jaxpr_t j = part->kind == SEGMENT_SHARED ? NONE : segment_jaxpr(n->m, part);
    u64 print = j == NONE ? 0 : memo_get(&n->prints, j);
    const struct program *pasted = part->kind == SEGMENT_PROGRAM ? &n->m->programs.at[part->a] : NULL;
    for (u32 i = 0; pasted && i < pasted->n_lets && print != 0; i++) {
        const struct let *l = &n->m->lets.at[pasted->lets + i];
        print = hash_seeded(hash_slice(print, module_bytes(n->m, l->name)),
                            l->jaxpr == NONE ? 0 : memo_get(&n->prints, l->jaxpr)) |
                1;
    }
    return print;
}

static u64
fingerprint(const struct naming *n, jaxpr_t id)
{
    const struct module *m = n->m;
    const struct identity k = {m, n, name_of, binder_of, nested_print, .texts = true};
    const struct jaxpr *j = &m->jaxprs.at[id];
    u64 h = hash_seeded(m->names.seed, (u64)j->n_consts << 32 | j->n_ins);
    h = identity_vars(&k, h, j->vars, jaxpr_binders(j));
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        h = identity_params(&k, identity_head(&k, h, &m->eqns.at[e]), m->eqns.at[e].params);
    return identity_atoms(&k, h, j->outs, j->n_outs);
}

void
alias_names_prepare(struct naming *n, const jaxpr_t *jaxprs, u32 count)
{
    for (u32 i = count > 1 ? count : 0; i-- > 0;) {
        u64 print = fingerprint(n, jaxprs[i]);
        jaxpr_t origin = jaxpr_origin(n->m, jaxprs[i]); /* it follows its copy in the list: its fingerprint is known */
        if (origin != NONE)
            print = hash_seeded(print, memo_get(&n->prints, origin));
        memo_set(n->m->mem, &n->prints, jaxprs[i], print | 1);
    }
}

jaxpr_t
alias_find(const struct naming *n, jaxpr_t j)
{
    u64 print = memo_get(&n->prints, j);
    u64 first = print == 0 ? 0 : memo_get(&n->firsts, (u32)(print >> 33));
    return first != 0 && memo_get(&n->prints, (u32)first - 1) == print ? (jaxpr_t)first - 1 : NONE;
}

void
alias_record(struct naming *n, jaxpr_t j)
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
alias_copy(struct naming *n, jaxpr_t to, jaxpr_t from)
{
    struct module *m = n->m;
    const struct jaxpr *a = &m->jaxprs.at[to], *b = &m->jaxprs.at[from];
    copy_names(m, a->vars, b->vars, jaxpr_binders(a));
    for (eqn_t e = a->eqns, f = b->eqns; e != NONE && f != NONE; e = m->eqns.at[e].next, f = m->eqns.at[f].next)
        copy_names(m, m->eqns.at[e].vars, m->eqns.at[f].vars, m->eqns.at[e].n_vars);
}
