/* SPDX-License-Identifier: Apache-2.0
 *
 * Which programs an equation runs, and how often. The table names the primitives that do more than call; a program of
 * any other runs once where its parameter has the role of a program, or the primitive is unknown. Linear in the
 * parameters of the equation. */
#include "cost/costing.h"

#include "base/value.h"
#include "ir/reach.h"

static times_fn times_once, times_length, times_trips, times_tests, times_range, times_solve, times_grid,
    times_reductions, times_windows, times_windows_of_source, times_source, times_updates;

static const struct run {
    const char *names, *keys;
    times_fn *times;
    enum how how;
} runs[] = {
#define RUNS(names, keys, times, how) {names, keys, times_##times, HOW_##how},
#include "costs.def"
#undef RUNS
};

/* ---- how often ---- */

static void
times_once(const struct asked *q, u32 nth, struct amount *out)
{
    (void)q;
    (void)nth;
    amount_set(out, 1);
}

/* how often the equation at hand loops when nobody says: a symbol of its own */
static void
open_trips(const struct asked *q, struct amount *out)
{
    struct costing *c = q->c;
    u64 known = memo_get(&c->trips, q->e);
    if (!known) {
        struct name_buffer buffer;
        known = cost_place_symbol(c, cost_prim(c, q->eqn->prim, &buffer), q->eqn->offset, q->e) + 1ull;
        memo_set(c->m->mem, &c->trips, q->e, known);
    }
    amount_symbol(c->t, out, (u32)known - 1);
}

static void
times_trips(const struct asked *q, u32 nth, struct amount *out)
{
    (void)nth;
    open_trips(q, out);
}

/* the condition is asked once more than the body runs */
static void
times_tests(const struct asked *q, u32 nth, struct amount *out)
{
    (void)nth;
    open_trips(q, out);
    out->constant += 1;
}

static void
times_length(const struct asked *q, u32 nth, struct amount *out)
{
    static const char *const keys[] = {"length", "nsteps"};
    struct slice text;
    i64 length;
    (void)nth;
    for (size_t i = 0; i < countof(keys); i++) {
        if (!cost_text(q, keys[i], &text))
            continue;
        struct cursor c = cursor_of(text);
        if (value_int(&c, &length) && value_done(&c) && length >= 0) {
            amount_set(out, (double)length);
            return;
        }
        name_t name = names_find(&q->c->m->names, text);
        const struct dim dim = {.kind = DIM_EXPR, .text = text};
        const struct dim named = {.kind = DIM_NAME, .text = text, .name = name};
        if (text.n && !slice_eq(text, SLICE("None")) && cost_dim(q->c, q->j, name == NONE ? &dim : &named, out))
            return;
    }
    open_trips(q, out);
}

/* an operand that is a size: a number or a variable */
static bool
size_operand(const struct asked *q, u32 i, struct amount *out)
{
    const struct module *m = q->c->m;
    if (i >= q->eqn->n_atoms)
        return false;
    atom_t a = m->atoms.at[q->eqn->atoms + i];
    if (atom_kind(a) == ATOM_VAR) {
        cost_variable(q->c, q->j, atom_id(a), out);
        return true;
    }
    if (atom_kind(a) != ATOM_LIT)
        return false;
    i64 value;
    if (!cost_literal(m, atom_id(a), &value))
        return false;
    amount_set(out, (double)value);
    return true;
}

/* from lower bound to upper bound by step */
static void
times_range(const struct asked *q, u32 nth, struct amount *out)
{
    struct costing *c = q->c;
    struct amount lower, step;
    double n, by;
    (void)nth;
    layout_read(c->m, q->e, &c->layout);
    u32 at = c->layout.kind == LAYOUT_LOOP && c->layout.system == SYSTEM_CATALYST ? c->layout.index : 0;
    if (at == NONE || !size_operand(q, at, &lower) || !size_operand(q, at + 1, out) ||
        !size_operand(q, at + 2, &step) || !amount_number(&step, &by) || by == 0) {
        open_trips(q, out);
        return;
    }
    amount_add_times(out, &lower, -1);
    if (amount_number(out, &n)) {
        double trips = n / by;
        amount_set(out, trips <= 0 ? 0 : trips > (double)(u64)trips ? (double)(u64)trips + 1 : (double)(u64)trips);
    } else if (by != 1) {
        open_trips(q, out);
    }
}

/* of matvec, vecmat, solve and transposed solve the third alone runs */
static void
times_solve(const struct asked *q, u32 nth, struct amount *out)
{
    (void)q;
    amount_set(out, nth == 2);
}

static void
times_grid(const struct asked *q, u32 nth, struct amount *out)
{
    struct slice text, grid;
    i64 at[COST_RANK];
    u32 n;
    (void)nth;
    if (!cost_text(q, "grid_mapping", &text) || !value_field(text, "grid", &grid) ||
        !value_ints(grid, at, COST_RANK, &n)) {
        open_trips(q, out);
        return;
    }
    amount_set(out, 1);
    for (u32 i = 0; i < n; i++)
        amount_scale(out, (double)at[i]);
}

static void
counted(const struct asked *q, count_fn *count, struct amount *out)
{
    if (!count(q, out))
        open_trips(q, out);
}

static void
times_reductions(const struct asked *q, u32 nth, struct amount *out)
{
    (void)nth;
    counted(q, count_reduced, out);
}

static void
times_windows(const struct asked *q, u32 nth, struct amount *out)
{
    (void)nth;
    counted(q, count_windows, out);
}

/* select_and_scatter: one comparison less than a window has elements, for each element of the source */
static void
times_windows_of_source(const struct asked *q, u32 nth, struct amount *out)
{
    struct amount sources, elements;
    (void)nth;
    if (!count_sources(q, &sources) || !count_operand(q, &elements) || !cost_operand_elements(q, 1, out)) {
        open_trips(q, out);
        return;
    }
    double all, each;
    if (amount_number(&sources, &all) && amount_number(&elements, &each) && each > 0)
        amount_scale(out, all / each - 1);
    else
        open_trips(q, out);
}

static void
times_source(const struct asked *q, u32 nth, struct amount *out)
{
    (void)nth;
    counted(q, count_stored, out);
}

static void
times_updates(const struct asked *q, u32 nth, struct amount *out)
{
    (void)nth;
    counted(q, count_updates, out);
}

/* ---- which ---- */

/* the row of a parameter's programs; *runs_at_all is false where they do not run */
static const struct run *
run_of(struct costing *c, eqn_t e, param_t p, bool *runs_at_all)
{
    const struct module *m = c->m;
    struct name_buffer buffer, key_buffer;
    struct slice key = module_name(m, m->params.at[p].key, &key_buffer);
    struct slice name = cost_prim(c, m->eqns.at[e].prim, &buffer);
    *runs_at_all = true;
    for (size_t i = 0; i < countof(runs); i++)
        if (words_have(runs[i].names, name) && words_have(runs[i].keys, key))
            return &runs[i];
    const struct prim *row = prims_find(&c->prims, m, m->eqns.at[e].prim);
    /* rules of differentiation and the like are text to primitives.def */
    *runs_at_all = !row || !slice_eq(prim_role(row, key), SLICE("TEXT"));
    return NULL;
}

void
cost_sites(struct costing *c, eqn_t e)
{
    struct nested h = nested_start(c->m, e);
    const struct run *run = NULL;
    param_t of = NONE;
    u32 nth = 0;
    bool runs_at_all = true;
    c->sites.n = 0;
    for (jaxpr_t j; (j = nested_next(c->m, &h)) != NONE; nth++) {
        if (h.param != of) {
            of = h.param;
            nth = 0;
            run = c->m->params.at[of].key == NONE ? NULL : run_of(c, e, of, &runs_at_all);
        }
        if (runs_at_all)
            *vec_push(c->m->mem, &c->sites) =
                (struct site){j, run ? run->times : times_once, run ? (u8)run->how : HOW_RUN, nth};
    }
}
