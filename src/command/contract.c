/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr contract: `check` checks programs against the contracts of their .jaxpr.yaml, `init` writes one from the
 * current programs, `update` updates the recorded values and prints what changed. */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

/* Reports a failure; true if there was none. */
static bool
done(struct job *job, enum jx_status status)
{
    if (status == JX_OK || status == JX_WRITE_FAILED)
        return status == JX_OK;
    job_fail(job, jx_status_text(status));
    return false;
}

/* The configuration of a job's file; reports a missing one. */
static jx_config *
must_find_config(struct job *job, char **relative)
{
    jx_config *config = config_for(job->in, job->path, relative);
    if (config == NULL) {
        output_complain(
            job->err,
            "%s: no .jaxpr.yaml in its directory or above; `jaxpr contract init FILE > .jaxpr.yaml` creates one",
            job->name);
        job->status = EXIT_TROUBLE;
    }
    return config;
}

static void
work_check(struct job *job)
{
    char *relative;
    jx_config *config = must_find_config(job, &relative);
    if (config != NULL && done(job, jx_contract_cover(job->module, config, relative)))
        done(job, jx_contract_check(job->module, config, relative));
    free(relative);
}

/* ---- init ---- */

static void
work_init(struct job *job)
{
    const char *path = job->name;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    bool *first = (bool *)job->in->data;
    done(job,
         jx_contract_write(job->module, path, job->in->value[OPTION_counts] != NULL, first, output_write, job->out));
}

static int
run_init(struct invocation *in)
{
    bool first = true;
    in->data = &first;
    in->value[OPTION_jobs] = NULL; /* the items of one list are in the order of the files */
    return batch_run(in, work_init, false, NULL, &standard_error);
}

/* ---- update ---- */

static void
work_refresh(struct job *job)
{
    char *relative;
    const char *path;
    jx_refresh *const *refreshes = job->in->data;
    jx_config *config = must_find_config(job, &relative);
    for (int i = 0; config != NULL && config_at(job->in->configs, i, &path) != NULL; i++)
        if (config_at(job->in->configs, i, &path) == config)
            done(job, jx_refresh_add(refreshes[i], job->module, relative));
    free(relative);
}

/* Prints changes and conflicts on standard output, or, for a diff, only conflicts on standard error; true if there
 * is a change to write. */
static bool
print_changes(jx_refresh *refresh, const char *path, bool diff, int *status)
{
    struct output *out = diff ? &standard_error : &standard_output;
    struct jx_contract_change c;
    bool changed = false;
    for (uint32_t i = 0; jx_refresh_change_at(refresh, i, &c); i++) {
        bool conflict = c.other.n > 0;
        changed |= !conflict;
        if (diff && !conflict)
            continue;
        output_name(out, path);
        output_printf(out, ":%u: ", (unsigned)c.place.line);
        output_shown(out, c.key.at, c.key.n);
        output_puts(out, ": ");
        output_shown(out, c.was.at, c.was.n);
        output_puts(out, " -> ");
        output_shown(out, c.now.at, c.now.n);
        if (conflict) {
            output_puts(out, " or ");
            output_shown(out, c.other.at, c.other.n);
            output_puts(out, ": the programs that it applies to differ; not updated");
            *status = EXIT_FINDINGS;
        }
        output_puts(out, "\n");
    }
    return changed;
}

/* Prints what changed in a configuration, and writes it, or with --diff shows what would be written. */
static int
update_config(const struct invocation *in, jx_refresh *refresh, const char *path, const struct stat *was)
{
    int status = EXIT_CLEAN;
    struct output text = {.fd = -1};
    bool diff = in->value[OPTION_diff] != NULL;
    if (!print_changes(refresh, path, diff, &status))
        return status;
    enum jx_status written = jx_refresh_write(refresh, output_write, &text);
    const char *why = NULL;
    if (written != JX_OK) {
        complain("%s: %s", path, jx_status_text(written));
        status = EXIT_TROUBLE;
    } else if (diff) {
        struct source source = {.keep = true};
        char scratch[4096];
        bool open = source_open(&source, path);
        while (open && source_read(&source, scratch, sizeof scratch) > 0)
            ;
        if (open && unified_diff(&standard_output, path, path, source.kept, (struct input){text.at, text.n}))
            status = EXIT_FINDINGS;
        why = source.error != 0 ? source_why(&source) : NULL;
        source_close(&source);
    } else {
        why = file_replace(path, was, text.at, text.n);
    }
    if (why != NULL) {
        complain("%s: %s", path, why);
        status = EXIT_TROUBLE;
    }
    output_free(&text);
    return status;
}

static int
run_update(struct invocation *in)
{
    in->value[OPTION_jobs] = NULL; /* one thread collects what a configuration records */
    const char *path;
    jx_config *config;
    int n = 0, status = EXIT_CLEAN;
    while (config_at(in->configs, n, &path) != NULL)
        n++;
    jx_refresh **refreshes = must_allocate((size_t)(n + 1) * sizeof(jx_refresh *));
    for (int i = 0; i < n && (config = config_at(in->configs, i, &path)) != NULL; i++) {
        enum jx_status begun = jx_refresh_begin(config, &refreshes[i]);
        if (begun != JX_OK) {
            complain("%s: %s", path, jx_status_text(begun));
            status = EXIT_TROUBLE;
        }
    }
    in->data = refreshes;
    status = status == EXIT_CLEAN ? batch_run(in, work_refresh, false, NULL, &standard_error) : status;
    for (int i = 0; i < n; i++) {
        int one = status == EXIT_TROUBLE || config_at(in->configs, i, &path) == NULL
                      ? EXIT_CLEAN
                      : update_config(in, refreshes[i], path, config_was(in->configs, i));
        status = one > status ? one : status;
        jx_refresh_free(refreshes[i]);
    }
    free(refreshes);
    return status;
}

static int
run_check(struct invocation *in)
{
    return batch_run(in, work_check, false, NULL, &standard_output);
}

int
command_contract(const struct invocation *given)
{
    static const struct {
        const char *name;
        int (*run)(struct invocation *in);
        bool held; /* needs configurations */
    } actions[] = {{"check", run_check, true}, {"init", run_init, false}, {"update", run_update, true}};
    struct invocation in = *given;
    struct configs configs;
    size_t i = 0, n = sizeof actions / sizeof *actions;
    if (given->files == given->no_files) {
        complain("contract: expected check, init or update; try `jaxpr contract --help`");
        return EXIT_TROUBLE;
    }
    while (i < n && strcmp(in.files[0], actions[i].name) != 0)
        i++;
    if (i == n) {
        complain("contract: expected check, init or update, got `%s`", in.files[0]);
        return EXIT_TROUBLE;
    }
    in.files++;
    in.n_files--;
    if (in.n_files == 0) {
        static char dash[] = "-";
        in.no_files[0] = dash;
        in.files = in.no_files;
        in.n_files = 1;
    }
    if (in.value[OPTION_counts] != NULL && actions[i].run != run_init) {
        complain("contract %s: `--counts` is an option of `contract init`", actions[i].name);
        return EXIT_TROUBLE;
    }
    if (in.value[OPTION_diff] != NULL && actions[i].run != run_update) {
        complain("contract %s: `--diff` is an option of `contract update`", actions[i].name);
        return EXIT_TROUBLE;
    }
    if (!actions[i].held)
        return actions[i].run(&in);
    int status = EXIT_TROUBLE;
    if (configs_load(&in, &configs)) {
        in.configs = &configs;
        status = actions[i].run(&in);
    }
    configs_free(&configs);
    return status;
}
