/* SPDX-License-Identifier: Apache-2.0
 *
 * The jaxprs of a program: a depth-first walk with a stack and a mark for each jaxpr. */
#include "ir/reach.h"

#include "base/memo.h"

jaxpr_t
nested_next(const struct module *m, struct nested *n)
{
    jaxpr_t found = NONE;
    while (found == NONE && (n->segment != NONE || n->next != NONE)) {
        if (n->segment != NONE) {
            const struct segment *s = &m->segments.at[n->segment];
            n->segment = s->next;
            n->pasted = s->kind == SEGMENT_PROGRAM;
            found = segment_jaxpr(m, s);
            continue;
        }
        const struct param *p = &m->params.at[n->next];
        n->param = n->next;
        n->next = n->next == n->last ? NONE : p->next;
        n->pasted = false;
        found = jaxpr_in_param(m, p);
        if (p->kind == PARAM_TUPLE || p->kind == PARAM_MIXED)
            n->segment = p->a;
    }
    return found;
}

jaxpr_t
nested_unpasted(const struct module *m, struct nested *n)
{
    jaxpr_t found;
    while ((found = nested_next(m, n)) != NONE && n->pasted)
        ;
    return found;
}

bool
prim_is(const struct module *m, eqn_t e, struct slice name)
{
    struct name_buffer buffer;
    return slice_eq(module_name(m, m->eqns.at[e].prim, &buffer), name);
}

struct visit {
    jaxpr_t jaxpr;
    eqn_t eqn;
    struct nested nested;
};

struct reaching {
    struct module *m;
    struct memo seen; /* its size depends on the program, not on the module */
    VEC(struct visit) stack;
    struct jaxprs *list;
    bool unpasted;
};

static void
enter(struct reaching *r, jaxpr_t j)
{
    if (j == NONE || memo_get(&r->seen, j))
        return;
    memo_set(r->m->mem, &r->seen, j, 1);
    eqn_t first = eqn_with_params(r->m, r->m->jaxprs.at[j].eqns);
    *vec_push(r->m->mem, &r->stack) = (struct visit){.jaxpr = j, .eqn = first, .nested = nested_in_param(NONE)};
}

static void
reach(struct reaching *r, jaxpr_t root)
{
    struct module *m = r->m;
    enter(r, root);
    while (r->stack.n) {
        struct visit *v = &r->stack.at[r->stack.n - 1];
        jaxpr_t inner = nested_next(m, &v->nested);
        if (inner != NONE) {
            if (!v->nested.pasted || !r->unpasted)
                enter(r, inner);
        } else if (v->eqn != NONE) {
            v->nested = nested_start(m, v->eqn);
            v->eqn = eqn_with_params(m, m->eqns.at[v->eqn].next);
        } else {
            *vec_push(m->mem, r->list) = v->jaxpr;
            r->stack.n--;
        }
    }
}

static void
reach_end(struct reaching *r)
{
    memo_free(r->m->mem, &r->seen);
    vec_free(r->m->mem, &r->stack);
}

void
reach_from(struct module *m, jaxpr_t root, struct jaxprs *list)
{
    struct reaching r = {.m = m, .list = list};
    reach(&r, root);
    reach_end(&r);
}

static void
reach_program(struct module *m, program_t program, struct jaxprs *list, bool unpasted)
{
    struct reaching r = {.m = m, .list = list, .unpasted = unpasted};
    const struct program p = m->programs.at[program];
    for (u32 i = 0; i < p.n_lets; i++)
        reach(&r, m->lets.at[p.lets + i].jaxpr);
    reach(&r, p.main);
    reach_end(&r);
}

void
reach_all(struct module *m, program_t program, struct jaxprs *list)
{
    reach_program(m, program, list, false);
}

void
reach_unpasted(struct module *m, program_t program, struct jaxprs *list)
{
    reach_program(m, program, list, true);
}

/* whether an operand is, or has in its ref or index, an unbound name */
static bool
is_unbound(const struct module *m, atom_t a)
{
    const struct refexpr *ref = atom_kind(a) == ATOM_REF ? &m->refs.at[atom_id(a)] : NULL;
    bool unbound = atom_kind(atom_without_index(m, a)) == ATOM_NAME;
    for (u32 i = 0; ref && i < ref->n_uses; i++)
        unbound |= atom_kind(m->uses.at[ref->uses + i]) == ATOM_NAME;
    return unbound;
}

bool
resolved_jaxpr(const struct module *m, jaxpr_t id)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            if (is_unbound(m, m->atoms.at[m->eqns.at[e].atoms + i]))
                return false;
    for (u32 i = 0; i < j->n_outs; i++)
        if (atom_kind(m->atoms.at[j->outs + i]) == ATOM_NAME)
            return false;
    return true;
}

bool
resolved_program(struct module *m, program_t program)
{
    struct jaxprs list = {0};
    bool whole = true;
    reach_all(m, program, &list);
    for (u32 i = 0; i < list.n && whole; i++)
        whole = resolved_jaxpr(m, list.at[i]) || memo_get(&m->unprinted, list.at[i]);
    vec_free(m->mem, &list);
    return whole;
}
