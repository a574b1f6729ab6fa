/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr check: every error of every program, on standard output. With --fix, the file is fixed first, and its
 * findings afterwards are printed. */
#include "command/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* in the order of enum jx_dims */
static const char *const dims[] = {"auto", "vars", "symbolic"};

/* Reports, in one line for each, the programs without errors that passes would give one, so that they are unchanged. */
static void
report_refused(struct job *job, const jx_rewrite *rewrite)
{
    struct jx_rewritten program;
    struct jx_diagnostic d;
    uint32_t last = JX_NONE;
    for (uint32_t i = 0; jx_diagnostic_at(job->module, i, &d); i++) {
        if (d.level != JX_ERROR || d.program == last || !jx_rewritten_at(rewrite, d.program, &program) ||
            !program.refused)
            continue;
        last = d.program;
        output_complain(job->err, "%s:%u:%u: %.*s", job->name, (unsigned)d.place.line, (unsigned)d.place.column,
                        (int)d.message.n, d.message.at);
    }
}

/* Writes the job's programs, repaired by passes, to its file, or to standard output if read from standard input;
 * job->module is then what that reads as. False (reported) on failure. */
static bool
fix(struct job *job)
{
    struct jx_normal_options how = cure_options();
    bool stream = strcmp(job->path, "-") == 0;
    struct output fixed = {.fd = -1};
    jx_rewrite *rewrite = NULL;
    how.in_place = true;
    enum jx_status status = jx_normalize(job->module, &how, output_write, &fixed, &rewrite);
    uint32_t changed = jx_rewrite_changed(rewrite);
    report_refused(job, rewrite);
    jx_rewrite_free(rewrite);
    const char *bytes = changed > 0 ? fixed.at : job->source.kept.at;
    size_t n = changed > 0 ? fixed.n : job->source.kept.n;
    const char *why =
        status == JX_OK && changed > 0 && !stream ? file_replace(job->path, &job->source.was, bytes, n) : NULL;
    if (stream)
        output_write(job->out, bytes, n);
    if (status == JX_OK && why == NULL) {
        jx_module_free(job->module);
        job->module = NULL;
        status = jx_read(job->context, job->name, n > 0 ? bytes : "", n, &job->module);
    }
    output_free(&fixed);
    if (status != JX_OK || why != NULL)
        job_fail(job, why != NULL ? why : jx_status_text(status));
    return status == JX_OK && why == NULL;
}

/* ---- what could not be verified ---- */

/* takes ownership of a name */
static void
names_add(struct unverified_names *names, char *name)
{
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->at[i], name) == 0) {
            free(name);
            return;
        }
    if (names->n <= UNVERIFIED_SHOWN)
        names->at[names->n++] = name;
    else
        free(name);
}

static void
names_merge(struct unverified_names *all, struct unverified_names *of)
{
    for (int i = 0; i < of->n; i++)
        names_add(all, of->at[i]);
    of->n = 0;
}

static void
names_print(struct output *o, struct unverified_names *names, const char *end)
{
    for (int i = 0; i < names->n; i++) {
        output_puts(o, i > 0 ? ", " : "");
        output_name(o, i < UNVERIFIED_SHOWN ? names->at[i] : "..");
    }
    output_puts(o, end);
}

static void
names_free(struct unverified_names *names)
{
    for (int i = 0; i < names->n; i++)
        free(names->at[i]);
}

static void
unverified_count(struct unverified *u, const jx_module *module)
{
    struct jx_string name;
    u->equations += jx_unverified_count(module);
    for (uint32_t i = 0; (name = jx_unverified_primitive(module, i)).n > 0; i++)
        names_add(&u->primitives, must_copy(name.at, name.n));
    for (uint32_t i = 0; (name = jx_unknown_type(module, i)).n > 0; i++)
        names_add(&u->types, must_copy(name.at, name.n));
}

void
unverified_merge(struct unverified *all, struct unverified *of)
{
    all->equations += of->equations;
    names_merge(&all->primitives, &of->primitives);
    names_merge(&all->types, &of->types);
}

void
unverified_print(struct unverified *all, bool quiet)
{
    struct output *o = &standard_error;
    if (!quiet && (all->equations > 0 || all->types.n > 0))
        output_flush(&standard_output);
    if (!quiet && all->equations > 0) {
        output_printf(o, "note: %" PRIu64 " equation%s not verified (", all->equations, plural(all->equations));
        names_print(o, &all->primitives, ")\n");
    }
    if (!quiet && all->types.n > 0) {
        output_printf(o, "note: unknown type%s: ", plural((uint64_t)all->types.n));
        names_print(o, &all->types, "\n");
    }
    output_flush(o);
    names_free(&all->primitives);
    names_free(&all->types);
}

static void
work(struct job *job)
{
    struct jx_check_options how = {
        .size = sizeof how,
        .strict = job_given(job, OPTION_strict),
        .as_jax = job_given(job, OPTION_as_jax),
        .explain = job_given(job, OPTION_explain),
        .dialect = (enum jx_dialect)dialect_read(job->in),
        .dims = (enum jx_dims)option_word(job->in, OPTION_dims, dims, 3),
    };
    if (job_given(job, OPTION_repair) && !fix(job))
        return;
    enum jx_status status = jx_check(job->module, &how);
    if (status != JX_OK)
        job_fail(job, jx_status_text(status));
    unverified_count(&job->unverified, job->module);
}

int
command_check(const struct invocation *in)
{
    bool stream = false;
    if (dialect_read(in) < 0 || option_word(in, OPTION_dims, dims, 3) < 0)
        return EXIT_TROUBLE;
    for (int i = 0; i < in->n_files; i++)
        stream |= strcmp(in->files[i], "-") == 0;
    bool fixes = in->value[OPTION_repair] != NULL;
    if (in->value[OPTION_extract] != NULL && fixes) {
        complain("--extract does not change files: it cannot be used with --fix");
        return EXIT_TROUBLE;
    }
    if (in->value[OPTION_timing] != NULL && (in->value[OPTION_extract] != NULL || fixes)) {
        complain("--timing measures reading and checking: it cannot be used with --extract or --fix");
        return EXIT_TROUBLE;
    }
    if (in->value[OPTION_extract] != NULL)
        return batch_extract(in, work, NULL, &standard_output);
    /* standard output then contains the repaired programs */
    return batch_run(in, work, fixes, NULL, fixes && stream ? &standard_error : &standard_output);
}
