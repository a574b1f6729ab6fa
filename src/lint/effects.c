/* SPDX-License-Identifier: Apache-2.0
 *
 * E: what programs do beside computing. One look at each equation; whether it is run again and again is a fact. */
#include "lint/facts.h"

/* true where a list of words with `+` between has the word */
static bool
lists(struct slice list, struct slice word)
{
    const char *p = list.at, *end = p + list.n;
    while (p < end) {
        const char *q = memchr(p, '+', (size_t)(end - p));
        q = q ? q : end;
        if (slice_eq((struct slice){p, (size_t)(q - p)}, word))
            return true;
        p = q + 1;
    }
    return false;
}

/* true where a foreign call is one of those that call the host */
static bool
calls_host(const struct lint *l, eqn_t e)
{
    struct slice target;
    return lint_param(l, e, SLICE("target_name"), &target) && lists(l->plan->text[SET_host_ffi], target);
}

void
lint_E401(struct lint *l, u32 e)
{
    if (strcmp(l->row->name, "ffi_call") == 0 && !calls_host(l, e))
        return;
    lint_tell(l, e, eqn_prim_span(l->m, e), "`%s` calls back into the host", lint_prim(l, e));
}
