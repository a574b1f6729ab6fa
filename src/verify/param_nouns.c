/* SPDX-License-Identifier: Apache-2.0
 *
 * What messages call the values of parameters, by role. */
#include "verify/checker.h"

static const char *const param_nouns[] = {
#define ROLE(name, what) what,
    PARAM_ROLES(ROLE)
#undef ROLE
};

/* "one of left, middle or right"; "left or right" */
static const char *
choice_noun(struct diags *ds, struct slice words)
{
    u32 left = 0;
    for (struct cursor c = cursor_of(words); c.p < c.end; left++) {
        const char *end = value_find(c.p, c.end, ",");
        c.p = end + (end < c.end);
    }
    const char *text = left > 2 ? "one of " : "";
    for (struct cursor c = cursor_of(words); c.p < c.end; left--) {
        const char *end = value_find(c.p, c.end, ",");
        text = arena_printf(ds->mem, "%s%.*s%s", text, (int)(end - c.p), c.p,
                            left > 2    ? ", "
                            : left == 2 ? " or "
                                        : "")
                   .at;
        c.p = end + (end < c.end);
    }
    return text;
}

/* "an integer from 0 to 1"; "an integer of at least 8 that is a multiple of 8" */
static const char *
range_noun(struct diags *ds, const char *noun, struct param_range range)
{
    if (range.high < INT64_MAX)
        return arena_printf(ds->mem, "%s from %lld to %lld", noun, (long long)range.low, (long long)range.high).at;
    noun = arena_printf(ds->mem, "%s of at least %lld", noun, (long long)range.low).at;
    return range.step == 1 ? noun
                           : arena_printf(ds->mem, "%s that is a multiple of %lld", noun, (long long)range.step).at;
}

/* the noun for the values of a role with what follows `:` in the row */
static const char *
noun_of(struct diags *ds, const struct prim_param *param)
{
    const char *noun = param_nouns[param->kind];
    if (param->of.n == 0)
        return noun;
    if (param->kind == ROLE_CHOICE)
        return choice_noun(ds, param->of);
    if (role_has_range(param->kind))
        return range_noun(ds, noun, param_range(param->of));
    if (param->kind == ROLE_ITEMS || param->kind == ROLE_MAPPING)
        return arena_printf(ds->mem, "%s with known names%s", param->kind == ROLE_ITEMS ? noun : "a dict",
                            param->kind == ROLE_ITEMS ? " and values" : "")
            .at;
    bool member = param->kind == ROLE_MEMBER || param->kind == ROLE_SPACE;
    return arena_printf(ds->mem, member ? "a member of `%s`" : "an object printed as `%s(..)`",
                        diag_quote(ds, param->of))
        .at;
}

const char *
param_noun(struct diags *ds, const struct prim_param *param)
{
    const char *noun = noun_of(ds, param);
    const char *joined = memmem(noun, strlen(noun), " or ", 4) ? "," : " or";
    return param->word.n ? arena_printf(ds->mem, "`%s`%s %s", diag_quote(ds, param->word), joined, noun).at : noun;
}
