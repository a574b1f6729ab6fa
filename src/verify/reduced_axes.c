/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of unreduced and reduced values, `{U:x}` and `{R:x}`: which operations take them, and what their results are
 * (jax/_src/lax 0.12, functions named _.._ur_rule). Costs as varying_axes.c. */
#include "verify/checker.h"
#include "verify/mesh.h"
#include "verify/sharding_rules.h"
#include "verify/varying_axes.h"

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
        axes.n ? "" : "not ", format_reduced(letter), vary_names(r, type_axes(type_get(&r->m->types, over), letter)),
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

/* whether a type shows that its mesh has explicit axes: it prints a sharding, or the reduction that completes a value,
 * which is not printed if the axes are manual */
static bool
shows_explicit(const struct type *t)
{
    return memchr(t->text.at, '@', t->text.n) || slice_contains(t->vary, SLICE("U_m"));
}

/* the kind of the axes that an array prints after a letter, as the meshes around the equation show it, or types do: a
 * program that is printed alone may be that of a shard_map, inside of which no sharding is printed */
static enum axis_kind
shown_kind(struct rule *r, const struct aval *a, char letter)
{
    const struct type *t = type_get(&r->m->types, a->type);
    enum axis_kind kind = axes_kind(r, type_axes(t, letter));
    if (kind != AXIS_UNSHOWN)
        return kind;
    if (!is_unsharded(a) || shows_explicit(t))
        return AXIS_EXPLICIT;
    r->c->own_program = true;
    return !vary_shown(r) && program_shows(r->c, &r->c->explicit_axes, shows_explicit) ? AXIS_EXPLICIT : AXIS_UNSHOWN;
}

/* whether a result is printed as unreduced or reduced, but nothing in the equation is, which is reported
 * (jax/_src/core.py, 0.12: both are part of a type, which only casts, collectives and shardings in parameters make) */
static bool
reduced_from_nothing(struct rule *r, char letter)
{
    bool known = true;
    u32 at = 0;
    struct aval binder = aval_unknown();
    for (; at < r->n_results; at++) {
        binder = rule_binder(r, at);
        if (reduced_over(r, &binder, letter, &known).n)
            break;
    }
    if (at == r->n_results || eqn_nests(r->m, r->e))
        return false;
    struct slice axes = type_axes(type_get(&r->m->types, binder.type), letter);
    if (r->prim->is.reduces && axes_kind(r, axes) != AXIS_MANUAL)
        return false;
    for (u32 i = 0; i < r->n; i++)
        if (reduced_over(r, &r->in[i], letter, &known).n || !known)
            return false;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next)
        if (slice_contains(param_bytes(r->m, &r->m->params.at[p]), SLICE("reduced")))
            return false;
    rule_error(
        r, DIAG_T030, at_result(at), "`%s` is bound as %s, but %s is not %s over %s, since %s", format_result(r, at),
        format_aval(r, &binder), format_which_result(r, at), format_reduced(letter), vary_names(r, axes),
        r->n == 1 ? format_text(r, "`%s` is %s", format_operand(r, 0), format_aval(r, &r->in[0])) : "no operand is");
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

/* Some operands: each step-th from the first on, before the end. */
struct among {
    u32 first, end, step;
};

/* checks that all these operands that print axes after a letter print the same ones, and so do the results. Operands
 * may print none, unless `all` is set, or they show an explicit mesh and the axes are not manual (jax/_src/lax/lax.py
 * 0.12, _concatenate_sharding_rule) */
static bool
operands_alike(struct rule *r, char letter, struct among some, bool all)
{
    u32 one = all ? some.first : NONE, plain = NONE;
    bool known;
    for (u32 i = some.first; i < some.end && i < r->n; i += some.step) {
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
    if (!all && one != NONE && plain != NONE && shown_kind(r, &r->in[one], letter) != AXIS_MANUAL)
        return report_unlike(r, letter, one, plain);
    return one == NONE || results_keep(r, letter, one);
}

/* checks that operand i is not sharded over the axes over which operand k is reduced, and, if the meshes around the
 * equation show these axes, is not replicated over them; rule_varies compares varying axes */
static bool
fits_reduced(struct rule *r, u32 k, u32 i)
{
    struct slice axes = type_axes(type_get(&r->m->types, r->in[k].type), 'R'), axis;
    struct cursor c = cursor_of(axes);
    for (u32 n = 0; n < MESH_AXES && value_element(&c, &axis); n++) {
        if (sharded_over(&r->in[i], axis)) {
            rule_error(r, DIAG_T030, at_operand(i),
                       "`%s` of `%s`, which is %s, takes no operand that is sharded over `%s`: `%s` is %s",
                       format_prim(r), format_operand(r, k), format_aval(r, &r->in[k]), format_slice(r, axis),
                       format_operand(r, i), format_aval(r, &r->in[i]));
            return rule_note_operand(r, k) || rule_note_operand(r, i);
        }
        bool spread =
            value_has(aval_over(r->m, &r->in[i], 'U'), axis) || value_has(aval_over(r->m, &r->in[i], 'V'), axis);
        if (!spread && rule_axis_kind(r, axis) != AXIS_UNSHOWN)
            return report_unlike(r, 'R', k, i);
    }
    return true;
}

/* checks that operands that are reduced are so over the same axes, over which no other is replicated, and so are the
 * results (jax/_src/lax/lax.py 0.12, default_nary_reduced_rule) */
static bool
reduced_alike(struct rule *r)
{
    u32 one = NONE;
    bool known;
    for (u32 i = 0; i < r->n; i++) {
        struct slice here = reduced_over(r, &r->in[i], 'R', &known);
        if (!known)
            return true;
        if (one == NONE && here.n)
            one = i;
        if (here.n && !slice_eq(here, reduced_over(r, &r->in[one], 'R', &known)))
            return report_unlike(r, 'R', one, i);
    }
    for (u32 i = 0; i < r->n && one != NONE; i++)
        if (!reduced_over(r, &r->in[i], 'R', &known).n && !fits_reduced(r, one, i))
            return false;
    return one == NONE || results_keep(r, 'R', one);
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
        return reduced_alike(r);
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

/* checks that operand i prints no axes after a letter */
static bool
not_reduced(struct rule *r, u32 i, char letter, const char *noun)
{
    bool known;
    if (i >= r->n || !reduced_over(r, &r->in[i], letter, &known).n)
        return true;
    rule_error(r, DIAG_T030, at_operand(i), "`%s` takes no %s %s: `%s` is %s", format_prim(r), format_reduced(letter),
               noun, format_operand(r, i), format_aval(r, &r->in[i]));
    return rule_note_operand(r, i);
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
        if (reduced && (ruled || shown_kind(r, a, letter) == AXIS_EXPLICIT))
            return not_reduced(r, i, letter, "operands");
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
    return none_reduced(r, true) && reduced_alike(r);
}

/* how types print what completes an array, and what JAX calls it (jax.sharding.UnreducedKind), in backticks */
static const struct {
    const char *letter, *kind;
} completions[] = {[BY_SUM] = {"U:", "`sum`"}, [BY_MAX] = {"U_max:", "`max`"}, [BY_MIN] = {"U_min:", "`min`"}};

const char *
completion_kind(enum completion by)
{
    return completions[by].kind;
}

/* JAX prints `U:x` over manual axes, whatever completes an array (jax/_src/core.py 0.12, str_short_aval) */
enum completion
vary_completion(struct rule *r, const struct aval *a, bool certain)
{
    bool known;
    struct slice over = reduced_over(r, a, 'U', &known);
    enum completion by = BY_ANY;
    for (u32 i = BY_SUM; over.n && i < countof(completions); i++)
        if (slice_starts(over, slice_of(completions[i].letter)))
            by = (enum completion)i;
    return by == BY_SUM && !certain && shown_kind(r, a, 'U') != AXIS_EXPLICIT ? BY_ANY : by;
}

enum completion
spec_completion(struct slice spec)
{
    struct slice kind;
    if (!value_field(spec, "unreduced_kind", &kind))
        return BY_ANY;
    for (u32 i = BY_SUM; i < countof(completions); i++)
        if (slice_eq(kind, (struct slice){completions[i].kind + 1, strlen(completions[i].kind) - 2}))
            return (enum completion)i;
    return BY_ANY;
}

/* what completes an array by its type, if that is not what the row says; else BY_ANY */
static enum completion
other_completion(struct rule *r, const struct aval *a)
{
    enum completion by = vary_completion(r, a, false);
    return by == r->prim->is.completed ? BY_ANY : by;
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
                       "`%s` takes unreduced values only with unreduced_kind %s, not %s: `%s` is %s", format_prim(r),
                       completion_kind(want), completion_kind(by), format_operand(r, i), format_aval(r, &r->in[i]));
            return rule_note_operand(r, i);
        }
    for (u32 i = 0; i < r->n_results && want; i++) {
        struct aval result = rule_binder(r, i);
        if (other_completion(r, &result))
            return rule_error(r, DIAG_T030, at_result(i),
                              "`%s` is bound as %s, but the unreduced_kind of %s can only be %s", format_result(r, i),
                              format_aval(r, &result), format_which_result(r, i), completion_kind(want));
    }
    return true;
}

static bool
results_keep_all(struct rule *r, u32 k)
{
    return results_keep(r, 'U', k) && results_keep(r, 'R', k);
}

/* checks that no result is unreduced or reduced: without a rule in JAX it is not over manual axes, whatever operands
 * are (jax/_src/lax/utils.py 0.12, call_ur_rule) */
static bool
results_plain(struct rule *r)
{
    for (u32 i = 0; i < r->n_results; i++) {
        struct aval binder = rule_binder(r, i);
        bool known, open = reduced_over(r, &binder, 'U', &known).n;
        if (open || reduced_over(r, &binder, 'R', &known).n)
            return rule_error(r, DIAG_T030, at_result(i), "`%s` is bound as %s, but %s is never %s",
                              format_result(r, i), format_aval(r, &binder), format_which_result(r, i),
                              format_reduced(open ? 'U' : 'R'));
    }
    return true;
}

/* checks that each result is unreduced and reduced like the operand of its number, or the last one */
static bool
each_keeps(struct rule *r)
{
    bool known[2];
    for (u32 i = 0; i < r->n_results; i++)
        for (u32 w = 0; w < countof(reductions); w++) {
            char letter = reductions[w].letter;
            struct aval binder = rule_binder(r, i);
            u32 k = i < r->n ? i : r->n - 1;
            struct slice given = reduced_over(r, &r->in[k], letter, &known[0]);
            if (!slice_eq(given, reduced_over(r, &binder, letter, &known[1])) && known[0] && known[1])
                return report_result(r, i, letter, given, k);
        }
    return true;
}

/* checks the cases of a selection: over explicit axes, all are alike; over manual ones, the result is as the first case
 * (jax/_src/lax/lax.py 0.12, _select_sharding_rule, _select_ur_rule) */
static bool
cases_reduce(struct rule *r)
{
    const struct among cases = {1, r->n, 1};
    bool known, first = false;
    for (u32 i = 1; i < r->n; i++)
        for (u32 w = 0; w < countof(reductions); w++) {
            char letter = reductions[w].letter;
            bool reduced = reduced_over(r, &r->in[i], letter, &known).n;
            first |= reduced && i == 1;
            if (reduced && shown_kind(r, &r->in[i], letter) == AXIS_EXPLICIT)
                return operands_alike(r, 'U', cases, false) && operands_alike(r, 'R', cases, false);
        }
    return !first || results_keep_all(r, 1);
}

/* checks that operand i, an index, is neither unreduced nor reduced, and, if the array is, does not vary */
static bool
index_fits(struct rule *r, u32 i)
{
    bool known;
    if (!not_reduced(r, i, 'U', "indices") || !not_reduced(r, i, 'R', "indices"))
        return false;
    if (!vary_list(r->m, vary_type(r, i)).n ||
        (!reduced_over(r, &r->in[0], 'U', &known).n && !reduced_over(r, &r->in[0], 'R', &known).n))
        return true;
    rule_error(r, DIAG_T030, at_operand(i), "`%s` of `%s`, which is %s, takes no indices that vary: `%s` is %s",
               format_prim(r), format_operand(r, 0), format_aval(r, &r->in[0]), format_operand(r, i),
               format_aval(r, &r->in[i]));
    return rule_note_operand(r, 0) || rule_note_operand(r, i);
}

/* checks that an array and its update are unreduced and reduced alike (jax/_src/lax/slicing.py 0.12,
 * _dynamic_update_slice_ur_rule) */
static bool
update_reduces(struct rule *r)
{
    const struct among both = {0, 2, 1};
    for (u32 i = 2; i < r->n; i++)
        if (!index_fits(r, i))
            return false;
    return operands_alike(r, 'U', both, true) && operands_alike(r, 'R', both, true);
}

/* checks that an array and updates that are scattered into it are unreduced alike, and nothing else is
 * (_scatter_ur_rule there) */
static bool
scatter_reduces(struct rule *r)
{
    const struct among both = {0, 3, 2};
    return not_reduced(r, 0, 'R', "operands") && not_reduced(r, 1, 'R', "indices") &&
           not_reduced(r, 2, 'R', "operands") && not_reduced(r, 1, 'U', "indices") &&
           operands_alike(r, 'U', both, true);
}

/* checks that the result is unreduced and reduced over the axes of the operand if these are manual: a sharding that is
 * not printed may ask for other axes, if they are explicit, or for none if it `replaces` the operand's
 * (jax/_src/lax/lax.py 0.12, _convert_element_type_ur_rule, _broadcast_in_dim_ur_rule) */
static bool
asked_reduces(struct rule *r, bool replaces)
{
    struct aval binder = rule_binder(r, 0);
    bool known;
    for (u32 w = 0; w < countof(reductions); w++) {
        char letter = reductions[w].letter;
        if (!reduced_over(r, &r->in[0], letter, &known).n)
            continue;
        bool lost = !replaces && !reduced_over(r, &binder, letter, &known).n;
        if ((lost || shown_kind(r, &r->in[0], letter) == AXIS_MANUAL) && !results_keep(r, letter, 0))
            return false;
    }
    return true;
}

bool
rule_reduces(struct rule *r)
{
    const struct among all = {0, r->n, 1};
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
        return may_ask(r) || results_keep_all(r, 0);
    case LINEAR_EACH:
        return each_keeps(r);
    case LINEAR_ALIKE:
        return operands_alike(r, 'U', all, true) && reduced_alike(r);
    case LINEAR_ANY:
        return operands_alike(r, 'U', all, false) && operands_alike(r, 'R', all, false);
    case LINEAR_NEVER:
        return none_reduced(r, true);
    case LINEAR_UNRULED:
        return none_reduced(r, false) && results_plain(r);
    case LINEAR_LOCAL:
        return none_reduced(r, false) && each_keeps(r);
    case LINEAR_PRODUCT:
        return product_reduces(r);
    case LINEAR_CASES:
        return cases_reduce(r);
    case LINEAR_CONVERTED:
        return asked_reduces(r, false);
    case LINEAR_ASKED:
        return asked_reduces(r, true);
    case LINEAR_SLICED:
        return not_reduced(r, 0, 'U', "operands") && results_keep_all(r, 0);
    case LINEAR_GATHERED:
        return not_reduced(r, 0, 'U', "operands") && not_reduced(r, 1, 'U', "indices") &&
               not_reduced(r, 1, 'R', "indices") && results_keep_all(r, 0);
    case LINEAR_UPDATED:
        return update_reduces(r);
    case LINEAR_SCATTERED:
        return scatter_reduces(r);
    }
    return true;
}
