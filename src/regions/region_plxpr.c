/* SPDX-License-Identifier: Apache-2.0
 *
 * Operand layouts of Catalyst and PennyLane, which share names of primitives: Catalyst counts (`body_nconsts`,
 * `nimplicit`), PennyLane prints slices (`args_slice`) or, up to 0.39, the number of constants. The orders are those of
 * catalyst/jax_primitives.py (0.2 to 0.15) and api_extensions/control_flow.py, and pennylane/control_flow (0.38 to
 * 0.45). O(parameters) per equation. */
#include "regions/region_build.h"

#include "base/memo.h"
#include "base/value.h"

/* ---- slices ---- */

/* reads `slice(0, 1, None)` or `(0, 1, None)`: a start and how many of `total` operands follow it, with Python's rules
 * for slices */
static bool
read_slice(struct cursor *c, u32 total, u32 *start, u32 *n)
{
    i64 ends[2] = {0, total}, step = 1;
    value_word(c, "slice");
    if (!value_open(c))
        return false;
    for (u32 i = 0; i < 2; i++)
        if ((!value_word(c, "None") && (!value_int(c, &ends[i]) || ends[i] < 0)) || !value_comma(c))
            return false;
    if ((!value_word(c, "None") && !value_int(c, &step)) || step != 1 || !value_close(c))
        return false;
    i64 to = ends[1] < total ? ends[1] : total, from = ends[0] < to ? ends[0] : to;
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

/* ---- loops ---- */

/* result i of a body, or binder i */
static atom_t
value_of(const struct module *m, const struct jaxpr *body, bool results, u32 i)
{
    return results ? m->atoms.at[body->outs + i] : atom_make(ATOM_VAR, body->vars + i);
}

/* how many values of a body, from `first` on, are dims of later ones: the value of `nimplicit` */
static u32
leading_dims(const struct module *m, const struct jaxpr *body, bool results, u32 first)
{
    u32 total = results ? body->n_outs : jaxpr_binders(body), n = 0;
    struct memo last = {0}; /* by name: the last value with this dim */
    for (u32 i = first; i < total; i++) {
        const struct type *t = type_array(m, atom_type(m, value_of(m, body, results, i)));
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++)
            if (type_dims(&m->types, t)[k].kind == DIM_NAME)
                memo_set(m->mem, &last, type_dims(&m->types, t)[k].name, i);
    }
    for (; first + n < total; n++) {
        atom_t a = value_of(m, body, results, first + n);
        if (atom_kind(a) != ATOM_VAR || memo_get(&last, m->vars.at[atom_id(a)].name) <= first + n)
            break;
    }
    memo_free(m->mem, &last);
    return n;
}

/* how many operands of a loop that prints no counts are implicit. The body's binders and its results begin with that
 * many sizes, but either may be wrong: the larger number counts, that of the binders only if the next binder, the
 * index, is a scalar */
static u32
uncounted(const struct module *m, const struct jaxpr *body, u32 consts)
{
    u32 taken = leading_dims(m, body, false, consts), returned = leading_dims(m, body, true, 0);
    const struct type *index =
        consts + taken < jaxpr_binders(body) ? type_array(m, m->vars.at[body->vars + consts + taken].type) : NULL;
    return taken > returned && index && index->rank == 0 ? taken : returned;
}

bool
miscounted(const struct module *m, eqn_t e)
{
    static const char *const keys[] = {"body_nconsts", "cond_nconsts", "nimplicit", "num_implicit_inputs"};
    struct slice text;
    for (u32 i = 0; i < countof(keys); i++)
        if (eqn_value(m, e, slice_of(keys[i]), &text) && text.n && *text.at == '-')
            return true;
    return false;
}

bool
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
        implicit = map->system == SYSTEM_CATALYST_G0 ? 0 : uncounted(m, body, (u32)consts);
    map->operands = n + 3;
    map->body_carry = (u32)consts;
    map->implicit = (u32)implicit;
    if (consts + implicit + 1 > n || miscounted(m, e))
        return true; /* the counts are wrong: the caller reports it */
    u32 c = (u32)consts, k = (u32)implicit;
    u32 first = map->system == SYSTEM_CATALYST_G0 ? 3 : 0;
    struct region *r = add_region(m, map, j);
    add_consts(r, c, first);
    add_range(r, k, c);
    add_range(r, 1, NONE);
    add_range(r, n - c - k - 1, c + k + 4);
    map->index = c + k;
    map->carry = c;
    map->n_carry = n - c - 1;
    return true;
}

bool
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
    } else if (param_slice_of(m, e, SLICE("consts_slice"), total, &consts_at, &consts)) {
        param_slice_of(m, e, SLICE("abstract_shapes_slice"), total, &shapes_at, &shapes);
    } else {
        return false;
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

bool
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
    } else if (!param_slice_of(m, e, SLICE("body_slice"), total, &body_at, &bc) ||
               !param_slice_of(m, e, SLICE("cond_slice"), total, &cond_at, &cc)) {
        return false;
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
    map->implicit = leading_dims(m, &m->jaxprs.at[body], true, 0);
    if (map->implicit > map->n_carry)
        map->implicit = map->n_carry;
    return true;
}

/* ---- branches ---- */

bool
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

bool
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
        u32 at, n;
        if (!read_slice(&c, total, &at, &n))
            return false;
        if (at < first)
            first = at;
        value_comma(&c);
        add_consts(&map->regions.at[i], n, at);
        add_range(&map->regions.at[i], args, args_at);
    }
    map->selectors = args_at < first ? args_at : first;
    return true;
}
