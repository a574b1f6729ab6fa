/* SPDX-License-Identifier: Apache-2.0
 *
 * P301 to P303 and P315: the bytes of constants, literals and results, and of all values that are live at one time,
 * which src/cost computes. Linear. */
#include "lint/facts.h"

#include "types/dims.h"
#include "cost/cost.h"

#include <math.h>

/* ---- P301 to P303 ---- */

void
lint_P301(struct lint *l, u32 id)
{
    const struct jaxpr *j = &l->m->jaxprs.at[id];
    for (u32 i = 0; i < j->n_consts; i++) {
        var_t v = jaxpr_const(j, i);
        bool known;
        u64 bytes = lint_type_bytes(l, l->m->vars.at[v].type, &known);
        if (bytes > l->plan->number[SET_constant_bytes]) {
            lint_report(l, NONE, jaxpr_binder_span(l->m, id, i), "the constant `%s`, %s, takes %s%s; the limit is %s",
                        lint_var(l, v), lint_type(l, l->m->vars.at[v].type), known ? "" : "at least ",
                        lint_bytes(l, bytes), lint_bytes(l, l->plan->number[SET_constant_bytes]));
            lint_note_sizes(l, known);
        }
    }
}

static void
check_literal(struct lint *l, eqn_t e, atom_t a, struct span at)
{
    const struct literal *one = &l->m->literals.at[atom_id(a)];
    bool known;
    u64 bytes = lint_type_bytes(l, one->type, &known);
    if (bytes > l->plan->number[SET_literal_bytes]) {
        lint_report(l, e, at, "%s%s%s is a literal, %s, which takes %s; the limit is %s",
                    e == NONE ? "a result" : "an operand of `", e == NONE ? "" : lint_prim(l, e), e == NONE ? "" : "`",
                    lint_type(l, one->type), lint_bytes(l, bytes), lint_bytes(l, l->plan->number[SET_literal_bytes]));
        if (e == NONE)
            lint_hint(l, "remove it from the results: it does not depend on the arguments", false);
    }
}

static bool
is_array_literal(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_LIT && m->literals.at[atom_id(a)].kind == LIT_ARRAY;
}

void
lint_P302(struct lint *l, u32 id)
{
    const struct module *m = l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            if (is_array_literal(m, m->atoms.at[m->eqns.at[e].atoms + i]))
                check_literal(l, e, m->atoms.at[m->eqns.at[e].atoms + i], eqn_operand_span(m, e, i));
    for (u32 i = 0; i < j->n_outs; i++)
        if (is_array_literal(m, m->atoms.at[j->outs + i]))
            check_literal(l, NONE, m->atoms.at[j->outs + i], jaxpr_out_span(m, id, i));
}

/* true if a type has the shape of a pattern such as `[n,n]`: a number matches itself, `_` any size, a name any size
 * but 1, the same each time it occurs */
static bool
has_shape(const struct module *m, const struct type *t, struct slice pattern)
{
    enum { NAMES = 8 };
    struct slice names[NAMES];
    struct dim bound[NAMES];
    u32 n = 0, rank = 0;
    struct cursor c = cursor_of(pattern);
    const struct dim *dims = type_dims(&m->types, t);
    struct slice word;
    for (bool open = value_open(&c); open && !value_close(&c); rank++) {
        i64 size;
        if (!value_element(&c, &word) || rank == t->rank)
            return false;
        struct cursor w = cursor_of(word);
        const struct dim *d = &dims[rank];
        if (slice_eq(word, SLICE("_")) || (value_int(&w, &size) && value_done(&w) && dim_is(*d, size)))
            continue;
        if (word.n && is_digit(word.at[0]))
            return false;
        u32 k = 0;
        while (k < n && !slice_eq(names[k], word))
            k++;
        if (dim_is(*d, 1) || (k < n && dim_equal(&bound[k], d) != YES) || (k == n && n == NAMES))
            return false;
        names[k] = word;
        bound[k] = *d;
        n = k == n ? n + 1 : n;
    }
    return rank == t->rank && rank > 0;
}

/* the first matching pattern of several joined by `+`; n 0: none */
static struct slice
find_shape(const struct module *m, const struct type *t, struct slice patterns)
{
    const char *p = patterns.at, *end = p + patterns.n;
    while (t && p < end) {
        const char *q = memchr(p, '+', (size_t)(end - p));
        struct slice one = {p, (size_t)((q ? q : end) - p)};
        if (has_shape(m, t, one))
            return one;
        p += one.n + 1;
    }
    return (struct slice){"", 0};
}

void
lint_P303(struct lint *l, u32 e)
{
    struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    if (!l->small) { /* most types are small and occur repeatedly */
        l->small = mem_zeroed(m->mem, m->types.list.n + 1u);
    }
    for (u32 i = 0; i < eqn->n_vars; i++) {
        type_t type = m->vars.at[eqn->vars + i].type;
        bool known;
        if (type == NONE || l->small[type])
            continue;
        u64 bytes = lint_type_bytes(l, type, &known), elements = lint_type_elements(l, type, &known);
        u64 most = l->plan->number[SET_intermediate_bytes], many = l->plan->number[SET_intermediate_elements];
        struct slice shape = find_shape(m, type_array(m, type), l->plan->text[SET_intermediate_shape]);
        if (shape.n)
            lint_report(l, e, eqn_result_span(m, e, i), "`%s`, %s, matches the forbidden shape %s",
                        lint_var(l, eqn->vars + i), lint_type(l, type), lint_slice(l, shape));
        else if (most && bytes > most)
            lint_report(l, e, eqn_result_span(m, e, i), "`%s`, %s, takes %s%s; the limit is %s",
                        lint_var(l, eqn->vars + i), lint_type(l, type), known ? "" : "at least ", lint_bytes(l, bytes),
                        lint_bytes(l, most));
        else if (many && elements > many)
            lint_report(l, e, eqn_result_span(m, e, i), "`%s`, %s, has %s%llu elements; the limit is %llu",
                        lint_var(l, eqn->vars + i), lint_type(l, type), known ? "" : "at least ",
                        (unsigned long long)elements, (unsigned long long)many);
        else {
            l->small[type] = 1;
            continue;
        }
        if (!shape.n)
            lint_note_sizes(l, known);
    }
}

/* ---- P315 ---- */

/* the value of an amount if every symbol in it has the value `symbol` */
static double
evaluate(const struct amounts *t, const struct amount_kept *a, double symbol)
{
    double sum = a->constant;
    for (u32 i = 0; i < a->n; i++) {
        const struct amount_term *term = &t->kept.at[a->at + i];
        double value = term->times;
        for (u32 k = amount_monomial(t, term->monomial).degree; k > 0; k--)
            value *= symbol;
        sum += value;
    }
    return sum;
}

static double
type_bytes_with(const struct lint *l, type_t type, double symbol)
{
    const struct type *t = type_array(l->m, type);
    bool known;
    double bytes = t ? (double)lint_type_bytes(l, type, &known) : 0;
    for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
        u8 kind = type_dims(&l->m->types, t)[k].kind;
        /* an expression such as 4*b is not evaluated */
        bytes *= kind == DIM_INT ? 1 : kind == DIM_NAME ? symbol : INFINITY;
    }
    return bytes;
}

static double
bytes_of(const struct lint *l, var_t from, u32 n, double symbol)
{
    double sum = 0;
    for (u32 i = 0; i < n; i++) {
        type_t type = l->m->vars.at[from + i].type;
        if (type == NONE)
            continue;
        if (l->bytes[type] < 0)
            l->bytes[type] = type_bytes_with(l, type, symbol);
        sum += l->bytes[type];
    }
    return sum;
}

/* the bytes of all values of the current program: an upper bound of its live memory */
static double
all_bytes(struct lint *l, double symbol)
{
    const struct module *m = l->m;
    double sum = 0;
    if (!l->bytes) {
        l->bytes = mem_alloc(m->mem, (m->types.list.n + 1ull) * sizeof *l->bytes);
        for (u32 i = 0; i <= m->types.list.n; i++)
            l->bytes[i] = -1;
    }
    for (u32 i = 0; i < l->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[l->facts.order.at[l->first + i]];
        sum += bytes_of(l, j->vars, jaxpr_binders(j), symbol);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            sum += bytes_of(l, m->eqns.at[e].vars, m->eqns.at[e].n_vars, symbol);
    }
    return sum;
}

/* adds a note for the largest value that is live at the peak of j, the outermost program */
static void
note_largest(struct lint *l, jaxpr_t j, const struct cost_detail *detail)
{
    if (!detail->held.n)
        return;
    var_t v = detail->held.at[0].var;
    lint_note(l, lint_binder(l, j, v), "the largest of the live values is `%s`, %s", lint_var(l, v),
              lint_type(l, l->m->vars.at[v].type));
}

/* adds a note with the sum that was compared with the limit, if it has symbols */
static void
note_sum(struct lint *l, const struct costs *costs, const struct amount_kept *peak)
{
    struct sink out;
    if (!peak->n)
        return;
    sink_init_memory(&out, l->m->mem);
    amount_write(&out, &costs->amounts, peak);
    lint_note(l, lint_nowhere(), "%s bytes, assuming %llu for every unknown size",
              lint_slice(l, (struct slice){out.at, out.n}), (unsigned long long)l->plan->number[SET_live_symbol]);
    mem_free(l->m->mem, out.at);
}

void
lint_P315(struct lint *l, u32 program)
{
    struct module *m = l->m;
    struct costs costs;
    struct cost_detail detail;
    double symbol = (double)l->plan->number[SET_live_symbol], most = (double)l->plan->number[SET_live_bytes];
    if (most == 0 || all_bytes(l, symbol) <= most)
        return;
    costs_read_detail(m, program, &costs, &detail);
    const struct cost_jaxpr *p = &costs.jaxprs.at[0];
    double bytes = evaluate(&costs.amounts, &p->peak, symbol);
    if (bytes > most) {
        bool top = p->peak_at == NONE;
        struct span at = top ? (struct span){m->jaxprs.at[p->jaxpr].offset, 1} : eqn_prim_span(m, p->peak_at);
        u64 whole = bytes < 1e19 ? (u64)bytes : (u64)1e19;
        if (lint_report(l, p->peak_at, at, "%s are live here; the limit is %s", lint_bytes(l, whole),
                        lint_bytes(l, l->plan->number[SET_live_bytes]))) {
            note_largest(l, p->jaxpr, &detail);
            note_sum(l, &costs, &p->peak);
        }
    }
    cost_detail_drop(m->mem, &detail);
    costs_drop(&costs);
}
