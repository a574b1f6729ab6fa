/* SPDX-License-Identifier: Apache-2.0
 *
 * Files, one after another or in parallel. Each thread has a context of its own; the output of a job is printed
 * after that of every earlier file, so that it does not depend on timing. Threads are at most WINDOW files ahead of
 * the printing, which bounds memory. Findings are added to one report as jobs print, so that no module outlives its
 * job. */
#include "command/command.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 256 };

struct batch {
    const struct invocation *in;
    void (*work)(struct job *);
    struct job *jobs;
    bool keep_bytes;
    bool extract; /* extract programs from the files */
    bool parallel;
    int threads; /* how many all jobs may use together */
    int n;
    int next, printed; /* the next job to start; how many jobs were printed */
    bool stop;         /* standard output was closed */
    const char *separator;
    struct output *findings; /* where the findings are rendered; NULL: nowhere */
    jx_context *context;     /* of the report */
    jx_report *report;
    bool printing;         /* a thread prints */
    bool waiting_to_print; /* a thread waits for earlier jobs to print */
    pthread_mutex_t lock;
    pthread_cond_t room;
};

static void
raise_status(struct job *job, int status)
{
    job->status = status > job->status ? status : job->status;
}

void
job_fail(struct job *job, const char *why)
{
    output_complain(job->err, "%s: %s", job->name, why);
    raise_status(job, EXIT_TROUBLE);
}

/* in the order of enum jx_render_format */
static const char *const format_words[] = {"text", "gcc", "json", "sarif", "github", "gitlab", "junit", "jsonl"};

enum { FORMATS = sizeof format_words / sizeof *format_words };

/* The module whose findings are rendered: the rewritten one, if there is one. */
static jx_module *
findings_of(const struct job *job)
{
    return job->rewrite != NULL ? jx_rewrite_module(job->rewrite) : job->module;
}

/* Adds the findings of a module to the report. */
static void
report_module(struct batch *b, struct job *job, jx_module *module)
{
    enum jx_status status = b->report != NULL ? jx_report_add(b->report, module) : JX_OK;
    if (status != JX_OK && status != JX_WRITE_FAILED) {
        complain("%s", jx_status_text(status));
        raise_status(job, EXIT_TROUBLE);
    }
}

/* Adds the findings of a finished job to the report, and frees what it read. */
static void
report_job(struct batch *b, struct job *job)
{
    for (size_t i = 0; i < job->n_kept; i++) {
        report_module(b, job, job->kept[i]);
        jx_module_free(job->kept[i]);
    }
    if (job->module != NULL)
        report_module(b, job, findings_of(job));
    free(job->kept);
    jx_context_free(job->context);
    job->context = NULL;
    job->module = NULL;
    job->rewrite = NULL;
    job->kept = NULL;
    job->n_kept = 0;
}

static void
read_failed(struct job *job, enum jx_status status)
{
    const char *why = status == JX_READ_FAILED ? source_why(&job->source) : jx_status_text(status);
    bool directory = status == JX_READ_FAILED && job->source.error == EISDIR && job->in->verb != VERB_eq;
    if (directory)
        why = "is a directory without files named *.jaxpr or *.jaxpr.* (--extract reads all files)";
    output_complain(job->err, "%s: %s", job->name, why);
    raise_status(job, EXIT_TROUBLE);
}

/* Calls the verb for job->module; an error in it is a finding for the exit status. */
static void
work_on_module(struct batch *b, struct job *job)
{
    b->work(job);
    if (jx_diagnostic_count(findings_of(job), JX_ERROR) > 0)
        raise_status(job, EXIT_FINDINGS);
}

/* True if the report needs the module of a job. */
static bool
reports(const struct batch *b, const struct job *job)
{
    return b->report != NULL && (jx_diagnostic_count(findings_of(job), JX_NOTE) > 0 ||
                                 option_word(b->in, OPTION_format, format_words, FORMATS) == JX_RENDER_JUNIT);
}

/* Reports and frees a program's module; a parallel job keeps one with findings until its turn to print. */
static void
pass_module(struct batch *b, struct job *job)
{
    if (!b->parallel) {
        report_module(b, job, job->module);
        jx_module_free(job->module);
    } else if (reports(b, job)) {
        if ((job->n_kept & (job->n_kept - 1)) == 0)
            job->kept = must_resize(job->kept, (job->n_kept > 0 ? 2 * job->n_kept : 1) * sizeof *job->kept);
        job->kept[job->n_kept++] = job->module;
    } else {
        jx_module_free(job->module);
    }
    job->module = NULL;
}

/* Finds the programs in the job's file, one after another. */
static void
extract_all(struct batch *b, struct job *job)
{
    enum jx_status status = JX_READ_FAILED;
    if (source_open(&job->source, job->path)) {
        jx_extract *extract;
        status = jx_extract_begin(job->context, job->name, source_read, &job->source, &extract);
        while (status == JX_OK && job->out->error == 0) {
            status = jx_extract_next(extract, &job->module, &job->found);
            if (status != JX_OK || job->module == NULL)
                break;
            work_on_module(b, job);
            pass_module(b, job);
        }
        jx_extract_end(extract);
    }
    if (status != JX_OK)
        read_failed(job, status);
}

static enum jx_status
read_signatures(struct job *job)
{
    enum jx_status status =
        jx_read_signatures(job->context, job->name, source_read, &job->source, job->source.expected, &job->signatures);
    job->module = jx_signatures_module(job->signatures);
    return status;
}

/* source_read, timed as a phase of its own. */
static ptrdiff_t
read_timed(void *arg, char *into, size_t room)
{
    struct job *job = arg;
    double begun = timing_clock();
    ptrdiff_t got = source_read(&job->source, into, room);
    job->timing.seconds[TIMING_FETCH] += timing_clock() - begun;
    return got;
}

/* Runs jx_read_from and the verb, measuring the time. */
static enum jx_status
read_and_work_timed(struct batch *b, struct job *job)
{
    double *seconds = job->timing.seconds, begun = timing_clock();
    enum jx_status status = jx_read_from(job->context, job->name, read_timed, job, job->source.expected, &job->module);
    double read = timing_clock();
    seconds[TIMING_READ] = read - begun - seconds[TIMING_FETCH];
    if (status != JX_OK)
        return status;
    work_on_module(b, job);
    seconds[TIMING_CHECK] = timing_clock() - read;
    timing_count(&job->timing, job->module, job->source.kept.at, job->source.kept.n);
    return JX_OK;
}

/* Reads the job's file whole. */
static void
read_all(struct batch *b, struct job *job)
{
    enum jx_status status = JX_READ_FAILED;
    bool signatures = b->in->verb == VERB_sig && b->in->value[OPTION_read] != NULL;
    bool timed = b->in->value[OPTION_timing] != NULL;
    job->source.keep = b->keep_bytes || timed;
    if (source_open(&job->source, job->path) && signatures)
        status = read_signatures(job);
    else if (job->source.error == 0 && timed)
        status = read_and_work_timed(b, job);
    else if (job->source.error == 0)
        status = jx_read_from(job->context, job->name, source_read, &job->source, job->source.expected, &job->module);
    if (status == JX_OK && !timed)
        work_on_module(b, job);
    else if (status != JX_OK)
        read_failed(job, status);
}

/* Runs a job in a context of its own, which report_job frees. */
static void
run_job(struct batch *b, struct job *job)
{
    job->in = b->in;
    job->name = input_name(b->in, job->path);
    job->context = context_make(b->in);
    job->source.threads = b->threads / b->n;
    if (job->source.threads > 1 && threads_set(job->context, job->source.threads) != JX_OK)
        job_fail(job, jx_misuse_text(job->context));
    if (b->extract)
        extract_all(b, job);
    else
        read_all(b, job);
    source_close(&job->source);
    if (b->parallel && job->n_kept == 0 && (job->module == NULL || !reports(b, job))) {
        jx_context_free(job->context); /* by the thread that owns its memory */
        job->context = NULL;
        job->module = NULL;
    }
}

static void
run_in_order(struct batch *b)
{
    for (int i = 0; i < b->n && standard_output.error == 0; i++) {
        struct job *job = &b->jobs[i];
        job->out = &standard_output;
        job->err = &standard_error;
        standard_output.separator = standard_output.used ? b->separator : NULL;
        run_job(b, job);
        standard_output.separator = NULL;
        report_job(b, job);
        if (standard_error.n > 0)
            output_flush(&standard_output);
        output_flush(&standard_error);
    }
}

/* Prints what a job printed. */
static void
print_job(struct batch *b, struct job *job)
{
    standard_output.separator = standard_output.used ? b->separator : NULL;
    output_write(&standard_output, job->own_out.at, job->own_out.n);
    standard_output.separator = NULL;
    if (job->own_err.n > 0) {
        output_flush(&standard_output);
        output_write(&standard_error, job->own_err.at, job->own_err.n);
        output_flush(&standard_error);
    }
    report_job(b, job);
    output_free(&job->own_out);
    output_free(&job->own_err);
}

/* Prints, in order, the jobs that are done, while other threads go on; called with the lock, unless another thread
 * does so. No thread waits to print: to wake one for each of many short jobs is expensive. */
static void
print_done(struct batch *b)
{
    b->printing = true;
    while (!b->stop && b->printed < b->n && b->jobs[b->printed].done) {
        pthread_mutex_unlock(&b->lock);
        print_job(b, &b->jobs[b->printed]);
        pthread_mutex_lock(&b->lock);
        b->printed++;
        b->stop = standard_output.error != 0;
        if (b->stop || (b->waiting_to_print && b->next - b->printed <= WINDOW / 2)) {
            b->waiting_to_print = false;
            pthread_cond_broadcast(&b->room);
        }
    }
    b->printing = false;
}

static void *
worker_main(void *arg)
{
    struct batch *b = arg;
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (!b->stop && b->next < b->n && b->next >= b->printed + WINDOW) {
            b->waiting_to_print = true;
            pthread_cond_wait(&b->room, &b->lock);
        }
        if (b->stop || b->next == b->n)
            break;
        struct job *job = &b->jobs[b->next++];
        pthread_mutex_unlock(&b->lock);
        job->own_out.fd = job->own_err.fd = -1;
        job->out = &job->own_out;
        job->err = &job->own_err;
        run_job(b, job);
        pthread_mutex_lock(&b->lock);
        job->done = true;
        if (!b->printing)
            print_done(b);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Runs the jobs on n threads, of which this is one; fewer if no more can be started. */
static void
run_side_by_side(struct batch *b, int n)
{
    int started = 0;
    pthread_t *threads = must_allocate((size_t)n * sizeof *threads);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->room, NULL);
    while (started + 1 < n && pthread_create(&threads[started], NULL, worker_main, b) == 0)
        started++;
    worker_main(b);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->room);
    free(threads);
}

/* Reports what is wrong with the options that all batches share; true if they are valid. */
static bool
options_check(const struct invocation *in)
{
    static const char *const when[] = {"auto", "always", "never"};
    return option_word(in, OPTION_format, format_words, FORMATS) >= 0 && option_word(in, OPTION_color, when, 3) >= 0;
}

static void
begin_report(struct batch *b)
{
    const bool rules = b->in->verb == VERB_lint || b->in->verb == VERB_contract;
    struct jx_render_options how = {
        .size = sizeof how,
        .format = (enum jx_render_format)option_word(b->in, OPTION_format, format_words, FORMATS),
        .color = color_wanted(b->in, b->findings->fd),
        .max_findings = option_number(b->in, OPTION_max_findings, 0),
        .rules_fail = b->in->verb == VERB_lint, /* they make the exit status 1, too */
        .fold = rules && b->in->value[OPTION_max_findings] == NULL ? 10 : 0,
        .link = b->in->value[OPTION_link],
    };
    b->context = context_make(b->in);
    bool styled = how.color && how.format == JX_RENDER_TEXT;
    if (jx_report_begin(b->context, &how, output_writer(styled), b->findings, &b->report) != JX_OK)
        b->report = NULL; /* end_report reports it */
}

/* Closes the report; returns `status`, or EXIT_TROUBLE if that fails. */
static int
end_report(struct batch *b, int status)
{
    enum jx_status ended = b->report != NULL ? jx_report_end(b->report) : JX_OUT_OF_MEMORY;
    if (ended != JX_OK && ended != JX_WRITE_FAILED) {
        complain("%s", jx_status_text(ended));
        status = EXIT_TROUBLE;
    }
    jx_context_free(b->context);
    return status;
}

/* Reports errors in the configurations; returns `status`, or that of the errors if it is worse. */
static int
report_configs(struct batch *b, int status)
{
    const struct configs *all = b->in->configs;
    const char *path;
    jx_config *config;
    for (int i = 0; all != NULL && (config = config_at(all, i, &path)) != NULL; i++) {
        enum jx_status done = all->broken ? JX_OK : jx_contract_report_unused(config);
        if (done == JX_OK && b->report != NULL && jx_diagnostic_count(jx_config_module(config), JX_NOTE) > 0)
            done = jx_report_add(b->report, jx_config_module(config));
        if (done != JX_OK && done != JX_WRITE_FAILED)
            complain("%s: %s", path, jx_status_text(done));
        enum jx_level least = b->in->verb == VERB_lint ? JX_NOTE : JX_ERROR; /* as for programs */
        int one = jx_diagnostic_count(jx_config_module(config), least) == 0 ? EXIT_CLEAN
                  : all->broken                                             ? EXIT_TROUBLE
                                                                            : EXIT_FINDINGS;
        one = done != JX_OK ? EXIT_TROUBLE : one;
        status = one > status ? one : status;
    }
    return status;
}

/* Runs a batch whose members that are arguments of batch_run are set. */
static int
run(struct batch *b)
{
    const struct invocation *in = b->in;
    if (!options_check(in))
        return EXIT_TROUBLE;
    b->n = in->n_files;
    if (in->configs != NULL && in->configs->broken)
        b->n = 0; /* what they ask for is unknown: nothing is read */
    b->jobs = must_allocate((size_t)b->n * sizeof *b->jobs);
    memset(b->jobs, 0, (size_t)b->n * sizeof *b->jobs);
    for (int i = 0; i < b->n; i++)
        b->jobs[i].path = in->files[i];
    if (in->value[OPTION_quiet] != NULL)
        b->findings = NULL;
    if (b->findings != NULL)
        begin_report(b);
    b->threads = threads_wanted(in);
    b->parallel = b->threads > 1 && b->n > 1;
    if (b->parallel)
        run_side_by_side(b, b->threads < b->n ? b->threads : b->n);
    else
        run_in_order(b);
    int status = EXIT_CLEAN;
    struct unverified unverified = {.equations = 0};
    struct timing timing = {.bytes = 0};
    for (int i = 0; i < b->n; i++) {
        unverified_merge(&unverified, &b->jobs[i].unverified);
        timing_merge(&timing, &b->jobs[i].timing);
        status = b->jobs[i].status > status ? b->jobs[i].status : status;
        output_free(&b->jobs[i].own_out); /* of jobs that were never printed */
        output_free(&b->jobs[i].own_err);
        free(b->jobs[i].kept);
        jx_context_free(b->jobs[i].context);
    }
    status = report_configs(b, status);
    if (b->findings != NULL)
        status = end_report(b, status);
    unverified_print(&unverified, in->value[OPTION_quiet] != NULL);
    if (in->value[OPTION_timing] != NULL)
        timing_print(&timing);
    free(b->jobs);
    return status;
}

int
batch_run(const struct invocation *in, void (*work)(struct job *), bool keep_bytes, const char *separator,
          struct output *findings)
{
    return run(&(struct batch){
        .in = in, .work = work, .keep_bytes = keep_bytes, .separator = separator, .findings = findings});
}

int
batch_run_json(const struct invocation *in, void (*work)(struct job *))
{
    output_puts(&standard_output, "[\n");
    standard_output.used = false;
    int status = batch_run(in, work, false, ",\n", &standard_error);
    output_puts(&standard_output, standard_output.used ? "\n]\n" : "]\n");
    return status;
}

int
batch_extract(const struct invocation *in, void (*work)(struct job *), const char *separator, struct output *findings)
{
    return run(&(struct batch){.in = in, .work = work, .extract = true, .separator = separator, .findings = findings});
}
