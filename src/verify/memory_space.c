/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory spaces of jax/_src/lax/utils.py, _default_memory_space_rule, and jax/_src/dispatch.py, update_dp_aval, as
 * 0.7.1 to 0.12 have them. Of arrays only `host` is distinguished from the device, whose name is not printed: `any`
 * goes with every space, and `vmem` and its kin occur in arrays of Pallas only, whose rules are others. A ref keeps the
 * space it prints; one that prints none goes with all (jax/_src/core.py, typematch). */
#include "verify/memory_space.h"

static const struct slice device = {"", 0}, host = {"host", 4}, any = {"any", 3};

bool
spaces_shown(const struct module *m)
{
    for (type_t id = 0; id < m->types.list.n; id++) {
        const struct type *t = type_get(&m->types, id);
        if (t->kind == TYPE_REF ? t->space.n != 0 : t->kind == TYPE_ARRAY && slice_eq(t->space, host))
            return true;
    }
    return false;
}

static bool
same_array_space(struct slice a, struct slice b)
{
    return slice_eq(a, b) || slice_eq(a, any) || slice_eq(b, any) || (!slice_eq(a, host) && !slice_eq(b, host));
}

bool
spaces_agree(const struct module *m, const struct aval *a, const struct aval *b)
{
    if (a->type == NONE || b->type == NONE || a->literal || b->literal || a->type == b->type)
        return true;
    const struct type *one = type_get(&m->types, a->type), *other = type_get(&m->types, b->type);
    if (one->kind == TYPE_REF && other->kind == TYPE_REF)
        return one->space.n == 0 || other->space.n == 0 || slice_eq(one->space, other->space);
    return one->kind != TYPE_ARRAY || other->kind != TYPE_ARRAY || same_array_space(one->space, other->space);
}

/* an operand that decides: an array of some rank, for scalars go anywhere */
static bool
decides(const struct rule *r, u32 i)
{
    const struct aval *a = &r->in[i];
    return a->kind == AVAL_ARRAY && a->ranked && a->rank && a->type != NONE && !a->literal;
}

static const char *
format_space(struct rule *r, struct slice space)
{
    if (slice_eq(space, host))
        return "host memory";
    return space.n ? format_text(r, "<%s>", format_slice(r, space)) : "device memory";
}

/* result i is bound in the space it lies in */
static bool
result_space(struct rule *r, u32 i, struct slice space, u32 from)
{
    struct aval binder = rule_binder(r, i);
    if (binder.kind != AVAL_ARRAY || binder.type == NONE ||
        same_array_space(type_get(&r->m->types, binder.type)->space, space))
        return true;
    rule_error(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but the result of `%s` is in %s", format_result(r, i),
               format_aval(r, &binder), format_prim(r), format_space(r, space));
    rule_note_operand(r, from);
    return false;
}

/* where `devices` puts each operand; a sharding among them says so by its kind of memory, all but one of which are the
 * device's (jax/_src/core.py 0.12, mem_kind_to_space) */
static bool
write_spaces(struct rule *r)
{
    struct slice text, entry;
    if (!param_text(r, "devices", &text))
        return true;
    struct cursor c = cursor_inside(text);
    for (u32 i = 0; i < r->n && i < r->n_results && value_element(&c, &entry); i++) {
        struct slice kind = {"", 0};
        value_field(entry, "memory_kind", &kind);
        bool to_host = slice_eq(entry, SLICE("MemorySpace.Host")) || slice_eq(kind, SLICE("pinned_host"));
        bool to_device = slice_eq(entry, SLICE("MemorySpace.Device")) || (kind.n && !slice_eq(kind, SLICE("None")));
        if ((to_host || to_device) && !result_space(r, i, to_host ? host : device, i))
            return false;
    }
    return true;
}

bool
rule_spaces(struct rule *r)
{
    if (r->prim->is.space != SPACE_ONE)
        return r->prim->is.space == SPACE_FREE || write_spaces(r);
    u32 first = 0;
    while (first < r->n && !decides(r, first))
        first++;
    for (u32 i = first + 1; i < r->n; i++) {
        if (!decides(r, i) || spaces_agree(r->m, &r->in[first], &r->in[i]))
            continue;
        rule_error_pair(r, DIAG_T008, first, i, "`%s` requires operands in the same memory space", format_prim(r));
        rule_hint(r, "`device_put` moves an array to another memory space");
        return false;
    }
    return first >= r->n || r->n_results != 1 ||
           result_space(r, 0, type_get(&r->m->types, r->in[first].type)->space, first);
}
