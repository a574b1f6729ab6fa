/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes that loops and branches of Catalyst and PennyLane carry: a body returns the types that it takes, with carried
 * sizes replaced by returned ones, and branches agree on which sizes are numbers. check_types checks counts and element
 * types. Linear in the equation. */
#include "resolve/dim_check.h"
#include "resolve/enclosing_notes.h"

static const struct jaxpr *
body_of(const struct dynamics *d)
{
    return &d->m->jaxprs.at[d->map.regions.at[0].jaxpr];
}

static type_t
out_type(const struct module *m, jaxpr_t j, u32 i)
{
    return atom_type(m, m->atoms.at[m->jaxprs.at[j].outs + i]);
}

/* whether a size of result i is not bound, which is reported there: `jaxpr norm -p expand` passes it */
static bool
is_collapsed(const struct dynamics *d, eqn_t e, u32 i, u32 axis)
{
    const struct module *m = d->m;
    const struct type *t = i < m->eqns.at[e].n_vars ? type_array(m, m->vars.at[m->eqns.at[e].vars + i].type) : NULL;
    return t && t->dynamic && axis < t->rank && outer_size(d, &type_dims(&m->types, t)[axis]).kind == SIZE_LOOSE;
}

/* ---- carried types ---- */

/* whether two types differ in nothing but sizes; check_types finds other differences */
static bool
comparable(const struct type *a, const struct type *b)
{
    return a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY && a->dtype == b->dtype && a->rank == b->rank;
}

/* the variable that is binder k of the body in the next iteration: itself for a constant, a result for a carried one;
 * NONE for the index, and if the result is not a variable */
static var_t
next_of(const struct dynamics *d, u32 binder)
{
    const struct region_map *l = &d->map;
    const struct jaxpr *body = body_of(d);
    if (binder < l->body_carry)
        return body->vars + binder;
    if (binder == l->index)
        return NONE;
    u32 result = binder - l->body_carry - (l->index != NONE && binder > l->index);
    atom_t a = result < body->n_outs ? d->m->atoms.at[body->outs + result] : 0;
    return result < body->n_outs && atom_kind(a) == ATOM_VAR ? atom_id(a) : NONE;
}

/* whether two variables of the body certainly are different sizes; constants bound to one operand are one size */
static bool
different(struct dynamics *d, eqn_t e, var_t a, var_t b)
{
    const struct jaxpr *body = body_of(d);
    if (a == b || a == NONE || b == NONE)
        return false;
    u32 i = a - body->vars, k = b - body->vars;
    if (a < body->vars || b < body->vars || i >= d->map.body_carry || k >= d->map.body_carry)
        return true;
    u32 x = region_operand(&d->map.regions.at[0], i), y = region_operand(&d->map.regions.at[0], k);
    return x == NONE || y == NONE ||
           d->m->atoms.at[d->m->eqns.at[e].atoms + x] != d->m->atoms.at[d->m->eqns.at[e].atoms + y];
}

/* whether a variable is a constant of the body */
static bool
is_constant(const struct dynamics *d, var_t v)
{
    const struct jaxpr *body = body_of(d);
    return v != NONE && v >= body->vars && v - body->vars < d->map.body_carry;
}

/* the binder of the body, among the first constants and sizes that the loop passes, that receives the outer variable
 * with this name, which the body captures as a size; or NONE */
static var_t
receiver_of(const struct dynamics *d, eqn_t e, name_t name)
{
    const struct module *m = d->m;
    const struct region_map *l = &d->map;
    var_t outer = binders_find(&d->scope, name);
    for (u32 k = 0; k < l->body_carry + l->implicit && k < EXPLAINED && outer != NONE; k++) {
        u32 operand = region_operand(&l->regions.at[0], k);
        if (operand != NONE && operand < m->eqns.at[e].n_atoms &&
            m->atoms.at[m->eqns.at[e].atoms + operand] == atom_make(ATOM_VAR, outer))
            return body_of(d)->vars + k;
    }
    return NONE;
}

/* The size of a carried or returned type, as the body knows it. */
struct body_size {
    var_t var;     /* of the body, or NONE */
    bool constant; /* it does not change: a constant of the body, or captured from the enclosing program */
};

static struct body_size
body_size(const struct dynamics *d, eqn_t e, const struct dim *dim)
{
    struct body_size s = {.var = dim->kind == DIM_NAME ? binders_find(&d->inner, dim->name) : NONE};
    bool captured = dim->kind == DIM_NAME && s.var == NONE && binders_find(&d->scope, dim->name) != NONE;
    if (captured)
        s.var = receiver_of(d, e, dim->name);
    s.constant = is_constant(d, s.var) || (captured && s.var == NONE);
    return s;
}

/* The difference between a carried type and the returned type. */
struct carry_difference {
    var_t size;   /* the new value of the carried size, NONE if it is not a variable .. */
    var_t before; /* .. and the carried size */
    bool excused; /* it is only a warning: Catalyst lowers a loop that returns an array of another constant size */
};

/* whether the types of result i differ in a size, once carried sizes are replaced by returned ones */
static bool
carry_differs(struct dynamics *d, eqn_t e, u32 i, type_t in, type_t out, struct carry_difference *how)
{
    const struct module *m = d->m;
    const struct jaxpr *body = body_of(d);
    if (in == NONE || out == NONE)
        return false;
    const struct type *a = type_get(&m->types, in), *b = type_get(&m->types, out);
    if (!comparable(a, b))
        return false;
    *how = (struct carry_difference){.size = NONE};
    for (u32 k = 0; k < a->rank; k++) {
        const struct dim *x = &type_dims(&m->types, a)[k], *y = &type_dims(&m->types, b)[k];
        bool names = x->kind == DIM_NAME && y->kind == DIM_NAME;
        if (!names && !(x->kind == DIM_INT && y->kind == DIM_NAME) && !(x->kind == DIM_NAME && y->kind == DIM_INT))
            continue;
        struct body_size u = body_size(d, e, x), v = body_size(d, e, y);
        if (!names) { /* a constant may be that number */
            how->excused = u.constant || v.constant;
            if (!how->excused)
                return true;
            continue;
        }
        bool binder = u.var != NONE && jaxpr_binds(body, u.var);
        var_t next = binder ? next_of(d, u.var - body->vars) : u.var;
        if (next != NONE && !var_may_be_dim(m, next)) /* reported as another type */
            return false;
        if (next == NONE && (!u.constant || is_collapsed(d, e, i, k)))
            continue;
        bool named = next == NONE || v.var == NONE; /* a name is all that is known of one of them */
        if (!(named ? y->name != x->name : different(d, e, next, v.var)))
            continue;
        how->size = next != u.var ? next : NONE;
        how->before = u.var;
        how->excused = v.constant && (next == NONE || is_constant(d, next));
        if (!how->excused)
            return true;
    }
    return how->excused;
}

static bool
check_carry(struct dynamics *d, eqn_t e)
{
    const struct region_map *l = &d->map;
    const struct module *m = d->m;
    jaxpr_t j = l->regions.at[0].jaxpr;
    const struct jaxpr *body = body_of(d);
    inner_open(d, &l->regions.at[0]);
    for (u32 i = 0; i < l->n_carry; i++) {
        u32 binder = l->body_carry + i + (l->index != NONE && l->body_carry + i >= l->index);
        type_t in = m->vars.at[body->vars + binder].type, out = out_type(m, j, i);
        struct carry_difference how;
        if (!carry_differs(d, e, i, in, out, &how))
            continue;
        struct span s = jaxpr_out_span(m, j, i), there = jaxpr_binder_span(m, j, binder);
        if (how.size == NONE)
            diag_add(d->ds, DIAG_D112, s.at, s.n,
                     "the carry of `%s` changes its type: the body takes `%s` as %s and returns `%s`, which is %s",
                     quote_name(m, d->ds, m->eqns.at[e].prim), dyn_name(d, body->vars + binder), dyn_type(d, in),
                     diag_quote(d->ds, module_bytes(m, s)), dyn_type(d, out));
        else
            diag_add(
                d->ds, DIAG_D112, s.at, s.n,
                "the carry of `%s` changes its size: the body returns `%s` for the size `%s`, but for `%s`, which is "
                "%s, it returns `%s`, which is %s and does not have the new size",
                quote_name(m, d->ds, m->eqns.at[e].prim), dyn_name(d, how.size), dyn_name(d, how.before),
                dyn_name(d, body->vars + binder), dyn_type(d, in), diag_quote(d->ds, module_bytes(m, s)),
                dyn_type(d, out));
        diag_note(d->ds, there.at, there.n, "`%s` is %s, bound here", dyn_name(d, body->vars + binder),
                  dyn_type(d, in));
        atom_t gives = m->atoms.at[body->outs + i];
        if (atom_kind(gives) == ATOM_VAR && atom_id(gives) != body->vars + binder) {
            struct span bound = var_span(m, j, atom_id(gives));
            diag_note(d->ds, bound.at, bound.n, "`%s` is %s, bound here", dyn_name(d, atom_id(gives)),
                      dyn_type(d, out));
        }
        if (how.size != NONE) {
            struct span bound = var_span(m, j, how.size);
            diag_note(d->ds, bound.at, bound.n, "`%s` is bound here", dyn_name(d, how.size));
        }
        if (l->system == SYSTEM_PENNYLANE || d->options->strict || !how.excused)
            return false;
        diag_relevel(d->ds, LEVEL_WARNING);
    }
    return true;
}

/* ---- branches ---- */

/* A size of a branch's result. */
struct branch_size {
    struct size size; /* its value outside: SIZE_LOOSE if it is neither number nor operand */
    bool known;       /* it is a number, an operand, or computed by the branch */
    var_t inside;     /* the variable of the branch, or NONE */
};

/* A branch compared with the first one printed. */
struct branches {
    jaxpr_t first, other;
    VEC(struct branch_size) sizes; /* of the results of the first, axis by axis */
    struct memo last;              /* by variable of the other branch: the last result that returns it, plus one .. */
    VEC(u32) before;               /* .. and by result: the previous result that returns it, plus one */
};

static struct branch_size
branch_size(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim)
{
    const struct jaxpr *j = &d->m->jaxprs.at[in->jaxpr];
    struct branch_size s = {.size = inner_size(d, e, in, dim), .inside = NONE};
    if (dim->kind == DIM_NAME)
        s.inside = binders_find(&d->inner, dim->name);
    bool binder = s.inside != NONE && jaxpr_binds(j, s.inside);
    s.known = s.size.kind == SIZE_INT || s.size.kind == SIZE_VAR || (dim->kind == DIM_NAME && !binder);
    return s;
}

/* whether the branches return two variables as one common result */
static bool
returned_together(const struct module *m, const struct branches *b, var_t u, var_t v)
{
    enum { MOST = 64 }; /* a variable returned this often is assumed to match */
    const struct jaxpr *first = &m->jaxprs.at[b->first];
    u32 tried = 0;
    for (u64 i = memo_get(&b->last, v); i != 0; i = b->before.at[i - 1])
        if (++tried > MOST || m->atoms.at[first->outs + i - 1] == atom_make(ATOM_VAR, u))
            return true;
    return false;
}

/* reads the results of the first branch, and which results of the other one return which variables */
static void
read_branches(struct dynamics *d, eqn_t e, struct branches *b, const struct region *first)
{
    const struct module *m = d->m;
    const struct jaxpr *one = &m->jaxprs.at[b->first], *other = &m->jaxprs.at[b->other];
    b->sizes.n = b->before.n = 0;
    memo_free(m->mem, &b->last);
    inner_open(d, first);
    for (u32 k = 0; k < one->n_outs; k++) {
        const struct type *t = type_array(m, out_type(m, b->first, k));
        for (u32 i = 0; t && i < t->rank; i++)
            *vec_push(m->mem, &b->sizes) = branch_size(d, e, first, &type_dims(&m->types, t)[i]);
    }
    for (u32 k = 0; k < other->n_outs; k++) {
        atom_t a = m->atoms.at[other->outs + k];
        bool var = atom_kind(a) == ATOM_VAR;
        *vec_push(m->mem, &b->before) = var ? (u32)memo_get(&b->last, atom_id(a)) : 0;
        if (var)
            memo_set(m->mem, &b->last, atom_id(a), k + 1);
    }
}

/* the first result whose sizes differ between two branches, or NONE: a number and a variable, different operands, or a
 * computed size that one branch returns and the other does not */
static u32
branches_differ(struct dynamics *d, eqn_t e, struct branches *b, const struct region *other)
{
    const struct module *m = d->m;
    u32 n = m->jaxprs.at[b->first].n_outs, n_other = m->jaxprs.at[b->other].n_outs, at = 0;
    inner_open(d, other);
    for (u32 k = 0; k < n && k < n_other; k++) {
        const struct type *x = type_array(m, out_type(m, b->first, k)), *y = type_array(m, out_type(m, b->other, k));
        const struct branch_size *sizes = b->sizes.at + at;
        at += x ? x->rank : 0;
        for (u32 i = 0; x && y && (x->dynamic || y->dynamic) && comparable(x, y) && i < x->rank; i++) {
            struct branch_size u = sizes[i], v = branch_size(d, e, other, &type_dims(&m->types, y)[i]);
            if ((type_dims(&m->types, x)[i].kind == DIM_INT) != (type_dims(&m->types, y)[i].kind == DIM_INT))
                return k;
            if (is_collapsed(d, e, k, i))
                continue;
            bool together = u.inside != NONE && v.inside != NONE && returned_together(m, b, u.inside, v.inside);
            if (u.known && v.known && !together &&
                (u.size.kind == SIZE_LOOSE || v.size.kind == SIZE_LOOSE || sizes_differ(u.size, v.size)))
                return k;
        }
    }
    return NONE;
}

static bool
check_branches(struct dynamics *d, eqn_t e)
{
    const struct region_map *l = &d->map;
    struct branches b = {NONE, NONE, {0}, {0}, {0}};
    u32 first = 0, k = NONE;
    while (first < l->regions.n && l->regions.at[first].jaxpr == NONE)
        first++;
    for (u32 i = first + 1; i < l->regions.n && k == NONE; i++) {
        b.first = l->regions.at[first].jaxpr;
        b.other = l->regions.at[i].jaxpr;
        if (b.other == NONE)
            continue;
        read_branches(d, e, &b, &l->regions.at[first]);
        k = branches_differ(d, e, &b, &l->regions.at[i]);
        if (k == NONE)
            continue;
        struct span s = jaxpr_out_span(d->m, b.other, k), there = jaxpr_out_span(d->m, b.first, k);
        const char *one = dyn_type(d, out_type(d->m, b.first, k)), *other = dyn_type(d, out_type(d->m, b.other, k));
        diag_add(d->ds, DIAG_D113, s.at, s.n, "branch %u of `%s` returns %s, but branch %u returns %s", i,
                 quote_name(d->m, d->ds, d->m->eqns.at[e].prim), other, first, one);
        diag_note(d->ds, there.at, there.n, "branch %u returns %s here", first, one);
        if (strcmp(one, other) == 0)
            diag_note(d->ds, NONE, 0, "a size that a branch computes must be the same result of every branch");
    }
    mem_free_all(d->m->mem, b.sizes.at, b.before.at, b.last.slots);
    return k == NONE;
}

/* ---- generations ---- */

/* the binder of a carried array whose size is a constant of the body, and that size; or NONE */
static u32
sized_by_constant(struct dynamics *d, struct slice *size)
{
    const struct region_map *l = &d->map;
    const struct jaxpr *body = body_of(d);
    inner_open(d, &l->regions.at[0]);
    for (u32 i = l->body_carry; i < jaxpr_binders(body); i++) {
        const struct type *t = type_array(d->m, d->m->vars.at[body->vars + i].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *dim = &type_dims(&d->m->types, t)[k];
            var_t v = dim->kind == DIM_NAME ? binders_find(&d->inner, dim->name) : NONE;
            if (v != NONE && v >= body->vars && v - body->vars < l->body_carry) {
                *size = dim->text;
                return i;
            }
        }
    }
    return NONE;
}

#define CATALYST_SIZES "with preserve_dimensions=True, the dialect `catalyst` passes sizes as constants of the loop, "

/* checks that the equation counts implicit values as the requested generation does: releases up to 0.6 have none; later
 * drafts have implicit arguments for all carried sizes, releases from 0.7 on for none that are preserved */
static void
check_counts(struct dynamics *d, eqn_t e)
{
    static const char *const keys[] = {"num_implicit_inputs", "nimplicit", "num_implicit_outputs", "nimplicit_outputs"};
    const struct region_map *l = &d->map;
    u32 dialect = d->options->dialect;
    u32 sized = NONE;              /* a binder of the body .. */
    struct slice size = {NULL, 0}; /* .. with this size */
    param_t count = NONE, mode = eqn_param(d->m, e, SLICE("preserve_dimensions")), at = NONE;
    struct span s = {NONE, 0};
    const char *why = NULL, *key = "", *value = "";
    struct name_buffer buffer;
    for (u32 i = 0; i < countof(keys) && count == NONE; i++)
        count = eqn_param(d->m, e, slice_of(keys[i]));
    if (count != NONE)
        key = diag_quote(d->ds, module_name(d->m, d->m->params.at[count].key, &buffer));
    bool preserves = mode != NONE && slice_eq(param_bytes(d->m, &d->m->params.at[mode]), SLICE("True"));
    if (dialect == DIALECT_CATALYST_G0) {
        s = count != NONE ? param_key_span(d->m, count) : s;
        why = "only Catalyst after 0.6 prints `%s`, but this program is read as the output of an earlier one "
              "(dialect catalyst-g0)";
    } else if (dialect != DIALECT_CATALYST && dialect != DIALECT_CATALYST_G1) {
        return;
    } else if (l->system == SYSTEM_CATALYST_G0) {
        s = eqn_prim_span(d->m, e);
        key = quote_name(d->m, d->ds, d->m->eqns.at[e].prim);
        value = dialect == DIALECT_CATALYST ? "catalyst" : "catalyst-g1";
        why = "`%s` has neither `nimplicit` nor `num_implicit_inputs`, but this program is read as the output of a "
              "Catalyst release after 0.6 (dialect %s)";
    } else if (preserves && dialect == DIALECT_CATALYST && l->index != NONE && l->implicit) {
        at = count != NONE ? count : mode;
        key = count != NONE ? key : quote_name(d->m, d->ds, d->m->eqns.at[e].prim);
        value = count != NONE ? diag_quote(d->ds, param_bytes(d->m, &d->m->params.at[count])) : "";
        why = count != NONE ? CATALYST_SIZES "so `%s` must be 0, got %s"
                            : CATALYST_SIZES "but `%s` has implicit arguments%s";
    } else if (preserves && dialect == DIALECT_CATALYST_G1 && (sized = sized_by_constant(d, &size)) != NONE) {
        at = mode;
        key = diag_quote(d->ds, size);
        value = dyn_name(d, body_of(d)->vars + sized);
        why = "with preserve_dimensions=True, the dialect `catalyst-g1` passes sizes as implicit arguments, but the "
              "size `%s` of `%s` is a constant of the loop (`body_nconsts`)";
    }
    if (at != NONE)
        s = d->m->params.at[at].span;
    if (s.at == NONE)
        return;
    diag_add(d->ds, DIAG_D114, s.at, s.n, why, key, value);
    if (sized != NONE) {
        s = jaxpr_binder_span(d->m, l->regions.at[0].jaxpr, sized);
        diag_note(d->ds, s.at, s.n, "`%s` is bound here", value);
    } else if (at != NONE) {
        s = at == mode ? eqn_operand_span(d->m, e, l->carry) : param_key_span(d->m, mode);
        diag_note(d->ds, s.at, s.n,
                  at == mode ? "this operand is an implicit argument" : "`preserve_dimensions` is set here");
    }
    diag_note(d->ds, NONE, 0,
              "if another version printed the program, select its dialect with --dialect; jaxpr-dynamic(7) lists the "
              "dialects");
}

/* checks that programs inside Catalyst's equations have no constvars, and, if a dialect was requested, its counts */
static bool
check_generation(struct dynamics *d, eqn_t e)
{
    const struct region_map *l = &d->map;
    if (l->system == SYSTEM_PENNYLANE)
        return true;
    for (u32 i = 0; i < l->regions.n; i++) {
        jaxpr_t j = l->regions.at[i].jaxpr;
        if (j == NONE || d->m->jaxprs.at[j].n_consts == 0)
            continue;
        struct span s = jaxpr_binder_span(d->m, j, 0);
        diag_add(d->ds, DIAG_D115, s.at, s.n, "a nested program of Catalyst must not have constants");
        if (l->kind == REGION_BRANCH)
            diag_note(d->ds, NONE, 0, "`jaxpr norm -p pad-branches` turns them into arguments of every branch");
        else if (d->m->eqns.at[e].n_atoms == l->operands)
            diag_note(d->ds, NONE, 0, "`jaxpr norm -p nested-constants` turns them into arguments");
        return false;
    }
    if (d->options->dialect != DIALECT_AUTO)
        check_counts(d, e);
    return true;
}

bool
check_loop(struct dynamics *d, eqn_t e)
{
    const struct region_map *l = &d->map;
    const struct eqn *eqn = &d->m->eqns.at[e];
    if (l->regions.n == 0 || !check_generation(d, e) || (l->operands != NONE && eqn->n_atoms != l->operands))
        return false;
    if (l->kind == REGION_BRANCH)
        return !d->variables || check_branches(d, e);
    /* check_types reports wrong counts */
    return body_of(d)->n_outs == l->n_carry && eqn->n_vars == l->n_carry && (!d->variables || check_carry(d, e));
}
