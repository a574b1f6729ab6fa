/* SPDX-License-Identifier: Apache-2.0
 *
 * N: what conversions between element types lose or cost. Linear; dataflow through nested programs is followed from
 * the inside out, once for each program. */
#include "lint/facts.h"

static bool
is_double(dtype_t d)
{
    return d == DT_f64 || d == DT_c128;
}

/* counts the 64-bit values among n variables from v on, and records the first */
static u32
count_doubles(const struct lint *l, var_t v, u32 n, var_t *first)
{
    u32 found = 0;
    for (u32 i = 0; i < n; i++)
        if (is_double(lint_dtype(l, l->m->vars.at[v + i].type))) {
            if (*first == NONE)
                *first = v + i;
            found++;
        }
    return found;
}

void
lint_N201(struct lint *l, u32 program)
{
    struct module *m = l->m;
    u32 found = 0, all = 0, least = NONE;
    var_t first = NONE;
    jaxpr_t home = NONE;
    (void)program;
    for (u32 i = 0; i < l->n; i++) {
        jaxpr_t id = l->facts.order.at[l->first + i];
        const struct jaxpr *j = &m->jaxprs.at[id];
        var_t here = NONE;
        u32 n = count_doubles(l, j->vars, jaxpr_binders(j), &here);
        all += jaxpr_binders(j);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            n += count_doubles(l, m->eqns.at[e].vars, m->eqns.at[e].n_vars, &here);
            all += m->eqns.at[e].n_vars;
        }
        if (n && j->offset < least) {
            least = j->offset;
            first = here;
            home = id;
        }
        found += n;
    }
    if (found == 0)
        return;
    lint_report(l, l->facts.producer[first], lint_binder(l, home, first), "%u of the program's %u values %s `%s`, %s",
                found, all, found == 1 ? "is a 64-bit float:" : "are 64-bit floats; the first is", lint_var(l, first),
                lint_type(l, m->vars.at[first].type));
}

/* ---- N202 ---- */

/* the state of a widening: some widened values were narrowed again, some are results of the program */
enum { STATE_NARROWED = 1, STATE_RETURNED = 2 };

/* the widening from which an atom has its width, or NONE */
static var_t
origin_of(const struct lint *l, atom_t a)
{
    return atom_kind(a) == ATOM_VAR ? l->wide.origins[atom_id(a)] : NONE;
}

/* the representative of widenings that are reported as one finding, the first of them. Halves the path that it
 * follows */
static var_t
first_of_group(struct lint *l, var_t widening)
{
    while (l->wide.joined[widening] != widening)
        widening = l->wide.joined[widening] = l->wide.joined[l->wide.joined[widening]];
    return widening;
}

/* the earliest widening from which an operand of an equation has its width, or NONE; joins those of other operands
 * to it */
static var_t
widened_by(struct lint *l, const struct eqn *eqn)
{
    var_t found = NONE;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        var_t by = origin_of(l, l->m->atoms.at[eqn->atoms + i]);
        found = by < found ? by : found;
    }
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        var_t by = origin_of(l, l->m->atoms.at[eqn->atoms + i]);
        if (by != NONE && by != found) {
            var_t one = first_of_group(l, by), other = first_of_group(l, found);
            l->wide.joined[one > other ? one : other] = one < other ? one : other;
        }
    }
    return found;
}

/* the widening of result i of an equation's programs: it is their i-th result, as in all calls, loops and branches */
static var_t
widened_inside(const struct lint *l, eqn_t e, u32 i)
{
    const struct module *m = l->m;
    struct nested h = nested_start(m, e);
    for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;) {
        const struct jaxpr *inner = &m->jaxprs.at[j];
        if (inner->n_outs != m->eqns.at[e].n_vars)
            continue;
        atom_t out = m->atoms.at[inner->outs + i];
        if (origin_of(l, out) != NONE)
            return origin_of(l, out);
    }
    return NONE;
}

static void
widen_equation(struct lint *l, eqn_t e)
{
    struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    var_t by = widened_by(l, eqn), from = lint_operand(l, e, 0);
    u32 before = from == NONE ? 0 : lint_float_bits(l, from);
    const struct prim *row = lint_prim_of(l, e)->row;
    bool converts = row && eqn->n_vars == 1 && row->is.converts;
    for (u32 i = 0; i < eqn->n_vars; i++) {
        var_t v = eqn->vars + i;
        var_t inside = !l->facts.holds[e] ? NONE : widened_inside(l, e, i);
        var_t origin = inside != NONE ? inside : by;
        l->wide.origins[v] = origin != NONE && lint_float_bits(l, v) >= lint_float_bits(l, origin) ? origin : NONE;
        if (l->wide.origins[v] != NONE)
            l->wide.n_widened[origin]++;
    }
    if (converts && by != NONE && l->wide.origins[eqn->vars] == NONE)
        l->wide.states[by] |= STATE_NARROWED;
    if (converts && by == NONE && before && lint_float_bits(l, eqn->vars) > before) {
        l->wide.origins[eqn->vars] = l->wide.joined[eqn->vars] = eqn->vars;
        *vec_push(m->mem, &l->wide.all) = e;
    }
}

/* finds the state of the widenings of a program; a group has the state of its first */
static void
find_states(struct lint *l, const struct jaxpr *main)
{
    for (u32 i = 0; i < main->n_outs; i++) {
        var_t by = origin_of(l, l->m->atoms.at[main->outs + i]);
        if (by != NONE)
            l->wide.states[by] |= STATE_RETURNED;
    }
    for (u32 i = 0; i < l->wide.all.n; i++) {
        var_t v = l->m->eqns.at[l->wide.all.at[i]].vars;
        l->wide.states[first_of_group(l, v)] |= l->wide.states[v];
    }
}

void
lint_N202(struct lint *l, u32 program)
{
    struct module *m = l->m;
    if (!l->wide.origins) {
        l->wide.origins = mem_nones(m->mem, m->vars.n + 1ull);
        l->wide.n_widened = mem_zeroed(m->mem, (m->vars.n + 1ull) * sizeof *l->wide.n_widened);
        l->wide.joined = mem_nones(m->mem, m->vars.n + 1ull);
        l->wide.states = mem_zeroed(m->mem, m->vars.n + 1ull);
    }
    l->wide.all.n = 0;
    for (u32 i = 0; i < l->n; i++)
        for (eqn_t e = m->jaxprs.at[l->facts.order.at[l->first + i]].eqns; e != NONE; e = m->eqns.at[e].next)
            widen_equation(l, e);
    find_states(l, &m->jaxprs.at[m->programs.at[program].main]);
    for (u32 i = 0; i < l->wide.all.n; i++) {
        eqn_t e = l->wide.all.at[i];
        var_t to = m->eqns.at[e].vars, from = lint_operand(l, e, 0);
        u32 n = l->wide.n_widened[to];
        /* promotion never narrows: if widened values are narrowed again and none is a result, both conversions are
         * explicit */
        if (l->wide.states[first_of_group(l, to)] == STATE_NARROWED)
            continue;
        lint_report(l, e, eqn_result_span(m, e, 0),
                    n == 0 ? "`%s` widens `%s` from %s to %s"
                    : n == 1
                        ? "`%s` widens `%s` from %s to %s; because of this, %u value computed from `%s` is wide too"
                        : "`%s` widens `%s` from %s to %s; because of this, %u values computed from `%s` are wide too",
                    lint_var(l, to), lint_var(l, from), lint_type(l, m->vars.at[from].type),
                    lint_type(l, m->vars.at[to].type), n, lint_var(l, to));
        if (n == 0)
            lint_hint(l, "to stay in the narrow type, leave this conversion out", false);
    }
}

/* ---- N203 ---- */

static bool
is_narrow(dtype_t d)
{
    return d != NONE && dtype_class(d) == CLASS_FLOAT && dtype_bits(d) <= 16;
}

/* the size of the axis of a running sum; 0 if it is not a number */
static u64
running_numbers(const struct lint *l, eqn_t e, type_t in)
{
    const struct module *m = l->m;
    const struct type *t = type_array(m, in);
    i64 axis = eqn_int(m, e, SLICE("axis"), -1);
    if (!t || axis < 0 || axis >= t->rank || type_dims(&m->types, t)[axis].kind != DIM_INT)
        return 0;
    return (u64)type_dims(&m->types, t)[axis].value;
}

/* the number of elements of a window; 0 if it is unknown */
static u64
window_numbers(const struct lint *l, eqn_t e)
{
    struct slice sizes;
    i64 size;
    u64 n = 1;
    if (!eqn_value(l->m, e, SLICE("window_dimensions"), &sizes))
        return 0;
    struct cursor c = cursor_of(sizes);
    for (value_open(&c); value_int(&c, &size); value_comma(&c))
        if (size <= 0 || __builtin_mul_overflow(n, (u64)size, &n))
            return 0;
    return n;
}

/* how many numbers an equation adds up for one element of a result; *known becomes false if there may be more */
static u64
summed_numbers(const struct lint *l, eqn_t e, type_t in, type_t out, bool *known)
{
    bool in_known, out_known;
    struct slice name = lint_name(l, e);
    *known = true;
    if (slice_starts(name, SLICE("cum")))
        return running_numbers(l, e, in);
    if (slice_starts(name, SLICE("reduce_window")))
        return window_numbers(l, e);
    u64 from = lint_type_elements(l, in, &in_known), to = lint_type_elements(l, out, &out_known);
    *known = in_known && out_known;
    return to ? from / to : 0;
}

void
lint_N203(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    bool known;
    type_t in = eqn->n_atoms ? lint_atom_type(l, m->atoms.at[eqn->atoms]) : NONE;
    if (in == NONE || eqn->n_vars != 1 || !is_narrow(lint_dtype(l, in)) ||
        !is_narrow(lint_dtype(l, m->vars.at[eqn->vars].type)))
        return;
    u64 n = summed_numbers(l, e, in, m->vars.at[eqn->vars].type, &known);
    if (n > l->plan->number[SET_narrow_sum]) {
        lint_report(l, e, eqn_prim_span(m, e), "`%s` of %s accumulates %s%llu numbers in %s", lint_prim(l, e),
                    lint_type(l, in), known ? "" : "at least ", (unsigned long long)n,
                    lint_slice(l, dtype_text(&m->names, lint_dtype(l, in))));
        lint_note_sizes(l, known);
    }
}

/* ---- N204 ---- */

void
lint_N204(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    struct slice pinned;
    if (eqn->n_atoms < 2 || !is_narrow(lint_dtype(l, lint_atom_type(l, m->atoms.at[eqn->atoms]))) ||
        !is_narrow(lint_dtype(l, lint_atom_type(l, m->atoms.at[eqn->atoms + 1]))))
        return;
    if (eqn_value(l->m, e, SLICE("preferred_element_type"), &pinned) && !slice_eq(pinned, SLICE("None")))
        return;
    lint_report(l, e, eqn_prim_span(m, e), "`%s` of %s does not specify the type in which it accumulates",
                lint_prim(l, e),
                lint_slice(l, dtype_text(&m->names, lint_dtype(l, lint_atom_type(l, m->atoms.at[eqn->atoms])))));
}

/* ---- N205 ---- */

/* exponent and explicit mantissa bits of a float type; false for others */
static bool
float_form(dtype_t d, u32 *exponent, u32 *mantissa)
{
    static const struct {
        dtype_t dtype;
        u8 exponent, mantissa;
    } forms[] = {{DT_f64, 11, 52}, {DT_f32, 8, 23}, {DT_bf16, 8, 7}, {DT_f16, 5, 10}};
    for (u32 i = 0; i < countof(forms); i++)
        if (forms[i].dtype == d) {
            *exponent = forms[i].exponent;
            *mantissa = forms[i].mantissa;
            return true;
        }
    return false;
}

enum keeping { KEEPS, LOSES, UNKNOWN };

/* the effect of a conversion on values of the first type */
static enum keeping
keeps_values(dtype_t from, dtype_t to)
{
    u32 e, f, m, n, bits = dtype_bits(from);
    bool from_int = dtype_class(from) == CLASS_SIGNED || dtype_class(from) == CLASS_UNSIGNED;
    if (from_int && dtype_class(to) == dtype_class(from))
        return dtype_bits(to) >= bits ? KEEPS : LOSES;
    if (from_int && float_form(to, &e, &m))
        return m + 1 >= bits ? KEEPS : LOSES;
    if (float_form(from, &e, &m) && float_form(to, &f, &n))
        return f >= e && n >= m ? KEEPS : LOSES;
    if (float_form(from, &e, &m) && (dtype_class(to) == CLASS_SIGNED || dtype_class(to) == CLASS_UNSIGNED))
        return LOSES;
    return UNKNOWN;
}

void
lint_N205(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    var_t start;
    eqn_t inner = lint_undone(l, e, &start);
    const struct prim *row = inner == NONE ? NULL : lint_prim_of(l, inner)->row;
    if (!row || !row->is.converts)
        return;
    dtype_t from = lint_dtype(l, m->vars.at[start].type);
    dtype_t by = lint_dtype(l, m->vars.at[lint_operand(l, e, 0)].type);
    if (from == NONE || by == NONE || from == by || keeps_values(from, by) == UNKNOWN)
        return;
    bool exact = keeps_values(from, by) == KEEPS;
    lint_report(l, e, eqn_prim_span(m, e),
                exact ? "`%s` is converted to %s and back to %s, which changes nothing"
                      : "`%s` is converted to %s and back to %s, which loses precision",
                lint_var(l, start), lint_slice(l, dtype_text(&m->names, by)),
                lint_slice(l, dtype_text(&m->names, from)));
    lint_note(l, eqn_prim_span(m, inner), "the first conversion is here");
    if (!exact && dtype_class(from) != CLASS_FLOAT)
        lint_hint(l, "remove both, or convert to a type that holds every value", false);
    if (exact) {
        lint_hint(l, "remove both conversions" LINT_FIX_HINT, true);
        lint_replace(l, e, m->eqns.at[e].vars, start);
    }
}
