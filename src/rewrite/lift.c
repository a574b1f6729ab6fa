/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants of nested programs are lifted until they are constants of the outermost one: a closed program's constvars
 * become its leading arguments, and each equation that contains it passes constants of its own program. Array literals
 * are lifted likewise. Distinct ones are never merged; sizes are lifted with their arrays. Programs are visited from
 * the inside out, each once. Linear in the programs and in what is lifted through them, which is bounded
 * (is_bounded). */
#include "base/memo.h"
#include "resolve/dim_resolve.h"
#include "ir/reach.h"
#include "rewrite/pad_branches.h"
#include "rewrite/copy.h"
#include "rewrite/const_operands.h"
#include "rewrite/dim_subst.h"
#include "rewrite/rewrite.h"

enum { MOST = 1 << 18 };

struct lifting {
    struct module *m;
    jaxpr_t main;
    struct region_map map;
    bool surveys;         /* nothing changes yet, so that a region map remains valid */
    struct memo lifted;   /* by jaxpr_t: how many constants are lifted out of it, plus one */
    struct memo stuck;    /* by jaxpr_t: nonzero if nothing can be lifted out of it to the outermost program */
    struct memo holders;  /* by jaxpr_t: the number of places that contain it */
    VEC(var_t) constants; /* new constants of the current jaxpr */
    VEC(atom_t) atoms;    /* those of the current equation, as operands */
    VEC(var_t) likes;
    VEC(u32) own; /* by branch: the number of its own constants */
    u32 fresh;
    u64 copied; /* equations of branches that were copied so far .. */
    u64 most;   /* .. and how many may be copied */
};

/* makes constants of the enclosing program for n binders of an inner one, and adds them to l->constants and l->atoms */
static void
make_constants(struct lifting *l, var_t first, u32 n)
{
    u32 before = l->constants.n;
    l->likes.n = 0;
    for (u32 i = 0; i < n; i++)
        *vec_push(l->m->mem, &l->likes) = first + i;
    binders_like(l->m, l->likes.at, n, false, &l->fresh, &l->constants);
    for (u32 i = before; i < l->constants.n; i++)
        *vec_push(l->m->mem, &l->atoms) = atom_make(ATOM_VAR, l->constants.at[i]);
}

/* true for an array literal, `[1. 2.]:f32[2]` */
static bool
is_array(const struct module *m, atom_t a)
{
    if (atom_kind(a) != ATOM_LIT || m->literals.at[atom_id(a)].type == NONE)
        return false;
    struct slice text = module_bytes(m, m->literals.at[atom_id(a)].value);
    return text.n > 0 && text.at[0] == '[';
}

/* how many of n atoms are array literals */
static inline u32
count_arrays(const struct module *m, u32 first, u32 n)
{
    u32 found = 0;
    for (u32 i = 0; i < n; i++)
        found += is_array(m, m->atoms.at[first + i]);
    return found;
}

/* replaces an array literal by a new constant */
static void
lift_literal(struct lifting *l, atom_t *a)
{
    struct module *m = l->m;
    if (!is_array(m, *a))
        return;
    struct var var = {fresh_name(m, &l->fresh), m->literals.at[atom_id(*a)].type};
    for (var_t self = m->origins.n; self <= m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    *vec_push(m->mem, &m->vars) = var;
    *vec_push(m->mem, &l->constants) = m->vars.n - 1;
    *a = atom_make(ATOM_VAR, m->vars.n - 1);
}

static void
lift_literals(struct lifting *l, eqn_t e)
{
    struct module *m = l->m;
    for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
        atom_t a = m->atoms.at[m->eqns.at[e].atoms + i];
        lift_literal(l, &a);
        m->atoms.at[m->eqns.at[e].atoms + i] = a;
    }
}

/* true if the constvars of j are already bound to operands of e */
static bool
bound_by_operands(struct lifting *l, jaxpr_t j)
{
    const struct region *r = region_of(&l->map, j);
    return r != NULL && region_operand(r, 0) != NONE;
}

/* whether constants of j could become operands of e: fills slot, and sets *n to the number that are not operands yet.
 * Constants already lifted for another equation that contains j still count */
static bool
may_lift(struct lifting *l, eqn_t e, jaxpr_t j, struct const_slot *slot, u32 *n)
{
    struct jaxpr *inner = &l->m->jaxprs.at[j];
    u64 lifted = memo_get(&l->lifted, j);
    u32 moved = lifted && inner->n_consts == 0 ? (u32)lifted - 1 : 0;
    if (eqn_param(l->m, e, SLICE("grad_params")) != NONE) { /* its operands are listed in `grad_params` */
        *n = 0;
        return false;
    }
    if (!l->surveys || l->map.of != e + 1) {
        l->map.regions.n = l->map.of = 0;
        l->map.kind = REGION_NONE;
    }
    inner->n_ins -= moved;
    inner->n_consts += moved;
    bool known = const_slot_find(l->m, e, j, &l->map, slot);
    *n = inner->n_consts > slot->bound ? inner->n_consts - slot->bound : 0;
    if (l->map.kind == REGION_BRANCH && l->map.system == SYSTEM_CATALYST)
        known &= l->m->eqns.at[e].n_atoms == l->map.selectors + inner->n_ins;
    else if (!slot->open && inner->n_consts)
        known &= !bound_by_operands(l, j);
    inner->n_ins += moved;
    inner->n_consts -= moved;
    return known;
}

/* ---- branches ---- */

/* a branch that only one equation contains: a copy of j if others contain it, too */
static jaxpr_t
own_branch(void *user, jaxpr_t j)
{
    struct lifting *l = user;
    if (memo_get(&l->holders, j) < 2)
        return j;
    struct copier c;
    copier_init(&c, l->m);
    jaxpr_t copy = copy_begin(&c, j, NULL);
    for (eqn_t e = l->m->jaxprs.at[j].eqns; e != NONE; e = l->m->eqns.at[e].next)
        copy_eqn(&c, copy, e, NULL, NULL, l->m->eqns.at[e].params);
    copy_outs(&c, copy, j, NULL);
    copier_end(&c);
    return copy;
}

/* gives an equation its own copies of branches; false if that would make the program much longer */
static bool
own_branches(struct lifting *l, eqn_t e)
{
    for (u32 i = 0; i < l->map.regions.n; i++)
        if (memo_get(&l->holders, l->map.regions.at[i].jaxpr) > 1)
            l->copied += l->m->jaxprs.at[l->map.regions.at[i].jaxpr].n_eqns + 1u;
    param_t p = eqn_param(l->m, e, SLICE("branches"));
    if (l->copied > l->most)
        return false;
    if (p != NONE)
        param_change(l->m, p, own_branch, l);
    l->map.regions.n = 0;
    return region_map_read(l->m, e, &l->map);
}

/* constants of branches: every branch takes those of all, one branch after another
 * (jax/_src/lax/control_flow/common.py, _initial_style_jaxprs_with_common_consts; catalyst/jax_extras/tracing.py,
 * jaxpr_pad_consts) */
static void
lift_branches(struct lifting *l, eqn_t e)
{
    struct module *m = l->m;
    u32 total = 0;
    for (u32 i = 0; i < l->map.regions.n; i++) {
        if (l->map.regions.at[i].jaxpr == NONE)
            return; /* an unreadable branch takes no operands */
        total += m->jaxprs.at[l->map.regions.at[i].jaxpr].n_consts;
    }
    if (total == 0 || !own_branches(l, e))
        return;
    l->atoms.n = l->own.n = 0;
    for (u32 i = 0; i < l->map.regions.n; i++) {
        struct jaxpr *j = &m->jaxprs.at[l->map.regions.at[i].jaxpr];
        *vec_push(m->mem, &l->own) = j->n_consts;
        make_constants(l, j->vars, j->n_consts);
        j = &m->jaxprs.at[l->map.regions.at[i].jaxpr];
        j->n_ins += j->n_consts;
        j->n_consts = 0;
    }
    branches_pad(m, &l->map, l->own.at, &l->fresh);
    operands_insert(m, e, l->map.selectors, l->atoms.at, total);
}

/* passes constants to those programs of an equation that have some */
static void
lift_through(struct lifting *l, eqn_t e)
{
    struct module *m = l->m;
    struct nested held = nested_start(m, e);
    for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;) {
        struct const_slot slot;
        u32 n;
        if (memo_get(&l->stuck, j) || !may_lift(l, e, j, &slot, &n) || n == 0)
            continue;
        if (l->map.kind == REGION_BRANCH && !slot.open) {
            lift_branches(l, e);
            return;
        }
        struct jaxpr *inner = &m->jaxprs.at[j];
        if (!slot.open && inner->n_consts) {
            inner->n_ins += inner->n_consts;
            inner->n_consts = 0;
        }
        memo_set(m->mem, &l->lifted, j, (u64)n + 1);
        l->atoms.n = 0;
        make_constants(l, inner->vars + (slot.open ? slot.bound : 0), n);
        const_slot_fill(m, e, &slot, l->atoms.at, n);
    }
}

static void
replace_by(struct module *m, const struct memo *binder, u32 at)
{
    u64 v = atom_kind(m->atoms.at[at]) == ATOM_VAR ? memo_get(binder, atom_id(m->atoms.at[at])) : 0;
    if (v)
        m->atoms.at[at] = atom_make(ATOM_VAR, (u32)v);
}

/* makes the new constants binders of j. In the outermost program they come before its own constants, which is
 * equivalent if those have already become arguments */
static void
finish(struct lifting *l, jaxpr_t j)
{
    struct module *m = l->m;
    u32 at = j == l->main ? 0 : m->jaxprs.at[j].n_consts;
    u32 first = binders_insert(m, j, at, l->constants.at, l->constants.n, true);
    struct memo binder = {0};
    for (u32 k = 0; k < l->constants.n; k++)
        memo_set(m->mem, &binder, l->constants.at[k], first + k);
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 k = 0; k < m->eqns.at[e].n_atoms; k++)
            replace_by(m, &binder, m->eqns.at[e].atoms + k);
    for (u32 k = 0; k < m->jaxprs.at[j].n_outs; k++)
        replace_by(m, &binder, m->jaxprs.at[j].outs + k);
    memo_free(m->mem, &binder);
}

/* Whether lifting makes at most MOST binders. Constants are lifted through each call of a shared program, and all
 * branches take those of each, so that hostile text could require any number. The count is the same for all prints of a
 * program, shared or not; list has inner programs first. */
static bool
is_bounded(const struct lifting *l, const struct jaxprs *list)
{
    const struct module *m = l->m;
    struct memo lifted = {0}; /* by jaxpr_t: how many constants are lifted out of it */
    u64 made = 0;
    for (u32 i = 0; i < list->n && made <= MOST; i++) {
        jaxpr_t id = list->at[i];
        u64 all = m->jaxprs.at[id].n_consts;
        if (memo_get(&l->stuck, id))
            continue;
        all += count_arrays(m, m->jaxprs.at[id].outs, m->jaxprs.at[id].n_outs);
        for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE && all <= MOST; e = m->eqns.at[e].next) {
            u64 passed = 0, programs = 0;
            all += count_arrays(m, m->eqns.at[e].atoms, m->eqns.at[e].n_atoms);
            struct nested held = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &held)) != NONE; programs++)
                passed += memo_get(&lifted, j);
            made += passed * programs;
            all += passed;
        }
        memo_set(m->mem, &lifted, id, all);
    }
    memo_free(m->mem, &lifted);
    return made <= MOST;
}

/* finds programs out of which nothing can be lifted: an unknown equation contains them. Returns whether other constants
 * remain and may be lifted; list has inner programs first */
static bool
survey(struct lifting *l, const struct jaxprs *list)
{
    struct module *m = l->m;
    bool due = false;
    l->surveys = true;
    for (u32 i = list->n; i-- > 0;) {
        jaxpr_t id = list->at[i];
        bool stuck = memo_get(&l->stuck, id) != 0;
        for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next) {
            l->most += 8;
            due = due || (!stuck && count_arrays(m, m->eqns.at[e].atoms, m->eqns.at[e].n_atoms));
            struct nested held = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;) {
                struct const_slot slot;
                u32 n = 0;
                bool may = !stuck && may_lift(l, e, j, &slot, &n);
                memo_set(m->mem, &l->holders, j, memo_get(&l->holders, j) + 1);
                if (!may)
                    memo_set(m->mem, &l->stuck, j, 1);
                due |= may && n;
            }
        }
        due = due || (!stuck && count_arrays(m, m->jaxprs.at[id].outs, m->jaxprs.at[id].n_outs));
    }
    l->surveys = false;
    return due && is_bounded(l, list);
}

/* lists the jaxprs of a program; true if something can be lifted */
static bool
lifting_begin(struct lifting *l, struct jaxprs *list, struct module *m, program_t program)
{
    *l = (struct lifting){.m = m, .main = m->programs.at[program].main, .most = 4096};
    *list = (struct jaxprs){0};
    reach_all(m, program, list);
    return survey(l, list);
}

static void
lifting_end(struct lifting *l, struct jaxprs *list)
{
    mem_free_all(l->m->mem, list->at, l->constants.at, l->atoms.at, l->likes.at, l->own.at, l->lifted.slots,
                 l->stuck.slots, l->holders.slots);
    region_map_free(l->m, &l->map);
}

bool
lift_due(struct module *m, program_t program)
{
    struct lifting l;
    struct jaxprs list;
    bool due = lifting_begin(&l, &list, m, program);
    lifting_end(&l, &list);
    return due;
}

static void
lift_jaxpr(struct lifting *l, jaxpr_t j)
{
    struct module *m = l->m;
    l->constants.n = 0;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
        lift_literals(l, e);
        if (m->eqns.at[e].params != NONE)
            lift_through(l, e);
    }
    for (u32 k = 0; k < m->jaxprs.at[j].n_outs; k++) {
        atom_t a = m->atoms.at[m->jaxprs.at[j].outs + k];
        lift_literal(l, &a);
        m->atoms.at[m->jaxprs.at[j].outs + k] = a;
    }
    if (l->constants.n)
        finish(l, j);
}

enum outcome
pass_lift(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct lifting l;
    struct jaxprs list;
    bool due = lifting_begin(&l, &list, m, program);
    for (u32 i = 0; i < list.n && due; i++)
        if (!memo_get(&l.stuck, list.at[i]))
            lift_jaxpr(&l, list.at[i]);
    lifting_end(&l, &list);
    return due ? OUTCOME_DONE : OUTCOME_NOTHING;
}
