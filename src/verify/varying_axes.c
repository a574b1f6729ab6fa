/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and comparing the varying axes of types (jax/_src/core.py, standard_vma_rule). The lists are at most as
 * long as a mesh has axes: comparing two costs the product of their lengths. */
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

bool
vary_alike(const struct rule *r, const struct aval *a, const struct aval *b)
{
    type_t first = aval_axes(a), second = aval_axes(b);
    if (a->kind != AVAL_ARRAY || b->kind != AVAL_ARRAY || first == second || first == NONE || second == NONE)
        return true;
    const struct type *one = type_get(&r->m->types, first), *other = type_get(&r->m->types, second);
    if (slice_eq(one->vary, other->vary))
        return true;
    return vary_equal(vary_list(r->m, first), vary_list(r->m, second)) &&
           vary_equal(type_reduces(one, 'U'), type_reduces(other, 'U')) &&
           vary_equal(type_reduces(one, 'R'), type_reduces(other, 'R'));
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

/* "`x`, `y` and `z`" */
static const char *
format_list(struct rule *r, struct slice list)
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
    return list.n ? format_text(r, "varies over %s", format_list(r, list)) : "does not vary";
}

/* the function that reports a difference: JAX compares varying axes inside a shard_map with `check_vma=True` */
static report_fn *
vary_error(struct rule *r)
{
    return rule_varying_checked(r) ? rule_error : rule_stricter;
}

bool
rule_varies(struct rule *r)
{
    u32 first = NONE;
    if (!vary_shown(r))
        return true;
    for (u32 i = 0; i < r->n; i++) {
        if (r->in[i].kind != AVAL_ARRAY || r->in[i].type == NONE)
            continue;
        if (first == NONE)
            first = i;
        struct slice wanted = vary_list(r->m, r->in[first].type), have = vary_list(r->m, r->in[i].type);
        if (vary_equal(wanted, have))
            continue;
        vary_error(r)(r, DIAG_T030, at_operand(i),
                      "`%s` requires operands that vary over the same axes: `%s` %s, `%s` %s", format_prim(r),
                      format_operand(r, first), format_names(r, wanted), format_operand(r, i), format_names(r, have));
        rule_note_operand(r, first);
        rule_note_operand(r, i);
        return rule_hint(r,
                         "`pvary`, in Python `jax.lax.pcast(x, .., to='varying')`, makes a value vary over mesh axes");
    }
    if (first == NONE)
        return true;
    struct slice gives = vary_list(r->m, r->in[first].type);
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval binder = rule_binder(r, i);
        if (binder.kind != AVAL_ARRAY || vary_equal(gives, vary_list(r->m, binder.type)))
            continue;
        return vary_error(r)(r, DIAG_T030, at_result(i), "`%s` is bound as %s, but %s %s, like its operand `%s`",
                             format_result(r, i), format_aval(r, &binder), format_which_result(r, i),
                             format_names(r, gives), format_operand(r, first)) ||
               rule_note_operand(r, first);
    }
    return true;
}

/* the axes that a type prints after a letter; *known is false if no type is printed, or it is too long to be read
 * for each of many operands */
static struct slice
reduced_over(const struct rule *r, const struct aval *a, char letter, bool *known)
{
    enum { LONGEST = 4096 };
    *known = a->kind == AVAL_ARRAY && a->type != NONE && type_get(&r->m->types, a->type)->vary.n <= LONGEST;
    return *known ? type_reduces(type_get(&r->m->types, a->type), letter) : SLICE("");
}

static const char *
format_reduced(char letter)
{
    return letter == 'U' ? "unreduced" : "reduced";
}

/* reports two operands that print different axes, or different reductions over them, `U:x` and `U_max:x`, after a
 * letter; the finding is at the one that the result differs from */
static bool
report_unlike(struct rule *r, char letter, u32 one, u32 other)
{
    u32 first = one < other ? one : other, i = one < other ? other : one;
    const struct aval *a = &r->in[first], *b = &r->in[i];
    bool alike = a->type != NONE && b->type != NONE &&
                 value_alike(type_axes(type_get(&r->m->types, a->type), letter),
                             type_axes(type_get(&r->m->types, b->type), letter));
    struct aval result = rule_binder(r, 0);
    bool known[2], ends = slice_eq(reduced_over(r, &result, letter, &known[0]), reduced_over(r, b, letter, &known[1]));
    rule_error(r, DIAG_T030, at_operand(ends && known[0] ? first : i),
               "`%s` requires operands that are %s %s: `%s` is %s, `%s` is %s", format_prim(r), format_reduced(letter),
               alike ? "with the same reduction" : "over the same axes", format_operand(r, first), format_aval(r, a),
               format_operand(r, i), format_aval(r, b));
    rule_note_operand(r, first);
    return rule_note_operand(r, i);
}

/* reports result i, which prints other axes after a letter than operand k */
static bool
report_result(struct rule *r, u32 i, char letter, struct slice axes, u32 k)
{
    struct aval binder = rule_binder(r, i);
    type_t over = axes.n ? r->in[k].type : binder.type;
    rule_error(
        r, DIAG_T030, at_result(i), "`%s` is bound as %s, but %s of `%s` is %s%s over %s, since its operand `%s` is %s",
        format_result(r, i), format_aval(r, &binder), r->n_results > 1 ? "each result" : "the result", format_prim(r),
        axes.n ? "" : "not ", format_reduced(letter), format_list(r, type_axes(type_get(&r->m->types, over), letter)),
        format_operand(r, k), format_aval(r, &r->in[k]));
    rule_note_operand(r, k);
    return false;
}

/* whether a printed type ends with axes, `{V:x}`; most do not */
static bool
prints_axes(const struct rule *r, type_t type)
{
    return type != NONE && type_get(&r->m->types, type)->vary.n;
}

static bool
results_print_axes(const struct rule *r)
{
    bool prints = false;
    for (u32 i = 0; i < r->n_results && !prints; i++)
        prints = prints_axes(r, r->m->vars.at[r->eqn->vars + i].type);
    return prints;
}

static bool
operands_print_axes(const struct rule *r)
{
    bool prints = false;
    for (u32 i = 0; i < r->n && !prints; i++)
        prints = prints_axes(r, r->in[i].type);
    return prints;
}

/* whether shard_maps around the equation make all axes of a list manual: a sharding in a parameter does not name these
 * (jax/_src/core.py, modify_spec_for_auto_manual) */
static bool
only_manual(struct rule *r, struct slice axes)
{
    struct cursor c = cursor_of(axes);
    struct slice axis;
    bool manual = true;
    for (u32 n = 0; n < MESH_AXES && manual && value_element(&c, &axis); n++)
        manual = rule_axis_is_manual(r, axis);
    return manual;
}

/* whether a result is printed as unreduced or reduced, but nothing in the equation is, which is reported
 * (jax/_src/core.py, 0.12: both are part of a type, which only casts, collectives and shardings in parameters make) */
static bool
reduced_from_nothing(struct rule *r, char letter)
{
    bool known = true;
    u32 at = 0;
    while (at < r->n_results) {
        type_t type = r->m->vars.at[r->eqn->vars + at].type;
        if (type != NONE && type_reduces(type_get(&r->m->types, type), letter).n)
            break;
        at++;
    }
    if (at == r->n_results || eqn_nests(r->m, r->e) ||
        (r->prim->is.reduces && !only_manual(r, type_axes(type_get(&r->m->types, rule_binder(r, at).type), letter))))
        return false;
    for (u32 i = 0; i < r->n; i++)
        if (reduced_over(r, &r->in[i], letter, &known).n || !known)
            return false;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next)
        if (slice_contains(param_bytes(r->m, &r->m->params.at[p]), SLICE("reduced")))
            return false;
    struct aval binder = rule_binder(r, at);
    rule_error(r, DIAG_T030, at_result(at), "`%s` is bound as %s, but %s is not %s over %s, since %s",
               format_result(r, at), format_aval(r, &binder), format_which_result(r, at), format_reduced(letter),
               format_list(r, type_axes(type_get(&r->m->types, binder.type), letter)),
               r->n == 1 ? format_text(r, "`%s` is %s", format_operand(r, 0), format_aval(r, &r->in[0]))
                         : "no operand is");
    if (r->n == 1)
        rule_note_operand(r, 0);
    return true;
}

/* checks that each result prints the same axes after a letter as operand k */
static bool
results_keep(struct rule *r, char letter, u32 k)
{
    bool known;
    struct slice given = reduced_over(r, &r->in[k], letter, &known);
    for (u32 i = 0; known && i < r->n_results; i++) {
        struct aval binder = rule_binder(r, i);
        struct slice here = reduced_over(r, &binder, letter, &known);
        if (known && !slice_eq(given, here))
            return report_result(r, i, letter, given, k);
        known = true;
    }
    return true;
}

/* checks that all operands before the indices that print axes after a letter print the same ones, and so do the
 * results. Operands may print none, unless `all` is set, or they show an explicit mesh and the axes are not manual
 * (jax/_src/lax/lax.py 0.12, _concatenate_sharding_rule, default_nary_reduced_rule) */
static bool
operands_alike(struct rule *r, char letter, bool all)
{
    u32 one = all ? 0 : NONE, plain = NONE;
    bool known;
    u32 n = r->prim->is.indices ? r->prim->is.indices : r->n;
    for (u32 i = 0; i < n && i < r->n; i++) {
        struct slice here = reduced_over(r, &r->in[i], letter, &known);
        if (!known)
            return true;
        if (one == NONE && here.n)
            one = i;
        if (plain == NONE && !here.n && !is_unsharded(&r->in[i]))
            plain = i;
        if (one != NONE && (all || here.n) && !slice_eq(here, reduced_over(r, &r->in[one], letter, &known)))
            return report_unlike(r, letter, one, i);
    }
    if (one != NONE && plain != NONE && !only_manual(r, reduced_over(r, &r->in[one], letter, &known)))
        return report_unlike(r, letter, one, plain);
    return one == NONE || results_keep(r, letter, one);
}

/* checks that a product is unreduced like its one operand that is, and that the other operand is reduced over the same
 * axes (jax/_src/lax/lax.py 0.12, _mul_ur_rule, _div_ur_rule) */
static bool
product_reduces(struct rule *r)
{
    bool known[2];
    u32 one = NONE;
    for (u32 i = 0; i < r->n && i < 2; i++) {
        bool unreduced = reduced_over(r, &r->in[i], 'U', &known[i]).n != 0;
        if (!known[i])
            return true;
        if (!unreduced)
            continue;
        if (one != NONE)
            return rule_error_pair(r, DIAG_T030, one, i, "`%s` takes at most one unreduced operand", format_prim(r));
        one = i;
    }
    if (one == NONE || r->n != 2)
        return operands_alike(r, 'R', false);
    if (one == 1 && !r->prim->is.commutes)
        return rule_error_operand(r, DIAG_T030, 1, "the denominator of `%s` must not be unreduced", format_prim(r));
    const struct type *open = type_get(&r->m->types, r->in[one].type);
    const struct type *other = type_get(&r->m->types, r->in[1 - one].type);
    if (slice_eq(type_axes(open, 'U'), type_axes(other, 'R')))
        return results_keep(r, 'U', one);
    rule_error(r, DIAG_T030, at_operand(1 - one),
               "`%s` of `%s`, which is %s, requires the other operand to be reduced over `%s`: `%s` is %s",
               format_prim(r), format_operand(r, one), format_aval(r, &r->in[one]),
               format_slice(r, type_axes(open, 'U')), format_operand(r, 1 - one), format_aval(r, &r->in[1 - one]));
    return rule_note_operand(r, one) || rule_note_operand(r, 1 - one);
}

/* checks that no operand is unreduced; if not `ruled`, as JAX has no rule, only operands that show an explicit mesh are
 * checked, and must not be reduced, either */
static bool
none_reduced(struct rule *r, bool ruled)
{
    bool known;
    for (u32 i = 0; i < r->n; i++) {
        const struct aval *a = &r->in[i];
        char letter = reduced_over(r, a, 'U', &known).n ? 'U' : 'R';
        bool reduced = letter == 'U' || (!ruled && reduced_over(r, a, 'R', &known).n);
        if (!reduced || (!ruled && is_unsharded(a)))
            continue;
        rule_error(r, DIAG_T030, at_operand(i), "`%s` takes no %s operands: `%s` is %s", format_prim(r),
                   format_reduced(letter), format_operand(r, i), format_aval(r, a));
        return rule_note_operand(r, i);
    }
    return true;
}

/* whether a parameter determines the axes over which the result is unreduced, or may, as it is not printed */
static bool
may_ask(struct rule *r)
{
    struct slice text;
    return (param_text(r, "sharding", &text) && !slice_eq(text, SLICE("None"))) ||
           (prim_role(r->prim, SLICE("out_sharding")).n && !param_is_none(r, "out_sharding"));
}

/* checks that no operand is unreduced, and that those that are reduced are so over the same axes */
static bool
nary_reduces(struct rule *r)
{
    return none_reduced(r, true) && operands_alike(r, 'R', false);
}

static const char *const by_what[] = {[BY_SUM] = "sums", [BY_MAX] = "maxima", [BY_MIN] = "minima"};
/* what completes an array by its type, if that is not what the row says; else BY_ANY, also if it may be unreduced over
 * manual axes, which are printed as `U:x` whatever completes it (jax/_src/core.py 0.12, str_short_aval) */
static enum completion
other_completion(struct rule *r, const struct aval *a)
{
    bool known;
    struct slice over = reduced_over(r, a, 'U', &known);
    enum completion by = over.n == 0                           ? BY_ANY
                         : slice_starts(over, SLICE("U_max:")) ? BY_MAX
                         : slice_starts(over, SLICE("U_min:")) ? BY_MIN
                                                               : BY_SUM;
    bool may_hide = by == BY_SUM && is_unsharded(a);
    may_hide = may_hide && (vary_shown(r) || only_manual(r, type_axes(type_get(&r->m->types, a->type), 'U')));
    return may_hide || by == r->prim->is.completed ? BY_ANY : by;
}

/* checks that what completes unreduced results, and operands of a linear operation, is what the row says, unless a
 * parameter does (jax/_src/core.py 0.12, getu) */
static bool
completed_alike(struct rule *r, enum linearity linear)
{
    enum completion want = r->prim->is.completed, by;
    u32 n = linear == LINEAR_KEPT ? 1 : linear == LINEAR_ALIKE || linear == LINEAR_PRODUCT ? r->n : 0;
    for (u32 i = 0; i < n && want && !may_ask(r); i++)
        if ((by = other_completion(r, &r->in[i]))) {
            rule_error(r, DIAG_T030, at_operand(i),
                       "`%s` takes unreduced values only if %s are pending, not %s: `%s` is %s", format_prim(r),
                       by_what[want], by_what[by], format_operand(r, i), format_aval(r, &r->in[i]));
            return rule_note_operand(r, i);
        }
    for (u32 i = 0; i < r->n_results && want; i++) {
        struct aval result = rule_binder(r, i);
        if (other_completion(r, &result))
            return rule_error(r, DIAG_T030, at_result(i), "`%s` is bound as %s, but %s can only have pending %s",
                              format_result(r, i), format_aval(r, &result), format_which_result(r, i), by_what[want]);
    }
    return true;
}

bool
rule_reduces(struct rule *r)
{
    bool given = results_print_axes(r);
    if (given && !r->prim->is.moved.need && !r->prim->is.trusted &&
        (reduced_from_nothing(r, 'U') || reduced_from_nothing(r, 'R')))
        return false;
    if (r->n == 0 || !(given || operands_print_axes(r)))
        return true;
    if (!completed_alike(r, r->prim->is.linear))
        return false;
    switch ((enum linearity)r->prim->is.linear) {
    case LINEAR_UNKNOWN:
        return !r->prim->is.elementwise || nary_reduces(r);
    case LINEAR_NARY:
        return nary_reduces(r);
    case LINEAR_KEPT:
        return may_ask(r) || (results_keep(r, 'U', 0) && results_keep(r, 'R', 0));
    case LINEAR_ALIKE:
        return operands_alike(r, 'U', true) && operands_alike(r, 'R', false);
    case LINEAR_ANY:
        return operands_alike(r, 'U', false) && operands_alike(r, 'R', false);
    case LINEAR_NEVER:
        return none_reduced(r, true);
    case LINEAR_UNRULED:
        return none_reduced(r, false);
    case LINEAR_PRODUCT:
        return product_reduces(r);
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
               format_prim(r), axes.n ? format_list(r, axes) : "no axis of a mesh", needed ? over->yes : over->no,
               which, format_operand(r, i), format_aval(r, &r->in[i]));
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
            const char *where = axes.n ? format_text(r, " over %s", format_list(r, axes)) : "";
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
