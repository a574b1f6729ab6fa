/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes across programs. Every nested program is a scope of its own, so a size inside is compared with one outside
 * by what its name is bound to: the operand of the binder with this name, or the result that returns it
 * (jax/_src/core.py, _check_call and substitute_vars_in_output_ty). Linear in operands, results and ranks. */
#include "resolve/dim_check.h"
#include "resolve/enclosing_notes.h"

void
inner_open(struct dynamics *d, const struct region *in)
{
    binders_open(&d->inner);
    binders_bind_region(&d->inner, &d->m->jaxprs.at[in->jaxpr]);
}

/* an operand as a size */
static struct size
operand_size(const struct module *m, eqn_t e, u32 i)
{
    struct dim reference = {.kind = DIM_INDBIDX, .value = i};
    return size_of_dim(m, NULL, &reference, NONE, e);
}

struct size
inner_size(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim)
{
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    struct size size = {.kind = SIZE_LOOSE, .value = dim->value, .var = NONE, .text = dim->text};
    if (dim->kind == DIM_INT)
        size.kind = SIZE_INT;
    if (dim->kind != DIM_NAME)
        return size;
    var_t v = binders_find(&d->inner, dim->name);
    if (v == NONE) { /* some printers print a name of the outer program if the inner one has no such name */
        size.var = binders_find(&d->scope, dim->name);
        if (size.var != NONE && d->outer_searches < EXPLAINED &&
            (d->outer_searches++, binder_named(m, in->jaxpr, NONE, dim->name) != NONE))
            size.var = NONE;
        size.kind = size.var == NONE ? SIZE_LOOSE : SIZE_VAR;
        return size;
    }
    u32 operand = jaxpr_binds(j, v) ? region_operand(in, v - j->vars) : NONE;
    struct size outside = operand == NONE ? size : operand_size(m, e, operand);
    return outside.kind == SIZE_LOOSE ? size : outside;
}

struct size
outer_size(const struct dynamics *d, const struct dim *dim)
{
    if (dim->kind == DIM_NAME || dim->kind == DIM_INT)
        return size_of_dim(d->m, &d->scope, dim, NONE, NONE);
    return (struct size){.kind = SIZE_LOOSE, .text = dim->text};
}

bool
sizes_differ(struct size a, struct size b)
{
    if (a.kind == SIZE_LOOSE || b.kind == SIZE_LOOSE || a.kind == SIZE_TEXT || b.kind == SIZE_TEXT)
        return false;
    return a.kind != b.kind || (a.kind == SIZE_INT ? a.value != b.value : a.var != b.var);
}

/* true for equations of other systems than JAX, which no other check covers */
static bool
is_other_system(const struct region_map *l)
{
    return l->system != SYSTEM_JAX;
}

/* ---- operands ---- */

static const struct type *
atom_array(const struct module *m, atom_t a)
{
    return type_array(m, atom_type(m, a));
}

/* whether a size of a binder is the index of a loop, which is not an operand */
static bool
is_index(const struct dynamics *d, const struct region *in, const struct dim *dim)
{
    return d->map.kind == REGION_LOOP && d->map.index != NONE && dim->kind == DIM_NAME &&
           binders_find(&d->inner, dim->name) == d->m->jaxprs.at[in->jaxpr].vars + d->map.index;
}

/* whether check_types compares a size of a nested program with the one outside: it does for numbers, which have no
 * scope */
static bool
types_compare(const struct dynamics *d, const struct dim *inside)
{
    return inside->kind == DIM_INT && !d->unknown_prim;
}

/* An operand of an equation and the binder of a nested program that receives it. */
struct passing {
    eqn_t e;
    u32 operand;
    const struct region *in;
    u32 binder;
    const struct type *got, *want;
};

/* ` (passed as `n`)` for a size of a nested program that has another name outside, else nothing */
static const char *
passed_as(struct dynamics *d, const struct dim *dim, const char *outside)
{
    bool renamed = (dim->kind == DIM_NAME || dim->kind == DIM_EXPR) && !slice_eq(dim->text, slice_of(outside));
    return renamed ? arena_printf(d->m->mem, " (passed as `%s`)", diag_quote(d->ds, dim->text)).at : "";
}

/* adds notes to the last diagnostic: where the operand is bound, and the binder to which it is passed */
static void
note_operand(struct dynamics *d, const struct passing *p)
{
    const struct module *m = d->m;
    struct span s = eqn_operand_span(m, p->e, p->operand), there = jaxpr_binder_span(m, p->in->jaxpr, p->binder);
    atom_t a = m->atoms.at[m->eqns.at[p->e].atoms + p->operand];
    d->eqn_jaxprs = d->eqn_jaxprs ? d->eqn_jaxprs : eqns_to_jaxprs(m);
    if (atom_kind(a) == ATOM_VAR && d->ds->errors < EXPLAINED) {
        struct span bound = var_span(m, d->eqn_jaxprs[p->e], atom_id(a));
        diag_note(d->ds, bound.at, bound.n, "`%s` is %s, bound here", dyn_name(d, atom_id(a)),
                  diag_quote(d->ds, p->got->text));
    }
    diag_note(d->ds, there.at, there.n, "`%s` is passed to this argument", diag_quote(d->ds, module_bytes(m, s)));
}

static void
report_operand(struct dynamics *d, const struct passing *p, u32 axis)
{
    const struct module *m = d->m;
    const struct dim *got = &type_dims(&m->types, p->got)[axis], *want = &type_dims(&m->types, p->want)[axis];
    struct span s = eqn_operand_span(m, p->e, p->operand);
    const char *outside = dyn_size(d, outer_size(d, got)), *inside = dyn_size(d, inner_size(d, p->e, p->in, want));
    diag_add(d->ds, DIAG_D110, s.at, s.n,
             "`%s` passes `%s`, which is %s, to `%s`, which is %s: axis %u must have size `%s`%s, but has size `%s`",
             quote_name(m, d->ds, m->eqns.at[p->e].prim), diag_quote(d->ds, module_bytes(m, s)),
             diag_quote(d->ds, p->got->text), dyn_name(d, m->jaxprs.at[p->in->jaxpr].vars + p->binder),
             diag_quote(d->ds, p->want->text), axis, inside, passed_as(d, want, inside), outside);
    note_operand(d, p);
    if (is_index(d, p->in, want))
        diag_note(d->ds, NONE, 0, "`%s` is the loop index, so no array that is passed in can have this size", inside);
}

/* reports an operand of an unknown primitive that differs from its binder in element type or rank; true if it did.
 * check_types reports the others */
static bool
report_unlike(struct dynamics *d, const struct passing *p)
{
    const struct module *m = d->m;
    if (!d->unknown_prim || p->got->dtype == NONE || p->want->dtype == NONE)
        return false;
    struct span s = eqn_operand_span(m, p->e, p->operand);
    diag_add(d->ds, DIAG_T012, s.at, s.n, "`%s` passes `%s`, which is %s, to `%s`, which is %s",
             quote_name(m, d->ds, m->eqns.at[p->e].prim), diag_quote(d->ds, module_bytes(m, s)),
             diag_quote(d->ds, p->got->text), dyn_name(d, m->jaxprs.at[p->in->jaxpr].vars + p->binder),
             diag_quote(d->ds, p->want->text));
    note_operand(d, p);
    return true;
}

/* compares an operand with its binder; false if it reported */
static bool
check_operand(struct dynamics *d, eqn_t e, const struct region *in, u32 binder)
{
    const struct module *m = d->m;
    u32 operand = region_operand(in, binder);
    if (operand == NONE || operand >= m->eqns.at[e].n_atoms)
        return true;
    atom_t a = m->atoms.at[m->eqns.at[e].atoms + operand];
    const struct type *want = type_array(m, m->vars.at[m->jaxprs.at[in->jaxpr].vars + binder].type);
    const struct type *got = atom_array(m, a);
    if (!want || !got)
        return true;
    const struct passing passing = {e, operand, in, binder, got, want};
    if (atom_kind(a) == ATOM_VAR && memo_get(&d->found->unsized, atom_id(a)))
        return true;
    if (want->rank != got->rank || want->dtype != got->dtype)
        return !report_unlike(d, &passing);
    if (!d->variables || (!want->dynamic && !got->dynamic))
        return true;
    for (u32 k = 0; k < want->rank; k++) {
        if (types_compare(d, &type_dims(&m->types, want)[k]))
            continue;
        struct size outside = outer_size(d, &type_dims(&m->types, got)[k]);
        struct size inside = inner_size(d, e, in, &type_dims(&m->types, want)[k]);
        bool known = outside.kind == SIZE_INT || outside.kind == SIZE_VAR;
        if (!sizes_differ(outside, inside) && !(known && is_index(d, in, &type_dims(&m->types, want)[k])))
            continue;
        report_operand(d, &passing, k);
        return false;
    }
    return true;
}

/* ---- results ---- */

bool
result_size_fits(struct dynamics *d, eqn_t e, const struct region *in, const struct dim *dim, struct size printed,
                 struct size *wanted)
{
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    *wanted = inner_size(d, e, in, dim);
    if (printed.kind != SIZE_INT && printed.kind != SIZE_VAR)
        return true;
    if (wanted->kind == SIZE_INT || wanted->kind == SIZE_VAR) {
        if (!sizes_differ(*wanted, printed))
            return true;
    }
    var_t v = dim->kind == DIM_NAME ? binders_find(&d->inner, dim->name) : NONE;
    u32 first = m->eqns.at[e].vars;
    bool returned = false;
    if (v != NONE && printed.kind == SIZE_VAR && printed.var >= first && printed.var - first < j->n_outs)
        returned = m->atoms.at[j->outs + (printed.var - first)] == atom_make(ATOM_VAR, v);
    if (returned)
        return true;
    /* an inner variable that is neither passed nor returned, or a reference: not comparable */
    return dim->kind != DIM_NAME && dim->kind != DIM_INT;
}

bool
result_size_excused(const struct dynamics *d, eqn_t e, struct size printed, struct size wanted)
{
    /* Catalyst miscounts operands, but never takes a size that the program computes, or a result, for an operand */
    bool operand = wanted.kind == SIZE_VAR || wanted.kind == SIZE_INT;
    const struct eqn *eqn = &d->m->eqns.at[e];
    bool result = printed.kind == SIZE_VAR && printed.var >= eqn->vars && printed.var - eqn->vars < eqn->n_vars;
    return is_other_system(&d->map) && operand && !result && !(printed.kind == SIZE_INT && wanted.kind == SIZE_INT);
}

/* The size of an axis of result i, as it is printed, and as the nested program returns it. */
struct returned_size {
    u32 i, axis;
    const struct dim *inside;
    struct size printed, wanted;
};

/* the text after a size of a returned array: what has this size outside. NULL if the size is reported elsewhere */
static const char *
bound_as(struct dynamics *d, eqn_t e, const struct region *in, const struct returned_size *size)
{
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    if (size->wanted.kind == SIZE_INT || size->wanted.kind == SIZE_VAR)
        return passed_as(d, size->inside, dyn_size(d, size->wanted));
    var_t v = size->inside->kind == DIM_NAME ? binders_find(&d->inner, size->inside->name) : NONE;
    for (u32 i = 0; i < j->n_outs && v != NONE; i++)
        if (m->atoms.at[j->outs + i] == atom_make(ATOM_VAR, v))
            return arena_printf(m->mem, ", which is the %s result, `%s`", ordinal_of(i).text,
                                dyn_name(d, m->eqns.at[e].vars + i))
                .at;
    u32 operand = v != NONE && jaxpr_binds(j, v) ? region_operand(in, v - j->vars) : NONE;
    if (operand == NONE || operand >= m->eqns.at[e].n_atoms)
        return ", which the equation does not bind";
    atom_t a = m->atoms.at[m->eqns.at[e].atoms + operand];
    bool integer = atom_kind(a) == ATOM_LIT ? m->literals.at[atom_id(a)].kind == LIT_INT
                                            : atom_type(m, a) == NONE || type_is_dim(m, atom_type(m, a));
    if (!integer)
        return NULL;
    struct span s = eqn_operand_span(m, e, operand);
    return arena_printf(m->mem, ", to which `%s` is passed", diag_quote(d->ds, module_bytes(m, s))).at;
}

static void
report_result(struct dynamics *d, eqn_t e, const struct region *in, const struct returned_size *size)
{
    const struct module *m = d->m;
    u32 i = size->i, axis = size->axis;
    struct size printed = size->printed, wanted = size->wanted;
    var_t v = m->eqns.at[e].vars + i;
    const struct type *t = type_array(m, m->vars.at[v].type);
    struct span s = dim_span(m, eqn_result_span(m, e, i), t, &type_dims(&m->types, t)[axis]);
    struct span there = jaxpr_out_span(m, in->jaxpr, i);
    bool known = wanted.kind == SIZE_INT || wanted.kind == SIZE_VAR;
    if (!known && d->ds->errors < EXPLAINED &&
        binder_named(m, in->jaxpr, NONE, size->inside->name) == NONE) /* it is reported inside */
        return;
    const char *bound = known || d->ds->errors < EXPLAINED ? bound_as(d, e, in, size) : "";
    if (!bound)
        return;
    diag_add(d->ds, DIAG_D111, s.at, s.n,
             "axis %u of `%s` has size `%s`, but the program of `%s` returns it with size `%s`%s", axis, dyn_name(d, v),
             dyn_size(d, printed), quote_name(m, d->ds, m->eqns.at[e].prim), dyn_size(d, wanted), bound);
    diag_note(d->ds, there.at, there.n, "it is returned here");
    if (result_size_excused(d, e, printed, wanted) && !d->options->strict)
        diag_relevel(d->ds, LEVEL_WARNING);
}

/* compares the results of e with those of its nested program; false if it reported one */
static bool
check_results(struct dynamics *d, eqn_t e, const struct region *in)
{
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    bool fine = true;
    if (j->n_outs != m->eqns.at[e].n_vars)
        return true;
    for (u32 i = 0; i < j->n_outs; i++) {
        const struct type *printed = type_array(m, m->vars.at[m->eqns.at[e].vars + i].type);
        const struct type *inside = atom_array(m, m->atoms.at[j->outs + i]);
        if (!printed || !inside || printed->rank != inside->rank || (!printed->dynamic && !inside->dynamic))
            continue;
        for (u32 k = 0; k < printed->rank; k++) {
            if (types_compare(d, &type_dims(&m->types, inside)[k]))
                continue;
            struct returned_size size = {i, k, &type_dims(&m->types, inside)[k], .printed = {0}};
            size.printed = outer_size(d, &type_dims(&m->types, printed)[k]);
            if (result_size_fits(d, e, in, size.inside, size.printed, &size.wanted))
                continue;
            report_result(d, e, in, &size);
            fine = false;
            break;
        }
    }
    return fine;
}

/* Marks loops of which two constants are the same operand, and so the same size: a nested loop that captures an array
 * of the outermost program receives its size twice. Only a few are compared */
static void
mark_aliases(struct dynamics *d, eqn_t e, const struct region *in)
{
    enum { LOOKED_AT = 64 };
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
    u32 consts = in == d->map.regions.at ? d->map.body_carry : 0;
    atom_t seen[LOOKED_AT];
    u32 n = 0;
    for (u32 i = 0; i < consts && i < LOOKED_AT; i++) {
        u32 operand = region_operand(in, i);
        if (operand == NONE || operand >= m->eqns.at[e].n_atoms || !type_is_dim(m, m->vars.at[j->vars + i].type))
            continue;
        atom_t a = m->atoms.at[m->eqns.at[e].atoms + operand];
        for (u32 k = 0; k < n && atom_kind(a) == ATOM_VAR; k++)
            if (seen[k] == a)
                d->aliased[in->jaxpr] = 1;
        seen[n++] = a;
    }
}

/* ---- equations ---- */

/* whether the primitive's row has parameters that are programs; if not, it may be a user's primitive of the same name,
 * such as `repeat` */
static bool
row_has_programs(struct dynamics *d, eqn_t e)
{
    const struct prim *row = prims_find(&d->prims, d->m, d->m->eqns.at[e].prim);
    return row && (!row->params || slice_contains(slice_of(row->params), SLICE("JAXPR")));
}

/* checks that a program has `n_consts` constvars, or none if its constants are arguments */
static void
check_consts(struct dynamics *d, eqn_t e)
{
    const struct module *m = d->m;
    param_t p = eqn_param(m, e, SLICE("n_consts"));
    jaxpr_t j = eqn_jaxpr(m, e, SLICE("jaxpr"));
    if (p == NONE || j == NONE || row_has_programs(d, e))
        return;
    i64 n = eqn_int(m, e, SLICE("n_consts"), -1);
    u32 own = m->jaxprs.at[j].n_consts;
    if (n >= 0 && (own == 0 || own == n))
        return;
    struct span s = m->params.at[p].span, there = own ? jaxpr_binder_span(m, j, 0) : s;
    diag_add(d->ds, DIAG_T018, s.at, s.n, "`n_consts` of `%s` is %s, but its program has %u constant%s",
             quote_name(m, d->ds, m->eqns.at[e].prim), diag_quote(d->ds, module_bytes(m, s)), own, own == 1 ? "" : "s");
    if (own)
        diag_note(d->ds, there.at, there.n, "they begin here");
}

void
check_nested(struct dynamics *d, eqn_t e)
{
    struct region_map *l = &d->map;
    bool known = region_map_read(d->m, e, l);
    check_consts(d, e);
    if (!known || !region_map_keeps_types(l))
        return; /* slices and shards have other sizes inside: their rules compare them */
    if (is_other_system(l) && !check_loop(d, e))
        return;
    d->unknown_prim =
        l->kind == REGION_CALL && eqn_param(d->m, e, SLICE("n_consts")) != NONE && !row_has_programs(d, e);
    bool results = d->variables;
    for (u32 i = 0; i < l->regions.n; i++) {
        const struct region *in = &l->regions.at[i];
        if (in->jaxpr == NONE)
            continue;
        inner_open(d, in);
        if (l->kind != REGION_CALL && !d->options->strict)
            mark_aliases(d, e, in);
        bool fine = true;
        if (d->variables || d->unknown_prim)
            for (u32 k = 0; k < jaxpr_binders(&d->m->jaxprs.at[in->jaxpr]) && fine; k++)
                fine = check_operand(d, e, in, k);
        if (fine && results && (i == 0 || l->kind == REGION_BRANCH))
            results = check_results(d, e, in);
    }
}
