/* SPDX-License-Identifier: Apache-2.0
 *
 * Which programs an equation runs, and how often. A column of a primitive's row says how its programs run; without
 * one, a program runs once if the row gives its parameter the role of a program, or if the primitive is unknown.
 * Linear in the parameters of the equation. */
#include "cost/costing.h"

#include "base/value.h"
#include "ir/reach.h"

/* ---- how often ---- */

/* sets *out to the unknown trip count of the equation: a symbol of its own */
static void
open_trips(const struct op_view *q, struct amount *out)
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
times_length(const struct op_view *q, struct amount *out)
{
    static const char *const keys[] = {"length", "nsteps"};
    struct slice text;
    i64 length;
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

/* sets *out to the value of an operand that is an integer literal or a variable; false for others */
static bool
size_operand(const struct op_view *q, u32 i, struct amount *out)
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

/* the trip count of a loop whose operands are lower bound, upper bound and step */
static void
times_range(const struct op_view *q, struct amount *out)
{
    struct costing *c = q->c;
    struct amount lower, step;
    double n, by;
    region_map_read(c->m, q->e, &c->map);
    u32 at = c->map.kind == REGION_LOOP && c->map.system == SYSTEM_CATALYST ? c->map.index : 0;
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

static void
times_grid(const struct op_view *q, struct amount *out)
{
    struct slice text, grid;
    i64 at[COST_RANK];
    u32 n;
    if (!cost_text(q, "grid_mapping", &text) || !value_field(text, "grid", &grid) ||
        !value_ints(grid, at, COST_RANK, &n)) {
        open_trips(q, out);
        return;
    }
    amount_set(out, 1);
    for (u32 i = 0; i < n; i++)
        amount_scale(out, (double)at[i]);
}

/* select_and_scatter: one comparison fewer than the elements of a window, for each element of the source */
static bool
windows_of_source(const struct op_view *q, struct amount *out)
{
    struct amount sources, elements;
    if (!count_sources(q, &sources) || !count_operand(q, &elements) || !cost_operand_elements(q, 1, out))
        return false;
    double all, each;
    if (!amount_number(&sources, &all) || !amount_number(&elements, &each) || each <= 0)
        return false;
    amount_scale(out, all / each - 1);
    return true;
}

void
cost_times(const struct op_view *q, const struct site *site, struct amount *out)
{
    bool known = true;
    amount_set(out, 1);
    switch ((enum prim_run)site->run) {
    case RUN_ONCE:
    case RUN_BRANCHES:
        break;
    case RUN_LENGTH:
        times_length(q, out);
        break;
    case RUN_TRIPS:
        known = false;
        break;
    case RUN_TESTS:
        open_trips(q, out);
        out->constant += 1;
        break;
    case RUN_RANGE:
        times_range(q, out);
        break;
    case RUN_GRID:
        times_grid(q, out);
        break;
    case RUN_SOLVE: /* of matvec, vecmat, solve and transposed solve, only the third runs */
        amount_set(out, site->nth == 2);
        break;
    case RUN_REDUCTIONS:
        known = count_reduced(q, out);
        break;
    case RUN_WINDOWS:
        known = count_windows(q, out);
        break;
    case RUN_WINDOWS_OF_SOURCE:
        known = windows_of_source(q, out);
        break;
    case RUN_SOURCE:
        known = count_stored(q, out);
        break;
    case RUN_UPDATES:
        known = count_updates(q, out);
        break;
    }
    if (!known)
        open_trips(q, out);
}

/* ---- which programs ---- */

/* how the programs of a parameter run; false if they do not run */
static bool
run_of(const struct prim *row, struct slice key, u8 *run)
{
    struct prim_param param;
    u32 nth = 0;
    *run = RUN_ONCE;
    for (const char *at = row->params; prim_param_next(&at, &param);) {
        bool program = slice_starts(param.role, SLICE("JAXPR"));
        if (program && nth < countof(row->is.runs) && row->is.runs[nth])
            *run = row->is.runs[nth];
        nth += program;
        if (slice_eq(param.key, key)) /* primitives.def treats differentiation rules etc. as objects */
            return !slice_eq(param.role, SLICE("OBJECT"));
    }
    *run = RUN_ONCE;
    return true;
}

void
cost_sites(struct costing *c, eqn_t e)
{
    const struct module *m = c->m;
    struct nested h = nested_start(m, e);
    const struct prim *row = prims_find(&c->prims, m, m->eqns.at[e].prim);
    struct name_buffer buffer;
    param_t of = NONE;
    u32 nth = 0;
    u8 run = RUN_ONCE;
    bool runs_at_all = true;
    c->sites.n = 0;
    for (jaxpr_t j; (j = nested_next(m, &h)) != NONE; nth++) {
        if (h.param != of) {
            of = h.param;
            nth = 0;
            run = RUN_ONCE;
            if (row && m->params.at[of].key != NONE)
                runs_at_all = run_of(row, module_name(m, m->params.at[of].key, &buffer), &run);
        }
        if (runs_at_all)
            *vec_push(m->mem, &c->sites) = (struct site){j, run, nth};
    }
}
