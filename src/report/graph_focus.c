/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what is near a variable. Scopes are closed, so distances are computed within one program, along the arrows
 * and against them; an equation that contains a program with a near node is near, too. */
#include "report/graphing.h"

var_t
graph_atom_var(const struct module *m, atom_t a)
{
    a = atom_without_index(m, a);
    return atom_kind(a) == ATOM_VAR ? atom_id(a) : NONE;
}

u32
graph_producer(const struct graph *g, var_t v)
{
    u64 e = memo_get(&g->producer, v), hidden = e ? memo_get(&g->fold.hidden, (u32)e - 1) : 0;
    u64 first = e ? 0 : memo_get(&g->fold.arguments, v);
    return hidden ? cluster_id(g, (u32)hidden - 1) : e ? g->m->vars.n + (u32)e - 1 : first ? (u32)first - 1 : v;
}

static bool
is_focus(const struct graph *g, u32 first, u32 n)
{
    struct name_buffer buffer;
    for (u32 v = first; v < first + n; v++)
        if (slice_eq(module_name(g->m, g->m->vars.at[v].name, &buffer), g->how->focus))
            return true;
    return false;
}

/* reduces the distance of a node to one more than `from`; distances are stored plus one, 0 is unreachable */
static void
closer(struct graph *g, struct memo *distance, u32 id, u64 from)
{
    u64 known = memo_get(distance, id);
    if (from && from <= g->how->radius && (!known || from + 1 < known))
        memo_set(g->m->mem, distance, id, from + 1);
}

/* computes the distances of the values computed from the focus, and of those it is computed from, inside one program */
static void
spread(struct graph *g, jaxpr_t j, struct memo *down, struct memo *up)
{
    const struct module *m = g->m;
    const struct jaxpr *program = &m->jaxprs.at[j];
    for (u32 v = program->vars; v < program->vars + jaxpr_binders(program); v++)
        if (is_focus(g, v, 1)) {
            memo_set(m->mem, down, v, 1);
            g->found = true;
        }
    g->eqns.n = 0;
    for (eqn_t e = program->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        *vec_push(m->mem, &g->eqns) = e;
        if (is_focus(g, eqn->vars, eqn->n_vars)) {
            memo_set(m->mem, down, m->vars.n + e, 1);
            memo_set(m->mem, up, m->vars.n + e, 1);
            g->found = true;
        }
        for (u32 i = 0; i < eqn->n_atoms; i++) {
            var_t v = graph_atom_var(m, m->atoms.at[eqn->atoms + i]);
            if (v != NONE)
                closer(g, down, m->vars.n + e, memo_get(down, graph_producer(g, v)));
        }
    }
    for (u32 k = g->eqns.n; k-- > 0;) {
        const struct eqn *eqn = &m->eqns.at[g->eqns.at[k]];
        u64 from = memo_get(up, m->vars.n + g->eqns.at[k]);
        for (u32 i = 0; from && i < eqn->n_atoms; i++) {
            var_t v = graph_atom_var(m, m->atoms.at[eqn->atoms + i]);
            if (v != NONE)
                closer(g, up, graph_producer(g, v), from);
        }
    }
}

void
graph_find_near(struct graph *g)
{
    struct mem *mem = g->m->mem;
    struct memo down = {0}, up = {0};
    for (u32 i = g->fold.jaxprs.n; i-- > 0;) {
        jaxpr_t j = g->fold.jaxprs.at[i].jaxpr;
        const struct jaxpr *program = &g->m->jaxprs.at[j];
        bool any = false;
        spread(g, j, &down, &up);
        for (u32 v = program->vars; v < program->vars + jaxpr_binders(program); v++)
            if (memo_get(&down, v) || memo_get(&up, v)) {
                memo_set(mem, &g->near, v, 1);
                any = true;
            }
        for (u32 k = 0; k < g->eqns.n; k++) {
            u32 id = g->m->vars.n + g->eqns.at[k];
            if (memo_get(&down, id) || memo_get(&up, id))
                memo_set(mem, &g->near, id, 1);
            any |= memo_get(&g->near, id) != 0;
        }
        if (any && program->parent != NONE)
            memo_set(mem, &g->near, g->m->vars.n + program->parent, 1);
        if (any && program->parent == NONE && i > 0) { /* it is drawn even if the equation that uses it is far away */
            *vec_push(mem, &g->shared) = j;
            *vec_push(mem, &g->shared) = (u32)memo_get(&g->holder, j) - 1;
        }
    }
    memo_free(mem, &down);
    memo_free(mem, &up);
}
