/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and comparing the varying axes of types (jax/_src/core.py, standard_vma_rule; the casts of parallel.py). The
 * lists are as long as a mesh has axes, and no more of them are looked for: comparing two costs their length so many
 * times. */
#include "verify/call_check.h"
#include "verify/mesh.h"
#include "verify/varying_axes.h"

struct slice
vary_list(const struct module *m, type_t type)
{
    static const struct slice none = {"", 0};
    if (type == NONE)
        return none;
    struct slice text = type_get(&m->types, type)->vary;
    const char *end = text.at + text.n, *p = text.at;
    if (text.n < 3 || *p != '{')
        return none;
    while (p + 1 < end && !(p[0] == 'V' && p[1] == ':' && (p[-1] == '{' || p[-1] == ' ')))
        p++;
    if (p + 1 < end) {
        p += 2;
        const char *stop = memchr(p, *p == '(' ? ')' : ',', (size_t)(end - p));
        p += *p == '(';
        if (!stop)
            stop = end - 1;
        return (struct slice){p, (size_t)(stop - p)};
    }
    while (p > text.at && *p != '{')
        p--;
    if (memchr(p, ':', (size_t)(end - p)))
        return none;
    return (struct slice){p + 1, (size_t)(end - p - 2)};
}

/* every axis of one list, as far as a mesh can have so many, is in the other or in a third */
static bool
within(struct slice list, struct slice other, struct slice third)
{
    struct cursor c = cursor_of(list);
    struct slice element;
    for (u32 n = 0; n < MESH_AXES && value_element(&c, &element); n++) {
        if (!value_has(other, element) && !value_has(third, element))
            return false;
        if (!value_comma(&c))
            break;
    }
    return true;
}

/* true where two lists name the same axes, in whatever order */
static bool
vary_equal(struct slice a, struct slice b)
{
    static const struct slice none = {"", 0};
    return slice_eq(a, b) || (within(a, b, none) && within(b, a, none));
}

/* the type printed for an operand, NONE where none is or where its name does not say which variable is meant */
static type_t
operand_type(const struct rule *r, u32 i)
{
    return r->in[i].kind == AVAL_ARRAY ? r->in[i].type : NONE;
}

static bool
says_any(const struct rule *r)
{
    for (u32 i = 0; i < r->n; i++)
        if (vary_list(r->m, operand_type(r, i)).n)
            return true;
    for (u32 i = 0; i < r->n_results; i++)
        if (vary_list(r->m, rule_binder(r, i).type).n)
            return true;
    return false;
}

static const char *
say_list(struct rule *r, struct slice list)
{
    return list.n ? say(r, "varies over `%s`", say_slice(r, list)) : "does not vary";
}

bool
rule_varies(struct rule *r)
{
    u32 first = NONE;
    if (!says_any(r))
        return true;
    for (u32 i = 0; i < r->n; i++) {
        if (r->in[i].kind != AVAL_ARRAY || r->in[i].type == NONE)
            continue;
        if (first == NONE)
            first = i;
        struct slice wanted = vary_list(r->m, r->in[first].type), have = vary_list(r->m, r->in[i].type);
        if (vary_equal(wanted, have))
            continue;
        rule_error(r, DIAG_T030, at_operand(i), "`%s` needs operands that vary over the same axes: `%s` %s, `%s` %s",
                   say_prim(r), say_operand(r, first), say_list(r, wanted), say_operand(r, i), say_list(r, have));
        rule_note_operand(r, first);
        rule_note_operand(r, i);
        rule_hint(r, "`pvary` makes a value vary");
        return false;
    }
    if (first == NONE)
        return true;
    struct slice gives = vary_list(r->m, r->in[first].type);
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval binder = rule_binder(r, i);
        if (binder.kind != AVAL_ARRAY || vary_equal(gives, vary_list(r->m, binder.type)))
            continue;
        return rule_error(r, DIAG_T030, at_result(i), "`%s` is bound as %s, but what `%s` gives %s, as its operands do",
                          say_result(r, i), say_aval(r, &binder), say_prim(r), say_list(r, gives));
    }
    return true;
}

/* ---- the casts ---- */

/* the names of `axes=('x', 'y')` as `x, y` without their brackets; false where it is not printed, or names what is no
 * axis of a mesh: positions of axes, objects of Python */
static bool
param_axes(struct rule *r, struct slice *out)
{
    struct slice text;
    u32 count;
    if (!param_text(r, "axes", &text) || !value_count(text, &count))
        return false;
    /* names are quoted there and bare in types: drop the quotes */
    char *bare = rule_alloc(r, text.n + 1);
    u32 n = 0, quotes = 0;
    for (size_t i = 1; i + 1 < text.n; i++) {
        quotes += text.at[i] == '\'';
        if (text.at[i] != '\'')
            bare[n++] = text.at[i];
    }
    if (quotes != 2 * count)
        return false;
    *out = (struct slice){bare, n};
    return true;
}

/* result i varies as its operand does, and over `axes` (`more`) or not over them */
static bool
cast_result(struct rule *r, u32 i, struct slice axes, bool more)
{
    static const struct slice none = {"", 0};
    struct aval binder = rule_binder(r, i);
    struct slice have = vary_list(r->m, operand_type(r, i)), gives = vary_list(r->m, binder.type);
    if (binder.kind != AVAL_ARRAY || r->in[i].kind != AVAL_ARRAY || r->in[i].type == NONE)
        return true;
    bool right = more ? within(gives, have, axes) && within(have, gives, none) && within(axes, gives, none)
                      : within(gives, have, none) && within(have, gives, axes);
    struct cursor c = cursor_of(axes);
    struct slice axis;
    for (u32 n = 0; n < MESH_AXES && right && !more && value_element(&c, &axis); n++) {
        right = !value_has(gives, axis);
        if (!value_comma(&c))
            break;
    }
    if (right)
        return true;
    rule_error(r, DIAG_T030, at_result(i),
               "`%s` is bound as %s, but `%s` over (%s) gives a value that varies over its operand's axes %s these: "
               "`%s` is %s",
               say_result(r, i), say_aval(r, &binder), say_prim(r), say_slice(r, axes), more ? "and" : "without",
               say_operand(r, i), say_aval(r, &r->in[i]));
    rule_note_operand(r, i);
    return false;
}

/* pvary: the axes are new to each operand */
bool
shape_pvary(struct rule *r, struct aval *out)
{
    struct slice axes, axis;
    *out = aval_unknown();
    if (!results_like_operands(r))
        return false;
    if (!param_axes(r, &axes))
        return true;
    for (u32 i = 0; i < r->n; i++) {
        struct cursor c = cursor_of(axes);
        struct slice have = vary_list(r->m, operand_type(r, i));
        for (u32 n = 0; n < MESH_AXES && value_element(&c, &axis); n++) {
            if (value_has(have, axis)) {
                rule_error(r, DIAG_T030, at_operand(i),
                           "`%s` makes `%s` vary over `%s`, which it does already: it is %s", say_prim(r),
                           say_operand(r, i), say_slice(r, axis), say_aval(r, &r->in[i]));
                rule_note_operand(r, i);
                return false;
            }
            if (!value_comma(&c))
                break;
        }
        if (!cast_result(r, i, axes, true))
            return false;
    }
    return true;
}

/* each operand varies over one of the axes, and what is made of it over none of them */
static bool
gives_invariant(struct rule *r)
{
    struct slice axes, axis;
    if (!param_axes(r, &axes))
        return true;
    for (u32 i = 0; i < r->n && i < r->n_results; i++) {
        struct cursor c = cursor_of(axes);
        struct slice have = vary_list(r->m, operand_type(r, i));
        bool some = false;
        for (u32 n = 0; n < MESH_AXES && !some && value_element(&c, &axis); n++) {
            some = value_has(have, axis);
            if (!value_comma(&c))
                break;
        }
        if (!some && r->in[i].kind == AVAL_ARRAY && r->in[i].type != NONE) {
            rule_error(r, DIAG_T030, at_operand(i),
                       "`%s` reduces over (%s), but `%s` varies over none of these: it is %s", say_prim(r),
                       say_slice(r, axes), say_operand(r, i), say_aval(r, &r->in[i]));
            rule_note_operand(r, i);
            return false;
        }
        if (!cast_result(r, i, axes, false))
            return false;
    }
    return true;
}

/* pmax, pmin, psum_invariant: the result is the same wherever varying axes are checked (parallel.py,
 * _pmin_pmax_abstract_eval), which a type that shows some tells, or the shard_map around. Up to 0.5, when
 * psum_invariant was psum2, nobody checked them so */
bool
shape_extremum(struct rule *r, struct aval *out)
{
    return shape_allreduce(r, out) && ((!says_any(r) && !rule_varying_checked(r)) || gives_invariant(r));
}
