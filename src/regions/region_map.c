/* SPDX-License-Identifier: Apache-2.0
 *
 * Operand layouts, one function a family. The orders are those of catalyst/jax_primitives.py (0.2 to 0.15) and
 * api_extensions/control_flow.py, pennylane/control_flow (0.38 to 0.45), and jax/_src/lax/control_flow. O(parameters)
 * an equation. */
#include "regions/region_map.h"

#include "base/value.h"
#include "ir/reach.h"
#include "prims/prims.h"
#include "prims/trees.h"

/* ---- parameters ---- */

jaxpr_t
eqn_jaxpr(const struct module *m, eqn_t e, struct slice key)
{
    param_t p = eqn_param(m, e, key);
    return p == NONE ? NONE : jaxpr_in_param(m, &m->params.at[p]);
}

i64
eqn_int(const struct module *m, eqn_t e, struct slice key, i64 missing)
{
    struct slice text;
    i64 value;
    if (!eqn_value(m, e, key, &text))
        return missing;
    struct cursor c = cursor_of(text);
    return value_int(&c, &value) && value_done(&c) && value >= 0 && value < NONE ? value : missing;
}

/* reads `slice(0, 1, None)` or `(0, 1, None)`: a start and how many of `total` operands follow it */
static bool
read_slice(struct cursor *c, u32 total, u32 *start, u32 *n)
{
    i64 from = 0, to = total;
    value_word(c, "slice");
    if (!value_open(c))
        return false;
    if (!value_word(c, "None") && !value_int(c, &from))
        return false;
    value_comma(c);
    if (!value_word(c, "None") && !value_int(c, &to))
        return false;
    value_comma(c);
    if (!value_word(c, "None") || !value_close(c) || from < 0 || to < from || to > total)
        return false;
    *start = (u32)from;
    *n = (u32)(to - from);
    return true;
}

static bool
param_slice_of(const struct module *m, eqn_t e, struct slice key, u32 total, u32 *start, u32 *n)
{
    struct slice text;
    *start = *n = 0;
    if (!eqn_value(m, e, key, &text))
        return false;
    struct cursor c = cursor_of(text);
    return read_slice(&c, total, start, n);
}

/* ---- runs ---- */

static u32
n_binders(const struct module *m, jaxpr_t j)
{
    return j == NONE ? 0 : m->jaxprs.at[j].n_consts + m->jaxprs.at[j].n_ins;
}

static struct region *
add_region(const struct module *m, struct region_map *map, jaxpr_t j)
{
    struct region *r = vec_push(m->mem, &map->regions);
    *r = (struct region){.jaxpr = j};
    return r;
}

/* adds the programs of a tuple or list parameter, in order, NONE for a `None` between them; false where there is no
 * such parameter */
static bool
add_branches(const struct module *m, eqn_t e, struct region_map *map, struct slice key)
{
    param_t p = eqn_param(m, e, key);
    if (p == NONE || (m->params.at[p].kind != PARAM_TUPLE && m->params.at[p].kind != PARAM_MIXED))
        return false;
    for (u32 i = m->params.at[p].a; i != NONE; i = m->segments.at[i].next) {
        const struct segment *s = &m->segments.at[i];
        struct slice text = module_bytes(m, s->span);
        if (s->kind != SEGMENT_TEXT)
            add_region(m, map, segment_jaxpr(m, s));
        for (size_t k = 0; s->kind == SEGMENT_TEXT && k + 4 <= text.n; k++)
            if (memcmp(text.at + k, "None", 4) == 0)
                add_region(m, map, NONE);
    }
    map->kind = REGION_BRANCH;
    return true;
}

/* the next n binders receive the operands from `operand` on */
static void
add_range(struct region *r, u32 n, u32 operand)
{
    u32 binder = r->n_ranges ? r->ranges[r->n_ranges - 1].binder + r->ranges[r->n_ranges - 1].n : 0;
    if (n && r->n_ranges < countof(r->ranges))
        r->ranges[r->n_ranges++] = (struct operand_range){binder, n, operand};
}

/* the next n binders are constants of its own */
static void
add_consts(struct region *r, u32 n, u32 operand)
{
    add_range(r, n, operand);
    r->consts = operand;
    r->n_consts = n;
}

u32
region_operand(const struct region *r, u32 binder)
{
    for (u32 i = 0; i < r->n_ranges; i++) {
        const struct operand_range *range = &r->ranges[i];
        if (binder >= range->binder && binder - range->binder < range->n)
            return range->operand == NONE ? NONE : range->operand + (binder - range->binder);
    }
    return NONE;
}

const struct region *
region_of(struct region_map *map, jaxpr_t j)
{
    for (u32 k = 0; k < map->regions.n; k++) {
        u32 i = (map->found + k) % map->regions.n;
        if (map->regions.at[i].jaxpr == j) {
            map->found = i;
            return &map->regions.at[i];
        }
    }
    return NULL;
}

/* ---- loops ---- */

/* how many results of a body lead the others as their dims: what `nimplicit` would say */
static u32
leading_dims(const struct module *m, const struct jaxpr *body, u32 most)
{
    u32 n = 0;
    for (; n < body->n_outs && n < most; n++) {
        atom_t a = m->atoms.at[body->outs + n];
        bool named = false;
        for (u32 i = n + 1; i < body->n_outs && atom_kind(a) == ATOM_VAR && !named; i++) {
            atom_t b = m->atoms.at[body->outs + i];
            type_t type = atom_kind(b) == ATOM_VAR ? m->vars.at[atom_id(b)].type : NONE;
            const struct type *t = type == NONE ? NULL : type_get(&m->types, type);
            for (u32 k = 0; t && k < t->rank && !named; k++)
                named = type_dims(&m->types, t)[k].kind == DIM_NAME &&
                        type_dims(&m->types, t)[k].name == m->vars.at[atom_id(a)].name;
        }
        if (!named)
            break;
    }
    return n;
}

static i64
implicit_inputs(const struct module *m, eqn_t e)
{
    return eqn_int(m, e, SLICE("num_implicit_inputs"), eqn_int(m, e, SLICE("nimplicit"), -1));
}

/* Catalyst's for_loop: consts, implicit, lb, ub, step, i0, carry; up to 0.6 (no implicit) lb, ub, step, consts, i0,
 * carry */
static bool
catalyst_for(const struct module *m, eqn_t e, struct region_map *map)
{
    const struct eqn *eqn = &m->eqns.at[e];
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("body_jaxpr"));
    if (j == NONE)
        return false;
    const struct jaxpr *body = &m->jaxprs.at[j];
    u32 n = n_binders(m, j);
    i64 consts = eqn_int(m, e, SLICE("body_nconsts"), -1), implicit = implicit_inputs(m, e);
    map->kind = REGION_LOOP;
    map->system = consts >= 0 && implicit < 0 ? SYSTEM_CATALYST_G0 : SYSTEM_CATALYST;
    if (consts < 0) /* no counts are printed: the carry is as long as the results */
        consts = n > eqn->n_vars ? (i64)n - 1 - eqn->n_vars : 0;
    if (implicit < 0)
        implicit = map->system == SYSTEM_CATALYST_G0 ? 0 : leading_dims(m, body, n - (u32)consts);
    map->operands = n + 3;
    if (consts + implicit + 1 > n)
        return true; /* the counts are wrong: the caller reports it */
    u32 c = (u32)consts, k = (u32)implicit;
    u32 first = map->system == SYSTEM_CATALYST_G0 ? 3 : 0;
    struct region *r = add_region(m, map, j);
    add_consts(r, c, first);
    add_range(r, k, c);
    add_range(r, 1, NONE);
    add_range(r, n - c - k - 1, c + k + 4);
    map->index = c + k;
    map->body_carry = c;
    map->carry = c;
    map->implicit = k;
    map->n_carry = n - c - 1;
    return true;
}

/* PennyLane's for_loop: start, stop, step, then consts, shapes, args by slices; body consts, shapes, index, args */
static bool
pennylane_for(const struct module *m, eqn_t e, struct region_map *map)
{
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("jaxpr_body_fn"));
    u32 total = m->eqns.at[e].n_atoms, n = n_binders(m, j), consts_at, consts, shapes_at, shapes, args_at, args;
    if (j == NONE || total < 3)
        return false;
    total -= 3;
    map->kind = REGION_LOOP;
    map->system = SYSTEM_PENNYLANE;
    if (!param_slice_of(m, e, SLICE("args_slice"), total, &args_at, &args)) {
        i64 count = eqn_int(m, e, SLICE("n_consts"), -1);
        if (count < 0 || count > total)
            return false;
        consts_at = shapes_at = shapes = 0;
        consts = args_at = (u32)count;
        args = total - args_at;
    } else {
        param_slice_of(m, e, SLICE("consts_slice"), total, &consts_at, &consts);
        param_slice_of(m, e, SLICE("abstract_shapes_slice"), total, &shapes_at, &shapes);
    }
    struct region *r = add_region(m, map, j);
    add_consts(r, consts, consts_at + 3);
    add_range(r, shapes, shapes_at + 3);
    add_range(r, 1, NONE);
    add_range(r, args, args_at + 3);
    map->index = consts + shapes;
    map->operands = n + 2;
    map->body_carry = consts;
    map->carry = shapes ? shapes_at + 3 : args_at + 3;
    map->implicit = shapes;
    map->n_carry = n > consts ? n - consts - 1 : 0;
    return true;
}

/* Catalyst's while_loop and JAX's while: condition consts, body consts, carry (implicit first) */
static bool
consts_while(const struct module *m, eqn_t e, struct region_map *map, bool catalyst)
{
    jaxpr_t body = eqn_jaxpr(m, e, SLICE("body_jaxpr")), cond = eqn_jaxpr(m, e, SLICE("cond_jaxpr"));
    i64 bc = eqn_int(m, e, SLICE("body_nconsts"), -1), cc = eqn_int(m, e, SLICE("cond_nconsts"), -1);
    if (body == NONE || cond == NONE)
        return false;
    if (catalyst && bc < 0 && cc < 0) { /* no counts are printed: the carry is as long as the results */
        bc = (i64)n_binders(m, body) - m->eqns.at[e].n_vars;
        cc = (i64)n_binders(m, cond) - m->eqns.at[e].n_vars;
    }
    if (bc < 0 || cc < 0)
        return false;
    /* constvars of a closed program have no operand */
    u32 closed = catalyst ? 0 : m->jaxprs.at[body].n_consts, cond_closed = catalyst ? 0 : m->jaxprs.at[cond].n_consts;
    u32 n = n_binders(m, body) - closed;
    i64 implicit = implicit_inputs(m, e);
    map->kind = REGION_WHILE;
    map->system = !catalyst ? SYSTEM_JAX : implicit < 0 ? SYSTEM_CATALYST_G0 : SYSTEM_CATALYST;
    map->operands = n + (u32)cc;
    if (bc > n)
        return true;
    u32 c = (u32)bc, d = (u32)cc;
    struct region *r = add_region(m, map, body);
    add_range(r, closed, NONE);
    add_consts(r, c, d);
    add_range(r, n - c, d + c);
    r = add_region(m, map, cond);
    add_range(r, cond_closed, NONE);
    add_consts(r, d, 0);
    add_range(r, n - c, d + c);
    map->carry = d + c;
    map->body_carry = c + closed;
    map->n_carry = n - c;
    map->implicit = implicit < 0 ? 0 : (u32)implicit;
    return true;
}

/* PennyLane's while_loop: body consts, condition consts, carry, by slices of all operands */
static bool
pennylane_while(const struct module *m, eqn_t e, struct region_map *map)
{
    jaxpr_t body = eqn_jaxpr(m, e, SLICE("jaxpr_body_fn")), cond = eqn_jaxpr(m, e, SLICE("jaxpr_cond_fn"));
    u32 total = m->eqns.at[e].n_atoms, body_at, bc, cond_at, cc, args_at, args;
    if (body == NONE || cond == NONE)
        return false;
    if (!param_slice_of(m, e, SLICE("args_slice"), total, &args_at, &args)) {
        i64 b = eqn_int(m, e, SLICE("n_consts_body"), -1), c = eqn_int(m, e, SLICE("n_consts_cond"), -1);
        if (b < 0 || c < 0 || b + c > total)
            return false;
        body_at = 0;
        bc = cond_at = (u32)b;
        cc = (u32)c;
        args_at = bc + cc;
        args = total - args_at;
    } else {
        param_slice_of(m, e, SLICE("body_slice"), total, &body_at, &bc);
        param_slice_of(m, e, SLICE("cond_slice"), total, &cond_at, &cc);
    }
    map->kind = REGION_WHILE;
    map->system = SYSTEM_PENNYLANE;
    map->operands = n_binders(m, body) + cc;
    struct region *r = add_region(m, map, body);
    add_consts(r, bc, body_at);
    add_range(r, args, args_at);
    r = add_region(m, map, cond);
    add_consts(r, cc, cond_at);
    add_range(r, args, args_at);
    map->carry = args_at;
    map->body_carry = bc;
    map->n_carry = n_binders(m, body) > bc ? n_binders(m, body) - bc : 0;
    map->implicit = leading_dims(m, &m->jaxprs.at[body], map->n_carry);
    return true;
}

bool
scan_counts(const struct module *m, eqn_t e, struct scan_counts *out)
{
    struct slice tree;
    u32 counts[3];
    out->trees = eqn_value(m, e, SLICE("ft_in"), &tree) && flat_tree_counts(tree, counts, 3);
    if (out->trees) {
        out->consts = counts[0];
        out->carry = counts[1];
        return true;
    }
    i64 consts = eqn_int(m, e, SLICE("num_consts"), -1), carry = eqn_int(m, e, SLICE("num_carry"), -1);
    out->consts = (u32)consts;
    out->carry = (u32)carry;
    return consts >= 0 && carry >= 0;
}

/* JAX's scan: consts, carry, slices of the arrays it goes along; results: carry, stacked */
static bool
scan(const struct module *m, eqn_t e, struct region_map *map)
{
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("jaxpr"));
    struct scan_counts s;
    u32 n = m->eqns.at[e].n_atoms;
    if (j == NONE || m->jaxprs.at[j].n_ins != n || !scan_counts(m, e, &s) || (u64)s.consts + s.carry > n)
        return false;
    u32 closed = m->jaxprs.at[j].n_consts;
    struct region *r = add_region(m, map, j);
    add_range(r, closed, NONE);
    add_consts(r, s.consts, 0);
    add_range(r, n - s.consts, s.consts);
    map->kind = REGION_SCAN;
    map->operands = n;
    map->carry = s.consts;
    map->body_carry = closed + s.consts;
    map->n_carry = s.carry;
    return true;
}

/* ---- branches ---- */

/* Catalyst's cond (n - 1 predicates) and switch (an index, n - 1 keys), then one list of operands for every branch */
static bool
catalyst_branches(const struct module *m, eqn_t e, struct region_map *map, bool keys)
{
    if (!add_branches(m, e, map, SLICE("branch_jaxprs")) || map->regions.n == 0)
        return false;
    map->system = SYSTEM_CATALYST;
    map->selectors = map->regions.n - !keys;
    for (u32 i = 0; i < map->regions.n; i++)
        add_range(&map->regions.at[i], n_binders(m, map->regions.at[i].jaxpr), map->selectors);
    map->operands = map->selectors + n_binders(m, map->regions.at[0].jaxpr);
    i64 implicit = eqn_int(m, e, SLICE("num_implicit_outputs"), eqn_int(m, e, SLICE("nimplicit_outputs"), 0));
    map->implicit = (u32)implicit;
    return true;
}

/* PennyLane's cond: conditions, then each branch's consts and the shared args by slices of all operands */
static bool
pennylane_branches(const struct module *m, eqn_t e, struct region_map *map)
{
    struct slice text;
    u32 total = m->eqns.at[e].n_atoms, args_at, args, first = total;
    if (!eqn_value(m, e, SLICE("consts_slices"), &text) ||
        !param_slice_of(m, e, SLICE("args_slice"), total, &args_at, &args) ||
        !add_branches(m, e, map, SLICE("jaxpr_branches")) || map->regions.n == 0)
        return false;
    struct cursor c = cursor_of(text);
    map->system = SYSTEM_PENNYLANE;
    value_open(&c);
    for (u32 i = 0; i < map->regions.n; i++) {
        u32 at = 0, n = 0;
        if (!read_slice(&c, total, &at, &n))
            n = 0;
        else if (at < first)
            first = at;
        value_comma(&c);
        add_consts(&map->regions.at[i], n, at);
        add_range(&map->regions.at[i], args, args_at);
    }
    map->selectors = args_at < first ? args_at : first;
    return true;
}

/* JAX's cond: an index, then one list of operands for every branch */
static bool
jax_branches(const struct module *m, eqn_t e, struct region_map *map)
{
    if (!add_branches(m, e, map, SLICE("branches")))
        return false;
    map->selectors = 1;
    for (u32 i = 0; i < map->regions.n; i++) {
        jaxpr_t j = map->regions.at[i].jaxpr;
        u32 consts = j == NONE ? 0 : m->jaxprs.at[j].n_consts;
        add_range(&map->regions.at[i], consts, NONE);
        add_range(&map->regions.at[i], n_binders(m, j) - consts, 1);
    }
    return true;
}

/* ---- calls ---- */

/* a program called with the operands; with n_consts, after operands of the primitive's own, constants first */
static bool
call(const struct module *m, eqn_t e, struct region_map *map, jaxpr_t j)
{
    u32 total = m->eqns.at[e].n_atoms;
    if (j == NONE)
        return false;
    const struct jaxpr *inner = &m->jaxprs.at[j];
    i64 consts = eqn_int(m, e, SLICE("n_consts"), -1);
    map->kind = REGION_CALL;
    if (consts >= 0 && (inner->n_consts == (u64)consts || inner->n_consts == 0) && total >= n_binders(m, j)) {
        add_range(add_region(m, map, j), n_binders(m, j), total - n_binders(m, j));
        return true;
    }
    if (inner->n_ins != total)
        return false;
    struct region *r = add_region(m, map, j);
    add_range(r, inner->n_consts, NONE);
    add_range(r, inner->n_ins, 0);
    return true;
}

const struct param *
call_find(const struct module *m, eqn_t e, bool *inlined)
{
    struct name_buffer buffer;
    struct prim row;
    if (!prim_named(module_name(m, m->eqns.at[e].prim, &buffer), &row) || row.is.control != CONTROL_CALL)
        return NULL;
    *inlined = row.is.inlined;
    for (param_t id = m->eqns.at[e].params; id != NONE; id = m->params.at[id].next) {
        const struct param *p = &m->params.at[id];
        if ((p->kind == PARAM_JAXPR || p->kind == PARAM_SHARED) && prim_holds(&row, module_name(m, p->key, &buffer)))
            return p;
    }
    return NULL;
}

static bool
read_equation(const struct module *m, eqn_t e, struct region_map *map)
{
    const struct param *called;
    bool inlined;
    param_t p = m->eqns.at[e].params;
    while (p != NONE && m->params.at[p].kind == PARAM_TEXT)
        p = m->params.at[p].next;
    if (p == NONE)
        return false;
    switch ((enum prim_control)eqn_columns(m, e)->control) {
    case CONTROL_FOR_LOOP:
        return catalyst_for(m, e, map) || pennylane_for(m, e, map);
    case CONTROL_WHILE_LOOP:
        return consts_while(m, e, map, true) || pennylane_while(m, e, map);
    case CONTROL_SCAN:
        return scan(m, e, map);
    case CONTROL_WHILE:
        return consts_while(m, e, map, false);
    case CONTROL_COND:
        return catalyst_branches(m, e, map, false) || pennylane_branches(m, e, map) || jax_branches(m, e, map);
    case CONTROL_SWITCH:
        return catalyst_branches(m, e, map, true);
    case CONTROL_CALL:
        called = call_find(m, e, &inlined);
        if (called)
            return call(m, e, map, jaxpr_in_param(m, called));
        break;
    case CONTROL_NONE:
        break;
    }
    return eqn_param(m, e, SLICE("n_consts")) != NONE && call(m, e, map, eqn_jaxpr(m, e, SLICE("jaxpr")));
}

bool
region_map_read(const struct module *m, eqn_t e, struct region_map *map)
{
    struct region_map empty = {.operands = NONE, .index = NONE, .of = e + 1};
    empty.regions = map->regions;
    empty.regions.n = 0;
    *map = empty;
    if (!read_equation(m, e, map)) {
        map->kind = REGION_NONE;
        map->regions.n = 0;
    }
    return map->kind != REGION_NONE;
}

void
region_map_free(const struct module *m, struct region_map *map)
{
    vec_free(m->mem, &map->regions);
}
