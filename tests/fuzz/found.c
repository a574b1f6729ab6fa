/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold for any bytes in which programs are searched: the same programs are found, in order, however the
 * bytes are divided into pieces. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

/* The programs found: for each, a line `offset errors` and its text. */
static struct written
found_in(const char *bytes, size_t n, size_t seed)
{
    struct written out = {0};
    struct pieces p = {bytes, n, seed};
    jx_context *context = must_make_context();
    jx_extract *extract;
    jx_module *module;
    struct jx_found found;
    uint64_t end = 0;
    must_be_ok(jx_extract_begin(context, "fuzz.log", read_piece, &p, &extract), "extract");
    for (;;) {
        must_be_ok(jx_extract_next(extract, &module, &found), "extract");
        if (module == NULL)
            break;
        char line[64];
        uint32_t errors = jx_diagnostic_count(module, JX_ERROR);
        int length = snprintf(line, sizeof line, "%llu %u\n", (unsigned long long)found.offset, (unsigned)errors);
        if (found.offset < end || found.offset >= n)
            broken_promise("programs are found in order", found.text.at, found.text.n);
        end = found.offset;
        keep_written(&out, line, (size_t)length);
        keep_written(&out, found.text.at, found.text.n);
        must_be_ok(jx_check(module, NULL), "check");
        struct written noted_vars = {0};
        render(context, module, JX_RENDER_JSONL, &noted_vars);
        must_be_json("diagnostics of what was found are JSON", &noted_vars, JSON_LINES);
        free(noted_vars.at);
        jx_module_free(module);
    }
    jx_extract_end(extract);
    jx_context_free(context);
    return out;
}

void
target_extract(const char *bytes, size_t n)
{
    struct written one = found_in(bytes, n, n), other = found_in(bytes, n, ~n);
    must_equal("the same programs are found in any pieces of a text", &one, &other);
    free(one.at);
    free(other.at);
}
