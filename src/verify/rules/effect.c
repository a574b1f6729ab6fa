/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives whose results are listed by a parameter, have the types of the operands, or do not exist: callbacks,
 * foreign calls, barriers (jax/_src: callback.py, ffi.py, debugging.py). Linear in operands and results. */
#include "prims/trees.h"
#include "verify/call_check.h"
#include "verify/unknown_primitive.h"
#include "verify/varying_axes.h"

/* reads `ShapeDtypeStruct(shape=(1,), dtype=int32)` and the forms of read_aval */
static bool
read_struct(struct rule *r, struct slice text, struct aval *out)
{
    struct slice shape, dtype;
    struct dims dims;
    if (!slice_starts(text, SLICE("ShapeDtypeStruct(")))
        return read_aval(r, text, out);
    if (!value_field(text, "shape", &shape) || !value_field(text, "dtype", &dtype) || !read_dims(r, shape, &dims))
        return false;
    if (dtype.n && dtype.at[dtype.n - 1] == ')')
        dtype.n--;
    dtype_t found = dtype_find(dtype);
    if (found == NONE)
        return false;
    *out = aval_array(found, dims.n, dims.at);
    return true;
}

/* reads a tuple of types, or a single type; unreadable elements are unknown. False if there is no such parameter */
static bool
param_types(struct rule *r, const char *key, struct avals *out)
{
    struct slice text, element;
    u32 count;
    if (!param_text(r, key, &text))
        return false;
    bool tuple = value_count(text, &count);
    struct aval *at = rule_alloc(r, ((size_t)(tuple ? count : 0) + 1) * sizeof *at);
    *out = (struct avals){at, tuple ? count : 1};
    if (!tuple)
        return read_struct(r, text, at);
    struct cursor c = cursor_inside(text);
    for (u32 i = 0; i < count; i++)
        if (!value_element(&c, &element) || !read_struct(r, element, &at[i]))
            at[i] = aval_unknown();
    return true;
}

static const char *const type_keys[] = {"result_avals",        "out_avals", "results_aval",      "out_types",
                                        "out_shapes",          "avals",     "flat_results_aval", "flat_ret_ty",
                                        "result_shape_dtypes", "out_shape"};

const char *
listed_types(struct rule *r, struct avals *types)
{
    for (u32 i = 0; i < countof(type_keys); i++)
        if (param_types(r, type_keys[i], types))
            return type_keys[i];
    return NULL;
}

static bool
note_listed(struct rule *r, const char *key, u32 i)
{
    return rule_note(r, at_item(r, key, i), "the type of the %s result is listed here", ordinal_of(i).text);
}

/* compares the mesh axes that listed types print with those of the results */
static bool
axes_listed(struct rule *r, const char *key)
{
    struct slice text, element;
    u32 count;
    if (!param_text(r, key, &text) || !value_count(text, &count))
        return true;
    struct cursor c = cursor_inside(text);
    for (u32 i = 0; i < r->n_results && value_element(&c, &element); i++) {
        struct aval binder = rule_binder(r, i);
        struct slice axes = listed_axes(element);
        if (!axes.n || binder.kind != AVAL_ARRAY || vary_as_listed(r, &binder, axes))
            continue;
        rule_error(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but `%s` of `%s` lists %s", format_result(r, i),
                   format_aval(r, &binder), key, format_prim(r), format_slice(r, element));
        return note_listed(r, key, i);
    }
    return true;
}

bool
results_listed(struct rule *r, const char *key, const struct avals *types)
{
    if (types->n != r->n_results) {
        rule_error(r, DIAG_T006, r->n_results > types->n ? at_result(types->n) : at_param(r, key),
                   "`%s` lists %s in `%s`, but %s bound", format_prim(r), format_count(r, types->n, "type", "types"),
                   key, format_count(r, r->n_results, "result is", "results are"));
        return r->n_results > types->n && rule_note(r, at_param(r, key), "the types are listed here");
    }
    bool right = true;
    for (u32 i = 0; i < types->n; i++) {
        struct aval binder = rule_binder(r, i);
        if (result_agrees(r, &types->at[i], &binder) != NO)
            continue;
        right = rule_error(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but `%s` of `%s` lists %s",
                           format_result(r, i), format_aval(r, &binder), key, format_prim(r),
                           format_aval(r, &types->at[i]));
        note_listed(r, key, i);
    }
    return right && (!r->m->types.varying || axes_listed(r, key));
}

/* for primitives about whose results nothing is known */
bool
shape_trusted(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return rule_trust(r, at_prim(), "there is no typing rule for `%s`, so its results are not verified",
                      format_prim(r));
}

bool
leaves_fit(struct rule *r, const char *key, struct slice tree, report_fn *report)
{
    u32 leaves = tree_leaves(tree);
    return !slice_starts(tree, SLICE("PyTreeDef(")) || leaves == r->n ||
           report(r, DIAG_T010, at_param(r, key), "`%s` of `%s` contains a tree of %s, but %s given", key,
                  format_prim(r), format_count(r, leaves, "leaf", "leaves"),
                  format_count(r, r->n, "operand is", "operands are"));
}

/* the types of results are listed in a parameter; the operands are the leaves of the tree of a callback,
 * `_FlatCallback(callback_func=.., in_tree=PyTreeDef(..))` (jax/_src/callback.py) */
bool
shape_listed(struct rule *r, struct aval *out)
{
    struct avals types;
    struct slice callback, tree;
    *out = aval_unknown();
    if (param_text(r, "callback", &callback) && value_field(callback, "in_tree", &tree))
        leaves_fit(r, "callback", tree, rule_warning);
    const char *key = listed_types(r, &types);
    return key ? results_listed(r, key, &types)
               : rule_trust(r, at_prim(), "`%s` does not list the types of its results, so they are not verified",
                            format_prim(r));
}

/* custom_lin, what remains of a custom_vjp between its forward and its backward pass: its results are tangents
 * (jax/_src/interpreters/ad.py, process_custom_vjp_call: to_tangent_aval), whose types newer JAX does not print */
bool
shape_custom_lin(struct rule *r, struct aval *out)
{
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval binder = rule_binder(r, i);
        if (binder.kind == AVAL_ARRAY && binder.classes && !(binder.classes & (IN_INEXACT | IN_FLOAT0 | IN_KEY))) {
            *out = aval_unknown();
            return rule_error(r, DIAG_T003, at_result(i),
                              "`%s` is bound as %s, but `%s` gives tangents, which are float, complex or float0",
                              format_result(r, i), format_aval(r, &binder), format_prim(r));
        }
    }
    return shape_listed(r, out);
}

/* infeed[shapes]: the types in `shapes`, followed by a token (jax/_src/lax/lax.py, up to 0.8) */
bool
shape_infeed(struct rule *r, struct aval *out)
{
    struct avals types;
    *out = aval_unknown();
    if (!param_types(r, "shapes", &types))
        return rule_trust(r, at_prim(), "`%s` does not list the types of its results, so they are not verified",
                          format_prim(r));
    struct aval *at = rule_alloc(r, ((size_t)types.n + 1) * sizeof *at);
    memcpy(at, types.at, types.n * sizeof *at);
    at[types.n] = aval_of_kind(AVAL_TOKEN);
    return results_listed(r, "shapes", &(struct avals){at, types.n + 1});
}

/* a result for each operand, of its type */
bool
shape_like_operands(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return results_like_operands(r);
}

/* ---- copies of kernels ---- */

/* checks that operand i, if there is one, is a ref, and with `single` that it is a single semaphore, not an array of
 * them. The shape of an indexed ref is unknown */
static bool
copy_takes(struct rule *r, u32 i, const char *what, bool single)
{
    if (i >= r->n)
        return true;
    atom_t a = r->m->atoms.at[r->eqn->atoms + i];
    const struct refexpr *ref = atom_kind(a) == ATOM_REF ? &r->m->refs.at[atom_id(a)] : NULL;
    struct aval type = ref ? aval_here(r, ref->ref) : r->in[i];
    if (!aval_may_be_ref(&type))
        return (ref || r->prim->is.refs ? rule_stricter : rule_error)(
                   r, DIAG_T025, at_operand(i), "the %s of `%s` must be a ref: `%s` is %s", what, format_prim(r),
                   format_operand(r, i), format_aval(r, &type)) ||
               rule_note_operand(r, i);
    bool whole = !ref || slice_eq(module_bytes(r->m, ref->index), SLICE("[...]"));
    return !single || !whole || type.kind != AVAL_REF || !type.ranked || type.rank == 0 ||
           rule_error(r, DIAG_T008, at_operand(i), "`%s` requires a single semaphore: `%s` is an array of them, %s",
                      format_prim(r), format_operand(r, i), format_aval(r, &type)) ||
           rule_note_operand(r, i);
}

/* checks that there are no results, and that the operands in the row's `refs` are refs */
bool
shape_no_results(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    for (u32 i = 0; r->prim->is.refs >> i; i++)
        if (r->prim->is.refs >> i & 1 && !copy_takes(r, i, format_text(r, "%s operand", ordinal_of(i).text), false))
            return false;
    return rule_results(r, 0);
}

/* semaphore_signal, semaphore_wait: checks that the first operand is a single semaphore, not of copies unless
 * `of_copies`; the value to add or to wait for is an i32, which kernel syntax prints next
 * (jax/_src/pallas/primitives.py, check_sem_avals). In interpret mode, a semaphore is an i16 */
static bool
takes_semaphore(struct rule *r, bool of_copies)
{
    if (r->n == 0)
        return true;
    atom_t a = r->m->atoms.at[r->eqn->atoms];
    struct aval type = atom_kind(a) == ATOM_REF ? aval_here(r, r->m->refs.at[atom_id(a)].ref) : r->in[0];
    if (!copy_takes(r, 0, "semaphore", true))
        return false;
    bool copies = type.type != NONE && slice_contains(type_get(&r->m->types, type.type)->text, SLICE("dma_sem"));
    bool number = type.classes && !(type.classes & ~(IN_ARRAY | IN_FLOAT0)) && type.dtype != DT_i16;
    if (type.kind == AVAL_REF && (number || (copies && !of_copies)))
        return rule_error(r, DIAG_T007, at_operand(0), "`%s` takes a %ssemaphore: `%s` is %s", format_prim(r),
                          of_copies ? "" : "regular or barrier ", format_operand(r, 0), format_aval(r, &type)) ||
               rule_note_operand(r, 0);
    struct aval wanted = aval_scalar(DT_i32);
    return r->eqn->form != EQN_RAW || r->n < 2 || dtypes_agree(&wanted, &r->in[1]) != NO ||
           rule_error_operand(r, DIAG_T007, 1, "the value of `%s` must be an i32", format_prim(r));
}

bool
shape_semaphore(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return takes_semaphore(r, false) && rule_results(r, 0);
}

bool
shape_semaphore_read(struct rule *r, struct aval *out)
{
    return takes_semaphore(r, true) && shape_index(r, out);
}

/* checks the number of operands in kernel syntax, which prints each part; a missing one may be on a line of its own */
static bool
has_parts(struct rule *r, u32 n, const char *parts)
{
    return r->eqn->form != EQN_RAW || r->n == n ||
           rule_error(r, DIAG_T005, r->n > n ? at_operand(n) : at_prim(),
                      "`%s` takes %u operands (%s), but %u %s given", format_prim(r), n, parts, r->n,
                      r->n == 1 ? "is" : "are");
}

/* finds which operands are the source, the destination and their semaphores, by a tree of leaves or by their order in
 * kernel syntax; NONE for those that are missing or unknown. False if the tree does not have a leaf for each operand */
static bool
copy_parts(struct rule *r, const u32 *printed, u32 parts[4])
{
    struct slice tree, element;
    parts[0] = parts[1] = parts[2] = parts[3] = NONE;
    if (r->eqn->form == EQN_RAW) {
        for (u32 i = 0; i < 3 && printed[i] != NONE; i++)
            parts[printed[i]] = i < r->n ? i : NONE;
        return true;
    }
    if (!param_text(r, "tree", &tree))
        return true;
    if (!leaves_fit(r, "tree", tree, rule_error))
        return false;
    struct cursor c = cursor_of(tree);
    if (!value_word(&c, "PyTreeDef(") || !value_open(&c))
        return true;
    bool indexed = false; /* until 0.9, each part is followed by what it is indexed by */
    for (u32 k = 0, operand = 0; k < 4 && value_element(&c, &element); k++) {
        if (slice_eq(element, SLICE("*")))
            parts[k] = operand++;
        else if (!slice_eq(element, SLICE("None")))
            return true;
        value_blanks(&c);
        indexed |= k == 0 && c.p < c.end && *c.p == '(';
        if (indexed && value_element(&c, &element)) {
            parts[k] = slice_eq(element, SLICE("()")) ? parts[k] : NONE;
            operand += tree_leaves(element);
        }
    }
    return true;
}

static bool
is_digits(struct slice s)
{
    size_t i = 0;
    while (i < s.n && is_digit(s.at[i]))
        i++;
    return i == s.n;
}

/* checks the priority in the notation of kernels, `dma_start(p0, add) ..`; JAX 0.4 prints none */
static bool
has_priority(struct rule *r)
{
    struct span name = where_span(r->m, r->e, at_prim());
    u32 at = name.at + name.n;
    if (r->eqn->form != EQN_RAW || at >= r->m->text.n || r->m->text.at[at] != '(')
        return true;
    struct slice rest = {r->m->text.at + at, r->m->text.n - at}, inside = {rest.at + 1, bracket_end(rest, 0) - 1};
    size_t end = word_until(inside, 0);
    struct slice number = {inside.at + 1, end ? end - 1 : 0}, more = {inside.at + end, inside.n - end};
    if (slice_starts(inside, SLICE("p")) && number.n && is_digits(number) &&
        (!more.n || slice_eq(more, SLICE(", add"))))
        return true;
    return rule_error(r, DIAG_T010, at_text(at, (u32)inside.n + 2),
                      slice_starts(inside, SLICE("p-"))
                          ? "the priority of `%s` must not be negative, got `%s`"
                          : "the priority of `%s` is printed like (p0) or (p0, add), not `%s`",
                      format_prim(r), format_slice(r, inside));
}

/* dma_start: from a ref to a ref (jax/_src/pallas/mosaic/primitives.py, _dma_start_abstract_eval) */
bool
shape_dma_start(struct rule *r, struct aval *out)
{
    static const u32 printed[] = {0, 1, 2};
    u32 parts[4];
    i64 priority;
    *out = aval_unknown();
    if (!copy_parts(r, printed, parts))
        return false;
    if (!has_priority(r))
        return false;
    if (param_int(r, "priority", &priority) && priority < 0)
        return rule_error(r, DIAG_T010, at_param(r, "priority"), "`priority` of `%s` must not be negative, got %lld",
                          format_prim(r), (long long)priority);
    return has_parts(r, 3, "a source, a destination and a semaphore") && copy_takes(r, parts[0], "source", false) &&
           copy_takes(r, parts[1], "destination", false) && copy_takes(r, parts[2], "semaphore", true) &&
           copy_takes(r, parts[3], "semaphore", true) && rule_results(r, 0);
}

/* dma_wait waits for a semaphore, which is printed after the destination */
bool
shape_dma_wait(struct rule *r, struct aval *out)
{
    static const u32 printed[] = {1, 2, NONE};
    u32 parts[4];
    *out = aval_unknown();
    return copy_parts(r, printed, parts) && has_parts(r, 2, "a destination and its semaphore") &&
           copy_takes(r, parts[2], "semaphore", false) && rule_results(r, 0);
}

/* core_map: a program for each core, which uses the refs it closes over and returns nothing (pallas/core.py,
 * _core_map_abstract_eval) */
bool
shape_core_map(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "jaxpr");
    *out = aval_unknown();
    if (j != NONE && jaxpr_outs(r, j))
        return rule_error(r, DIAG_T012, at_out(j, 0),
                          "the program of `%s` must return nothing: results are written to refs", format_prim(r));
    return rule_results(r, 0);
}

/* platform_index, axis_index, program_id: the result is one i32[] */
bool
shape_index(struct rule *r, struct aval *out)
{
    *out = aval_scalar(DT_i32);
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* check: the leaves of an error: a flag for each kind of error, as many codes, and the payloads of the errors. JAX
 * counts them by a tree that it does not print (checkify.py, check_abstract_eval) */
bool
shape_checked(struct rule *r, struct aval *out)
{
    u32 flags = 0, codes = 0;
    *out = aval_unknown();
    if (r->n < 2)
        return rule_error(r, DIAG_T005, r->n ? at_operand(0) : at_prim(),
                          "`%s` takes at least one error flag and one error code, but has %s", format_prim(r),
                          format_count(r, r->n, "operand", "operands"));
    while (flags < r->n && r->in[flags].classes == IN_BOOL)
        flags++;
    while (flags + codes < r->n && codes < flags && r->in[flags + codes].classes & IN_INT)
        codes++;
    u32 next = flags == r->n ? IN_BOOL : r->in[flags + codes < r->n ? flags + codes : 0].classes;
    bool known = next && !(next & IN_BOOL && next & IN_INT); /* an unknown type may be both */
    if (known && flags == 0) {
        rule_stricter(r, DIAG_T007, at_operand(0),
                      "the first operand of `%s` must be an error flag (bool), but `%s` is %s", format_prim(r),
                      format_operand(r, 0), format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    if (known && codes < flags) {
        u32 i = flags + codes < r->n ? flags + codes : r->n - 1;
        rule_stricter(
            r, DIAG_T005, at_operand(i),
            "`%s` takes error flags (bool) and as many error codes (i32), but %u flag%s followed by %u code%s",
            format_prim(r), flags, flags == 1 ? " is" : "s are", codes, codes == 1 ? "" : "s");
        return rule_note_operand(r, i);
    }
    return rule_results(r, 0);
}

/* ---- boxes: mutable values of any type (jax/_src/hijax.py) ---- */

static bool
is_box(struct rule *r)
{
    const struct aval *a = &r->in[0];
    bool other =
        a->kind == AVAL_OTHER && a->type != NONE && !slice_eq(type_get(&r->m->types, a->type)->text, SLICE("BoxTy"));
    if (!other && a->kind != AVAL_ARRAY && a->kind != AVAL_REF && a->kind != AVAL_TOKEN)
        return true;
    return rule_error_operand(r, DIAG_T025, 0, "the first operand of `%s` must be a box", format_prim(r));
}

bool
shape_box_set(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return is_box(r) && rule_results(r, 0);
}

bool
shape_box_get(struct rule *r, struct aval *out)
{
    return is_box(r) && shape_listed(r, out);
}
