/* SPDX-License-Identifier: Apache-2.0
 *
 * The sharding of a result in a parameter, `NamedSharding(mesh=AbstractMesh('x': 4, ..), spec=P('x', None))`,
 * against the result's type: jax/_src/core.py, get_sharding and _check_divisibility, and
 * jax/_src/named_sharding.py, check_pspec. Linear in its bytes and in the axes of its mesh. */
#include "verify/checker.h"

/* A spec being checked: the name of its parameter, its mesh, and the axes used so far. */
struct spec_check {
    struct rule *r;
    const char *key;
    const struct aval *result;
    struct mesh mesh;
    u64 met;
    bool sized; /* sizes of the result are divided: it is laid out over an explicit mesh */
};

/* entry d of the spec, `'x'` or `('x', 'y')`: axes of the mesh, without repetition, without which there is no
 * NamedSharding, and whose sizes divide the extent */
static bool
entry_fits(struct spec_check *s, u32 d, struct slice entry)
{
    struct rule *r = s->r;
    struct slice one = entry;
    i64 parts = 1;
    if (!slice_starts(entry, SLICE("(")) && !slice_starts(entry, SLICE("'")))
        return true; /* None, or PartitionSpec.UNCONSTRAINED */
    struct cursor c = entry.at[0] == '(' ? cursor_inside(entry) : cursor_of(entry);
    while (value_element(&c, &one)) {
        if (one.n < 2 || one.at[0] != '\'')
            return true;
        struct slice name = {one.at + 1, one.n - 2};
        u32 axis = mesh_find(&s->mesh, name);
        if (axis == NONE)
            return rule_stricter(r, DIAG_T010, at_param(r, s->key),
                                 "`%s` of `%s` names the axis `%s`, which is not in the mesh", s->key, format_prim(r),
                                 format_slice(r, name));
        if (s->met >> axis & 1)
            return rule_stricter(r, DIAG_T010, at_param(r, s->key), "`%s` of `%s` names the mesh axis `%s` twice",
                                 s->key, format_prim(r), format_slice(r, name));
        s->met |= 1ull << axis;
        if (s->mesh.axes[axis].size < 1 || __builtin_mul_overflow(parts, s->mesh.axes[axis].size, &parts))
            return true;
    }
    if (!s->sized || d >= s->result->rank)
        return true;
    const struct dim *extent = &s->result->dims[d];
    if (extent->kind != DIM_INT || dim_divisible(*extent, parts) != NO)
        return true;
    return rule_stricter(r, DIAG_T009, at_param(r, s->key),
                         "`%s` of `%s` splits axis %u into %lld parts, but its size %s is not a multiple of %lld",
                         s->key, format_prim(r), d, (long long)parts, format_dim(r, *extent), (long long)parts);
}

/* types have abstract meshes: JAX derives one from a concrete mesh */
static bool
mesh_is_abstract(struct spec_check *s, struct slice text)
{
    struct slice mesh;
    if (s->r->prim->is.sharding_hidden || !value_field(text, "mesh", &mesh) || !slice_starts(mesh, SLICE("Mesh(")))
        return true;
    return rule_warning(s->r, DIAG_T010, at_param(s->r, s->key), "`%s` of `%s` must have an `AbstractMesh`, got `%s`",
                        s->key, format_prim(s->r), format_slice(s->r, mesh));
}

bool
rule_spec(struct rule *r, const struct param *p, const struct prim_param *param)
{
    struct slice text = value_trim(param_bytes(r->m, p)), spec, mesh, entry;
    struct aval result = rule_binder(r, 0);
    struct spec_check s = {.r = r, .key = format_slice(r, param->key), .result = &result};
    u32 n = 0;
    if (!value_field(text, "spec", &spec))
        return true;
    bool named = value_field(text, "mesh", &mesh) && mesh_read(mesh, &s.mesh),
         placed = r->prim->is.sharding && r->n_results == 1 && result.ranked;
    s.sized = placed && named && slice_contains(mesh, SLICE("Explicit"));
    const char *open = memchr(spec.at, '(', spec.n);
    struct cursor c = {open ? open : spec.at, spec.at + spec.n};
    for (value_open(&c); value_element(&c, &entry);) {
        if (memchr(entry.at, '=', entry.n))
            continue; /* `unreduced={..}` */
        if (named && !entry_fits(&s, n, entry))
            return false;
        n++;
    }
    if (placed && n > result.rank && !r->prim->is.sharding_hidden)
        return rule_stricter(r, DIAG_T009, at_param(r, s.key), "`%s` of `%s` has %s, but its result is %s", s.key,
                             format_prim(r), format_count(r, n, "entry", "entries"), format_aval(r, &result));
    return !placed || mesh_is_abstract(&s, text);
}
