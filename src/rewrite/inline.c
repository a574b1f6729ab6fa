/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls replaced by the equations of the programs they call. The equations of a program that is called once and has
 * only numbers in shapes are moved; those of a small program are copied for each call, with the names in its shapes.
 * Replacements of variables are recorded and applied once at the end, at any depth of calls. Linear, as copies come to
 * at most GROWTH times the equations that there are, or FREE of them. */
#include "base/memo.h"
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "ir/reach.h"
#include "prims/prims.h"
#include "rewrite/copy.h"
#include "rewrite/dim_subst.h"
#include "rewrite/rewrite.h"

/* the most equations that are copied: for one call, SMALL; for all calls, the larger of FREE and GROWTH for each
 * equation of the program */
enum { SMALL = 1000, FREE = 50000, GROWTH = 4 };

/* The decision for a called program. */
enum decision { UNDECIDED, KEEP_CALL, MOVE_BODY, COPY_BODY };

struct inlining {
    struct module *m;
    program_t program;
    struct jaxprs list;    /* inner ones first */
    struct memo holders;   /* by jaxpr_t: the number of places that contain it */
    struct memo sizes;     /* by jaxpr_t: its future number of equations, plus one */
    struct memo decisions; /* by jaxpr_t: enum decision */
    struct memo became;    /* by var_t: the atom that replaces it, plus one */
    struct memo scope;     /* by name, of the current program: the copy, or the replaced result, plus one */
    u64 room;              /* equations that may still be copied */
    bool dynamic;          /* shapes of the program may contain variables */
    VEC(var_t) path;
    VEC(var_t) gone; /* sizes among the results of calls inlined in the current program */
    VEC(struct slice) texts;
    u32 fresh;
};

/* whether a parameter contains its program, or names one of the current program; lists of programs have names of their
 * own */
static bool
is_held(const struct inlining *x, const struct param *v)
{
    const struct program *p = &x->m->programs.at[x->program];
    return v->kind == PARAM_JAXPR || (v->kind == PARAM_SHARED && v->a - p->lets < p->n_lets);
}

/* whether its primitive has all parameters of an equation in some known JAX; of others check does not verify the call
 */
static bool
knows_params(const struct module *m, eqn_t e)
{
    struct name_buffer buffer;
    struct prim row;
    bool known = prim_named(module_name(m, m->eqns.at[e].prim, &buffer), &row);
    for (param_t p = m->eqns.at[e].params; p != NONE && known; p = m->params.at[p].next) {
        name_t key = m->params.at[p].key;
        known = key != NONE && prim_role(&row, module_name(m, key, &buffer)).n > 0;
    }
    return known;
}

/* the program that an equation only calls, or NONE */
static jaxpr_t
callee(const struct inlining *x, eqn_t e)
{
    const struct module *m = x->m;
    const struct eqn *eqn = &m->eqns.at[e];
    bool inlined;
    const struct param *p = eqn->form == EQN_CALL ? call_find(m, e, &inlined) : NULL;
    if (!p || !inlined || !is_held(x, p))
        return NONE;
    jaxpr_t j = jaxpr_in_param(m, p);
    const struct jaxpr *inner = j == NONE ? NULL : &m->jaxprs.at[j];
    bool fits = inner && inner->n_consts == 0 && inner->n_ins == eqn->n_atoms && inner->n_outs == eqn->n_vars;
    return fits && knows_params(m, e) ? j : NONE;
}

/* whether a program can be replaced by its equations (callee examines those that call it): not if some of its equations
 * are known only as text, or it prints effects; *dynamic: its shapes contain variables */
static bool
can_inline(const struct inlining *x, jaxpr_t id, bool *dynamic)
{
    const struct module *m = x->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    *dynamic = x->dynamic && vars_dynamic(m, j->vars, j->n_ins);
    if (jaxpr_effects(m, id).n)
        return false;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        if (eqn->form >= EQN_RAW)
            return false;
        *dynamic |= x->dynamic && vars_dynamic(m, eqn->vars, eqn->n_vars);
    }
    return true;
}

static enum decision
decision_of(struct inlining *x, jaxpr_t j)
{
    u64 known = memo_get(&x->decisions, j);
    bool dynamic;
    if (known != UNDECIDED)
        return (enum decision)known;
    enum decision decision = KEEP_CALL;
    if (can_inline(x, j, &dynamic)) {
        u64 holders = memo_get(&x->holders, j), size = memo_get(&x->sizes, j);
        if (!dynamic && holders == 1) {
            decision = MOVE_BODY;
        } else if (size <= SMALL && size * holders <= x->room) {
            decision = COPY_BODY;
            x->room -= size * holders;
        }
    }
    memo_set(x->m->mem, &x->decisions, j, decision);
    return decision;
}

/* decides about all programs; false if every call stays */
static bool
decide(struct inlining *x)
{
    struct module *m = x->m;
    const struct program *p = &m->programs.at[x->program];
    bool any = false;
    u64 n_eqns = 0;
    /* programs printed first as a `let` stay there, whoever calls them */
    for (u32 i = 0; i < p->n_lets + p->opened; i++)
        memo_set(m->mem, &x->holders, m->lets.at[p->lets + i].jaxpr, 1);
    for (u32 i = 0; i < x->list.n; i++)
        for (eqn_t e = m->jaxprs.at[x->list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            struct nested held = nested_start(m, e);
            n_eqns++;
            for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;)
                memo_set(m->mem, &x->holders, j, memo_get(&x->holders, j) + 1);
        }
    x->room = GROWTH * n_eqns > FREE ? GROWTH * n_eqns : FREE;
    for (u32 i = 0; i < x->list.n; i++) {
        u64 size = 1;
        for (eqn_t e = m->jaxprs.at[x->list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            jaxpr_t j = callee(x, e);
            bool inlined = j != NONE && decision_of(x, j) != KEEP_CALL;
            size += inlined ? memo_get(&x->sizes, j) - 1 : 1;
            any |= inlined;
        }
        memo_set(m->mem, &x->sizes, x->list.at[i], size);
    }
    return any;
}

/* ---- what variables have become ---- */

static atom_t
resolve(struct inlining *x, atom_t a)
{
    x->path.n = 0;
    while (atom_kind(a) == ATOM_VAR) {
        u64 next = memo_get(&x->became, atom_id(a));
        if (next == 0)
            break;
        *vec_push(x->m->mem, &x->path) = atom_id(a);
        a = (atom_t)(next - 1);
    }
    for (u32 i = 0; i + 1 < x->path.n; i++)
        memo_set(x->m->mem, &x->became, x->path.at[i], (u64)a + 1);
    return a;
}

static void
resolve_run(struct inlining *x, u32 first, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        atom_t a = x->m->atoms.at[first + i];
        if (atom_kind(a) == ATOM_REF) {
            struct refexpr *ref = &x->m->refs.at[atom_id(a)];
            ref->ref = resolve(x, ref->ref);
            for (u32 k = 0; k < ref->n_uses; k++)
                x->m->uses.at[ref->uses + k] = resolve(x, x->m->uses.at[ref->uses + k]);
        } else {
            x->m->atoms.at[first + i] = resolve(x, a);
        }
    }
}

static void
resolve_jaxpr(struct inlining *x, jaxpr_t id)
{
    struct module *m = x->m;
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next)
        resolve_run(x, m->eqns.at[e].atoms, m->eqns.at[e].n_atoms);
    resolve_run(x, m->jaxprs.at[id].outs, m->jaxprs.at[id].n_outs);
}

static void
replace_by(struct inlining *x, var_t v, atom_t a)
{
    memo_set(x->m->mem, &x->became, v, (u64)a + 1);
}

/* ---- copies ---- */

/* gives a variable's type its sizes, after replacement of their names */
static void
resize_var(struct inlining *x, var_t v)
{
    struct module *m = x->m;
    const struct type *t = x->dynamic ? type_array(m, m->vars.at[v].type) : NULL;
    x->texts.n = 0;
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        u64 to = d->kind == DIM_NAME ? memo_get(&x->scope, d->name) : 0;
        atom_t a = to ? resolve(x, atom_make(ATOM_VAR, (u32)to - 1)) : 0;
        struct slice text = {NULL, 0};
        if (to && atom_kind(a) == ATOM_VAR)
            text = var_text(m, atom_id(a));
        else if (to && atom_kind(a) == ATOM_LIT)
            text = module_bytes(m, m->literals.at[atom_id(a)].value);
        *vec_push(m->mem, &x->texts) = text;
    }
    if (x->texts.n)
        m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, x->texts.at);
}

/* gives a variable of a copy a new name, and its sizes their new names */
static void
rename_var(struct inlining *x, var_t v)
{
    struct module *m = x->m;
    resize_var(x, v);
    memo_set(m->mem, &x->scope, m->vars.at[v].name, (u64)v + 1);
    struct name_buffer buffer;
    if (!slice_eq(module_name(m, m->vars.at[v].name, &buffer), SLICE("_")))
        m->vars.at[v].name = fresh_name(m, &x->fresh);
}

static jaxpr_t
copy_jaxpr(struct inlining *x, jaxpr_t from)
{
    struct module *m = x->m;
    struct copier c;
    copier_init(&c, m);
    jaxpr_t to = copy_begin(&c, from, NULL);
    for (eqn_t e = m->jaxprs.at[from].eqns; e != NONE; e = m->eqns.at[e].next)
        copy_eqn(&c, to, e, NULL, NULL, m->eqns.at[e].params);
    copy_outs(&c, to, from, NULL);
    copier_end(&c);
    for (var_t v = m->origins.n; v < m->vars.n; v++)
        *vec_push(m->mem, &m->origins) = v;
    return to;
}

/* gives the variables of a copy new names; its arguments were replaced by operands */
static void
rename_copy(struct inlining *x, jaxpr_t id)
{
    struct module *m = x->m;
    memo_free(m->mem, &x->scope);
    const struct jaxpr j = m->jaxprs.at[id];
    for (u32 i = 0; i < j.n_ins; i++)
        m->origins.at[j.vars + i] = j.vars + i, rename_var(x, j.vars + i);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            var_t v = m->eqns.at[e].vars + i;
            m->origins.at[v] = v; /* in JAX, the copy is another object */
            rename_var(x, v);
        }
}

/* ---- calls ---- */

/* a result may be a size of others: its replacement gets a name that is unique in its new program. `a` is returned by
 * j, whose arguments are not replaced yet */
static void
note_size(struct inlining *x, var_t v, const struct jaxpr *j, atom_t a, bool copied)
{
    struct module *m = x->m;
    if (!var_may_be_dim(m, v))
        return;
    *vec_push(m->mem, &x->gone) = v;
    a = resolve(x, a);
    bool inside = atom_kind(a) == ATOM_VAR && (atom_id(a) < j->vars || atom_id(a) - j->vars >= j->n_ins);
    if (inside && !copied)
        m->vars.at[atom_id(a)].name = fresh_name(m, &x->fresh);
}

/* updates the shapes of a program for results of inlined calls */
static void
follow_sizes(struct inlining *x, jaxpr_t id)
{
    struct module *m = x->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    memo_free(m->mem, &x->scope);
    for (u32 i = 0; i < x->gone.n; i++)
        memo_set(m->mem, &x->scope, m->vars.at[x->gone.at[i]].name, (u64)x->gone.at[i] + 1);
    for (eqn_t e = x->gone.n ? j->eqns : NONE; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            resize_var(x, m->eqns.at[e].vars + i);
    x->gone.n = 0;
}

/* gives variables of an inlined program that print no type those of the call's results that replace them */
static void
type_result(struct inlining *x, var_t v, const struct jaxpr *j, atom_t a)
{
    struct module *m = x->m;
    bool inside = atom_kind(a) == ATOM_VAR && (atom_id(a) < j->vars || atom_id(a) - j->vars >= jaxpr_binders(j));
    if (inside && m->vars.at[atom_id(a)].type == NONE)
        m->vars.at[atom_id(a)].type = m->vars.at[v].type;
}

/* replaces the variables of call e by those of the program; *first becomes its first equation. Returns the last one, or
 * NONE if there are none */
static eqn_t
inline_call(struct inlining *x, eqn_t e, jaxpr_t inner, eqn_t *first)
{
    struct module *m = x->m;
    bool copied = decision_of(x, inner) == COPY_BODY;
    if (copied)
        inner = copy_jaxpr(x, inner);
    const struct jaxpr j = m->jaxprs.at[inner];
    for (u32 i = 0; i < j.n_outs && x->dynamic; i++)
        note_size(x, m->eqns.at[e].vars + i, &j, m->atoms.at[j.outs + i], copied);
    for (u32 i = 0; i < j.n_ins; i++) {
        atom_t a = m->atoms.at[m->eqns.at[e].atoms + i];
        replace_by(x, j.vars + i, a);
    }
    if (copied)
        rename_copy(x, inner);
    for (u32 i = 0; i < j.n_outs; i++) {
        atom_t a = m->atoms.at[j.outs + i];
        type_result(x, m->eqns.at[e].vars + i, &j, a);
        replace_by(x, m->eqns.at[e].vars + i, a);
    }
    *first = j.eqns;
    return j.last;
}

static void
inline_calls(struct inlining *x, jaxpr_t id)
{
    struct module *m = x->m;
    eqn_t last = NONE, e = m->jaxprs.at[id].eqns;
    u32 n = 0;
    m->jaxprs.at[id].eqns = NONE;
    while (e != NONE) {
        eqn_t next = m->eqns.at[e].next, first = e, end = e;
        jaxpr_t inner = callee(x, e);
        u32 more = 1;
        if (inner != NONE && decision_of(x, inner) != KEEP_CALL) {
            more = m->jaxprs.at[inner].n_eqns;
            end = inline_call(x, e, inner, &first);
        }
        if (first != NONE) {
            if (last == NONE)
                m->jaxprs.at[id].eqns = first;
            else
                m->eqns.at[last].next = first;
            last = end;
            m->eqns.at[last].next = NONE;
        }
        n += more;
        e = next;
    }
    m->jaxprs.at[id].last = last;
    m->jaxprs.at[id].n_eqns = n;
    follow_sizes(x, id);
    /* a program that is printed or copied elsewhere is resolved now */
    if (memo_get(&x->holders, id) > 1 || decision_of(x, id) == COPY_BODY)
        resolve_jaxpr(x, id);
}

static void
inlining_init(struct inlining *x, struct module *m, program_t program, bool symbols)
{
    *x = (struct inlining){.m = m, .program = program, .dynamic = !symbols};
    reach_all(m, program, &x->list);
}

static void
inlining_end(struct inlining *x)
{
    mem_free_all(x->m->mem, x->list.at, x->path.at, x->gone.at, x->texts.at, x->holders.slots, x->sizes.slots,
                 x->decisions.slots, x->became.slots, x->scope.slots);
}

bool
inline_due(struct module *m, program_t program, bool symbols)
{
    struct inlining x;
    inlining_init(&x, m, program, symbols);
    bool due = decide(&x);
    inlining_end(&x);
    return due;
}

enum outcome
pass_inline(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct inlining x;
    inlining_init(&x, m, program, p->symbols);
    bool due = decide(&x);
    if (due) {
        for (u32 i = 0; i < x.list.n; i++)
            inline_calls(&x, x.list.at[i]);
        x.list.n = 0;
        reach_all(m, program, &x.list);
        for (u32 i = 0; i < x.list.n; i++)
            resolve_jaxpr(&x, x.list.at[i]);
    }
    inlining_end(&x);
    return due ? OUTCOME_DONE : OUTCOME_NOTHING;
}
