/* SPDX-License-Identifier: Apache-2.0
 *
 * A caller that does everything wrong: NULL for every handle and pointer, enumerators that do not exist, options of
 * other sizes, calls in the wrong order. Each call is rejected with a message, and the module works afterwards. */
#include "jaxpr.h"
#include "tour.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }\n";

static jx_context *context;
static jx_module *module;

static int
count(void *user, const char *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)user += n;
    return 0;
}

static ptrdiff_t
read_nothing(void *user, char *into, size_t room)
{
    (void)user;
    (void)into;
    (void)room;
    return 0;
}

static void
setup(void)
{
    context = jx_context_new(NULL);
    ck_assert_int_eq(jx_read(context, "t", text, sizeof text - 1, &module), JX_OK);
}

static void
teardown(void)
{
    size_t n = 0;
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    ck_assert_uint_eq(jx_diagnostic_count(module, JX_NOTE), 0);
    ck_assert_int_eq(jx_format(module, NULL, count, &n), JX_OK);
    ck_assert_uint_eq(n, sizeof text - 1);
    jx_context_free(context);
}

#define refused(call, word) \
    do { \
        ck_assert_int_eq((call), JX_MISUSE); \
        ck_assert_ptr_nonnull(strstr(jx_misuse_text(context), (word))); \
    } while (0)

static enum jx_status
normalize(jx_module *changed)
{
    size_t n = 0;
    struct jx_normal_options how = {.size = sizeof how, .in_place = true};
    return jx_normalize(changed, &how, count, &n, NULL);
}

static enum jx_status
digest(jx_module *changed)
{
    struct jx_compare_options how = {.size = sizeof how, .in_place = true};
    jx_digest_list *list;
    return jx_digests(changed, &how, &list);
}

static enum jx_status
compare(jx_module *changed)
{
    size_t n = 0;
    struct jx_diff_options how = {.size = sizeof how, .in_place = true};
    jx_differences *differences;
    jx_module *other;
    enum jx_status status = jx_read(context, "o", text, sizeof text - 1, &other);
    return status == JX_OK ? jx_diff(changed, other, &how, count, &n, &differences) : status;
}

START_TEST(the_version_is_one)
{
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", JX_VERSION_MAJOR, JX_VERSION_MINOR, JX_VERSION_PATCH);
    ck_assert_str_eq(jx_version(), numbers);
    ck_assert_uint_eq(jx_version_number(), JX_VERSION_NUMBER);
}
END_TEST

/* how far past the last enumerator; UINT32_MAX is the value itself */
static const unsigned beyond[] = {0, 1, 1000, UINT32_MAX};

START_TEST(enumerators_that_do_not_exist_are_refused)
{
    size_t n = 0;
    bool first = true;
    jx_differences *differences;
    jx_program_costs *costs;
    jx_module *other;
    unsigned past = beyond[_i];
    ck_assert_int_eq(jx_read(context, "o", text, sizeof text - 1, &other), JX_OK);
#define PAST(type, last) (type)(past == UINT32_MAX ? past : last + 1u + past)
    struct jx_check_options check = {.size = sizeof check, .dialect = PAST(enum jx_dialect, JX_DIALECT_PENNYLANE)};
    refused(jx_check(module, &check), "`dialect`");
    check = (struct jx_check_options){.size = sizeof check, .dims = PAST(enum jx_dims, JX_DIMS_SYMBOLIC)};
    refused(jx_check(module, &check), "`dims`");
    struct jx_render_options render = {.size = sizeof render, .format = PAST(enum jx_render_format, JX_RENDER_JSONL)};
    refused(jx_render(context, &module, 1, &render, count, &n), "`format`");
    struct jx_diff_options diff = {.size = sizeof diff, .format = PAST(enum jx_diff_form, JX_DIFF_SUMMARY)};
    refused(jx_diff(module, other, &diff, count, &n, &differences), "`format`");
    refused(jx_cost(module, 0, PAST(enum jx_cost_by, JX_COST_BY_SOURCE), &costs), "`by`");
    struct jx_normal_options normal = {.size = sizeof normal, .share = PAST(enum jx_share, JX_SHARE_ALWAYS)};
    refused(jx_normalize(module, &normal, count, &n, NULL), "`share`");
    normal = (struct jx_normal_options){.size = sizeof normal, .passes = 2u * JX_PASS_SPELL};
    refused(jx_normalize(module, &normal, count, &n, NULL), "`passes`");
    normal = (struct jx_normal_options){.size = sizeof normal, .dialect = PAST(enum jx_dialect, JX_DIALECT_PENNYLANE)};
    refused(jx_normalize(module, &normal, count, &n, NULL), "`dialect`");
    struct jx_signature_options sig = {.size = sizeof sig, .dims = PAST(enum jx_dims, JX_DIMS_SYMBOLIC)};
    refused(jx_write_signatures(module, &sig, "t", &first, count, &n), "`dims`");
    sig = (struct jx_signature_options){.size = sizeof sig, .dialect = PAST(enum jx_dialect, JX_DIALECT_PENNYLANE)};
    refused(jx_write_signatures(module, &sig, "t", &first, count, &n), "`dialect`");
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(options_say_their_size)
{
    struct {
        struct jx_check_options known;
        char later[16];
    } newer = {.known = {.size = sizeof newer}};
    refused(jx_check(module, &(struct jx_check_options){.size = 0}), "`size`");
    newer.later[15] = 1;
    refused(jx_check(module, &newer.known), "does not support");
    newer.later[15] = 0;
    ck_assert_int_eq(jx_check(module, &newer.known), JX_OK);
}
END_TEST

START_TEST(wrong_order_is_refused)
{
    struct jx_check_options strict = {.size = sizeof strict, .strict = true};
    jx_program_costs *costs;
    size_t n = 0;
    jx_differences *differences;
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    refused(jx_check(module, &strict), "other options");
    ck_assert_int_eq(jx_cost(module, 0, JX_COST_BY_SHAPE, &costs), JX_OK);
    ck_assert_int_eq(jx_lint(module, NULL, NULL), JX_OK);
    refused(jx_lint(module, NULL, NULL), "linted before");
    refused(jx_diff(module, module, NULL, count, &n, &differences), "itself");
}
END_TEST

START_TEST(changed_programs_are_refused)
{
    static enum jx_status (*const changes[])(jx_module *) = {normalize, digest, compare};
    size_t n = 0;
    bool first = true;
    struct jx_program program;
    struct jx_equation equation;
    jx_program_stats *stats;
    jx_program_costs *costs;
    struct jx_signature_options *none = NULL;
    ck_assert_int_eq(changes[_i](module), JX_OK);
    for (int k = 0; k < 3; k++)
        refused(changes[k](module), "changed");
    refused(jx_check(module, NULL), "changed");
    refused(jx_lint(module, NULL, NULL), "changed");
    refused(jx_format(module, NULL, count, &n), "changed");
    refused(jx_write_json(module, &first, count, &n), "changed");
    refused(jx_write_signatures(module, none, "t", &first, count, &n), "changed");
    refused(jx_page_add(module, 1, count, &n), "changed");
    refused(jx_stats(module, 0, &stats), "changed");
    refused(jx_cost(module, 0, JX_COST_BY_SHAPE, &costs), "changed");
    refused(jx_resolve(module), "changed");
    refused(jx_write_graph(module, NULL, &first, count, &n), "changed");
    refused(jx_contract_write(module, "t", false, &first, count, &n), "changed");
    ck_assert(!jx_program_at(module, 0, &program));
    ck_assert(!jx_equation_at(module, 0, &equation));
    ck_assert_uint_eq(n, 0);
    ck_assert_int_eq(jx_render(context, &module, 1, NULL, count, &n), JX_OK);
    jx_module_free(module);
    ck_assert_int_eq(jx_read(context, "t", text, sizeof text - 1, &module), JX_OK);
}
END_TEST

/* results of several programs coexist, and outlive their module */
START_TEST(results_are_independent)
{
    static const char two[] = "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }\n"
                              "{ lambda ; a:f32[8]. let b:f32[8] = mul a a; c:f32[8] = mul b b in (c,) }\n";
    jx_program_stats *stats[3];
    jx_program_costs *costs[3];
    jx_lint_result *lint;
    struct jx_cost row;
    struct jx_cost_program inner;
    struct jx_costs total;
    uint64_t n;
    jx_module *read;
    ck_assert_int_eq(jx_read(context, "two", two, sizeof two - 1, &read), JX_OK);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(jx_stats(read, i, &stats[i]), JX_OK);
        ck_assert_int_eq(jx_cost(read, i, JX_COST_BY_SHAPE, &costs[i]), JX_OK);
    }
    ck_assert_int_eq(jx_lint(read, NULL, &lint), JX_OK);
    jx_module_free(read);
    for (uint32_t i = 0; i < 2; i++) {
        struct jx_string name = jx_stats_primitive(stats[i], 0, &n);
        ck_assert_uint_eq(n, 1 + i);
        ck_assert_int_eq(memcmp(name.at, i == 0 ? "sin" : "mul", name.n), 0);
        ck_assert(jx_cost_row(costs[i], 0, &row));
        ck_assert_int_eq(memcmp(row.name.at, i == 0 ? "f32[3]" : "f32[8]", row.name.n), 0);
        ck_assert(!jx_cost_row(costs[i], 1, &row));
        ck_assert(jx_cost_program(costs[i], 0, &inner));
        ck_assert_uint_eq(inner.place.line, 1 + i);
    }
    ck_assert(jx_cost_total(costs[2], &total));
    ck_assert_uint_eq(total.rows, 0);
    ck_assert(!jx_cost_row(costs[2], 0, &row));
    ck_assert_uint_eq(jx_stats_primitive(stats[2], 0, &n).n, 0);
    ck_assert_uint_eq(jx_lint_suppressed(lint), 0);
    for (uint32_t i = 0; i < 3; i++) {
        jx_stats_free(stats[i]);
        jx_cost_free(costs[i]);
    }
    jx_lint_free(lint);
}
END_TEST

START_TEST(a_checked_module_keeps_its_options)
{
    struct jx_check_options strict = {.size = sizeof strict, .strict = true};
    jx_program_costs *costs;
    ck_assert_int_eq(jx_check(module, &strict), JX_OK);
    ck_assert_int_eq(jx_check(module, &strict), JX_OK);
    ck_assert_int_eq(jx_cost(module, 0, JX_COST_BY_SHAPE, &costs), JX_OK);
    refused(jx_check(module, NULL), "other options");
    jx_module_free(module);
    ck_assert_int_eq(jx_read(context, "t", text, sizeof text - 1, &module), JX_OK);
}
END_TEST

START_TEST(what_holds_no_programs_is_only_text)
{
    if (!configurations_are_read())
        return;
    jx_config *config;
    jx_signatures *signatures;
    size_t n = 0;
    struct jx_program program;
    ck_assert_int_eq(jx_read_config(context, "c", read_nothing, NULL, 0, &config), JX_OK);
    ck_assert_int_eq(jx_read_signatures(context, "s", read_nothing, NULL, 0, &signatures), JX_OK);
    jx_module *texts[] = {jx_config_module(config), jx_signatures_module(signatures)};
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(jx_program_count(texts[i]), 0);
        ck_assert(!jx_program_at(texts[i], 0, &program));
        ck_assert_int_eq(jx_check(texts[i], NULL), JX_OK);
        ck_assert_int_eq(jx_format(texts[i], NULL, count, &n), JX_OK);
        jx_module_free(texts[i]); /* belongs to its owner */
    }
    ck_assert_int_eq(jx_contract_check(module, config, "t"), JX_OK);
    jx_config_free(config);
    jx_signatures_free(signatures);
    jx_config_free(NULL);
    jx_signatures_free(NULL);
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(null_is_refused)
{
    size_t n = 0;
    bool flag = true;
    jx_module *read = module;
    jx_config *config = NULL;
    jx_extract *extract = NULL;
    jx_module *other;
    jx_differences *differences;
    jx_digest_list *list;
    struct jx_code code;
    ck_assert_int_eq(jx_read(context, "o", text, sizeof text - 1, &other), JX_OK);
    ck_assert_int_eq(jx_read(NULL, "t", text, 1, &read), JX_MISUSE);
    ck_assert_ptr_null(read);
    ck_assert_str_ne(jx_misuse_text(NULL), "");
    refused(jx_read(context, NULL, text, 1, &read), "`name`");
    refused(jx_read(context, "t", NULL, 1, &read), "`bytes`");
    refused(jx_read(context, "t", text, 1, NULL), "`module`");
    refused(jx_read_from(context, "t", NULL, NULL, 0, &read), "`read`");
    refused(jx_read_config(context, "t", NULL, NULL, 0, &config), "`read`");
    refused(jx_extract_begin(context, "t", NULL, NULL, &extract), "`read`");
    refused(jx_render(context, NULL, 1, NULL, count, &n), "`modules`");
    refused(jx_render(context, &module, 1, NULL, NULL, NULL), "`write`");
    refused(jx_format(module, NULL, NULL, NULL), "`write`");
    refused(jx_write_json(module, NULL, count, &n), "`first`");
    refused(jx_stats(module, 0, NULL), "`stats`");
    refused(jx_diff(module, NULL, NULL, count, &n, &differences), "`b`");
    refused(jx_diff(module, other, NULL, count, &n, NULL), "`differences`");
    refused(jx_digests(module, NULL, NULL), "`list`");
    refused(jx_contract_check(module, NULL, "t"), "`config`");
    ck_assert_int_eq(jx_check(NULL, NULL), JX_MISUSE);
    ck_assert_int_eq(jx_lint(NULL, NULL, NULL), JX_MISUSE);
    ck_assert_int_eq(jx_digests(NULL, NULL, &list), JX_MISUSE);
    ck_assert_int_eq(jx_normalize(NULL, NULL, count, &n, NULL), JX_MISUSE);
    ck_assert_int_eq(jx_write_json(NULL, &flag, count, &n), JX_MISUSE);
    ck_assert_int_eq(jx_write_fixed(NULL, count, &n), JX_MISUSE);
    ck_assert_int_eq(jx_write_baseline(NULL, count, &n), JX_MISUSE);
    ck_assert_int_eq(jx_page_add(NULL, 1, count, &n), JX_MISUSE);
    refused(jx_page_add_parts(module, 1, 0, count, &n), "`parts`");
    refused(jx_page_add_parts(module, 1, 1 << 30, count, &n), "`parts`");
    ck_assert_int_eq(jx_report_add(NULL, module), JX_MISUSE);
    ck_assert_int_eq(jx_report_end(NULL), JX_MISUSE);
    ck_assert_int_eq(jx_contract_report_unused(NULL), JX_MISUSE);
    ck_assert_int_eq(jx_refresh_write(NULL, count, &n), JX_MISUSE);
    ck_assert_int_eq(jx_set_parse_options(NULL, NULL), JX_MISUSE);
    ck_assert_uint_eq(jx_diagnostic_count(NULL, JX_NOTE), 0);
    ck_assert_uint_eq(jx_program_count(NULL), 0);
    ck_assert_uint_eq(jx_lint_findings(NULL), 0);
    ck_assert(!jx_code_find(NULL, &code));
    ck_assert_ptr_null(jx_config_module(NULL));
    jx_extract_end(NULL);
    jx_module_free(NULL);
    ck_assert_uint_eq(n, 0);
}
END_TEST

/* unusual modules: 0 NULL; 1, 2, 3 rewritten, digested and compared; 4 without programs; 5 with errors */
static jx_module *
odd_module(int kind)
{
    static const char broken[] = "let f = { lambda ; a:f32[. let }\n{ lambda ; a:f32[3] let b = in (\n\xff\n";
    jx_module *made = NULL;
    if (kind == 0)
        return NULL;
    const char *bytes = kind <= 3 ? tour_text : kind == 4 ? "" : broken;
    ck_assert_int_eq(jx_read(context, "odd", bytes, strlen(bytes), &made), JX_OK);
    if (kind <= 3)
        ck_assert_int_eq(kind == 1 ? normalize(made) : kind == 2 ? digest(made) : compare(made), JX_OK);
    return made;
}

START_TEST(every_function_with_odd_modules)
{
    size_t n = 0;
    int kind = _i % 6;
    const struct station *station = &stations[_i / 6];
    struct tour t = {.context = context, .module = odd_module(kind), .write = count, .user = &n};
    station->visit(&t);
    ck_assert(t.status == JX_OK || t.status == JX_MISUSE);
    station->visit(&t);
    ck_assert(t.status == JX_OK || t.status == JX_MISUSE);
    jx_module_free(t.module);
}
END_TEST

/* every function of the library, with one failing allocation, or all from one on: it reports that or succeeds, and
 * nothing leaks */
START_TEST(every_function_runs_out_of_memory)
{
    const struct station *station = &stations[_i / 2];
    for (long n = 0;; n++) {
        struct scarce s = {.left = n, .once = _i % 2 == 1};
        struct jx_allocator allocator = {scarce_resize, &s};
        jx_context *own = jx_context_new(&allocator);
        size_t out = 0;
        struct tour t = {.context = own, .write = count, .user = &out};
        if (own != NULL && jx_read(own, "t.jaxpr", tour_text, strlen(tour_text), &t.module) == JX_OK)
            station->visit(&t);
        jx_context_free(own);
        ck_assert_msg(s.live == 0, "%s: %ld blocks kept when allocation %ld failed", station->name, s.live, n);
        if (s.left >= 0) {
            ck_assert_msg(t.status == JX_OK, "%s: %s", station->name, jx_status_text(t.status));
            ck_assert_uint_gt(out, 0);
            break;
        }
        ck_assert_msg(t.status == JX_OK || t.status == JX_OUT_OF_MEMORY || t.status == JX_MISUSE, "%s: %s",
                      station->name, jx_status_text(t.status)); /* JX_MISUSE: an argument could not be allocated */
    }
}
END_TEST

/* calls without a context */
START_TEST(every_function_without_a_context)
{
    size_t n = 0;
    for (const struct station *station = stations; station->name != NULL; station++) {
        struct tour t = {.write = count, .user = &n};
        station->visit(&t);
        ck_assert(t.status == JX_MISUSE || (t.status == JX_OK && strchr("t", station->name[0])));
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("misuse");
    TCase *tc = tcase_create("misuse");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_version_is_one);
    tcase_add_loop_test(tc, enumerators_that_do_not_exist_are_refused, 0, sizeof beyond / sizeof *beyond);
    tcase_add_test(tc, options_say_their_size);
    tcase_add_test(tc, wrong_order_is_refused);
    tcase_add_test(tc, a_checked_module_keeps_its_options);
    tcase_add_loop_test(tc, changed_programs_are_refused, 0, 3);
    tcase_add_test(tc, results_are_independent);
    tcase_add_test(tc, what_holds_no_programs_is_only_text);
    tcase_add_test(tc, null_is_refused);
    int tour = 0;
    while (stations[tour].name != NULL)
        tour++;
    tcase_add_loop_test(tc, every_function_with_odd_modules, 0, 6 * tour);
    tcase_add_test(tc, every_function_without_a_context);
    tcase_add_loop_test(tc, every_function_runs_out_of_memory, 0, 2 * tour);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
