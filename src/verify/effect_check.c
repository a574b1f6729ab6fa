/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects, where they are printed (print_effects=True: ` : { Debug }` after the results; jax/_src/core.py,
 * _check_jaxpr): the effects of an equation must be among those printed for its program. Of effects on refs,
 * `Write<a>`, only those on binders of the program must be; effects of mesh axes are not checked, as enclosing
 * equations may bind the axes. Linear in the equations of programs that print effects, O(1) for the others. */
#include "verify/effect_check.h"

#include "verify/call_check.h"
#include "verify/checker.h"

static const char *const words[] = {"Debug", "OrderedDebug", "IO", "OrderedIO", "FFI", "BufferCallback"};

static const char *const accesses[] = {"Read", "Write", "Accum"};

#define PRINTED (1ull << countof(words))
#define OF_REFS (2ull << countof(words)) /* the variables of effects on refs are printed, if there are any */

/* the effects that program j prints, without braces */
static struct slice
printed(const struct module *m, jaxpr_t j)
{
    struct slice effects = value_trim(module_bytes(m, jaxpr_effects(m, j)));
    if (effects.n >= 2 && effects.at[0] == '{')
        effects = value_trim((struct slice){effects.at + 1, effects.n - 2});
    return effects;
}

/* the key in ref_effects of an effect of program j, such as `Write<a>` */
static u32
ref_key(jaxpr_t j, struct slice effect)
{
    return (u32)(hash_slice(j, effect) >> 33);
}

/* the effects that program j prints, as a set: bit i for words[i], PRINTED and OF_REFS; computed once. 0 if it prints
 * none, not even `{}` */
static u64
words_of(struct rule *r, jaxpr_t j)
{
    struct slice word;
    if (j == NONE || jaxpr_effects(r->m, j).at == NONE)
        return 0;
    u64 set = memo_get(&r->c->effects, j);
    if (set)
        return set;
    struct cursor c = cursor_of(printed(r->m, j));
    set = PRINTED | OF_REFS;
    while (value_element(&c, &word)) {
        const char *of = memchr(word.at, '<', word.n);
        if (of && is_digit(of[1])) /* old versions print the number of a binder */
            set &= ~OF_REFS;
        memo_set(r->m->mem, &r->c->ref_effects, ref_key(j, word), 1);
        for (u32 i = 0; i < countof(words); i++)
            if (slice_eq(word, slice_of(words[i])))
                set |= 1ull << i;
    }
    memo_set(r->m->mem, &r->c->effects, j, set);
    return set;
}

/* reports that the equation, or the program `called`, has an effect which its own program does not print; `inner` is
 * what `called` prints for it */
static bool
report_effect(struct rule *r, jaxpr_t home, struct where where, const char *effect, jaxpr_t called, const char *inner)
{
    struct span place = jaxpr_effects(r->m, home);
    struct slice declared = printed(r->m, home);
    rule_error(r, DIAG_T022, where, "`%s` %s the effect %s, but the enclosing program declares %s", format_prim(r),
               called != NONE ? "calls a program with" : "has", effect,
               declared.n ? format_text(r, "only { %s }", format_slice(r, declared)) : "no effects");
    while (!declared.n && place.at && r->m->text.at[place.at] != '{') /* nothing in the braces can be marked */
        place = (struct span){place.at - 1, place.n + 1};
    rule_note(r, at_text(place.at, place.n), "%s declared here", declared.n ? "the effects are" : "no effects are");
    if (called == NONE)
        return false;
    place = jaxpr_effects(r->m, called);
    return rule_note(r, at_text(place.at, place.n), "the called program declares %s", inner);
}

/* checks that `home`, the program of the equation, prints the effects in a set; reports T022 for the first that it does
 * not print */
static bool
declares(struct rule *r, jaxpr_t home, u64 set, jaxpr_t called)
{
    u64 missing = set & ~words_of(r, home);
    if (!missing)
        return true;
    return report_effect(r, home, at_prim(), words[__builtin_ctzll(missing)], called, words[__builtin_ctzll(missing)]);
}

/* the effect of the equation itself, without those of its programs, as a binder prints it; empty if it has none */
static struct slice
own_effect(struct rule *r)
{
    struct slice text, none = {"", 0};
    const struct prim *row = r->prim;
    bool ordered = false;
    if (!row->effects[0] || (rule_param(r, "effect") == NONE && rule_param(r, "ordered") == NONE))
        return none; /* debug_print of kernels, whose effect has another name in other versions */
    if (prim_role(row, SLICE("effect")).n)
        return param_text(r, "effect", &text) ? text : none;
    param_bool(r, "ordered", &ordered);
    return slice_of(ordered ? format_text(r, "Ordered%s", row->effects) : row->effects);
}

/* checks that `home` prints the effects of a program among the parameters, as these are effects of the equation, too */
static bool
nested_effects(struct rule *r, jaxpr_t nested, jaxpr_t home)
{
    return declares(r, home, words_of(r, nested), nested);
}

/* whether program j prints an effect on variable v */
static bool
prints_access(struct rule *r, jaxpr_t j, const char *access, var_t v)
{
    struct name_buffer buffer;
    struct slice name = module_name(r->m, r->m->vars.at[v].name, &buffer);
    const char *effect = format_text(r, "%s<%.*s>", access, (int)name.n, name.at);
    return memo_get(&r->c->ref_effects, ref_key(j, slice_of(effect))) != 0;
}

/* checks that program `home` prints the effect that the equation has on operand i, if this is a ref that `home` binds;
 * the program `called`, if not NONE, has the effect on its variable v */
static bool
declares_access(struct rule *r, jaxpr_t home, u32 i, const char *access, jaxpr_t called, var_t v)
{
    atom_t a = atom_without_index(r->m, r->m->atoms.at[r->eqn->atoms + i]);
    if (atom_kind(a) != ATOM_VAR || !jaxpr_binds(&r->m->jaxprs.at[home], atom_id(a)))
        return true;
    type_t type = r->m->vars.at[atom_id(a)].type;
    if (type == NONE || type_get(&r->m->types, type)->kind != TYPE_REF || prints_access(r, home, access, atom_id(a)))
        return true;
    return report_effect(r, home, at_operand(i), format_text(r, "%s<%s>", access, format_var(r, atom_id(a))), called,
                         v == NONE ? ""
                                   : format_text(r, "%s<%s>, and receives `%s` as `%s`", access, format_var(r, v),
                                                 format_var(r, atom_id(a)), format_var(r, v)));
}

/* the same for effects of the equation itself, and of programs that it calls with refs */
static bool
declares_accesses(struct rule *r, jaxpr_t home)
{
    struct region_map map;
    if (!(words_of(r, home) & OF_REFS))
        return true;
    for (u32 k = 0; r->n && k < countof(accesses); k++)
        if (strcmp(r->prim->effects, accesses[k]) == 0 && !declares_access(r, home, 0, accesses[k], NONE, NONE))
            return false;
    if (r->prim->is.sealed || !rule_regions(r, &map))
        return true;
    for (u32 i = 0; i < map.regions.n; i++) {
        const struct region *in = &map.regions.at[i];
        if (!(words_of(r, in->jaxpr) & OF_REFS))
            continue;
        const struct jaxpr *program = &r->m->jaxprs.at[in->jaxpr];
        for (u32 k = 0; k < jaxpr_binders(program); k++) {
            u32 operand = region_operand(in, k);
            var_t v = program->vars + k;
            for (u32 w = 0; operand < r->n && w < countof(accesses); w++)
                if (prints_access(r, in->jaxpr, accesses[w], v) &&
                    !declares_access(r, home, operand, accesses[w], in->jaxpr, v))
                    return false;
        }
    }
    return true;
}

bool
rule_effects(struct rule *r, jaxpr_t home)
{
    const struct module *m = r->m;
    if (jaxpr_effects(m, home).at == NONE)
        return true;
    if (!declares_accesses(r, home))
        return false;
    struct slice own = own_effect(r);
    for (u32 i = 0; own.n && i < countof(words); i++)
        if (slice_eq(own, slice_of(words[i])) && !declares(r, home, 1ull << i, NONE))
            return false;
    /* programs pasted into values are derivative rules etc., which the equation does not run */
    struct nested nested = nested_start(m, r->e);
    for (jaxpr_t j; !r->prim->is.sealed && (j = nested_unpasted(m, &nested)) != NONE;)
        if (!nested_effects(r, j, home))
            return false;
    return true;
}
