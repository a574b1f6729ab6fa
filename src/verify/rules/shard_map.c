/* SPDX-License-Identifier: Apache-2.0
 *
 * shard_map: the program inside sees one shard of every operand, whose axes are divided by the sizes of the mesh axes
 * that the specs lay over them; results are put together the same way (jax/_src/shard_map.py _shard_map_typecheck).
 * Where it checks varying axes (check_vma, 0.6 on) those printed in types are compared too. Linear in the specs and in
 * what types vary over, times the axes of the mesh, MESH_AXES at most. */
#include "verify/call_check.h"
#include "verify/varying_axes.h"
#include "verify/mesh.h"
#include "verify/ref_alias.h"
#include "verify/replication.h"

/* How a spec distributes one operand or result. */
struct layout {
    i64 *factors;              /* by axis of the operand: the product of its mesh axes */
    u64 set;                   /* the mesh axes in the spec, */
    u32 twice;                 /* and a repeated one, else NONE */
    i64 n_axes;                /* the number of its entries */
    struct slice unknown_prim; /* a name that is not an axis of the mesh, else empty */
    bool unread;               /* and it is after the last axis of the operand or result, which JAX does not check */
};

/* The specs of a parameter, and the one that specs_next has read. */
struct specs {
    const char *key;
    const struct mesh *mesh;
    struct cursor rest;
    bool of_results;
    u32 n, i;
    struct slice text;
    struct layout layout;
};

static struct slice
unquoted(struct slice name)
{
    return name.n >= 2 ? (struct slice){name.at + 1, name.n - 2} : name;
}

/* adds a mesh axis to axis `d`; false if its size is not known */
static bool
lay_name(struct layout *l, u32 rank, i64 d, const struct mesh *mesh, struct slice name)
{
    u32 axis = mesh_find(mesh, unquoted(name));
    if (axis == NONE && mesh->n > 0 && name.n > 2 && name.at[0] == '\'') {
        l->unknown_prim = name;
        l->unread = d >= rank;
    }
    if (axis == NONE || mesh->axes[axis].size <= 0)
        return false;
    if (l->set >> axis & 1 && l->twice == NONE)
        l->twice = axis;
    l->set |= 1ull << axis;
    return d < 0 || d >= rank || !__builtin_mul_overflow(l->factors[d], mesh->axes[axis].size, &l->factors[d]);
}

/* adds `'i'`, `('i', 'j')` or None */
static bool
lay_entry(struct layout *l, u32 rank, i64 d, const struct mesh *mesh, struct slice entry)
{
    struct cursor c = cursor_of(entry);
    struct slice name;
    if (slice_eq(entry, SLICE("None")))
        return true;
    if (!value_open(&c))
        return lay_name(l, rank, d, mesh, entry);
    while (value_element(&c, &name))
        if (!lay_name(l, rank, d, mesh, name))
            return false;
    return true;
}

/* reads the layout of `P('i', None)`, `PartitionSpec(('i', 'j'),)` or `{0: ('i',)}`; false if it cannot be read */
static bool
read_layout(struct rule *r, struct specs *s, u32 rank)
{
    struct layout *l = &s->layout;
    *l = (struct layout){.factors = rule_alloc(r, (rank + 1u) * sizeof *l->factors), .twice = NONE};
    for (u32 d = 0; d < rank; d++)
        l->factors[d] = 1;
    struct cursor c = cursor_of(s->text);
    struct slice element;
    i64 d;
    if (value_word(&c, "{")) {
        while (value_element(&c, &element)) {
            struct cursor entry = cursor_of(element);
            if (!value_int(&entry, &d) || !value_word(&entry, ":"))
                return false;
            value_blanks(&entry);
            if (!lay_entry(l, rank, d, s->mesh, (struct slice){entry.p, (size_t)(entry.end - entry.p)}))
                return false;
            if (d >= l->n_axes)
                l->n_axes = d < UINT32_MAX ? d + 1 : UINT32_MAX;
        }
        return value_word(&c, "}");
    }
    if (!value_word(&c, "PartitionSpec") && !value_word(&c, "P"))
        return false;
    if (!value_open(&c))
        return false;
    for (d = 0; value_element(&c, &element); d++) {
        if (memchr(element.at, '=', element.n)) /* unreduced=.. */
            break;
        if (!lay_entry(l, rank, d, s->mesh, element))
            return false;
    }
    l->n_axes = d;
    return true;
}

/* a spec has entries only for axes of its array, and uses each mesh axis once. Users' specs are checked when they are
 * given (jax/_src/shard_map.py, _check_specs_vs_args); JAX's checker checks only those of results */
static bool
layout_fits(struct rule *r, const struct specs *s, const struct aval *shard)
{
    const char *side = s->of_results ? "result" : "operand";
    const struct layout *l = &s->layout;
    if (!shard->ranked || (shard->kind != AVAL_ARRAY && shard->kind != AVAL_REF))
        return true;
    if (l->n_axes > shard->rank)
        return (s->of_results ? rule_error : rule_stricter)(
            r, DIAG_T009, at_item(r, s->key, s->i), "`%s` of `%s` has %u entries for the %s %s, which is %s", s->key,
            format_prim(r), (u32)l->n_axes, ordinal_of(s->i).text, side, format_aval(r, shard));
    if (l->twice != NONE)
        return (s->of_results ? rule_error : rule_stricter)(
            r, DIAG_T009, at_item(r, s->key, s->i), "`%s` of `%s` uses the mesh axis `%s` twice for the %s %s", s->key,
            format_prim(r), format_slice(r, s->mesh->axes[l->twice].name), ordinal_of(s->i).text, side);
    return true;
}

/* whether an unreadable spec contains only axes of the mesh: JAX fails without a size (jax/_src/shard_map.py 0.12,
 * _shard_shaped_array, _unshard_shaped_array) */
static bool
axes_known(struct rule *r, const struct specs *s)
{
    const struct layout *l = &s->layout;
    return l->unknown_prim.n == 0 ||
           (l->unread ? rule_stricter : rule_error)(r, DIAG_T009, at_item(r, s->key, s->i),
                                                    "`%s` of `%s` names the axis `%s`, which is not in the mesh",
                                                    s->key, format_prim(r), format_slice(r, unquoted(l->unknown_prim)));
}

/* `unreduced={'x'}` and `reduced={'x'}` of a spec are axes of the mesh, which the type of the operand or result shows:
 * `{U:x}` (jax/_src/shard_map.py, _shard_shaped_array, _unshard_shaped_array; 0.7 checks no operands) */
static bool
reductions_fit(struct rule *r, const struct specs *s)
{
    static const struct {
        const char *field;
        struct slice shown, of_kind;
    } ways[] = {{"unreduced", {"U:", 2}, {"U_", 2}}, {"reduced", {"R:", 2}, {"R:", 2}}};
    struct slice names, name;
    struct aval binder = s->of_results ? rule_binder(r, s->i) : aval_unknown();
    const struct aval *a = s->of_results ? &binder : &r->in[s->i];
    bool typed = a->literal || (a->kind == AVAL_ARRAY && a->type != NONE);
    struct slice vary = typed && !a->literal ? type_get(&r->m->types, a->type)->vary : (struct slice){"", 0};
    for (u32 w = 0; w < countof(ways); w++) {
        if (!s->mesh->n || !value_field(s->text, ways[w].field, &names))
            continue;
        struct cursor c = cursor_of(names);
        value_word(&c, "frozenset(");
        if (!value_word(&c, "{"))
            continue;
        while (value_element(&c, &name) && name.n > 2 && name.at[0] == '\'') {
            if (mesh_find(s->mesh, unquoted(name)) == NONE)
                return rule_error(r, DIAG_T009, at_item(r, s->key, s->i),
                                  "`%s` of `%s` names the axis `%s`, which is not in the mesh", s->key, format_prim(r),
                                  format_slice(r, unquoted(name)));
            if (typed && range_has(rule_versions(r), JAX_SPECS_COMPARED) && !slice_contains(vary, ways[w].shown) &&
                !slice_contains(vary, ways[w].of_kind)) {
                rule_error(r, DIAG_T009, s->of_results ? at_result(s->i) : at_operand(s->i),
                           "`%s` of `%s` declares the %s %s %s over `%s`, but its type does not: `%s` is %s", s->key,
                           format_prim(r), ordinal_of(s->i).text, s->of_results ? "result" : "operand", ways[w].field,
                           format_slice(r, unquoted(name)),
                           s->of_results ? format_result(r, s->i) : format_operand(r, s->i), format_aval(r, a));
                return !s->of_results && rule_note_operand(r, s->i);
            }
        }
    }
    return true;
}

/* sets *manual to the manual axes of the nested program, which are axes of the mesh; to all if they are not printed */
static bool
manual_known(struct rule *r, const char *key, const struct mesh *mesh, u64 *manual)
{
    struct slice text, name;
    if (mesh->n == 0 || !param_text(r, key, &text))
        return true;
    struct cursor c = cursor_of(text);
    if (value_word(&c, "frozenset") && !value_word(&c, "("))
        return true;
    if (!value_word(&c, "{"))
        return true;
    u64 named = 0;
    while (value_element(&c, &name)) {
        bool quoted = name.n > 2 && name.at[0] == '\'';
        u32 axis = quoted ? mesh_find(mesh, unquoted(name)) : NONE;
        if (quoted && axis == NONE)
            return rule_stricter(r, DIAG_T009, at_param(r, key),
                                 "`%s` of `%s` names the axis `%s`, which is not in the mesh", key, format_prim(r),
                                 format_slice(r, unquoted(name)));
        if (axis == NONE)
            return true;
        named |= 1ull << axis;
    }
    for (u32 i = 0; i < mesh->n; i++)
        named |= (u64)mesh->axes[i].manual << i;
    *manual = named;
    return true;
}

/* an operand varies over the axes of its spec, so they must be manual (jax/_src/shard_map.py 0.12, _shard_shaped_array)
 */
static bool
spec_manual(struct rule *r, const struct specs *s, u64 manual)
{
    u32 axis = 0;
    while (axis < s->mesh->n && !((s->layout.set & ~manual) >> axis & 1))
        axis++;
    return axis == s->mesh->n || rule_error(r, DIAG_T009, at_item(r, s->key, s->i),
                                            "`%s` of `%s` names the axis `%s`, which is not in `newly_manual_axes`",
                                            s->key, format_prim(r), format_slice(r, s->mesh->axes[axis].name));
}

/* finds in_specs or out_specs (in_names, out_names up to 0.5) */
static bool
specs_find(struct rule *r, const struct mesh *mesh, bool of_results, struct specs *s)
{
    struct slice text;
    const char *key = of_results ? "out_specs" : "in_specs", *old_key = of_results ? "out_names" : "in_names";
    bool found = param_text(r, key, &text);
    *s = (struct specs){.key = found ? key : old_key, .mesh = mesh, .of_results = of_results, .i = NONE};
    if (!found && !param_text(r, old_key, &text))
        return false;
    s->rest = cursor_of(text);
    return value_count(text, &s->n) && value_open(&s->rest);
}

/* reads the text of the next spec; false at the end */
static bool
specs_next(struct specs *s)
{
    return ++s->i < s->n && value_element(&s->rest, &s->text);
}

/* ---- varying axes ---- */

/* every axis of the list is an axis of the mesh in `set` or in `more`, within the supported number of axes */
static bool
list_within(struct slice list, const struct mesh *mesh, u64 set, struct slice more, struct slice *odd)
{
    struct cursor c = cursor_of(list);
    for (u32 others = 0; others < MESH_AXES && value_element(&c, odd);) {
        u32 axis = mesh_find(mesh, *odd);
        bool laid = axis != NONE && set >> axis & 1;
        if (!laid && !value_has(more, *odd))
            return false;
        others += !laid;
    }
    return true;
}

/* a binder varies exactly over the axes in the spec and those of its operand; only over the operand's if varying axes
 * are not checked */
static bool
binder_varies(struct rule *r, jaxpr_t j, const struct specs *s, bool checked)
{
    const struct mesh *mesh = s->mesh;
    u32 i = s->i, k = jaxpr_consts(r, j) + i;
    struct aval binder = binder_aval(r, j, k);
    struct slice have = vary_list(r->m, binder.type), outer = vary_list(r->m, r->in[i].type), odd;
    if (binder.kind != AVAL_ARRAY || r->in[i].kind != AVAL_ARRAY)
        return true;
    if (!list_within(have, mesh, checked ? s->layout.set : 0, outer, &odd)) {
        rule_error(r, DIAG_T030, at_binder(r, j, i), "`%s` varies over `%s`, but %s", format_binder(r, j, k),
                   format_slice(r, odd),
                   checked ? format_text(r, "neither `%s` nor its spec does", format_operand(r, i))
                           : "no value does if check_vma=False");
        return rule_note_operand(r, i);
    }
    for (u32 a = 0; checked && a < mesh->n; a++)
        if (s->layout.set >> a & 1 && !value_has(have, mesh->axes[a].name)) {
            rule_error(r, DIAG_T030, at_operand(i),
                       "the spec of `%s` splits it over `%s`, but `%s` is %s, which does not vary over this axis "
                       "(check_vma=True)",
                       format_operand(r, i), format_slice(r, mesh->axes[a].name), format_binder(r, j, k),
                       format_aval(r, &binder));
            return rule_note_binder(r, j, k);
        }
    return true;
}

/* ---- the rule ---- */

/* gives the dims of a value passed through the shard_map the explicit shardings of the value it is compared with: specs
 * change them */
static void
copy_shardings(struct dim *dims, u32 rank, const struct aval *other)
{
    for (u32 d = 0; d < rank; d++)
        if (dims[d].kind < DIM_WINDOWS)
            dims[d].sharding = other->ranked && d < other->rank ? other->dims[d].sharding : (struct slice){"", 0};
}

static bool
bind_shard(struct rule *r, jaxpr_t j, u32 i, const struct layout *l)
{
    const struct aval *a = &r->in[i];
    if ((a->kind != AVAL_ARRAY && a->kind != AVAL_REF) || !a->ranked)
        return true;
    struct dim *dims = rule_alloc(r, (a->rank + 1u) * sizeof *dims);
    for (u32 d = 0; d < a->rank; d++) {
        dims[d] = l->factors[d] == 1 ? a->dims[d] : dim_floordiv(a->dims[d], dim_of(l->factors[d]));
        if (a->dims[d].kind == DIM_INT && a->dims[d].value % l->factors[d])
            return rule_stricter(r, DIAG_T009, at_operand(i),
                                 "`%s` splits axis %u of `%s` into %lld shards, but its size is %s", format_prim(r), d,
                                 format_operand(r, i), (long long)l->factors[d], format_dim(r, a->dims[d]));
    }
    struct aval binder = binder_aval(r, j, jaxpr_consts(r, j) + i), shard = aval_reshaped(a, a->rank, dims);
    copy_shardings(dims, a->rank, &binder);
    u32 k = jaxpr_consts(r, j) + i;
    return bind_one(r, AS_JAX, j, k, i, &shard) &&
           (reduced_alike(r, a, &binder) || /* _shard_map_typecheck, and the spec of an operand must name these, too */
            bind_error(r, AS_NEWER_JAX, DIAG_T012, at_operand(i),
                       format_text(r,
                                   "`%s` passes `%s`, which is %s, to `%s`, which is %s: both must be unreduced and "
                                   "reduced over the same axes",
                                   format_prim(r), format_operand(r, i), format_aval(r, a), format_binder(r, j, k),
                                   format_aval(r, &binder))));
}

static bool
unshard_result(struct rule *r, jaxpr_t j, u32 i, const struct layout *l)
{
    struct aval shard = jaxpr_out_aval(r, j, i);
    if (shard.kind != AVAL_ARRAY || !shard.ranked)
        return true;
    struct dim *dims = rule_alloc(r, (shard.rank + 1u) * sizeof *dims);
    for (u32 d = 0; d < shard.rank; d++)
        dims[d] = dim_mul(shard.dims[d], dim_of(l->factors[d]));
    struct aval binder = rule_binder(r, i), whole = aval_reshaped(&shard, shard.rank, dims);
    copy_shardings(dims, shard.rank, &binder);
    return bind_result(r, j, i, i, &whole);
}

/* the result varies over no mesh axis outside its spec, except those that it already varied over; over none of them if
 * varying axes are not checked */
static bool
result_replicated(struct rule *r, const struct specs *s, const struct aval *shard, bool checked)
{
    struct cursor c = cursor_of(vary_list(r->m, shard->type));
    struct slice name;
    while (value_element(&c, &name)) {
        u32 axis = mesh_find(s->mesh, name);
        if (axis == NONE || (checked && s->layout.set >> axis & 1) || s->mesh->axes[axis].manual)
            continue;
        if (!checked)
            return rule_error(
                r, DIAG_T030, at_param(r, "check_vma"),
                "the %s result of `%s` is %s in the body, but check_vma=False does not track varying axes",
                ordinal_of(s->i).text, format_prim(r), format_aval(r, shard));
        return rule_error(r, DIAG_T030, at_param(r, s->key),
                          "the %s result of `%s` varies over `%s`, which its spec does not name (check_vma=True)",
                          ordinal_of(s->i).text, format_prim(r), format_slice(r, name));
    }
    return true;
}

/* outside of the body, a result does not vary over the axes that the shard_map makes manual */
static bool
result_whole(struct rule *r, const struct specs *s)
{
    struct aval binder = rule_binder(r, s->i);
    struct cursor c = cursor_of(vary_list(r->m, binder.kind == AVAL_ARRAY ? binder.type : NONE));
    struct slice name;
    while (value_element(&c, &name)) {
        u32 axis = mesh_find(s->mesh, name);
        if (axis != NONE && !s->mesh->axes[axis].manual && rule_axis_scope(r, name) != AXIS_LEFT &&
            rule_axis_size(r, name) == 0)
            return rule_error(r, DIAG_T030, at_result(s->i),
                              "`%s` is bound as %s, but results of `%s` do not vary over its axis `%s`",
                              format_result(r, s->i), format_aval(r, &binder), format_prim(r), format_slice(r, name));
    }
    return true;
}

static bool
shard_results(struct rule *r, jaxpr_t j, const struct mesh *mesh, bool vma, bool checked)
{
    struct specs s;
    if (!specs_find(r, mesh, true, &s))
        return rule_trust_param(r, at_prim(), "out_specs");
    if (!bind_entries(r, AS_JAX, s.key, s.n, jaxpr_outs(r, j), "result"))
        return false;
    if (r->n_results != s.n)
        return bind_outs(r, j, "jaxpr");
    bool right = true;
    while (specs_next(&s)) {
        struct aval shard = jaxpr_out_aval(r, j, s.i);
        if (!reductions_fit(r, &s) || !result_whole(r, &s))
            return false;
        if (!read_layout(r, &s, shard.ranked ? shard.rank : 0)) {
            if (!axes_known(r, &s))
                return false;
            continue;
        }
        right &= layout_fits(r, &s, &shard) && unshard_result(r, j, s.i, &s.layout);
        if (right && vma)
            right = result_replicated(r, &s, &shard, checked);
    }
    return right;
}

/* check_rep=True, up to 0.6.0: results are replicated over the axes that their specs omit. Not checked if some axes are
 * left to the compiler (auto, in canonical form `{}` for none) */
static bool
replication_fits(struct rule *r, jaxpr_t j, const struct mesh *mesh)
{
    struct slice text;
    bool checked = false;
    if (!param_bool(r, "check_rep", &checked) || !checked || !mesh->n ||
        (param_text(r, "auto", &text) && !slice_eq(text, SLICE("frozenset()")) && !slice_eq(text, SLICE("{}"))))
        return true;
    u64 *sets[2];
    for (u32 side = 0; side < 2; side++) {
        struct specs s;
        if (!specs_find(r, mesh, side, &s))
            return true;
        sets[side] = rule_alloc(r, (s.n + 1u) * sizeof *sets[side]);
        while (specs_next(&s)) {
            if (!read_layout(r, &s, 0))
                return true;
            sets[side][s.i] = mesh_all(mesh) & ~s.layout.set;
        }
    }
    return rule_replicates(r, j, mesh, sets[0], sets[1]);
}

/* binds each operand's shard to its binder */
static bool
shard_operands(struct rule *r, jaxpr_t j, struct specs *s, bool vma, bool checked)
{
    u64 manual = mesh_all(s->mesh);
    if (!manual_known(r, "newly_manual_axes", s->mesh, &manual) || !manual_known(r, "manual_axes", s->mesh, &manual) ||
        !bind_count(r, AS_JAX, j, r->n, "jaxpr") || !bind_entries(r, AS_JAX, s->key, s->n, r->n, "operand"))
        return false;
    while (specs_next(s)) {
        const struct aval *operand = &r->in[s->i];
        if (!reductions_fit(r, s))
            return false;
        if (!read_layout(r, s, operand->ranked ? operand->rank : 0)) {
            if (!axes_known(r, s))
                return false;
            continue;
        }
        if (!layout_fits(r, s, operand) || (vma && checked && !spec_manual(r, s, manual)) ||
            !bind_shard(r, j, s->i, &s->layout) || (vma && !binder_varies(r, j, s, checked)))
            return false;
    }
    return true;
}

bool
shape_shard_map(struct rule *r, struct aval *out)
{
    jaxpr_t j = rule_jaxpr(r, "jaxpr");
    struct slice text;
    struct mesh mesh;
    struct specs operands;
    bool checked = false;
    *out = aval_unknown();
    if (j == NONE)
        j = rule_jaxpr(r, "call_jaxpr");
    if (j == NONE || !param_text(r, "mesh", &text))
        return rule_trust_param(r, at_prim(), j == NONE ? "jaxpr" : "mesh");
    if (!mesh_read(text, &mesh))
        mesh.n = 0;
    for (u32 i = 0; i < mesh.n; i++)
        if (mesh.axes[i].size == 0)
            return rule_error(r, DIAG_T010, at_param(r, "mesh"), "the mesh of `%s` has no device along its axis `%s`",
                              format_prim(r), format_slice(r, mesh.axes[i].name));
    bool vma = param_bool(r, "check_vma", &checked);
    if (!specs_find(r, &mesh, false, &operands))
        return rule_trust_param(r, at_prim(), "in_specs");
    return shard_operands(r, j, &operands, vma, checked) && shard_results(r, j, &mesh, vma, checked) &&
           replication_fits(r, j, &mesh) && refs_distinct(r, 0);
}
