/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of binders that print none. The binders of a nested program get the types of the operands they receive, and the
 * results of an equation get the types that its program returns or its rule computes. Programs are visited in the order
 * in which they run: earlier equations, the nested programs of an equation, then its results. As a later call may give
 * types to a shared program that was visited, this repeats until it finds none; if that would take more than ROUNDS
 * visits of the program, and more than LEAST of equations, no types are added: a second run would add others. Linear.
 */
#include "base/memo.h"
#include "verify/infer.h"
#include "ir/reach.h"
#include "resolve/enclosing_notes.h"
#include "rewrite/dim_across.h"
#include "rewrite/rewrite.h"

enum { ROUNDS = 64, LEAST = 1 << 20 };

/* A jaxpr being visited. */
struct inferring {
    eqn_t e;            /* the equation whose programs are visited next, then its results; NONE after the last */
    struct nested held; /* of e */
    bool opened;        /* the binders of the programs of e have types */
};

struct inference {
    struct inferrer *rules;
    struct module *m;
    struct region_map map;
    struct binders inner; /* of the current program that returns results */
    VEC(type_t) types;    /* of the current results */
    VEC(var_t) added;     /* variables that got a type */
    VEC(struct inferring) stack;
    u64 visits;       /* of equations */
    struct memo seen; /* jaxprs already visited */
    bool repeats;     /* some program is nested in two equations */
};

static void
set_type(struct inference *x, var_t v, type_t type)
{
    if (type == NONE || x->m->vars.at[v].type != NONE)
        return;
    x->m->vars.at[v].type = type;
    *vec_push(x->m->mem, &x->added) = v;
}

/* gives the binders of the programs in e the types of its operands */
static void
infer_binders(struct inference *x, eqn_t e)
{
    struct module *m = x->m;
    if (!region_map_read(m, e, &x->map) || !region_map_keeps_types(&x->map))
        return;
    for (u32 i = 0; i < x->map.regions.n; i++) {
        const struct region *in = &x->map.regions.at[i];
        u32 n = in->jaxpr == NONE ? 0 : jaxpr_binders(&m->jaxprs.at[in->jaxpr]);
        for (u32 k = 0; k < n; k++) {
            u32 operand = region_operand(in, k);
            var_t v = m->jaxprs.at[in->jaxpr].vars + k;
            if (operand >= m->eqns.at[e].n_atoms || m->vars.at[v].type != NONE)
                continue;
            set_type(x, v, type_inside(m, e, &x->map, in, k, atom_type(m, m->atoms.at[m->eqns.at[e].atoms + operand])));
        }
    }
}

/* whether results of e may be sharded, which rules do not compute: if an operand is, or may be, or if e contains
 * programs */
static bool
may_shard(const struct module *m, eqn_t e)
{
    if (eqn_nests(m, e))
        return true;
    for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
        atom_t a = m->atoms.at[m->eqns.at[e].atoms + i];
        const struct type *t = type_array(m, atom_type(m, a));
        if (!t && atom_kind(a) != ATOM_LIT)
            return true;
        for (u32 k = 0; t && k < t->rank; k++)
            if (type_dims(&m->types, t)[k].sharding.n)
                return true;
    }
    return false;
}

/* the type of result i by the equation's rule; NONE if there is none, or it mentions a size that only a program in e
 * binds */
static type_t
ruled_type(struct inference *x, eqn_t e, u32 i)
{
    struct module *m = x->m;
    if (inferrer_shards(x->rules) && may_shard(m, e))
        return NONE;
    type_t type = inferred_type(x->rules, m->eqns.at[e].vars + i, NONE);
    const struct type *array = type_array(m, type);
    if (!array || !array->dynamic)
        return type;
    struct nested held = nested_start(m, e);
    for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;)
        for (u32 k = 0; k < array->rank; k++)
            if (type_dims(&m->types, array)[k].kind == DIM_NAME &&
                binder_named(m, j, NONE, type_dims(&m->types, array)[k].name) != NONE)
                return NONE;
    return type;
}

/* types all results of e or none: a list with only some types cannot be read */
static void
infer_results(struct inference *x, eqn_t e)
{
    struct module *m = x->m;
    const struct eqn eqn = m->eqns.at[e];
    bool wanted = false, whole = true;
    for (u32 i = 0; i < eqn.n_vars; i++)
        wanted |= m->vars.at[eqn.vars + i].type == NONE;
    if (!wanted)
        return;
    const struct jaxpr *j = NULL;
    if (region_map_read(m, e, &x->map) && region_map_keeps_types(&x->map) && x->map.regions.n > 0 &&
        x->map.regions.at[0].jaxpr != NONE && m->jaxprs.at[x->map.regions.at[0].jaxpr].n_outs == eqn.n_vars) {
        j = &m->jaxprs.at[x->map.regions.at[0].jaxpr];
        binders_open(&x->inner);
        binders_bind_region(&x->inner, j);
    }
    infer_equation(x->rules, e);
    x->types.n = 0;
    for (u32 i = 0; i < eqn.n_vars && whole; i++) {
        type_t type = m->vars.at[eqn.vars + i].type;
        if (type == NONE && j)
            type = type_outside(m, &x->inner, e, &x->map, i, atom_type(m, m->atoms.at[j->outs + i]));
        if (type == NONE)
            type = ruled_type(x, e, i);
        *vec_push(m->mem, &x->types) = type;
        whole = type != NONE;
    }
    for (u32 i = 0; i < eqn.n_vars && whole; i++)
        set_type(x, eqn.vars + i, x->types.at[i]);
}

static void
enter(struct inference *x, jaxpr_t j)
{
    if (j == NONE || memo_get(&x->seen, j))
        return;
    memo_set(x->m->mem, &x->seen, j, 1);
    infer_again(x->rules, x->m->jaxprs.at[j].vars, jaxpr_binders(&x->m->jaxprs.at[j]));
    *vec_push(x->m->mem, &x->stack) = (struct inferring){.e = x->m->jaxprs.at[j].eqns};
}

/* continues in the jaxpr on top of the stack until another one begins or it ends */
static void
step(struct inference *x)
{
    for (;;) {
        struct inferring *at = &x->stack.at[x->stack.n - 1];
        if (at->e == NONE) {
            x->stack.n--;
            return;
        }
        if (!at->opened) {
            at->held = nested_start(x->m, at->e);
            at->opened = true;
            infer_binders(x, at->e);
        }
        jaxpr_t inner = nested_next(x->m, &at->held);
        x->repeats |= inner != NONE && memo_get(&x->seen, inner);
        if (inner != NONE && !memo_get(&x->seen, inner)) {
            enter(x, inner);
            return;
        }
        if (inner == NONE) {
            infer_results(x, at->e);
            x->visits++;
            at->e = x->m->eqns.at[at->e].next;
            at->opened = false;
        }
    }
}

enum outcome
pass_annotate(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct inference x = {.rules = p->rules, .m = m};
    inferrer_enter(p->rules, program);
    binders_init(&x.inner, m);
    u32 before = 0;
    for (u32 round = 0; round == 0 || (x.added.n > before && x.repeats); round++) {
        if (round >= ROUNDS && x.visits > LEAST) {
            while (x.added.n)
                m->vars.at[x.added.at[--x.added.n]].type = NONE;
            break;
        }
        before = x.added.n;
        memo_free(m->mem, &x.seen);
        enter(&x, m->programs.at[program].main);
        while (x.stack.n)
            step(&x);
    }
    bool any = x.added.n > 0;
    mem_free_all(m->mem, x.seen.slots, x.stack.at, x.types.at, x.added.at);
    region_map_free(m, &x.map);
    binders_drop(&x.inner);
    return any ? OUTCOME_DONE : OUTCOME_NOTHING;
}
