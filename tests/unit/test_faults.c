/* SPDX-License-Identifier: Apache-2.0
 *
 * Every verb, with each allocation failing in turn: the call reports that memory ran out, all memory is freed, and
 * another module of the same context is unchanged. */
#include "jaxpr.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const char text[] =
    "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = mul b 2.0:f32[] in (b, c) } in\n"
    "{ lambda a:f32[3]; n:i32[] d:f32[3] r:Ref{f32[4]}. let\n"
    "    e:f32[3] g:f32[3] = jit[name=f jaxpr=f] d # t.py:3:6 (f)\n"
    "    h:f32[3] = cond[\n"
    "      branches=(\n"
    "        { lambda ; i:f32[3]. let j:f32[3] = neg i in (j,) }\n"
    "        { lambda ; i:f32[3]. let  in (i,) }\n"
    "      )\n"
    "    ] n e\n"
    "    k:f32[] <- r[0]\n"
    "    r[1] <- 2.0:f32[]\n"
    "    l:f32[n] = broadcast_in_dim[\n"
    "      broadcast_dimensions=()\n"
    "      shape=(None,)\n"
    "      sharding=None\n"
    "    ] 1.0:f32[] n\n"
    "    m:f32[3] = custom_jvp_call[\n"
    "      name=relu\n"
    "      call_jaxpr={ lambda ; i:f32[3]. let j:f32[3] = max i 0.0:f32[] in (j,) }\n"
    "      jvp_jaxpr_fun=<function f at 0x7f0000000000>\n"
    "    ] h\n"
    "    o:f32[3] = add m a\n"
    "  in (o, h, l) }\n";
/* the same, with every kind of error */
static const char wrong[] =
    "{ lambda ; a:f32[3]. let b:f32[3] = jit[name=f jaxpr=g] a; c:f32[] = add q a; b:f32[] = in (c,) }\n"
    "{ lambda ; a:f32[3]. let b:f32[4] = sin a; c:f32[n] = neg longer; d = dot_general[x=(1] a in (b) }\n"
    "let f = { lambda ; a:f32[. let }\n\xff\n";
static const char signature[] = "in_type ((i64[],False),(f64[DBIdx(0)],True))\nout_type ((f64[InDBIdx(0)],True),)\n";

static int
count_bytes(void *user, const char *bytes, size_t n)
{
    *(size_t *)user += n + (bytes == NULL);
    return 0;
}

/* One verb on one module; its output goes to *out. */
typedef enum jx_status verb_fn(jx_context *context, jx_module *module, size_t *out);

static enum jx_status
do_check(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_check_options strict = {.size = sizeof strict, .strict = true};
    enum jx_status status = jx_check(module, &strict);
    for (int format = JX_RENDER_TEXT; status == JX_OK && format <= JX_RENDER_JSONL; format++) {
        struct jx_render_options how = {.size = sizeof how, .format = (enum jx_render_format)format};
        status = jx_render(context, &module, 1, &how, count_bytes, out);
    }
    return status;
}

static enum jx_status
do_format(jx_context *context, jx_module *module, size_t *out)
{
    (void)context;
    return jx_format(module, NULL, count_bytes, out);
}

static enum jx_status
do_json(jx_context *context, jx_module *module, size_t *out)
{
    bool first = true;
    (void)context;
    return jx_write_json(module, &first, count_bytes, out);
}

static enum jx_status
do_stats(jx_context *context, jx_module *module, size_t *out)
{
    jx_program_stats *stats;
    struct jx_stats counts = {0};
    (void)context;
    enum jx_status status = jx_stats(module, 0, &stats);
    jx_stats_counts(stats, &counts);
    *out += counts.equations + 1;
    jx_stats_free(stats);
    return status;
}

static enum jx_status
do_signatures(jx_context *context, jx_module *module, size_t *out)
{
    bool first = true;
    struct jx_signature_options how = {.size = sizeof how, .nested = true, .json = true};
    (void)context;
    return jx_write_signatures(module, &how, "t", &first, count_bytes, out);
}

static enum jx_status
do_passes(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_normal_options how = {.size = sizeof how,
                                    .passes = JX_PASS_CONSTANTS | JX_PASS_DCE | JX_PASS_REPAIR | JX_PASS_CAPTURES |
                                              JX_PASS_EXPAND | JX_PASS_LIFT};
    (void)context;
    return jx_normalize(module, &how, count_bytes, out, NULL);
}

static enum jx_status
do_collapse(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_COLLAPSE};
    (void)context;
    return jx_normalize(module, &how, count_bytes, out, NULL);
}

static enum jx_status
do_canonical(jx_context *context, jx_module *module, size_t *out)
{
    (void)context;
    return jx_normalize(module, NULL, count_bytes, out, NULL);
}

static enum jx_status
do_lint(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_lint_options how = {.size = sizeof how,
                                  .select = "ALL",
                                  .keys = true,
                                  .fixes = true,
                                  .why = "P304@2",
                                  .set = "P303.shape=[n,n],P315.bytes=1"};
    (void)context;
    jx_lint_result *result;
    enum jx_status status = jx_lint(module, &how, &result);
    *out += 1;
    if (status == JX_OK)
        status = jx_write_baseline(result, count_bytes, out);
    if (status == JX_OK)
        status = jx_write_fixed(result, count_bytes, out);
    jx_lint_free(result);
    return status;
}

static enum jx_status
do_digests(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_compare_options how = {
        .size = sizeof how, .dce = true, .commute = true, .without = "name,x", .functions = true};
    struct jx_function function;
    (void)context;
    jx_digest_list *list;
    enum jx_status status = jx_digests(module, &how, &list);
    for (uint32_t i = 0; status == JX_OK && jx_function_at(list, i, &function); i++)
        ++*out;
    /* a query returns no status; if it ran out of memory, rendering the module reports that */
    if (status == JX_OK)
        status = jx_render(context, (jx_module *[]){jx_digest_list_module(list)}, 1, NULL, count_bytes, out);
    return status;
}

static enum jx_status
do_costs(jx_context *context, jx_module *module, size_t *out)
{
    jx_program_costs *costs;
    struct jx_cost row;
    struct jx_cost_program inner;
    struct jx_costs total;
    (void)context;
    enum jx_status status = jx_cost(module, 0, JX_COST_BY_SHAPE, &costs);
    *out += 1u + jx_cost_total(costs, &total);
    for (uint32_t i = 0; jx_cost_row(costs, i, &row); i++)
        ++*out;
    for (uint32_t i = 0; jx_cost_program(costs, i, &inner); i++)
        ++*out;
    jx_cost_free(costs);
    return status == JX_OK ? jx_check(module, NULL) : status; /* reports memory that ran out in a query */
}

static enum jx_status
do_graph(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_graph_options how = {.size = sizeof how, .focus = "a"};
    bool found;
    (void)context;
    enum jx_status status = jx_write_graph(module, NULL, &found, count_bytes, out);
    return status == JX_OK ? jx_write_graph(module, &how, &found, count_bytes, out) : status;
}

static enum jx_status
do_page(jx_context *context, jx_module *module, size_t *out)
{
    (void)context;
    return jx_page_add(module, 1, count_bytes, out);
}

static enum jx_status
do_walk(jx_context *context, jx_module *module, size_t *out)
{
    struct jx_equation e;
    struct jx_operand operands[4];
    struct jx_value value, items[4];
    struct jx_span span;
    enum jx_status status = jx_resolve(module);
    (void)context;
    for (uint32_t i = 0; status == JX_OK && jx_equation_at(module, i, &e); i++) {
        struct jx_site site = {JX_PART_EQUATION, i, 0, 0};
        *out += 1 + jx_equation_source(module, i).n + jx_operands(module, i, 0, operands, 4);
        if (jx_parameter_value(module, e.first_parameter, &value))
            *out += jx_value_items(module, &value, NULL, items, 4);
        if (jx_span_at(module, &site, &span))
            *out += span.to - span.from;
    }
    return status == JX_OK ? jx_resolve(module) : status; /* reports memory that ran out in a query */
}

static const struct {
    const char *name;
    verb_fn *run;
} verbs[] = {
    {"check", do_check},
    {"format", do_format},
    {"json", do_json},
    {"stats", do_stats},
    {"signatures", do_signatures},
    {"passes", do_passes},
    {"collapse", do_collapse},
    {"canonical", do_canonical},
    {"digests", do_digests},
    {"costs", do_costs},
    {"graph", do_graph},
    {"page", do_page},
    {"lint", do_lint},
    {"walk", do_walk},
};

/* Reads a text and runs a verb with memory limited by *s; frees everything. */
static enum jx_status
attempt(struct scarce *s, verb_fn *run, const char *bytes, size_t n)
{
    struct jx_allocator allocator = {scarce_resize, s};
    jx_context *context = jx_context_new(&allocator);
    jx_module *module = NULL;
    size_t out = 0;
    enum jx_status status = JX_OUT_OF_MEMORY;
    if (context != NULL)
        status = jx_read(context, "t.jaxpr", bytes, n, &module);
    if (status == JX_OK)
        status = run(context, module, &out);
    jx_context_free(context);
    return status;
}

START_TEST(a_verb_runs_out_of_memory)
{
    verb_fn *run = verbs[_i / 4].run;
    const char *bytes = _i % 2 == 0 ? text : wrong;
    size_t size = _i % 2 == 0 ? sizeof text - 1 : sizeof wrong - 1;
    bool once = _i % 4 >= 2;
    for (long n = 0;; n++) {
        struct scarce s = {.left = n, .once = once};
        enum jx_status status = attempt(&s, run, bytes, size);
        ck_assert_msg(s.live == 0, "%s: %ld blocks kept when allocation %ld failed", verbs[_i / 4].name, s.live, n);
        if (s.left >= 0) { /* there was no n-th allocation */
            ck_assert_int_eq(status, JX_OK);
            ck_assert_int_gt(n, 5);
            break;
        }
        ck_assert_msg(status == JX_OUT_OF_MEMORY, "%s: success though allocation %ld failed", verbs[_i / 4].name, n);
    }
}
END_TEST

/* ---- functions that need more than one module, or read files; each with a context of its own ---- */

enum { FEW = 7 }; /* bytes that a slow reader supplies at a time */

static enum jx_status
do_diff(jx_context *context, size_t *out)
{
    static const char other[] = "{ lambda a:f32[3]; n:i32[] d:f32[3] r:Ref{f32[4]}. let\n"
                                "    h:f32[3] = cond[branches=({ lambda ; i:f32[3]. let  in (i,) })] n d\n"
                                "    o:f32[3] = add h a\n"
                                "  in (o, h, h) }\n";
    jx_module *a, *b;
    jx_differences *differences;
    enum jx_status status = jx_read(context, "a", text, sizeof text - 1, &a);
    if (status == JX_OK)
        status = jx_read(context, "b", other, sizeof other - 1, &b);
    return status == JX_OK ? jx_diff(a, b, NULL, count_bytes, out, &differences) : status;
}

static enum jx_status
do_read_signatures(jx_context *context, size_t *out)
{
    jx_signatures *signatures;
    bool first = true;
    struct pieces slow = {signature, sizeof signature - 1, FEW};
    enum jx_status status = jx_read_signatures(context, "s", read_pieces, &slow, 0, &signatures);
    return status == JX_OK ? jx_write_read_signatures(signatures, NULL, "s", &first, count_bytes, out) : status;
}

/* a report to which modules are added and freed one by one */
static enum jx_status
do_report(jx_context *context, size_t *out)
{
    enum jx_status status = JX_OK;
    for (int format = JX_RENDER_TEXT; status == JX_OK && format <= JX_RENDER_JSONL; format++) {
        struct jx_render_options how = {.size = sizeof how, .format = (enum jx_render_format)format};
        jx_report *report;
        if (jx_report_begin(context, &how, count_bytes, out, &report) != JX_OK)
            return JX_OUT_OF_MEMORY;
        for (int i = 0; status == JX_OK && i < 2; i++) {
            jx_module *module = NULL;
            struct pieces slow = {i == 0 ? wrong : text, (i == 0 ? sizeof wrong : sizeof text) - 1, FEW};
            status = jx_read_from(context, "t", read_pieces, &slow, 0, &module);
            if (status == JX_OK)
                status = jx_check(module, NULL);
            if (status == JX_OK)
                status = jx_report_add(report, module);
            jx_module_free(module);
        }
        enum jx_status ended = jx_report_end(report);
        status = status == JX_OK ? ended : status;
    }
    return status;
}

/* programs in a log and in a notebook: found, read and checked */
static enum jx_status
do_extract(jx_context *context, size_t *out)
{
    static const char *const files[] = {
        "INFO 12:00 { lambda ; a:f32[]. let\nINFO 12:00     b:f32[] = sin a\nINFO 12:00   in (b,) }\n"
        "x = \"{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\\n\"\n\033[1m{ lambda ; a:f32[]. let\n",
        "{\"nbformat\":4,\"cells\":[{\"cell_type\":\"code\",\"outputs\":[{\"text\":[\"{ lambda ; a:f32[]. let\\n\","
        "\"    b:f32[] = sin a\\n\",\"  in (b,) }\\n\"]}]}]}",
    };
    enum jx_status status = JX_OK;
    for (int i = 0; status == JX_OK && i < 2; i++) {
        struct pieces slow = {files[i], strlen(files[i]), FEW};
        jx_extract *extract;
        status = jx_extract_begin(context, "log", read_pieces, &slow, &extract);
        if (status != JX_OK)
            return status == JX_UNSUPPORTED ? JX_OK : status;
        jx_module *module = NULL;
        struct jx_found found;
        while ((status = jx_extract_next(extract, &module, &found)) == JX_OK && module != NULL) {
            status = jx_check(module, NULL);
            *out += found.text.n;
            jx_module_free(module);
            if (status != JX_OK)
                break;
        }
        jx_extract_end(extract);
    }
    return status;
}

static const char configuration[] = "select: [N, P3]\n"
                                    "rules: {P303: {elements: 1M}}\n"
                                    "overrides:\n  - {files: 't*', ignore: N201}\n"
                                    "contracts:\n"
                                    "  - files: ['*.jaxpr']\n    forbid: [sin, '*_call']\n    require: [cos]\n"
                                    "    count: {equations: 3, 'a*': '< 2'}\n"
                                    "    shapes: {forbid: ['[...,n>=2,n]', '[3]']}\n    dtypes: {forbid: [f32]}\n"
                                    "    signature: {in_type: \"((f32[],True),)\", out_type: \"((f32[],True),)\"}\n"
                                    "    hash: jx2:0000000000000000000000000000000000000000000000000000000000000000\n"
                                    "  - {name: never, files: other, forbid: [add]}\n";

/* reads a configuration and a text, and applies one to the other */
static enum jx_status
read_both(jx_context *context, jx_config **config, jx_module **module)
{
    struct pieces slow = {configuration, sizeof configuration - 1, FEW};
    enum jx_status status = jx_read_config(context, "jaxpr.yaml", read_pieces, &slow, 0, config);
    return status == JX_OK ? jx_read(context, "t.jaxpr", text, sizeof text - 1, module) : status;
}

static enum jx_status
do_contracts(jx_context *context, size_t *out)
{
    jx_config *config;
    jx_module *module;
    enum jx_status status = read_both(context, &config, &module);
    struct jx_lint_options how = {.size = sizeof how, .path = "t.jaxpr", .config_path = "t.jaxpr"};
    if (status != JX_OK)
        return status;
    ck_assert_uint_eq(jx_diagnostic_count(jx_config_module(config), JX_ERROR), 0);
    how.config = config;
    status = jx_lint(module, &how, NULL);
    if (status == JX_OK)
        status = jx_contract_check(module, config, "t.jaxpr");
    if (status == JX_OK)
        status = jx_contract_report_unused(config);
    return status == JX_OK ? jx_render(context, &module, 1, NULL, count_bytes, out) : status;
}

static enum jx_status
do_refresh(jx_context *context, size_t *out)
{
    jx_config *config;
    jx_module *module;
    struct jx_contract_change change;
    jx_refresh *refresh = NULL;
    enum jx_status status = read_both(context, &config, &module);
    if (status == JX_OK)
        status = jx_refresh_begin(config, &refresh);
    if (status == JX_OK)
        status = jx_refresh_add(refresh, module, "t.jaxpr");
    for (uint32_t i = 0; status == JX_OK && jx_refresh_change_at(refresh, i, &change); i++)
        ++*out;
    if (status == JX_OK)
        status = jx_refresh_write(refresh, count_bytes, out);
    jx_refresh_free(refresh);
    return status;
}

static enum jx_status
do_write_contract(jx_context *context, size_t *out)
{
    jx_module *module;
    bool first = true;
    enum jx_status status = jx_read(context, "t.jaxpr", text, sizeof text - 1, &module);
    return status == JX_OK ? jx_contract_write(module, "t.jaxpr", true, &first, count_bytes, out) : status;
}

static const struct {
    const char *name;
    enum jx_status (*run)(jx_context *context, size_t *out);
    bool configured; /* it reads a configuration */
} wholes[] = {
    {"diff", do_diff},
    {"signatures", do_read_signatures},
    {"report", do_report},
    {"extract", do_extract},
    {"contracts", do_contracts, true},
    {"refresh", do_refresh, true},
    {"write contract", do_write_contract},
};

START_TEST(all_that_reads_runs_out_of_memory)
{
    bool once = _i % 2 == 1;
    if (wholes[_i / 2].configured && !configurations_are_read())
        return;
    for (long n = 0;; n++) {
        struct scarce s = {.left = n, .once = once};
        struct jx_allocator allocator = {scarce_resize, &s};
        jx_context *context = jx_context_new(&allocator);
        size_t out = 0;
        enum jx_status status = context != NULL ? wholes[_i / 2].run(context, &out) : JX_OUT_OF_MEMORY;
        jx_context_free(context);
        ck_assert_msg(s.live == 0, "%s: %ld blocks kept when allocation %ld failed", wholes[_i / 2].name, s.live, n);
        if (s.left >= 0) {
            ck_assert_int_eq(status, JX_OK);
            ck_assert_uint_gt(out, 0);
            ck_assert_int_gt(n, 5);
            break;
        }
        ck_assert_msg(status == JX_OUT_OF_MEMORY, "%s: success though allocation %ld failed", wholes[_i / 2].name, n);
    }
}
END_TEST

/* ---- cancelling ---- */

/* The state of lose_patience(), which returns nonzero at its `left`-th call. */
struct patience {
    long left;
    uint64_t steps;
};

static int
lose_patience(void *user, uint64_t steps)
{
    struct patience *p = user;
    ck_assert_uint_gt(steps, 0);
    p->steps = steps;
    return p->left-- == 0;
}

START_TEST(a_verb_is_cancelled)
{
    enum { COPIES = 60 };
    static char many[COPIES * sizeof text];
    for (size_t i = 0; i < COPIES; i++)
        memcpy(many + i * (sizeof text - 1), text, sizeof text - 1);
    for (long n = 0;; n = n * 3 / 2 + 1) {
        struct scarce s = {.left = 100000000};
        struct jx_allocator allocator = {scarce_resize, &s};
        struct patience p = {.left = n};
        jx_context *context = jx_context_new(&allocator);
        jx_module *module = NULL;
        size_t out = 0;
        ck_assert_int_eq(jx_set_progress(context, lose_patience, &p), JX_OK);
        enum jx_status status = jx_read(context, "t", many, COPIES * (sizeof text - 1), &module);
        if (status == JX_OK)
            status = verbs[_i].run(context, module, &out);
        ck_assert_msg(status == (p.left < 0 ? JX_CANCELLED : JX_OK), "%s: %s when asked for the %ld-th time",
                      verbs[_i].name, jx_status_text(status), n);
        jx_context_free(context);
        ck_assert_int_eq(s.live, 0);
        if (p.left >= 0) {
            ck_assert_uint_gt(p.steps, 0);
            break;
        }
    }
}
END_TEST

START_TEST(documents_recover_when_cancelled)
{
    enum { COPIES = 400 };
    static char many[COPIES * sizeof text];
    struct patience never = {.left = -2}, once = {.left = 0};
    jx_context *context = jx_context_new(NULL);
    jx_document *document;
    jx_module *module;
    size_t before = 0, after = 0;
    for (size_t i = 0; i < COPIES; i++)
        memcpy(many + i * (sizeof text - 1), text, sizeof text - 1);
    ck_assert_int_eq(jx_set_progress(NULL, lose_patience, &never), JX_MISUSE);
    ck_assert_int_eq(jx_set_progress(context, lose_patience, &never), JX_OK);
    ck_assert_int_eq(jx_document_new(context, "t", many, COPIES * (sizeof text - 1), &document), JX_OK);
    ck_assert_int_eq(jx_document_module(document, &module), JX_OK);
    ck_assert_int_eq(jx_format(module, NULL, count_bytes, &before), JX_OK);
    ck_assert_int_eq(jx_set_progress(context, lose_patience, &once), JX_OK);
    ck_assert_int_eq(jx_check(module, NULL), JX_CANCELLED);
    ck_assert_int_eq(jx_check(module, NULL), JX_CANCELLED);
    ck_assert_int_eq(jx_set_progress(context, NULL, NULL), JX_OK);
    ck_assert_int_eq(jx_document_module(document, &module), JX_OK);
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    ck_assert_int_eq(jx_format(module, NULL, count_bytes, &after), JX_OK);
    ck_assert_uint_eq(before, after);
    jx_context_free(context);
}
END_TEST

START_TEST(other_modules_stay_usable)
{
    struct scarce s = {.left = 1000000};
    struct jx_allocator allocator = {scarce_resize, &s};
    jx_context *context = jx_context_new(&allocator);
    jx_module *kept, *lost;
    size_t before = 0, after = 0;
    ck_assert_int_eq(jx_read(context, "kept", text, sizeof text - 1, &kept), JX_OK);
    ck_assert_int_eq(jx_format(kept, NULL, count_bytes, &before), JX_OK);
    ck_assert_int_eq(jx_read(context, "lost", text, sizeof text - 1, &lost), JX_OK);
    s.left = 0;
    ck_assert_int_eq(jx_check(lost, NULL), JX_OUT_OF_MEMORY);
    ck_assert_int_eq(jx_read(context, "more", text, sizeof text - 1, &(jx_module *){NULL}), JX_OUT_OF_MEMORY);
    s.left = 1000000;
    ck_assert_int_eq(jx_format(lost, NULL, count_bytes, &after), JX_OUT_OF_MEMORY);
    ck_assert_uint_eq(after, 0);
    ck_assert_int_eq(jx_format(kept, NULL, count_bytes, &after), JX_OK);
    ck_assert_uint_eq(before, after);
    jx_module_free(lost);
    ck_assert_int_eq(jx_check(kept, NULL), JX_OK);
    jx_context_free(context);
    ck_assert_int_eq(s.live, 0);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("faults");
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, a_verb_runs_out_of_memory, 0, 4 * (int)(sizeof verbs / sizeof *verbs));
    tcase_add_loop_test(tc, all_that_reads_runs_out_of_memory, 0, 2 * (int)(sizeof wholes / sizeof *wholes));
    tcase_add_loop_test(tc, a_verb_is_cancelled, 0, (int)(sizeof verbs / sizeof *verbs));
    tcase_add_test(tc, documents_recover_when_cancelled);
    tcase_add_test(tc, other_modules_stay_usable);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
