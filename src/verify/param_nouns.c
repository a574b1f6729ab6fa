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

const char *
param_noun(struct diags *ds, const struct prim_param *param)
{
    if (param->of.n == 0)
        return param_nouns[param->kind];
    if (param->kind == ROLE_CHOICE)
        return choice_noun(ds, param->of);
    if (param->kind == ROLE_ITEMS || param->kind == ROLE_MAPPING)
        return arena_printf(ds->mem, "%s with known names",
                            param->kind == ROLE_ITEMS ? param_nouns[param->kind] : "a dict")
            .at;
    return arena_printf(ds->mem, param->kind == ROLE_MEMBER ? "a member of `%s`" : "an object printed as `%s(..)`",
                        diag_quote(ds, param->of))
        .at;
}
