/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr stats: statistics of each program, for people or as one JSON array over all files. */
#include "command/command.h"

#include <inttypes.h>
#include <string.h>

static bool
as_json(const struct invocation *in)
{
    static const char *const words[] = {"text", "json"};
    return option_word(in, OPTION_layout, words, 2) == 1;
}

static void
write_json(struct job *job, uint32_t program, const jx_program_stats *stats, const struct jx_stats *s)
{
    struct output *o = job->out;
    output_puts(o, program > 0 ? ",\n{\"file\":" : "{\"file\":");
    output_json(o, job->name, strlen(job->name));
    output_printf(o, ",\"program\":%" PRIu32 ",\"primitives\":{", program);
    for (uint32_t i = 0; i < s->primitives; i++) {
        uint64_t count;
        struct jx_string name = jx_stats_primitive(stats, i, &count);
        output_puts(o, i > 0 ? "," : "");
        output_json(o, name.at, name.n);
        output_printf(o, ":%" PRIu64, count);
    }
    output_printf(o,
                  "},\"equations\":%" PRIu64 ",\"depth\":%" PRIu32 ",\"constants\":%" PRIu64
                  ",\"constant_bytes\":%" PRIu64 "}",
                  s->equations, s->depth, s->constants, s->constant_bytes);
}

static void
write_text(struct job *job, uint32_t program, const jx_program_stats *stats, const struct jx_stats *s)
{
    struct output *o = job->out;
    output_name(o, job->name);
    if (program > 0)
        output_printf(o, "#%" PRIu32, program + 1);
    output_printf(o, ": %" PRIu64 " equation%s, depth %" PRIu32 ", %" PRIu64 " constant%s of %" PRIu64 " byte%s\n",
                  s->equations, plural(s->equations), s->depth, s->constants, plural(s->constants), s->constant_bytes,
                  plural(s->constant_bytes));
    for (uint32_t i = 0; i < s->primitives; i++) {
        uint64_t count;
        struct jx_string name = jx_stats_primitive(stats, i, &count);
        output_printf(o, "%8" PRIu64 "  ", count);
        output_shown(o, name.at, name.n);
        output_puts(o, "\n");
    }
}

static void
count_work(struct job *job)
{
    bool json = as_json(job->in);
    uint32_t programs = jx_program_count(job->module);
    for (uint32_t i = 0; i < programs; i++) {
        jx_program_stats *stats;
        struct jx_stats counts;
        enum jx_status status = jx_stats(job->module, i, &stats);
        if (status != JX_OK) {
            job_fail(job, jx_status_text(status));
            return;
        }
        jx_stats_counts(stats, &counts);
        if (json)
            write_json(job, i, stats, &counts);
        else
            write_text(job, i, stats, &counts);
        jx_stats_free(stats);
    }
}

int
command_stats(const struct invocation *in)
{
    static const char *const words[] = {"text", "json"}, *const keys[] = {"primitive", "shape", "source"},
                             *const models[] = {"printed", "live"};
    int layout = option_word(in, OPTION_layout, words, 2);
    if (layout < 0 || option_word(in, OPTION_by, keys, 3) < 0 || option_word(in, OPTION_model, models, 2) < 0)
        return EXIT_TROUBLE;
    if (in->value[OPTION_cost] == NULL && (in->value[OPTION_by] != NULL || in->value[OPTION_model] != NULL)) {
        complain(in->value[OPTION_by] != NULL ? "--by needs --cost" : "--model needs --cost");
        return EXIT_TROUBLE;
    }
    void (*work)(struct job *) = in->value[OPTION_cost] != NULL ? cost_work : count_work;
    return layout == 0 ? batch_run(in, work, false, NULL, &standard_error) : batch_run_json(in, work);
}
