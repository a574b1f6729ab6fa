/* SPDX-License-Identifier: Apache-2.0
 *
 * A text is parsed, and the errors of its first program decide. Linear. */
#include "extract/classify.h"

#include "parse/parse.h"

struct verdict
classify_module(const struct module *m, const struct diags *ds)
{
    struct verdict v = {.broken = true, .early = true, .error_at = NONE};
    program_t first = 0;
    while (first < m->programs.n && m->programs.at[first].pasted)
        first++;
    if (first < m->programs.n) {
        v.broken = m->programs.at[first].broken || m->programs.at[first].main == NONE;
        v.end = text_source(&m->text, m->programs.at[first].end);
    }
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        if (d->level != LEVEL_ERROR || d->code == DIAG_S002 || d->code == DIAG_S003 || d->at == NONE)
            continue;
        v.early = false;
        v.error_at = d->at < v.error_at ? d->at : v.error_at;
    }
    if (v.early && m->programs.n == 0)
        v.early = false;
    v.error_at = v.error_at == NONE ? 0 : text_source(&m->text, v.error_at);
    return v;
}

struct verdict
classify_text(const struct mem *m, struct mem *scratch, struct slice text, bool no_fast_path)
{
    struct module module;
    struct diags ds;
    scratch->oom = m->oom;
    diags_init(&ds, scratch);
    struct text copy;
    text_init(scratch, &copy, SLICE(""), text.at, text.n);
    parse_module(&module, scratch, copy, &(struct parse_how){.no_fast_path = no_fast_path}, &ds);
    struct verdict v = classify_module(&module, &ds);
    mem_drop(scratch);
    return v;
}
