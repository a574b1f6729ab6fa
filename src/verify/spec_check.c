/* SPDX-License-Identifier: Apache-2.0
 *
 * The sharding of a result in a parameter, `NamedSharding(mesh=AbstractMesh('x': 4, ..), spec=P('x', None))`,
 * against the result's type: jax/_src/core.py, get_sharding and _check_divisibility, and
 * jax/_src/named_sharding.py, check_pspec. Linear in its bytes and in the axes of its mesh. */
#include "verify/checker.h"
#include "verify/value_kinds.h"
#include "base/object_words.h"
#include "verify/sharding_rules.h"
#include "verify/varying_axes.h"

/* A spec being checked: the name of its parameter, its mesh, and the axes used so far. */
struct spec_check {
    struct rule *r;
    const char *key;
    const struct aval *result;
    u32 i; /* which result */
    struct mesh mesh;
    u64 seen;
    bool sized; /* the result is laid out over an explicit mesh, whose axes must divide its sizes */
};

/* checks entry d of the spec, `'x'` or `('x', 'y')`: NamedSharding requires axes of the mesh, each at most once; their
 * sizes must divide the extent */
static bool
entry_fits(struct spec_check *s, u32 d, struct slice entry)
{
    struct rule *r = s->r;
    struct slice one = entry;
    i64 parts = 1;
    struct cursor c = entry.at[0] == '(' ? cursor_inside(entry) : cursor_of(entry);
    while (value_element(&c, &one)) {
        bool quoted = one.n > 1 && one.at[0] == '\'';
        if (!quoted && !(one.n && (is_digit(one.at[0]) || one.at[0] == '-')))
            return true; /* None, or PartitionSpec.UNCONSTRAINED */
        struct slice name = quoted ? (struct slice){one.at + 1, one.n - 2} : one;
        u32 axis = mesh_find(&s->mesh, name);
        if (axis == NONE)
            return rule_stricter(r, DIAG_T010, at_slice(r, s->key, name),
                                 "`%s` of `%s` names the axis `%s`, which is not in the mesh", s->key, format_prim(r),
                                 format_slice(r, name));
        if (s->seen >> axis & 1)
            return rule_stricter(r, DIAG_T010, at_slice(r, s->key, name), "`%s` of `%s` names the mesh axis `%s` twice",
                                 s->key, format_prim(r), format_slice(r, name));
        s->seen |= 1ull << axis;
        if (s->mesh.axes[axis].size < 1 || __builtin_mul_overflow(parts, s->mesh.axes[axis].size, &parts))
            return true;
    }
    if (!s->sized || d >= s->result->rank)
        return true;
    const struct dim *extent = &s->result->dims[d];
    if (extent->kind != DIM_INT || dim_divisible(*extent, parts) != NO)
        return true;
    return rule_stricter(
               r, DIAG_T009, at_slice(r, s->key, entry),
               "`%s` of `%s` splits axis %u of `%s` into %lld parts, but its size %s is not a multiple of %lld", s->key,
               format_prim(r), d, format_result(r, s->i), (long long)parts, format_dim(r, *extent), (long long)parts) ||
           rule_note_result(r, s->i);
}

/* warns of a concrete mesh: types have abstract meshes, which JAX derives from concrete ones. Always true */
static bool
mesh_is_abstract(struct spec_check *s, struct slice text)
{
    struct slice mesh;
    if (s->r->prim->is.sharding_hidden || !value_field(text, "mesh", &mesh) || !slice_starts(mesh, SLICE("Mesh(")))
        return true;
    return rule_warning(s->r, DIAG_T010, at_slice(s->r, s->key, mesh),
                        "`%s` of `%s` must have an `AbstractMesh`, got `%s`", s->key, format_prim(s->r),
                        format_slice(s->r, mesh));
}

/* checks that axis d of the result is sharded over the explicit axes in its entry of the spec; false after a warning.
 * Not an error, as JAX compares shardings only from JAX_SHARDINGS_COMPARED on */
static bool
axis_placed(struct spec_check *s, u32 d, struct slice spec, struct slice entry)
{
    struct rule *r = s->r;
    const struct dim *extent = &s->result->dims[d];
    struct slice wanted = spec_names(r, &s->mesh, s->mesh.is_explicit, entry, (struct slice){"", 0});
    if (extent->kind >= DIM_WINDOWS || value_alike(wanted, extent->sharding))
        return true;
    bool hidden = !wanted.n && entry.n && !slice_eq(entry, SLICE("None")); /* types do not show it */
    rule_warning(r, DIAG_T003, at_result(s->i),
                 wanted.n ? "`%s` is bound as %s, but `%s` of `%s` shards axis %u over `%s`"
                 : hidden ? "`%s` is bound as %s, but `%s` of `%s` shards axis %u over no Explicit mesh axis"
                          : "`%s` is bound as %s, but `%s` of `%s` leaves axis %u unsharded",
                 format_result(r, s->i), format_aval(r, s->result), s->key, format_prim(r), d, format_slice(r, wanted));
    rule_note(r, at_slice(r, s->key, entry.n ? entry : spec),
              entry.n ? "this is the entry for axis %u" : "this spec has no entry for axis %u", d);
    if (hidden)
        rule_hint(r, "types show only Explicit axes of a mesh, and the mesh does not declare %s Explicit",
                  format_slice(r, entry));
    return false;
}

/* the entries of a spec, `P('x', None)` */
static struct cursor
entries_of(struct slice spec)
{
    const char *open = memchr(spec.at, '(', spec.n);
    struct cursor c = {open ? open : spec.at, spec.at + spec.n};
    value_open(&c);
    return c;
}

static bool
next_entry(struct cursor *c, struct slice *entry)
{
    while (value_element(c, entry))
        if (!memchr(entry->at, '=', entry->n)) /* `unreduced={..}` */
            return true;
    return false;
}

/* the number of entries of a spec; with `used`, up to the last one that is not None */
static u32
count_entries(struct slice spec, bool used)
{
    struct slice entry;
    u32 n = 0, last = 0;
    for (struct cursor c = entries_of(spec); next_entry(&c, &entry);) {
        n++;
        last = used && is_none(entry) ? last : n;
    }
    return last;
}

u32
spec_entries(struct slice spec)
{
    return count_entries(spec, true);
}

/* whether the types of the equation show that it is on the mesh of its sharding: JAX does not compare shardings with
 * those of types without a mesh, which print like types that are replicated */
static bool
mesh_shown(const struct spec_check *s)
{
    bool shown = !is_unsharded(s->result);
    for (u32 i = 0; i < s->r->n && !shown; i++)
        shown = s->r->in[i].kind == AVAL_ARRAY && !is_unsharded(&s->r->in[i]);
    return shown;
}

/* checks that the result is unreduced and reduced over the explicit axes that the spec lists as `unreduced` and
 * `reduced`, and so is the operand of a reshape (jax/_src/lax/lax.py 0.12, functions named _.._ur_rule) */
static bool
reduced_as_asked(struct spec_check *s, struct slice spec)
{
    struct rule *r = s->r;
    for (u32 w = 0; w < countof(reductions); w++) {
        struct slice odd;
        char letter = reductions[w].letter;
        u64 named = spec_reduced(&s->mesh, spec, reductions[w].field, &odd), taken = 0;
        u64 have = printed_axes(r, &s->mesh, s->result, letter) & s->mesh.is_explicit;
        for (u32 i = 0; i < r->n; i++)
            taken |= printed_axes(r, &s->mesh, &r->in[i], letter) & s->mesh.is_explicit;
        bool kept = r->prim->is.sharding == SHARD_RESHAPED;
        u64 wrong = have ^ (named ? named : have & taken), unlike = kept ? taken ^ named : 0, odd_one = unlike | wrong;
        if (!odd_one)
            continue;
        const char *axis = format_slice(r, s->mesh.axes[__builtin_ctzll(unlike ? unlike : wrong)].name);
        report_fn *report = have || taken || mesh_shown(s) ? rule_error : rule_warning;
        if (unlike) {
            report(r, DIAG_T030, at_slice(r, s->key, spec),
                   "`%s` of `%s` is %s%s over `%s`, but its operand is%s: `%s` is %s", s->key, format_prim(r),
                   unlike & named ? "" : "not ", reductions[w].field, axis, unlike & named ? " not" : "",
                   format_operand(r, 0), format_aval(r, &r->in[0]));
            return rule_note_operand(r, 0);
        }
        bool fine = report(r, DIAG_T030, at_result(s->i), "`%s` is bound as %s, but `%s` of `%s` %s it %s over `%s`",
                           format_result(r, s->i), format_aval(r, s->result), s->key, format_prim(r),
                           wrong & have ? "does not make" : "makes", reductions[w].field, axis);
        rule_note(r, at_slice(r, s->key, spec), "this spec %s `%s` as %s", wrong & have ? "does not name" : "names",
                  axis, reductions[w].field);
        return fine;
    }
    return true;
}

/* checks that what completes an unreduced result is what the row says, and what its type and, of a reshape, the
 * operand's type show (jax/_src/lax/lax.py 0.12, functions named _.._unreduced_rule) */
static bool
completed_as_asked(struct spec_check *s, struct slice spec)
{
    struct rule *r = s->r;
    enum completion by = spec_completion(spec), want = r->prim->is.completed, given;
    bool certain = s->mesh.is_explicit;
    struct slice kind;
    if (by == BY_ANY && value_field(spec, "unreduced_kind", &kind) && !slice_eq(kind, SLICE("None")))
        return rule_error(r, DIAG_T010, at_slice(r, s->key, kind),
                          "`unreduced_kind` in `%s` of `%s` must be sum, max or min, got `%s`", s->key, format_prim(r),
                          format_slice(r, kind));
    if (by == BY_ANY)
        return true;
    enum completion bound = vary_completion(r, s->result, certain);
    report_fn *report = bound != BY_ANY || mesh_shown(s) ? rule_error : rule_warning;
    if (want && want != by)
        return report(r, DIAG_T030, at_slice(r, s->key, spec),
                      "`%s` of `%s` has unreduced_kind %s, but that of %s can only be %s", s->key, format_prim(r),
                      completion_kind(by), format_which_result(r, s->i), completion_kind(want));
    if (r->prim->is.sharding == SHARD_RESHAPED && (given = vary_completion(r, &r->in[0], certain)) != BY_ANY &&
        given != by) {
        rule_error(r, DIAG_T030, at_slice(r, s->key, spec),
                   "`%s` of `%s` has unreduced_kind %s, but that of its operand is %s: `%s` is %s", s->key,
                   format_prim(r), completion_kind(by), completion_kind(given), format_operand(r, 0),
                   format_aval(r, &r->in[0]));
        return rule_note_operand(r, 0);
    }
    if (bound == BY_ANY || bound == by)
        return true;
    rule_error(r, DIAG_T030, at_result(s->i), "`%s` is bound as %s, but `%s` of `%s` has unreduced_kind %s",
               format_result(r, s->i), format_aval(r, s->result), s->key, format_prim(r), completion_kind(by));
    return rule_note(r, at_slice(r, s->key, spec), "this spec has the kind");
}

/* checks that the result has the sharding of the spec */
static bool
spec_applied(struct spec_check *s, struct slice spec)
{
    struct cursor c = entries_of(spec);
    struct slice entry;
    bool right = true;
    if (!s->mesh.typed || s->result->kind != AVAL_ARRAY || s->result->type == NONE || !s->result->ranked)
        return true;
    for (u32 d = 0; right && d < s->result->rank; d++) {
        if (!next_entry(&c, &entry))
            entry = (struct slice){"", 0};
        right = axis_placed(s, d, spec, entry);
    }
    return reduced_as_asked(s, spec) && completed_as_asked(s, spec);
}

/* checks all entries of the spec; a name with spaces around it is reported as a value */
static bool
entries_fit(struct spec_check *s, struct slice spec)
{
    struct slice entry;
    u32 d = 0;
    for (struct cursor c = entries_of(spec); next_entry(&c, &entry); d++)
        if (!(*entry.at == '\'' && is_odd_axis(entry, 0)) && !entry_fits(s, d, entry))
            return false;
    return true;
}

/* checks that a spec of n entries has no more than the result has axes */
static bool
entries_counted(struct spec_check *s, struct slice spec, u32 n)
{
    struct rule *r = s->r;
    return n <= s->result->rank ||
           rule_stricter(r, DIAG_T009, at_slice(r, s->key, spec),
                         "the spec in `%s` of `%s` has %s, but the result, %s, has %s", s->key, format_prim(r),
                         format_count(r, n, "entry", "entries"), format_aval(r, s->result),
                         format_count(r, s->result->rank, "axis", "axes")) ||
           rule_note_result(r, s->i);
}

bool
rule_put(struct rule *r, u32 i, const char *key, struct slice sharding)
{
    struct aval result = rule_binder(r, i);
    struct spec_check s = {.r = r, .key = key, .result = &result, .i = i};
    struct slice spec, mesh;
    if (!value_field(sharding, "spec", &spec) || !value_field(sharding, "mesh", &mesh) || !mesh_read(mesh, &s.mesh))
        return true;
    s.sized = s.mesh.is_explicit && result.ranked;
    return mesh_fits(r, key, &s.mesh) && entries_fit(&s, spec) &&
           (!s.sized || entries_counted(&s, spec, count_entries(spec, false))) && spec_applied(&s, spec);
}

bool
rule_spec(struct rule *r, const struct param *p, const struct prim_param *param)
{
    struct slice text = value_trim(param_bytes(r->m, p)), spec, mesh;
    struct aval result = rule_binder(r, 0);
    struct spec_check s = {.r = r, .key = format_slice(r, param->key), .result = &result};
    if (!value_field(text, "spec", &spec)) {
        bool other = slice_starts(text, SLICE("Mesh(")) && !slice_eq(param->key, SLICE("mesh")); /* shard_map's rule */
        return !other || r->options->as_jax || !mesh_read(text, &s.mesh) || mesh_fits(r, s.key, &s.mesh);
    }
    bool named = value_field(text, "mesh", &mesh) && mesh_read(mesh, &s.mesh),
         placed = r->prim->is.sharding && r->n_results == 1 && result.ranked;
    s.sized = placed && s.mesh.is_explicit;
    if (named && !mesh_fits(r, s.key, &s.mesh))
        return false;
    if (named && placed)
        mesh_compare(r, s.key, mesh, &s.mesh);
    if (named && !entries_fit(&s, spec))
        return false;
    bool alike = r->prim->is.alike && r->n_results == 1 && result.ranked;
    u32 n = alike || placed ? count_entries(spec, alike) : 0;
    if (!r->prim->is.sharding_hidden && !entries_counted(&s, spec, n))
        return false;
    return !placed || (mesh_is_abstract(&s, text) && spec_applied(&s, spec));
}
