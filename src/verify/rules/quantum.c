/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantum instructions, measurements and derivatives of Catalyst (catalyst/jax_primitives.py, 0.8 to 0.15) and of
 * PennyLane. Registers, qubits and observables are Python objects, whose class is printed; an instruction takes and
 * returns them in a fixed order, which is a string of letters here. Linear in operands and results. */
#include "verify/axes.h"
#include "verify/call_check.h"

/* The kind of an operand or result: R a register, Q a qubit, O an observable, a any array, f f64[], b bool[], i an
 * integer. */
static struct slice
class_of(char kind)
{
    return kind == 'R' ? SLICE("AbstractQreg") : kind == 'Q' ? SLICE("AbstractQbit") : SLICE("AbstractObs");
}

static const char *
format_kind(char kind)
{
    return kind == 'R' ? "a register" : kind == 'Q' ? "a qubit" : kind == 'O' ? "an observable" : "an array";
}

static bool
is_class(const struct rule *r, const struct aval *a, char kind)
{
    return slice_starts(type_get(&r->m->types, a->type)->text, class_of(kind));
}

static enum truth
is_kind(const struct rule *r, const struct aval *a, char kind)
{
    if (a->kind == AVAL_UNKNOWN)
        return MAYBE;
    if (a->kind != AVAL_OTHER || a->type == NONE)
        return kind == 'a' && a->kind == AVAL_ARRAY ? YES : NO;
    for (const char *other = "RQO"; *other; other++)
        if (is_class(r, a, *other))
            return *other == kind ? YES : NO;
    return MAYBE;
}

/* checks that operands [first, first + n) are of one kind */
static bool
takes(struct rule *r, u32 first, u32 n, char kind)
{
    for (u32 i = first; i < first + n && i < r->n; i++)
        if (is_kind(r, &r->in[i], kind) == NO)
            return rule_error_operand(r, DIAG_T025, i, "the %s operand of `%s` must be %s", ordinal_of(i).text,
                                      format_prim(r), format_kind(kind));
    return true;
}

/* checks that the equation has n operands */
static bool
takes_count(struct rule *r, u32 n)
{
    return r->n == n ||
           rule_error(r, DIAG_T005, r->n > n ? at_operand(n) : at_prim(), "`%s` takes %u operand%s, but %u %s given",
                      format_prim(r), n, n == 1 ? "" : "s", r->n, r->n == 1 ? "is" : "are");
}

/* checks that result i is a scalar with an element type of one of the classes */
static bool
gives_scalar(struct rule *r, u32 i, u32 classes)
{
    struct aval binder = rule_binder(r, i), type = aval_scalar(classes & IN_SIGNED ? DT_i64 : DT_bool);
    bool fits = binder.kind == AVAL_ARRAY && binder.dtype != NONE && binder.ranked && binder.rank == 0 &&
                binder.classes & classes;
    r->computed += fits;
    return fits || binder.kind == AVAL_UNKNOWN || rule_result(r, i, &type);
}

static bool
gives_one(struct rule *r, u32 i, char kind)
{
    if (kind == 'i')
        return gives_scalar(r, i, IN_SIGNED);
    if (kind == 'f' || kind == 'b') {
        struct aval type = aval_scalar(kind == 'f' ? DT_f64 : DT_bool);
        return rule_result(r, i, &type);
    }
    struct aval binder = rule_binder(r, i);
    r->computed++;
    return is_kind(r, &binder, kind) != NO ||
           rule_error(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but `%s` gives %s%s", format_result(r, i),
                      format_aval(r, &binder), format_prim(r), format_kind(kind),
                      kind == 'R' || kind == 'Q' ? format_text(r, ", %s()", format_slice(r, class_of(kind))) : "");
}

/* checks that the results are n qubits */
static bool
gives_qubits(struct rule *r, u32 n)
{
    if (!rule_results(r, n))
        return false;
    for (u32 i = 0; i < n; i++)
        if (!gives_one(r, i, 'Q'))
            return false;
    return true;
}

/* the operands and results of instructions; `*` at the end: any number of the kind before it */
static const struct order {
    const char *prim, *takes, *gives;
} orders[] = {
    {"qalloc", "a", "R"},     {"qdealloc", "R", ""},       {"qdealloc_qb", "Q", ""}, {"qextract", "Ra", "Q"},
    {"qinsert", "RaQ", "R"},  {"qmeasure", "Q", "bQ"},     {"namedobs", "Q", "O"},   {"hermitian", "aQ*", "O"},
    {"tensorobs", "O*", "O"}, {"hamiltonian", "aO*", "O"}, {"expval", "O", "f"},     {"var", "O", "f"},
    {"mcmobs", "a*", "O"},    {"num_qubits", "", "i"},
};

static bool
in_order(struct rule *r, const char *kinds, const char *results)
{
    size_t n = strlen(kinds);
    bool many = n && kinds[n - 1] == '*';
    u32 fixed = (u32)(many ? n - 2 : n);
    if (many ? r->n < fixed && !takes_count(r, fixed) : !takes_count(r, fixed))
        return false;
    for (u32 i = 0; i < fixed; i++)
        if (!takes(r, i, 1, kinds[i]))
            return false;
    if ((many && !takes(r, fixed, r->n - fixed, kinds[fixed])) || !rule_results(r, (u32)strlen(results)))
        return false;
    for (u32 i = 0; results[i]; i++)
        if (!gives_one(r, i, results[i]))
            return false;
    return true;
}

/* whether result i is bound as a PennyLane measurement */
static bool
is_measurement(const struct rule *r, u32 i)
{
    struct aval binder = rule_binder(r, i);
    return binder.kind == AVAL_OTHER && binder.type != NONE &&
           slice_starts(type_get(&r->m->types, binder.type)->text, SLICE("AbstractMeasurement"));
}

/* the value of a field in a type such as `AbstractQreg(length=2)`; empty if there is none */
static struct slice
field_of(const struct rule *r, const struct aval *a, const char *field)
{
    struct slice value = SLICE("");
    if (a->kind == AVAL_OTHER && a->type != NONE)
        value_field(type_get(&r->m->types, a->type)->text, field, &value);
    return value;
}

/* checks a field of the type of the first result, if it is printed */
static bool
gives_field(struct rule *r, const char *field, struct slice want)
{
    struct aval binder = rule_binder(r, 0);
    struct slice got = field_of(r, &binder, field);
    return got.n == 0 || want.n == 0 || slice_eq(got, want) ||
           rule_error(r, DIAG_T003, at_result_field(r, 0, field), "`%s` is bound with %s=%s, but `%s` gives %s=%s",
                      format_result(r, 0), field, format_slice(r, got), format_prim(r), field, format_slice(r, want));
}

/* checks the fields that the type of a register or an observable shows (AbstractQreg and AbstractObs) */
static bool
gives_fields(struct rule *r, char kind)
{
    struct slice size = SLICE("");
    if (kind == 'R' && !param_text(r, "static_size", &size))
        return !r->n || gives_field(r, "length", field_of(r, &r->in[0], "length"));
    if (kind == 'R')
        return gives_field(r, "length", size);
    return kind != 'O' || strcmp(r->prim->name, "mcmobs") == 0 || /* whose type counts the results */
           (gives_field(r, "num_qubits", SLICE("None")) && gives_field(r, "qreg", SLICE("None")) &&
            gives_field(r, "primitive", SLICE("None")));
}

bool
shape_quantum(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    if (r->n_results && is_measurement(r, 0)) /* PennyLane's primitive of this name */
        return true;
    for (size_t i = 0; i < countof(orders); i++)
        if (strcmp(orders[i].prim, r->prim->name) == 0)
            return in_order(r, orders[i].takes, orders[i].gives) && gives_fields(r, *orders[i].gives);
    return true;
}

/* reads the number of qubits in the type of a computational basis; false for other types */
static bool
basis_qubits(const struct rule *r, const struct aval *a, i64 *n)
{
    if (!slice_eq(field_of(r, a, "primitive"), SLICE("compbasis")))
        return false;
    struct cursor c = cursor_of(field_of(r, a, "num_qubits"));
    return value_int(&c, n) && *n >= 0 && *n < 62;
}

/* compbasis: the operands are qubits, whose number the type of the result contains, or, since 0.11, a whole register */
bool
shape_compbasis(struct rule *r, struct aval *out)
{
    bool whole = false;
    i64 n;
    *out = aval_unknown();
    param_bool(r, "qreg_available", &whole);
    if (!in_order(r, whole ? "R" : "Q*", "O"))
        return false;
    struct aval binder = rule_binder(r, 0);
    return whole || !basis_qubits(r, &binder, &n) || n == r->n ||
           rule_error(r, DIAG_T003, at_result_field(r, 0, "num_qubits"),
                      "`%s` is bound with num_qubits=%lld, but `%s` has %s", format_result(r, 0), (long long)n,
                      format_prim(r), format_count(r, r->n, "qubit operand", "qubit operands"));
}

/* The numbers of operands by kind; known is false if the text does not determine them. */
struct lengths {
    u32 qubits, params, controls;
    bool known;
};

static bool
read_length(struct rule *r, const char *key, struct lengths *l, u32 *length)
{
    i64 n;
    if (!param_int(r, key, &n))
        l->known = false;
    else if (n < 0)
        return rule_error(r, DIAG_T010, at_param(r, key), "`%s` of `%s` must not be negative, got %lld", key,
                          format_prim(r), (long long)n);
    else if (n > r->n)
        return rule_error(r, DIAG_T010, at_param(r, key), "`%s` of `%s` is %lld, but the equation has %s", key,
                          format_prim(r), (long long)n, format_count(r, r->n, "operand", "operands"));
    else
        *length = (u32)n;
    return true;
}

/* checks that operands from `first` on are qubits, parameters, control qubits and control values, and the results
 * qubits */
static bool
acts(struct rule *r, const struct lengths *l, u32 first)
{
    u32 controls = first + l->qubits + l->params, values = controls + l->controls;
    if (!l->known)
        return rule_trust_layout(r);
    return takes_count(r, values + l->controls) && takes(r, first, l->qubits, 'Q') &&
           takes(r, first + l->qubits, l->params, 'a') && takes(r, controls, l->controls, 'Q') &&
           takes(r, values, l->controls, 'a') && gives_qubits(r, l->qubits + l->controls);
}

/* Catalyst 0.10 prints `ctrl_value_len` instead of `params_len`: the parameters are the remaining operands */
static bool
read_params_len(struct rule *r, struct lengths *l)
{
    u32 values = 0;
    if (rule_param(r, "params_len") != NONE || rule_param(r, "ctrl_value_len") == NONE)
        return read_length(r, "params_len", l, &l->params);
    if (!read_length(r, "ctrl_value_len", l, &values))
        return false;
    u32 others = l->qubits + l->controls + values;
    l->params = r->n > others ? r->n - others : 0;
    return !l->known || values == l->controls ||
           rule_error(r, DIAG_T010, at_param(r, "ctrl_value_len"),
                      "`ctrl_value_len` of `%s` is %u, but `ctrl_len` is %u", format_prim(r), values, l->controls);
}

bool
shape_qinst(struct rule *r, struct aval *out)
{
    struct lengths l = {.known = true};
    *out = aval_unknown();
    return read_length(r, "qubits_len", &l, &l.qubits) && read_length(r, "ctrl_len", &l, &l.controls) &&
           read_params_len(r, &l) && acts(r, &l, 0);
}

/* the first operand is a matrix */
bool
shape_qunitary(struct rule *r, struct aval *out)
{
    struct lengths l = {.known = true};
    *out = aval_unknown();
    return takes(r, 0, 1, 'a') && read_length(r, "qubits_len", &l, &l.qubits) &&
           read_length(r, "ctrl_len", &l, &l.controls) && acts(r, &l, 1);
}

/* gphase phase controls.. values..: no target qubit */
bool
shape_gphase(struct rule *r, struct aval *out)
{
    struct lengths l = {.params = 1, .known = true};
    *out = aval_unknown();
    return read_length(r, "ctrl_len", &l, &l.controls) && acts(r, &l, 0);
}

/* set_state, set_basis_state: qubits, then their state */
bool
shape_state_prep(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return takes(r, 0, r->n - 1, 'Q') && takes(r, r->n - 1, 1, 'a') && gives_qubits(r, r->n - 1);
}

/* adjoint[jaxpr]: a program run backwards returns its register */
bool
shape_adjoint(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "jaxpr");
    struct slice tree;
    *out = aval_unknown();
    if (param_text(r, "args_tree", &tree))
        leaves_fit(r, "args_tree", tree, rule_warning);
    if (j == NONE || !r->m->jaxprs.at[j].n_outs)
        return rule_trust_param(r, at_prim(), "jaxpr");
    return rule_results(r, 1) && gives_one(r, 0, 'R');
}

/* zne[jaxpr]: the last operand lists the scale factors of the circuit; the result has an element for each factor and,
 * on a last axis, for each value of the program if there are several */
bool
shape_zne(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "jaxpr");
    *out = aval_unknown();
    if (j == NONE || !r->m->jaxprs.at[j].n_outs || !r->n || !r->in[r->n - 1].ranked)
        return rule_trust(r, at_prim(),
                          "the program or the scale factors of `%s` are missing, so its result is not verified",
                          format_prim(r));
    const struct aval *folds = &r->in[r->n - 1];
    struct aval given = jaxpr_out_aval(r, j, 0);
    u32 values = r->m->jaxprs.at[j].n_outs;
    struct dim *dims = copy_dims(r, r->n - 1, 1);
    dims[folds->rank] = dim_of(values);
    struct aval type = aval_reshaped(&given, folds->rank + (values > 1), dims);
    return rule_results(r, 1) && rule_result(r, 0, &type);
}

/* ---- what PennyLane captures (pennylane/ops/mid_measure, allocation.py, measurements/capture_measurements.py) ---- */

/* measure[postselect]: a Catalyst qubit, or a PennyLane wire, which gives an integer or a bool. Without the parameter
 * it is the measure[num_device_wires shots] of PennyLane before 0.39, whose results depend on how each operand was
 * made */
bool
shape_measure(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    if (rule_param(r, "num_device_wires") != NONE)
        return rule_trust(r, at_prim(),
                          "the results of `%s` depend on how its operands were made, so they are not verified",
                          format_prim(r));
    if (rule_param(r, "postselect") == NONE)
        return rule_trust_param(r, at_prim(), "postselect");
    if (r->n && is_kind(r, &r->in[0], 'Q') == YES)
        return in_order(r, "Q", "bQ");
    return takes(r, 0, r->n, 'a') && rule_results(r, 1) && gives_scalar(r, 0, IN_SIGNED | IN_BOOL);
}

/* allocate[num_wires]: the results are an integer for each wire */
bool
shape_allocate(struct rule *r, struct aval *out)
{
    i64 wires;
    *out = aval_unknown();
    if (!param_int(r, "num_wires", &wires) || wires < 0 || wires > UINT32_MAX)
        return rule_trust_param(r, at_prim(), "num_wires");
    if (!takes_count(r, 0) || !rule_results(r, (u32)wires))
        return false;
    for (u32 i = 0; i < r->n_results; i++)
        if (!gives_scalar(r, i, IN_SIGNED))
            return false;
    return true;
}

/* qnode[qfunc_jaxpr shots_len]: operands are numbers of shots, then the program's arguments; there is a result for each
 * measurement and number of shots. Under vmap `batch_dims` lists the operands with an extra axis
 * (pennylane/workflow/_capture_qnode.py) */
bool
shape_qnode(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "qfunc_jaxpr");
    u32 shots;
    *out = aval_unknown();
    if (j == NONE || !param_count(r, "shots_len", &shots))
        return !r->failed && rule_trust_param(r, at_prim(), j == NONE ? "qfunc_jaxpr" : "shots_len");
    u64 given = jaxpr_consts(r, j) + jaxpr_ins(r, j), results = (u64)jaxpr_outs(r, j) * (shots ? shots : 1);
    if (shots > r->n || results > UINT32_MAX)
        return rule_error(r, DIAG_T018, at_param(r, "shots_len"), "`shots_len` of `%s` is %u, but the equation has %s",
                          format_prim(r), shots, format_count(r, r->n, "operand", "operands"));
    if (!takes_count(r, shots + (u32)given) || !takes(r, 0, shots, 'a'))
        return false;
    if (rule_param(r, "batch_dims") == NONE && !bind_operands(r, STRICTER, j, 0, shots, (u32)given))
        return false;
    return rule_results(r, (u32)results);
}

/* checks that result i is a measurement, an object; if it is on wires, its type contains their number */
static bool
gives_measurement(struct rule *r, u32 i)
{
    struct aval binder = rule_binder(r, i);
    struct slice text, wires;
    i64 n;
    if (binder.kind == AVAL_UNKNOWN)
        return true;
    r->computed++;
    if (!is_measurement(r, i))
        return rule_error(r, DIAG_T003, at_result(i),
                          "`%s` is bound as %s, but `%s` gives a measurement, such as AbstractMeasurement(n_wires=%u)",
                          format_result(r, i), format_aval(r, &binder), format_prim(r), r->n);
    text = type_get(&r->m->types, binder.type)->text;
    if (!value_field(text, "n_wires", &wires))
        return true;
    struct cursor c = cursor_of(wires);
    u32 eigenvalues = value_field(text, "has_eigvals", &wires) && slice_eq(wires, SLICE("True"));
    return !value_int(&c, &n) || n + eigenvalues == r->n ||
           rule_error(r, DIAG_T003, at_result_field(r, i, "n_wires"),
                      "`%s` is bound with n_wires=%lld, but `%s` has %s", format_result(r, i), (long long)n,
                      format_prim(r), format_count(r, r->n - eigenvalues, "wire operand", "wire operands"));
}

/* expval_obs, probs_wires, counts_mcm etc.; counts have two results, the outcomes and their numbers, but one until
 * PennyLane 0.41 */
bool
shape_measurement(struct rule *r, struct aval *out)
{
    u32 n = slice_starts(slice_of(r->prim->name), SLICE("counts")) ? 2 : 1;
    *out = aval_unknown();
    if (n == 2 && r->n_results == 1)
        return rule_trust(
            r, at_prim(),
            "`%s` has 1 result or 2, depending on the version of PennyLane, so its result is not verified",
            format_prim(r));
    if (!rule_results(r, n))
        return false;
    for (u32 i = 0; i < n; i++)
        if (!gives_measurement(r, i))
            return false;
    return true;
}

/* -- measurements --------------------------------------------------------------------------------------------------
 * Since 0.11 the shape is in `static_shape`, whose holes are filled from the left with the operands after the
 * observable; before, it is in `shape`, and must agree with the qubits of a computational basis. */

/* the element type of a measurement's result */
static dtype_t
dtype_measured(const struct rule *r, u32 result)
{
    return strcmp(r->prim->name, "state") == 0                   ? DT_c128
           : strcmp(r->prim->name, "counts") == 0 && result == 1 ? DT_i64
                                                                 : DT_f64;
}

static bool
give_measured(struct rule *r, const struct dim *dims, u32 rank)
{
    if (!rule_results(r, strcmp(r->prim->name, "counts") == 0 ? 2 : 1))
        return false;
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval type = aval_array(dtype_measured(r, i), rank, dims);
        if (!rule_result(r, i, &type))
            return false;
    }
    return true;
}

/* checks a measurement up to 0.10: the shape must agree with the qubits of the basis; samples and counts without a
 * parameter for shots may take them from an operand */
static bool
measured_once(struct rule *r, const struct dims *shape)
{
    i64 qubits;
    bool sample = strcmp(r->prim->name, "sample") == 0, samples = sample || strcmp(r->prim->name, "counts") == 0;
    bool shots = samples && r->n == 2 && rule_param(r, "shots") == NONE;
    if (!takes_count(r, shots ? 2 : 1) || (shots && !takes(r, 1, 1, 'a')))
        return false;
    if (basis_qubits(r, &r->in[0], &qubits)) {
        struct dim last = dim_of(sample ? qubits : (i64)1 << qubits);
        if (shape->n != (sample ? 2 : 1) || dim_equal(&shape->at[shape->n - 1], &last) == NO)
            return rule_error(r, DIAG_T009, at_param(r, "shape"),
                              "`%s` of %lld qubits has shape (%s%s%s), but `shape` is %s", format_prim(r),
                              (long long)qubits, sample ? "shots, " : "", format_dim(r, last), sample ? "" : ",",
                              format_dims(r, shape->at, shape->n)) ||
                   rule_note_operand(r, 0);
    }
    return give_measured(r, shape->at, shape->n);
}

bool
shape_measured(struct rule *r, struct aval *out)
{
    struct dims shape;
    *out = aval_unknown();
    if (r->n_results && is_measurement(r, 0))
        return true;
    if (!takes(r, 0, 1, 'O'))
        return false;
    if (rule_param(r, "static_shape") == NONE && param_dims(r, "shape", &shape))
        return measured_once(r, &shape);
    if (!param_dims(r, "static_shape", &shape))
        return rule_trust_param(r, at_prim(), "static_shape");
    return fill_holes(r, "static_shape", &shape, 1) && give_measured(r, shape.at, shape.n);
}

/* ---- derivatives ---- */

/* checks that result i of the equation is the derivative of `of` with respect to `by`: their shapes concatenated, with
 * the element type of `by` (catalyst/utils/calculate_grad_shape.py) */
static bool
gives_derivative(struct rule *r, u32 i, const struct aval *of, const struct aval *by)
{
    if (of->kind != AVAL_ARRAY || by->kind != AVAL_ARRAY || !of->ranked || !by->ranked || by->dtype == NONE)
        return true;
    u32 rank = of->rank + by->rank;
    struct dim *dims = rule_alloc(r, (rank + 1u) * sizeof *dims);
    if (of->rank)
        memcpy(dims, of->dims, of->rank * sizeof *dims);
    if (by->rank)
        memcpy(dims + of->rank, by->dims, by->rank * sizeof *dims);
    struct aval type = aval_array(by->dtype, rank, dims);
    return rule_result(r, i, &type);
}

/* checks that results [first, first + n) have the types of the program's first n results */
static bool
gives_values(struct rule *r, jaxpr_t j, u32 first, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        struct aval type = jaxpr_out_aval(r, j, i);
        if (!rule_result(r, first + i, &type))
            return false;
    }
    return true;
}

/* The values and derivatives that an equation returns. */
struct derivative {
    jaxpr_t j;
    struct ints by; /* arguments of the program, not counting its first `consts` */
    u32 consts;
    bool values, jvp, vjp;
    bool one; /* only the first result is differentiated */
};

/* checks the results: values, then derivatives; `key` is the parameter that lists the arguments */
static bool
gives_derivatives(struct rule *r, const struct derivative *d, const char *key)
{
    u32 ins = r->m->jaxprs.at[d->j].n_ins - d->consts, outs = d->one ? 1 : r->m->jaxprs.at[d->j].n_outs;
    for (u32 k = 0; k < d->by.n; k++)
        if (d->by.at[k] < 0 || d->by.at[k] >= ins)
            return rule_error(r, DIAG_T010, at_param(r, key), "`%s` names argument %lld of a program that takes %u",
                              format_prim(r), (long long)d->by.at[k], ins);
    u64 n = (u64)(d->values ? outs : 0) + (d->jvp ? outs : d->vjp ? d->by.n : (u64)outs * d->by.n);
    if (!rule_results(r, n))
        return d->jvp ? rule_hint(r, "the program has %s, each of which `jvp` returns with its tangent",
                                  format_count(r, outs, "result", "results"))
                      : rule_note(r, at_list(r, key, &d->by),
                                  "their number follows from %s of the program and %s listed here",
                                  format_count(r, outs, "result", "results"),
                                  format_count(r, d->by.n, "argument", "arguments"));
    if (d->values && !gives_values(r, d->j, 0, outs))
        return false;
    u32 at = d->values ? outs : 0;
    if (d->jvp)
        return gives_values(r, d->j, at, outs);
    for (u32 i = 0; i < (d->vjp ? 1 : outs); i++) {
        struct aval of = d->vjp || d->one ? aval_array(DT_f64, 0, NULL) : jaxpr_out_aval(r, d->j, i);
        for (u32 k = 0; k < d->by.n; k++) {
            struct aval type = jaxpr_in_aval(r, d->j, d->consts + (u32)d->by.at[k]);
            if (!gives_derivative(r, at++, &of, &type))
                return false;
        }
    }
    return true;
}

/* grad, value_and_grad, jvp, vjp and jacobian: Catalyst prints grad_params, PennyLane argnums (pennylane/_grad), whose
 * value_and_grad has one result */
bool
shape_derivative(struct rule *r, struct aval *out)
{
    const char *name = r->prim->name;
    struct derivative d = {
        .j = rule_jaxpr(r, "jaxpr"), .jvp = strcmp(name, "jvp") == 0, .vjp = strcmp(name, "vjp") == 0};
    struct slice params, list;
    *out = aval_unknown();
    bool both = strcmp(name, "value_and_grad") == 0;
    d.values = d.jvp || d.vjp || both;
    if (d.j != NONE && param_text(r, "grad_params", &params) && value_field(params, "expanded_argnums", &list) &&
        read_ints(r, list, &d.by))
        return gives_derivatives(r, &d, "grad_params");
    const char *key = rule_param(r, "argnums") != NONE ? "argnums" : "argnum";
    d.one = d.j != NONE && both && r->m->jaxprs.at[d.j].n_outs;
    u32 consts = 0; /* PennyLane's are constvars, or arguments after `norm -p nested-constants` */
    if (d.j != NONE && r->m->jaxprs.at[d.j].n_consts == 0 && param_count(r, "n_consts", &consts) &&
        consts <= r->m->jaxprs.at[d.j].n_ins)
        d.consts = consts;
    if (d.j != NONE && param_ints(r, key, &d.by))
        return gives_derivatives(r, &d, key);
    return rule_trust_param(r, at_prim(), d.j == NONE ? "jaxpr" : key);
}
