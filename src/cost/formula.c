/* SPDX-License-Identifier: Apache-2.0
 *
 * The units in which rows of primitives.def count operations. A formula reads the types and parameters of one
 * equation, and returns false if it cannot. O(operands and ranks) each. */
#include "cost/costing.h"

#include "base/value.h"

static count_fn *const counts[COUNT_END] = {
#define COST_UNIT(name) [COUNT_##name] = count_##name,
    COST_UNITS(COST_UNIT)
#undef COST_UNIT
};

/* ---- reading ---- */

bool
cost_text(const struct op_view *q, const char *key, struct slice *out)
{
    return eqn_value(q->c->m, q->e, slice_of(key), out);
}

struct slice
cost_prim(struct costing *c, name_t prim, struct name_buffer *buffer)
{
    const struct prim *row = prims_find(&c->prims, c->m, prim);
    return row ? slice_of(row->name) : module_name(c->m, prim, buffer);
}

/* the least n with 2^n >= x; 0 for 0 and 1 */
static u32
log2_up(u64 x)
{
    u32 n = 0;
    while (n < 63 && (u64)1 << n < x)
        n++;
    return n;
}

/* replaces an amount by its logarithm, rounded up or down; by a symbol such as `log2(n)` if it is not a number */
static void
amount_log2(struct costing *c, struct amount *a, bool up)
{
    double value;
    if (amount_number(a, &value)) {
        u32 log = value < 2 ? 0 : log2_up(value > 1e18 ? (u64)1e18 : (u64)value);
        amount_set(a, !up && log && value < (double)((u64)1 << log) ? log - 1 : log);
        return;
    }
    struct amount_kept kept = {0};
    struct sink text;
    sink_init_memory(&text, c->m->mem);
    amount_keep(c->t, &kept, a);
    sink_printf(&text, "log2(");
    amount_write(&text, c->t, &kept);
    sink_char(&text, ')');
    struct slice name = sink_take(&text);
    amount_symbol(c->t, a, amounts_symbol(c->t, name, NONE, name));
}

/* ---- counts ---- */

bool
count_nothing(const struct op_view *q, struct amount *out)
{
    (void)q;
    amount_set(out, 0);
    return true;
}

bool
count_result(const struct op_view *q, struct amount *out)
{
    return cost_result_elements(q, 0, out);
}

bool
count_results(const struct op_view *q, struct amount *out)
{
    struct amount one;
    amount_set(out, 0);
    for (u32 i = 0; i < q->eqn->n_vars; i++) {
        if (!cost_result_elements(q, i, &one))
            return false;
        amount_add(out, &one);
    }
    return true;
}

bool
count_operand(const struct op_view *q, struct amount *out)
{
    return cost_operand_elements(q, 0, out);
}

bool
count_updates(const struct op_view *q, struct amount *out)
{
    return q->eqn->n_atoms > 0 && cost_operand_elements(q, q->eqn->n_atoms - 1, out);
}

bool
count_stored(const struct op_view *q, struct amount *out)
{
    return cost_operand_elements(q, 1, out);
}

bool
count_reduced(const struct op_view *q, struct amount *out)
{
    struct amount result;
    if (!cost_operand_elements(q, 0, out) || !cost_result_elements(q, 0, &result))
        return false;
    amount_add_times(out, &result, -1);
    return true;
}

bool
count_cases(const struct op_view *q, struct amount *out)
{
    bool known = cost_result_elements(q, 0, out);
    amount_scale(out, q->eqn->n_atoms > 2 ? q->eqn->n_atoms - 2 : 0);
    return known;
}

bool
count_words(const struct op_view *q, struct amount *out)
{
    struct amount one;
    amount_set(out, 0);
    for (u32 i = 0; i < q->eqn->n_vars; i++) {
        if (!cost_bytes(q->c, q->j, q->c->m->vars.at[q->eqn->vars + i].type, &one))
            return false;
        amount_add_times(out, &one, 1.0 / 4);
    }
    return true;
}

bool
count_powers(const struct op_view *q, struct amount *out)
{
    struct slice text;
    i64 y;
    if (!cost_result_elements(q, 0, out) || !cost_text(q, "y", &text))
        return false;
    struct cursor c = cursor_of(text);
    if (!value_int(&c, &y))
        return false;
    u64 power = y < 0 ? -(u64)y : (u64)y;
    u32 products = 0;
    for (u64 rest = power; rest > 1; rest >>= 1)
        products += 1 + (u32)(rest & 1);
    amount_scale(out, products + (y < 0));
    return true;
}

/* multiplies by the last extent of operand 0 */
static bool
times_last(const struct op_view *q, struct amount *out)
{
    u32 rank;
    struct amount last;
    const struct dim *dims = cost_operand_dims(q, 0, &rank);
    if (!dims || rank == 0 || !cost_dim(q->c, q->j, &dims[rank - 1], &last))
        return false;
    amount_multiply(q->c->t, out, &last);
    return true;
}

bool
count_rows(const struct op_view *q, struct amount *out)
{
    return cost_result_elements(q, 0, out) && times_last(q, out);
}

bool
count_solved(const struct op_view *q, struct amount *out)
{
    return cost_operand_elements(q, 1, out) && times_last(q, out);
}

/* the contracting axes of operand 0 among dimension numbers `(([1], [0]), ..)` */
static bool
contracting_axes(const struct op_view *q, i64 *axes, u32 *n)
{
    struct slice text, group, side;
    if (cost_text(q, "ragged_dot_dimension_numbers", &text)) {
        if (!value_field(text, "dot_dimension_numbers", &text))
            return false;
    } else if (!cost_text(q, "dimension_numbers", &text)) {
        return false;
    }
    struct cursor c = cursor_of(text);
    if (!value_open(&c) || !value_element(&c, &group))
        return false;
    c = cursor_of(group);
    return value_open(&c) && value_element(&c, &side) && value_ints(side, axes, COST_RANK, n);
}

bool
count_dots(const struct op_view *q, struct amount *out)
{
    i64 axes[COST_RANK];
    u32 rank, n;
    struct amount extent;
    const struct dim *dims = cost_operand_dims(q, 0, &rank);
    if (!dims || !contracting_axes(q, axes, &n) || !cost_result_elements(q, 0, out))
        return false;
    for (u32 i = 0; i < n; i++) {
        if (axes[i] < 0 || axes[i] >= rank || !cost_dim(q->c, q->j, &dims[axes[i]], &extent))
            return false;
        amount_multiply(q->c->t, out, &extent);
    }
    return true;
}

bool
count_butterflies(const struct op_view *q, struct amount *out)
{
    struct slice lengths, length;
    if (!cost_text(q, "fft_lengths", &lengths) || !cost_operand_elements(q, 0, out))
        return false;
    struct amount logs, log;
    amount_set(&logs, 0);
    struct cursor c = cursor_of(lengths);
    if (!value_open(&c))
        return false;
    while (!value_close(&c)) {
        i64 n;
        if (!value_element(&c, &length))
            return false;
        struct cursor number = cursor_of(length);
        struct slice name = value_trim(length);
        if (value_int(&number, &n) && value_done(&number))
            amount_set(&log, (double)n);
        else if (!cost_dim(q->c, q->j,
                           &(struct dim){.kind = DIM_NAME, .text = name, .name = names_find(&q->c->m->names, name)},
                           &log))
            return false;
        amount_log2(q->c, &log, false);
        amount_add(&logs, &log);
    }
    amount_multiply(q->c->t, out, &logs);
    return true;
}

bool
count_sorted(const struct op_view *q, struct amount *out)
{
    u32 rank;
    const struct dim *dims = cost_operand_dims(q, 0, &rank);
    i64 axis = eqn_int(q->c->m, q->e, SLICE("dimension"), -1);
    struct amount extent;
    if (!dims || rank == 0 || axis >= rank || !cost_operand_elements(q, 0, out) ||
        !cost_dim(q->c, q->j, &dims[axis < 0 ? rank - 1 : axis], &extent))
        return false;
    amount_log2(q->c, &extent, true);
    amount_multiply(q->c->t, out, &extent);
    return true;
}

bool
count_ranked(const struct op_view *q, struct amount *out)
{
    i64 k = eqn_int(q->c->m, q->e, SLICE("k"), -1);
    if (k < 0 || !cost_operand_elements(q, 0, out))
        return false;
    amount_scale(out, k < 2 ? 1 : log2_up((u64)k));
    return true;
}

/* the batch size and the last two extents of operand 0; n is the smaller one if both are known */
static bool
matrices(const struct op_view *q, struct amount *batches, struct amount *m, struct amount *n)
{
    u32 rank;
    double a, b;
    struct amount extent;
    const struct dim *dims = cost_operand_dims(q, 0, &rank);
    if (!dims || rank < 2 || !cost_dim(q->c, q->j, &dims[rank - 2], m) || !cost_dim(q->c, q->j, &dims[rank - 1], n))
        return false;
    amount_set(batches, 1);
    for (u32 i = 0; i + 2 < rank; i++) {
        if (!cost_dim(q->c, q->j, &dims[i], &extent))
            return false;
        amount_multiply(q->c->t, batches, &extent);
    }
    if (amount_number(m, &a) && amount_number(n, &b) && a < b) {
        amount_set(m, b);
        amount_set(n, a);
    }
    return true;
}

bool
count_mnk(const struct op_view *q, struct amount *out)
{
    struct amount m, n;
    if (!matrices(q, out, &m, &n))
        return false;
    amount_multiply(q->c->t, out, &m);
    amount_multiply(q->c->t, out, &n);
    amount_multiply(q->c->t, out, &n);
    return true;
}

bool
count_kkk(const struct op_view *q, struct amount *out)
{
    struct amount m, n;
    if (!matrices(q, out, &m, &n))
        return false;
    for (u32 i = 0; i < 3; i++)
        amount_multiply(q->c->t, out, &n);
    return true;
}

/* ---- one equation ---- */

/* adds the bytes of operands [first, last) */
static bool
add_operands(const struct op_view *q, u32 first, u32 last, struct amount *to)
{
    bool known = true;
    struct amount one;
    for (u32 i = first; i < last && i < q->eqn->n_atoms; i++) {
        known &= cost_operand_bytes(q, i, &one);
        amount_add(to, &one);
    }
    return known;
}

static bool
add_results(const struct op_view *q, struct amount *to)
{
    bool known = true;
    struct amount one;
    for (u32 i = 0; i < q->eqn->n_vars; i++) {
        known &= cost_bytes(q->c, q->j, q->c->m->vars.at[q->eqn->vars + i].type, &one);
        amount_add(to, &one);
    }
    return known;
}

/* adds the bytes of the elements that operand i replaces or changes */
static bool
add_stored(const struct op_view *q, u32 i, struct amount *to)
{
    struct amount one;
    bool known = cost_stored_bytes(q, i, &one);
    amount_add(to, &one);
    return known;
}

/* adds the bytes moved; false if a size is unknown */
static bool
move(const struct op_view *q, enum traffic traffic, struct amount *read, struct amount *written)
{
    u32 n = q->eqn->n_atoms;
    bool known = true;
    switch (traffic) {
    case TRAFFIC_NONE:
        break;
    case TRAFFIC_SLICED:
    case TRAFFIC_LOADED:
        known = add_results(q, read);
        known &= add_results(q, written);
        break;
    case TRAFFIC_PICKED:
        known = add_results(q, read);
        known &= add_operands(q, 1, n, read);
        known &= add_results(q, written);
        break;
    case TRAFFIC_PLACED:
        known = add_operands(q, 1, n, read);
        known &= add_stored(q, 1, written);
        break;
    case TRAFFIC_SCATTERED:
        known = add_operands(q, 1, 3, read);
        known &= add_stored(q, 2, read);
        known &= add_stored(q, 2, written);
        break;
    case TRAFFIC_SWAPPED:
        known = add_operands(q, 1, 2, read);
        known &= add_results(q, read);
        known &= add_stored(q, 1, written);
        known &= add_results(q, written);
        break;
    case TRAFFIC_ADDED:
        known = add_operands(q, 1, 2, read);
        known &= add_stored(q, 1, read);
        known &= add_stored(q, 1, written);
        break;
    default:
        known = add_operands(q, 0, n, read);
        known &= add_results(q, written);
    }
    return known;
}

void
cost_equation(struct costing *c, jaxpr_t j, eqn_t e, struct eqn_cost *out)
{
    const struct op_view q = {c, j, e, &c->m->eqns.at[e]};
    const struct prim *row = prims_find(&c->prims, c->m, q.eqn->prim);
    struct amount count;
    amount_set(&out->flops, 0);
    amount_set(&out->transcendentals, 0);
    amount_set(&out->read, 0);
    amount_set(&out->written, 0);
    out->unknown = q.eqn->form == EQN_DAMAGED || q.eqn->form == EQN_ELLIPSIS;
    if (out->unknown)
        return;
    if (!row || !row->is.cost[0].unit) { /* unknown: the programs it runs are counted */
        out->unknown = true;
        if (c->sites.n == 0)
            move(&q, TRAFFIC_ALL, &out->read, &out->written);
        return;
    }
    out->unknown = !move(&q, (enum traffic)row->is.traffic, &out->read, &out->written);
    for (u32 i = 0; i < countof(row->is.cost) && row->is.cost[i].unit; i++) {
        const struct prim_cost *cost = &row->is.cost[i];
        if (!counts[cost->unit](&q, &count)) {
            out->unknown = true;
            continue;
        }
        amount_add_times(&out->flops, &count, cost->flops / 3.0);
        amount_add_times(&out->transcendentals, &count, cost->transcendentals);
    }
}
