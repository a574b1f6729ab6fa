/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory spaces of jax/_src/lax/utils.py, _default_memory_space_rule, and jax/_src/dispatch.py, update_dp_aval, as
 * 0.7.1 to 0.12 have them. Of the spaces of arrays, only `host` and `any` are distinguished from device memory, whose
 * name is not printed; `vmem` and similar ones occur only in arrays of Pallas, which has other rules. A ref keeps the
 * space it prints; one that prints none agrees with every other (jax/_src/core.py, typematch). */
#include "verify/memory_space.h"

#include "verify/checker.h"
#include "verify/mesh.h"

static const struct slice none = {NULL, 0}, device = {"", 0}, host = {"host", 4}, any = {"any", 3};

/* whether arrays in a space must not be mixed with arrays in any other */
static bool
is_kept(struct slice space)
{
    return slice_eq(space, host) || slice_eq(space, any);
}

bool
spaces_shown(const struct module *m)
{
    for (type_t id = 0; id < m->types.list.n; id++) {
        const struct type *t = type_get(&m->types, id);
        if (t->kind == TYPE_REF ? t->space.n != 0 : t->kind == TYPE_ARRAY && is_kept(t->space))
            return true;
    }
    return false;
}

static bool
same_array_space(struct slice a, struct slice b)
{
    return slice_eq(a, b) || (!is_kept(a) && !is_kept(b));
}

struct slice
shown_space(const struct module *m, const struct aval *a)
{
    const struct type *t = a->kind == AVAL_ARRAY && a->placed != NONE ? type_get(&m->types, a->placed) : NULL;
    if (t == NULL || t->kind != TYPE_ARRAY || !is_kept(t->space))
        return device;
    return (struct slice){t->space.at - 1, t->space.n + 2};
}

bool
spaces_agree(const struct module *m, const struct aval *a, const struct aval *b)
{
    if (a->literal || b->literal) {
        const struct aval *variable = a->literal ? b : a;
        return variable->literal || variable->placed == NONE || !is_kept(type_get(&m->types, variable->placed)->space);
    }
    if (a->placed == NONE || b->placed == NONE || a->placed == b->placed)
        return true;
    const struct type *one = type_get(&m->types, a->placed), *other = type_get(&m->types, b->placed);
    if (one->kind == TYPE_REF && other->kind == TYPE_REF)
        return one->space.n == 0 || other->space.n == 0 || slice_eq(one->space, other->space);
    return one->kind != TYPE_ARRAY || other->kind != TYPE_ARRAY || same_array_space(one->space, other->space);
}

/* the memory space of an operand; false if its type is unknown */
static bool
operand_space(const struct rule *r, u32 i, struct slice *space)
{
    const struct aval *a = &r->in[i];
    *space = device;
    if (a->literal)
        return true;
    if (a->kind != AVAL_ARRAY || !a->ranked || a->type == NONE)
        return false;
    *space = type_get(&r->m->types, a->type)->space;
    return true;
}

static const char *
format_space(struct rule *r, struct slice space)
{
    if (slice_eq(space, host))
        return "host memory";
    return space.n ? format_text(r, "memory space `%s`", format_slice(r, space)) : "device memory";
}

/* checks that result i is in `space`; reports T003. `from`, unless NONE, is the operand that determines the space;
 * `key`, unless NULL, is a parameter whose `part` names the space or, if `from` is given, too, names none */
static bool
result_space(struct rule *r, u32 i, struct slice space, u32 from, const char *key, struct slice part)
{
    struct aval binder = rule_binder(r, i);
    if (binder.kind != AVAL_ARRAY || binder.type == NONE ||
        same_array_space(type_get(&r->m->types, binder.type)->space, space))
        return true;
    rule_error(r, DIAG_T003, at_result(i), "`%s` is bound as %s, but %s is %sin %s", format_result(r, i),
               format_aval(r, &binder), format_which_result(r, i),
               r->prim->is.space == SPACE_DEVICE && !space.n ? "always " : "", format_space(r, space));
    if (from != NONE && r->in[from].literal)
        rule_note(r, at_operand(from), "literals are in device memory");
    else if (from != NONE)
        rule_note_operand(r, from);
    if (key && from != NONE)
        rule_note(r, at_slice(r, key, part), "this names no memory space, so the array stays in its own");
    else if (key)
        rule_note(r, at_slice(r, key, part), DETERMINED_BY, "the memory space of the result", key);
    return false;
}

/* whether a value names a space, stored in *space: a MemorySpace, or a sharding with a memory kind. All kinds but one
 * are on the device (jax/_src/core.py 0.12, mem_kind_to_space) */
static bool
value_space(struct slice value, struct slice *space)
{
    struct slice kind = {"", 0};
    *space = device;
    if (slice_ends(value, SLICE("Space.Any")))
        *space = any;
    else if (value_field(value, "memory_kind", &kind) ? slice_eq(kind, SLICE("pinned_host"))
                                                      : slice_ends(value, SLICE("Space.Host")))
        *space = host;
    else
        return slice_ends(value, SLICE("Space.Device")) || (kind.n && !slice_eq(kind, SLICE("None")));
    return true;
}

bool
space_inherited(const struct rule *r, struct slice value)
{
    struct slice space, own;
    return operand_space(r, 0, &own) && value_space(value, &space) && slice_eq(space, own);
}

bool
result_beside(struct rule *r, u32 i, u32 k)
{
    struct slice space;
    if (k == NONE)
        return !r->c->spaced || result_space(r, i, device, NONE, NULL, none);
    return !r->c->spaced || !operand_space(r, k, &space) || result_space(r, i, space, k, NULL, none);
}

/* `CpuDevice(id=0)`, which leaves an array in its memory space (jax/_src/dispatch.py, update_dp_aval) */
static bool
is_device(struct slice value)
{
    const char *open = memchr(value.at, '(', value.n);
    return open && open - value.at > 6 && memcmp(open - 6, "Device", 6) == 0;
}

/* reads the space of a listed type, `ShapedArray(float32<host>[3])`, which is the device if none is printed; false for
 * `vmem` and similar spaces */
static bool
type_space(struct slice type, struct slice *space)
{
    struct cursor c = cursor_of(type);
    *space = device;
    if (!value_word(&c, "ShapedArray("))
        return false;
    const char *axes = memchr(c.p, '[', (size_t)(c.end - c.p));
    const char *angle = axes ? memchr(c.p, '<', (size_t)(axes - c.p)) : NULL;
    if (angle && axes[-1] == '>')
        *space = (struct slice){angle + 1, (size_t)(axes - 2 - angle)};
    return axes && (!angle || is_kept(*space));
}

/* whether only versions that print memory spaces in types print the text */
static bool
types_have_spaces(struct checker *c)
{
    return range_has(checker_shown(c), JAX_SPACES_IN_TYPES);
}

/* checks each result against the space that a parameter gives it */
static bool
written_spaces(struct rule *r)
{
    static const struct {
        const char *key;
        bool (*read)(struct slice value, struct slice *space);
        bool each, moves; /* a value for each result; a value without a space keeps the operand's */
    } keys[] = {{"devices", value_space, true, true},     {"out_memory_spaces", value_space, true, false},
                {"out_spaces", value_space, true, false}, {"result_avals", type_space, true, false},
                {"out_avals", type_space, true, false},   {"memory_space", value_space, false, false}};
    struct slice text, value, space;
    u32 k = 0;
    while (k < countof(keys) && !param_text(r, keys[k].key, &text))
        k++;
    if (k == countof(keys))
        return true;
    struct cursor c = keys[k].each ? cursor_inside(text) : cursor_of(text);
    for (u32 i = 0; i < r->n_results && value_element(&c, &value); i++) {
        bool moves = keys[k].moves && i < r->n, stays = moves && (slice_eq(value, SLICE("None")) || is_device(value));
        /* a sharding has a memory kind even in versions that print no spaces in types */
        if ((r->c->spaced || !keys[k].moves || types_have_spaces(r->c) || slice_starts(value, SLICE("MemorySpace."))) &&
            (stays ? operand_space(r, i, &space) : keys[k].read(value, &space)) &&
            !result_space(r, i, space, stays ? i : NONE, keys[k].key, value))
            return false;
    }
    return true;
}

static bool
results_space(struct rule *r, struct slice space, u32 from)
{
    for (u32 i = 0; i < r->n_results; i++)
        if (!result_space(r, i, space, from, NULL, none))
            return false;
    return true;
}

/* checks that all operands but scalars are in one space, and the results in the same. If all operands are scalars,
 * which may be anywhere unless `scalars`, results are on the device, or in `any` if all operands are */
static bool
one_space(struct rule *r, bool scalars)
{
    struct slice space, other;
    bool all_any = r->n != 0, known = true;
    u32 first = NONE;
    for (u32 i = 0; i < r->n; i++) {
        bool found = operand_space(r, i, &other);
        known &= found;
        all_any &= found && slice_eq(other, any);
        if (!found || r->in[i].literal || (!r->in[i].rank && !scalars))
            continue;
        if (first == NONE) {
            first = i;
            space = other;
        } else if (!same_array_space(space, other)) {
            rule_error_pair(r, DIAG_T008, first, i, "`%s` requires operands in the same memory space", format_prim(r));
            return rule_hint(r, "`device_put` moves an array to another memory space");
        }
    }
    if (first != NONE)
        return results_space(r, space, first);
    return !known || results_space(r, all_any ? any : device, NONE) ||
           rule_hint(r, all_any ? "all operands are scalars in this memory space"
                                : "an operation on scalars alone gives a result in device memory");
}

/* checks that results are in the space of operand 0; only a warning if they are on the device, where 0.7.1 leaves
 * them */
static bool
first_space(struct rule *r)
{
    struct slice space;
    if (!r->n || !operand_space(r, 0, &space))
        return true;
    struct aval binder = r->n_results ? rule_binder(r, 0) : aval_unknown();
    if (!is_kept(space) || binder.kind != AVAL_ARRAY || binder.type == NONE ||
        type_get(&r->m->types, binder.type)->space.n)
        return results_space(r, space, 0);
    rule_warning(r, DIAG_T003, at_result(0), "`%s` is bound as %s, but %s is in %s, as `%s` is", format_result(r, 0),
                 format_aval(r, &binder), format_which_result(r, 0), format_space(r, space), format_operand(r, 0));
    rule_note_operand(r, 0);
    return true;
}

static bool
holds_programs(const struct rule *r)
{
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next)
        if (r->m->params.at[p].kind != PARAM_TEXT && r->m->params.at[p].a != NONE)
            return true;
    return false;
}

/* checks that results are on the device if all operands are; nested programs may move theirs, and are not checked */
static bool
results_stay(struct rule *r)
{
    struct slice space;
    if (r->prim->is.trusted || holds_programs(r))
        return true;
    for (u32 i = 0; i < r->n; i++)
        if (!operand_space(r, i, &space) || is_kept(space))
            return true;
    return results_space(r, device, r->n == 1 ? 0 : NONE);
}

/* the space of what operand 0 holds, which refs print up to JAX 0.9, `Ref{f32<host>[8]}`; device memory for others */
static struct slice
held_space(const struct rule *r)
{
    atom_t a = r->n ? r->m->atoms.at[r->eqn->atoms] : NONE;
    struct aval ref = r->n == 0                  ? aval_unknown()
                      : atom_kind(a) == ATOM_REF ? aval_here(r, r->m->refs.at[atom_id(a)].ref)
                                                 : r->in[0];
    type_t element = ref.kind == AVAL_REF ? ref_element(r->m, ref.type) : NONE;
    return element == NONE ? device : type_get(&r->m->types, element)->space;
}

bool
rule_spaces(struct rule *r)
{
    struct slice space;
    switch (r->prim->is.space) {
    case SPACE_ONE:
        return one_space(r, false);
    case SPACE_ALIKE:
        return one_space(r, true);
    case SPACE_FIRST:
        return first_space(r);
    case SPACE_SECOND:
        return r->n < 2 || result_beside(r, 0, 1);
    case SPACE_REDUCED:
        if (rule_varying_checked(r) || (r->n && r->in[0].type != NONE && vary_list(r->m, r->in[0].type).n))
            return first_space(r);
        return results_stay(r) && results_space(r, device, NONE);
    case SPACE_PUT:
        return written_spaces(r);
    case SPACE_EACH:
        for (u32 i = 0; i < r->n && r->n == r->n_results; i++)
            if (operand_space(r, i, &space) && !result_space(r, i, space, i, NULL, none))
                return false;
        return true;
    case SPACE_DEVICE:
        return results_space(r, held_space(r), NONE);
    case SPACE_FREE:
        break;
    }
    return results_stay(r);
}
