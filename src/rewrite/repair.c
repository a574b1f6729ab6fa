/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes that printers got wrong. A de Bruijn reference becomes its target; a size of a loop's, a branch's or a call's
 * result that contradicts the nested program becomes that of the program. A result that is a size gets a name if it was
 * `_`, and becomes a result of the whole program before the arrays with this size. A size inside a program with the
 * name of an operand is the argument that receives it; an unbound one is what the equation's rule computes. What cannot
 * be decided is not changed. Linear. */
#include "base/memo.h"
#include "resolve/dim_check.h"
#include "verify/infer.h"
#include "ir/reach.h"
#include "rewrite/dim_subst.h"
#include "rewrite/rewrite.h"

/* An array and a variable that is one of its repaired sizes. */
struct use {
    var_t array, size;
};

struct repairing {
    struct module *m;
    struct dynamics d;
    name_t underscore;
    u32 fresh;
    VEC(struct slice) sizes;
    VEC(struct use) uses; /* the uses of one array are adjacent .. */
    struct memo first;    /* .. and begin here: by array, an index into uses, plus one */
    struct memo received; /* by outer name: the binder that receives the variable of that name, plus one */
    struct memo leaked;   /* by name of an inner variable in an outer type: its new atom, plus one */
    struct memo relied;   /* variables on whose printed sizes equations depend */
    struct inferrer *rules;
    bool excused; /* as in struct passes */
    bool any;     /* something was repaired */
};

/* the text of a size, whose variable gets a name if it has none; at is NULL if the size does not refer to a value */
static struct slice
size_text(struct repairing *r, var_t array, struct size size)
{
    if (size.kind == SIZE_INT)
        return arena_printf(r->m->mem, "%lld", (long long)size.value);
    if (size.kind != SIZE_VAR)
        return (struct slice){NULL, 0};
    if (r->m->vars.at[size.var].name == r->underscore)
        r->m->vars.at[size.var].name = fresh_name(r->m, &r->fresh);
    *vec_push(r->m->mem, &r->uses) = (struct use){array, size.var};
    if (!memo_get(&r->first, array))
        memo_set(r->m->mem, &r->first, array, r->uses.n);
    return var_text(r->m, size.var);
}

/* gives v the sizes in r->sizes */
static void
set_sizes(struct repairing *r, var_t v)
{
    r->m->vars.at[v].type = type_with_sizes(r->m, r->m->vars.at[v].type, r->sizes.at);
    r->any = true;
}

/* replaces references in the type of binder or result i by names */
static void
repair_references(struct repairing *r, var_t v, jaxpr_t j, eqn_t e, u32 i)
{
    struct module *m = r->m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    bool any = false;
    r->sizes.n = 0;
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *dim = &type_dims(&m->types, t)[k];
        bool reference = dim->kind == DIM_DBIDX || dim->kind == DIM_INDBIDX || dim->kind == DIM_OUTDBIDX;
        bool left = dim->kind == DIM_INDBIDX || dim->value < i;
        struct slice text = {NULL, 0};
        if (reference && left)
            text = size_text(r, v, size_of_dim(m, &r->d.scope, dim, j, e));
        any |= text.at != NULL;
        *vec_push(m->mem, &r->sizes) = text;
    }
    if (any)
        set_sizes(r, v);
}

/* the value of a result's size: the operand, or an earlier result that returns it */
static struct size
result_size(struct repairing *r, eqn_t e, const struct region *in, const struct dim *dim, u32 i, struct size wanted)
{
    const struct module *m = r->m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    var_t v = dim->kind == DIM_NAME ? binders_find(&r->d.inner, dim->name) : NONE;
    if (wanted.kind == SIZE_INT || wanted.kind == SIZE_VAR || v == NONE)
        return wanted;
    for (u32 k = 0; k < i; k++)
        if (m->atoms.at[j->outs + k] == atom_make(ATOM_VAR, v))
            return (struct size){.kind = SIZE_VAR, .var = m->eqns.at[e].vars + k};
    return wanted;
}

/* the same for a loop: an implicit argument that it changes has no size outside except the result */
static struct size
loop_size(struct repairing *r, eqn_t e, const struct region *in, const struct dim *dim, u32 i, struct size wanted)
{
    const struct region_map *l = &r->d.map;
    const struct jaxpr *j = &r->m->jaxprs.at[in->jaxpr];
    var_t v = dim->kind == DIM_NAME ? binders_find(&r->d.inner, dim->name) : NONE;
    u32 at = v != NONE && v >= j->vars ? v - j->vars : NONE;
    bool carried = region_map_loops(l) && at != NONE && at >= l->body_carry;
    if (carried)
        wanted.kind = SIZE_LOOSE;
    return result_size(r, e, in, dim, i, wanted);
}

/* notes the operands of an equation that has other operands, returns arrays or contains a program: other sizes might
 * not fit there, so a printed size that is merely wrong is kept */
static void
note_relied(struct repairing *r, eqn_t e)
{
    struct module *m = r->m;
    const struct eqn *eqn = &m->eqns.at[e];
    bool relies = eqn_nests(m, e) || eqn->n_atoms > 1;
    for (u32 i = 0; i < eqn->n_vars && !relies; i++)
        relies = m->vars.at[eqn->vars + i].type != NONE && type_array(m, m->vars.at[eqn->vars + i].type) &&
                 type_array(m, m->vars.at[eqn->vars + i].type)->rank > 0;
    for (u32 i = 0; i < eqn->n_atoms && relies; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_VAR)
            memo_set(m->mem, &r->relied, atom_id(a), 1);
    }
}

static void
repair_results(struct repairing *r, eqn_t e)
{
    struct module *m = r->m;
    struct dynamics *d = &r->d;
    if (!region_map_read(m, e, &d->map) || !region_map_keeps_types(&d->map) || d->map.regions.n == 0 ||
        d->map.regions.at[0].jaxpr == NONE)
        return;
    const struct region in = d->map.regions.at[0];
    if (m->jaxprs.at[in.jaxpr].n_outs != m->eqns.at[e].n_vars)
        return;
    inner_open(d, &in);
    for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
        var_t v = m->eqns.at[e].vars + i;
        atom_t out = m->atoms.at[m->jaxprs.at[in.jaxpr].outs + i];
        const struct type *t = type_array(m, m->vars.at[v].type);
        const struct type *inside = atom_kind(out) == ATOM_VAR ? type_array(m, m->vars.at[atom_id(out)].type) : NULL;
        if (!t || !inside || t->rank != inside->rank || (!t->dynamic && !inside->dynamic))
            continue;
        bool any = false;
        r->sizes.n = 0;
        for (u32 k = 0; k < t->rank; k++) {
            const struct dim *dim = &type_dims(&m->types, t)[k], *of = &type_dims(&m->types, inside)[k];
            struct size printed = outer_size(d, dim), wanted;
            struct slice text = {NULL, 0};
            bool loose = dim->kind == DIM_NAME && printed.kind == SIZE_LOOSE;
            bool wrong = !result_size_fits(d, e, &in, of, printed, &wanted);
            wrong &= !memo_get(&r->relied, v);
            if (loose || (wrong && !(r->excused && !result_size_excused(d, e, printed, wanted))))
                text = size_text(r, v, loop_size(r, e, &in, of, i, wanted));
            any |= text.at != NULL;
            *vec_push(m->mem, &r->sizes) = text;
        }
        if (any)
            set_sizes(r, v);
    }
}

/* ---- names that are bound elsewhere, or nowhere ---- */

/* replaces sizes in the type of v that are unbound in scope by the texts that `find` returns */
static void
replace_unbound(struct repairing *r, const struct binders *scope, var_t v,
                struct slice (*find)(struct repairing *r, const struct dim *d))
{
    struct module *m = r->m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    bool any = false;
    r->sizes.n = 0;
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        struct slice text = {NULL, 0};
        if (d->kind == DIM_NAME && binders_find(scope, d->name) == NONE)
            text = find(r, d);
        any |= text.at != NULL;
        *vec_push(m->mem, &r->sizes) = text;
    }
    if (any)
        set_sizes(r, v);
}

/* true if a type contains a size that is unbound in scope */
static bool
is_unbound(const struct module *m, const struct binders *scope, var_t v)
{
    const struct type *t = type_array(m, m->vars.at[v].type);
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        if (d->kind == DIM_NAME && binders_find(scope, d->name) == NONE)
            return true;
    }
    return false;
}

/* true if each name among the sizes of a type is an integer scalar in scope */
static bool
names_integers(const struct module *m, const struct binders *scope, const struct type *t)
{
    for (u32 k = 0; t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        var_t v = d->kind == DIM_NAME ? binders_find(scope, d->name) : NONE;
        if (d->kind == DIM_NAME && (v == NONE || !var_may_be_dim(m, v)))
            return false;
    }
    return true;
}

static struct slice
receiving_binder(struct repairing *r, const struct dim *d)
{
    u64 v = memo_get(&r->received, d->name);
    return v ? var_text(r->m, (u32)v - 1) : (struct slice){NULL, 0};
}

/* a size to the right of a type cannot be named there, and so is not by the other types either */
static void
forget_later(struct repairing *r, const struct jaxpr *j)
{
    struct module *m = r->m;
    for (u32 i = 0; i < jaxpr_binders(j); i++) {
        const struct type *t = type_array(m, m->vars.at[j->vars + i].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind == DIM_NAME && memo_get(&r->received, d->name) > (u64)j->vars + i)
                memo_set(m->mem, &r->received, d->name, 0);
        }
    }
}

/* JAX 0.7 uses variables of the outer program as sizes in the binders of branches, and also passes those variables */
static void
repair_borrowed(struct repairing *r, jaxpr_t id)
{
    struct module *m = r->m;
    const struct jaxpr j = m->jaxprs.at[id];
    bool any = false;
    if (j.parent == NONE)
        return;
    binders_open(&r->d.inner);
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        binders_bind(&r->d.inner, j.vars + i);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            binders_bind(&r->d.inner, m->eqns.at[e].vars + i);
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        any |= is_unbound(m, &r->d.inner, j.vars + i);
    if (!any || !region_map_read(m, j.parent, &r->d.map) || !region_map_keeps_types(&r->d.map))
        return;
    memo_free(m->mem, &r->received);
    for (u32 i = 0; i < r->d.map.regions.n; i++)
        for (u32 k = jaxpr_binders(&j); r->d.map.regions.at[i].jaxpr == id && k-- > 0;) {
            u32 operand = region_operand(&r->d.map.regions.at[i], k);
            if (operand >= m->eqns.at[j.parent].n_atoms || !var_may_be_dim(m, j.vars + k))
                continue;
            atom_t a = m->atoms.at[m->eqns.at[j.parent].atoms + operand];
            if (atom_kind(a) == ATOM_VAR)
                memo_set(m->mem, &r->received, m->vars.at[atom_id(a)].name, (u64)j.vars + k + 1);
        }
    forget_later(r, &j);
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        replace_unbound(r, &r->d.inner, j.vars + i, receiving_binder);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            replace_unbound(r, &r->d.inner, m->eqns.at[e].vars + i, receiving_binder);
}

static struct slice
leaked_operand(struct repairing *r, const struct dim *d)
{
    u64 known = memo_get(&r->leaked, d->name);
    atom_t a = known ? (atom_t)(known - 1) : 0;
    if (!known)
        return (struct slice){NULL, 0};
    return atom_kind(a) == ATOM_VAR ? var_text(r->m, atom_id(a))
                                    : module_bytes(r->m, r->m->literals.at[atom_id(a)].value);
}

/* repairs a result whose size is an argument of the inner program (PennyLane's jacobian): if that program takes the
 * operands one by one, the size is the operand */
static void
repair_leaked(struct repairing *r, eqn_t e)
{
    struct module *m = r->m;
    struct nested held = nested_start(m, e);
    jaxpr_t id = nested_unpasted(m, &held);
    if (id == NONE ||
        (region_map_read(m, e, &r->d.map) && region_map_keeps_types(&r->d.map) && r->d.map.kind != REGION_CALL))
        return;
    const struct jaxpr j = m->jaxprs.at[id];
    const struct region *in = r->d.map.regions.n ? &r->d.map.regions.at[0] : NULL;
    if (!in && j.n_ins != m->eqns.at[e].n_atoms)
        return;
    for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
        if (!is_unbound(m, &r->d.scope, m->eqns.at[e].vars + i))
            continue;
        for (u32 k = j.n_consts; k < jaxpr_binders(&j); k++) {
            u32 operand = in ? region_operand(in, k) : k - j.n_consts;
            atom_t a = operand < m->eqns.at[e].n_atoms ? m->atoms.at[m->eqns.at[e].atoms + operand] : 0;
            if (operand < m->eqns.at[e].n_atoms && var_may_be_dim(m, j.vars + k) &&
                (atom_kind(a) == ATOM_VAR || atom_kind(a) == ATOM_LIT))
                memo_set(m->mem, &r->leaked, m->vars.at[j.vars + k].name, (u64)a + 1);
        }
        replace_unbound(r, &r->d.scope, m->eqns.at[e].vars + i, leaked_operand);
    }
}

/* replaces such names among the results of a jaxpr */
static void
repair_leaked_outs(struct repairing *r, jaxpr_t id)
{
    struct module *m = r->m;
    const struct jaxpr j = m->jaxprs.at[id];
    for (u32 i = 0; i < j.n_outs && r->leaked.n; i++) {
        atom_t a = m->atoms.at[j.outs + i];
        u64 known = atom_kind(a) == ATOM_NAME ? memo_get(&r->leaked, atom_id(a)) : 0;
        if (known)
            m->atoms.at[j.outs + i] = (atom_t)(known - 1);
    }
    memo_free(m->mem, &r->leaked);
}

/* a result with an unbound size gets the type of its equation's rule, if that has the same rank and sizes in scope */
static void
repair_unbound(struct repairing *r, eqn_t e, var_t v)
{
    struct module *m = r->m;
    type_t printed = m->vars.at[v].type;
    if (!is_unbound(m, &r->d.scope, v))
        return;
    m->vars.at[v].type = NONE;
    infer_equation(r->rules, e);
    type_t given = inferred_type(r->rules, v, type_array(m, printed)->dtype);
    m->vars.at[v].type = printed;
    const struct type *a = type_array(m, given), *b = type_array(m, printed);
    bool better = a && a->rank == b->rank && names_integers(m, &r->d.scope, a);
    r->sizes.n = 0;
    for (u32 k = 0; better && k < a->rank; k++)
        *vec_push(m->mem, &r->sizes) = type_dims(&m->types, a)[k].text;
    if (better)
        set_sizes(r, v);
}

static void
repair_jaxpr(struct repairing *r, jaxpr_t id)
{
    struct module *m = r->m;
    repair_borrowed(r, id);
    const struct jaxpr j = m->jaxprs.at[id];
    binders_open(&r->d.scope);
    for (u32 i = 0; i < jaxpr_binders(&j); i++) {
        repair_references(r, j.vars + i, id, NONE, i);
        binders_bind(&r->d.scope, j.vars + i);
    }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            repair_references(r, m->eqns.at[e].vars + i, id, e, i);
            binders_bind(&r->d.scope, m->eqns.at[e].vars + i);
        }
        if (m->eqns.at[e].params == NONE)
            continue;
        repair_results(r, e);
        repair_leaked(r, e);
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            repair_unbound(r, e, m->eqns.at[e].vars + i);
    }
    repair_leaked_outs(r, id);
}

/* makes the main jaxpr return, before its other results, the repaired sizes of results that are neither arguments nor
 * earlier results */
static void
return_sizes(struct repairing *r, jaxpr_t main)
{
    struct module *m = r->m;
    struct jaxpr *j = &m->jaxprs.at[main];
    VEC(atom_t) outs = {0};
    struct memo given = {0};
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        memo_set(m->mem, &given, j->vars + i, 1);
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = m->atoms.at[j->outs + i];
        if (atom_kind(a) != ATOM_VAR)
            continue;
        memo_set(m->mem, &given, atom_id(a), 1);
        for (u64 k = memo_get(&r->first, atom_id(a)); k != 0 && k <= r->uses.n && r->uses.at[k - 1].array == atom_id(a);
             k++)
            if (!memo_get(&given, r->uses.at[k - 1].size)) {
                memo_set(m->mem, &given, r->uses.at[k - 1].size, 1);
                *vec_push(m->mem, &outs) = atom_make(ATOM_VAR, r->uses.at[k - 1].size);
            }
    }
    if (outs.n) {
        for (u32 i = 0; i < j->n_outs; i++) {
            atom_t a = m->atoms.at[j->outs + i];
            *vec_push(m->mem, &outs) = a;
        }
        r->any = true;
        j->outs = m->atoms.n;
        j->n_outs = outs.n;
        vec_append(m->mem, &m->atoms, outs.at, outs.n);
    }
    vec_free(m->mem, &outs);
    memo_free(m->mem, &given);
}

enum outcome
pass_repair(struct passes *p, program_t program)
{
    struct module *m = p->m;
    jaxpr_t main = m->programs.at[program].main;
    if (main == NONE)
        return OUTCOME_NOTHING;
    const struct check_options options = {.dims = DIMS_VARS};
    struct repairing r = {
        .m = m, .d = {.m = m, .options = &options, .variables = true}, .rules = p->rules, .excused = p->excused};
    inferrer_enter(p->rules, program);
    r.underscore = names_find(&m->names, SLICE("_"));
    binders_init(&r.d.scope, m);
    binders_init(&r.d.inner, m);
    struct jaxprs list = {0};
    reach_all(m, program, &list);
    for (u32 i = 0; i < list.n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list.at[i]];
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            note_relied(&r, e);
        for (u32 k = 0; k < j->n_outs && list.at[i] != main; k++)
            if (atom_kind(m->atoms.at[j->outs + k]) == ATOM_VAR)
                memo_set(m->mem, &r.relied, atom_id(m->atoms.at[j->outs + k]), 1);
    }
    for (u32 i = 0; i < list.n; i++)
        repair_jaxpr(&r, list.at[i]);
    return_sizes(&r, main);
    mem_free_all(m->mem, list.at, r.sizes.at, r.uses.at, r.first.slots);
    region_map_free(m, &r.d.map);
    binders_drop(&r.d.scope);
    binders_drop(&r.d.inner);
    memo_free(m->mem, &r.received);
    memo_free(m->mem, &r.relied);
    return r.fresh ? OUTCOME_RENAMES : r.any ? OUTCOME_DONE : OUTCOME_NOTHING;
}
