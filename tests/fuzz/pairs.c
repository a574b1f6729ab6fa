/* SPDX-License-Identifier: Apache-2.0
 *
 * Two ways to compute the same: fast paths are compared with the general code, and digests with the canonical text. */
#include "target.h"

#include <stdlib.h>
#include <string.h>

/* ---- fast: without the fast paths every text has the same program, layout and findings ---- */

/* the program as JSON, the layout and the findings of a text, concatenated */
static struct written
answers(const char *bytes, size_t n, bool no_fast_path)
{
    struct written out = {0};
    bool first = true;
    struct jx_parse_options how = {.size = sizeof how, .no_fast_path = no_fast_path};
    struct jx_format_options layout = {.size = sizeof layout};
    jx_context *context = must_make_context();
    must_be_ok(jx_set_parse_options(context, &how), "set_parse_options");
    jx_module *module = must_read(context, bytes, n);
    must_be_ok(jx_write_json(module, &first, keep_written, &out), "json");
    must_be_ok(jx_format(module, &layout, keep_written, &out), "format");
    must_be_ok(jx_check(module, NULL), "check");
    render(context, module, JX_RENDER_JSONL, &out);
    jx_context_free(context);
    return out;
}

void
target_fast(const char *bytes, size_t n)
{
    struct written fast = answers(bytes, n, false), general = answers(bytes, n, true);
    must_equal("fast paths and general code have the same results", &general, &fast);
    free(fast.at);
    free(general.at);
}

/* ---- equal: two programs have equal digests exactly if their canonical texts are equal; these keep the digest ---- */

/* returns the canonical text; *programs is the number of programs, 0 if check has warnings or errors */
static struct written
canonical(const char *bytes, size_t n, uint32_t *programs)
{
    struct written out = {0};
    struct jx_normal_options how = {.size = sizeof how};
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    must_be_ok(jx_normalize(module, &how, keep_written, &out, NULL), "normalize");
    *programs = jx_program_count(module);
    jx_context_free(context);
    module = must_read(context = must_make_context(), bytes, n);
    must_be_ok(jx_check(module, NULL), "check");
    /* a text without some parameter may be taken for that of another version */
    if (jx_diagnostic_count(module, JX_WARNING) > 0)
        *programs = 0;
    jx_context_free(context);
    return out;
}

static bool
is_doubled(const struct written *w)
{
    return w->n % 2 == 0 && (w->n == 0 || memcmp(w->at, w->at + w->n / 2, w->n / 2) == 0);
}

void
target_equal(const char *bytes, size_t n)
{
    uint32_t programs, errors;
    struct jx_compare_options how = {.size = sizeof how};
    struct written text = canonical(bytes, n, &programs);
    if (programs > 0 && can_be_laid_out(bytes, n)) {
        struct written before = digests(bytes, n, &how, &errors), after = digests(text.at, text.n, &how, &errors);
        must_equal("the canonical form keeps the digests", &before, &after);
        if (programs == 2 && is_doubled(&before) != is_doubled(&text))
            broken_promise("digests are equal exactly if the canonical texts are", text.at, text.n);
        free(before.at);
        free(after.at);
    }
    free(text.at);
}
