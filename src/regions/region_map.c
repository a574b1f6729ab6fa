/* SPDX-License-Identifier: Apache-2.0
 *
 * Operand layouts of JAX, one function for each family; those of Catalyst and PennyLane are in region_plxpr.c. The
 * orders are those of jax/_src/lax/control_flow, core.py and custom_derivatives.py. O(parameters) per equation. */
#include "regions/region_build.h"

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

/* ---- regions and their ranges ---- */

struct region *
add_region(const struct module *m, struct region_map *map, jaxpr_t j)
{
    struct region *r = vec_push(m->mem, &map->regions);
    *r = (struct region){.jaxpr = j};
    return r;
}

bool
add_branches(const struct module *m, eqn_t e, struct region_map *map, struct slice key)
{
    param_t p = eqn_param(m, e, key);
    if (p == NONE || (m->params.at[p].kind != PARAM_TUPLE && m->params.at[p].kind != PARAM_MIXED))
        return false;
    for (u32 i = m->params.at[p].a; i != NONE; i = m->segments.at[i].next) {
        const struct segment *s = &m->segments.at[i];
        struct slice text = segment_bytes(m, s);
        if (s->kind != SEGMENT_TEXT)
            add_region(m, map, segment_jaxpr(m, s));
        for (size_t k = 0; s->kind == SEGMENT_TEXT && k + 4 <= text.n; k++)
            if (memcmp(text.at + k, "None", 4) == 0)
                add_region(m, map, NONE);
    }
    map->kind = REGION_BRANCH;
    return true;
}

void
add_range(struct region *r, u32 n, u32 operand)
{
    u32 binder = r->n_ranges ? r->ranges[r->n_ranges - 1].binder + r->ranges[r->n_ranges - 1].n : 0;
    if (n && r->n_ranges < countof(r->ranges))
        r->ranges[r->n_ranges++] = (struct operand_range){binder, n, operand};
}

void
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

var_t
region_map_binder(const struct module *m, const struct region_map *map, u32 operand)
{
    for (u32 k = 0; k < map->regions.n; k++) {
        const struct region *r = &map->regions.at[k];
        for (u32 i = 0; r->jaxpr != NONE && i < r->n_ranges; i++)
            if (r->ranges[i].operand != NONE && operand - r->ranges[i].operand < r->ranges[i].n)
                return m->jaxprs.at[r->jaxpr].vars + r->ranges[i].binder + (operand - r->ranges[i].operand);
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

i64
implicit_inputs(const struct module *m, eqn_t e)
{
    return eqn_int(m, e, SLICE("num_implicit_inputs"), eqn_int(m, e, SLICE("nimplicit"), -1));
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
    if (bc > n || (catalyst && miscounted(m, e)))
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

bool
scan_is_count(struct slice key)
{
    return slice_eq(key, SLICE("ft_in")) || slice_eq(key, SLICE("ft_out")) || slice_eq(key, SLICE("num_consts")) ||
           slice_eq(key, SLICE("num_carry"));
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

/* JAX's scan: consts, carry, slices of the scanned arrays; results: carry, stacked */
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
        if (i == 0 && j != NONE)
            map->operands = 1 + m->jaxprs.at[j].n_ins;
    }
    return true;
}

/* ---- calls, and programs that take part of the operands ---- */

/* What a program takes after its constvars: `own` values that are not operands, `consts` operands from `first` on, and
 * `n` from `operand` on. */
struct mapped {
    u32 own, first, consts, operand, n;
};

static void
add_mapped(const struct module *m, struct region_map *map, jaxpr_t j, struct mapped takes)
{
    struct region *r = add_region(m, map, j);
    add_range(r, (j == NONE ? 0 : m->jaxprs.at[j].n_consts) + takes.own, NONE);
    add_consts(r, takes.consts, takes.first);
    add_range(r, takes.n, takes.operand);
    map->kind = REGION_MAPPED;
}

/* maps all operands in order, after the index if the body of a loop takes one */
static bool
mapped(const struct module *m, eqn_t e, struct region_map *map, bool index)
{
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("jaxpr"));
    if (j == NONE)
        j = eqn_jaxpr(m, e, SLICE("call_jaxpr"));
    if (j == NONE || m->jaxprs.at[j].n_ins != m->eqns.at[e].n_atoms + (u32)index)
        return false;
    add_mapped(m, map, j, (struct mapped){.own = index, .n = m->eqns.at[e].n_atoms});
    return true;
}

/* CustomRoot: the constants of solve and the initial guess; the rest belongs to programs that are not printed */
static bool
custom_root(const struct module *m, eqn_t e, struct region_map *map)
{
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("solve_jaxpr"));
    if (j == NONE || m->jaxprs.at[j].n_ins > m->eqns.at[e].n_atoms)
        return false;
    add_mapped(m, map, j, (struct mapped){.n = m->jaxprs.at[j].n_ins});
    return true;
}

/* linear_call: constants of the callee, constants of its transpose (up to 0.5), residuals and operands */
static bool
linear_call(const struct module *m, eqn_t e, struct region_map *map)
{
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("callee"));
    u64 consts = (u64)eqn_int(m, e, SLICE("num_callee_consts"), 0), n = m->eqns.at[e].n_atoms;
    u64 rest = consts + (u64)eqn_int(m, e, SLICE("num_transpose_consts"), 0);
    if (j == NONE || rest > n)
        return false;
    add_mapped(m, map, j, (struct mapped){.consts = (u32)consts, .operand = (u32)rest, .n = (u32)(n - rest)});
    return true;
}

/* the program after `name=` in a tuple of programs; NONE when it is None */
static jaxpr_t
named_program(const struct module *m, param_t p, struct slice name)
{
    struct slice before = {"", 0};
    for (u32 s = m->params.at[p].a; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        if (segment->kind == SEGMENT_TEXT) {
            before = value_trim(segment_bytes(m, segment));
            continue;
        }
        size_t n = before.n - name.n - 1;
        if (before.n > name.n && before.at[before.n - 1] == '=' && memcmp(before.at + n, name.at, name.n) == 0 &&
            (n == 0 || strchr(" (,", before.at[n - 1])))
            return segment_jaxpr(m, segment);
        before = (struct slice){"", 0};
    }
    return NONE;
}

const char *const solve_programs[SOLVE_PROGRAMS] = {"matvec", "vecmat", "solve", "transpose_solve"};

/* custom_linear_solve: the constants of four programs, then the right-hand side, which only the solver takes; a region
 * for each program, NONE if it is not printed */
static bool
linear_solve(const struct module *m, eqn_t e, struct region_map *map)
{
    struct slice lengths, field;
    param_t p = eqn_param(m, e, SLICE("jaxprs"));
    i64 consts[SOLVE_PROGRAMS];
    u64 total = 0;
    u32 n = m->eqns.at[e].n_atoms, at = 0;
    if (!eqn_value(m, e, SLICE("const_lengths"), &lengths))
        return false;
    for (u32 i = 0; i < SOLVE_PROGRAMS; i++) {
        if (!value_field(lengths, solve_programs[i], &field))
            return false;
        struct cursor c = cursor_of(field);
        if (!value_int(&c, &consts[i]) || consts[i] < 0)
            return false;
        total += (u64)(consts[i] < UINT32_MAX ? consts[i] : UINT32_MAX);
    }
    map->kind = REGION_MAPPED;
    map->operands = total > UINT32_MAX ? UINT32_MAX : total > n ? (u32)total : n;
    for (u32 i = 0; total <= n && i < SOLVE_PROGRAMS; i++) {
        bool programs = p != NONE && m->params.at[p].kind == PARAM_MIXED;
        jaxpr_t j = programs ? named_program(m, p, slice_of(solve_programs[i])) : NONE;
        add_mapped(m, map, j,
                   (struct mapped){.first = at,
                                   .consts = (u32)consts[i],
                                   .operand = i == SOLVE_SOLVE ? (u32)total : NONE,
                                   .n = n - (u32)total});
        at += (u32)consts[i];
    }
    return true;
}

/* a program called with the operands; with n_consts, constants come first, after operands of the primitive itself */
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
    case CONTROL_MAPPED:
        return mapped(m, e, map, false);
    case CONTROL_FOR:
        return mapped(m, e, map, true);
    case CONTROL_SOLVE:
        return linear_solve(m, e, map);
    case CONTROL_ROOT:
        return custom_root(m, e, map);
    case CONTROL_LINEAR:
        return linear_call(m, e, map);
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
