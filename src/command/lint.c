/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr lint: opt-in rules. Findings are printed on standard output; --fix and --diff make all fixes, repeatedly
 * until nothing changes, and report the rest. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* a fix may make another one possible; more rounds than this are not expected */
enum { MOST_ROUNDS = 100 };

/* The options that choose and configure rules. */
static struct jx_lint_options
rule_options(const struct invocation *in)
{
    const struct input *baseline = in->data;
    return (struct jx_lint_options){
        .size = sizeof(struct jx_lint_options),
        .select = in->value[OPTION_select],
        .extend_select = in->value[OPTION_extend_select],
        .ignore = in->value[OPTION_ignore],
        .set = in->value[OPTION_set],
        .why = in->value[OPTION_why],
        .baseline = baseline->at,
        .baseline_size = baseline->n,
    };
}

static void
lint_options(const struct job *job, struct jx_lint_options *how, jx_config *config, const char *config_path)
{
    const struct invocation *in = job->in;
    *how = rule_options(in);
    how->path = job->name;
    how->keys = in->value[OPTION_write_baseline] != NULL;
    how->extracted = in->value[OPTION_extract] != NULL;
    how->fixes = in->value[OPTION_fix] != NULL || in->value[OPTION_diff] != NULL;
    how->config = config;
    how->config_path = config_path;
}

static bool
check_status(struct job *job, enum jx_status status)
{
    if (status != JX_OK && status != JX_WRITE_FAILED)
        output_complain(job->err, "%s: %s", job->name, jx_status_text(status));
    if (status != JX_OK)
        job->status = EXIT_TROUBLE;
    return status == JX_OK;
}

/* Fixes the text repeatedly; job->module and *result are those of the last round. False on failure. */
static bool
fix_text(struct job *job, const struct jx_lint_options *how, jx_lint_result **result, struct output *text)
{
    for (int round = 0; round < MOST_ROUNDS && jx_lint_fixes(*result) > 0; round++) {
        struct output next = {.fd = -1};
        jx_module *module = NULL;
        bool fine = check_status(job, jx_write_fixed(*result, output_write, &next)) &&
                    check_status(job, jx_read(job->context, job->name, next.at ? next.at : "", next.n, &module));
        output_free(text);
        *text = next;
        if (!fine)
            return false;
        jx_lint_free(*result);
        jx_module_free(job->module);
        job->module = module;
        if (!check_status(job, jx_lint(module, how, result)))
            return false;
    }
    return true;
}

static void
write_fixed(struct job *job, const struct output *text)
{
    struct input from = job->source.kept, to = {text->at, text->n};
    bool changed = text->at != NULL && (from.n != to.n || memcmp(from.at, to.at, to.n) != 0);
    bool from_stdin = strcmp(job->path, "-") == 0;
    if (job->in->value[OPTION_diff] != NULL) {
        if (changed)
            unified_diff(job->out, job->name, job->name, from, to);
    } else if (from_stdin) {
        output_write(job->out, changed ? to.at : from.at, changed ? to.n : from.n);
    } else if (changed) {
        const char *why = file_replace(job->path, &job->source.was, to.at, to.n);
        if (why != NULL)
            job_fail(job, why);
    }
    if (changed && job->in->value[OPTION_diff] != NULL && job->status < EXIT_FINDINGS)
        job->status = EXIT_FINDINGS;
}

/* Prints the paths from a finding to its origins, shortest first. */
static void
write_why(struct job *job, const jx_lint_result *result)
{
    struct jx_step step;
    uint32_t causes = jx_lint_causes(result), path = 0;
    if (causes == JX_NONE) {
        output_complain(job->err, "%s: there is no finding `%s`", job->name, job->in->value[OPTION_why]);
        job->status = job->status > EXIT_FINDINGS ? job->status : EXIT_FINDINGS;
        return;
    }
    for (uint32_t i = 0; jx_lint_step_at(result, i, &step); i++) {
        if (step.path != path && causes > 1)
            output_printf(job->out, "%scause %u of %u:\n", path ? "\n" : "", step.path, causes);
        path = step.path;
        output_name(job->out, job->name);
        output_printf(job->out, ":%u:%u: ", step.place.line, step.place.column);
        output_shown(job->out, step.message.at, step.message.n);
        output_puts(job->out, "\n");
    }
    if (causes == 0) {
        output_name(job->out, job->name);
        output_printf(job->out, ": %s has no earlier cause\n", job->in->value[OPTION_why]);
    }
}

/* Prints how many findings --fix fixed; the remaining ones are reported. */
static void
write_cured(struct job *job, uint32_t before, uint32_t after)
{
    uint32_t cured = before > after ? before - after : 0;
    if (job->in->value[OPTION_quiet] != NULL || job->in->value[OPTION_diff] != NULL)
        return;
    output_name(job->err, job->name);
    if (before == 0)
        output_puts(job->err, ": nothing to fix\n");
    else
        output_printf(job->err, ": fixed %u of %u finding%s\n", cured, before, plural(before));
}

/* Handles the result of linting a text; *result may become that of the fixed text. */
static void
finish(struct job *job, const struct jx_lint_options *how, jx_lint_result **result)
{
    if (how->why != NULL) {
        write_why(job, *result);
        return;
    }
    if (job->in->value[OPTION_fix] != NULL || job->in->value[OPTION_diff] != NULL) {
        struct output text = {.fd = -1};
        uint32_t before = jx_lint_findings(*result);
        if (fix_text(job, how, result, &text)) {
            write_fixed(job, &text);
            write_cured(job, before, jx_lint_findings(*result));
        }
        output_free(&text);
    }
    if (how->keys)
        check_status(job, jx_write_baseline(*result, output_write, job->out));
    uint32_t findings = how->keys ? 0 : jx_lint_findings(*result), others = jx_diagnostic_count(job->module, JX_NOTE);
    if (how->config != NULL && !how->keys)
        check_status(job, jx_contract_check(job->module, how->config, how->config_path));
    findings += jx_diagnostic_count(job->module, JX_NOTE) - others;
    if (findings > 0 && job->status < EXIT_FINDINGS)
        job->status = EXIT_FINDINGS;
}

static void
lint(struct job *job, jx_config *config, const char *config_path)
{
    struct jx_lint_options how;
    jx_lint_result *result;
    lint_options(job, &how, config, config_path);
    if (!check_status(job, jx_lint(job->module, &how, &result)))
        return;
    finish(job, &how, &result);
    jx_lint_free(result);
}

static void
work(struct job *job)
{
    char *relative;
    jx_config *config = config_for(job->in, job->path, &relative);
    lint(job, config, relative);
    free(relative);
}

/* Reads a whole file; reports failures. */
static bool
read_baseline(const char *path, struct input *baseline)
{
    struct source source = {.fd = -1};
    source.keep = true;
    char scratch[4096];
    bool fine = source_open(&source, path);
    for (ptrdiff_t got = 1; fine && got > 0;)
        fine = (got = source_read(&source, scratch, sizeof scratch)) >= 0;
    if (!fine) {
        complain("%s: %s", path, source_why(&source));
    } else {
        *baseline = source.kept;
        source.kept = (struct input){NULL, 0};
    }
    source_close(&source);
    return fine;
}

/* Writes what was printed to a baseline that did not exist; returns the exit status. */
static int
write_new_baseline(const char *path, int status)
{
    const char *why = status == EXIT_TROUBLE ? NULL : file_make(path, standard_output.at, standard_output.n);
    output_free(&standard_output);
    standard_output.fd = STDOUT_FILENO;
    if (why == NULL)
        return status;
    complain("%s: %s", path, why);
    return EXIT_TROUBLE;
}

static bool
validator(const struct invocation *in)
{
    char message[256];
    struct jx_lint_options how = rule_options(in);
    if (jx_lint_validate(&how, message, sizeof message))
        return true;
    complain("%s", message);
    return false;
}

/* Prints how many rules ran, if they were not selected and output is for people. */
static void
write_rules(const struct invocation *in)
{
    static const enum option_id selecting[] = {OPTION_select,         OPTION_extend_select, OPTION_ignore,
                                               OPTION_write_baseline, OPTION_why,           OPTION_quiet,
                                               OPTION_format};
    const char *path;
    struct jx_rule rule;
    uint32_t n = 0, standard = 0, fixable = 0;
    for (size_t i = 0; i < sizeof selecting / sizeof *selecting; i++)
        if (in->value[selecting[i]] != NULL)
            return;
    if (config_at(in->configs, 0, &path) != NULL)
        return;
    for (; jx_rule_at(n, &rule); n++) {
        standard += rule.standard;
        fixable += rule.fixable && !rule.standard;
    }
    output_flush(&standard_output);
    output_printf(&standard_error, "%u of %u rules ran; --extend-select=PEDANTIC adds the other %u", standard, n,
                  n - standard);
    if (in->value[OPTION_fix] != NULL)
        output_printf(&standard_error, "; of these, --fix can fix what %u report", fixable);
    output_puts(&standard_error, "\n");
}

int
command_lint(const struct invocation *given)
{
    struct invocation in = *given;
    struct input baseline = {"", 0};
    bool fixing = in.value[OPTION_fix] != NULL || in.value[OPTION_diff] != NULL;
    const char *path = in.value[OPTION_baseline];
    bool made = /* it does not exist yet */
        in.value[OPTION_write_baseline] != NULL && path != NULL && access(path, F_OK) != 0;
    if (path != NULL && !made && !read_baseline(path, &baseline))
        return EXIT_TROUBLE;
    in.data = &baseline;
    bool fine = validator(&in);
    bool filters = fixing || in.value[OPTION_write_baseline] != NULL;
    bool extract = in.value[OPTION_extract] != NULL;
    if (extract && (filters || in.value[OPTION_why] != NULL)) {
        complain("--extract cannot be used with --fix, --diff, --write-baseline or --why");
        fine = false;
    }
    struct output *findings = in.value[OPTION_why] != NULL ? NULL : filters ? &standard_error : &standard_output;
    struct configs configs = {0};
    int status = EXIT_TROUBLE;
    if (made)
        standard_output.fd = -1; /* it is written below, complete */
    if (fine && configs_load(&in, &configs)) {
        in.configs = &configs;
        status = extract ? batch_extract(&in, work, NULL, findings) : batch_run(&in, work, fixing, NULL, findings);
        if (status != EXIT_TROUBLE)
            write_rules(&in);
    }
    configs_free(&configs);
    if (made)
        status = write_new_baseline(path, status);
    if (path != NULL && !made)
        free(baseline.at);
    return status;
}
