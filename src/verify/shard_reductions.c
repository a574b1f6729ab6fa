/* SPDX-License-Identifier: Apache-2.0
 *
 * What the specs of a shard_map say about unreduced and reduced axes, against the types of operands and results. */
#include "verify/axes.h"
#include "verify/call_check.h"
#include "verify/checker.h"
#include "verify/shard_specs.h"
#include "verify/varying_axes.h"

bool
not_in_mesh(struct rule *r, bool matters, const char *key, struct slice name)
{
    return (matters ? rule_error : rule_stricter)(r, DIAG_T009, at_slice(r, key, name),
                                                  "`%s` of `%s` names the axis `%s`, which is not in the mesh", key,
                                                  format_prim(r), format_slice(r, name)) ||
           rule_note(r, at_param(r, "mesh"), "the mesh is here");
}

const char *
format_first(struct rule *r, const struct specs *s, u64 axes)
{
    return format_slice(r, s->map->mesh.axes[__builtin_ctzll(axes)].name);
}

/* reads the axes in a field of a spec; false after the report of one that the mesh does not have */
static bool
read_reduction(struct rule *r, const struct specs *s, const char *field, u64 *axes)
{
    struct slice odd;
    *axes = s->map->mesh.n ? spec_reduced(&s->map->mesh, s->text, field, &odd) : 0;
    return !s->map->mesh.n || !odd.n || not_in_mesh(r, true, s->key, odd);
}

bool
note_entry(struct rule *r, const struct specs *s)
{
    return rule_note(r, at_item(r, s->key, s->i), "this is the entry for the %s %s", ordinal_of(s->i).text,
                     s->of_results ? "result" : "operand");
}

/* reports that a spec names, after `field`, other axes than a type prints; both are sets */
static bool
report_reduction(struct rule *r, jaxpr_t j, const struct specs *s, const char *field, u64 named, u64 printed,
                 const char *type)
{
    u64 more = named & ~printed, axes = more ? more : printed & ~named;
    rule_error(r, DIAG_T009, surely(at_item(r, s->key, s->i)),
               "`%s` of `%s` %s the %s %s %s over `%s`, but its type does%s: %s", s->key, format_prim(r),
               more ? "declares" : "does not declare", ordinal_of(s->i).text, s->of_results ? "result" : "operand",
               field, format_first(r, s, axes), more ? " not" : "", type);
    return s->of_results ? rule_note_out(r, j, s->i) : rule_note_operand(r, s->i);
}

/* checks that the kind in a spec, `unreduced_kind=max`, is that in the type outside, whose axes are explicit there */
static bool
kind_fits(struct rule *r, const struct specs *s, const struct aval *outer, u64 named)
{
    const struct mesh *mesh = &s->map->mesh;
    enum completion by = spec_completion(s->text), is;
    if (!named || named & ~mesh->is_explicit || by == BY_ANY || outer->kind != AVAL_ARRAY || outer->literal)
        return true;
    is = vary_completion(r, outer, true);
    if (is == BY_ANY || is == by)
        return true;
    if (s->of_results)
        rule_error(r, DIAG_T003, at_result(s->i), "`%s` is bound as %s, but the spec of %s has unreduced_kind %s",
                   format_result(r, s->i), format_aval(r, outer), format_which_result(r, s->i), completion_kind(by));
    else
        rule_error(r, DIAG_T009, surely(at_item(r, s->key, s->i)),
                   "the spec of `%s` in `%s` of `%s` has unreduced_kind %s, but that of `%s` is %s: `%s` is %s",
                   format_operand(r, s->i), s->key, format_prim(r), completion_kind(by), format_operand(r, s->i),
                   completion_kind(is), format_operand(r, s->i), format_aval(r, outer));
    return s->of_results ? note_entry(r, s) : rule_note_operand(r, s->i);
}

bool
reductions_fit(struct rule *r, const struct specs *s, jaxpr_t j)
{
    const struct mapping *map = s->map;
    struct aval result = s->of_results ? rule_binder(r, s->i) : aval_unknown();
    struct aval inner = s->of_results ? jaxpr_out_aval(r, j, s->i) : binder_aval(r, j, jaxpr_consts(r, j) + s->i);
    const struct aval *outer = s->of_results ? &result : &r->in[s->i], *given = s->of_results ? &inner : outer;
    bool known = map->says && given->kind == AVAL_ARRAY && (given->literal || aval_axes(given) != NONE) &&
                 !(s->of_results && out_reported(r, j, s->i));
    bool compared = known && (map->checked || !s->of_results) && range_has(rule_versions(r), JAX_SPECS_COMPARED);
    u64 unreduced = 0;
    for (u32 w = 0; w < countof(reductions); w++) {
        u64 named, printed = printed_axes(r, &map->mesh, given, reductions[w].letter);
        if (!read_reduction(r, s, reductions[w].field, &named))
            return false;
        u64 wanted = printed & (s->of_results ? map->manual : map->manual & ~map->mesh.manual);
        if (compared && named != wanted)
            return report_reduction(r, j, s, reductions[w].field, named, wanted,
                                    format_text(r, "`%s` is %s",
                                                s->of_results ? format_out(r, j, s->i) : format_operand(r, s->i),
                                                format_aval(r, given)));
        unreduced = reductions[w].letter == 'U' ? named : unreduced;
        u64 have = printed_axes(r, &map->mesh, s->of_results ? outer : &inner, reductions[w].letter);
        u64 gives = s->of_results || map->checked ? printed | named : printed & ~map->manual;
        if (!known || have == gives || outer->kind != AVAL_ARRAY || inner.kind != AVAL_ARRAY)
            continue;
        u64 axes = have & ~gives ? have & ~gives : gives & ~have;
        if (s->of_results) {
            bool fine =
                bind_error(r, AS_NEWER_JAX, DIAG_T003, at_result(s->i),
                           format_text(r, "`%s` is bound as %s, but %s is %s%s over `%s`", format_result(r, s->i),
                                       format_aval(r, outer), format_which_result(r, s->i), have & ~gives ? "not " : "",
                                       reductions[w].field, format_first(r, s, axes)));
            return (named & axes ? note_entry(r, s) : rule_note_out(r, j, s->i) || note_entry(r, s)) || fine;
        }
        return bind_error(r, AS_NEWER_JAX, DIAG_T012, at_operand(s->i),
                          format_text(r,
                                      "`%s` passes `%s`, which is %s, to `%s`, which must%s be %s over `%s`, but is %s",
                                      format_prim(r), format_operand(r, s->i), format_aval(r, outer),
                                      format_binder(r, j, jaxpr_consts(r, j) + s->i), have & ~gives ? " not" : "",
                                      reductions[w].field, format_first(r, s, axes), format_aval(r, &inner))) ||
               rule_note_operand(r, s->i) || rule_note_binder(r, j, jaxpr_consts(r, j) + s->i);
    }
    return !known || kind_fits(r, s, outer, unreduced);
}
