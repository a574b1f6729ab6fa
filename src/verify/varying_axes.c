/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and comparing the varying axes of types (jax/_src/core.py, standard_vma_rule), and what collectives do to
 * them. The lists are at most as long as a mesh has axes: comparing two costs the product of their lengths. */
#include "verify/checker.h"
#include "verify/mesh.h"
#include "verify/sharding_rules.h"
#include "verify/varying_axes.h"

bool
vary_within(struct slice list, struct slice other, struct slice third)
{
    struct cursor c = cursor_of(list);
    struct slice element;
    for (u32 n = 0; n < MESH_AXES && value_element(&c, &element); n++)
        if (!value_has(other, element) && !value_has(third, element))
            return false;
    return true;
}

/* true if two lists contain the same axes, in any order */
static bool
vary_equal(struct slice a, struct slice b)
{
    static const struct slice none = {"", 0};
    return slice_eq(a, b) || (vary_within(a, b, none) && vary_within(b, a, none));
}

/* the type that prints the axes of an array, or of what a ref holds; NONE if it is not known */
static type_t
type_with_axes(const struct rule *r, const struct aval *a)
{
    return a->kind == AVAL_ARRAY ? aval_axes(a) : a->kind == AVAL_REF ? ref_element(r->m, a->type) : NONE;
}

/* whether two types vary, are unreduced and are reduced over the same axes */
static bool
axes_alike(const struct type *one, const struct type *other)
{
    return slice_eq(one->vary, other->vary) || (vary_equal(vary_axes(one), vary_axes(other)) &&
                                                vary_equal(type_reduces(one, 'U'), type_reduces(other, 'U')) &&
                                                vary_equal(type_reduces(one, 'R'), type_reduces(other, 'R')));
}

bool
vary_as_listed(const struct rule *r, const struct aval *a, struct slice axes)
{
    const struct type listed = {.vary = axes};
    type_t printed = type_with_axes(r, a);
    return printed == NONE || axes_alike(&listed, type_get(&r->m->types, printed));
}

bool
vary_alike(const struct rule *r, const struct aval *a, const struct aval *b)
{
    type_t first = type_with_axes(r, a), second = type_with_axes(r, b);
    if (a->kind != b->kind || first == second || first == NONE || second == NONE)
        return true;
    return axes_alike(type_get(&r->m->types, first), type_get(&r->m->types, second));
}

enum axis_kind
axes_kind(struct rule *r, struct slice axes)
{
    struct cursor c = cursor_of(axes);
    struct slice axis;
    enum axis_kind kind = AXIS_UNSHOWN;
    for (u32 n = 0; n < MESH_AXES && value_element(&c, &axis); n++) {
        enum axis_kind one = rule_axis_kind(r, axis);
        if (n && one != kind)
            return AXIS_UNSHOWN;
        kind = one;
    }
    return kind;
}

bool
vary_agree(struct rule *r, const struct aval *a, const struct aval *b)
{
    if (vary_alike(r, a, b))
        return true;
    type_t first = type_with_axes(r, a), second = type_with_axes(r, b);
    const struct type *shown = type_get(&r->m->types, may_lack_mesh(r, a) ? second : first);
    return vary_equal(vary_list(r->m, first), vary_list(r->m, second)) &&
           (may_lack_mesh(r, a) || may_lack_mesh(r, b)) && axes_kind(r, type_axes(shown, 'U')) != AXIS_MANUAL &&
           axes_kind(r, type_axes(shown, 'R')) != AXIS_MANUAL;
}

type_t
vary_type(const struct rule *r, u32 i)
{
    return r->in[i].kind == AVAL_ARRAY ? r->in[i].type : NONE;
}

bool
vary_shown(const struct rule *r)
{
    for (u32 i = 0; i < r->n; i++)
        if (vary_list(r->m, vary_type(r, i)).n)
            return true;
    for (u32 i = 0; i < r->n_results; i++)
        if (vary_list(r->m, rule_binder(r, i).type).n)
            return true;
    return false;
}

const char *
vary_names(struct rule *r, struct slice list)
{
    const char *text = "";
    struct slice axis, next;
    struct cursor c = cursor_of(list);
    bool more = value_element(&c, &next);
    while (more) {
        axis = next;
        more = value_element(&c, &next);
        text = format_text(r, "%s%s`%s`", text, !*text ? "" : more ? ", " : " and ", format_slice(r, axis));
    }
    return text;
}

static const char *
format_names(struct rule *r, struct slice list)
{
    return list.n ? format_text(r, "varies over %s", vary_names(r, list)) : "does not vary";
}

/* the function that reports a difference: JAX compares varying axes inside a shard_map with `check_vma=True` */
static report_fn *
vary_error(struct rule *r)
{
    return rule_varying_checked(r) ? rule_error : rule_stricter;
}

/* checks that the first n operands vary over the same axes; *first is the first whose type is printed, or NONE */
static bool
operands_vary_alike(struct rule *r, u32 n, u32 *first)
{
    *first = NONE;
    for (u32 i = 0; i < n; i++) {
        if (r->in[i].kind != AVAL_ARRAY || r->in[i].type == NONE)
            continue;
        if (*first == NONE)
            *first = i;
        struct slice wanted = vary_list(r->m, r->in[*first].type), have = vary_list(r->m, r->in[i].type);
        if (vary_equal(wanted, have))
            continue;
        vary_error(r)(r, DIAG_T030, at_operand(i),
                      "`%s` requires operands that vary over the same axes: `%s` %s, `%s` %s", format_prim(r),
                      format_operand(r, *first), format_names(r, wanted), format_operand(r, i), format_names(r, have));
        rule_note_operand(r, *first);
        rule_note_operand(r, i);
        return rule_hint(r,
                         "`pvary`, in Python `jax.lax.pcast(x, .., to='varying')`, makes a value vary over mesh axes");
    }
    return true;
}

/* checks that result i varies over the axes of operand `like`, or over none if that is NONE */
static bool
result_varies(struct rule *r, u32 i, u32 like)
{
    struct aval binder = rule_binder(r, i);
    struct slice gives = like == NONE ? SLICE("") : vary_list(r->m, r->in[like].type);
    if (binder.kind != AVAL_ARRAY || vary_equal(gives, vary_list(r->m, binder.type)))
        return true;
    const char *as = like == NONE ? "" : format_text(r, ", like its operand `%s`", format_operand(r, like));
    return vary_error(r)(r, DIAG_T030, at_result(i), "`%s` is bound as %s, but %s %s%s", format_result(r, i),
                         format_aval(r, &binder), format_which_result(r, i), format_names(r, gives), as) ||
           (like != NONE && rule_note_operand(r, like));
}

bool
rule_ref_varies(struct rule *r, type_t value, type_t ref, struct where where, const char *is)
{
    type_t element = ref_element(r->m, ref);
    if (!r->m->types.varying || value == NONE || element == NONE)
        return true;
    struct slice have = vary_list(r->m, value), wanted = vary_list(r->m, element);
    bool written = where.kind == AT_OPERAND;
    if (vary_equal(have, wanted) || (written && range_lacks(rule_versions(r), JAX_WRITES_VARY)))
        return true;
    (written && !range_has(rule_versions(r), JAX_WRITES_VARY) ? rule_warning : vary_error(r))(
        r, DIAG_T030, where, "%s, which %s, but what the ref holds %s", is, format_names(r, have),
        format_names(r, wanted));
    for (u32 k = 0; k < r->n && k < 2; k++)
        rule_note_operand(r, k);
    return false;
}

bool
rule_read_varies(struct rule *r, type_t ref)
{
    struct aval binder = rule_binder(r, 0);
    return binder.kind != AVAL_ARRAY ||
           rule_ref_varies(r, binder.type, ref, at_result(0),
                           format_text(r, "`%s` is bound as %s", format_result(r, 0), format_aval(r, &binder)));
}

bool
rule_varies(struct rule *r)
{
    u32 first = NONE;
    u8 by = r->prim->is.varying;
    if ((by == VARY_BY_RULE && r->prim->dtype == DTYPE_own) || !vary_shown(r))
        return true;
    if (by != VARY_EACH && by != VARY_FIRST && !operands_vary_alike(r, by == VARY_HALF ? r->n / 2 : r->n, &first))
        return false;
    if (by != VARY_EACH && by != VARY_FIRST && first == NONE && (r->n || r->prim->is.moved.need))
        return true;
    for (u32 i = 0; i < r->n_results; i++) {
        u32 like = by == VARY_EACH ? i : by == VARY_FIRST ? (i ? NONE : 0) : first;
        bool unknown = like != NONE && (like >= r->n || r->in[like].kind != AVAL_ARRAY || r->in[like].type == NONE);
        if (!unknown && !result_varies(r, i, like))
            return false;
    }
    return true;
}

/* ---- collectives ---- */

/* What a value may be over an axis. */
static const struct over {
    u8 is;
    char letter;
    const char *yes, *no;
} overs[] = {{OVER_V, 'V', "varies", "does not vary"},
             {OVER_U, 'U', "is unreduced", "is not unreduced"},
             {OVER_R, 'R', "is reduced", "is not reduced"}};

static const struct over *
over_of(u8 is)
{
    const struct over *over = overs;
    while (over->is != is)
        over++;
    return over;
}

/* the axes that the type of an array, or inside a future, prints after a letter; false if no type is printed */
static bool
axes_after(const struct rule *r, const struct aval *a, char letter, struct slice *axes)
{
    *axes = (struct slice){"", 0};
    if (a->kind == AVAL_ARRAY) {
        *axes = aval_over(r->m, a, letter);
        return a->literal || aval_axes(a) != NONE;
    }
    struct slice text = a->kind == AVAL_OTHER && a->type != NONE ? type_get(&r->m->types, a->type)->text : *axes;
    const char *end = slice_starts(text, SLICE("AbstractFuture{")) ? memchr(text.at, ']', text.n) : NULL;
    if (!end)
        return false;
    struct type inner = {.vary = {end + 1, (size_t)(text.at + text.n - end) - 2}};
    *axes = type_axes(&inner, letter);
    return true;
}

/* the names of mesh axes in `axes=('x', 'y')`, `axis_name=('x',)` or `axis_name=x`, without quotes and brackets;
 * positions are left out. False if there is no such parameter, or if an axis is named by another object than a
 * string */
static bool
moved_axes(struct rule *r, struct slice *out)
{
    struct slice text, name;
    u32 n = 0;
    bool position;
    if (!param_text(r, "axes", &text) && !param_text(r, "axis_name", &text))
        return false;
    *out = text;
    struct axis_names names = axis_names_of(text);
    if (!names.listed)
        return true;
    char *bare = rule_alloc(r, text.n + 1);
    while (axis_names_next(&names, &name, &position)) {
        if (position)
            continue;
        if (name.at[-1] != '\'')
            return false;
        bare[n] = ',';
        n += n > 0;
        memcpy(bare + n, name.at, name.n);
        n += (u32)name.n;
    }
    *out = (struct slice){bare, n};
    return true;
}

/* whether JAX tracks varying axes at the equation, as a type or the enclosing shard_map shows. In programs up to 0.6,
 * which have the same canonical form as later ones, no type shows varying axes */
static bool
tracks_varying(struct rule *r)
{
    const struct axis_move *move = &r->prim->is.moved;
    if (vary_shown(r) || (move->certain && move->to))
        return true;
    return (rule_varying_checked(r) || (move->certain && !range_lacks(rule_versions(r), JAX_SHARD_MAP_SPECS))) &&
           varying_shown(r->c);
}

/* reports operand i: over the axes that `which` names, it must be what `over` describes, or, if not `needed`, must not
 * be */
static bool
report_moved(struct rule *r, u32 i, const struct over *over, bool needed, struct slice axes, const char *which)
{
    rule_error(r, DIAG_T030, at_operand(i), "`%s` over %s requires an operand that %s over %s: `%s` is %s",
               format_prim(r), axes.n ? vary_names(r, axes) : "no axis of a mesh", needed ? over->yes : over->no, which,
               format_operand(r, i), format_aval(r, &r->in[i]));
    return rule_note_operand(r, i);
}

/* checks that operand i is over the collective's axes what the row requires, and nothing that the row excludes */
static bool
operand_moves(struct rule *r, u32 i, const struct over *over, struct slice axes, struct slice have)
{
    const struct axis_move *move = &r->prim->is.moved;
    struct cursor c = cursor_of(axes);
    struct slice axis;
    u32 n = 0, met = 0;
    for (; n < MESH_AXES && value_element(&c, &axis); n++) {
        bool is = value_has(have, axis);
        met += is;
        if (is && move->never & over->is)
            return report_moved(r, i, over, false, axes, format_text(r, "`%s`", format_slice(r, axis)));
    }
    if (!(move->from & over->is) || move->need == MOVE_ANY || (move->need == MOVE_ALL ? met == n : met > 0))
        return true;
    return report_moved(r, i, over, true, axes,
                        n == 1                   ? "this axis"
                        : move->need == MOVE_ALL ? "these axes"
                                                 : "at least one of these axes");
}

/* checks that result i is over each axis what its operand is, except for the collective's axes, for which the row
 * decides */
static bool
result_moves(struct rule *r, u32 i, const struct over *over, struct slice axes, struct slice have)
{
    const struct axis_move *move = &r->prim->is.moved;
    struct aval binder = rule_binder(r, i);
    struct slice given, axis;
    if (!axes_after(r, &binder, over->letter, &given))
        return true;
    const struct slice lists[] = {have, axes, given};
    for (u32 k = 0; k < countof(lists); k++) {
        struct cursor c = cursor_of(lists[k]);
        for (u32 n = 0; n < MESH_AXES && value_element(&c, &axis); n++) {
            bool moves = value_has(axes, axis);
            bool is = moves && (move->to | move->from) & over->is ? move->to & over->is : value_has(have, axis);
            if (is == value_has(given, axis))
                continue;
            const char *where = axes.n ? format_text(r, " over %s", vary_names(r, axes)) : "";
            const char *gives = is ? over->yes : moves && move->to ? over_of(move->to)->yes : over->no;
            bool kept = !moves && i < r->n; /* by the collective, as the operand has it */
            rule_error(r, DIAG_T030, at_result(i), "`%s` is bound as %s, but %s%s %s over `%s`%s", format_result(r, i),
                       format_aval(r, &binder), format_which_result(r, i), where, gives, format_slice(r, axis),
                       kept ? format_text(r, ": `%s` is %s", format_operand(r, i), format_aval(r, &r->in[i])) : "");
            return i < r->n && rule_note_operand(r, i);
        }
    }
    return true;
}

bool
rule_moves(struct rule *r)
{
    const struct axis_move *move = &r->prim->is.moved;
    struct slice axes = {"", 0}, have = axes;
    if ((move->from | move->to) && !moved_axes(r, &axes))
        return true;
    bool varying = tracks_varying(r);
    for (u32 i = 0; i < r->n_results; i++)
        for (u32 k = varying ? 0 : 1; k < countof(overs); k++) {
            if (i < r->n && !axes_after(r, &r->in[i], overs[k].letter, &have))
                continue;
            if ((i < r->n && !operand_moves(r, i, &overs[k], axes, have)) || !result_moves(r, i, &overs[k], axes, have))
                return false;
        }
    return true;
}

static bool
varies(const struct type *t)
{
    return slice_starts(t->vary, SLICE("{V:"));
}

bool
varying_shown(struct checker *c)
{
    return c->m->types.varying && program_shows(c, &c->varying, varies);
}
