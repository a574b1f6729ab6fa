/* SPDX-License-Identifier: Apache-2.0
 *
 * If a value is kept, so are the sizes in its type. JAX removes them (its types contain the variables themselves, which
 * are then unbound); the printed program would then have errors. One walk over the programs with such sizes. */
#include "rewrite/dce.h"

#include "resolve/dim_resolve.h"

static void
find_named(struct dce *d, const struct binders *scope, u32 vars, u32 n)
{
    struct module *m = d->m;
    for (var_t v = vars; v < vars + n; v++) {
        const struct type *t = type_array(m, m->vars.at[v].type);
        if (t == NULL || !t->dynamic)
            continue;
        memo_set(m->mem, &d->sizes_of, v, d->sizes.n + 1);
        for (u32 i = 0; i < t->rank; i++) {
            const struct dim *dim = &type_dims(&m->types, t)[i];
            var_t size = dim->kind == DIM_NAME ? binders_find(scope, dim->name) : NONE;
            if (size != NONE && var_may_be_dim(m, size))
                *vec_push(m->mem, &d->sizes) = size;
        }
        *vec_push(m->mem, &d->sizes) = NONE;
    }
}

void
dce_sizes_find(struct dce *d, const struct jaxprs *all)
{
    struct module *m = d->m;
    struct binders scope;
    binders_init(&scope, m);
    for (u32 k = 0; k < all->n; k++) {
        const struct jaxpr *j = &m->jaxprs.at[all->at[k]];
        binders_open(&scope);
        for (u32 i = 0; i < jaxpr_binders(j); i++)
            binders_bind(&scope, j->vars + i);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
                binders_bind(&scope, m->eqns.at[e].vars + i);
        find_named(d, &scope, j->vars, jaxpr_binders(j));
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            find_named(d, &scope, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
    }
    binders_drop(&scope);
}

void
dce_sizes_need(struct dce *d, var_t v)
{
    for (u64 i = memo_get(&d->sizes_of, v); i > 0 && d->sizes.at[i - 1] != NONE; i++)
        d->needed[d->sizes.at[i - 1]] = 1;
}
