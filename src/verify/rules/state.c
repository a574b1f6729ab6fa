/* SPDX-License-Identifier: Apache-2.0
 *
 * Refs: making, reading, writing and passing them (jax/_src/state: primitives.py, indexing.py, discharge.py). What an
 * access covers is read from its indexers, `a[b,2:6,:]`, unless one is a transform. Linear in the indexers. */
#include "base/lexical.h"
#include "ir/ref_text.h"
#include "verify/call_check.h"
#include "verify/memory_space.h"
#include "verify/ref_alias.h"
#include "verify/ref_sharding.h"
#include "verify/ref_transforms.h"
#include "verify/sharding_check.h"
#include "verify/varying_axes.h"

/* ---- indexers ---- */

/* The part of a ref that an access covers. Integers and arrays of integers among the indexers form a block of axes,
 * which replaces the first if they are adjacent, and comes first otherwise, or always up to 0.4 */
struct view {
    bool known;
    struct dims block, slices;
    u32 at; /* how many slices precede the block, unless it is first */
};

/* true for ref syntax: operand 0 is a ref with its indexers */
static bool
has_indexers(const struct rule *r)
{
    return r->n && atom_kind(r->m->atoms.at[r->eqn->atoms]) == ATOM_REF;
}

/* the indexers of ref syntax, `[0,2:]` */
static struct slice
ref_index(const struct rule *r)
{
    return value_trim(module_bytes(r->m, r->m->refs.at[atom_id(r->m->atoms.at[r->eqn->atoms])].index));
}

/* the type of the accessed ref */
static struct aval
ref_aval(const struct rule *r)
{
    atom_t a = r->m->atoms.at[r->eqn->atoms];
    return atom_kind(a) == ATOM_REF ? aval_here(r, r->m->refs.at[atom_id(a)].ref) : r->in[0];
}

static bool
read_bound(struct slice text, i64 *out)
{
    struct cursor c = cursor_of(text);
    return value_int(&c, out) && value_done(&c);
}

/* a part of the indexers of ref syntax */
static struct where
at_indexer(const struct rule *r, const struct refexpr *ref, struct slice part)
{
    return at_text(ref->index.at + (u32)(part.at - module_bytes(r->m, ref->index).at), (u32)part.n);
}

/* the extent of `:`, `:4`, `1:`, `2:6`, `d:d+8`, `3:3+n` on an axis of extent `whole`; unknown unless it is a number.
 * *first is its start, or INT64_MIN if that is not a number */
static struct dim
slice_extent(struct slice text, struct dim whole, i64 *first)
{
    const char *colon = memchr(text.at, ':', text.n);
    struct slice low = value_trim((struct slice){text.at, (size_t)(colon - text.at)}),
                 high = value_trim((struct slice){colon + 1, (size_t)(text.at + text.n - colon - 1)});
    i64 from = 0, to;
    bool from_known = low.n == 0 || read_bound(low, &from);
    *first = from_known ? from : INT64_MIN;
    if (high.n == 0)
        return from_known ? dim_sub(whole, dim_of(from)) : dim_unknown();
    for (size_t i = high.n; i > 0; i--)
        if (high.at[i - 1] == '+')
            return read_bound(value_trim((struct slice){high.at + i, high.n - i}), &to) ? dim_of(to) : dim_unknown();
    return from_known && read_bound(high, &to) && !__builtin_sub_overflow(to, from, &to) ? dim_of(to) : dim_unknown();
}

/* the variable in an indexer, among those of the access, or NONE */
static atom_t
indexer_var(const struct rule *r, const struct refexpr *ref, struct slice text)
{
    struct name_buffer buffer;
    for (u32 i = 0; i < ref->n_uses; i++) {
        atom_t a = r->m->uses.at[ref->uses + i];
        if (atom_kind(a) == ATOM_VAR && slice_eq(module_name(r->m, r->m->vars.at[atom_id(a)].name, &buffer), text))
            return a;
    }
    return NONE;
}

/* checks an integer or array indexer of an axis, and adds it to the block; false if it is unknown or a float. JAX
 * clamps a number that is out of range; one below 0 counts from the end */
static bool
index_axis(struct rule *r, const struct refexpr *ref, struct slice text, struct dims dims, u32 axis, struct view *view)
{
    i64 value;
    if (read_bound(text, &value)) {
        if (dims.at[axis].kind == DIM_INT && (value >= dims.at[axis].value || value < -dims.at[axis].value)) {
            rule_warning(r, DIAG_T029, at_indexer(r, ref, text),
                         "index %lld is out of range: axis %u of `%s` has size %s", (long long)value, axis,
                         format_operand(r, 0), format_dim(r, dims.at[axis]));
            rule_note_operand(r, 0);
        }
        return true;
    }
    if (is_digit(text.at[text.at[0] == '-']) && memchr(text.at, '.', text.n))
        return rule_stricter(r, DIAG_T029, at_indexer(r, ref, text),
                             "the indices of `%s` must be integers, but `%s` is a float", format_operand(r, 0),
                             format_slice(r, text));
    atom_t var = indexer_var(r, ref, text);
    struct aval a = var == NONE ? aval_unknown() : aval_here(r, var);
    if (a.kind != AVAL_ARRAY || !a.ranked)
        return false;
    if (a.classes && !(a.classes & (IN_INT | IN_BOOL))) {
        rule_stricter(r, DIAG_T029, at_indexer(r, ref, text), "the indices of `%s` must be integers, but `%s` is %s",
                      format_operand(r, 0), format_slice(r, text), format_aval(r, &a));
        rule_note_atom(r, var);
    }
    if (a.rank > view->block.n)
        view->block = (struct dims){a.dims, a.rank};
    return true;
}

/* checks a slice of an axis, and computes its extent; false if it ends before its start: JAX never prints bounds below
 * 0, which count from the end in Python. JAX compiles no slice of numbers that is out of range, and traces only few; of
 * one whose start is an operand, as in `3:3+2`, it clamps the start (indexing.py, NDIndexer) */
static bool
slice_axis(struct rule *r, const struct refexpr *ref, struct slice text, struct dims dims, u32 axis, struct dim *out)
{
    struct dim whole = dims.at[axis];
    i64 first, size = (*out = slice_extent(text, whole, &first)).value;
    if (out->kind == DIM_INT && whole.kind == DIM_INT && first > INT64_MIN && size >= 0 &&
        (__builtin_add_overflow(first, size, &first) || first > whole.value)) {
        report_fn *report = memchr(text.at, '+', text.n) ? rule_warning : rule_stricter;
        report(r, DIAG_T029, at_indexer(r, ref, text), "the slice `%s` is out of range: axis %u of `%s` has size %s",
               format_slice(r, text), axis, format_operand(r, 0), format_dim(r, whole));
        rule_note_operand(r, 0);
    }
    if (out->kind != DIM_INT || size >= 0)
        return true;
    rule_error(r, DIAG_T029, at_indexer(r, ref, text), "the slice `%s` of `%s` ends before its start",
               format_slice(r, text), format_operand(r, 0));
    return memchr(text.at, '-', text.n) &&
           rule_hint(r,
                     "in a Jaxpr, both bounds of a slice count from the start of the axis, even where the Python code "
                     "counts from its end");
}

/* applies `[i,:,2:6]` to an array of these dims */
static bool
index_group(struct rule *r, const struct refexpr *ref, struct slice group, struct dims dims, struct view *view)
{
    struct slice inner = value_trim((struct slice){group.at + 1, group.n - 2}), element;
    struct cursor c = cursor_of(inner);
    struct dim *slices = rule_alloc(r, (dims.n + 1u) * sizeof *slices);
    u32 axis = 0, n = 0;
    i64 last = -1;
    bool together = true;
    *view = (struct view){.known = true};
    if (inner.n == 0 || slice_eq(inner, SLICE("..."))) {
        view->slices = dims;
        return true;
    }
    for (; value_element(&c, &element); axis++) {
        if (axis >= dims.n) {
            axis++;
            break;
        }
        if (memchr(element.at, ':', element.n)) {
            if (!slice_axis(r, ref, element, dims, axis, &slices[n++]))
                return false;
        } else {
            if (!index_axis(r, ref, element, dims, axis, view))
                view->known = false;
            if (last < 0)
                view->at = n;
            together &= last < 0 || last + 1 == axis;
            last = axis;
        }
    }
    view->slices = (struct dims){slices, n};
    if (!together)
        view->at = 0;
    if (axis == dims.n && value_done(&c))
        return true;
    while (value_element(&c, &element))
        axis++;
    return rule_error(r, DIAG_T029, at_operand(0), "`%s` has %s, but `%s` has %s", format_operand(r, 0),
                      format_count(r, dims.n, "axis", "axes"), format_slice(r, group),
                      format_count(r, axis, "index", "indices")) ||
           rule_note_operand(r, 0);
}

/* the dims of a view: slices with the block inserted at `at` */
static struct aval
view_aval(struct rule *r, const struct aval *ref, const struct view *view, u32 at)
{
    u32 rank = view->block.n + view->slices.n;
    struct dim *dims = rule_alloc(r, (rank + 1u) * sizeof *dims);
    for (u32 i = 0, s = 0; i < rank; i++)
        dims[i] = i >= at && i < at + view->block.n ? view->block.at[i - at] : view->slices.at[s++];
    struct aval a = aval_array(ref->dtype, rank, dims);
    a.bounded = ref->bounded;
    a.classes = ref->classes;
    return a;
}

/* the type of the part in newer versions and up to 0.4 (struct view), unranked if unknown; false after a report */
static bool
covered(struct rule *r, struct aval *newer, struct aval *older)
{
    struct aval ref = ref_aval(r);
    bool indexed = has_indexers(r);
    *newer = aval_array(ref.dtype, 0, NULL);
    newer->bounded = ref.bounded;
    newer->classes = ref.classes;
    newer->ranked = false;
    *older = *newer;
    if (indexed && !ref.ranked)
        return true;
    const struct refexpr *expr = indexed ? &r->m->refs.at[atom_id(r->m->atoms.at[r->eqn->atoms])] : NULL;
    struct slice text = indexed ? ref_index(r) : SLICE(""), group;
    if (indexed && ref.kind == AVAL_REF && !ref_index_allowed(r, text, &ref))
        return false;
    bool shown = indexed ? ref_transformed(r, &text, &ref) : !ref_tree_transforms(r);
    if (!shown || memchr(text.at, '{', text.n) || memchr(text.at, '(', text.n)) {
        newer->dtype = older->dtype = NONE;
        newer->classes = older->classes = IN_ANY;
        return true;
    }
    if (!indexed)
        return true;
    newer->dtype = older->dtype = ref.dtype;
    newer->classes = older->classes = ref.classes;
    struct dims dims = {ref.dims, ref.rank};
    struct view view = {.known = true, .slices = dims};
    if (text.n == 0)
        *newer = view_aval(r, &ref, &view, 0);
    for (const char *close; text.n && view.known;) {
        if (text.at[0] != '[' || !(close = index_close(text.at, text.at + text.n)))
            return true;
        group = (struct slice){text.at, (size_t)(close + 1 - text.at)};
        if (!index_group(r, expr, group, dims, &view))
            return false;
        text = value_trim((struct slice){close + 1, text.n - group.n});
        if (view.known) {
            *newer = view_aval(r, &ref, &view, view.at);
            dims = (struct dims){newer->dims, newer->rank};
        }
    }
    newer->ranked &= view.known;
    *older = view.known ? view_aval(r, &ref, &view, 0) : *newer;
    ref_shard_part(r, &ref, newer);
    return !r->failed;
}

/* checks that operand 0 is a ref; reports T025 with `report` */
static bool
is_ref_or(struct rule *r, report_fn *report)
{
    struct aval ref = r->n ? ref_aval(r) : aval_unknown();
    if (r->n == 0)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` requires a ref", format_prim(r));
    if (aval_may_be_ref(&ref))
        return true;
    const char *which = r->n == 1 ? "operand" : "first operand", *prim = format_prim(r);
    const char *what = r->eqn->form == EQN_GET  ? format_text(r, "`%s` reads only from refs", prim)
                       : r->eqn->form > EQN_GET ? format_text(r, "`%s` writes only to refs", prim)
                                                : format_text(r, "the %s of `%s` must be a ref", which, prim);
    report(r, DIAG_T025, at_operand(0), "%s: `%s` is %s", what, format_operand(r, 0), format_aval(r, &ref));
    return rule_note_operand(r, 0);
}

/* reports the first number in the indexers that is larger than 2^63-1; true if it is the index of an axis or the start
 * of a slice like `3:3+2`, which JAX clamps */
static bool
report_large_index(struct rule *r)
{
    const struct refexpr *ref = &r->m->refs.at[atom_id(r->m->atoms.at[r->eqn->atoms])];
    struct slice index = ref_index(r), number = large_integer(index);
    struct aval whole = ref_aval(r);
    struct slice rest = {number.at + number.n + 1, (size_t)(index.at + index.n - number.at) - number.n - 1};
    bool operand = !memchr(index.at, '{', (size_t)(number.at - index.at)) &&
                   (rest.at[-1] == ':' ? slice_starts(rest, number) : number.at[-1] != ':');
    report_fn *report = operand ? rule_warning : rule_error;
    report(r, DIAG_T029, at_indexer(r, ref, number), "index %s is out of range: `%s` is %s", format_slice(r, number),
           format_operand(r, 0), format_aval(r, &whole));
    return rule_note_operand(r, 0) || operand;
}

/* checks the operands of an access, then the part that is `covered`: `<-` and `+=` print the ref with indexers, `[...]`
 * for all of it (primitives.py, pp_ref_transforms), and at most one value; in other syntax, indexers are operands */
static bool
accesses(struct rule *r, u32 operands, const char *what, struct aval *newer, struct aval *older)
{
    bool fine = is_ref_or(r, rule_error);
    if (fine && has_indexers(r) && !integers_fit(ref_index(r)))
        fine = report_large_index(r);
    else if (fine && r->eqn->form != EQN_CALL && !has_indexers(r) && ref_aval(r).kind == AVAL_REF)
        fine = rule_error(r, DIAG_T025, at_operand(0),
                          "the brackets after the ref `%s` are missing; `%s[...]` accesses the whole ref",
                          format_operand(r, 0), format_operand(r, 0));
    else if (fine && r->eqn->form != EQN_CALL && r->n > operands && ref_aval(r).kind == AVAL_REF)
        fine = rule_error(r, DIAG_T005, at_operand(operands), "`%s` takes %s; `%s` is an extra operand", format_prim(r),
                          what, format_operand(r, operands));
    return fine && covered(r, newer, older);
}

/* ---- accesses ---- */

/* false for a ref to a token or to another ref, whose type is not read */
static bool
holds_arrays(const struct aval *held)
{
    return held->ranked || held->dtype != NONE;
}

/* checks that result 0 has the type of the value read */
static bool
reads(struct rule *r, const struct aval *newer, const struct aval *older)
{
    if (r->n_results == 0 && r->eqn->form != EQN_CALL)
        return true;
    if (!rule_results(r, 1))
        return false;
    if (!holds_arrays(newer))
        return true;
    struct aval binder = rule_binder(r, 0);
    return (result_agrees(r, older, &binder) != NO || rule_result(r, 0, newer)) && rule_result_sharded(r, 0, newer) &&
           rule_read_varies(r, ref_aval(r).type);
}

/* checks that operand 1 has the type of the accessed part */
static bool
writes(struct rule *r, const struct aval *newer, const struct aval *older)
{
    const struct aval *value = &r->in[1];
    if (r->n < 2)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` requires a value to write", format_prim(r));
    if (r->eqn->form != EQN_CALL && atom_kind(r->m->atoms.at[r->eqn->atoms + 1]) == ATOM_REF) {
        struct aval of = aval_here(r, r->m->refs.at[atom_id(r->m->atoms.at[r->eqn->atoms + 1])].ref);
        if (!aval_may_be_ref(&of))
            return rule_error(r, DIAG_T025, at_operand(1), "only a ref can be indexed: `%s` is %s",
                              format_operand(r, 1), format_aval(r, &of)) ||
                   rule_note_operand(r, 1);
        rule_error(r, DIAG_T025, at_operand(1),
                   "the value that `%s` writes must be an array, not part of a ref: `%s` is indexed", format_prim(r),
                   format_operand(r, 1));
        return rule_note_operand(r, 1) || rule_hint_read(r, 1);
    }
    struct aval ref = ref_aval(r);
    if (ref.kind == AVAL_REF && !holds_arrays(&ref))
        return rule_trust(r, at_operand(0), "`%s` is not a ref to an array, so what is written is not verified",
                          format_operand(r, 0));
    if (value->kind == AVAL_REF && holds_arrays(newer))
        return rule_error_operand(r, DIAG_T025, 1, "the value that `%s` writes must be an array, not a ref",
                                  format_prim(r));
    if (value->kind != AVAL_ARRAY)
        return true;
    if (avals_agree(newer, value) != NO || avals_agree(older, value) != NO)
        return rule_ref_varies(r, value->type, ref.type, at_operand(1),
                               format_text(r, "`%s` writes `%s`", format_prim(r), format_operand(r, 1)));
    bool shapes = shapes_agree(newer, value) == NO;
    struct slice index = has_indexers(r) ? ref_index(r) : SLICE("");
    rule_error(r, shapes ? DIAG_T008 : DIAG_T007, at_operand(1),
               "`%s` writes `%s`, which is %s, to `%s%s`, which is %s", format_prim(r), format_operand(r, 1),
               format_aval(r, value), format_operand(r, 0), newer->ranked ? format_slice(r, index) : "",
               format_aval(r, newer->ranked ? newer : &ref));
    rule_note_operand(r, 1);
    return rule_note_operand(r, 0);
}

bool
shape_addupdate(struct rule *r, struct aval *out)
{
    struct aval newer, older;
    *out = aval_unknown();
    return accesses(r, 2, "one ref and one value", &newer, &older) && writes(r, &newer, &older) &&
           ref_value_sharded(r, &newer) && (r->eqn->form != EQN_CALL || rule_results(r, 0));
}

/* load, atomic_rmw etc.: part of a ref is accessed and returned; the tree that determines it prints as stars */
bool
shape_touch_ref(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return is_ref_or(r, rule_error) && (r->eqn->form != EQN_CALL || rule_results(r, 1));
}

/* checks that operand k of a load or swap, its mask, if it prints one, broadcasts against the accessed part
 * (jax/_src/pallas/primitives.py, _load_abstract_eval) */
static bool
mask_fits(struct rule *r, u32 k, const struct aval *part)
{
    const struct aval *mask = k < r->n && r->eqn->form != EQN_CALL ? &r->in[k] : NULL;
    if (mask == NULL || !part->ranked || !mask->ranked)
        return true;
    for (u32 i = 1; i <= part->rank && i <= mask->rank; i++) {
        const struct dim *a = &part->dims[part->rank - i], *b = &mask->dims[mask->rank - i];
        if (dim_equal(a, b) == NO && !dim_is(*a, 1) && !dim_is(*b, 1)) {
            rule_error(r, DIAG_T008, at_operand(k),
                       "`%s`, the mask of `%s`, is %s, which does not broadcast against `%s%s`, which is %s",
                       format_operand(r, k), format_prim(r), format_aval(r, mask), format_operand(r, 0),
                       format_slice(r, ref_index(r)), format_aval(r, part));
            return rule_note_operand(r, k) || rule_note_operand(r, 0);
        }
    }
    return true;
}

/* checks that result 0 is the accessed part, and that there are at most `operands` operands, which `what` describes */
static bool
loads(struct rule *r, u32 operands, const char *what, struct aval *out)
{
    struct aval newer, older;
    *out = aval_unknown();
    return accesses(r, operands, what, &newer, &older) && mask_fits(r, 1, &newer) && reads(r, &newer, &older);
}

/* the same if operand 1 replaces the accessed part */
static bool
swaps(struct rule *r, u32 operands, const char *what, struct aval *out)
{
    struct aval newer, older;
    *out = aval_unknown();
    return accesses(r, operands, what, &newer, &older) && writes(r, &newer, &older) && mask_fits(r, 2, &newer) &&
           reads(r, &newer, &older);
}

bool
shape_get(struct rule *r, struct aval *out)
{
    return loads(r, 1, "one ref", out);
}

bool
shape_swap(struct rule *r, struct aval *out)
{
    return swaps(r, 2, "one ref and one value", out);
}

bool
shape_masked_load(struct rule *r, struct aval *out)
{
    return r->eqn->form == EQN_CALL ? shape_touch_ref(r, out) : loads(r, 3, "one ref, `mask=` and `other=`", out);
}

bool
shape_masked_swap(struct rule *r, struct aval *out)
{
    return r->eqn->form == EQN_CALL ? shape_touch_ref(r, out) : swaps(r, 3, "one ref, one value and `mask=`", out);
}

/* ---- making and ending refs ---- */

/* checks that result 0 is a ref in the space of `memory_space`, or of the operand (jax/_src/core.py, new_ref) */
static bool
ref_in_space(struct rule *r)
{
    struct aval binder = rule_binder(r, 0);
    struct slice requested;
    if (binder.kind != AVAL_REF || binder.type == NONE || !param_text(r, "memory_space", &requested))
        return true;
    struct slice space = type_get(&r->m->types, binder.type)->space;
    bool none = slice_eq(requested, SLICE("None"));
    if (none ? space.n == 0 || space_inherited(r, space) : slice_eq(space, requested))
        return true;
    const char *message =
        format_text(r, "`%s` is bound as %s, but `%s` creates a ref in %s", format_result(r, 0),
                    format_aval(r, &binder), format_prim(r), none ? "no memory space" : format_slice(r, requested));
    bool fine = space.n == 0 || none ? rule_stricter(r, DIAG_T003, at_result(0), "%s", message)
                                     : rule_error(r, DIAG_T003, at_result(0), "%s", message);
    rule_note(r, at_param(r, "memory_space"), DETERMINED_BY, "the memory space of the result", "memory_space");
    return fine;
}

/* a ref to a copy of the operand */
bool
shape_new_ref(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    if (out->kind == AVAL_UNKNOWN || out->kind == AVAL_OTHER)
        return rule_results(r, 1);
    if (out->kind == AVAL_REF) { /* JAX makes a ref of a ref */
        rule_stricter(r, DIAG_T025, at_operand(0), "the operand of `%s` must be an array: `%s` is %s", format_prim(r),
                      format_operand(r, 0), format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    if (out->kind != AVAL_ARRAY)
        return rule_error_operand(r, DIAG_T025, 0, "the operand of `%s` must be an array", format_prim(r));
    out->kind = AVAL_REF;
    out->type = NONE;
    if (!rule_results(r, 1) || !rule_result(r, 0, out) || !rule_result_sharded(r, 0, out))
        return false;
    struct aval binder = rule_binder(r, 0);
    if (is_nested_ref(r->m, &binder))
        return rule_error(r, DIAG_T003, at_result(0),
                          "`%s` is bound as %s, but `%s` creates a ref to `%s`, which is %s", format_result(r, 0),
                          format_aval(r, &binder), format_prim(r), format_operand(r, 0), format_aval(r, &r->in[0])) ||
               rule_note_operand(r, 0);
    const char *is = format_text(r, "`%s` creates a ref to `%s`", format_prim(r), format_operand(r, 0));
    return rule_ref_varies(r, r->in[0].type, binder.type, at_result(0), is) && ref_in_space(r);
}

/* a ref of the type in `ty` */
bool
shape_empty_ref(struct rule *r, struct aval *out)
{
    struct slice text;
    *out = aval_unknown();
    if (!rule_results(r, 1))
        return false;
    if (!param_text(r, "ty", &text) || !read_aval(r, text, out))
        return rule_trust_param(r, at_param(r, "ty"), "ty");
    out->kind = AVAL_REF;
    return rule_result(r, 0, out) && ref_in_space(r);
}

/* the final contents of the ref */
bool
shape_freeze(struct rule *r, struct aval *out)
{
    *out = r->in[0];
    if (!is_ref_or(r, rule_error) || !rule_results(r, 1))
        return false;
    atom_t ref = r->m->atoms.at[r->eqn->atoms];
    if (!r->probe && atom_kind(ref) == ATOM_VAR &&
        jaxpr_binds(&r->m->jaxprs.at[rule_jaxpr_of_eqn(r)], atom_id(ref))) { /* JAX fails to compile this */
        rule_warning(r, DIAG_T025, at_operand(0),
                     "`%s` can end only a ref created in the same program: `%s` is an argument", format_prim(r),
                     format_operand(r, 0));
        rule_note_operand(r, 0);
    }
    ref_ends(r);
    if (out->kind != AVAL_REF)
        return true;
    out->kind = AVAL_ARRAY;
    out->type = NONE;
    return rule_result(r, 0, out) && rule_result_sharded(r, 0, out) && rule_read_varies(r, r->in[0].type);
}

bool
shape_free_ref(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return is_ref_or(r, rule_stricter) && rule_results(r, 0); /* JAX does not check it */
}

/* ---- programs over refs ---- */

/* run_state: its program has a ref for each operand, and for each entry of is_initialized that is False; results are
 * like the operands (jax/_src/state/discharge.py _run_state_abstract_eval) */
bool
shape_run_state(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "jaxpr");
    struct ints given;
    u32 operands = 0;
    *out = aval_unknown();
    if (body == NONE)
        return rule_trust_param(r, at_prim(), "jaxpr");
    bool listed = param_ints(r, "is_initialized", &given);
    for (u32 i = 0; listed && i < given.n; i++)
        operands += given.at[i] != 0;
    if (listed && (operands != r->n || given.n != jaxpr_ins(r, body)))
        return rule_error(
            r, DIAG_T018, at_param(r, "is_initialized"),
            "`is_initialized` of `%s` must have an entry for each ref (%u), True for each operand (%u), but has %s, %u "
            "of them True",
            format_prim(r), jaxpr_ins(r, body), r->n, format_count(r, given.n, "entry", "entries"), operands);
    if (!listed && jaxpr_ins(r, body) != r->n)
        return bind_count(r, STRICTER, body, r->n, "jaxpr");
    if (jaxpr_outs(r, body))
        return rule_stricter(r, DIAG_T012, at_out(body, 0),
                             "the program of `%s` must return nothing: results are written to refs", format_prim(r));
    if (listed && given.n != r->n)
        return true;
    /* which_linear is not checked: JAX does not update it when it expands a hijax value (_run_state_to_lojax) */
    return results_like_operands(r) && bind_refs(r);
}

/* run_scoped: the program's constvars are the operands, its invars fresh refs */
bool
shape_run_scoped(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "jaxpr");
    *out = aval_unknown();
    if (body == NONE)
        return rule_trust_param(r, at_prim(), "jaxpr");
    if (jaxpr_consts(r, body) && jaxpr_consts(r, body) != r->n)
        return rule_stricter(r, DIAG_T012, at_prim(), "`%s` passes %s to its program, which has %s", format_prim(r),
                             format_count(r, r->n, "operand", "operands"),
                             format_count(r, jaxpr_consts(r, body), "constant", "constants")) ||
               rule_note(r, at_part(r, body, false, NONE), "the program begins here");
    if (!bind_outs(r, body, "jaxpr"))
        return false;
    return jaxpr_consts(r, body) == 0 || bind_operands(r, STRICTER, body, 0, 0, r->n);
}
