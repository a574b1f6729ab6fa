/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of constants, family by family (regions/region_map.h), and the edits that pass more of them. Each edit
 * is linear in its equation or jaxpr. */
#include "rewrite/const_operands.h"

#include "base/value.h"
#include "resolve/dim_resolve.h"
#include "rewrite/copy.h"
#include "ir/reach.h"
#include "prims/prims.h"
#include "rewrite/dim_subst.h"
#include "rewrite/tuples.h"
#include "rewrite/values.h"

/* whether an equation that is not a call passes each operand to the binder at the same position: types decide, so that
 * the scalar programs of reductions do not count */
static bool
passes_operands(const struct module *m, eqn_t e, const struct jaxpr *j)
{
    const struct eqn *eqn = &m->eqns.at[e];
    if (eqn->params == NONE || j->n_ins != eqn->n_atoms)
        return false;
    for (u32 i = 0; i < j->n_ins; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        const struct type *in = type_array(m, m->vars.at[jaxpr_in(j, i)].type);
        const struct type *operand = atom_kind(a) == ATOM_VAR ? type_array(m, m->vars.at[atom_id(a)].type) : NULL;
        if (in && operand && (in->dtype != operand->dtype || in->rank != operand->rank))
            return false;
    }
    return true;
}

/* PennyLane stores constants as constvars, cut out of the operands by slices, or counted up to 0.39 */
static void
slot_of_pennylane(const struct module *m, eqn_t e, const struct region_map *map, const struct region *r,
                  struct const_slot *out)
{
    bool counted = eqn_param(m, e, SLICE("args_slice")) == NONE;
    u32 i = (u32)(r - map->regions.at);
    out->open = true;
    out->bound = r->n_consts;
    out->operand = r->consts + r->n_consts;
    out->slice = map->kind == REGION_BRANCH ? i : 0;
    out->base = map->kind == REGION_LOOP ? 3 : 0;
    if (map->kind == REGION_BRANCH)
        out->slices = SLICE("consts_slices");
    else if (map->kind == REGION_LOOP)
        *(counted ? &out->count : &out->slices) = counted ? SLICE("n_consts") : SLICE("consts_slice");
    else if (i == 0)
        *(counted ? &out->count : &out->slices) = counted ? SLICE("n_consts_body") : SLICE("body_slice");
    else
        *(counted ? &out->count : &out->slices) = counted ? SLICE("n_consts_cond") : SLICE("cond_slice");
}

/* a call: constants are its first operands, counted by `num_consts` (derivative rules), or, if the program is open, by
 * `n_consts` */
static void
slot_of_call(const struct module *m, eqn_t e, jaxpr_t j, struct const_slot *out)
{
    const struct jaxpr *inner = &m->jaxprs.at[j];
    i64 consts = eqn_int(m, e, SLICE("n_consts"), -1);
    if (consts < 0) {
        out->count = SLICE("num_consts");
        return;
    }
    out->count = SLICE("n_consts");
    out->open = inner->n_consts > 0 || consts == 0;
    out->bound = out->open ? (u32)consts : 0;
    out->operand = m->eqns.at[e].n_atoms - inner->n_ins;
}

/* const_slot_find without comparing counts with the number of operands */
static bool
find_slot(const struct module *m, eqn_t e, jaxpr_t j, struct region_map *map, struct const_slot *out)
{
    if (eqn_columns(m, e)->control == CONTROL_SCAN) {
        struct scan_counts counts;
        bool found = scan_counts(m, e, &counts);
        *(counts.trees ? &out->tree : &out->count) = counts.trees ? SLICE("ft_in") : SLICE("num_consts");
        return found;
    }
    if (!region_map_again(m, e, map) || map->kind == REGION_MAPPED) {
        /* with n_consts, constvars without operands keep region_map_read from recognizing a call */
        if (eqn_param(m, e, SLICE("n_consts")) == NONE)
            return passes_operands(m, e, &m->jaxprs.at[j]);
        slot_of_call(m, e, j, out);
        return eqn_jaxpr(m, e, SLICE("jaxpr")) == j && m->eqns.at[e].n_atoms >= m->jaxprs.at[j].n_ins + out->bound;
    }
    if (map->kind == REGION_CALL) {
        slot_of_call(m, e, j, out);
        return true;
    }
    if (map->kind == REGION_BRANCH && map->system != SYSTEM_PENNYLANE) {
        out->operand = map->selectors;
        return true;
    }
    const struct region *r = region_of(map, j);
    if (r == NULL)
        return false;
    if (map->system == SYSTEM_PENNYLANE) {
        slot_of_pennylane(m, e, map, r, out);
        return true;
    }
    out->operand = r->consts;
    out->count = r == map->regions.at ? SLICE("body_nconsts") : SLICE("cond_nconsts");
    return map->system != SYSTEM_JAX || eqn_param(m, e, out->count) != NONE; /* Catalyst's loops may print no counts */
}

bool
const_slot_find(const struct module *m, eqn_t e, jaxpr_t j, struct region_map *map, struct const_slot *out)
{
    *out = (struct const_slot){.operand = 0};
    return find_slot(m, e, j, map, out) && out->operand <= m->eqns.at[e].n_atoms;
}

void
operands_insert(struct module *m, eqn_t e, u32 at, const atom_t *atoms, u32 n)
{
    struct eqn eqn = m->eqns.at[e];
    u32 first = m->atoms.n;
    for (u32 i = 0; i < eqn.n_atoms + n; i++) {
        atom_t a = i < at ? m->atoms.at[eqn.atoms + i] : i < at + n ? atoms[i - at] : m->atoms.at[eqn.atoms + i - n];
        *vec_push(m->mem, &m->atoms) = a;
    }
    tuples_insert(m, e, eqn.n_atoms, at, n);
    m->eqns.at[e].atoms = first;
    m->eqns.at[e].n_atoms = (eqn.n_atoms + n) & MOST_ATOMS;
}

/* adds n to the number in a parameter */
static void
count_add(struct module *m, eqn_t e, struct slice key, u32 n)
{
    param_t p = key.n ? eqn_param(m, e, key) : NONE;
    i64 count = p == NONE ? -1 : eqn_int(m, e, key, -1);
    if (count >= 0)
        param_set_text(m, p, arena_printf(m->mem, "%lld", (long long)(count + n)));
}

void
const_slot_fill(struct module *m, eqn_t e, const struct const_slot *slot, const atom_t *atoms, u32 n)
{
    operands_insert(m, e, slot->operand, atoms, n);
    count_add(m, e, slot->count, n);
    param_t tree = slot->tree.n ? eqn_param(m, e, slot->tree) : NONE;
    if (tree != NONE)
        param_set_text(m, tree, flat_grow(m->mem, value_trim(param_bytes(m, &m->params.at[tree])), n));
    if (slot->slices.n)
        slices_insert(m, e, slot->slices, slot->slice, slot->operand - slot->base, n);
}

/* Binders [from, from + n) that are now at `to`, with `gap` new ones before the one at index `at`. */
struct moved {
    var_t from, to;
    u32 n, at, gap;
};

static void
follow(atom_t *a, const struct moved *moved)
{
    if (atom_kind(*a) != ATOM_VAR || atom_id(*a) < moved->from || atom_id(*a) - moved->from >= moved->n)
        return;
    u32 i = atom_id(*a) - moved->from;
    *a = atom_make(ATOM_VAR, moved->to + i + (i >= moved->at ? moved->gap : 0));
}

u32
binders_insert(struct module *m, jaxpr_t id, u32 at, const var_t *binders, u32 n, bool constants)
{
    struct jaxpr j = m->jaxprs.at[id];
    u32 old = jaxpr_binders(&j), to = m->vars.n;
    for (u32 i = 0; i < old + n; i++) {
        bool made = i >= at && i < at + n;
        var_t like = i < at ? j.vars + i : made ? binders[i - at] : j.vars + i - n;
        var_append(m, like, made ? m->vars.at[like].name : NONE);
    }
    const struct moved moved = {j.vars, to, old, at, n};
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
            atom_t *a = &m->atoms.at[m->eqns.at[e].atoms + i];
            if (atom_kind(*a) != ATOM_REF) {
                follow(a, &moved);
                continue;
            }
            struct refexpr *ref = &m->refs.at[atom_id(*a)];
            follow(&ref->ref, &moved);
            for (u32 k = 0; k < ref->n_uses; k++)
                follow(&m->uses.at[ref->uses + k], &moved);
        }
    for (u32 i = 0; i < j.n_outs; i++)
        follow(&m->atoms.at[j.outs + i], &moved);
    struct jaxpr *jaxpr = &m->jaxprs.at[id];
    jaxpr->vars = to;
    if (constants)
        jaxpr->n_consts += n;
    else
        jaxpr->n_ins += n;
    return to + at;
}

void
binders_like(struct module *m, const var_t *likes, u32 n, bool pads, u32 *fresh, void *list)
{
    VEC(var_t) *out = list;
    VEC(struct slice) sizes = {0};
    struct memo renamed = {0}; /* by old name: the new variable, which is never 0 */
    for (u32 i = 0; i < n; i++) {
        name_t old = m->vars.at[likes[i]].name;
        name_t name = fresh_name(m, fresh);
        struct name_buffer buffer;
        if (pads) {
            struct slice text = module_name(m, name, &buffer);
            name = module_intern(m, slice_of(arena_printf(m->mem, "%.*s_", (int)text.n, text.at).at));
        }
        var_t v = var_append(m, likes[i], name);
        const struct type *t = type_array(m, m->vars.at[v].type);
        sizes.n = 0;
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            u64 to = d->kind == DIM_NAME ? memo_get(&renamed, d->name) : 0;
            *vec_push(m->mem, &sizes) = to ? var_text(m, (u32)to) : (struct slice){NULL, 0};
        }
        if (sizes.n)
            m->vars.at[v].type = type_with_sizes(m, m->vars.at[v].type, sizes.at);
        memo_set(m->mem, &renamed, old, v);
        *vec_push(m->mem, out) = v;
    }
    memo_free(m->mem, &renamed);
    vec_free(m->mem, &sizes);
}
