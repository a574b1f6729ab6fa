/* SPDX-License-Identifier: Apache-2.0
 *
 * G: what makes two prints of one program differ, or cannot be compared. Looked for in the values of parameters that are
 * text; linear in them. */
#include "lint/facts.h"

/* the text of a parameter, empty where it holds programs or is an equation's own form */
static struct slice
param_value(const struct module *m, param_t p)
{
    const struct param *param = &m->params.at[p];
    if (param->kind != PARAM_TEXT || param->span.at >= m->text.n)
        return (struct slice){"", 0};
    return module_bytes(m, param->span);
}

static struct span
span_of(const struct module *m, const char *from, const char *to)
{
    return (struct span){(u32)(from - m->text.at), (u32)(to - from)};
}

static bool
is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* the end of an address whose digits begin at p, or NULL */
static const char *
address_end(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && is_hex(*q))
        q++;
    return q - p >= 4 ? q : NULL;
}

void
lint_G601(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct slice value = param_value(m, p), word = SLICE(" at 0x");
        const char *at = value.at, *end = value.at + value.n, *stop;
        while ((at = memmem(at, (size_t)(end - at), word.at, word.n)) != NULL) {
            at += word.n;
            if ((stop = address_end(at, end)) == NULL)
                continue;
            if (lint_tell(l, e, span_of(m, at - 2, stop), "an address, which differs from run to run, stands in `%s`",
                          lint_key(l, p)))
                lint_edit(l, (u32)(at - m->text.at), (u32)(stop - at), SLICE("XXXX"));
            at = stop;
        }
    }
}
