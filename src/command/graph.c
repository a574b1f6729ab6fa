/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr graph: programs in the language of Graphviz's dot. */
#include "command/command.h"

#include <string.h>

bool
job_read_other(struct job *job, const char *path, jx_module **other)
{
    struct source source = {0};
    enum jx_status status = JX_READ_FAILED;
    if (source_open(&source, path))
        status = jx_read_from(job->context, path, source_read, &source, source.expected, other);
    if (status != JX_OK)
        output_complain(job->err, "%s: %s", path,
                        status == JX_READ_FAILED ? source_why(&source) : jx_status_text(status));
    source_close(&source);
    if (status == JX_OK && jx_diagnostic_count(*other, JX_ERROR) > 0) {
        output_complain(job->err, "%s: has syntax errors; run `jaxpr check %s`", path, path);
        status = JX_READ_FAILED;
    }
    if (status != JX_OK)
        job->status = EXIT_TROUBLE;
    return status == JX_OK;
}

enum {
    NODES = 100,    /* the default limit of a graph */
    LAID_OUT = 2000 /* boxes and arrows that dot(1) lays out in some seconds */
};

/* Where a drawing goes, and how many lines it has: one for each box and each arrow. */
struct drawing {
    struct output *out;
    size_t lines;
};

static int
drawing_write(void *user, const char *bytes, size_t n)
{
    struct drawing *d = user;
    for (const char *p = bytes; (p = memchr(p, '\n', n - (size_t)(p - bytes))) != NULL; p++)
        d->lines++;
    return output_write(d->out, bytes, n);
}

static void
work(struct job *job)
{
    const struct invocation *in = job->in;
    struct jx_graph_options how = {
        .size = sizeof how,
        .depth = option_number(in, OPTION_depth, 0),
        .nodes = option_number(in, OPTION_nodes, NODES),
        .focus = in->value[OPTION_focus],
        .radius = option_number(in, OPTION_radius, 0),
    };
    bool found;
    if (in->value[OPTION_highlight_diff] != NULL && !job_read_other(job, in->value[OPTION_highlight_diff], &how.other))
        return;
    struct drawing drawing = {.out = job->out};
    enum jx_status status = jx_write_graph(job->module, &how, &found, drawing_write, &drawing);
    if (status != JX_OK && status != JX_WRITE_FAILED) {
        job_fail(job, jx_status_text(status));
    } else if (how.focus != NULL && !found) {
        output_complain(job->err, "%s: no variable `%s` in the programs that are drawn", job->name, how.focus);
        job->status = EXIT_FINDINGS;
    } else if (drawing.lines > LAID_OUT && in->value[OPTION_quiet] == NULL) {
        output_complain(job->err,
                        "%s: dot may take minutes for %zu boxes and arrows; --nodes, --depth and --focus draw fewer",
                        job->name, drawing.lines);
    }
}

int
command_graph(const struct invocation *in)
{
    if (in->value[OPTION_radius] != NULL && in->value[OPTION_focus] == NULL) {
        complain("--radius needs --focus");
        return EXIT_TROUBLE;
    }
    if (in->value[OPTION_radius] != NULL && option_number(in, OPTION_radius, 0) == 0) {
        complain("--radius must be at least 1");
        return EXIT_TROUBLE;
    }
    return batch_run(in, work, false, NULL, &standard_error);
}
