/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads `Mesh('i': 4, 'j': 2, axis_types=(Auto, Auto))` and finds the equation that binds an axis. Each mesh is read
 * once; a search costs the levels of nesting, at most LEVELS, times the axes of a mesh. A shared program is inside of
 * the axes of its calls, if all calls have the same. */
#include "verify/mesh.h"

#include "ir/reach.h"
#include "verify/checker.h"

enum { LEVELS = 256 };

/* The types of axes (jax/_src/mesh.py, AxisType): those of today, those of earlier versions, and the dots of a
 * shortened list. */
enum { TYPE_AUTO, TYPE_EXPLICIT, TYPE_MANUAL };
static const char *const axis_types[] = {[TYPE_AUTO] = "Auto",
                                         [TYPE_EXPLICIT] = "Explicit",
                                         [TYPE_MANUAL] = "Manual",
                                         "Collective",
                                         "User",
                                         "Hidden",
                                         "..."};

/* the index of a type of axes, NONE for an unknown one */
static u32
axis_type(struct slice name)
{
    for (u32 i = 0; i < countof(axis_types); i++)
        if (slice_eq(name, slice_of(axis_types[i])))
            return i;
    return NONE;
}
#define NO_CALL UINT64_MAX

bool
mesh_read(struct slice text, struct mesh *out)
{
    const char *open = memchr(text.at, '(', text.n);
    struct cursor c = {open ? open : text.at, text.at + text.n};
    struct slice element;
    *out = (struct mesh){.n = 0};
    value_open(&c);
    while (value_element(&c, &element)) {
        const char *quote = element.at[0] == '\'' ? memchr(element.at + 1, '\'', element.n - 1) : NULL;
        if (!quote)
            break;
        if (out->n == MESH_AXES)
            return false;
        struct mesh_axis *axis = &out->axes[out->n++];
        struct cursor at = {quote + 1, element.at + element.n};
        *axis = (struct mesh_axis){.name = {element.at + 1, (size_t)(quote - element.at) - 1}};
        if (!value_word(&at, ":") || !value_int(&at, &axis->size))
            axis->size = UNKNOWN_SIZE;
        else if (axis->size < 0)
            axis->size = 0;
    }
    out->typed = value_field(text, "axis_types", &out->type_list);
    if (out->typed) {
        c = cursor_inside(out->type_list);
        for (u32 i = 0; value_element(&c, &element); i++, out->types++) {
            if (i >= out->n)
                continue;
            u32 type = axis_type(element);
            out->manual |= (u64)(type == TYPE_MANUAL) << i;
            out->is_explicit |= (u64)(type == TYPE_EXPLICIT) << i;
            if (slice_starts(element, SLICE("AxisType.")))
                type = axis_type((struct slice){element.at + 9, element.n - 9});
            if (!out->odd_type.n && type == NONE)
                out->odd_type = element;
        }
    }
    return out->n > 0;
}

bool
mesh_fits(struct rule *r, const char *key, const struct mesh *mesh)
{
    for (u32 i = 0; i < mesh->n; i++) {
        struct slice name = mesh->axes[i].name;
        if (mesh->axes[i].size == 0)
            return rule_error(r, DIAG_T010, at_slice(r, key, name),
                              "the mesh of `%s` has no device along its axis `%s`", format_prim(r),
                              format_slice(r, name));
        if (mesh_find(mesh, name) < i)
            return rule_stricter(r, DIAG_T010, at_slice(r, key, name), "the mesh of `%s` has two axes `%s`",
                                 format_prim(r), format_slice(r, name));
    }
    if (mesh->odd_type.n)
        rule_warning(r, DIAG_T010, at_slice(r, key, mesh->odd_type),
                     "the mesh of `%s` has an axis of the unknown type `%s`; expected %s, %s or %s", format_prim(r),
                     format_slice(r, mesh->odd_type), axis_types[TYPE_AUTO], axis_types[TYPE_EXPLICIT],
                     axis_types[TYPE_MANUAL]);
    return !mesh->n || !mesh->typed || mesh->types == mesh->n ||
           rule_error(r, DIAG_T010, at_slice(r, key, mesh->type_list),
                      "the mesh of `%s` has %s, but `axis_types` has %s", format_prim(r),
                      format_count(r, mesh->n, "axis", "axes"), format_count(r, mesh->types, "entry", "entries"));
}

void
mesh_compare(struct rule *r, const char *key, struct slice text, const struct mesh *mesh)
{
    struct checker *c = r->c;
    struct mesh first;
    if (!mesh->is_explicit)
        return;
    c->own_program = true;
    if (c->explicit_mesh.program != c->program || c->explicit_mesh.text.n == 0) {
        c->explicit_mesh.program = c->program;
        c->explicit_mesh.text = text;
    }
    struct slice other = c->explicit_mesh.text;
    if (slice_eq(other, text) || !mesh_read(other, &first))
        return;
    u32 i = 0;
    while (i < mesh->n && i < first.n && slice_eq(first.axes[i].name, mesh->axes[i].name) &&
           (first.axes[i].size == mesh->axes[i].size || first.axes[i].size == UNKNOWN_SIZE ||
            mesh->axes[i].size == UNKNOWN_SIZE))
        i++;
    if (i == mesh->n && i == first.n)
        return;
    if (i < mesh->n && i < first.n && slice_eq(first.axes[i].name, mesh->axes[i].name))
        rule_warning(r, DIAG_T010, at_slice(r, key, mesh->axes[i].name),
                     "the axis `%s` of the explicit mesh of `%s` has size %lld, but size %lld in an earlier mesh",
                     format_slice(r, mesh->axes[i].name), format_prim(r), (long long)mesh->axes[i].size,
                     (long long)first.axes[i].size);
    else
        rule_warning(r, DIAG_T010, at_slice(r, key, text),
                     "the axes of the explicit mesh of `%s` differ from those of an earlier mesh, `%s`", format_prim(r),
                     format_slice(r, other));
    size_t at = (size_t)(other.at - r->m->text.at);
    if (at < r->m->text.n)
        rule_note(r, at_text((u32)at, (u32)other.n), "the earlier mesh is here");
}

u32
mesh_find(const struct mesh *mesh, struct slice name)
{
    for (u32 i = 0; i < mesh->n; i++)
        if (slice_eq(mesh->axes[i].name, name))
            return i;
    return NONE;
}

u64
printed_axes(const struct rule *r, const struct mesh *mesh, const struct aval *a, char letter)
{
    u64 set = 0;
    struct slice name, list = a->kind == AVAL_ARRAY ? aval_over(r->m, a, letter) : SLICE("");
    for (struct cursor c = cursor_of(list); value_element(&c, &name);) {
        u32 axis = mesh_find(mesh, name);
        set |= axis == NONE ? 0 : 1ull << axis;
    }
    return set;
}

struct slice
unquoted(struct slice name)
{
    return name.n >= 2 && strchr("'\"", name.at[0]) ? (struct slice){name.at + 1, name.n - 2} : name;
}

struct axis_names
axis_names_of(struct slice value)
{
    struct axis_names names = {.rest = cursor_of(value), .one = value};
    names.listed = value_open(&names.rest);
    return names;
}

bool
axis_names_next(struct axis_names *names, struct slice *name, bool *position)
{
    if (names->listed) {
        if (!value_element(&names->rest, name))
            return false;
    } else {
        *name = names->one;
        names->one.n = 0;
    }
    if (name->n == 0)
        return false;
    struct cursor number = cursor_of(*name);
    i64 at;
    *position =
        is_digit(*name->at) || *name->at == '-' || (slice_starts(*name, SLICE("np.")) && value_int(&number, &at));
    if (name->n > 2 && *name->at == '\'')
        *name = unquoted(*name);
    return true;
}

const struct reduction reductions[2] = {{'U', "unreduced"}, {'R', "reduced"}};

u64
spec_reduced(const struct mesh *mesh, struct slice spec, const char *field, struct slice *odd)
{
    struct slice names, name;
    u64 set = 0;
    *odd = (struct slice){"", 0};
    if (!value_field(spec, field, &names))
        return 0;
    struct cursor c = cursor_of(names);
    value_word(&c, "frozenset(");
    if (!value_word(&c, "{"))
        return 0;
    while (value_element(&c, &name) && name.n > 2 && name.at[0] == '\'') {
        u32 axis = mesh_find(mesh, unquoted(name));
        if (axis == NONE)
            *odd = unquoted(name);
        else
            set |= 1ull << axis;
    }
    return set;
}

/* adds the names of a list, `x` or `('x', 'y')`, that are in a set of mesh axes */
static void
add_names(const struct mesh *mesh, u64 set, struct slice list, char *all, size_t *n)
{
    struct cursor c = cursor_inside(list);
    struct slice name;
    while (value_element(&c, &name)) {
        if (name.at[0] == '\'')
            name = unquoted(name);
        u32 axis = mesh_find(mesh, name);
        if (axis == NONE || !(set >> axis & 1))
            continue;
        all[*n] = *n ? ',' : '(';
        memcpy(all + *n + 1, name.at, name.n);
        *n += name.n + 1;
    }
}

struct slice
spec_names(struct rule *r, const struct mesh *mesh, u64 set, struct slice entry, struct slice own)
{
    if (!entry.n && !own.n)
        return own;
    char *all = rule_alloc(r, entry.n + own.n + 4);
    size_t n = 0;
    add_names(mesh, set, entry, all, &n);
    add_names(mesh, set, own, all, &n);
    if (!n || !memchr(all, ',', n))
        return (struct slice){all + (n > 0), n - (n > 0)};
    all[n] = ')';
    return (struct slice){all, n + 1};
}

static void
move_to(struct rule *around, eqn_t e)
{
    around->e = e;
    around->eqn = e == NONE ? NULL : &around->m->eqns.at[e];
}

/* finds the calls of shared programs */
static void
find_calls(struct checker *c)
{
    const struct module *m = c->m;
    if (c->calls.known == m->eqns.n)
        return;
    memo_free(m->mem, &c->calls.around);
    for (; c->calls.known < m->eqns.n; c->calls.known++) {
        struct nested n = nested_start(m, c->calls.known);
        if (n.next == NONE)
            continue;
        for (jaxpr_t j; (j = nested_next(m, &n)) != NONE;) {
            if (m->jaxprs.at[j].parent != NONE)
                continue;
            *vec_push(m->mem, &c->calls.all) = (struct call){c->calls.known, (u32)memo_get(&c->calls.by_jaxpr, j)};
            memo_set(m->mem, &c->calls.by_jaxpr, j, c->calls.all.n);
        }
    }
}

/* whether an equation may bind mesh axes: a primitive that is unknown, or has a mesh, a grid, or the parameters of a
 * pmap */
static bool
may_bind(struct rule *around)
{
    static const char *const keys[] = {"mesh", "axis_name", "global_axis_sizes", "grid_mapping"};
    bool may = prims_find(&around->c->prims, around->m, around->eqn->prim) == NULL;
    for (u32 i = 0; i < countof(keys) && !may; i++)
        may = rule_param(around, keys[i]) != NONE;
    return may;
}

/* steps from a call to the nearest enclosing equation that may bind axes, and returns the program that contains it; if
 * there is none, the outermost program */
static jaxpr_t
find_binder(struct rule *around)
{
    jaxpr_t j = NONE;
    for (u32 levels = 0; levels < LEVELS && around->e != NONE && !may_bind(around); levels++) {
        j = rule_jaxpr_of_eqn(around);
        move_to(around, j == NONE ? NONE : around->m->jaxprs.at[j].parent);
    }
    return around->e == NONE ? j : rule_jaxpr_of_eqn(around);
}

/* whether two calls are inside of the same axes */
static bool
same_axes(struct rule *a, struct rule *b)
{
    static const char *const keys[] = {"mesh",      "newly_manual_axes", "manual_axes", "check_vma",
                                       "axis_name", "axis_size",         "grid_mapping"};
    if (find_binder(a) != find_binder(b) || (a->e == NONE) != (b->e == NONE))
        return false;
    bool same = a->e == b->e || a->eqn->prim == b->eqn->prim;
    for (u32 i = 0; i < countof(keys) && same && a->e != b->e; i++) {
        struct slice one = SLICE(""), other = SLICE("");
        same = param_text(a, keys[i], &one) == param_text(b, keys[i], &other) && slice_eq(one, other);
    }
    return same;
}

/* the last equation that calls a shared program; NONE if none does, or if its calls are inside of different axes */
static eqn_t
caller_of(const struct rule *r, jaxpr_t shared)
{
    struct checker *c = r->c;
    find_calls(c);
    u64 known = memo_get(&c->calls.around, shared);
    if (!known) {
        u32 last = (u32)memo_get(&c->calls.by_jaxpr, shared);
        eqn_t e = last ? c->calls.all.at[last - 1].e : NONE;
        for (u32 i = last; i && e != NONE; i = c->calls.all.at[i - 1].before) {
            struct rule one = *r, other = *r;
            move_to(&one, e);
            move_to(&other, c->calls.all.at[i - 1].e);
            if (i != last && !same_axes(&one, &other))
                e = NONE;
        }
        known = e == NONE ? NO_CALL : (u64)e + 1;
        memo_set(c->m->mem, &c->calls.around, shared, known);
    }
    return known == NO_CALL ? NONE : (eqn_t)(known - 1);
}

/* steps from an equation to the one that contains its program; false at the outermost */
static bool
step_out(struct rule *around)
{
    jaxpr_t j = rule_jaxpr_of_eqn(around);
    eqn_t e = j == NONE ? NONE : around->m->jaxprs.at[j].parent;
    move_to(around, j != NONE && e == NONE ? caller_of(around, j) : e);
    return around->e != NONE;
}

/* whether a shard_map leaves axis i of its mesh to the compiler */
static bool
leaves_axis(struct rule *around, const struct mesh *mesh, u32 i)
{
    struct slice manual;
    if (mesh->manual >> i & 1 ||
        (!param_text(around, "newly_manual_axes", &manual) && !param_text(around, "manual_axes", &manual)))
        return false;
    const char *quote = format_text(around, "'%s'", format_slice(around, mesh->axes[i].name));
    bool set = slice_starts(manual, SLICE("frozenset(")) || slice_starts(manual, SLICE("{")); /* as norm prints it */
    return set && !slice_contains(manual, slice_of(quote));
}

/* the axes that the equation binds for its programs; read once */
static const struct bound *
bound_by(struct rule *around)
{
    struct checker *c = around->c;
    u64 known = memo_get(&c->mesh_axes.by_eqn, around->e);
    if (!known) {
        struct bound b = {.axes = c->mesh_axes.all.n};
        struct mesh mesh;
        struct slice text;
        i64 size, all;
        if (param_text(around, "mesh", &text) && mesh_read(text, &mesh))
            for (u32 i = 0; i < mesh.n; i++) {
                mesh.axes[i].left = leaves_axis(around, &mesh, i);
                *vec_push(c->m->mem, &c->mesh_axes.all) = mesh.axes[i];
            }
        if (param_text(around, "axis_name", &text) && param_int(around, "axis_size", &size) &&
            rule_param(around, "call_jaxpr") != NONE)
            *vec_push(c->m->mem, &c->mesh_axes.all) = (struct mesh_axis){
                .name = text, .size = param_int(around, "global_axis_size", &all) ? all : size}; /* of all processes */
        b.n = c->mesh_axes.all.n - b.axes;
        b.has_check_vma = param_bool(around, "check_vma", &b.checked);
        *vec_push(c->m->mem, &c->mesh_axes.bound) = b;
        memo_set(c->m->mem, &c->mesh_axes.by_eqn, around->e, known = c->mesh_axes.bound.n);
    }
    return &c->mesh_axes.bound.at[known - 1];
}

/* the mesh axis of that name bound by the nearest enclosing equation, or, if `sized`, the nearest that prints its size;
 * NULL if there is none */
static const struct mesh_axis *
find_axis(struct rule *r, struct slice name, bool sized)
{
    struct rule around = *r;
    r->wide = true;
    for (u32 levels = 0; levels < LEVELS && step_out(&around); levels++) {
        const struct bound *b = bound_by(&around);
        for (u32 i = 0; i < b->n; i++) {
            const struct mesh_axis *axis = &r->c->mesh_axes.all.at[b->axes + i];
            if ((axis->size > 0 || !sized) && slice_eq(axis->name, name))
                return axis;
        }
    }
    return NULL;
}

i64
rule_axis_size(struct rule *r, struct slice name)
{
    const struct mesh_axis *axis = find_axis(r, name, true);
    return axis != NULL ? axis->size : 0;
}

i64
rule_axes_size(struct rule *r)
{
    struct slice text, name;
    i64 size = 1;
    bool position;
    if (!param_text(r, "axis_name", &text) && !param_text(r, "axes", &text))
        return 0;
    for (struct axis_names names = axis_names_of(text); size && axis_names_next(&names, &name, &position);)
        if (__builtin_mul_overflow(size, rule_axis_size(r, name), &size))
            return 0;
    return size;
}

/* adds the place of a mesh axis to the last finding */
static bool
note_axis(struct rule *r, struct slice name)
{
    const struct mesh_axis *axis = find_axis(r, name, true);
    struct slice text = {r->m->text.at, r->m->text.n};
    if (axis == NULL || axis->name.at <= text.at || axis->name.at >= text.at + text.n)
        return false;
    const char *end = axis->name.at + axis->name.n;
    bool quoted = axis->name.at[-1] == '\'' && *end == '\'';
    return rule_note(r, at_text((u32)(axis->name.at - text.at) - quoted, (u32)axis->name.n + 2u * quoted),
                     "the mesh axis `%s` has size %lld", format_slice(r, name), (long long)axis->size);
}

bool
rule_note_manual(struct rule *r, struct slice name)
{
    struct rule around = *r;
    for (u32 levels = 0; levels < LEVELS && step_out(&around); levels++) {
        const struct bound *b = bound_by(&around);
        for (u32 i = 0; i < b->n; i++)
            if (slice_eq(r->c->mesh_axes.all.at[b->axes + i].name, name)) {
                bool newly = rule_param(&around, "newly_manual_axes") != NONE;
                return rule_note(r, at_param(&around, newly ? "newly_manual_axes" : "manual_axes"),
                                 "these are the manual axes of the enclosing `shard_map`");
            }
    }
    return false;
}

bool
rule_note_mesh(struct rule *r)
{
    struct rule around = *r;
    for (u32 levels = 0; levels < LEVELS && step_out(&around); levels++)
        if (rule_param(&around, "mesh") != NONE)
            return rule_note(r, at_param(&around, "mesh"), "the enclosing mesh is here");
    return false;
}

bool
rule_note_axes(struct rule *r)
{
    struct slice text, name;
    bool position;
    if (param_text(r, "axis_name", &text) || param_text(r, "axes", &text))
        for (struct axis_names names = axis_names_of(text); axis_names_next(&names, &name, &position);)
            note_axis(r, name);
    return false;
}

enum axis_scope
rule_axis_scope(struct rule *r, struct slice name)
{
    const struct mesh_axis *axis = find_axis(r, name, false);
    if (axis != NULL)
        return axis->left ? AXIS_LEFT : AXIS_BOUND;
    struct rule around = *r;
    bool some = false;
    u32 levels = 0;
    for (; levels < LEVELS && step_out(&around); levels++) {
        bool mesh = rule_param(&around, "mesh") != NONE && bound_by(&around)->n > 0;
        if (!mesh && may_bind(&around))
            return AXIS_BOUND;
        some |= mesh;
    }
    return levels == LEVELS ? AXIS_BOUND : some ? AXIS_UNBOUND : AXIS_FREE;
}

bool
rule_axis_is_manual(struct rule *r, struct slice name)
{
    return rule_axis_size(r, name) > 0 && rule_axis_scope(r, name) == AXIS_BOUND;
}

enum axis_kind
rule_axis_kind(struct rule *r, struct slice name)
{
    struct rule around = *r;
    struct slice text;
    struct mesh mesh;
    r->wide = true;
    for (u32 levels = 0; levels < LEVELS && step_out(&around); levels++) {
        bool maps = param_text(&around, "mesh", &text);
        if ((!maps && !param_text(&around, "ctx_mesh", &text)) || !mesh_read(text, &mesh))
            continue;
        u32 i = mesh_find(&mesh, name);
        if (i == NONE)
            continue;
        if (mesh.manual >> i & 1 || (maps && !leaves_axis(&around, &mesh, i)))
            return AXIS_MANUAL;
        return mesh.is_explicit >> i & 1 ? AXIS_EXPLICIT : AXIS_UNSHOWN;
    }
    return AXIS_UNSHOWN;
}

bool
rule_varying_checked(struct rule *r)
{
    struct rule around = *r;
    r->wide = true;
    for (u32 levels = 0; levels < LEVELS && step_out(&around); levels++)
        if (bound_by(&around)->has_check_vma)
            return bound_by(&around)->checked;
    return false;
}

/* longer grid mappings are not read, as every equation inside would read them again */
enum { LONGEST = 4096 };

u32
rule_grid_axes(struct rule *r, struct where *there)
{
    struct rule around = *r;
    struct slice mapping, grid;
    u32 n, levels = 0;
    r->wide = true;
    while (levels < LEVELS && step_out(&around) && !may_bind(&around))
        levels++;
    if (around.e == NONE || !param_text(&around, "grid_mapping", &mapping) || mapping.n >= LONGEST ||
        !value_field(mapping, "grid", &grid) || !value_count(grid, &n))
        return NONE;
    *there = at_slice(&around, "grid_mapping", grid);
    return n;
}
