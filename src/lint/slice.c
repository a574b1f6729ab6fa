/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains a finding by following values backwards to its first causes: from a variable to the operands of its
 * equation, from a result of a call to the result of the program inside, from a binder to the operand that is
 * passed. Only values with the property of the finding are followed: the width of a float, a size, a key. Breadth
 * first, so that the shortest path to each cause is found first; linear in the visited values. */
#include "lint/facts.h"

/* A variable on a path, and its predecessor. */
struct visit {
    var_t var;
    u32 from; /* index of the previous visit towards the finding, NONE at the finding */
    u32 more; /* the number of its successors */
};

struct search {
    struct lint *l;
    const struct lint_why *why;
    VEC(struct visit) visits; /* also the queue */
    struct memo seen;         /* a variable: 1 */
    struct memo holders;      /* a jaxpr: the equation that contains it, plus one */
    struct memo eqn_jaxprs;   /* a variable that no equation binds: its jaxpr, plus one */
};

static bool
is_key(const struct lint *l, var_t v)
{
    dtype_t d = lint_dtype(l, l->m->vars.at[v].type);
    return d != NONE && (dtype_class(d) == CLASS_EXTENDED || d == DT_u32);
}

/* true if `to`, which is computed from v, has the property of the finding from v */
static bool
carries(const struct search *s, var_t v, var_t to)
{
    const struct lint *l = s->l;
    bool known;
    switch (diag_info(s->why->code).code[0]) {
    case 'N':
        return lint_float_bits(l, v) != 0 && lint_float_bits(l, v) == lint_float_bits(l, to);
    case 'R':
        return is_key(l, v);
    default:
        break;
    }
    if (s->why->code == DIAG_P303)
        return lint_type_bytes(l, l->m->vars.at[v].type, &known) >= lint_type_bytes(l, l->m->vars.at[to].type, &known);
    return true;
}

static bool
add_visit(struct search *s, var_t v, u32 from)
{
    struct mem *mem = s->l->m->mem;
    var_t to = from == NONE ? v : s->visits.at[from].var;
    if (v == NONE || !carries(s, v, to))
        return false;
    if (from != NONE)
        s->visits.at[from].more++; /* this variable has a predecessor, visited before or not */
    if (memo_get(&s->seen, v))
        return false;
    memo_set(mem, &s->seen, v, 1);
    *vec_push(mem, &s->visits) = (struct visit){v, from, 0};
    return true;
}

static void
add_atom(struct search *s, atom_t a, u32 from)
{
    a = atom_without_index(s->l->m, a);
    if (atom_kind(a) == ATOM_VAR)
        add_visit(s, atom_id(a), from);
}

/* continues from result i of an equation to the results of its programs, if they have as many, else to its operands */
static void
follow_result(struct search *s, eqn_t e, u32 i, u32 from)
{
    const struct module *m = s->l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    bool inside = false;
    struct nested h = nested_start(m, e);
    for (jaxpr_t j; eqn->params != NONE && (j = nested_next(m, &h)) != NONE;) {
        const struct jaxpr *inner = &m->jaxprs.at[j];
        if (inner->n_outs != eqn->n_vars)
            continue;
        u32 before = s->visits.at[from].more;
        add_atom(s, m->atoms.at[inner->outs + i], from);
        inside |= s->visits.at[from].more > before;
    }
    for (u32 k = 0; k < eqn->n_atoms && !inside; k++)
        add_atom(s, m->atoms.at[eqn->atoms + k], from);
}

/* continues from a binder of a nested program to the operand passed to it */
static void
follow_binder(struct search *s, var_t v, u32 from)
{
    struct lint *l = s->l;
    u64 home = memo_get(&s->eqn_jaxprs, v), holder = home ? memo_get(&s->holders, (u32)home - 1) : 0;
    if (!holder || !region_map_read(l->m, (eqn_t)(holder - 1), &l->map))
        return;
    for (u32 k = 0; k < l->map.regions.n; k++) {
        const struct region *in = &l->map.regions.at[k];
        if (in->jaxpr != home - 1)
            continue;
        u32 operand = region_operand(in, v - l->m->jaxprs.at[home - 1].vars);
        if (operand < l->m->eqns.at[holder - 1].n_atoms)
            add_atom(s, l->m->atoms.at[l->m->eqns.at[holder - 1].atoms + operand], from);
    }
}

static void
find_holders(struct search *s)
{
    struct lint *l = s->l;
    const struct module *m = l->m;
    for (u32 i = l->n; i-- > 0;) {
        jaxpr_t id = l->facts.order.at[l->first + i];
        const struct jaxpr *j = &m->jaxprs.at[id];
        for (u32 k = 0; k < jaxpr_binders(j); k++)
            memo_set(m->mem, &s->eqn_jaxprs, j->vars + k, id + 1ull);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            struct nested h = nested_start(m, e);
            for (jaxpr_t inner; m->eqns.at[e].params != NONE && (inner = nested_next(m, &h)) != NONE;)
                if (!memo_get(&s->holders, inner))
                    memo_set(m->mem, &s->holders, inner, e + 1ull);
        }
    }
}

/* records one step of a path */
static void
write_step(struct search *s, u32 path, var_t v, bool cause)
{
    struct lint *l = s->l;
    const struct module *m = l->m;
    eqn_t e = l->facts.producer[v];
    u64 home = memo_get(&s->eqn_jaxprs, v);
    struct lint_step step = {.path = path};
    const char *name = lint_var(l, v), *type = lint_type(l, m->vars.at[v].type);
    struct span at = e != NONE ? eqn_result_span(m, e, v - m->eqns.at[e].vars) : lint_binder(l, (jaxpr_t)(home - 1), v);
    const char *first = cause ? ": the path starts here" : "";
    if (e != NONE)
        step.text = arena_printf(m->mem, "`%s`, %s, is computed by `%s`%s", name, type, lint_prim(l, e), first);
    else if (memo_get(&s->holders, (u32)home - 1))
        step.text = arena_printf(m->mem, "`%s`, %s, is passed to the program of `%s`%s", name, type,
                                 lint_prim(l, (eqn_t)memo_get(&s->holders, (u32)home - 1) - 1), first);
    else
        step.text = arena_printf(
            m->mem, "`%s`, %s, is %s of the program%s", name, type,
            v - m->jaxprs.at[home - 1].vars < m->jaxprs.at[home - 1].n_consts ? "a constant" : "an argument", first);
    step.at = at.at;
    step.n = at.n;
    *vec_push(m->mem, &l->result->steps) = step;
}

/* records the path from the finding to one cause */
static void
write_path(struct search *s, u32 path, u32 visit)
{
    VEC(u32) way = {0};
    struct mem *mem = s->l->m->mem;
    for (u32 v = visit; v != NONE; v = s->visits.at[v].from)
        *vec_push(mem, &way) = v;
    for (u32 i = way.n; i-- > 0;)
        write_step(s, path, s->visits.at[way.at[i]].var, i == 0);
    vec_free(mem, &way);
}

void
lint_explain(struct lint *l)
{
    enum { MOST_PATHS = 8 };
    struct module *m = l->m;
    struct search s = {.l = l, .why = l->run->why};
    find_holders(&s);
    if (l->why.eqn != NONE) {
        const struct eqn *eqn = &m->eqns.at[l->why.eqn];
        for (u32 i = 0; i < eqn->n_vars; i++)
            add_visit(&s, eqn->vars + i, NONE);
        for (u32 i = 0; i < eqn->n_atoms && eqn->n_vars == 0; i++)
            add_atom(&s, m->atoms.at[eqn->atoms + i], NONE);
    } else if (l->why.var != NONE) {
        add_visit(&s, l->why.var, NONE);
    }
    for (u32 i = 0; i < s.visits.n; i++) {
        var_t v = s.visits.at[i].var;
        eqn_t e = l->facts.producer[v];
        if (e != NONE)
            follow_result(&s, e, v - m->eqns.at[e].vars, i);
        else
            follow_binder(&s, v, i);
        if (s.visits.at[i].more == 0 && ++l->result->causes <= MOST_PATHS)
            write_path(&s, l->result->causes, i);
    }
    mem_free_all(m->mem, s.visits.at, s.seen.slots, s.holders.slots, s.eqn_jaxprs.slots);
}

void
lint_note_why(struct lint *l, eqn_t e, struct span at)
{
    const struct lint_why *why = l->run->why;
    const struct module *m = l->m;
    if (!why || lint_rows[l->rule].code != why->code || at.at < why->from || at.at >= why->to || l->why.program != NONE)
        return;
    l->why.program = l->program;
    l->why.eqn = e;
    const struct jaxpr *j = l->jaxpr == NONE ? NULL : &m->jaxprs.at[l->jaxpr];
    for (u32 i = 0; e == NONE && j && i < jaxpr_binders(j); i++)
        if (jaxpr_binder_span(m, l->jaxpr, i).at == at.at)
            l->why.var = j->vars + i;
}
