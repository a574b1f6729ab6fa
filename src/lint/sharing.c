/* SPDX-License-Identifier: Apache-2.0
 *
 * P304 to P306: what is computed, stored or written more often than needed, found by value numbers and equal jaxprs.
 * Linear; P306 compares each block of at most MOST_PERIOD equations with the previous one once. */
#include "lint/facts.h"

/* ---- P304 ---- */

/* true if every use of an equation's results can be renamed */
static bool
can_replace(const struct lint *l, const struct eqn *eqn)
{
    for (u32 i = 0; i < eqn->n_vars; i++) {
        struct name_buffer buffer;
        struct slice name = module_name(l->m, l->m->vars.at[l->numbers.leaders[eqn->vars + i]].name, &buffer);
        if (l->facts.sizes[eqn->vars + i] || (slice_eq(name, SLICE("_")) && l->facts.uses[eqn->vars + i]))
            return false;
    }
    return true;
}

void
lint_P304(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    lint_number_values(l);
    if (eqn->n_vars == 0 || l->numbers.leaders[eqn->vars] == eqn->vars)
        return;
    eqn_t first = l->facts.producer[l->numbers.leaders[eqn->vars]];
    if (!lint_report(l, e, eqn_prim_span(m, e), "this `%s` computes the same value as `%s`", lint_prim(l, e),
                     lint_var(l, l->numbers.leaders[eqn->vars])))
        return;
    lint_note(l, eqn_result_span(m, first, 0), "it is first computed here");
    if (!can_replace(l, eqn)) {
        lint_hint(l, "compute it once in Python, and use the value again", false);
        return;
    }
    for (u32 i = 0; i < eqn->n_vars; i++)
        lint_replace(l, e, eqn->vars + i, l->numbers.leaders[eqn->vars + i]);
}

/* ---- P305 ---- */

/* reports branches of an equation that are equal to earlier ones; notes show the first few */
static void
compare_branches(struct lint *l, eqn_t e)
{
    enum { MOST_SHOWN = 4 };
    struct {
        jaxpr_t branch, earlier_jaxpr;
        u32 number, earlier;
    } shown[MOST_SHOWN];
    const struct module *m = l->m;
    struct memo seen = {0};
    struct nested h = nested_start(m, e);
    u32 nth = 0, n = 0;
    for (jaxpr_t j; (j = nested_next(m, &h)) != NONE; nth++) {
        jaxpr_t one = l->numbers.jaxpr_leaders[j];
        if (m->jaxprs.at[j].n_eqns == 0 || one == NONE)
            continue;
        u64 earlier = memo_get(&seen, one);
        if (!earlier) {
            memo_set(m->mem, &seen, one, (u64)j << 32 | (nth + 1));
            continue;
        }
        if (n < MOST_SHOWN) {
            shown[n].branch = j;
            shown[n].number = nth;
            shown[n].earlier_jaxpr = (jaxpr_t)(earlier >> 32);
            shown[n].earlier = (u32)earlier - 1;
        }
        n++;
    }
    memo_free(m->mem, &seen);
    if (n == 0)
        return;
    lint_report(l, e, eqn_prim_span(m, e),
                n == 1 ? "%u of the %u branches of `%s` repeats an earlier one"
                       : "%u of the %u branches of `%s` repeat earlier ones",
                n, nth, lint_prim(l, e));
    for (u32 i = 0; i < n && i < MOST_SHOWN; i++) {
        if (i == 0 || shown[i].earlier_jaxpr != shown[i - 1].earlier_jaxpr)
            lint_note(l, (struct span){m->jaxprs.at[shown[i].earlier_jaxpr].offset, 1}, "branch %u is here",
                      shown[i].earlier);
        lint_note(l, (struct span){m->jaxprs.at[shown[i].branch].offset, 1}, "branch %u is equal to branch %u",
                  shown[i].number, shown[i].earlier);
    }
    lint_hint(l, n + 1 == nth ? "all branches are equal: call one without a condition" : "merge the equal branches",
              false);
}

static bool
is_branching(struct lint *l, eqn_t e)
{
    const struct prim *row = lint_prim_of(l, e)->row;
    return row && (row->is.control == CONTROL_COND || row->is.control == CONTROL_SWITCH);
}

/* reports a program that is printed repeatedly: a shared program is printed once, after a `let`, and has one jaxpr */
static void
compare_written(struct lint *l, struct memo *seen, jaxpr_t j)
{
    const struct module *m = l->m;
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    if (jaxpr->n_eqns < l->plan->number[SET_twin_equations] || jaxpr->parent == NONE ||
        l->numbers.jaxpr_leaders[j] == NONE ||
        l->facts.loops[j] & LOOP_PASTED) /* a program pasted into a value shares nothing with its context */
        return;
    u64 before = memo_get(seen, l->numbers.jaxpr_leaders[j]);
    if (!before) {
        memo_set(m->mem, seen, l->numbers.jaxpr_leaders[j], j + 1ull);
        return;
    }
    const struct jaxpr *earlier_jaxpr = &m->jaxprs.at[before - 1];
    if (earlier_jaxpr->parent == jaxpr->parent)
        return;
    l->jaxpr = j;
    lint_report(l, NONE, (struct span){jaxpr->offset, 1}, "this program of %u equations is equal to an earlier one",
                jaxpr->n_eqns);
    lint_note(l, (struct span){earlier_jaxpr->offset, 1}, "the earlier program is here");
}

void
lint_P305(struct lint *l, u32 program)
{
    struct module *m = l->m;
    struct memo seen = {0};
    (void)program;
    lint_number_values(l);
    for (u32 i = 0; i < l->n; i++) { /* in the order of the text within one jaxpr */
        jaxpr_t j = l->facts.order.at[l->first + i];
        l->jaxpr = j;
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
            if (l->facts.holds[e] && is_branching(l, e))
                compare_branches(l, e);
        compare_written(l, &seen, j);
    }
    memo_free(m->mem, &seen);
}

/* ---- P306 ---- */

enum { LEAST_PERIOD = 3, MOST_PERIOD = 512 };

/* The equations of one jaxpr as numbers. */
struct blocks {
    struct lint *l;
    VEC(eqn_t) eqns;
    VEC(u64) tokens; /* by index: a hash of the equation without names, numbers and literals */
    u32 *place;      /* by variable bound in the jaxpr: the index of its equation */
};

/* mixes the bytes of a text into a hash, without digits, in which slices of an unrolled loop differ */
static u64
mix_shape(u64 h, struct slice s)
{
    u64 word = 7;
    for (size_t i = 0; i < s.n; i++)
        word = is_digit(s.at[i]) ? word : word * 31 + (u8)s.at[i];
    return hash_number(h, word);
}

static u64
token_of(struct lint *l, eqn_t e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    u64 h = hash_number((u64)eqn->prim << 32 | eqn->n_vars, eqn->n_atoms);
    for (u32 i = 0; i < eqn->n_atoms; i++)
        h = hash_number(hash_number(h, atom_kind(m->atoms.at[eqn->atoms + i])),
                        lint_atom_type(l, m->atoms.at[eqn->atoms + i]));
    for (u32 i = 0; i < eqn->n_vars; i++)
        h = hash_number(h, m->vars.at[eqn->vars + i].type);
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        jaxpr_t j = jaxpr_in_param(m, param);
        if (param->kind == PARAM_TEXT)
            h = mix_shape(hash_number(h, param->key), param_bytes(m, param));
        else if (j != NONE)
            h = hash_number(h, l->numbers.shapes[j]);
    }
    return h;
}

/* the index of the equation that binds an operand; NONE if no equation of the jaxpr does */
static u32
place_of(const struct blocks *b, atom_t a)
{
    if (atom_kind(a) != ATOM_VAR || b->l->facts.producer[atom_id(a)] == NONE)
        return NONE;
    return b->place[atom_id(a)];
}

/* true if the operands of the equations at i and i - period correspond: both bound at the same distance, or both
 * before `start`. Sets *carried if one is bound in an earlier block */
static bool
reads_alike(const struct blocks *b, u32 i, u32 period, u32 start, bool *carried)
{
    const struct module *m = b->l->m;
    const struct eqn *x = &m->eqns.at[b->eqns.at[i]], *y = &m->eqns.at[b->eqns.at[i - period]];
    for (u32 k = 0; k < x->n_atoms; k++) {
        atom_t p = m->atoms.at[x->atoms + k], q = m->atoms.at[y->atoms + k];
        u32 at = place_of(b, p), to = place_of(b, q);
        bool outside = at == NONE || at < start, before = to == NONE || to < start;
        if (outside && before)
            continue;
        u32 block = i - (i - start) % period; /* the start of the block of i */
        /* the first block reads the carried value from outside */
        bool first = before && !outside && block == start + period && at < block;
        if (!first && (outside || before || at - to != period))
            return false;
        *carried |= at < block;
    }
    return true;
}

/* how many equations from `start` on repeat with a period, in whole blocks; 0 if there are too few */
static u32
run_length(const struct blocks *b, u32 start, u32 period, u32 *failed)
{
    bool carried = false;
    u32 n = b->eqns.n, i = start + period;
    while (i < n && b->tokens.at[i] == b->tokens.at[i - period] && reads_alike(b, i, period, start, &carried))
        i++;
    *failed = i;
    u32 blocks = (i - start) / period;
    return carried && blocks >= b->l->plan->number[SET_unrolled_blocks] ? blocks * period : 0;
}

static void
report_unrolled(const struct blocks *b, u32 start, u32 period, u32 length)
{
    struct lint *l = b->l;
    eqn_t e = b->eqns.at[start];
    struct span at = l->m->eqns.at[e].n_vars ? eqn_result_span(l->m, e, 0) : eqn_prim_span(l->m, e);
    lint_report(l, e, at, "a loop was unrolled: %u blocks of %u equations, each like the one before", length / period,
                period);
    eqn_t second = b->eqns.at[start + period];
    at = l->m->eqns.at[second].n_vars ? eqn_result_span(l->m, second, 0) : eqn_prim_span(l->m, second);
    lint_note(l, at, "the second begins here");
}

static void
find_unrolled(struct blocks *b)
{
    struct memo last = {0}; /* a token: its last position, plus one */
    u32 failed[MOST_PERIOD + 1] = {0};
    for (u32 i = 0; i < b->eqns.n; i++) {
        u32 key = (u32)(b->tokens.at[i] >> 32) & 0x7fffffff;
        u64 before = memo_get(&last, key);
        memo_set(b->l->m->mem, &last, key, i + 1ull);
        u32 period = before ? i - (u32)(before - 1) : 0;
        if (period < LEAST_PERIOD || period > MOST_PERIOD || failed[period] > i)
            continue;
        u32 length = run_length(b, i - period, period, &failed[period]);
        if (length == 0)
            continue;
        report_unrolled(b, i - period, period, length);
        i = i - period + length - 1;
        memo_free(b->l->m->mem, &last);
    }
    memo_free(b->l->m->mem, &last);
}

void
lint_P306(struct lint *l, u32 j)
{
    struct module *m = l->m;
    struct blocks b = {.l = l};
    lint_number_values(l);
    if (m->jaxprs.at[j].n_eqns < LEAST_PERIOD * l->plan->number[SET_unrolled_blocks])
        return;
    b.place = l->numbers.places;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            b.place[m->eqns.at[e].vars + i] = b.eqns.n;
        *vec_push(m->mem, &b.eqns) = e;
        *vec_push(m->mem, &b.tokens) = token_of(l, e);
    }
    find_unrolled(&b);
    vec_free(m->mem, &b.eqns);
    vec_free(m->mem, &b.tokens);
}
