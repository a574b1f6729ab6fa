/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects, where they are printed (print_effects=True: ` : { Debug }` behind the results; jax/_src/core.py,
 * _check_jaxpr): what an equation does, its program says it does. Looked at are the effects that have a word of their
 * own; those of refs name variables, which JAX's own prints get wrong (0.4), and those of mesh axes may be taken up on
 * the way. Linear in the equations of programs that print effects, nothing for the others. */
#include "check/effects.h"

static const char *const words[] = {"Debug", "OrderedDebug", "IO", "OrderedIO", "FFI", "BufferCallback"};

/* the effects a program prints, without braces; false where it prints none of them */
static bool
printed(const struct module *m, jaxpr_t j, struct slice *out)
{
    struct span s = jaxpr_effects(m, j);
    if (s.at == NONE)
        return false;
    *out = value_trim(module_bytes(m, s));
    if (out->n >= 2 && out->at[0] == '{')
        *out = value_trim((struct slice){out->at + 1, out->n - 2});
    return true;
}

/* the program of the equation lists the effect; reports T022 */
static bool
declared(struct rule *r, struct slice effects, struct slice word, const char *whose)
{
    if (value_has(effects, word))
        return true;
    return rule_error(r, DIAG_T022, at_prim(), "`%s`%s has the effect %s, which is not among those its program "
                      "prints: { %s }", say_prim(r), whose, say_slice(r, word), say_slice(r, effects));
}

/* the word of what the equation itself does, empty for nothing */
static struct slice
own_effect(const struct rule *r)
{
    struct slice text, none = {"", 0};
    const char *name = r->prim->name;
    bool ordered = false;
    if (strcmp(name, "debug_callback") == 0)
        return param_text(r, "effect", &text) ? text : none;
    param_bool(r, "ordered", &ordered);
    if (strcmp(name, "debug_print") == 0)
        return ordered ? SLICE("OrderedDebug") : SLICE("Debug");
    if (strcmp(name, "io_callback") == 0)
        return ordered ? SLICE("OrderedIO") : SLICE("IO");
    return none;
}

/* what a program among the parameters prints that it does, the equation does */
static bool
nested_effects(struct rule *r, jaxpr_t nested, struct slice effects)
{
    struct slice inner;
    if (nested == NONE || !printed(r->m, nested, &inner))
        return true;
    for (u32 i = 0; i < countof(words); i++)
        if (value_has(inner, slice_of(words[i])) &&
            !declared(r, effects, slice_of(words[i]), ", through a program it runs,"))
            return false;
    return true;
}

bool
rule_effects(struct rule *r, jaxpr_t home)
{
    struct slice effects, own;
    const struct module *m = r->m;
    if (!printed(m, home, &effects))
        return true;
    own = own_effect(r);
    for (u32 i = 0; own.n && i < countof(words); i++)
        if (slice_eq(own, slice_of(words[i])) && !declared(r, effects, own, ""))
            return false;
    for (param_t p = r->eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        if (param->kind == PARAM_JAXPR && !nested_effects(r, param->a, effects))
            return false;
        if (param->kind == PARAM_SHARED && param->a != NONE && !nested_effects(r, m->lets.at[param->a].jaxpr, effects))
            return false;
        for (u32 s = param->kind == PARAM_TUPLE ? param->a : NONE; s != NONE; s = m->segments.at[s].next) {
            const struct segment *segment = &m->segments.at[s];
            jaxpr_t branch = NONE;
            if (segment->kind == SEGMENT_JAXPR)
                branch = segment->a;
            else if (segment->kind == SEGMENT_SHARED && segment->a != NONE)
                branch = m->lets.at[segment->a].jaxpr;
            if (!nested_effects(r, branch, effects))
                return false;
        }
    }
    return true;
}
