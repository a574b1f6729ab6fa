/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: equations that pass their operands to one program and return its results (jax/_src/core.py _check_call and
 * _check_closed_call, pjit.py _pjit_typecheck). JAX compares operands with binders only for some of them; for the
 * others (remat, custom_jvp_call, ..) it only uses the program's results, so that a mismatch there is a stricter
 * finding. Linear in operands and results. */
#include "verify/memory_space.h"
#include "verify/mesh.h"
#include "verify/call_check.h"
#include "verify/ref_alias.h"

static const char *const call_keys[] = {"jaxpr",  "call_jaxpr", "fun_jaxpr",   "fwd_jaxpr",
                                        "callee", "call",       "inner_jaxpr", NULL};

/* warns of a spec with more entries than its array has axes, which JAX rejects when it compiles the program */
static void
warn_shardings(struct rule *r, bool in, struct slice text)
{
    const char *key = in ? "in_shardings" : "out_shardings";
    struct slice sharding, spec;
    struct cursor c = cursor_inside(value_trim(text));
    for (u32 i = 0, n; i < (in ? r->n : r->n_results) && value_element(&c, &sharding); i++) {
        struct aval binder = in ? r->in[i] : rule_binder(r, i);
        if (!binder.ranked || binder.kind != AVAL_ARRAY || !value_field(sharding, "spec", &spec))
            continue;
        n = spec_entries(spec);
        if (n <= binder.rank)
            continue;
        const char *name = in ? format_operand(r, i) : format_result(r, i);
        rule_warning(r, DIAG_T009, at_slice(r, key, spec), "the spec of `%s` in `%s` of `%s` has %s, but `%s` is %s",
                     name, key, format_prim(r), format_count(r, n, "entry", "entries"), name, format_aval(r, &binder));
        (in ? rule_note_operand : rule_note_result)(r, i);
        return;
    }
}

/* checks that there is one sharding for each operand and result. As this runs for every call, parameters that are not
 * tuples are skipped before their keys are compared */
static bool
shardings_count(struct rule *r)
{
    struct name_buffer buffer;
    u32 n;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        const struct param *param = &r->m->params.at[p];
        struct slice text = param->kind == PARAM_TEXT ? param_bytes(r->m, param) : SLICE("");
        if (likely(text.n < 2 || *text.at != '(' || param->key == NONE))
            continue;
        struct slice key = module_name(r->m, param->key, &buffer);
        bool in = slice_eq(key, SLICE("in_shardings"));
        if ((!in && !slice_eq(key, SLICE("out_shardings"))) || !value_count(value_trim(text), &n))
            continue;
        if (!bind_entries(r, STRICTER, in ? "in_shardings" : "out_shardings", n, in ? r->n : r->n_results,
                          in ? "operand" : "result"))
            return false;
        warn_shardings(r, in, text);
    }
    return true;
}

static bool
call(struct rule *r, enum strictness by)
{
    const char *key = NULL;
    jaxpr_t j = first_jaxpr(r, call_keys, &key);
    if (j == NONE)
        return rule_trust_program(r);
    r->several = true;
    bool counted = bind_count(r, by, j, r->n, key);
    bool right = counted && bind_operands(r, by, j, jaxpr_consts(r, j), 0, r->n);
    if (!counted && jaxpr_outs(r, j) != r->n_results)
        return false; /* it is another program */
    right = bind_outs(r, j, key) && right;
    if (!counted || !shardings_count(r) || !right || !refs_distinct(r, 0))
        return false;
    /* PennyLane's copy of the primitive still prints the flags after operands were removed */
    return !slice_eq(prim_role(r->prim, SLICE("donated_invars")), SLICE("FLAGS")) ||
           flags_count(r, "donated_invars", r->n, STRICTER);
}

bool
shape_call(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return call(r, AS_JAX);
}

/* checks that there are as many operands as `num_consts` counts, or more */
static bool
consts_passed(struct rule *r)
{
    u32 consts;
    if (!param_count(r, "num_consts", &consts) || consts <= r->n)
        return !r->failed;
    return rule_stricter(r, DIAG_T018, at_param(r, "num_consts"), "`num_consts` of `%s` is %u, but the equation has %s",
                         format_prim(r), consts, format_count(r, r->n, "operand", "operands"));
}

bool
shape_uncompared_call(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return consts_passed(r) && call(r, STRICTER) && flags_count(r, "prevent_cse", r->n, STRICTER);
}

/* custom_transpose_call: the types of results are also listed (jax/_src/custom_transpose.py). JAX 0.4.21 and earlier
 * print no program */
bool
shape_transposed_call(struct rule *r, struct aval *out)
{
    return (rule_param(r, "call_jaxpr") == NONE || shape_uncompared_call(r, out)) && shape_listed(r, out);
}

/* composite: StableHLO requires names such as `my.name` */
bool
shape_composite(struct rule *r, struct aval *out)
{
    struct slice name;
    if (param_text(r, "name", &name) && !memchr(name.at, '.', name.n))
        rule_warning(r, DIAG_T010, at_param(r, "name"),
                     "`%s` can be compiled only if its `name` has a namespace, as in `my.name`", format_prim(r));
    return shape_uncompared_call(r, out);
}

/* compute_on: a memory space for each result */
bool
shape_compute_on(struct rule *r, struct aval *out)
{
    struct slice text;
    u32 spaces;
    if (!shape_uncompared_call(r, out) || !param_text(r, "out_memory_spaces", &text) || !value_count(text, &spaces))
        return !r->failed;
    return bind_entries(r, AS_JAX, "out_memory_spaces", spaces, r->n_results, "result");
}

/* the results are the program's; operands are only counted, as JAX checks neither their types nor their number */
bool
shape_program_results(struct rule *r, struct aval *out)
{
    const char *key = NULL;
    jaxpr_t j = first_jaxpr(r, call_keys, &key);
    *out = aval_unknown();
    return j == NONE ? rule_trust_program(r) : consts_passed(r) && bind_outs(r, j, key);
}

/* remat_opt: the results are the program's; JAX compares the operands with the program's arguments when it compiles
 * it */
bool
shape_remat_opt(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "fwd_jaxpr");
    if (!shape_program_results(r, out) || j == NONE)
        return !r->failed;
    if (!bind_count(r, STRICTER, j, r->n, "fwd_jaxpr"))
        return false;
    for (u32 i = 0; i < r->n; i++) {
        struct aval binder = jaxpr_in_aval(r, j, i);
        if (avals_agree(&binder, &r->in[i]) != NO)
            continue;
        u32 k = jaxpr_consts(r, j) + i;
        rule_warning(r, DIAG_T012, at_operand(i), "`%s` passes `%s`, which is %s, to `%s`, which is %s", format_prim(r),
                     format_operand(r, i), format_aval(r, &r->in[i]), format_binder(r, j, k), format_aval(r, &binder));
        rule_note_binder(r, j, k);
        rule_note_operand(r, i);
        return true;
    }
    return true;
}

/* linear_call: constants of the callee, constants of its transpose (up to 0.5), residuals and operands; the callee does
 * not take the constants of its transpose (jax/_src/custom_derivatives.py) */
bool
shape_linear_call(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "callee");
    u32 consts = 0, residuals = 0, transposed = 0;
    *out = aval_unknown();
    if (j == NONE)
        return rule_trust_program(r);
    if (!bind_outs(r, j, "callee"))
        return false;
    param_count(r, "num_callee_consts", &consts);
    param_count(r, "num_res", &residuals);
    param_count(r, "num_transpose_consts", &transposed);
    if (r->failed)
        return false;
    const char *key = consts > r->n ? "num_callee_consts" : "num_res";
    if (consts + residuals + transposed > r->n)
        return rule_stricter(r, DIAG_T018, at_param(r, key),
                             "`%s` has %s, fewer than the %u that num_callee_consts=%u%s and num_res=%u require",
                             format_prim(r), format_count(r, r->n, "operand", "operands"),
                             consts + residuals + transposed, consts,
                             transposed ? format_text(r, ", num_transpose_consts=%u", transposed) : "", residuals);
    struct region_map map;
    return bind_count(r, STRICTER, j, r->n - transposed, "callee") && rule_regions(r, &map) &&
           bind_region(r, STRICTER, &map.regions.at[0]);
}

/* CustomRoot: the constants of solve and the initial guess are passed to its program; then come the constants of the
 * function and of the tangent solver, whose programs are not printed (jax/_src/lax/control_flow/solves.py) */
bool
shape_custom_root(struct rule *r, struct aval *out)
{
    jaxpr_t solve = rule_jaxpr(r, "solve_jaxpr");
    *out = aval_unknown();
    if (solve == NONE)
        return rule_trust_param(r, at_param(r, "solve_jaxpr"), "solve_jaxpr");
    struct region_map map;
    if (!rule_regions(r, &map))
        return bind_count(r, AS_JAX, solve, r->n, "solve_jaxpr");
    return bind_region(r, AS_JAX, &map.regions.at[0]) && bind_outs(r, solve, "solve_jaxpr");
}

/* ---- custom_linear_solve ---- */

/* checks that result i of a program of custom_linear_solve has the type of operand first + i, a part of the right-hand
 * side */
static bool
solves(struct rule *r, jaxpr_t j, const char *key, u32 i, u32 first)
{
    const struct aval *side = &r->in[first + i];
    if (i >= jaxpr_outs(r, j))
        return rule_stricter(r, DIAG_T012, at_part(r, j, true, i),
                             "`%s` of `%s` must return %s, one for each array of the right-hand side, but returns %u",
                             key, format_prim(r), format_count(r, r->n - first, "value", "values"), jaxpr_outs(r, j)) ||
               rule_note_operand(r, first + i);
    struct aval gives = jaxpr_out_aval(r, j, i);
    if (avals_agree(&gives, side) != NO)
        return true;
    rule_stricter(r, DIAG_T012, at_out(j, i),
                  "`%s` of `%s` returns `%s`, which is %s, but must return %s, the type of `%s`", key, format_prim(r),
                  format_out(r, j, i), format_aval(r, &gives), format_aval(r, side), format_operand(r, first + i));
    return rule_note_operand(r, first + i);
}

/* checks that a program takes its constants and the right-hand side, and returns values of the types of the latter,
 * `sides` of them; `first`: the operand with which the right-hand side begins */
static bool
solve_program_fits(struct rule *r, const struct region *in, const char *key, u32 sides, u32 first)
{
    for (u32 i = 0; i < sides; i++)
        if (!solves(r, in->jaxpr, key, i, first))
            return false;
    return bind_count(r, STRICTER, in->jaxpr, in->n_consts + sides, key) && bind_region(r, STRICTER, in);
}

/* reports the first of `const_lengths` that exceeds the number of operands left for it */
static bool
too_few_constants(struct rule *r)
{
    struct slice lengths, entry;
    i64 left = r->n, length = 0;
    for (u32 i = 0; param_text(r, "const_lengths", &lengths) && i < SOLVE_PROGRAMS; i++, left -= length) {
        struct cursor c = cursor_of(value_field(lengths, solve_programs[i], &entry) ? entry : SLICE(""));
        if (!value_int(&c, &length) || length <= left)
            continue;
        const char *has =
            left == r->n
                ? format_text(r, "`%s` has %s", format_prim(r), format_count(r, r->n, "operand", "operands"))
                : format_text(r, "only %lld of the %u operands of `%s` %s left after the constants of `%s`",
                              (long long)left, r->n, format_prim(r), left == 1 ? "is" : "are", solve_programs[i - 1]);
        return rule_stricter(r, DIAG_T018, at_slice(r, "const_lengths", entry),
                             "`%s` of `const_lengths` is %lld, but %s", solve_programs[i], (long long)length, has);
    }
    return true;
}

/* operands are the constants of four programs, then the right-hand side; results have the types of the right-hand side,
 * and are followed by auxiliary results (jax/_src/lax/control_flow/solves.py) */
bool
shape_linear_solve(struct rule *r, struct aval *out)
{
    struct region_map map;
    param_t programs = rule_param(r, "jaxprs");
    struct slice lengths;
    *out = aval_unknown();
    bool bare = programs != NONE && r->m->params.at[programs].kind == PARAM_TUPLE;
    if (bare || (param_text(r, "const_lengths", &lengths) && lengths.n && strchr("([", *lengths.at))) {
        const char *key = bare ? "jaxprs" : "const_lengths";
        return rule_error(r, DIAG_T010, at_param(r, key),
                          "`%s` of `%s` is a bare tuple, not `_LinearSolveTuple(matvec=.., vecmat=.., solve=.., "
                          "transpose_solve=..)`",
                          key, format_prim(r));
    }
    if (!rule_regions(r, &map))
        return rule_trust_layout(r);
    if (map.regions.n == 0)
        return too_few_constants(r);
    const struct region *in = map.regions.at;
    jaxpr_t solve = in[SOLVE_SOLVE].jaxpr, matvec = in[SOLVE_MATVEC].jaxpr;
    u32 total = in[map.regions.n - 1].consts + in[map.regions.n - 1].n_consts, sides = r->n - total;
    if (solve == NONE || matvec == NONE)
        return rule_trust_param(r, at_param(r, "jaxprs"), "jaxprs");
    u32 aux = jaxpr_outs(r, solve) > jaxpr_outs(r, matvec) ? jaxpr_outs(r, solve) - jaxpr_outs(r, matvec) : 0;
    bool right = rule_results(r, sides + aux);
    if (!right)
        rule_note(r, at_param(r, "const_lengths"),
                  "these are %u of %s; the rest are the right-hand side, %s, and %u auxiliary", total,
                  format_count(r, r->n, "operand", "operands"), format_count(r, sides, "result", "results"), aux);
    for (u32 i = 0; right && i < sides; i++)
        right = rule_result(r, i, &r->in[total + i]) && result_beside(r, i, total + i);
    for (u32 i = 0; right && i < aux; i++) {
        u32 k = jaxpr_outs(r, solve) - aux + i;
        struct aval type = jaxpr_out_aval(r, solve, k);
        right = bind_result(r, solve, k, sides + i, &type);
    }
    static const u32 order[] = {SOLVE_SOLVE, SOLVE_MATVEC, SOLVE_VECMAT, SOLVE_TRANSPOSE};
    for (u32 i = 0; right && i < countof(order); i++)
        right =
            in[order[i]].jaxpr == NONE || solve_program_fits(r, &in[order[i]], solve_programs[order[i]], sides, total);
    return right;
}

/* ---- pmap ---- */

/* reads the next entry of `(0, None)`, an axis: -1 for None; false if it cannot be read */
static bool
next_axis(struct cursor *c, i64 *axis)
{
    *axis = -1;
    bool read = value_word(c, "None") || value_int(c, axis);
    value_comma(c);
    return read;
}

/* checks operand i, without its mapped axis, whose extent must be `size`, against its binder (jax/_src/core.py
 * _check_map) */
static bool
bind_mapped(struct rule *r, jaxpr_t j, u32 i, i64 axis, struct dim size)
{
    const struct aval *a = &r->in[i];
    u32 k = jaxpr_consts(r, j) + i;
    if (axis < 0)
        return bind_one(r, AS_JAX, j, k, i, a);
    if (a->kind != AVAL_ARRAY || !a->ranked)
        return true;
    if (axis >= a->rank || dim_equal(&a->dims[axis], &size) == NO) {
        rule_error(r, DIAG_T009, at_operand(i),
                   "`%s` maps axis %lld of `%s`, whose size must be axis_size=%s: it is %s", format_prim(r),
                   (long long)axis, format_operand(r, i), format_dim(r, size), format_aval(r, a));
        return rule_note_operand(r, i);
    }
    struct dim *dims = rule_alloc(r, a->rank * sizeof *dims);
    for (u32 d = 0, to = 0; d < a->rank; d++)
        if (d != axis)
            dims[to++] = a->dims[d];
    struct aval row = aval_reshaped(a, a->rank - 1, dims);
    return bind_one(r, AS_JAX, j, k, i, &row) ||
           rule_note(r, at_item(r, "in_axes", i), "axis %lld of `%s` is mapped", (long long)axis, format_operand(r, i));
}

/* checks that result i is out i of the program with an inserted axis of extent `size` */
static bool
unmapped_result(struct rule *r, jaxpr_t j, u32 i, i64 axis, struct dim size)
{
    struct aval row = jaxpr_out_aval(r, j, i);
    if (axis < 0 || row.kind != AVAL_ARRAY || !row.ranked)
        return bind_result(r, j, i, i, &row);
    if (axis > row.rank)
        return rule_error(r, DIAG_T009, at_param(r, "out_axes"),
                          "`%s` inserts its axis at position %lld of the %s result, which is %s", format_prim(r),
                          (long long)axis, ordinal_of(i).text, format_aval(r, &row));
    struct dim *dims = rule_alloc(r, (row.rank + 1u) * sizeof *dims);
    for (u32 d = 0, from = 0; d <= row.rank; d++)
        dims[d] = d == axis ? size : row.dims[from++];
    struct aval stacked = aval_reshaped(&row, row.rank + 1, dims);
    return bind_result(r, j, i, i, &stacked);
}

bool
shape_pmap(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "call_jaxpr");
    struct slice in_axes, out_axes, text;
    struct dim size = dim_unknown();
    u32 n_in, n_out;
    i64 axis;
    *out = aval_unknown();
    if (j == NONE)
        return rule_trust_program(r);
    if (!param_text(r, "in_axes", &in_axes) || !value_count(in_axes, &n_in))
        return rule_trust_param(r, at_prim(), "in_axes");
    if (param_text(r, "axis_size", &text))
        read_dim(r, text, &size);
    if (!bind_count(r, AS_JAX, j, r->n, "call_jaxpr") || !flags_count(r, "donated_invars", r->n, STRICTER))
        return false;
    if (!bind_entries(r, AS_JAX, "in_axes", n_in, r->n, "operand"))
        return false;
    struct cursor c = cursor_inside(in_axes);
    for (u32 i = 0; i < n_in && next_axis(&c, &axis); i++)
        if (!bind_mapped(r, j, i, axis, size))
            return false;
    if (!param_text(r, "out_axes", &out_axes) || !value_count(out_axes, &n_out))
        return true;
    if (!bind_entries(r, AS_JAX, "out_axes", n_out, jaxpr_outs(r, j), "result"))
        return false;
    if (r->n_results != n_out)
        return bind_outs(r, j, "call_jaxpr");
    c = cursor_inside(out_axes);
    bool right = true;
    for (u32 i = 0; i < n_out && next_axis(&c, &axis); i++)
        right &= unmapped_result(r, j, i, axis, size);
    return right;
}

/* ---- xmap (jax/_src/maps.py, up to 0.4.30) ---- */

/* reads the next entry, `'x': 3`, of `{'x': 3, 'y': 1}`, after the opening bracket; false at the end, or if it cannot
 * be read */
static bool
next_entry(struct cursor *c, struct slice *name, i64 *value)
{
    struct slice element;
    if (!value_element(c, &element))
        return false;
    *name = element;
    while (name->n && name->at[name->n - 1] != ':')
        name->n--;
    struct cursor at = {name->at + name->n, element.at + element.n};
    name->n -= name->n > 0; /* the colon */
    return name->n && value_int(&at, value) && value_done(&at);
}

/* JAX prints `FrozenDict({..})`, the canonical form `{..}` */
static bool
open_entries(struct slice text, struct cursor *c)
{
    *c = cursor_of(text);
    value_word(c, "FrozenDict(");
    return value_word(c, "{");
}

/* What is wrong with a named axis: in words, its name, and, if its size is the reason, the same name in
 * `global_axis_sizes`. */
struct odd_axis {
    const char *why;
    struct slice name, sized;
};

/* marks the positions of named axes among the axes of an array. NO if one is out of range or does not have the size
 * that `sizes` gives its name, described in *odd; MAYBE if the text cannot be read */
static enum truth
named_places(struct rule *r, struct slice places, struct slice sizes, const struct aval *a, u8 *marks,
             struct odd_axis *odd)
{
    struct cursor c, all;
    struct slice name, other;
    i64 place, size;
    if (!open_entries(places, &c))
        return MAYBE;
    while (next_entry(&c, &name, &place)) {
        bool missing = place < 0 || place >= a->rank;
        if (missing || marks[place]) {
            odd->name = name;
            odd->why = format_text(r,
                                   missing ? "gives the name `%s` to axis %lld, which does not exist"
                                           : "gives the name `%s` to axis %lld, which already has a name",
                                   format_slice(r, name), (long long)place);
            return NO;
        }
        marks[place] = 1;
        if (a->dims[place].kind != DIM_INT || !open_entries(sizes, &all))
            continue;
        while (next_entry(&all, &other, &size))
            if (slice_eq(other, name) && a->dims[place].value != size) {
                odd->name = name;
                odd->sized = other;
                odd->why = format_text(r,
                                       "gives the name `%s`, which has size %lld in `global_axis_sizes`, to axis %lld, "
                                       "which has size %lld",
                                       format_slice(r, name), (long long)size, (long long)place,
                                       (long long)a->dims[place].value);
                return NO;
            }
    }
    return value_word(&c, "}") ? YES : MAYBE;
}

/* stores in *inner the array without its named axes, as the nested program takes it; NO if the axes do not fit the
 * array; MAYBE, with *inner unranked, if that is unknown */
static enum truth
without_names(struct rule *r, const struct aval *a, struct slice places, struct slice sizes, struct aval *inner,
              struct odd_axis *odd)
{
    u32 rank = 0;
    *inner = *a;
    inner->type = NONE;
    inner->moved = true; /* it may vary over the named axes */
    inner->ranked = false;
    if (a->kind != AVAL_ARRAY || !a->ranked)
        return MAYBE;
    u8 *marks = rule_alloc(r, a->rank + 1u);
    struct dim *dims = rule_alloc(r, (a->rank + 1u) * sizeof *dims);
    memset(marks, 0, a->rank + 1u);
    enum truth fits = named_places(r, places, sizes, a, marks, odd);
    if (fits != YES)
        return fits;
    for (u32 d = 0; d < a->rank; d++)
        if (!marks[d])
            dims[rank++] = a->dims[d];
    inner->ranked = true;
    inner->dims = dims;
    inner->rank = rank;
    return YES;
}

static bool
note_size(struct rule *r, const struct odd_axis *odd)
{
    return odd->sized.n && rule_note(r, at_slice(r, "global_axis_sizes", odd->sized), "the size of `%s` is set here",
                                     format_slice(r, odd->name));
}

/* checks operand i of an xmap, without its named axes, against its binder */
static bool
bind_named(struct rule *r, jaxpr_t j, u32 i, struct slice places, struct slice sizes)
{
    struct aval inner;
    struct odd_axis odd = {"", {"", 0}, {"", 0}};
    if (without_names(r, &r->in[i], places, sizes, &inner, &odd) == NO)
        return rule_error(r, DIAG_T009, at_slice(r, "in_axes", odd.name), "`in_axes` of `%s` %s: `%s` is %s",
                          format_prim(r), odd.why, format_operand(r, i), format_aval(r, &r->in[i])) ||
               note_size(r, &odd) || rule_note_operand(r, i);
    return r->in[i].kind != AVAL_ARRAY || bind_one(r, AS_JAX, j, jaxpr_consts(r, j) + i, i, &inner);
}

static bool
named_result(struct rule *r, jaxpr_t j, u32 i, struct slice places, struct slice sizes)
{
    struct aval binder = rule_binder(r, i), gives = jaxpr_out_aval(r, j, i), inner;
    struct odd_axis odd = {"", {"", 0}, {"", 0}};
    if (without_names(r, &binder, places, sizes, &inner, &odd) == NO)
        return rule_error(r, DIAG_T009, at_slice(r, "out_axes", odd.name), "`out_axes` of `%s` %s: `%s` is bound as %s",
                          format_prim(r), odd.why, format_result(r, i), format_aval(r, &binder)) ||
               note_size(r, &odd) || rule_note_result(r, i);
    if (binder.kind != AVAL_ARRAY || result_agrees(r, &gives, &inner) != NO)
        return true;
    rule_error(r, DIAG_T003, at_result(i),
               "`%s` is bound as %s, which is %s without the axes of `out_axes`, but the program of `%s` returns %s",
               format_result(r, i), format_aval(r, &binder), format_aval(r, &inner), format_prim(r),
               format_aval(r, &gives));
    rule_note(r, at_item(r, "out_axes", i), "the mapped axes of `%s` are listed here", format_result(r, i));
    return rule_note_out(r, j, i);
}

bool
shape_xmap(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "call_jaxpr");
    struct slice in_axes, out_axes, places, sizes = {"", 0};
    u32 n_in, n_out;
    *out = aval_unknown();
    param_text(r, "global_axis_sizes", &sizes);
    if (j == NONE)
        return rule_trust_program(r);
    if (!param_text(r, "in_axes", &in_axes) || !value_count(in_axes, &n_in))
        return rule_trust_param(r, at_prim(), "in_axes");
    if (!param_text(r, "out_axes", &out_axes) || !value_count(out_axes, &n_out))
        return rule_trust_param(r, at_prim(), "out_axes");
    if (!bind_count(r, AS_JAX, j, r->n, "call_jaxpr"))
        return false;
    if (!bind_entries(r, AS_JAX, "in_axes", n_in, r->n, "operand") ||
        !bind_entries(r, AS_JAX, "out_axes", n_out, jaxpr_outs(r, j), "result"))
        return false;
    struct cursor c = cursor_inside(in_axes);
    for (u32 i = 0; i < n_in && value_element(&c, &places); i++)
        if (!bind_named(r, j, i, places, sizes))
            return false;
    if (r->n_results != n_out)
        return bind_outs(r, j, "call_jaxpr");
    c = cursor_inside(out_axes);
    for (u32 i = 0; i < n_out && value_element(&c, &places); i++)
        if (!named_result(r, j, i, places, sizes))
            return false;
    return true;
}
