/* SPDX-License-Identifier: Apache-2.0
 *
 * Operand layouts, one function a family. The orders are those of catalyst/jax_primitives.py (0.2 to 0.15) and
 * api_extensions/control_flow.py, pennylane/control_flow (0.38 to 0.45), and jax/_src/lax/control_flow. O(parameters)
 * an equation. */
#include "regions/region_map.h"

#include "base/value.h"
#include "ir/reach.h"
#include "prims/prims.h"

/* ---- parameters ---- */

jaxpr_t
eqn_jaxpr(const struct module *m, eqn_t e, struct slice key)
{
    param_t p = eqn_param(m, e, key);
    if (p == NONE)
        return NONE;
    const struct param *param = &m->params.at[p];
    return param->kind == PARAM_JAXPR ? param->a : param->kind == PARAM_SHARED ? let_jaxpr(m, param->a) : NONE;
}

static bool
param_slice(const struct module *m, eqn_t e, struct slice key, struct slice *out)
{
    param_t p = eqn_param(m, e, key);
    if (p == NONE)
        return false;
    *out = value_trim(module_bytes(m, m->params.at[p].span));
    return true;
}

i64
eqn_int(const struct module *m, eqn_t e, struct slice key, i64 missing)
{
    struct slice text;
    i64 value;
    if (!param_slice(m, e, key, &text))
        return missing;
    struct cursor c = cursor_of(text);
    return value_int(&c, &value) && value_done(&c) && value >= 0 && value < NONE ? value : missing;
}

/* appends NONE for every `None` of the text between two programs */
static void
push_missing(const struct module *m, struct slice text, void *list)
{
    VEC(jaxpr_t) *programs = list;
    for (size_t i = 0; i + 4 <= text.n; i++)
        if (memcmp(text.at + i, "None", 4) == 0)
            *vec_push(m->mem, programs) = NONE;
}

/* the programs of a tuple or list parameter, in order, NONE for a `None`, added to list, a VEC(jaxpr_t); false where
 * there is no such parameter */
static bool
eqn_jaxprs(const struct module *m, eqn_t e, struct slice key, void *list)
{
    VEC(jaxpr_t) *programs = list;
    param_t p = eqn_param(m, e, key);
    if (p == NONE || (m->params.at[p].kind != PARAM_TUPLE && m->params.at[p].kind != PARAM_MIXED))
        return false;
    for (u32 s = m->params.at[p].a; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        if (segment->kind == SEGMENT_TEXT)
            push_missing(m, module_bytes(m, segment->span), programs);
        else
            *vec_push(m->mem, programs) = segment_jaxpr(m, segment);
    }
    return true;
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
    if (!param_slice(m, e, key, &text))
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

static struct inner *
add_inner(const struct module *m, struct layout *l, jaxpr_t j)
{
    struct inner *in = vec_push(m->mem, &l->inners);
    *in = (struct inner){.jaxpr = j};
    return in;
}

/* the next n binders receive the operands from `operand` on */
static void
add_run(struct inner *in, u32 n, u32 operand)
{
    u32 binder = in->n_runs ? in->runs[in->n_runs - 1].binder + in->runs[in->n_runs - 1].n : 0;
    if (n && in->n_runs < countof(in->runs))
        in->runs[in->n_runs++] = (struct binding){binder, n, operand};
}

u32
layout_operand(const struct inner *in, u32 binder)
{
    for (u32 i = 0; i < in->n_runs; i++) {
        const struct binding *run = &in->runs[i];
        if (binder >= run->binder && binder - run->binder < run->n)
            return run->operand == NONE ? NONE : run->operand + (binder - run->binder);
    }
    return NONE;
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
catalyst_for(const struct module *m, eqn_t e, struct layout *l)
{
    const struct eqn *eqn = &m->eqns.at[e];
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("body_jaxpr"));
    if (j == NONE)
        return false;
    const struct jaxpr *body = &m->jaxprs.at[j];
    u32 n = n_binders(m, j);
    i64 consts = eqn_int(m, e, SLICE("body_nconsts"), -1), implicit = implicit_inputs(m, e);
    l->kind = LAYOUT_LOOP;
    l->system = consts >= 0 && implicit < 0 ? SYSTEM_CATALYST_G0 : SYSTEM_CATALYST;
    if (consts < 0) /* counts left out: the carry is as long as the results */
        consts = n > eqn->n_vars ? (i64)n - 1 - eqn->n_vars : 0;
    if (implicit < 0)
        implicit = l->system == SYSTEM_CATALYST_G0 ? 0 : leading_dims(m, body, n - (u32)consts);
    l->operands = n + 3;
    if (consts + implicit + 1 > n)
        return true; /* the counts are wrong: told by who asks */
    u32 c = (u32)consts, k = (u32)implicit;
    struct inner *in = add_inner(m, l, j);
    if (l->system == SYSTEM_CATALYST_G0) {
        add_run(in, c, 3);
        add_run(in, 1, NONE);
        add_run(in, n - c - 1, c + 4);
    } else {
        add_run(in, c + k, 0);
        add_run(in, 1, NONE);
        add_run(in, n - c - k - 1, c + k + 4);
    }
    l->index = c + k;
    l->body_carry = c;
    l->carry = c;
    l->implicit = k;
    l->n_carry = n - c - 1;
    return true;
}

/* PennyLane's for_loop: start, stop, step, then consts, shapes, args by slices; body consts, shapes, index, args */
static bool
pennylane_for(const struct module *m, eqn_t e, struct layout *l)
{
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("jaxpr_body_fn"));
    u32 total = m->eqns.at[e].n_atoms, n = n_binders(m, j), consts_at, consts, shapes_at, shapes, args_at, args;
    if (j == NONE || total < 3)
        return false;
    total -= 3;
    l->kind = LAYOUT_LOOP;
    l->system = SYSTEM_PENNYLANE;
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
    struct inner *in = add_inner(m, l, j);
    *in = (struct inner){.jaxpr = j, .consts = consts_at + 3, .n_consts = consts};
    add_run(in, consts, consts_at + 3);
    add_run(in, shapes, shapes_at + 3);
    add_run(in, 1, NONE);
    add_run(in, args, args_at + 3);
    l->index = consts + shapes;
    l->operands = n + 2;
    l->body_carry = consts;
    l->carry = shapes ? shapes_at + 3 : args_at + 3;
    l->implicit = shapes;
    l->n_carry = n > consts ? n - consts - 1 : 0;
    return true;
}

/* Catalyst's while_loop and JAX's while: condition consts, body consts, carry (implicit first) */
static bool
consts_while(const struct module *m, eqn_t e, struct layout *l, bool catalyst)
{
    jaxpr_t body = eqn_jaxpr(m, e, SLICE("body_jaxpr")), cond = eqn_jaxpr(m, e, SLICE("cond_jaxpr"));
    i64 bc = eqn_int(m, e, SLICE("body_nconsts"), -1), cc = eqn_int(m, e, SLICE("cond_nconsts"), -1);
    if (body == NONE || cond == NONE || bc < 0 || cc < 0)
        return false;
    /* constvars of a closed program stand for no operand */
    u32 closed = catalyst ? 0 : m->jaxprs.at[body].n_consts, cond_closed = catalyst ? 0 : m->jaxprs.at[cond].n_consts;
    u32 n = n_binders(m, body) - closed;
    i64 implicit = implicit_inputs(m, e);
    l->kind = LAYOUT_WHILE;
    l->system = !catalyst ? SYSTEM_JAX : implicit < 0 ? SYSTEM_CATALYST_G0 : SYSTEM_CATALYST;
    l->operands = n + (u32)cc;
    if (bc > n)
        return true;
    u32 c = (u32)bc, d = (u32)cc;
    struct inner *in = add_inner(m, l, body);
    add_run(in, closed, NONE);
    add_run(in, c, d);
    add_run(in, n - c, d + c);
    in = add_inner(m, l, cond);
    add_run(in, cond_closed, NONE);
    add_run(in, d, 0);
    add_run(in, n - c, d + c);
    l->carry = d + c;
    l->body_carry = c + closed;
    l->n_carry = n - c;
    l->implicit = implicit < 0 ? 0 : (u32)implicit;
    return true;
}

/* PennyLane's while_loop: body consts, condition consts, carry, by slices of all operands */
static bool
pennylane_while(const struct module *m, eqn_t e, struct layout *l)
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
    l->kind = LAYOUT_WHILE;
    l->system = SYSTEM_PENNYLANE;
    l->operands = n_binders(m, body) + cc;
    struct inner *in = add_inner(m, l, body);
    *in = (struct inner){.jaxpr = body, .consts = body_at, .n_consts = bc};
    add_run(in, bc, body_at);
    add_run(in, args, args_at);
    in = add_inner(m, l, cond);
    *in = (struct inner){.jaxpr = cond, .consts = cond_at, .n_consts = cc};
    add_run(in, cc, cond_at);
    add_run(in, args, args_at);
    l->carry = args_at;
    l->body_carry = bc;
    l->n_carry = n_binders(m, body) > bc ? n_binders(m, body) - bc : 0;
    l->implicit = leading_dims(m, &m->jaxprs.at[body], l->n_carry);
    return true;
}

/* ---- branches ---- */

/* Catalyst's cond (n - 1 predicates) and switch (an index, n - 1 keys), then one list of operands for every branch */
static bool
catalyst_branches(const struct module *m, eqn_t e, struct layout *l, bool keys)
{
    VEC(jaxpr_t) branches = {0};
    if (!eqn_jaxprs(m, e, SLICE("branch_jaxprs"), &branches) || branches.n == 0)
        return false;
    l->kind = LAYOUT_BRANCH;
    l->system = SYSTEM_CATALYST;
    l->selectors = branches.n - !keys;
    for (u32 i = 0; i < branches.n; i++)
        add_run(add_inner(m, l, branches.at[i]), n_binders(m, branches.at[i]), l->selectors);
    l->operands = l->selectors + n_binders(m, branches.at[0]);
    i64 implicit = eqn_int(m, e, SLICE("num_implicit_outputs"), eqn_int(m, e, SLICE("nimplicit_outputs"), 0));
    l->implicit = (u32)implicit;
    vec_free(m->mem, &branches);
    return true;
}

/* PennyLane's cond: conditions, then each branch's consts and the shared args by slices of all operands */
static bool
pennylane_branches(const struct module *m, eqn_t e, struct layout *l)
{
    VEC(jaxpr_t) branches = {0};
    struct slice text;
    u32 total = m->eqns.at[e].n_atoms, args_at, args, first = total;
    if (!eqn_jaxprs(m, e, SLICE("jaxpr_branches"), &branches) || branches.n == 0 ||
        !param_slice(m, e, SLICE("consts_slices"), &text) ||
        !param_slice_of(m, e, SLICE("args_slice"), total, &args_at, &args))
        return false;
    struct cursor c = cursor_of(text);
    l->kind = LAYOUT_BRANCH;
    l->system = SYSTEM_PENNYLANE;
    value_open(&c);
    for (u32 i = 0; i < branches.n; i++) {
        u32 at = 0, n = 0;
        if (!read_slice(&c, total, &at, &n))
            n = 0;
        else if (at < first)
            first = at;
        value_comma(&c);
        struct inner *in = add_inner(m, l, branches.at[i]);
        *in = (struct inner){.jaxpr = branches.at[i], .consts = at, .n_consts = n};
        add_run(in, n, at);
        add_run(in, args, args_at);
    }
    l->selectors = args_at < first ? args_at : first;
    l->operands = NONE;
    vec_free(m->mem, &branches);
    return true;
}

/* JAX's cond: an index, then one list of operands for every branch */
static bool
jax_branches(const struct module *m, eqn_t e, struct layout *l)
{
    VEC(jaxpr_t) branches = {0};
    if (!eqn_jaxprs(m, e, SLICE("branches"), &branches))
        return false;
    l->kind = LAYOUT_BRANCH;
    l->system = SYSTEM_JAX;
    l->selectors = 1;
    for (u32 i = 0; i < branches.n; i++) {
        struct inner *in = add_inner(m, l, branches.at[i]);
        u32 consts = branches.at[i] == NONE ? 0 : m->jaxprs.at[branches.at[i]].n_consts;
        add_run(in, consts, NONE);
        add_run(in, n_binders(m, branches.at[i]) - consts, 1);
    }
    l->operands = NONE;
    vec_free(m->mem, &branches);
    return true;
}

/* ---- calls ---- */

/* a program called with the operands; with n_consts, behind operands of the primitive's own, constants first */
static bool
call(const struct module *m, eqn_t e, struct layout *l, struct slice key)
{
    jaxpr_t j = eqn_jaxpr(m, e, key);
    u32 total = m->eqns.at[e].n_atoms;
    if (j == NONE)
        return false;
    const struct jaxpr *inner = &m->jaxprs.at[j];
    i64 consts = eqn_int(m, e, SLICE("n_consts"), -1);
    struct inner *in;
    l->kind = LAYOUT_CALL;
    l->operands = NONE;
    if (consts >= 0 && (inner->n_consts == (u64)consts || inner->n_consts == 0) && total >= n_binders(m, j)) {
        in = add_inner(m, l, j);
        add_run(in, n_binders(m, j), total - n_binders(m, j));
        return true;
    }
    if (inner->n_ins != total)
        return false;
    in = add_inner(m, l, j);
    add_run(in, inner->n_consts, NONE);
    add_run(in, inner->n_ins, 0);
    return true;
}

bool
call_find(const struct module *m, eqn_t e, struct slice *key, bool *inlined)
{
    struct name_buffer buffer;
    struct prim row;
    struct prim_param param;
    if (!prim_named(module_name(m, m->eqns.at[e].prim, &buffer), &row) || !row.is.calls)
        return false;
    *inlined = row.is.inlined;
    for (const char *at = row.params; prim_param_next(&at, &param);)
        if (slice_eq(param.role, SLICE("JAXPR")) && eqn_param(m, e, param.key) != NONE) {
            *key = param.key;
            return true;
        }
    return false;
}

bool
layout_read(const struct module *m, eqn_t e, struct layout *l)
{
    struct name_buffer buffer;
    struct slice name = module_name(m, m->eqns.at[e].prim, &buffer), key = SLICE("jaxpr");
    bool inlined;
    l->of = e + 1;
    l->kind = LAYOUT_NONE;
    l->system = SYSTEM_JAX;
    l->inners.n = 0;
    l->operands = l->index = NONE;
    l->selectors = l->carry = l->body_carry = l->n_carry = l->implicit = 0;
    if (m->eqns.at[e].params == NONE)
        return false;
    if (slice_eq(name, SLICE("for_loop")))
        return catalyst_for(m, e, l) || pennylane_for(m, e, l);
    if (slice_eq(name, SLICE("while_loop")))
        return consts_while(m, e, l, true) || pennylane_while(m, e, l);
    if (slice_eq(name, SLICE("while")))
        return consts_while(m, e, l, false);
    if (slice_eq(name, SLICE("cond")))
        return catalyst_branches(m, e, l, false) || pennylane_branches(m, e, l) || jax_branches(m, e, l);
    if (slice_eq(name, SLICE("switch")))
        return catalyst_branches(m, e, l, true);
    if (call_find(m, e, &key, &inlined))
        return call(m, e, l, key);
    return eqn_param(m, e, SLICE("n_consts")) != NONE && eqn_param(m, e, SLICE("jaxpr")) != NONE && call(m, e, l, key);
}

void
layout_drop(const struct module *m, struct layout *l)
{
    vec_free(m->mem, &l->inners);
}
