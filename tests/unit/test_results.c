/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of calls that rewrite and compare programs: origins of binders, differences, and lifetimes; costs that a
 * module stores. */
#include "library.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static int
count(void *user, const char *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)user += n;
    return 0;
}

/* rewrites the programs of a text, and lists the origins of the first one's binders and outputs: `c0 i1 n new` */
static const char *
origins(const char *text, unsigned passes, uint32_t many)
{
    static const char *const words[] = {"c", "i", "o", "nested", "new"};
    static char answer[400];
    struct jx_normal_options how = {.size = sizeof how, .passes = passes, .count = many};
    jx_module *module = read_text(text);
    jx_rewrite *rewrite;
    struct jx_origin origin;
    struct jx_site site;
    size_t written = 0, n = 0;
    ck_assert_int_eq(jx_normalize(module, &how, many ? NULL : count, &written, &rewrite), JX_OK);
    ck_assert_int_eq(jx_resolve(module), JX_OK);
    answer[0] = 0;
    for (int outputs = 0; outputs < 2; outputs++)
        for (uint32_t i = 0;
             outputs ? jx_rewritten_output(rewrite, 0, i, &origin) : jx_rewritten_binder(rewrite, 0, i, &origin); i++) {
            n += (size_t)snprintf(answer + n, sizeof answer - n, " %s", words[origin.kind]);
            if (origin.index != JX_NONE)
                n += (size_t)snprintf(answer + n, sizeof answer - n, "%u", (unsigned)origin.index);
            if (!outputs && origin.kind != JX_ORIGIN_NEW) {
                ck_assert(jx_definition(module, origin.variable, &site));
                ck_assert_int_eq(site.part, JX_PART_BINDER);
            }
        }
    jx_rewrite_free(rewrite);
    return answer;
}

START_TEST(binders_have_origins)
{
    static const char plain[] = "{ lambda a:f32[2] b:f32[3]; c:f32[]. let d:f32[] = sin c in (d, c) }\n";
    static const char nested[] = "{ lambda ; a:f32[]. let\n"
                                 "    b:f32[] = jit[name=f jaxpr={ lambda c:f32[]; d:f32[]. let e:f32[] = add c d in"
                                 " (e,) }] a\n  in (b,) }\n";
    static const char implicit[] = "{ lambda ; n:i32[] a:f32[n]. let b:f32[n] = sin a in (b,) }\n";
    static const char sized[] = "{ lambda ; a:f32[n]. let b:f32[n] = sin a in (b,) }\n";
    ck_assert_str_eq(origins(plain, JX_PASS_CONSTANTS, 0), " c0 c1 i0 o0 o1");
    ck_assert_str_eq(origins(plain, JX_PASS_ARGS_TO_CONSTS, 1), " c0 c1 i0 o0 o1");
    ck_assert_str_eq(origins(plain, JX_PASS_DCE, 0), " c0 c1 i0 o0 o1");
    ck_assert_str_eq(origins(plain, 0, 0), " c0 c1 i0 o0 o1");
    ck_assert_str_eq(origins(nested, JX_PASS_LIFT, 0), " nested i0 o0");
    ck_assert_str_eq(origins(nested, JX_PASS_LIFT | JX_PASS_CONSTANTS, 0), " nested i0 o0");
    ck_assert_str_eq(origins(sized, JX_PASS_EXPAND, 0), " new i0 o0");
    ck_assert_str_eq(origins(implicit, JX_PASS_COLLAPSE, 0), " i1 o0");
}
END_TEST

START_TEST(rewrites_say_what_became_of_programs)
{
    static const char text[] = "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a in (b,) }\n"
                               "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n"
                               "{ lambda ; a:f32[]. let b:f32[] = sin in in (b,) }\n";
    struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_DCE};
    jx_module *module = read_text(text);
    jx_rewrite *rewrite;
    struct jx_rewritten r;
    size_t n = 0;
    ck_assert_int_eq(jx_normalize(module, &how, count, &n, &rewrite), JX_OK);
    ck_assert_uint_eq(jx_rewrite_changed(rewrite), 1);
    ck_assert(jx_rewritten_at(rewrite, 0, &r) && r.written && r.changed && r.inputs == 1 && r.outputs == 1);
    ck_assert(jx_rewritten_at(rewrite, 1, &r) && r.written && !r.changed);
    ck_assert(jx_rewritten_at(rewrite, 2, &r) && !r.written && !r.changed);
    ck_assert(!jx_rewritten_at(rewrite, 3, &r));
    ck_assert(!jx_rewritten_at(NULL, 0, &r));
    jx_rewrite_free(NULL);
}
END_TEST

START_TEST(a_program_is_kept_if_annotations_would_be_errors)
{
    static const char text[] = "{ lambda ; a:i64[] b:f64[3]. let\n"
                               "    c d = while_loop[\n"
                               "      body_jaxpr={ lambda ; e f. let in (e, f) }\n"
                               "      body_nconsts=0\n"
                               "      cond_jaxpr={ lambda ; e:i64[] f. let g:bool[] = lt e 3 in (g,) }\n"
                               "      cond_nconsts=0\n"
                               "      nimplicit=2\n"
                               "      preserve_dimensions=False\n"
                               "    ] a b\n"
                               "  in (c, d) }\n"
                               "{ lambda ; a:f32[] b:f32[]. let c = add a b in (c,) }\n"
                               "{ lambda ; a:f32[] b:f32[3]. let c:f32[3] = add a b in (c,) }\n";
    struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_ANNOTATE};
    jx_module *module = read_text(text);
    jx_rewrite *rewrite;
    struct jx_rewritten r;
    size_t n = 0;
    ck_assert_int_eq(jx_normalize(module, &how, count, &n, &rewrite), JX_OK);
    ck_assert(jx_rewritten_at(rewrite, 0, &r) && r.refused && !r.changed);
    ck_assert(jx_rewritten_at(rewrite, 1, &r) && !r.refused && r.changed);
    ck_assert(jx_rewritten_at(rewrite, 2, &r) && !r.refused && !r.changed); /* its error is its own */
    jx_rewrite_free(rewrite);
    jx_module_free(module);
}
END_TEST

START_TEST(differences_are_data)
{
    jx_module *a = read_text("{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = neg b in (c,) }\n"),
              *b = read_text("{ lambda ; x:f32[3]. let y:f32[3] = sin x; z:f32[3] = neg y; w:f32[3] = mul z 2.0:f32[]"
                             " in (w,) }\n{ lambda ; . let  in () }\n");
    jx_differences *found;
    struct jx_diff_counts counts;
    struct jx_difference d;
    struct jx_equation e;
    ck_assert_int_eq(jx_diff(a, b, NULL, NULL, NULL, &found), JX_OK);
    ck_assert(jx_differences_counts(found, &counts) && counts.added == 1 && counts.programs == 1);
    jx_module_free(a);
    ck_assert(jx_difference_at(found, 0, &d) && d.kind == JX_DIFFERENCE_PROGRAM_ADDED);
    ck_assert(d.program[0] == JX_NONE && d.program[1] == 1);
    bool added = false, outputs = false;
    for (uint32_t i = 1; jx_difference_at(found, i, &d); i++) {
        struct jx_change change;
        outputs |= d.kind == JX_DIFFERENCE_OUTPUTS;
        if (d.kind == JX_DIFFERENCE_OUTPUTS)
            ck_assert(jx_change_at(found, i, 0, &change) && change.part == JX_CHANGE_OUTPUT && change.index == 0);
        ck_assert(!jx_change_at(found, i, d.changes, &change));
        if (d.kind != JX_DIFFERENCE_ADDED)
            continue;
        added = true;
        ck_assert(d.equation[0] == JX_NONE && jx_equation_at(b, d.equation[1], &e));
        ck_assert(e.primitive.n == 3 && memcmp(e.primitive.at, "mul", 3) == 0);
    }
    ck_assert(added && outputs);
    jx_module_free(b);
    ck_assert(jx_difference_at(found, 0, &d));
    jx_differences_free(found);
}
END_TEST

START_TEST(results_outlive_their_modules)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        jx_module *module = read_text("{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\n");
        struct jx_normal_options how = {.size = sizeof how, .in_place = in_place};
        struct jx_compare_options same = {.size = sizeof same, .functions = true};
        jx_rewrite *rewrite;
        jx_digest_list *list;
        struct jx_function f;
        struct jx_diagnostic d;
        size_t n = 0;
        ck_assert_int_eq(jx_digests(module, &same, &list), JX_OK);
        ck_assert_int_eq(jx_normalize(module, &how, count, &n, &rewrite), JX_OK);
        ck_assert_int_eq(jx_rewrite_module(rewrite) == module, in_place);
        jx_module_free(module);
        ck_assert(jx_diagnostic_at(jx_rewrite_module(rewrite), 0, &d) && strcmp(d.code.code, "S012") == 0);
        jx_module_free(jx_rewrite_module(rewrite)); /* belongs to the rewrite, or is freed with it */
        ck_assert(jx_diagnostic_at(jx_rewrite_module(rewrite), 0, &d) && d.place.line == 1);
        if (in_place)
            jx_rewrite_free(rewrite);
        ck_assert_uint_gt(jx_digest_at(list, 0).n, 0);
        ck_assert(jx_function_at(list, 0, &f) && f.line == 1);
        jx_digest_list_free(list);
        if (!in_place)
            jx_rewrite_free(rewrite);
    }
}
END_TEST

START_TEST(an_unbound_size_leaves_no_digest)
{
    for (int checked = 0; checked < 2; checked++) {
        jx_module *module = read_text("{ lambda ; n:i64[] p:i64[] a:f32[n]. let b:f32[m] = f a in (b,) }\n"
                                      "{ lambda ; n:i64[] p:i64[] a:f32[n]. let b:f32[n] = f a in (b,) }\n");
        jx_digest_list *list;
        struct jx_diagnostic d;
        if (checked)
            ck_assert_int_eq(jx_check(module, NULL), JX_OK);
        ck_assert_int_eq(jx_digests(module, NULL, &list), JX_OK);
        ck_assert_uint_eq(jx_digest_at(list, 0).n, 0);
        ck_assert_uint_gt(jx_digest_at(list, 1).n, 0);
        int unbound = 0;
        for (uint32_t i = 0; jx_diagnostic_at(jx_digest_list_module(list), i, &d); i++)
            unbound += strcmp(d.code.code, "D101") == 0;
        ck_assert_int_eq(unbound, 1);
        jx_digest_list_free(list);
        jx_module_free(module);
    }
}
END_TEST

static int
count_polls(void *user, uint64_t steps)
{
    (void)steps;
    ++*(int *)user;
    return 0;
}

/* asks for the costs of equations first .. first + n - 1 of a program; returns the number of calls for progress */
static int
ask_costs(jx_module *module, uint32_t program, uint32_t first, uint32_t n)
{
    int polls = 0;
    struct jx_equation_cost cost;
    ck_assert_int_eq(jx_set_progress(context, count_polls, &polls), JX_OK);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_int_eq(jx_equation_cost(module, program, first + i, &cost), JX_OK);
        ck_assert(cost.known);
        ck_assert_double_eq(cost.cost.flops.value, program + 1);
    }
    ck_assert_int_eq(jx_set_progress(context, NULL, NULL), JX_OK);
    return polls;
}

START_TEST(costs_of_equations_are_computed_once)
{
    enum { MANY = 5000 };
    static char text[MANY * 100];
    size_t n = 0;
    for (int program = 1; program <= 2; program++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "{ lambda ; a:f32[%d]. let\n", program);
        for (int i = 0; i < MANY; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "    b%d:f32[%d] = neg a\n", i, program);
        n += (size_t)snprintf(text + n, sizeof text - n, "  in () }\n");
    }
    jx_module *module = read_text(text);
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    int first = ask_costs(module, 0, 0, 1);
    ck_assert_int_gt(first, 0);
    for (uint32_t i = 0; i < 3; i++) /* MANY times `first` if each call computed all costs */
        ck_assert_int_lt(ask_costs(module, i % 2, i % 2 * MANY, MANY), 10 * first);
    jx_module_free(module);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("results");
    TCase *tc = tcase_create("results");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, binders_have_origins);
    tcase_add_test(tc, rewrites_say_what_became_of_programs);
    tcase_add_test(tc, a_program_is_kept_if_annotations_would_be_errors);
    tcase_add_test(tc, differences_are_data);
    tcase_add_test(tc, results_outlive_their_modules);
    tcase_add_test(tc, an_unbound_size_leaves_no_digest);
    tcase_add_test(tc, costs_of_equations_are_computed_once);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
