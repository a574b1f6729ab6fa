/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons between an equation and its nested programs, one variable at a time. Linear in binders and results; texts
 * are formatted only for findings. */
#include "verify/provenance.h"
#include "regions/span.h"
#include "verify/checker.h"
#include "verify/displaced.h"
#include "verify/infer.h"
#include "verify/sharding_rules.h"
#include "verify/memory_space.h"
#include "verify/varying_axes.h"

bool
bind_error(struct rule *r, enum strictness by, enum diag_code code, struct where where, const char *text)
{
    bool jax = by == AS_JAX || (by == AS_NEWER_JAX && range_has(rule_versions(r), JAX_SHARDINGS_COMPARED));
    return (jax ? rule_error : rule_stricter)(r, code, where, "%s", text);
}

struct aval
binder_aval(const struct rule *r, jaxpr_t j, u32 k)
{
    return aval_elsewhere(r, atom_make(ATOM_VAR, r->m->jaxprs.at[j].vars + k));
}

const char *
format_binder(struct rule *r, jaxpr_t j, u32 k)
{
    return format_var(r, r->m->jaxprs.at[j].vars + k);
}

const char *
format_out(struct rule *r, jaxpr_t j, u32 k)
{
    return format_atom(r, r->m->atoms.at[r->m->jaxprs.at[j].outs + k]);
}

bool
out_reported(const struct rule *r, jaxpr_t j, u32 k)
{
    atom_t a = r->m->atoms.at[r->m->jaxprs.at[j].outs + k];
    return atom_kind(a) == ATOM_VAR && var_reported(r->c, atom_id(a));
}

jaxpr_t
first_jaxpr(const struct rule *r, const char *const *keys, const char **found)
{
    for (; *keys; keys++) {
        jaxpr_t j = rule_jaxpr(r, *keys);
        if (j != NONE) {
            *found = *keys;
            return j;
        }
    }
    return NONE;
}

bool
out_is_passed(const struct rule *r, jaxpr_t j, u32 k, const struct aval *type)
{
    atom_t a = r->m->atoms.at[r->m->jaxprs.at[j].outs + k];
    return atom_kind(a) == ATOM_VAR && var_is_passed(r, atom_id(a), type);
}

/* records that only newer versions of JAX see the difference, unless none does (STRICTER); always false */
static bool
differs_in_newer(enum strictness *by)
{
    if (*by == AS_JAX)
        *by = AS_NEWER_JAX;
    return false;
}

bool
bind_agree(struct rule *r, enum strictness *by, const struct aval *a, const struct aval *b)
{
    if (avals_agree(a, b) == NO || !spaces_agree(r->m, a, b) || !refs_agree(r->m, a, b))
        return false;
    return (placings_agree(a, b) && (a->type == b->type || vary_agree(r, a, b))) || differs_in_newer(by);
}

/* the same for a value and the binder that it is passed to: both are on one mesh, so their axes must be equal */
static bool
bind_same(struct rule *r, enum strictness *by, const struct aval *a, const struct aval *b)
{
    if (!bind_agree(r, by, a, b))
        return false;
    return (placings_equal(a, b) && vary_alike(r, a, b)) || differs_in_newer(by);
}

/* whether a mismatch of operand i and a binder follows from another mistake: the operand was reported where it is bound
 * or passed before, or what it passes was found to be the type that the binder should have */
static bool
repeats_passed(struct rule *r, var_t binder, u32 i, const struct aval *have, const struct aval *wanted)
{
    const atom_t *atoms = &r->m->atoms.at[r->eqn->atoms];
    for (u32 k = 0; k <= i && k < 64; k++)
        if (r->reported_operands >> k & 1 && atoms[k] == atoms[i])
            return true;
    return var_is_passed(r, binder, have) || (have == &r->in[i] && computed_fits(r->c, atoms[i], wanted));
}

bool
binder_fits(struct rule *r, enum strictness *by, jaxpr_t j, u32 k, const struct aval *have)
{
    infer_binder(r->c, j, k, have);
    struct aval wanted = binder_aval(r, j, k);
    return bind_same(r, by, &wanted, have) || var_reported(r->c, r->m->jaxprs.at[j].vars + k);
}

bool
bind_one(struct rule *r, enum strictness by, jaxpr_t j, u32 k, u32 i, const struct aval *have)
{
    if (binder_fits(r, &by, j, k, have))
        return true;
    var_t binder = r->m->jaxprs.at[j].vars + k;
    struct aval wanted = binder_aval(r, j, k);
    if (r->failed && repeats_passed(r, binder, i, have, &wanted))
        return rule_repeats(r);
    const char *is = format_aval(r, &r->in[i]), *arrives = format_compared(r, have, &wanted);
    const char *through = strcmp(is, arrives) == 0 ? "," : format_text(r, ", as %s", arrives);
    bool fine =
        bind_error(r, by, DIAG_T012, at_operand(i),
                   format_text(r, "`%s` passes `%s`, which is %s%s to `%s`, which is %s", format_prim(r),
                               format_operand(r, i), is, through, format_binder(r, j, k), format_aval(r, &wanted)));
    r->reported_operands |= i < 64 ? 1ull << i : 0;
    rule_passed(r, binder, have);
    rule_note_binder(r, j, k);
    rule_note_operand(r, i);
    rule_hint_literal(r, i, &wanted);
    return fine;
}

/* ---- several operands ---- */

/* whether a value fits the place of another: operands of a region, by binder */
static bool
operand_fits(const struct order *order, u32 value, u32 place)
{
    struct rule *r = order->r;
    const struct region *in = order->of;
    u32 i = region_operand(in, value), to = region_operand(in, place);
    if (i == NONE || to == NONE)
        return i == to;
    infer_binder(r->c, in->jaxpr, place, &r->in[i]);
    struct aval wanted = binder_aval(r, in->jaxpr, place);
    enum strictness by = AS_JAX;
    return bind_same(r, &by, &wanted, &r->in[i]);
}

/* adds to *explained the binders whose mismatches follow from that of binder k, which was reported, and a hint */
static void
explain_operands(struct rule *r, const struct order *order, u32 k, u64 *explained)
{
    const struct region *in = order->of;
    u32 i = region_operand(in, k);
    struct displaced moved = order_displaced(order, *explained, k);
    *explained |= moved.places;
    if (moved.places)
        rule_hint_displaced(r, &moved, format_operand(r, i), format_operand(r, region_operand(in, moved.other)));
    for (u32 p = 0; p < 64; p++) {
        u32 operand = moved.places >> p & 1 ? region_operand(in, p) : NONE;
        if (operand != NONE)
            rule_passed(r, r->m->jaxprs.at[in->jaxpr].vars + p, &r->in[operand]);
        r->reported_operands |= operand < 64 ? 1ull << operand : 0;
    }
}

bool
bind_region(struct rule *r, enum strictness by, const struct region *in)
{
    u64 explained = 0;
    bool right = true, several = r->several;
    r->several = true;
    for (u32 n = 0; n < in->n_ranges; n++) {
        const struct operand_range *range = &in->ranges[n];
        for (u32 d = 0; range->operand != NONE && d < range->n; d++) {
            u32 k = range->binder + d, i = range->operand + d;
            if ((k < 64 && explained >> k & 1) || bind_one(r, by, in->jaxpr, k, i, &r->in[i]))
                continue;
            right = false;
            const struct order order = {r, in, operand_fits, jaxpr_consts(r, in->jaxpr) + jaxpr_ins(r, in->jaxpr)};
            explain_operands(r, &order, k, &explained);
        }
    }
    r->several = several;
    return right;
}

bool
bind_operands(struct rule *r, enum strictness by, jaxpr_t j, u32 k, u32 operand, u32 n)
{
    const struct region in = {.jaxpr = j, .ranges = {{k, n, operand}}, .n_ranges = 1};
    return bind_region(r, by, &in);
}

bool
rule_regions(struct rule *r, struct region_map *map)
{
    if (!region_map_read(r->m, r->e, &r->c->map))
        return false;
    *map = r->c->map;
    map->regions.at = rule_alloc(r, (map->regions.n + 1u) * sizeof *map->regions.at);
    if (map->regions.n)
        memcpy(map->regions.at, r->c->map.regions.at, map->regions.n * sizeof *map->regions.at);
    return true;
}

bool
bind_count(struct rule *r, enum strictness by, jaxpr_t j, u32 given, const char *key)
{
    u32 takes = jaxpr_ins(r, j);
    if (given == takes)
        return true;
    /* the passed values are the last of the operands */
    struct where where = given > takes && given <= r->n ? at_operand(r->n - given + takes) : at_prim();
    bind_error(r, by, DIAG_T012, surely(where),
               format_text(r, "`%s` passes %s to its `%s`, which take%s %u", format_prim(r),
                           format_count(r, given, "operand", "operands"), key, key[strlen(key) - 1] == 's' ? "" : "s",
                           takes));
    if (takes > given)
        rule_note(r, at_binder(r, j, given), "`%s` receives no operand",
                  format_binder(r, j, jaxpr_consts(r, j) + given));
    else
        rule_note(r, at_text(r->m->jaxprs.at[j].offset, 1), "this program takes %s",
                  format_count(r, takes, "argument", "arguments"));
    return false;
}

bool
bind_result(struct rule *r, jaxpr_t j, u32 k, u32 i, const struct aval *type)
{
    struct aval binder = rule_binder(r, i);
    enum strictness newer = AS_JAX;
    if (r->m->vars.at[r->eqn->vars + i].type == NONE)
        return infer_across(r->c, r->eqn->vars + i, type) || rule_left_open(r, at_result(i));
    /* compute_on moves its results to the memory space in this parameter */
    r->computed++;
    bool moved = rule_param(r, "out_memory_spaces") != NONE;
    if (moved ? avals_agree(type, &binder) != NO && placings_agree(type, &binder) : bind_same(r, &newer, type, &binder))
        return true;
    if (out_reported(r, j, k))
        return true;
    /* shardings that differ follow from those of an operand */
    if ((after_finding(r) &&
         (newer == AS_NEWER_JAX || out_is_passed(r, j, k, &binder) || type_is_passed(r, j, type, &binder))) ||
        repeats_result(r, j, k)) {
        var_doubt(r->c, r->eqn->vars + i, type);
        return rule_repeats(r);
    }
    r->given = type;
    bool fine = bind_error(r, newer, DIAG_T003, at_result(i),
                           format_text(r, "`%s` is bound as %s, but `%s` gives %s", format_result(r, i),
                                       format_aval(r, &binder), format_prim(r), format_compared(r, type, &binder)));
    r->given = NULL;
    rule_note_out(r, j, k);
    return fine;
}

/* whether out `value` of a program fits the result at `place` */
static bool
result_fits(const struct order *order, u32 value, u32 place)
{
    struct rule *r = order->r;
    struct aval type = jaxpr_out_aval(r, *(const jaxpr_t *)order->of, value), binder = rule_binder(r, place);
    enum strictness by = AS_JAX;
    return bind_same(r, &by, &type, &binder);
}

bool
bind_outs(struct rule *r, jaxpr_t j, const char *key)
{
    u64 explained = 0;
    u32 gives = jaxpr_outs(r, j);
    if (gives != r->n_results) {
        rule_error(r, DIAG_T006, r->n_results > gives ? at_result(gives) : at_prim(),
                   "`%s` has %s, as many as its `%s` returns, but %u %s bound", format_prim(r),
                   format_count(r, gives, "result", "results"), key, r->n_results, r->n_results == 1 ? "is" : "are");
        if (gives > r->n_results)
            rule_note_out(r, j, r->n_results);
        return false;
    }
    bool right = true;
    for (u32 i = 0; i < gives; i++) {
        struct aval type = jaxpr_out_aval(r, j, i);
        if (i < 64 && explained >> i & 1)
            var_doubt(r->c, r->eqn->vars + i, &type);
        else if (!bind_result(r, j, i, i, &type)) {
            const struct order order = {r, &j, result_fits, gives};
            struct displaced moved = order_displaced(&order, explained, i);
            explained |= moved.places;
            right = moved.places && rule_hint_displaced(r, &moved, format_result(r, i), format_result(r, moved.other));
        }
    }
    return right;
}

struct where
at_part(const struct rule *r, jaxpr_t j, bool out, u32 k)
{
    enum { HEAD = 8 }; /* `{ lambda` */
    u32 n = jaxpr_consts(r, j) + k;
    struct span s = out                   ? jaxpr_out_span(r->m, j, k)
                    : k < jaxpr_ins(r, j) ? jaxpr_binder_span(r->m, j, n)
                                          : (struct span){r->m->jaxprs.at[j].offset, HEAD};
    return surely(at_text(s.at, s.n));
}

bool
carry_counted(struct rule *r, enum strictness by, const struct carry *c)
{
    u32 gives = jaxpr_outs(r, c->body);
    if (gives == c->n)
        return true;
    bool fine = bind_error(r, by, DIAG_T016, at_part(r, c->body, true, gives < c->n ? gives : c->n),
                           format_text(r, "the body of `%s` returns %s, but the carry has %u", format_prim(r),
                                       format_count(r, gives, "value", "values"), c->n));
    if (c->n)
        rule_note(r, at_binder(r, c->body, c->binder - jaxpr_consts(r, c->body)),
                  c->n == 1 ? "the carry is `%s`" : "the carry begins with `%s`", format_binder(r, c->body, c->binder));
    return fine;
}

bool
bind_entries(struct rule *r, enum strictness by, const char *key, u32 n, u32 wanted, const char *noun)
{
    if (n == wanted)
        return true;
    bool fine = bind_error(r, by, DIAG_T018, n > wanted ? at_item(r, key, wanted) : at_param(r, key),
                           format_text(r, "`%s` of `%s` has %s for %u %s%s", key, format_prim(r),
                                       format_count(r, n, "entry", "entries"), wanted, noun,
                                       wanted == 1                   ? ""
                                       : strcmp(noun, "branch") == 0 ? "es"
                                                                     : "s"));
    bool operands = wanted == r->n && strcmp(noun, "operand") == 0,
         results = wanted == r->n_results && strcmp(noun, "result") == 0;
    if (wanted == 0 || (!operands && !results))
        return fine;
    u32 i = n < wanted ? n : wanted - 1;
    rule_note(r, operands ? at_operand(i) : at_result(i), "`%s` %s%s",
              operands ? format_operand(r, i) : format_result(r, i),
              n < wanted    ? "has no entry"
              : wanted == 1 ? "is the only "
                            : "is the last ",
              n < wanted ? "" : noun);
    return fine;
}

bool
param_count(struct rule *r, const char *key, u32 *out)
{
    i64 value;
    if (!param_int(r, key, &value))
        return false;
    if (value < 0 || value > UINT32_MAX / 4) {
        rule_stricter(r, DIAG_T018, at_param(r, key),
                      value < 0 ? "`%s` of `%s` must not be negative, got %lld" : "`%s` of `%s` is too large: %lld",
                      key, format_prim(r), (long long)value);
        return false;
    }
    *out = (u32)value;
    return true;
}

bool
alias_fits(struct rule *r, const struct alias *alias, u32 first, const char *list, const struct avals *types)
{
    u32 n_operands = r->n > first ? r->n - first : 0;
    bool given = alias->from >= 0 && alias->from < n_operands;
    if (!given || alias->to < 0 || alias->to >= types->n) {
        u32 n = given ? types->n : n_operands;
        return rule_stricter(
            r, DIAG_T010, at_item_part(r, "input_output_aliases", alias->i, given),
            "`input_output_aliases` contains %s index %lld, but `%s` has %s%s%s", given ? "result" : "operand",
            (long long)(given ? alias->to : alias->from), format_prim(r),
            given ? format_count(r, n, "result", "results") : format_count(r, n, "operand", "operands"),
            !given && first ? ", not counting refs and grid bounds" : "", n ? "; indices begin at 0" : "");
    }
    u32 operand = (u32)alias->from + first, result = (u32)alias->to;
    if (r->in[operand].kind != AVAL_ARRAY || avals_agree(&r->in[operand], &types->at[result]) != NO)
        return true;
    const char *name = result < r->n_results ? format_result(r, result) : "a result";
    rule_stricter(r, DIAG_T009, at_item(r, "input_output_aliases", alias->i),
                  "`%s` stores `%s` in the memory of `%s`, which is %s, but `%s` lists %s", format_prim(r), name,
                  format_operand(r, operand), format_aval(r, &r->in[operand]), list,
                  format_aval(r, &types->at[result]));
    rule_note(r, at_item(r, list, result), "the type of `%s` is listed here", name);
    return rule_note_operand(r, operand);
}
