/* SPDX-License-Identifier: Apache-2.0
 *
 * Implicit arguments and results of Catalyst's loops and branches (catalyst/jax_extras/tracing.py, expand_args and
 * expand_results). Where loops may resize, and in branches, every occurrence of a size is a separate size; in loops
 * that preserve dimensions, releases pass each size once, as a constant, and drafts as an implicit argument. An
 * equation whose sizes cannot all be found is not changed. */
#include "rewrite/copy.h"
#include "rewrite/const_operands.h"
#include "rewrite/expand.h"

/* the atom that a name in an operand's type refers to: a variable of the holder, or an unbound name that a later pass
 * binds */
static atom_t
holder_atom(const struct expanding *x, name_t name)
{
    var_t v = binders_find(&x->holder, name);
    return v == NONE ? atom_make(ATOM_NAME, name) : atom_make(ATOM_VAR, v);
}

/* finds the operands that are the sizes in spots, by their outer names; false if one is missing */
static bool
find_operands(struct expanding *x, eqn_t e, u32 first)
{
    struct module *m = x->s.m;
    const struct eqn *eqn = &m->eqns.at[e];
    x->atoms.n = 0;
    for (u32 i = 0; i < x->s.spots.n; i++) {
        const struct size_place *spot = &x->s.spots.at[i];
        const struct type *t =
            first + spot->i < eqn->n_atoms ? atom_array_type(m, m->atoms.at[eqn->atoms + first + spot->i]) : NULL;
        if (!t || spot->axis >= t->rank || type_dims(&m->types, t)[spot->axis].kind != DIM_NAME)
            return false;
        *vec_push(m->mem, &x->atoms) = holder_atom(x, type_dims(&m->types, t)[spot->axis].name);
    }
    return true;
}

/* whether the results in the spots have those axes */
static bool
results_fit(const struct expanding *x, eqn_t e)
{
    const struct module *m = x->s.m;
    const struct eqn *eqn = &m->eqns.at[e];
    for (u32 i = 0; i < x->s.spots.n; i++) {
        const struct size_place *spot = &x->s.spots.at[i];
        const struct type *t = spot->i < eqn->n_vars ? type_array(m, m->vars.at[eqn->vars + spot->i].type) : NULL;
        if (!t || spot->axis >= t->rank)
            return false;
    }
    return true;
}

/* the earlier spot whose result has the same unbound name as spot i, or NONE; *seen has, by name, the index of a spot,
 * plus one */
static u32
named_before(const struct expanding *x, const struct dim *d, const struct memo *seen)
{
    u64 at = d->kind == DIM_NAME ? memo_get(seen, d->name) : 0;
    return at && x->names.at[at - 1] == d->name ? (u32)(at - 1) : NONE;
}

/* whether every program of e returns the same value for two sizes */
static bool
same_outs(const struct expanding *x, u32 a, u32 b)
{
    const struct module *m = x->s.m;
    const struct region_map *l = &x->s.map;
    u32 n = l->kind == REGION_BRANCH ? l->regions.n : 1;
    for (u32 i = 0; i < n; i++) {
        u32 outs = m->jaxprs.at[l->regions.at[i].jaxpr].outs;
        if (m->atoms.at[outs + a] != m->atoms.at[outs + b])
            return false;
    }
    return true;
}

/* the operand that is the size of result i: every program of e returns the argument that receives it, which a loop does
 * not change; NONE if there is none */
static atom_t
returned_operand(const struct expanding *x, eqn_t e, u32 i)
{
    const struct module *m = x->s.m;
    const struct region_map *l = &x->s.map;
    bool branches = l->kind == REGION_BRANCH;
    atom_t found = NONE;
    for (u32 r = 0; r < (branches ? l->regions.n : 1); r++) {
        const struct region *in = &l->regions.at[r];
        const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
        atom_t a = m->atoms.at[j->outs + i];
        if (atom_kind(a) != ATOM_VAR || !jaxpr_binds(j, atom_id(a)))
            return NONE;
        /* the map of a loop was read before its sizes were added */
        u32 at = atom_id(a) - j->vars;
        u32 operand = branches ? region_operand(in, at) : at < l->body_carry ? in->consts + at : l->carry + i;
        if ((!branches && at >= l->body_carry && at != l->body_carry + i) || operand >= m->eqns.at[e].n_atoms)
            return NONE;
        a = m->atoms.at[m->eqns.at[e].atoms + operand];
        if ((atom_kind(a) != ATOM_VAR && atom_kind(a) != ATOM_NAME) || (r && a != found))
            return NONE;
        found = a;
    }
    return found;
}

/* whether a name is a size of the holder, or will be */
static bool
is_bound(const struct expanding *x, name_t name)
{
    return binders_find(&x->holder, name) != NONE || memo_get(&x->sized, name) ||
           (x->p->captures && memo_get(&x->bound, name));
}

/* the name of the implicit result for spot i: that in the result's type if it is unbound, else `_`. The programs of e
 * return the sizes already. A size that an earlier result has, too, gets another name: that of the operand that it is,
 * or, if the programs return another value for it, a new one */
static name_t
result_name(struct expanding *x, eqn_t e, u32 i, struct memo *seen)
{
    struct module *m = x->s.m;
    var_t v = m->eqns.at[e].vars + x->s.spots.at[i].i;
    u32 axis = x->s.spots.at[i].axis;
    const struct type *t = type_array(m, m->vars.at[v].type);
    if (!t)
        return x->underscore;
    const struct dim *d = &type_dims(&m->types, t)[axis];
    u32 before = named_before(x, d, seen);
    if (d->kind == DIM_NAME && before == NONE && !is_bound(x, d->name)) {
        memo_set(m->mem, seen, d->name, (u64)i + 1);
        return d->name;
    }
    if (d->kind != DIM_NAME || !x->p->unshare)
        return x->underscore;
    bool again = before != NONE ? !same_outs(x, before, i) : memo_get(&x->added, d->name) != 0;
    atom_t operand = returned_operand(x, e, i);
    name_t known = operand == NONE                  ? NONE
                   : atom_kind(operand) == ATOM_VAR ? m->vars.at[atom_id(operand)].name
                                                    : (name_t)atom_id(operand);
    if (operand == NONE)
        return again ? size_copy(x, v, axis) : x->underscore;
    if (known != d->name && (again || are_copies(x, known, d->name)))
        size_rename(x, v, axis, known);
    return x->underscore;
}

/* finds the names of the implicit results of e */
static void
find_results(struct expanding *x, eqn_t e)
{
    struct memo seen = {0};
    x->names.n = 0;
    for (u32 i = 0; i < x->s.spots.n; i++) {
        name_t name = result_name(x, e, i, &seen);
        *vec_push(x->s.m->mem, &x->names) = name;
    }
    memo_free(x->s.m->mem, &seen);
}

/* adds the sizes of x->s.spots to x->atoms; false if one is unbound */
static bool
add_outs(struct expanding *x)
{
    for (u32 i = 0; i < x->s.spots.n; i++) {
        var_t v = binders_find(&x->s.scope, x->s.spots.at[i].name);
        if (v == NONE && !(x->p->captures && memo_get(&x->bound, x->s.spots.at[i].name)))
            return false;
        *vec_push(x->s.m->mem, &x->atoms) =
            v == NONE ? atom_make(ATOM_NAME, x->s.spots.at[i].name) : atom_make(ATOM_VAR, v);
    }
    return true;
}

bool
expand_outs(struct expanding *x)
{
    x->atoms.n = 0;
    return add_outs(x);
}

/* adds the implicit results to equation e: the sizes in spots, which its programs return */
static void
add_results(struct expanding *x, eqn_t e)
{
    struct module *m = x->s.m;
    find_results(x, e);
    results_add(&x->s, e, x->names.at, x->names.n, size_type(&x->s, NONE));
    for (u32 i = 0; i < x->names.n; i++) {
        binders_bind(&x->holder, m->eqns.at[e].vars + i);
        memo_set(m->mem, &x->added, x->names.at[i], 1);
    }
    param_set_text(m, implicit_param(m, e, &x->s.map), arena_printf(m->mem, "%u", x->names.n));
}

/* gives new names to sizes of the carry of a program, in spots: to later occurrences of a name, and to names that an
 * outer program binds. Without `each`, a spot represents all occurrences of its name */
static void
copy_sizes(struct expanding *x, jaxpr_t j, u32 from, bool each)
{
    struct module *m = x->s.m;
    struct memo seen = {0}, by = {0};
    for (u32 i = 0; i < x->s.spots.n; i++) {
        struct size_place *spot = &x->s.spots.at[i];
        name_t name = spot->name;
        if (memo_get(&seen, name) || memo_get(&x->bound, name))
            spot->name = size_copy(x, m->jaxprs.at[j].vars + from + spot->i, spot->axis);
        if (!each && spot->name != name)
            memo_set(m->mem, &by, name, (u64)spot->name + 1);
        memo_set(m->mem, &seen, name, 1);
    }
    if (by.n)
        sizes_replace(x, m->jaxprs.at[j].vars + from, jaxpr_binders(&m->jaxprs.at[j]) - from, &by);
    memo_free(m->mem, &seen);
    memo_free(m->mem, &by);
}

/* replaces variables and names in a program whose binders changed; then what is moved in its holder, `holder`, is
 * pending again */
static void
finish_inside(struct expanding *x, jaxpr_t j, struct memo holder)
{
    sizing_open(&x->s, j);
    finish_moved(&x->s, j, true);
    x->s.moved = holder;
}

/* adds the sizes in spots before binder `at` of a program, and resolves their names there */
static void
add_binders(struct expanding *x, jaxpr_t j, u32 at)
{
    struct sizing *s = &x->s;
    struct memo holder = s->moved;
    s->moved = (struct memo){0};
    binders_add_run(s, j, at, s->spots.n, size_type(s, s->spots.at[0].name));
    finish_inside(x, j, holder);
}

/* adds the sizes of the carry, whose first binder is at `from`, before binder `at` of a program of a loop */
static void
add_inside(struct expanding *x, jaxpr_t j, u32 at, u32 from, bool each)
{
    const struct module *m = x->s.m;
    struct memo holder = x->s.moved;
    x->copied = false;
    if (x->p->unshare)
        copy_sizes(x, j, from, each);
    add_binders(x, j, at);
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE && x->copied; e = m->eqns.at[e].next)
        retype_equation(x, e);
    x->copied = false;
    x->s.moved = (struct memo){0};
    finish_inside(x, j, holder); /* resolves operands that were replaced by copies */
}

/* opens the scope of a program of a loop, and finds the open sizes of its n last binders; false if there are not as
 * many as `wanted`, unless that is NONE */
static bool
open_carry(struct expanding *x, jaxpr_t j, u32 n, bool each, u32 wanted)
{
    sizing_open(&x->s, j);
    open_sizes(&x->s, j, jaxpr_binders(&x->s.m->jaxprs.at[j]) - n, n, each);
    return x->s.spots.n > 0 && (wanted == NONE || x->s.spots.n == wanted);
}

/* whether the body returns n sizes that are all known once its open sizes are arguments */
static bool
returns_sizes(struct expanding *x, jaxpr_t body, u32 n, bool once, const struct memo *open)
{
    returned_sizes(&x->s, body, 0, once);
    bool found = x->s.spots.n == n;
    for (u32 i = 0; i < x->s.spots.n && found; i++) {
        name_t name = x->s.spots.at[i].name;
        found = binders_find(&x->s.scope, name) != NONE || memo_get(open, name) ||
                (x->p->captures && memo_get(&x->bound, name));
    }
    return found;
}

static bool
expand_loop(struct expanding *x, eqn_t e, bool once)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    struct region_map *l = &s->map;
    jaxpr_t body = l->regions.at[0].jaxpr, cond = l->kind == REGION_WHILE ? l->regions.at[1].jaxpr : NONE;
    u32 at = l->body_carry, from = at + (l->index != NONE), carried = jaxpr_binders(&m->jaxprs.at[body]) - from;
    bool each = !once && x->p->unshare;
    struct memo open = {0};
    /* stop if not all sizes can be found */
    if (!open_carry(x, body, carried, each, NONE) || !find_operands(x, e, carried_operand(l)))
        return false;
    u32 n = s->spots.n;
    for (u32 i = 0; i < n; i++)
        memo_set(m->mem, &open, s->spots.at[i].name, 1);
    bool found = returns_sizes(x, body, n, once, &open) && results_fit(x, e) &&
                 (cond == NONE || open_carry(x, cond, l->n_carry, each, n));
    memo_free(m->mem, &open);
    if (!found)
        return false;
    if (cond != NONE) {
        u32 first = jaxpr_binders(&m->jaxprs.at[cond]) - l->n_carry;
        add_inside(x, cond, first, first, each);
    }
    operands_insert(m, e, l->carry, x->atoms.at, n);
    open_carry(x, body, carried, each, n);
    add_inside(x, body, at, from, each);
    returned_sizes(s, body, 0, once);
    if (expand_outs(x))
        outs_add(m, body, x->atoms.at, x->atoms.n);
    add_results(x, e);
    return true;
}

/* passes the sizes in spots, whose operands are x->atoms, as the first constants of a program of a loop; a size that
 * is passed already gets the name of its constant */
static void
add_constants(struct expanding *x, eqn_t e, const struct region in)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    struct memo known = {0}, constants = {0}; /* by name, 1; by operand, the binder that receives it, plus one */
    struct const_slot slot;
    u32 n = 0;
    for (u32 i = in.n_consts; i-- > 0;)
        memo_set(m->mem, &constants, m->atoms.at[m->eqns.at[e].atoms + in.consts + i],
                 (u64)m->jaxprs.at[in.jaxpr].vars + i + 1);
    for (u32 i = 0; i < s->spots.n; i++) {
        u64 v = memo_get(&constants, x->atoms.at[i]);
        if (v) {
            memo_set(m->mem, &known, s->spots.at[i].name, (u64)m->vars.at[v - 1].name + 1);
            continue;
        }
        x->atoms.at[n] = x->atoms.at[i];
        s->spots.at[n++] = s->spots.at[i];
    }
    s->spots.n = n;
    const struct jaxpr j = m->jaxprs.at[in.jaxpr];
    sizes_replace(x, j.vars, jaxpr_binders(&j), &known);
    for (eqn_t inner = j.eqns; inner != NONE; inner = m->eqns.at[inner].next)
        sizes_replace(x, m->eqns.at[inner].vars, m->eqns.at[inner].n_vars, &known);
    memo_free(m->mem, &known);
    memo_free(m->mem, &constants);
    if (n == 0 || !const_slot_find(m, e, in.jaxpr, &s->map, &slot))
        return;
    add_binders(x, in.jaxpr, 0);
    const_slot_fill(m, e, &slot, x->atoms.at, n);
}

/* whether all sizes of the results of a body are bound, or open sizes of its carry */
static bool
keeps_sizes(struct expanding *x, jaxpr_t body, const struct memo *open)
{
    returned_sizes(&x->s, body, 0, true);
    for (u32 i = 0; i < x->s.spots.n; i++) {
        var_t v = binders_find(&x->s.scope, x->s.spots.at[i].name);
        if (v == NONE ? !memo_get(open, x->s.spots.at[i].name) : !jaxpr_binds(&x->s.m->jaxprs.at[body], v))
            return false;
    }
    return true;
}

/* whether a size of the carry is a variable of an outer program, which pass_captures makes a constant */
static bool
carries_bound(struct expanding *x, jaxpr_t body)
{
    bool any = false;
    open_carry(x, body, x->s.map.n_carry, false, NONE);
    for (u32 i = 0; i < x->s.spots.n; i++)
        any |= memo_get(&x->bound, x->s.spots.at[i].name) != 0;
    return any;
}

/* the same for a loop that preserves dimensions, as releases of Catalyst print it: sizes are constants */
static bool
expand_constants(struct expanding *x, eqn_t e)
{
    struct module *m = x->s.m;
    const struct region_map *l = &x->s.map;
    u32 carried = l->n_carry, first = carried_operand(l);
    jaxpr_t body = l->regions.at[0].jaxpr;
    bool any = false;
    struct memo open = {0};
    if (carries_bound(x, body))
        return false;
    for (u32 i = 0; i < x->s.spots.n; i++)
        memo_set(m->mem, &open, x->s.spots.at[i].name, 1);
    bool found = find_operands(x, e, first) && keeps_sizes(x, body, &open);
    memo_free(m->mem, &open);
    for (u32 i = 0; found && i < l->regions.n; i++) {
        if (!open_carry(x, l->regions.at[i].jaxpr, carried, false, NONE) || !find_operands(x, e, first))
            continue;
        add_constants(x, e, l->regions.at[i]);
        any = true;
        if (!region_map_read(m, e, &x->s.map))
            break;
        first = carried_operand(l);
    }
    return any;
}

static bool
expand_branches(struct expanding *x, eqn_t e)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    struct region_map *l = &s->map;
    u32 n = 0;
    x->atoms.n = 0;
    for (u32 i = 0; i < l->regions.n; i++) {
        jaxpr_t j = l->regions.at[i].jaxpr;
        if (j == NONE || m->jaxprs.at[j].n_outs != m->eqns.at[e].n_vars)
            return false;
        sizing_open(s, j);
        returned_sizes(s, j, 0, false);
        if ((i && s->spots.n != n) || !add_outs(x))
            return false;
        n = s->spots.n;
    }
    if (n == 0 || !results_fit(x, e))
        return false;
    for (u32 i = 0; i < l->regions.n; i++)
        outs_add(m, l->regions.at[i].jaxpr, x->atoms.at + (size_t)i * n, n);
    add_results(x, e);
    return true;
}

bool
expand_equation(struct expanding *x, eqn_t e)
{
    struct sizing *s = &x->s;
    struct module *m = s->m;
    struct region_map *l = &s->map;
    if (m->eqns.at[e].params == NONE || !region_map_read(m, e, l) || l->regions.n == 0 ||
        l->system != SYSTEM_CATALYST || implicit_param(m, e, l) == NONE || l->implicit)
        return false;
    bool releases = x->p->dialect == DIALECT_CATALYST, drafts = x->p->dialect == DIALECT_CATALYST_G1;
    if (x->p->dialect != DIALECT_AUTO && !releases && !drafts)
        return false;
    if (l->kind == REGION_BRANCH)
        return expand_branches(x, e);
    jaxpr_t body = l->regions.at[0].jaxpr;
    if (m->jaxprs.at[body].n_outs != l->n_carry || m->eqns.at[e].n_vars != l->n_carry)
        return false;
    bool once = returns_once(m, e, l);
    if (once && (releases || (!drafts && x->p->captures && carries_bound(x, body))))
        return releases && expand_constants(x, e);
    return expand_loop(x, e, once);
}
