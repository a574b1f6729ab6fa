/* SPDX-License-Identifier: Apache-2.0
 *
 * The library, only through its public header: what the verbs write, walking, and failures of memory or of the
 * output at every possible point. */
#include "library.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\n"
                              "{ lambda a:f32[3]; ba:f32[] zebra:Ref{f32[4]}. let\n"
                              "    d:f32[3] = jit[name=f jaxpr=f] a\n"
                              "    e:f32[3] = add[k=1] d 2.0:f32[]\n"
                              "    g:f32[] <- zebra[0]\n"
                              "  in (e, g, ba) }\n";

/* Output kept in memory. */
struct kept {
    char at[8192];
    size_t n;
    size_t limit; /* fails once more than this was written */
};

static int
keep(void *user, const char *bytes, size_t n)
{
    struct kept *k = user;
    if (k->n + n > k->limit || k->n + n >= sizeof k->at)
        return 1;
    memcpy(k->at + k->n, bytes, n);
    k->n += n;
    k->at[k->n] = 0;
    return 0;
}

static struct kept
kept_new(void)
{
    return (struct kept){.limit = SIZE_MAX / 2};
}

START_TEST(format_is_a_fixed_point)
{
    jx_module *module = read_text(program);
    struct kept out = kept_new();
    ck_assert_int_eq(jx_format(module, NULL, keep, &out), JX_OK);
    ck_assert_str_eq(out.at, program);
    struct kept wide = kept_new();
    struct jx_format_options how = {.size = sizeof how, .width = 1000};
    ck_assert_int_eq(jx_format(module, &how, keep, &wide), JX_OK);
    ck_assert_ptr_nonnull(strstr(wide.at, "let d:f32[3] = jit[name=f jaxpr=f] a; e:f32[3]"));
    /* one program of several */
    jx_module *two = read_text("{ lambda ; a:f32[]. let  in (a,) } { lambda ; b:f32[] . let  in (b,) }");
    static const char *const each[] = {"{ lambda ; a:f32[]. let  in (a,) }\n{ lambda ; b:f32[]. let  in (b,) }\n",
                                       "{ lambda ; a:f32[]. let  in (a,) }\n", "{ lambda ; b:f32[]. let  in (b,) }\n",
                                       ""};
    for (uint32_t i = 0; i < 4; i++) {
        struct kept one = kept_new();
        struct jx_format_options only = {.size = sizeof only, .only = i};
        ck_assert_int_eq(jx_format(two, &only, keep, &one), JX_OK);
        ck_assert_str_eq(one.at, each[i]);
    }
    /* a caller with a smaller options struct gets the defaults of the missing members */
    struct kept old = kept_new();
    how.size = sizeof how.size;
    ck_assert_int_eq(jx_format(module, &how, keep, &old), JX_OK);
    ck_assert_str_eq(old.at, program);
}
END_TEST

START_TEST(check_reports_once)
{
    jx_module *module = read_text("{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\n");
    ck_assert_uint_eq(jx_diagnostic_count(module, JX_NOTE), 0);
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    ck_assert_uint_eq(jx_diagnostic_count(module, JX_ERROR), 1);
    struct jx_diagnostic d;
    ck_assert(jx_diagnostic_at(module, 0, &d));
    ck_assert_str_eq(d.code.code, "S012");
    ck_assert_int_eq(d.level, JX_ERROR);
    ck_assert_uint_eq(d.place.line, 1);
    ck_assert_uint_eq(d.place.column, 39);
    ck_assert_uint_eq(d.place.end_column, 40);
    ck_assert_uint_eq(d.program, 0);
    ck_assert(!jx_diagnostic_at(module, 1, &d));
    struct kept out = kept_new();
    struct jx_render_options how = {.size = sizeof how, .format = JX_RENDER_GCC};
    ck_assert_int_eq(jx_render(context, &module, 1, &how, keep, &out), JX_OK);
    ck_assert_ptr_nonnull(strstr(out.at, "t.jaxpr:1:39: error: "));
}
END_TEST

START_TEST(codes_are_found)
{
    struct jx_code code;
    ck_assert(jx_code_find("S012", &code));
    ck_assert_str_eq(code.name, "unbound-variable");
    ck_assert(jx_code_find("unbound-variable", &code));
    ck_assert_str_eq(code.code, "S012");
    ck_assert(!jx_code_find("S", &code));
    ck_assert(!jx_code_find("", &code));
    const char *const words[] = {"check", "fmt", "norm"};
    ck_assert_str_eq(jx_nearest("chek", words, 3), "check");
    ck_assert_ptr_null(jx_nearest("x", words, 3));
    uint32_t n = 0;
    while (jx_code_at(n, &code))
        n++;
    ck_assert_uint_gt(n, 10);
}
END_TEST

START_TEST(walking_sees_everything)
{
    jx_module *module = read_text(program);
    struct jx_program p;
    ck_assert_uint_eq(jx_program_count(module), 1);
    ck_assert(jx_program_at(module, 0, &p));
    ck_assert(!jx_program_at(module, 1, &p));
    ck_assert(jx_program_at(module, 0, &p));
    ck_assert(!p.broken && !p.elided);
    ck_assert_uint_eq(p.place.line, 1);
    ck_assert_uint_eq(p.shared, 1);
    struct jx_string name;
    uint32_t shared;
    ck_assert(jx_shared_at(module, p.first_shared, &name, &shared));
    ck_string(name, "f");
    struct jx_jaxpr j;
    ck_assert(jx_jaxpr_at(module, p.jaxpr, &j));
    ck_assert_uint_eq(j.constants, 1);
    ck_assert_uint_eq(j.inputs, 2);
    ck_assert_uint_eq(j.outputs, 3);
    ck_assert_uint_eq(j.equations, 3);
    struct jx_variable v;
    ck_assert(jx_binder_at(module, p.jaxpr, 1, &v));
    ck_string(v.name, "ba");
    ck_string(v.type, "f32[]");
    ck_assert(jx_binder_at(module, p.jaxpr, 2, &v));
    ck_string(v.name, "zebra");
    ck_assert(!jx_binder_at(module, p.jaxpr, 3, &v));
    struct jx_equation e;
    struct jx_operand o;
    struct jx_parameter q;
    ck_assert(jx_equation_at(module, j.first_equation, &e));
    ck_string(e.primitive, "jit");
    ck_assert(jx_result_at(module, j.first_equation, 0, &v));
    ck_string(v.name, "d");
    ck_assert(jx_parameter_at(module, e.first_parameter, &q));
    ck_string(q.key, "name");
    ck_string(q.value, "f");
    ck_assert_uint_eq(q.jaxprs, 0);
    uint32_t second = q.next;
    ck_assert(jx_parameter_at(module, second, &q));
    ck_string(q.key, "jaxpr");
    ck_assert_uint_eq(q.jaxprs, 1);
    ck_assert_uint_eq(jx_parameter_jaxpr(module, second, 0), shared);
    ck_assert_uint_eq(jx_parameter_jaxpr(module, second, 1), JX_NONE);
    struct jx_place place;
    ck_assert(jx_equation_place(module, e.next, &place));
    ck_assert_uint_eq(place.line, 4);
    ck_assert_uint_eq(place.column, 5);
    ck_assert(jx_operand_at(module, e.next, 1, &o));
    ck_assert_int_eq(o.kind, JX_LITERAL);
    ck_string(o.text, "2.0");
    ck_string(o.type, "f32[]");
    ck_assert(jx_equation_at(module, e.next, &e));
    ck_assert(jx_operand_at(module, e.next, 0, &o));
    ck_assert_int_eq(o.kind, JX_REFERENCE);
    ck_string(o.text, "zebra");
    ck_string(o.index, "[0]");
    ck_assert(jx_output_at(module, p.jaxpr, 2, &o));
    ck_string(o.text, "ba");
    ck_assert(!jx_output_at(module, p.jaxpr, 3, &o));
    ck_assert(!jx_jaxpr_at(module, JX_NONE, &j));
    ck_assert(!jx_equation_at(module, JX_NONE, &e));
    ck_assert(!jx_parameter_at(module, JX_NONE, &q));
    ck_assert_uint_eq(jx_parameter_jaxpr(module, JX_NONE, 0), JX_NONE);
}
END_TEST

/* fixing one finding keeps the others */
START_TEST(one_finding_is_fixed)
{
    static const char dead[] =
        "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos a\n    d:f32[3] = tan a\n  in (a,) }\n";
    static const struct {
        const char *only, *gone;
        uint32_t findings;
    } cases[] = {{NULL, "sin cos tan", 3}, {"P308@1:26", "sin", 1}, {"P308@1", "sin cos", 2}, {"P308@7", "", 0}};
    struct jx_lint_options how = {.size = sizeof how, .select = "P308", .fixes = true};
    static const char *const words[] = {"sin", "cos", "tan"};
    char message[100];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jx_module *read;
        jx_lint_result *lint;
        struct kept out = kept_new();
        how.only = cases[i].only;
        ck_assert(jx_lint_validate(&how, message, sizeof message));
        ck_assert_int_eq(jx_read(context, "dead", dead, sizeof dead - 1, &read), JX_OK);
        ck_assert_int_eq(jx_lint(read, &how, &lint), JX_OK);
        ck_assert_uint_eq(jx_lint_findings(lint), cases[i].findings);
        ck_assert_int_eq(jx_write_fixed(lint, keep, &out), JX_OK);
        for (size_t k = 0; k < 3; k++)
            ck_assert_int_eq(strstr(out.at, words[k]) == NULL, strstr(cases[i].gone, words[k]) != NULL);
        jx_lint_free(lint);
        jx_module_free(read);
    }
    how.only = "P308@1:";
    ck_assert(!jx_lint_validate(&how, message, sizeof message));
}
END_TEST

START_TEST(stats_of_a_program)
{
    jx_module *module = read_text(program);
    struct jx_stats s;
    jx_program_stats *stats;
    ck_assert_int_eq(jx_stats(module, 0, &stats), JX_OK);
    ck_assert(jx_stats_counts(stats, &s));
    ck_assert_uint_eq(s.equations, 4);
    ck_assert_uint_eq(s.primitives, 4);
    ck_assert_uint_eq(s.depth, 2);
    ck_assert_uint_eq(s.constants, 1);
    ck_assert_uint_eq(s.constant_bytes, 12);
    uint64_t count;
    ck_string(jx_stats_primitive(stats, 0, &count), "add");
    ck_assert_uint_eq(count, 1);
    ck_string(jx_stats_primitive(stats, 4, &count), "");
    jx_stats_free(stats);
    ck_assert_int_eq(jx_stats(module, 1, &stats), JX_OK);
    ck_assert(jx_stats_counts(stats, &s));
    ck_assert_uint_eq(s.equations, 0);
    jx_stats_free(stats);
}
END_TEST

START_TEST(passes_may_follow_one_another)
{
    /* 2^16 equations if shared programs are printed in full at each use */
    struct kept text = kept_new();
    for (int i = 0; i < 16; i++)
        text.n += (size_t)snprintf(text.at + text.n, sizeof text.at - text.n,
                                   "let f%d = { lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f%d] a;"
                                   " c:f32[] = jit[name=f jaxpr=f%d] b in (c,) } in\n",
                                   i, i + 1, i + 1);
    snprintf(text.at + text.n, sizeof text.at - text.n,
             "let f16 = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n"
             "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f0] a in (b,) }\n");
    jx_module *module = read_text(text.at);
    for (int i = 0; i < 3; i++) {
        struct kept out = kept_new();
        struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_DCE};
        ck_assert_int_eq(jx_normalize(module, &how, keep, &out, NULL), JX_OK);
        ck_assert_uint_gt(out.n, 0);
    }
}
END_TEST

START_TEST(passes_may_make_types_before_a_check)
{
    /* d:f32[n,2] and later types are not in the text: their sizes come after those that the passes inspected */
    jx_module *module = read_text("{ lambda ; n:i32[] a:f32[2,n]. let\n"
                                  "    b = transpose[permutation=(1, 0)] a\n"
                                  "    c = sin b\n"
                                  "    d = reduce_sum[axes=(1,) out_sharding=None] c\n"
                                  "  in (d,) }\n");
    for (int i = 0; i < 2; i++) {
        struct kept out = kept_new();
        struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_ANNOTATE};
        ck_assert_int_eq(jx_normalize(module, &how, keep, &out, NULL), JX_OK);
        ck_assert_ptr_nonnull(strstr(out.at, ":f32[n,2] = sin"));
    }
    ck_assert_uint_eq(jx_diagnostic_count(module, JX_WARNING), 0);
}
END_TEST

START_TEST(modules_can_be_freed_in_any_order)
{
    jx_module *a = read_text(program), *b = read_text(program), *c = read_text(program);
    jx_module_free(b);
    jx_module_free(c);
    jx_module_free(NULL);
    b = read_text(program);
    jx_module_free(a);
    jx_module_free(b);
    read_text(program); /* left to the context */
}
END_TEST

/* ---- failures ---- */

/* Calls functions of every group; returns the first status that is not JX_OK. */
static enum jx_status
do_everything(jx_context *scarce_context)
{
    static const char text[] =
        "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\n"
        "{ lambda ; a:f32[3]. let b:f32[3] = jit[name=f jaxpr=f] a; c:f32[] = add q a in (c,) }\n"
        "{ lambda ; a:f32[. let }\n";
    jx_module *module;
    enum jx_status status = jx_read(scarce_context, "t", text, sizeof text - 1, &module);
    struct kept out = kept_new();
    bool first = true;
    jx_program_stats *stats = NULL;
    if (status == JX_OK)
        status = jx_check(module, NULL);
    if (status == JX_OK)
        status = jx_format(module, NULL, keep, &out);
    if (status == JX_OK)
        status = jx_write_json(module, &first, keep, &out);
    if (status == JX_OK)
        status = jx_stats(module, 0, &stats);
    jx_stats_free(stats);
    for (int format = JX_RENDER_TEXT; status == JX_OK && format <= JX_RENDER_JSONL; format++) {
        struct kept rendered = kept_new();
        struct jx_render_options how = {.size = sizeof how, .format = (enum jx_render_format)format};
        status = jx_render(scarce_context, &module, 1, &how, keep, &rendered);
        if (format == JX_RENDER_SARIF && status == JX_WRITE_FAILED)
            status = JX_OK; /* SARIF is longer than the buffer */
    }
    struct jx_variable v;
    struct jx_program p;
    if (status == JX_OK && (!jx_program_at(module, 0, &p) || !jx_binder_at(module, p.jaxpr, 0, &v)))
        status = JX_OUT_OF_MEMORY;
    return status;
}

START_TEST(memory_may_run_out_anywhere)
{
    long n = 0;
    for (;; n++) {
        struct scarce s = {.left = n};
        struct jx_allocator allocator = {scarce_resize, &s};
        jx_context *scarce_context = jx_context_new(&allocator);
        enum jx_status status = JX_OUT_OF_MEMORY;
        if (scarce_context != NULL)
            status = do_everything(scarce_context);
        jx_context_free(scarce_context);
        ck_assert_int_eq(s.live, 0);
        if (status == JX_OK)
            break;
        ck_assert_int_eq(status, JX_OUT_OF_MEMORY);
    }
    ck_assert_int_gt(n, 20);
}
END_TEST

START_TEST(failed_writes_are_reported)
{
    jx_module *module = read_text(program);
    struct kept out = {.limit = 10};
    bool first = true;
    ck_assert_int_eq(jx_format(module, NULL, keep, &out), JX_WRITE_FAILED);
    ck_assert_int_eq(jx_write_json(module, &first, keep, &out), JX_WRITE_FAILED);
    ck_assert_int_eq(jx_write_json_string("0123456789", 10, keep, &out), JX_WRITE_FAILED);
    out = kept_new();
    ck_assert_int_eq(jx_write_json_string("a\"\n\xff", 4, keep, &out), JX_OK);
    ck_assert_str_eq(out.at, "\"a\\\"\\n\xef\xbf\xbd\"");
}
END_TEST

/* A reader that supplies `left` spaces, or fails if that is negative. */
static ptrdiff_t
read_blanks(void *user, char *into, size_t room)
{
    long *left = user;
    if (*left < 0)
        return -1;
    size_t n = (size_t)*left < room ? (size_t)*left : room;
    memset(into, ' ', n);
    *left -= (long)n;
    return (ptrdiff_t)n;
}

START_TEST(reading_through_a_callback)
{
    jx_module *module;
    long left = 1000000;
    struct jx_diagnostic d;
    ck_assert_int_eq(jx_read_from(context, "blanks", read_blanks, &left, 0, &module), JX_OK);
    ck_assert_int_eq(left, 0);
    ck_assert(jx_diagnostic_at(module, 0, &d));
    ck_assert_str_eq(d.code.code, "S006");
    left = -1;
    ck_assert_int_eq(jx_read_from(context, "blanks", read_blanks, &left, 0, &module), JX_READ_FAILED);
    ck_assert_ptr_null(module);
    /* a text known to be too large is not read at all */
    left = 7;
    ck_assert_int_eq(jx_read_from(context, "blanks", read_blanks, &left, (size_t)2 << 30, &module), JX_OK);
    ck_assert_int_eq(left, 7);
    ck_assert(jx_diagnostic_at(module, 0, &d));
    ck_assert_str_eq(d.code.code, "S020");
    ck_assert_uint_eq(d.place.line, 0);
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    ck_assert_uint_eq(jx_diagnostic_count(module, JX_ERROR), 1);
    ck_assert_uint_eq(jx_program_count(module), 0);
    struct kept out = kept_new();
    ck_assert_int_eq(jx_format(module, NULL, keep, &out), JX_OK);
    ck_assert_uint_eq(out.n, 0);
    ck_assert_int_eq(jx_render(context, &module, 1, NULL, keep, &out), JX_OK);
    ck_assert_ptr_nonnull(strstr(out.at, "S020"));
}
END_TEST

START_TEST(every_prefix_is_survived)
{
    for (size_t n = 0; n < sizeof program; n++) {
        jx_module *module;
        struct kept out = kept_new();
        bool first = true;
        ck_assert_int_eq(jx_read(context, "t", program, n, &module), JX_OK);
        ck_assert_int_eq(jx_check(module, NULL), JX_OK);
        /* complete at the end, with or without its newline; any prefix has an error */
        ck_assert_int_eq(jx_diagnostic_count(module, JX_ERROR) == 0, n >= sizeof program - 2);
        ck_assert_int_eq(jx_format(module, NULL, keep, &out), JX_OK);
        ck_assert_int_eq(jx_write_json(module, &first, keep, &out), JX_OK);
        jx_module_free(module);
    }
}
END_TEST

START_TEST(refreshing_reports_conflicts_in_any_order)
{
    if (!configurations_are_read())
        return;
    static const char *const texts[] = {
        "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b in (c,) }",
        "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b; d:f32[] = cos c in (d,) }",
    };
    static const char contract[] = "contracts:\n  - {files: t.jaxpr, count: {cos: 1, sin: 1}}\n";
    struct pieces pieces = {contract, sizeof contract - 1, SIZE_MAX};
    struct jx_contract_change change;
    jx_config *config;
    jx_refresh *refresh, *other;
    struct kept out = kept_new();
    ck_assert_int_eq(jx_read_config(context, "jaxpr.yaml", read_pieces, &pieces, 0, &config), JX_OK);
    ck_assert_int_eq(jx_refresh_begin(config, &refresh), JX_OK);
    ck_assert_int_eq(jx_refresh_add(refresh, read_text(texts[0]), "t.jaxpr"), JX_OK);
    ck_assert(!jx_refresh_change_at(refresh, 0, &change));
    for (int i = 0; i < 2; i++) { /* the second time nothing changes */
        ck_assert_int_eq(jx_refresh_add(refresh, read_text(texts[1]), "t.jaxpr"), JX_OK);
        ck_assert(jx_refresh_change_at(refresh, 0, &change));
        ck_string(change.key, "sin");
        ck_string(change.was, "1");
        ck_string(change.now, "1");
        ck_string(change.other, "2");
        ck_assert(!jx_refresh_change_at(refresh, 1, &change));
    }
    /* another result is independent, and either is freed before or after the configuration */
    ck_assert_int_eq(jx_refresh_begin(config, &other), JX_OK);
    ck_assert_int_eq(jx_refresh_add(other, read_text(texts[1]), "t.jaxpr"), JX_OK);
    ck_assert(jx_refresh_change_at(other, 0, &change));
    ck_string(change.now, "2");
    ck_assert_uint_eq(change.other.n, 0);
    ck_assert_int_eq(jx_refresh_write(other, keep, &out), JX_OK);
    ck_assert_str_eq(out.at, "contracts:\n  - {files: t.jaxpr, count: {cos: 1, sin: 2}}\n");
    jx_refresh_free(refresh);
    jx_config_free(config);
    ck_assert(jx_refresh_change_at(other, 0, &change));
    jx_refresh_free(other);
    jx_refresh_free(NULL);
    ck_assert_int_eq(jx_refresh_begin(NULL, &other), JX_MISUSE);
    ck_assert_int_eq(jx_refresh_add(NULL, read_text(texts[0]), "t.jaxpr"), JX_MISUSE);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("library");
    TCase *tc = tcase_create("library");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, format_is_a_fixed_point);
    tcase_add_test(tc, check_reports_once);
    tcase_add_test(tc, codes_are_found);
    tcase_add_test(tc, walking_sees_everything);
    tcase_add_test(tc, one_finding_is_fixed);
    tcase_add_test(tc, stats_of_a_program);
    tcase_add_test(tc, passes_may_follow_one_another);
    tcase_add_test(tc, passes_may_make_types_before_a_check);
    tcase_add_test(tc, modules_can_be_freed_in_any_order);
    tcase_add_test(tc, memory_may_run_out_anywhere);
    tcase_add_test(tc, failed_writes_are_reported);
    tcase_add_test(tc, reading_through_a_callback);
    tcase_add_test(tc, every_prefix_is_survived);
    tcase_add_test(tc, refreshing_reports_conflicts_in_any_order);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
