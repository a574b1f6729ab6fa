/* SPDX-License-Identifier: Apache-2.0
 *
 * Files, one after another or side by side. Each thread has a context of its own; what a job prints waits until every
 * earlier file has printed, so output never depends on who was faster. Threads stay at most WINDOW files ahead of the
 * printing, which bounds what waits. Modules with findings live until the end, where one call renders them all. */
#include "command/command.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 256, MOST_THREADS = 256 };

struct batch {
    const struct invocation *in;
    void (*work)(struct job *);
    struct job *jobs;
    bool keep_bytes;
    int n;
    int next, printed; /* the next job to start, and how many have printed */
    bool stop;         /* standard output is gone */
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void
raise_status(struct job *job, int status)
{
    job->status = status > job->status ? status : job->status;
}

/* Reads the job's file and does the verb's work on it. */
static void
run_job(const struct batch *b, struct job *job, jx_context *context)
{
    job->in = b->in;
    job->context = context;
    const char *stdin_name = b->in->value[OPTION_stdin_filename];
    job->name = strcmp(job->path, "-") != 0 ? job->path : stdin_name != NULL ? stdin_name : "<stdin>";
    enum jx_status status = JX_READ_FAILED;
    job->source.keep = b->keep_bytes;
    if (source_open(&job->source, job->path))
        status = (b->in->verb == VERB_sig && b->in->value[OPTION_read] ? jx_read_signatures : jx_read_from)(context, job->name, source_read, &job->source, job->source.expected, &job->module);
    if (status == JX_OK) {
        b->work(job);
    } else {
        const char *why = status == JX_READ_FAILED ? strerror(job->source.error) : jx_status_text(status);
        output_printf(job->err, "jaxpr: %s: %s\n", job->name, why);
        raise_status(job, EXIT_TROUBLE);
    }
    if (job->module != NULL && jx_diagnostic_count(job->module, JX_ERROR) > 0)
        raise_status(job, EXIT_FINDINGS);
    job->keep = job->module != NULL && b->in->value[OPTION_quiet] == NULL &&
                jx_diagnostic_count(job->module, JX_NOTE) > 0;
    if (!job->keep) {
        jx_module_free(job->module);
        job->module = NULL;
    }
    source_close(&job->source);
}

static jx_context *
must_make_context(void)
{
    jx_context *context = jx_context_new(NULL);
    if (context == NULL) {
        complain("%s", jx_status_text(JX_OUT_OF_MEMORY));
        exit(output_finish(EXIT_TROUBLE));
    }
    return context;
}

static void
run_in_order(struct batch *b, jx_context *context, const char *separator)
{
    for (int i = 0; i < b->n && standard_output.error == 0; i++) {
        struct job *job = &b->jobs[i];
        job->out = &standard_output;
        job->err = &standard_error;
        standard_output.separator = standard_output.used ? separator : NULL;
        run_job(b, job, context);
        standard_output.separator = NULL;
        if (standard_error.n > 0)
            output_flush(&standard_output);
        output_flush(&standard_error);
    }
}

struct worker {
    struct batch *batch;
    jx_context *context;
    pthread_t thread;
};

static void *
worker_main(void *arg)
{
    struct worker *w = arg;
    struct batch *b = w->batch;
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (!b->stop && b->next < b->n && b->next >= b->printed + WINDOW)
            pthread_cond_wait(&b->changed, &b->lock);
        if (b->stop || b->next == b->n)
            break;
        struct job *job = &b->jobs[b->next++];
        pthread_mutex_unlock(&b->lock);
        job->own_out.fd = job->own_err.fd = -1;
        job->out = &job->own_out;
        job->err = &job->own_err;
        run_job(b, job, w->context);
        pthread_mutex_lock(&b->lock);
        job->done = true;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Prints what each job printed, in order, while the threads go on. */
static void
print_in_order(struct batch *b, const char *separator)
{
    pthread_mutex_lock(&b->lock);
    for (int i = 0; i < b->n && !b->stop; i++) {
        struct job *job = &b->jobs[i];
        while (!job->done)
            pthread_cond_wait(&b->changed, &b->lock);
        pthread_mutex_unlock(&b->lock);
        standard_output.separator = standard_output.used ? separator : NULL;
        output_write(&standard_output, job->own_out.at, job->own_out.n);
        standard_output.separator = NULL;
        if (job->own_err.n > 0) {
            output_flush(&standard_output);
            output_write(&standard_error, job->own_err.at, job->own_err.n);
            output_flush(&standard_error);
        }
        output_free(&job->own_out);
        output_free(&job->own_err);
        pthread_mutex_lock(&b->lock);
        b->printed = i + 1;
        b->stop = standard_output.error != 0;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
}

static void
run_side_by_side(struct batch *b, struct worker *workers, int n, const char *separator)
{
    int started = 0;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    while (started < n && pthread_create(&workers[started].thread, NULL, worker_main, &workers[started]) == 0)
        started++;
    if (started == 0) {
        run_in_order(b, workers[0].context, separator);
    } else {
        print_in_order(b, separator);
        for (int i = 0; i < started; i++)
            pthread_join(workers[i].thread, NULL);
    }
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->changed);
}

static const char *const format_words[] = {"text", "gcc", "json", "sarif", "github"};

/* Says what is wrong with the options that all batches share; true when nothing is. */
static bool
options_check(const struct invocation *in)
{
    static const char *const when[] = {"auto", "always", "never"};
    return option_word(in, OPTION_format, format_words, 5) >= 0 && option_word(in, OPTION_color, when, 3) >= 0;
}

/* Renders the findings of every module that was kept. JSON and SARIF documents are written even when they are empty. */
static void
render_findings(struct batch *b, jx_context *context, struct output *to)
{
    int format = option_word(b->in, OPTION_format, format_words, 5);
    jx_module **modules = must_allocate((size_t)b->n * sizeof *modules);
    size_t n = 0;
    for (int i = 0; i < b->n; i++)
        if (b->jobs[i].module != NULL)
            modules[n++] = b->jobs[i].module;
    bool document = format == JX_RENDER_JSON || format == JX_RENDER_SARIF;
    if (n > 0 || (document && b->in->value[OPTION_quiet] == NULL)) {
        struct jx_render_options how = {
            .size = sizeof how,
            .format = (enum jx_render_format)format,
            .color = color_wanted(b->in, to->fd),
            .max_findings = option_number(b->in, OPTION_max_findings, 0),
        };
        if (to != &standard_output)
            output_flush(&standard_output);
        enum jx_status status = jx_render(context, modules, n, &how, output_write, to);
        if (status != JX_OK && status != JX_WRITE_FAILED) {
            complain("%s", jx_status_text(status));
            raise_status(&b->jobs[0], EXIT_TROUBLE);
        }
    }
    free(modules);
}

int
batch_run(const struct invocation *in, void (*work)(struct job *), bool keep_bytes, const char *separator,
          struct output *findings)
{
    struct batch b = {.in = in, .work = work, .keep_bytes = keep_bytes, .n = in->n_files};
    if (!options_check(in))
        return EXIT_TROUBLE;
    b.jobs = must_allocate((size_t)b.n * sizeof *b.jobs);
    memset(b.jobs, 0, (size_t)b.n * sizeof *b.jobs);
    for (int i = 0; i < b.n; i++)
        b.jobs[i].path = in->files[i];
    uint32_t wanted = option_number(in, OPTION_jobs, 1);
    int threads = wanted < 1 ? 1 : wanted > MOST_THREADS ? MOST_THREADS : (int)wanted;
    threads = threads < b.n ? threads : b.n;
    struct worker *workers = must_allocate((size_t)threads * sizeof *workers);
    for (int i = 0; i < threads; i++)
        workers[i] = (struct worker){.batch = &b, .context = must_make_context()};
    if (threads > 1)
        run_side_by_side(&b, workers, threads, separator);
    else
        run_in_order(&b, workers[0].context, separator);
    if (findings != NULL)
        render_findings(&b, workers[0].context, findings);
    int status = EXIT_CLEAN;
    for (int i = 0; i < b.n; i++)
        status = b.jobs[i].status > status ? b.jobs[i].status : status;
    for (int i = 0; i < threads; i++)
        jx_context_free(workers[i].context);
    free(workers);
    free(b.jobs);
    return status == EXIT_FINDINGS && in->value[OPTION_exit_zero] != NULL ? EXIT_CLEAN : status;
}
