/* SPDX-License-Identifier: Apache-2.0
 *
 * shard_map: the program inside receives one shard of every operand, whose axes are divided by the sizes of the mesh
 * axes that the specs assign to them; results are assembled the same way (jax/_src/shard_map.py _shard_map_typecheck).
 * If it checks varying axes (check_vma, 0.6 on), those printed in types are compared, too. Linear in the specs and in
 * what types vary over, times the axes of the mesh, MESH_AXES at most. */
#include "verify/sharding_rules.h"
#include "verify/axes.h"
#include "verify/call_check.h"
#include "verify/checker.h"
#include "verify/varying_axes.h"
#include "verify/mesh.h"
#include "verify/ref_alias.h"
#include "verify/replication.h"
#include "verify/shard_specs.h"

/* adds a mesh axis to axis `d`; false if its size is not known */
static bool
lay_name(struct layout *l, u32 rank, i64 d, const struct mesh *mesh, struct slice name)
{
    u32 axis = mesh_find(mesh, unquoted(name));
    if (axis == NONE && mesh->n > 0 && ((name.n > 2 && name.at[0] == '\'') || is_digit(*name.at) || *name.at == '-')) {
        l->unknown = name;
        l->unread = d >= rank;
    }
    if (axis == NONE || mesh->axes[axis].size <= 0)
        return false;
    if (l->set >> axis & 1 && !l->twice.n)
        l->twice = unquoted(name);
    l->set |= 1ull << axis;
    return d < 0 || d >= rank || !__builtin_mul_overflow(l->factors[d], mesh->axes[axis].size, &l->factors[d]);
}

/* adds the entry for axis d, `'i'`, `('i', 'j')` or None; false if a size in it is not known */
static bool
lay_entry(struct layout *l, u32 rank, i64 d, const struct mesh *mesh, struct slice entry)
{
    struct cursor c = cursor_of(entry);
    struct slice name;
    if (slice_eq(entry, SLICE("None")))
        return true;
    if (d >= 0 && d < rank)
        l->entries[d] = entry;
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
    *l = (struct layout){.factors = rule_alloc(r, (rank + 1u) * sizeof *l->factors),
                         .entries = rule_alloc(r, (rank + 1u) * sizeof *l->entries)};
    for (u32 d = 0; d < rank; d++) {
        l->factors[d] = 1;
        l->entries[d] = (struct slice){"", 0};
    }
    struct cursor c = cursor_of(s->text);
    struct slice element;
    i64 d;
    if (value_word(&c, "{")) {
        while (value_element(&c, &element)) {
            struct cursor entry = cursor_of(element);
            if (!value_int(&entry, &d) || !value_word(&entry, ":"))
                return false;
            value_blanks(&entry);
            if (!lay_entry(l, rank, d, &s->map->mesh, (struct slice){entry.p, (size_t)(entry.end - entry.p)}))
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
        if (!lay_entry(l, rank, d, &s->map->mesh, element))
            return false;
    }
    l->n_axes = d;
    return true;
}

/* checks that a spec has entries only for axes of its array, and uses each mesh axis once. JAX checks users' specs when
 * they are given (jax/_src/shard_map.py, _check_specs_vs_args); JAX's checker checks only those of results */
static bool
layout_fits(struct rule *r, jaxpr_t j, const struct specs *s, const struct aval *shard)
{
    const struct layout *l = &s->layout;
    bool longer = l->n_axes > shard->rank;
    if (!shard->ranked || (shard->kind != AVAL_ARRAY && shard->kind != AVAL_REF) || (!longer && !l->twice.n))
        return true;
    const char *of = s->of_results ? format_text(r, "the %s result", ordinal_of(s->i).text)
                                   : format_text(r, "`%s`", format_operand(r, s->i));
    if (!longer)
        return (s->of_results ? rule_error : rule_stricter)(
            r, DIAG_T009, at_slice(r, s->key, l->twice), "the spec of %s in `%s` of `%s` uses the mesh axis `%s` twice",
            of, s->key, format_prim(r), format_slice(r, l->twice));
    (s->of_results ? rule_error : rule_stricter)(
        r, DIAG_T009, at_item(r, s->key, s->i), "the spec of %s in `%s` of `%s` has %s, but %s is %s", of, s->key,
        format_prim(r), format_count(r, (u32)l->n_axes, "entry", "entries"), of, format_aval(r, shard));
    return s->of_results ? rule_note_out(r, j, s->i) : rule_note_operand(r, s->i);
}

/* checks that a spec that read_layout rejected contains only axes of the mesh: JAX fails without a size
 * (jax/_src/shard_map.py 0.12, _shard_shaped_array, _unshard_shaped_array) */
static bool
axes_known(struct rule *r, const struct specs *s)
{
    const struct layout *l = &s->layout;
    return l->unknown.n == 0 || not_in_mesh(r, !l->unread, s->key, unquoted(l->unknown));
}

/* reads the manual axes of the nested program, which must be axes of the mesh; all are, if they are not printed */
static bool
manual_known(struct rule *r, const char *key, struct mapping *map)
{
    const struct mesh *mesh = &map->mesh;
    struct slice text, name;
    if (mesh->n == 0 || !param_text(r, key, &text))
        return true;
    struct cursor c = cursor_of(text);
    bool empty = slice_eq(text, SLICE("frozenset()"));
    if (value_word(&c, "frozenset") && !value_word(&c, "("))
        return true;
    if (!empty && !value_word(&c, "{"))
        return true;
    u64 named = 0;
    while (!empty && value_element(&c, &name)) {
        u32 axis = mesh_find(mesh, unquoted(name));
        if (axis == NONE)
            return not_in_mesh(r, false, key, unquoted(name));
        named |= 1ull << axis;
        if (rule_axis_is_manual(r, mesh->axes[axis].name) &&
            rule_warning(r, DIAG_T010, at_slice(r, key, name),
                         "`%s` of `%s` names the axis `%s`, which is already manual in the enclosing `shard_map`", key,
                         format_prim(r), format_slice(r, mesh->axes[axis].name)))
            rule_note_manual(r, mesh->axes[axis].name);
    }
    map->manual = named | mesh->manual;
    map->printed = true;
    return true;
}

/* the axes of a spec must be manual, as the operand varies over them (jax/_src/shard_map.py 0.12,
 * _shard_shaped_array) */
static bool
spec_manual(struct rule *r, const struct specs *s)
{
    u64 others = s->layout.set & ~s->map->manual;
    return !others || rule_error(r, DIAG_T009, at_item(r, s->key, s->i),
                                 "`%s` of `%s` names the axis `%s`, which is not in `newly_manual_axes`", s->key,
                                 format_prim(r), format_first(r, s, others));
}

/* finds in_specs or out_specs (in_names, out_names up to 0.5) */
static bool
specs_find(struct rule *r, const struct mapping *map, bool of_results, struct specs *s)
{
    struct slice text;
    const char *key = of_results ? "out_specs" : "in_specs", *old_key = of_results ? "out_names" : "in_names";
    bool found = param_text(r, key, &text);
    *s = (struct specs){.key = found ? key : old_key, .map = map, .of_results = of_results, .i = NONE};
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

/* whether every axis of a list is in `set`, of mesh axes, or in the list `more`; *odd is the first that is not. At most
 * MESH_AXES others are compared */
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

/* checks that a binder varies over all axes in its spec, and otherwise only over those of its operand; over none but
 * the operand's if varying axes are not checked */
static bool
binder_varies(struct rule *r, jaxpr_t j, const struct specs *s)
{
    const struct mesh *mesh = &s->map->mesh;
    bool checked = s->map->checked;
    u32 i = s->i, k = jaxpr_consts(r, j) + i;
    struct aval binder = binder_aval(r, j, k);
    struct slice have = vary_list(r->m, binder.type), outer = vary_list(r->m, r->in[i].type), odd;
    if (binder.kind != AVAL_ARRAY || r->in[i].kind != AVAL_ARRAY)
        return true;
    if (!list_within(have, mesh, checked ? s->layout.set : 0, outer, &odd)) {
        rule_error(r, DIAG_T030, at_binder(r, j, i), "`%s` varies over `%s`, but %s", format_binder(r, j, k),
                   format_slice(r, odd),
                   checked ? format_text(r, "`%s` does not, and its entry in `%s` does not name this axis",
                                         format_operand(r, i), s->key)
                           : format_text(r, "check_vma=%s does not track varying axes", format_param(r, "check_vma")));
        return checked ? note_entry(r, s) || rule_note_operand(r, i)
                       : rule_note(r, at_param(r, "check_vma"), "varying axes are not tracked because of this");
    }
    /* a type that prints other axes may lack those of size 1, see axes_in_types */
    for (u32 a = 0; checked && a < mesh->n; a++)
        if (s->layout.set >> a & 1 && !(have.n && mesh->axes[a].size == 1) && !value_has(have, mesh->axes[a].name)) {
            const char *axis = format_slice(r, mesh->axes[a].name);
            rule_error(r, DIAG_T030, at_binder(r, j, i),
                       "`%s` is %s, but must vary over `%s`, because its entry in `%s` splits `%s` over `%s` "
                       "(check_vma=True)",
                       format_binder(r, j, k), format_aval(r, &binder), axis, s->key, format_operand(r, i), axis);
            return note_entry(r, s) || rule_note_operand(r, i);
        }
    return true;
}

/* ---- the rule ---- */

/* the axes of a mesh that the type of an array must print if it is sharded over them: with the option
 * jax_remove_size_one_mesh_axis_from_type, types lack axes of size 1 (jax/_src/named_sharding.py 0.7 to 0.12,
 * remove_size_one_mesh_axis_from_spec) */
static u64
axes_in_types(const struct mesh *mesh, const struct aval *a)
{
    u64 set = mesh->is_explicit;
    for (u32 i = 0; i < mesh->n; i++)
        if (mesh->axes[i].size == 1 && !sharded_over(a, mesh->axes[i].name))
            set &= ~(1ull << i);
    return set;
}

/* sets the shardings of the dims of a value that enters or leaves the shard_map: those of a result's spec and of the
 * value itself over axes in a set, or those of the value that it is compared with if types of axes are not printed
 * (jax/_src/shard_map.py 0.12, _shard_shaped_array, _unshard_shaped_array) */
static void
set_shardings(struct rule *r, const struct specs *s, struct aval *a, struct dim *dims, u64 set,
              const struct aval *other)
{
    const struct mapping *map = s->map;
    struct slice none = {"", 0};
    for (u32 d = 0; d < a->rank; d++) {
        if (dims[d].kind >= DIM_WINDOWS)
            continue;
        struct slice own = a->dims[d].kind < DIM_WINDOWS ? a->dims[d].sharding : none;
        if (map->mesh.typed && map->printed)
            dims[d].sharding = spec_names(r, &map->mesh, set, s->of_results ? s->layout.entries[d] : none, own);
        else
            dims[d].sharding = other->ranked && d < other->rank ? other->dims[d].sharding : none;
    }
    a->dims = dims;
    a->type = NONE;
    a->moved = true;
}

/* warns if an operand is not sharded as its spec says over the explicit axes that become manual; JAX compares them when
 * it traces and compiles the program */
static bool
operand_placed(struct rule *r, const struct specs *s)
{
    const struct aval *a = &r->in[s->i];
    const struct mesh *mesh = &s->map->mesh;
    u64 set = axes_in_types(mesh, a) & s->map->manual & ~mesh->manual;
    struct slice none = {"", 0};
    bool shown = r->c->placed && mesh->typed; /* types without a mesh print like those that are replicated */
    for (u32 d = 0; shown && s->map->printed && a->kind == AVAL_ARRAY && !a->literal && d < a->rank; d++) {
        struct slice wanted = spec_names(r, mesh, set, s->layout.entries[d], none),
                     own = a->dims[d].kind < DIM_WINDOWS ? spec_names(r, mesh, set, none, a->dims[d].sharding) : wanted;
        if (value_alike(wanted, own))
            continue;
        rule_warning(r, DIAG_T012, at_operand(s->i),
                     "`%s` is %s, but its entry in `%s` requires its axis %u to be %s; `reshard` it first",
                     format_operand(r, s->i), format_aval(r, a), s->key, d, format_sharding(r, wanted));
        note_entry(r, s);
        return !rule_note_operand(r, s->i);
    }
    return true;
}

static bool
bind_shard(struct rule *r, jaxpr_t j, const struct specs *s)
{
    const struct aval *a = &r->in[s->i];
    const i64 *factors = s->layout.factors;
    u32 k = jaxpr_consts(r, j) + s->i;
    if (a->kind == AVAL_TOKEN)
        return rule_needs_array(r, s->i, true);
    if ((a->kind != AVAL_ARRAY && a->kind != AVAL_REF) || !a->ranked)
        return true;
    struct dim *dims = rule_alloc(r, (a->rank + 1u) * sizeof *dims);
    for (u32 d = 0; d < a->rank; d++) {
        dims[d] = factors[d] == 1 ? a->dims[d] : dim_floordiv(a->dims[d], dim_of(factors[d]));
        if (!divisible_by(r, at_operand(s->i), a->dims[d], factors[d]))
            return rule_stricter(r, DIAG_T009, at_operand(s->i),
                                 "`%s` splits axis %u of `%s` into %lld shards, but its size %s %s a multiple of %lld",
                                 s->key, d, format_operand(r, s->i), (long long)factors[d], format_dim(r, a->dims[d]),
                                 a->dims[d].kind == DIM_INT ? "is not" : "need not be", (long long)factors[d]) ||
                   note_entry(r, s) || rule_note(r, at_param(r, "mesh"), "the mesh is here") ||
                   rule_note_operand(r, s->i);
    }
    struct aval binder = binder_aval(r, j, k), shard = *a;
    set_shardings(r, s, &shard, dims, s->map->mesh.is_explicit & ~s->map->manual, &binder);
    return (bind_one(r, AS_JAX, j, k, s->i, &shard) || note_entry(r, s)) && operand_placed(r, s);
}

static bool
unshard_result(struct rule *r, jaxpr_t j, const struct specs *s)
{
    struct aval whole = jaxpr_out_aval(r, j, s->i), binder = rule_binder(r, s->i);
    if (whole.kind != AVAL_ARRAY || !whole.ranked)
        return true;
    struct dim *dims = rule_alloc(r, (whole.rank + 1u) * sizeof *dims);
    for (u32 d = 0; d < whole.rank; d++)
        dims[d] = dim_mul(whole.dims[d], dim_of(s->layout.factors[d]));
    set_shardings(r, s, &whole, dims, axes_in_types(&s->map->mesh, &binder), &binder);
    return bind_result(r, j, s->i, s->i, &whole) ||
           rule_note(r, at_item(r, s->key, s->i), "the spec of the %s result is here", ordinal_of(s->i).text);
}

/* checks that the result varies over no mesh axis outside its spec, except those that are manual outside; over no other
 * axis at all if varying axes are not checked */
static bool
result_replicated(struct rule *r, jaxpr_t j, const struct specs *s, const struct aval *shard)
{
    bool checked = s->map->checked;
    struct cursor c = cursor_of(vary_list(r->m, shard->type));
    struct slice name;
    while (value_element(&c, &name)) {
        u32 axis = mesh_find(&s->map->mesh, name);
        if (axis == NONE || ((s->map->mesh.manual | (checked ? s->layout.set : 0)) >> axis & 1))
            continue;
        if (!checked)
            return rule_error(r, DIAG_T030, at_param(r, "check_vma"),
                              "the %s result of `%s` is %s in the body, but check_vma=%s does not track varying axes",
                              ordinal_of(s->i).text, format_prim(r), format_aval(r, shard),
                              format_param(r, "check_vma")) ||
                   rule_note_out(r, j, s->i);
        return rule_error(r, DIAG_T030, at_item(r, s->key, s->i),
                          "the %s result of `%s` varies over `%s`, which its spec does not name (check_vma=True)",
                          ordinal_of(s->i).text, format_prim(r), format_slice(r, name)) ||
               rule_note_out(r, j, s->i);
    }
    return true;
}

/* checks that a result does not vary over axes that are manual only in the body, and over the others as in the body */
static bool
result_whole(struct rule *r, jaxpr_t j, const struct specs *s, const struct aval *shard)
{
    const struct mesh *mesh = &s->map->mesh;
    struct aval binder = rule_binder(r, s->i);
    if (binder.kind != AVAL_ARRAY || shard->kind != AVAL_ARRAY)
        return true;
    u64 have = printed_axes(r, mesh, &binder, 'V'), inside = printed_axes(r, mesh, shard, 'V');
    u64 odd = (have ^ inside) & mesh->manual, own = have & ~mesh->manual;
    bool kept = (odd & inside) != 0;
    for (u32 i = 0; !odd && i < mesh->n; i++)
        if (own >> i & 1 && rule_axis_scope(r, mesh->axes[i].name) != AXIS_LEFT &&
            rule_axis_size(r, mesh->axes[i].name) == 0)
            odd = 1ull << i;
    return !odd ||
           rule_error(r, DIAG_T030, at_result(s->i),
                      kept ? "`%s` is bound as %s, but the result of `%s` varies over `%s`"
                           : "`%s` is bound as %s, but results of `%s` do not vary over its axis `%s`",
                      format_result(r, s->i), format_aval(r, &binder), format_prim(r), format_first(r, s, odd)) ||
           (kept ? rule_note_out(r, j, s->i) : rule_note(r, at_param(r, "mesh"), "the mesh is here"));
}

static bool
shard_results(struct rule *r, jaxpr_t j, const struct mapping *map)
{
    struct specs s;
    if (!specs_find(r, map, true, &s))
        return rule_trust_param(r, at_prim(), "out_specs");
    if (!bind_entries(r, AS_JAX, s.key, s.n, jaxpr_outs(r, j), "result"))
        return false;
    if (r->n_results != s.n)
        return bind_outs(r, j, "jaxpr");
    bool right = true;
    while (specs_next(&s)) {
        struct aval shard = jaxpr_out_aval(r, j, s.i);
        if (!reductions_fit(r, &s, j) || !result_whole(r, j, &s, &shard))
            return false;
        if (!read_layout(r, &s, shard.ranked ? shard.rank : 0)) {
            if (!axes_known(r, &s))
                return false;
            continue;
        }
        right &= layout_fits(r, j, &s, &shard) && unshard_result(r, j, &s);
        if (right && map->says)
            right = result_replicated(r, j, &s, &shard);
    }
    return right;
}

/* checks, for check_rep=True up to 0.6.0, that results are replicated over the axes that their specs omit. Not checked
 * if some axes are left to the compiler (auto, in canonical form `{}` for none) */
static bool
replication_fits(struct rule *r, jaxpr_t j, const struct mapping *map)
{
    const struct mesh *mesh = &map->mesh;
    struct slice text;
    bool checked = false;
    if (!param_bool(r, "check_rep", &checked) || !checked || !mesh->n ||
        (param_text(r, "auto", &text) && !slice_eq(text, SLICE("frozenset()")) && !slice_eq(text, SLICE("{}"))))
        return true;
    u64 *sets[2];
    struct specs s;
    for (u32 side = 0; side < 2; side++) {
        if (!specs_find(r, map, side, &s))
            return true;
        sets[side] = rule_alloc(r, (s.n + 1u) * sizeof *sets[side]);
        while (specs_next(&s)) {
            if (!read_layout(r, &s, 0))
                return true;
            sets[side][s.i] = mesh_all(mesh) & ~s.layout.set;
        }
    }
    return rule_replicates(r, j, mesh, sets[0], sets[1], s.key);
}

/* checks each operand's shard against its binder */
static bool
shard_operands(struct rule *r, jaxpr_t j, struct specs *s)
{
    if (!bind_count(r, AS_JAX, j, r->n, "jaxpr") || !bind_entries(r, AS_JAX, s->key, s->n, r->n, "operand"))
        return false;
    while (specs_next(s)) {
        const struct aval *operand = &r->in[s->i];
        if (!reductions_fit(r, s, j))
            return false;
        if (!read_layout(r, s, operand->ranked ? operand->rank : 0)) {
            if (!axes_known(r, s))
                return false;
            continue;
        }
        if (!layout_fits(r, j, s, operand) || (s->map->checked && !spec_manual(r, s)) || !bind_shard(r, j, s) ||
            (s->map->says && !binder_varies(r, j, s)))
            return false;
    }
    return true;
}

/* whether a parameter names an axis of the mesh */
static bool
names_axis(struct rule *r)
{
    static const char *const keys[] = {"newly_manual_axes", "in_specs", "out_specs", "in_names", "out_names"};
    struct slice text;
    bool any = false;
    for (u32 i = 0; i < countof(keys); i++)
        any |= param_text(r, keys[i], &text) && slice_contains(text, SLICE("'"));
    return any;
}

bool
shape_shard_map(struct rule *r, struct aval *out)
{
    jaxpr_t now = rule_jaxpr(r, "jaxpr"), j = now != NONE ? now : rule_jaxpr(r, "call_jaxpr");
    struct slice text;
    struct mapping map = {.checked = false};
    struct specs operands;
    *out = aval_unknown();
    if (j == NONE || !param_text(r, "mesh", &text))
        return rule_trust_param(r, at_prim(), j == NONE ? "jaxpr" : "mesh");
    if (!mesh_read(text, &map.mesh))
        map.mesh.n = 0;
    bool empty = !map.mesh.n && (map.mesh.typed ? !map.mesh.types : slice_ends(text, SLICE("Mesh()")));
    if (empty && names_axis(r))
        return rule_error(r, DIAG_T010, at_param(r, "mesh"), "the mesh of `%s` has no axes", format_prim(r));
    if (!mesh_fits(r, "mesh", &map.mesh))
        return false;
    mesh_compare(r, "mesh", text, &map.mesh);
    map.says = param_bool(r, "check_vma", &map.checked);
    map.manual = mesh_all(&map.mesh);
    if (!specs_find(r, &map, false, &operands))
        return rule_trust_param(r, at_prim(), "in_specs");
    return manual_known(r, "newly_manual_axes", &map) && manual_known(r, "manual_axes", &map) &&
           shard_operands(r, j, &operands) && shard_results(r, j, &map) && replication_fits(r, j, &map) &&
           refs_distinct(r, 0);
}
