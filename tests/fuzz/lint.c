/* SPDX-License-Identifier: Apache-2.0
 *
 * The fuzz target of lint: with every rule enabled, any text is linted, every finding has a place, fixing ends, and
 * a correct program is still correct after its fixes. */
#include "target.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 100 };

/* Lints a text with every rule and its fixes; the module belongs to the context. */
static jx_module *
linted(jx_context *context, const char *bytes, size_t n, jx_lint_result **result)
{
    struct jx_lint_options how = {.size = sizeof how,
                                  .select = "ALL",
                                  .keys = true,
                                  .fixes = true,
                                  .why = "N201@2",
                                  .set = "P301.bytes=8,P302.bytes=8,P303.bytes=8,P303.shape=[n,n]+[_],P305.equations=2,"
                                         "P306.blocks=2,P307.equations=2,P315.bytes=64,P315.symbol=7,N203.elements=2"};
    jx_module *module = must_read(context, bytes, n);
    must_be_ok(jx_lint(module, &how, result), "lint");
    return module;
}

/* The number of findings of `check --strict` at or above a level. */
static uint32_t
count_found(const char *bytes, size_t n, enum jx_level level)
{
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    struct jx_check_options strict = {.size = sizeof strict, .strict = true};
    must_be_ok(jx_check(module, &strict), "check");
    uint32_t found = jx_diagnostic_count(module, level);
    jx_context_free(context);
    return found;
}

void
target_lint(const char *bytes, size_t n)
{
    struct written text = {0};
    /* a warning may become an error: after a fix renames a primitive, a parameter of newer versions is missing */
    bool right = can_be_laid_out(bytes, n) && count_found(bytes, n, JX_WARNING) == 0;
    keep_written(&text, bytes, n);
    for (int round = 0;; round++) {
        jx_context *context = must_make_context();
        jx_lint_result *result;
        jx_module *module = linted(context, text.at, text.n, &result);
        struct jx_diagnostic d;
        for (uint32_t i = 0; jx_diagnostic_at(module, i, &d); i++)
            if (d.place.line > 0 && (d.place.end_line < d.place.line ||
                                     (d.place.end_line == d.place.line && d.place.end_column < d.place.column)))
                broken_promise("a place ends after its beginning", d.message.at, d.message.n);
        struct written next = {0}, lines = {0};
        must_be_ok(jx_write_baseline(result, keep_written, &lines), "baseline");
        bool more = jx_lint_fixes(result) > 0;
        if (more)
            must_be_ok(jx_write_fixed(result, keep_written, &next), "fixes");
        jx_context_free(context);
        free(lines.at);
        if (!more)
            break;
        free(text.at);
        text = next;
        if (round == MOST_ROUNDS)
            broken_promise("fixing ends", text.at, text.n);
    }
    if (right && count_found(text.at ? text.at : "", text.n, JX_ERROR) > 0)
        broken_promise("a correct program is correct after its fixes", text.at, text.n);
    free(text.at);
}
