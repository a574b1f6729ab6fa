/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests behind jaxpr.h: the identity of every program of a module, and of the programs inside. */
#include "lib.h"

#include "check/check.h"
#include "diff/canon.h"

/* the canonical form's version, in front of every digest */
#define DIGEST_PREFIX "jx1:"

struct digesting {
    jx_module *module;
    struct jx_compare_options options;
    uint32_t program;
    struct slice answer;
};

static void
add_digest(jx_module *module, const struct digest *d)
{
    char *text = arena_alloc(&module->mem, sizeof DIGEST_PREFIX + 64);
    memcpy(text, DIGEST_PREFIX, sizeof DIGEST_PREFIX - 1);
    digest_hex(d, text + sizeof DIGEST_PREFIX - 1, 64);
    *vec_push(&module->mem, &module->digests) = (struct slice){text, sizeof DIGEST_PREFIX - 1 + 64};
}

static void
work_digests(void *arg)
{
    struct digesting *w = arg;
    jx_module *module = w->module;
    struct module *m = &module->ir;
    struct canon c;
    check_scopes(m, &module->diags);
    diags_sort(&module->diags);
    unsigned aside = (w->options.dce ? CANON_DCE : 0) | (w->options.commute ? CANON_COMMUTE : 0);
    canon_init(&c, m, aside, slice_of(w->options.without != NULL ? w->options.without : ""));
    vec_free(&module->mem, &module->digests);
    for (u32 i = 0; i < module->stream.n; i++) {
        const struct program *p = &m->programs.at[module->stream.at[i]];
        if (p->broken || p->main == NONE) {
            *vec_push(&module->mem, &module->digests) = (struct slice){"", 0};
            continue;
        }
        struct digest d = canon_program(&c, module->stream.at[i]);
        add_digest(module, &d);
    }
    canon_end(&c);
}

enum jx_status
jx_digests(jx_module *module, const struct jx_compare_options *options)
{
    struct digesting w = {.module = module};
    lib_options(&w.options, sizeof w.options, options);
    return lib_run(module, work_digests, &w);
}

struct jx_string
jx_digest_at(const jx_module *module, uint32_t program)
{
    if (program >= module->digests.n)
        return (struct jx_string){"", 0};
    return lib_string(module->digests.at[program]);
}
