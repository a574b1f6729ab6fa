/* SPDX-License-Identifier: Apache-2.0
 *
 * What messages call the values of parameters, by role. */
#include "verify/checker.h"

static const char *const param_nouns[] = {
#define ROLE(name, what) what,
    PARAM_ROLES(ROLE)
#undef ROLE
};

/* "one of left, right" */
static const char *
choice_noun(struct diags *ds, struct slice words)
{
    const char *text = "one of ";
    for (struct cursor c = cursor_of(words); c.p < c.end;) {
        const char *end = value_find(c.p, c.end, ",");
        text = arena_printf(ds->mem, "%s%.*s%s", text, (int)(end - c.p), c.p, end < c.end ? ", " : "").at;
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
    return arena_printf(ds->mem, param->kind == ROLE_MEMBER ? "a member of `%s`" : "an object printed as `%s(..)`",
                        diag_quote(ds, param->of))
        .at;
}
