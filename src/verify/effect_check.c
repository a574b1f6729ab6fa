/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects, where they are printed (print_effects=True: ` : { Debug }` after the results; jax/_src/core.py,
 * _check_jaxpr): the effects of an equation are among those printed for its program. Only effects with a name of
 * their own are checked; those of refs contain variables, which JAX prints wrongly (0.4), and those of mesh axes
 * may be bound by equations around. Linear in the equations of programs that print effects, nothing for the others. */
#include "verify/effect_check.h"

#include "verify/checker.h"

static const char *const words[] = {"Debug", "OrderedDebug", "IO", "OrderedIO", "FFI", "BufferCallback"};

#define PRINTED (1ull << countof(words))

/* the effects that program j prints, without braces */
static struct slice
printed(const struct module *m, jaxpr_t j)
{
    struct slice effects = value_trim(module_bytes(m, jaxpr_effects(m, j)));
    if (effects.n >= 2 && effects.at[0] == '{')
        effects = value_trim((struct slice){effects.at + 1, effects.n - 2});
    return effects;
}

/* the words among them, bit i for words[i], and PRINTED; computed once. 0 if no effects are printed */
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
    set = PRINTED;
    while (value_element(&c, &word))
        for (u32 i = 0; i < countof(words); i++)
            if (slice_eq(word, slice_of(words[i])))
                set |= 1ull << i;
    memo_set(r->m->mem, &r->c->effects, j, set);
    return set;
}

/* program `home` of the equation prints the words of a set; reports T022 for the first one it does not print */
static bool
declares(struct rule *r, jaxpr_t home, u64 set, bool called)
{
    u64 missing = set & ~words_of(r, home);
    if (!missing)
        return true;
    return rule_error(r, DIAG_T022, at_prim(), "`%s` %s the effect %s, but the %s declares only { %s }", format_prim(r),
                      called ? "calls a program with" : "has", words[__builtin_ctzll(missing)],
                      called ? "enclosing program" : "program", format_slice(r, printed(r->m, home)));
}

/* the word for the effect of the equation itself, empty for none */
static struct slice
own_effect(struct rule *r)
{
    struct slice text, none = {"", 0};
    const struct prim *row = r->prim;
    bool ordered = false;
    if (!row->effects[0] || !(prim_role(row, SLICE("effect")).n || prim_role(row, SLICE("ordered")).n))
        return none;
    if (prim_role(row, SLICE("effect")).n)
        return param_text(r, "effect", &text) ? text : none;
    param_bool(r, "ordered", &ordered);
    return slice_of(ordered ? format_text(r, "Ordered%s", row->effects) : row->effects);
}

/* effects printed by a program among the parameters are those of the equation */
static bool
nested_effects(struct rule *r, jaxpr_t nested, jaxpr_t home)
{
    return declares(r, home, words_of(r, nested), true);
}

bool
rule_effects(struct rule *r, jaxpr_t home)
{
    const struct module *m = r->m;
    if (jaxpr_effects(m, home).at == NONE)
        return true;
    struct slice own = own_effect(r);
    for (u32 i = 0; own.n && i < countof(words); i++)
        if (slice_eq(own, slice_of(words[i])) && !declares(r, home, 1ull << i, false))
            return false;
    /* programs pasted into values are derivative rules etc., which the equation does not run */
    struct nested nested = nested_start(m, r->e);
    for (jaxpr_t j; (j = nested_unpasted(m, &nested)) != NONE;)
        if (!nested_effects(r, j, home))
            return false;
    return true;
}
