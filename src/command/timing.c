/* SPDX-License-Identifier: Apache-2.0
 *
 * check --timing: how long each phase took, and how much text it processed. The counting itself is not timed. */
#include "command/command.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char *const phases[TIMING_PHASES] = {"fetch", "read", "verify"};

double
timing_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t
count_tokens(struct jx_string line)
{
    struct jx_word word;
    size_t at = 0;
    uint64_t n = 0;
    while (jx_word_next(line, &at, &word))
        n += *word.kind != 0;
    return n;
}

void
timing_count(struct timing *t, jx_module *module, const char *bytes, size_t n)
{
    const char *end = bytes + n;
    struct jx_equation equation;
    t->bytes += n;
    for (const char *p = bytes, *next; p < end; p = next) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        next = newline != NULL ? newline + 1 : end;
        t->lines++;
        t->tokens += count_tokens((struct jx_string){p, (size_t)(next - p)});
    }
    for (uint32_t i = 0; jx_equation_at(module, i, &equation); i++)
        t->equations++;
}

void
timing_merge(struct timing *all, const struct timing *of)
{
    for (int i = 0; i < TIMING_PHASES; i++)
        all->seconds[i] += of->seconds[i];
    all->bytes += of->bytes;
    all->lines += of->lines;
    all->tokens += of->tokens;
    all->equations += of->equations;
}

/* a rate in millions per second */
static double
rate(uint64_t n, double seconds)
{
    return seconds > 0 ? (double)n / seconds / 1e6 : 0;
}

static void
print_row(const struct timing *t, const char *phase, double seconds)
{
    output_printf(&standard_error, "%-6s%10.2f%10.1f%10.2f%10.2f%10.2f\n", phase, 1000 * seconds,
                  rate(t->bytes, seconds), rate(t->lines, seconds), rate(t->tokens, seconds),
                  rate(t->equations, seconds));
}

void
timing_print(const struct timing *t)
{
    double all = 0;
    output_flush(&standard_output);
    output_printf(&standard_error,
                  "%" PRIu64 " byte%s, %" PRIu64 " line%s, %" PRIu64 " token%s, %" PRIu64 " equation%s\n", t->bytes,
                  plural(t->bytes), t->lines, plural(t->lines), t->tokens, plural(t->tokens), t->equations,
                  plural(t->equations));
    output_puts(&standard_error, "phase         ms      MB/s  Mlines/s Mtokens/s   Meqns/s\n");
    for (int i = 0; i < TIMING_PHASES; i++) {
        print_row(t, phases[i], t->seconds[i]);
        all += t->seconds[i];
    }
    print_row(t, "all", all);
    output_flush(&standard_error);
}
