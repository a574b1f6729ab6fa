/* SPDX-License-Identifier: Apache-2.0
 *
 * P: work and memory that could be saved, found by visiting an equation, a binder or a jaxpr once. Linear. */
#include "lint/facts.h"

#include "base/decimal.h"
#include "ir/stats.h"

/* ---- P308 dead equations ---- */

void
lint_P308(struct lint *l, u32 j)
{
    struct module *m = l->m;
    struct eqns dead = {0};
    const struct readers readers = {l->facts.readers, 0, m->vars.n};
    dead_equations(m, &l->effects, &readers, j, &dead);
    for (u32 i = dead.n; i-- > 0;) {
        eqn_t e = dead.at[i];
        const struct eqn *eqn = &m->eqns.at[e];
        bool bare = eqn->n_vars == 0;
        struct span at = bare ? eqn_prim_span(m, e) : eqn_result_span(m, e, 0);
        const char *message =
            bare ? "`%s` has neither results nor effects" : "`%s` is dead code: no result or effect depends on it";
        if (lint_report(l, e, at, message, lint_prim(l, e)))
            lint_drop(l, e);
    }
    vec_free(m->mem, &dead);
}

/* ---- P311 equations that return their operand ---- */

/* true if a tuple contains 0, 1, 2 .. in this order */
static bool
counts_up(struct slice text)
{
    struct cursor c = cursor_of(text);
    i64 value;
    if (!value_open(&c))
        return false;
    for (i64 i = 0; value_int(&c, &value); i++) {
        if (value != i)
            return false;
        value_comma(&c);
    }
    return value_close(&c) && value_done(&c);
}

/* true if a tuple has no elements, or is None */
static bool
is_empty(struct slice text)
{
    struct cursor c = cursor_of(text);
    return slice_eq(text, SLICE("None")) || (value_open(&c) && value_close(&c) && value_done(&c));
}

static bool
param_is(const struct lint *l, eqn_t e, struct slice key, bool (*test)(struct slice), bool missing)
{
    struct slice value;
    return eqn_value(l->m, e, key, &value) ? test(value) : missing;
}

/* the key of the parameter that describes what happens to axes */
static struct slice
axes_key(const struct prim *row)
{
    struct prim_param param = {0};
    for (const char *at = row->params; prim_param_next(&at, &param);)
        if (slice_eq(param.role, SLICE("AXES")))
            return param.key;
    return SLICE("");
}

/* true if an equation whose operand and result have the same type returns its operand: only axes can still move */
static bool
restores_operand(const struct lint *l, eqn_t e)
{
    struct slice value, key = axes_key(l->row);
    switch ((enum axes_role)l->row->is.axes) {
    case AXES_PERMUTED:
    case AXES_PLACED:
        return param_is(l, e, key, counts_up, false);
    case AXES_TOUCHED:
        return param_is(l, e, key, is_empty, false);
    case AXES_READ:
        return param_is(l, e, key, is_empty, true);
    case AXES_NONE: /* convert_element_type, slice, concatenate of one, dynamic_slice, real: equal types are sufficient
                     */
        return !eqn_value(l->m, e, SLICE("y"), &value) || slice_eq(value, SLICE("1")); /* of integer_pow */
    }
    return true;
}

void
lint_P311(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    var_t from = lint_operand(l, e, 0);
    if (eqn->n_vars != 1 || (eqn->n_atoms != 1 && l->row->is.indices != 1) || from == NONE ||
        m->vars.at[from].type == NONE || m->vars.at[from].type != m->vars.at[eqn->vars].type ||
        !type_array(m, m->vars.at[from].type) || !restores_operand(l, e))
        return;
    lint_report(l, e, eqn_prim_span(m, e), "`%s` changes nothing: `%s` is already %s", lint_prim(l, e),
                lint_var(l, from), lint_type(l, m->vars.at[from].type));
    if (l->row->is.converts)
        lint_hint(l, "remove it, unless it makes a weak type strong", false);
    else
        lint_replace(l, e, eqn->vars, from);
}

/* ---- P307 ---- */

void
lint_P307(struct lint *l, u32 program)
{
    struct stats stats = {0};
    const struct program *p = &l->m->programs.at[program];
    u64 most = l->plan->number[SET_equations];
    if (p->n_lets == 0 && (p->end - p->offset) / 2 <= most)
        return; /* the text is too short for more equations: each takes at least two characters */
    stats_program(l->m, program, &stats);
    if (stats.equations > most)
        lint_report(l, NONE, (struct span){l->m->jaxprs.at[l->m->programs.at[program].main].offset, 1},
                    "the program has %llu equations; the limit is %llu", (unsigned long long)stats.equations,
                    (unsigned long long)most);
    vec_free(l->m->mem, &stats.prims);
}

/* ---- P309 ---- */

static void
mark_read(struct lint *l, atom_t a)
{
    const struct module *m = l->m;
    if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *ref = &m->refs.at[atom_id(a)];
        for (u32 i = 0; i < ref->n_uses; i++)
            if (atom_kind(m->uses.at[ref->uses + i]) == ATOM_VAR)
                l->read[atom_id(m->uses.at[ref->uses + i])] = 1;
        a = ref->ref;
    }
    if (atom_kind(a) == ATOM_VAR)
        l->read[atom_id(a)] = 1;
}

/* marks the operands of an equation as read, except those passed to programs none of which reads them; loop-carried
 * ones count as read. *passed: by variable, the first equation that passes it so, and which operand it is there */
static void
mark_operands(struct lint *l, eqn_t e, struct memo *passed)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    bool flows = l->facts.holds[e] && region_map_read(l->m, e, &l->map) && l->map.kind != REGION_MAPPED;
    if (!flows) {
        for (u32 i = 0; i < eqn->n_atoms; i++)
            mark_read(l, m->atoms.at[eqn->atoms + i]);
        return;
    }
    VEC(u8) received = {0}; /* by operand: 1 where a program receives it, 2 where one reads it */
    if (eqn->n_atoms)
        memset(vec_push_n(m->mem, &received, eqn->n_atoms), 0, eqn->n_atoms);
    bool loop = region_map_loops(&l->map);
    for (u32 k = 0; k < l->map.regions.n; k++) {
        const struct region *in = &l->map.regions.at[k];
        const struct jaxpr *j = in->jaxpr == NONE ? NULL : &m->jaxprs.at[in->jaxpr];
        for (u32 b = 0; j && b < jaxpr_binders(j); b++) {
            u32 operand = region_operand(in, b);
            if (operand >= eqn->n_atoms)
                continue;
            bool read = l->read[j->vars + b] || (loop && operand >= l->map.carry);
            received.at[operand] = read || received.at[operand] == 2 ? 2 : 1;
        }
    }
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        var_t v = lint_operand(l, e, i);
        if (received.at[i] != 1)
            mark_read(l, m->atoms.at[eqn->atoms + i]);
        else if (v != NONE && !memo_get(passed, v))
            memo_set(m->mem, passed, v, (u64)e << 32 | (i + 1));
    }
    vec_free(m->mem, &received);
}

static void
mark_jaxpr(struct lint *l, jaxpr_t id, struct memo *passed)
{
    const struct module *m = l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        l->read[j->vars + i] |= l->facts.sizes[j->vars + i];
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        mark_operands(l, e, passed);
    for (u32 i = 0; i < j->n_outs; i++)
        mark_read(l, m->atoms.at[j->outs + i]);
}

void
lint_P309(struct lint *l, u32 program)
{
    struct module *m = l->m;
    struct memo passed = {0};
    if (!l->read)
        l->read = mem_zeroed(m->mem, m->vars.n + 1ull);
    for (u32 i = 0; i < l->n; i++)
        mark_jaxpr(l, l->facts.order.at[l->first + i], &passed);
    jaxpr_t main = m->programs.at[program].main;
    const struct jaxpr *j = &m->jaxprs.at[main];
    for (u32 i = 0; i < j->n_ins && !m->programs.at[program].excerpt; i++) {
        var_t v = jaxpr_in(j, i);
        if (l->read[v])
            continue;
        u64 place = memo_get(&passed, v);
        lint_report(l, NONE, jaxpr_binder_span(m, main, j->n_consts + i), "the argument `%s` is never read%s",
                    lint_var(l, v), l->facts.uses[v] ? ", not even by the programs it is passed to" : "");
        if (place)
            lint_note(l, eqn_operand_span(m, (eqn_t)(place >> 32), (u32)place - 1), "it is passed to `%s` here",
                      lint_prim(l, (eqn_t)(place >> 32)));
    }
    memo_free(m->mem, &passed);
}

/* ---- P310 ---- */

/* the place of the entry `True` of a parameter's value that ends at `end`, or of the parameter's key if lines of the
 * value were joined */
static struct span
flag_span(const struct module *m, eqn_t e, struct slice key, const char *end)
{
    if (end > m->text.at && end <= m->text.at + m->text.n)
        return (struct span){(u32)(end - m->text.at) - (u32)strlen("True"), (u32)strlen("True")};
    return param_key_span(m, eqn_param(m, e, key));
}

/* adds notes for operand `donor`, whose buffer is reused instead, and for the result that reuses it */
static void
note_donor(struct lint *l, eqn_t e, u32 donor)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    u32 last = 0;
    for (u32 k = 0; k < eqn->n_vars; k++)
        last = m->vars.at[eqn->vars + k].type == lint_atom_type(l, m->atoms.at[eqn->atoms + donor]) ? k : last;
    const char *name = lint_var(l, lint_operand(l, e, donor));
    lint_note(l, eqn_operand_span(m, e, donor), "the buffer of `%s` is reused instead", name);
    lint_note(l, eqn_result_span(m, e, last), "the buffer of `%s` is reused for this result", name);
}

void
lint_P310(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    struct slice key = SLICE("donated_invars"), flags;
    struct memo results = {0}; /* a type: how many results still have no donor */
    struct memo donors = {0};  /* a type: the last operand whose buffer a result reuses, plus one */
    bool donated;
    if (!eqn_value(l->m, e, key, &flags) || !memmem(flags.at, flags.n, "True", 4))
        return;
    struct cursor c = cursor_of(flags);
    for (u32 i = 0; i < eqn->n_vars; i++) {
        type_t type = m->vars.at[eqn->vars + i].type;
        if (type != NONE)
            memo_set(m->mem, &results, type, memo_get(&results, type) + 1);
    }
    value_open(&c);
    for (u32 i = 0; i < eqn->n_atoms && value_bool(&c, &donated); i++, value_comma(&c)) {
        type_t type = lint_atom_type(l, m->atoms.at[eqn->atoms + i]);
        var_t v = lint_operand(l, e, i);
        if (!donated || type == NONE || v == NONE)
            continue;
        u64 left = memo_get(&results, type);
        if (left) {
            memo_set(m->mem, &results, type, left - 1);
            memo_set(m->mem, &donors, type, i + 1ull);
            continue;
        }
        u64 donor = memo_get(&donors, type);
        lint_report(l, e, eqn_operand_span(m, e, i),
                    donor ? "`%s`, %s, is donated to `%s`, but no result of that type is left to reuse its buffer"
                          : "`%s`, %s, is donated to `%s`, which has no result of that type to reuse its buffer",
                    lint_var(l, v), lint_type(l, type), lint_prim(l, e));
        lint_note(l, flag_span(m, e, key, c.p), "`%s` is donated because of this entry", lint_var(l, v));
        if (donor)
            note_donor(l, e, (u32)donor - 1);
    }
    memo_free(m->mem, &results);
    memo_free(m->mem, &donors);
}

/* ---- P312 ---- */

/* true if one permutation undoes the other */
static bool
permutations_cancel(struct slice outer, struct slice inner)
{
    enum { MOST = 31 };
    i64 a[MOST], b[MOST];
    u32 n, k;
    if (!value_ints(outer, a, MOST, &n) || !value_ints(inner, b, MOST, &k) || n != k || n == 0)
        return false;
    for (u32 i = 0; i < n; i++)
        if (a[i] < 0 || a[i] >= (i64)n || b[a[i]] != (i64)i)
            return false;
    return true;
}

/* true if equation e, applied to the result of `inner`, returns the operand of `inner` */
static bool
cancels(const struct lint *l, eqn_t e, eqn_t inner)
{
    struct slice one, two, key = axes_key(l->row);
    bool both = eqn_value(l->m, e, key, &one) && eqn_value(l->m, inner, key, &two);
    switch ((enum axes_role)l->row->is.axes) {
    case AXES_PERMUTED:
        return both && permutations_cancel(one, two);
    case AXES_READ:
        return l->m->eqns.at[e].n_atoms == 1 && l->m->eqns.at[inner].n_atoms == 1 &&
               param_is(l, e, key, is_empty, true) && param_is(l, inner, key, is_empty, true);
    case AXES_PLACED:
    case AXES_TOUCHED:
        return both && slice_eq(one, two);
    case AXES_NONE: /* neg, not, conj are their own inverses */
        break;
    }
    return true;
}

void
lint_P312(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    var_t start;
    eqn_t inner = lint_undone(l, e, &start);
    if (inner == NONE || m->eqns.at[inner].prim != m->eqns.at[e].prim || !cancels(l, e, inner))
        return;
    if (!lint_report(l, e, eqn_prim_span(m, e), "this `%s` undoes the one before and returns `%s`", lint_prim(l, e),
                     lint_var(l, start)))
        return;
    lint_note(l, eqn_prim_span(m, inner), "the first `%s` is here", lint_prim(l, inner));
    lint_replace(l, e, m->eqns.at[e].vars, start);
}

/* ---- P313 ---- */

/* reads a whole number written as a float or an integer: `2.0`, `-3`, `4.` */
static bool
read_whole(struct slice text, i64 *value)
{
    const char *point = memchr(text.at, '.', text.n), *end = text.at + text.n;
    struct cursor c = {text.at, point ? point : end};
    if (!value_int(&c, value) || c.p != c.end)
        return false;
    for (c.p += point != NULL; c.p < end && *c.p == '0'; c.p++)
        ;
    return c.p == end;
}

void
lint_P313(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    if (eqn->n_atoms != 2 || atom_kind(m->atoms.at[eqn->atoms + 1]) != ATOM_LIT)
        return;
    struct slice text = module_bytes(m, m->literals.at[atom_id(m->atoms.at[eqn->atoms + 1])].value);
    i64 y;
    if (read_whole(text, &y))
        lint_report(l, e, eqn_prim_span(m, e), "`%s` with the exponent %s is `integer_pow[y=%lld]`, which is cheaper",
                    lint_prim(l, e), lint_slice(l, text), (long long)y);
}
