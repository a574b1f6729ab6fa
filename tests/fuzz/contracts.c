/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold for any bytes as a configuration: it is read, programs are checked against it, and after an update of
 * its recorded values, a second update changes nothing. */
#include "target.h"

#include <stdlib.h>

static const char program[] = "{ lambda a:f64[2,3]; b:f32[4] n:i32[]. let\n"
                              "    c:f32[4] = pjit[name=step jaxpr={ lambda ; b:f32[4]. let\n"
                              "        d:f32[4] = pow b 2.0:f32[]\n"
                              "      in (d,) }] b\n"
                              "    e:f32[4] = pure_callback[name=f] c\n"
                              "  in (e, n) }\n";

static jx_config *
must_read_config(jx_context *context, const char *bytes, size_t n)
{
    struct pieces p = {bytes, n, n};
    jx_config *config;
    must_be_ok(jx_read_config(context, ".jaxpr.yaml", read_piece, &p, n, &config), "read_config");
    return config;
}

static void
must_render(jx_context *context, jx_module *module)
{
    for (int format = JX_RENDER_TEXT; format <= JX_RENDER_JSONL; format++) {
        struct written out = {0};
        render(context, module, (enum jx_render_format)format, &out);
        if (format == JX_RENDER_JSON || format == JX_RENDER_SARIF || format == JX_RENDER_GITLAB)
            must_be_json("diagnostics are JSON for any configuration", &out, JSON_VALUE);
        free(out.at);
    }
}

static void
hold_to(const char *bytes, size_t n)
{
    jx_context *context = must_make_context();
    jx_config *config = must_read_config(context, bytes, n);
    jx_module *module = must_read(context, program, sizeof program - 1);
    must_be_ok(jx_contract_check(module, config, "models/step.jaxpr"), "contract_check");
    must_be_ok(jx_contract_report_unused(config), "contract_unmet");
    must_render(context, module);
    must_render(context, jx_config_module(config));
    jx_context_free(context);
}

/* Returns the updated configuration; *changes is the number of changed values, *errors that of errors before. */
static struct written
refreshed(const char *bytes, size_t n, uint32_t *changes, uint32_t *errors)
{
    struct written out = {0};
    struct jx_contract_change change;
    jx_context *context = must_make_context();
    jx_config *config = must_read_config(context, bytes, n);
    *errors = jx_diagnostic_count(jx_config_module(config), JX_ERROR);
    jx_refresh *refresh;
    must_be_ok(jx_refresh_begin(config, &refresh), "refresh_begin");
    must_be_ok(jx_refresh_add(refresh, must_read(context, program, sizeof program - 1), "models/step.jaxpr"),
               "refresh_add");
    *changes = 0;
    for (uint32_t i = 0; jx_refresh_change_at(refresh, i, &change); i++)
        *changes += change.other.n == 0;
    must_be_ok(jx_refresh_write(refresh, keep_written, &out), "refresh_write");
    jx_refresh_free(refresh);
    jx_context_free(context);
    return out;
}

void
target_contract(const char *bytes, size_t n)
{
    uint32_t changes, errors, more, later;
    hold_to(bytes, n);
    struct written once = refreshed(bytes, n, &changes, &errors);
    if (errors == 0) {
        struct written twice = refreshed(once.n > 0 ? once.at : "", once.n, &more, &later);
        if (later > 0)
            broken_promise("an updated configuration has no errors", once.at, once.n);
        if (more > 0)
            broken_promise("a second update has no changes", once.at, once.n);
        must_equal("a second update writes the same text", &once, &twice);
        free(twice.at);
    }
    free(once.at);
}
