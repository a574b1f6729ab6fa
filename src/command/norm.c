/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr norm: prints programs after passes, or in canonical form. */
#include "command/command.h"

#include <stdio.h>
#include <string.h>

/* The enum jx_share of --share: auto by default; -1, with a message on stderr, for unknown words. */
static int
share_read(const struct invocation *in)
{
    static const char *const shares[] = {"auto", "never", "always"}; /* in the order of enum jx_share */
    return option_word(in, OPTION_share, shares, 3);
}

/* The version of --era or --jax: 0 for `none`; UINT32_MAX, with a message on stderr, if it is not a version. */
static uint32_t
version_read(const struct invocation *in)
{
    const char *era = in->value[OPTION_era];
    if (era != NULL && strcmp(era, "none") == 0)
        return 0;
    return option_version(in, era != NULL ? OPTION_era : OPTION_jax);
}

static struct jx_normal_options
options_of(const struct invocation *in)
{
    return (struct jx_normal_options){
        .size = sizeof(struct jx_normal_options),
        .passes = passes_read(in, OPTION_pass),
        .count = option_number(in, OPTION_count, 0),
        .jax = version_read(in),
        .share = (enum jx_share)share_read(in),
        .max_output = option_number(in, OPTION_max_output, 0),
        .in_place = true,
        .dialect = (enum jx_dialect)dialect_read(in),
    };
}

/* Writes the origin of a binder or result of a rewritten program: `constant 1, a:f32[3]`. */
static void
write_origin(struct job *job, const struct jx_origin *origin)
{
    static const char *const kinds[] = {"constant", "argument", "result", "constant of a nested program",
                                        "new"}; /* in the order of enum jx_origin_kind */
    struct jx_site site;
    struct jx_span span;
    struct jx_variable binder;
    output_puts(job->out, kinds[origin->kind]);
    if (origin->index != JX_NONE)
        output_printf(job->out, " %u", origin->index + 1);
    if (!jx_definition(job->module, origin->variable, &site) || site.part != JX_PART_BINDER ||
        !jx_binder_at(job->module, site.id, site.index, &binder))
        return;
    output_puts(job->out, ", ");
    output_shown(job->out, binder.name.at, binder.name.n);
    if (binder.type.n)
        output_puts(job->out, ":");
    output_shown(job->out, binder.type.at, binder.type.n);
    if (origin->kind == JX_ORIGIN_NESTED && jx_span_at(job->module, &site, &span))
        output_printf(job->out, ", line %u", span.place.line);
}

/* Writes a line of --mapping: `FILE:LINE: argument 1: constant 1, a:f32[3]`. */
static void
write_mapped(struct job *job, uint32_t line, const char *part, uint32_t i, const struct jx_origin *origin)
{
    output_name(job->out, job->name);
    output_printf(job->out, ":%u: %s %u: ", line, part, i + 1);
    write_origin(job, origin);
    output_puts(job->out, "\n");
}

/* Writes the origin of each constant, argument and result of the rewritten programs. */
static enum jx_status
write_mapping(struct job *job, struct jx_normal_options how)
{
    struct jx_program program;
    struct jx_rewritten now;
    struct jx_origin origin;
    how.in_place = false; /* names and places of the origins are those of the module as read */
    enum jx_status status = jx_resolve(job->module);
    if (status == JX_OK)
        status = jx_normalize(job->module, &how, NULL, NULL, &job->rewrite);
    for (uint32_t i = 0; jx_program_at(job->module, i, &program) && jx_rewritten_at(job->rewrite, i, &now); i++) {
        if (!now.written)
            continue;
        for (uint32_t k = 0; jx_rewritten_binder(job->rewrite, i, k, &origin); k++)
            write_mapped(job, program.place.line, k < now.constants ? "constant" : "argument",
                         k < now.constants ? k : k - now.constants, &origin);
        for (uint32_t k = 0; jx_rewritten_output(job->rewrite, i, k, &origin); k++)
            write_mapped(job, program.place.line, "result", k, &origin);
    }
    return status;
}

static void
work(struct job *job)
{
    struct jx_normal_options how = options_of(job->in);
    enum jx_status status = job_given(job, OPTION_mapping)
                                ? write_mapping(job, how)
                                : jx_normalize(job->module, &how, output_write, job->out, NULL);
    if (status != JX_OK && status != JX_WRITE_FAILED)
        job_fail(job, jx_status_text(status));
}

/* Whether --count and -p args-to-consts are given together or not at all; prints a message on stderr otherwise. */
static bool
count_fits(const struct invocation *in, unsigned passes)
{
    bool count = in->value[OPTION_count] != NULL, pass = (passes & JX_PASS_ARGS_TO_CONSTS) != 0;
    if (count && !pass)
        complain("--count needs -p args-to-consts");
    if (pass && !count)
        complain("-p args-to-consts needs --count, the number of arguments that become constants");
    return count == pass;
}

/* Prints the rewritten programs of a file, or its bytes if they cannot be rewritten: git aborts a diff whose
 * textconv fails. False, with a message on stderr, where the file cannot be read. */
static bool
convert(const struct invocation *in, jx_context *context, const char *path)
{
    struct jx_normal_options how = options_of(in);
    struct source source = {.keep = true};
    struct output rewritten = {.fd = -1};
    jx_module *module = NULL;
    bool done = source_open(&source, path) &&
                jx_read_from(context, path, source_read, &source, source.expected, &module) == JX_OK &&
                jx_normalize(module, &how, output_write, &rewritten, NULL) == JX_OK &&
                jx_diagnostic_count(module, JX_ERROR) == 0;
    bool read = source.error == 0 && (done || source_drain(&source));
    if (done)
        output_write(&standard_output, rewritten.at, rewritten.n);
    else if (read)
        output_write(&standard_output, source.kept.at, source.kept.n);
    else
        complain("%s: %s", path, source_why(&source));
    output_free(&rewritten);
    jx_module_free(module);
    source_close(&source);
    return read;
}

static int
convert_all(const struct invocation *in)
{
    int status = EXIT_CLEAN;
    jx_context *context = context_make(in);
    for (int i = 0; i < in->n_files; i++)
        if (!convert(in, context, in->files[i]))
            status = EXIT_TROUBLE;
    jx_context_free(context);
    return status;
}

int
command_norm(const struct invocation *in)
{
    unsigned passes = passes_read(in, OPTION_pass);
    if (passes == ~0u || share_read(in) < 0 || dialect_read(in) < 0 || version_read(in) == UINT32_MAX ||
        !count_fits(in, passes))
        return EXIT_TROUBLE;
    if (in->value[OPTION_textconv] != NULL && in->value[OPTION_mapping] != NULL) {
        complain("--textconv cannot be used with --mapping");
        return EXIT_TROUBLE;
    }
    if (in->value[OPTION_textconv] != NULL)
        return convert_all(in);
    return batch_run(in, work, false, NULL, &standard_error);
}
