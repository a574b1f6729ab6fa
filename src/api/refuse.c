/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewrites whose result would be worse than the program: text with errors that the program has not, and text that is
 * far longer. The errors are those that a reader of the text would get. Linear in the texts. */
#include "api/api.h"

#include "ir/stats.h"
#include "ir/version.h"
#include "print/print.h"

/* reads and checks a text */
static jx_module *
read_and_check(jx_module *module, struct slice text)
{
    jx_module *again = NULL;
    enum jx_status status = jx_read(module->context, "", text.at ? text.at : "", text.n, &again);
    if (status == JX_OK)
        status = jx_check(again, NULL);
    if (status != JX_OK) {
        jx_module_free(again);
        mem_fail(&module->mem);
    }
    return again;
}

/* the first error of a checked module, NULL if there is none. `unbound`: other than an unbound size */
static const struct diag *
first_error(const jx_module *module, bool unbound)
{
    for (u32 i = 0; i < module->diags.list.n; i++) {
        const struct diag *d = &module->diags.list.at[i];
        if (d->level == LEVEL_ERROR && !(unbound && d->code == DIAG_D101))
            return d;
    }
    return NULL;
}

/* sets *text to a module as fmt prints it, without the last newline; in the arena of `mem` */
static void
lay_out(struct mem *mem, jx_module *module, struct slice *text)
{
    const struct print_options options = {0};
    struct sink out;
    sink_init_memory(&out, mem);
    api_format(&out, module, &options);
    *text = sink_take(&out);
    text->n -= text->n > 0;
}

bool
api_refuses(jx_module *module, u32 number, struct slice *text, bool unbound)
{
    const struct program *program = &module->ir.programs.at[module->stream.at[number]];
    const u32 at = program->offset;
    jx_module *after = read_and_check(module, *text), *before = NULL;
    const struct diag *d = first_error(after, unbound);
    bool refused = false;
    if (d != NULL) {
        before = read_and_check(module, (struct slice){module->ir.text.at + at, program->end - at});
        refused = first_error(before, unbound) == NULL;
    }
    if (refused) {
        struct diags *ds = &module->diags;
        ds->program = number;
        diag_add(ds, d->code, at, 1, "the program cannot be rewritten: the result would have an error, %s: %.*s",
                 diag_info(d->code).code, (int)d->message.n, d->message.at);
        ds->program = NONE;
        lay_out(&module->mem, before, text);
    }
    jx_module_free(before);
    jx_module_free(after);
    return refused;
}

struct version_range
api_printed_as(jx_module *module, const struct jx_normal_options *options, program_t program)
{
    if (options->jax)
        return (struct version_range){{options->jax}, {options->jax}};
    return options->passes ? program_versions(&module->ir, program) : range_at(JAX_PRINTER_IN_CPP);
}

void
api_refuse_long(jx_module *module, const struct jx_normal_options *options, u8 *broken)
{
    enum { ALLOWED = 1000000, COPIES = 16 };
    struct module *m = &module->ir;
    u64 held = (u64)COPIES * m->eqns.n, allowed = held > ALLOWED ? held : ALLOWED;
    bool refused = false;
    if (m->lets.n == 0)
        return;
    allowed = options->max_output > 0 ? options->max_output : allowed;
    for (u32 i = 0; i < module->stream.n; i++) {
        program_t program = module->stream.at[i];
        struct stats stats;
        if (broken[i] || range_has(api_printed_as(module, options, program), JAX_JAXPRS_SHARED))
            continue;
        stats_program(m, program, &stats);
        vec_free(m->mem, &stats.prims);
        if (stats.equations <= allowed)
            continue;
        diag_add(
            &module->diags, DIAG_D130, m->programs.at[program].offset, 1,
            "with every call of a shared program printed in full, this program has %llu equations; the limit is %llu",
            (unsigned long long)stats.equations, (unsigned long long)allowed);
        diag_note(&module->diags, NONE, 0, "raise the limit with --max-output, or print for JAX %s or later",
                  version_text(m->mem, (struct jax_version){JAX_JAXPRS_SHARED}).at);
        refused = true;
    }
    if (!refused)
        return;
    memset(broken, 1, module->stream.n);
    diags_sort(&module->diags);
}
