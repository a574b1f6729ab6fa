/* SPDX-License-Identifier: Apache-2.0
 *
 * Closure conversion of programs that use variables of the programs around them, as hand-written ones do: a captured
 * variable, and before it the sizes of its type, becomes a leading argument, and the equation passes it on. Programs
 * are closed from the inside out, so that an outer one captures what an inner one needs. A branch also takes what only
 * another one captures (catalyst/jax_extras/tracing.py, jaxpr_pad_consts). Linear, except that for each capture, all
 * programs between its use and its binder are visited. */
#include "base/memo.h"
#include "resolve/dim_resolve.h"
#include "rewrite/const_operands.h"
#include "rewrite/dim_subst.h"
#include "ir/reach.h"
#include "rewrite/rewrite.h"

/* The position of an atom: among operands and results, in an index, or as the ref of one. */
struct place {
    enum { IN_ATOMS, IN_USES, IN_REFS } in;
    u32 at;
};

struct capturing {
    struct module *m;
    struct binders around; /* every variable of the program, outer programs first */
    struct binders scope;  /* of the current jaxpr, captured ones included */
    struct region_map map;
    VEC(var_t) captured;      /* variables of outer programs, in order */
    VEC(struct slice) sizes;  /* of a type */
    struct memo namesakes;    /* by variable of `around` or after it: another of its name, plus one */
    VEC(struct place) places; /* atoms that refer to captured variables, whose binders are made later */
    struct memo passed;       /* by equation with branches: how many captures it passes on so far */
    struct memo received;  /* by outer name: the size, an argument of the program, that the equation passes for it .. */
    jaxpr_t receives;      /* .. shifted, below whether it changes, plus one; and the program it was computed for */
    struct jaxprs list;    /* of the program, inner ones first */
    struct memo positions; /* by equation: its jaxpr plus one, and in the low half its index there, from 1 on .. */
    struct memo def_sites; /* .. by variable: the same for the equation that binds it, index 0 for a binder */
    bool noted;            /* both are computed on first use */
    u32 fresh;
    name_t underscore;
    bool symbols; /* names in shapes are not variables */
    bool lost;    /* a name is unbound */
    bool reused;  /* a type or an operand names an argument in place of an outer size */
};

/* the array type of a variable if its sizes may be variables; else NULL */
static const struct type *
sizes_of(const struct capturing *c, var_t v)
{
    return c->symbols ? NULL : type_array(c->m, c->m->vars.at[v].type);
}

static void
note_positions(struct capturing *c)
{
    struct module *m = c->m;
    for (u32 i = 0; i < c->list.n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[c->list.at[i]];
        u64 position = ((u64)c->list.at[i] + 1) << 32;
        for (u32 k = 0; k < jaxpr_binders(j); k++)
            memo_set(m->mem, &c->def_sites, j->vars + k, position);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            memo_set(m->mem, &c->positions, e, ++position);
            for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
                memo_set(m->mem, &c->def_sites, m->eqns.at[e].vars + k, position);
        }
    }
    c->noted = true;
}

/* true if an enclosing program binds the variable before the equation that contains the jaxpr */
static bool
can_be_passed(struct capturing *c, jaxpr_t id, var_t v)
{
    const struct module *m = c->m;
    if (!c->noted)
        note_positions(c);
    u64 def_site = memo_get(&c->def_sites, v), position;
    for (eqn_t e = m->jaxprs.at[id].parent; e != NONE; e = m->jaxprs.at[(position >> 32) - 1].parent) {
        position = memo_get(&c->positions, e);
        if (position == 0 || def_site >> 32 == position >> 32)
            return def_site < position;
    }
    return false;
}

/* the outer variable that a name in program id means: of several of this name, one that can be passed to it */
static var_t
find_around(struct capturing *c, jaxpr_t id, name_t name)
{
    enum { MOST_NAMESAKES = 256 };
    var_t first = binders_find(&c->around, name), v = first;
    if (first == NONE || memo_get(&c->namesakes, first) == 0)
        return first;
    for (u32 i = 0; i < MOST_NAMESAKES && v != NONE; i++, v = (var_t)memo_get(&c->namesakes, v) - 1)
        if (can_be_passed(c, id, v))
            return v;
    return first;
}

/* the index of a variable that program id captures, and its sizes before it */
static u32
capture(struct capturing *c, jaxpr_t id, var_t v)
{
    struct module *m = c->m;
    const struct type *t = sizes_of(c, v);
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        var_t size = d->kind == DIM_NAME ? find_around(c, id, d->name) : NONE;
        if (size == NONE || size == v || binders_find(&c->scope, d->name) != NONE || !var_may_be_dim(m, size))
            continue;
        binders_bind(&c->scope, size);
        *vec_push(m->mem, &c->captured) = size;
    }
    binders_bind(&c->scope, v);
    *vec_push(m->mem, &c->captured) = v;
    return c->captured.n - 1;
}

static atom_t *
place_atom(struct module *m, struct place place)
{
    return place.in == IN_ATOMS  ? &m->atoms.at[place.at]
           : place.in == IN_USES ? &m->uses.at[place.at]
                                 : &m->refs.at[place.at].ref;
}

/* notes a binder that receives a variable of the outer program, the first one of those that receive the same: one that
 * types can name */
static void
receive(struct capturing *c, atom_t outer, var_t binder, bool changes)
{
    const struct module *m = c->m;
    if (atom_kind(outer) == ATOM_VAR && var_may_be_dim(m, binder) && m->vars.at[binder].name != c->underscore)
        memo_set(m->mem, &c->received, m->vars.at[atom_id(outer)].name, ((u64)binder << 1 | changes) + 1);
}

/* the sizes that a loop passes as implicit arguments: those that the body returns unchanged are not one size */
static void
receive_implicit(struct capturing *c, jaxpr_t id, eqn_t e)
{
    const struct module *m = c->m;
    const struct region_map *l = &c->map;
    const struct jaxpr *body = &m->jaxprs.at[l->regions.at[0].jaxpr], *j = &m->jaxprs.at[id];
    if (l->implicit > body->n_outs || l->carry + l->implicit > m->eqns.at[e].n_atoms)
        return;
    u32 at = j == body ? l->body_carry : jaxpr_binders(j) - l->n_carry;
    for (u32 i = l->implicit; i-- > 0;)
        if (m->atoms.at[body->outs + i] != atom_make(ATOM_VAR, body->vars + l->body_carry + i) &&
            at + i < jaxpr_binders(j))
            receive(c, m->atoms.at[m->eqns.at[e].atoms + l->carry + i], j->vars + at + i, true);
}

/* notes which outer sizes the equation of a program passes to it: those that do not change, and a loop's implicit
 * arguments that its body changes */
static void
note_received(struct capturing *c, jaxpr_t id)
{
    const struct module *m = c->m;
    const struct region_map *l = &c->map;
    const struct jaxpr *j = &m->jaxprs.at[id];
    eqn_t e = j->parent;
    memo_free(m->mem, &c->received);
    c->receives = id + 1;
    if (e == NONE || m->eqns.at[e].params == NONE || !region_map_read(m, e, &c->map) || l->kind == REGION_MAPPED)
        return;
    const struct region *in = region_of(&c->map, id);
    for (u32 k = jaxpr_binders(j); in && k-- > 0;) {
        u32 operand = region_operand(in, k);
        bool constant = !region_map_loops(l) || operand - in->consts < in->n_consts;
        if (operand < m->eqns.at[e].n_atoms && constant)
            receive(c, m->atoms.at[m->eqns.at[e].atoms + operand], j->vars + k, false);
    }
    if (region_map_loops(l) && l->regions.n)
        receive_implicit(c, id, e);
}

/* the size of program j that its equation passes for an outer variable: to be named by a type of `of`, to its right,
 * or, where `of` is NONE, by an operand, which a size that changes does not match; or NONE */
static var_t
find_received(struct capturing *c, jaxpr_t id, name_t name, var_t of)
{
    if (c->symbols)
        return NONE;
    if (c->receives != id + 1)
        note_received(c, id);
    u64 received = memo_get(&c->received, name) - 1;
    var_t v = received == UINT64_MAX || (of == NONE && received & 1) ? NONE : (var_t)(received >> 1);
    return v != NONE && of != NONE && jaxpr_binds(&c->m->jaxprs.at[id], of) && v > of ? NONE : v;
}

/* resolves a name in jaxpr j, capturing an outer variable */
static void
look(struct capturing *c, jaxpr_t j, struct place at)
{
    struct module *m = c->m;
    atom_t a = *place_atom(m, at);
    if (atom_kind(a) != ATOM_NAME)
        return;
    var_t v = binders_find(&c->scope, atom_id(a)), received = v == NONE ? find_received(c, j, atom_id(a), NONE) : NONE;
    if (received != NONE) {
        *place_atom(m, at) = atom_make(ATOM_VAR, received);
        c->reused = true;
        return;
    }
    if (v == NONE) {
        v = find_around(c, j, atom_id(a));
        c->lost |= v == NONE && !memo_get(&m->unprinted, j);
        if (v == NONE)
            return;
        capture(c, j, v);
    }
    /* refers to the captured variable until its binder is made */
    *place_atom(m, at) = atom_make(ATOM_VAR, v);
    *vec_push(m->mem, &c->places) = at;
}

/* the same for an operand: a ref with an index contains several names */
static void
look_operand(struct capturing *c, jaxpr_t j, u32 at)
{
    const struct module *m = c->m;
    atom_t a = m->atoms.at[at];
    if (atom_kind(a) != ATOM_REF) {
        look(c, j, (struct place){IN_ATOMS, at});
        return;
    }
    const struct refexpr *ref = &m->refs.at[atom_id(a)];
    look(c, j, (struct place){IN_REFS, atom_id(a)});
    for (u32 i = 0; i < ref->n_uses; i++)
        look(c, j, (struct place){IN_USES, ref->uses + i});
}

/* captures the unbound sizes of a type in the jaxpr; one that cannot be passed stays unchanged, and one that is passed
 * already, as an implicit argument, gets its name */
static void
look_type(struct capturing *c, jaxpr_t id, var_t of)
{
    struct module *m = c->m;
    const struct type *t = sizes_of(c, of);
    bool any = false;
    c->sizes.n = 0;
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        *vec_push(m->mem, &c->sizes) = (struct slice){NULL, 0};
        if (d->kind != DIM_NAME || binders_find(&c->scope, d->name) != NONE)
            continue;
        var_t v = find_around(c, id, d->name);
        if (v == NONE || !var_may_be_dim(m, v) || !can_be_passed(c, id, v))
            continue;
        var_t received = find_received(c, id, d->name, of);
        any |= received != NONE;
        if (received != NONE)
            c->sizes.at[k] = var_text(m, received);
        else
            capture(c, id, v);
    }
    c->reused |= any;
    if (any)
        m->vars.at[of].type = type_with_sizes(m, m->vars.at[of].type, c->sizes.at);
}

/* visits a jaxpr in order: a variable bound after its use is another one, or unbound */
static void
collector(struct capturing *c, jaxpr_t id)
{
    struct module *m = c->m;
    const struct jaxpr j = m->jaxprs.at[id];
    c->captured.n = c->places.n = 0;
    binders_open(&c->scope);
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        binders_bind(&c->scope, j.vars + i);
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        look_type(c, id, j.vars + i);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            look_operand(c, id, m->eqns.at[e].atoms + i);
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            binders_bind(&c->scope, m->eqns.at[e].vars + i);
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            look_type(c, id, m->eqns.at[e].vars + i);
    }
    for (u32 i = 0; i < j.n_outs; i++)
        look_operand(c, id, j.outs + i);
}

/* makes binders for captured variables, and resolves the pending atoms to them */
static void
close_jaxpr(struct capturing *c, jaxpr_t id, bool constants, u32 at)
{
    struct module *m = c->m;
    u32 first = binders_insert(m, id, m->jaxprs.at[id].n_consts + at, c->captured.at, c->captured.n, constants);
    struct memo binder = {0};
    for (u32 i = 0; i < c->captured.n; i++)
        memo_set(m->mem, &binder, c->captured.at[i], first + i);
    for (u32 i = 0; i < c->places.n; i++) {
        atom_t *a = place_atom(m, c->places.at[i]);
        u64 v = memo_get(&binder, atom_id(*a));
        if (v)
            *a = atom_make(ATOM_VAR, (u32)v);
    }
    memo_free(m->mem, &binder);
}

/* gives a branch the captures of another one as arguments, under new names */
static void
pad_branch(struct capturing *c, jaxpr_t id, u32 at)
{
    VEC(var_t) pads = {0};
    binders_like(c->m, c->captured.at, c->captured.n, true, &c->fresh, &pads);
    binders_insert(c->m, id, c->m->jaxprs.at[id].n_consts + at, pads.at, pads.n, false);
    vec_free(c->m->mem, &pads);
}

/* passes captured variables to program j of equation e */
static void
pass_on(struct capturing *c, eqn_t e, jaxpr_t j, const struct const_slot *slot, u32 at)
{
    struct module *m = c->m;
    VEC(atom_t) atoms = {0};
    for (u32 i = 0; i < c->captured.n; i++)
        *vec_push(m->mem, &atoms) = atom_make(ATOM_NAME, m->vars.at[c->captured.at[i]].name);
    bool branches = c->map.kind == REGION_BRANCH && !slot->open;
    const_slot_fill(m, e, slot, atoms.at, atoms.n);
    for (u32 i = 0; branches && i < c->map.regions.n; i++)
        if (c->map.regions.at[i].jaxpr != j && c->map.regions.at[i].jaxpr != NONE)
            pad_branch(c, c->map.regions.at[i].jaxpr, at);
    vec_free(m->mem, &atoms);
}

/* binds a variable, or lists it after the first one of its name: names may start again in a list of programs */
static void
bind_around(struct capturing *c, var_t v)
{
    var_t first = binders_find(&c->around, c->m->vars.at[v].name);
    if (first == NONE) {
        binders_bind(&c->around, v);
    } else {
        memo_set(c->m->mem, &c->namesakes, v, memo_get(&c->namesakes, first));
        memo_set(c->m->mem, &c->namesakes, first, v + 1ull);
    }
}

enum outcome
pass_captures(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct capturing c = {.m = m, .underscore = module_intern(m, SLICE("_")), .symbols = p->symbols};
    bool closed = true, any = false;
    binders_init(&c.around, m);
    binders_init(&c.scope, m);
    reach_all(m, program, &c.list);
    binders_open(&c.around);
    for (u32 i = c.list.n; i-- > 0;) {
        const struct jaxpr *j = &m->jaxprs.at[c.list.at[i]];
        for (u32 k = 0; k < jaxpr_binders(j); k++)
            bind_around(&c, j->vars + k);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
                bind_around(&c, m->eqns.at[e].vars + k);
    }
    for (u32 i = 0; i < c.list.n; i++) {
        jaxpr_t j = c.list.at[i];
        eqn_t parent = m->jaxprs.at[j].parent;
        struct const_slot slot;
        c.map.kind = REGION_NONE;
        c.map.of = 0;
        collector(&c, j);
        if (c.captured.n == 0)
            continue;
        if (parent == NONE || !const_slot_find(m, parent, j, &c.map, &slot)) {
            /* it cannot be passed: the names stay as they were */
            for (u32 k = 0; k < c.places.n; k++) {
                atom_t *a = place_atom(m, c.places.at[k]);
                *a = atom_make(ATOM_NAME, m->vars.at[atom_id(*a)].name);
            }
            closed &= c.places.n == 0;
            continue;
        }
        /* branches receive their captures one after another */
        u32 before = c.map.kind == REGION_BRANCH && !slot.open ? (u32)memo_get(&c.passed, parent) : 0;
        memo_set(m->mem, &c.passed, parent, before + c.captured.n);
        slot.operand += before;
        any = true;
        close_jaxpr(&c, j, slot.open, before);
        pass_on(&c, parent, j, &slot, before);
    }
    mem_free_all(m->mem, c.list.at, c.captured.at, c.places.at, c.passed.slots, c.positions.slots, c.def_sites.slots,
                 c.received.slots, c.namesakes.slots, c.sizes.at);
    region_map_free(m, &c.map);
    binders_drop(&c.around);
    binders_drop(&c.scope);
    return !closed || c.lost ? OUTCOME_STUCK : any ? OUTCOME_RENAMES : c.reused ? OUTCOME_DONE : OUTCOME_NOTHING;
}
