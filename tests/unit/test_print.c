/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout algebra at its edges: what JAX prints comes back byte for byte, and so it does when the same program was
 * read from one line. Expected texts follow the arithmetic of jax/_src/pretty_printer.py. */
#include "print/naming.h"
#include "print/print.h"
#include "parse/parse.h"
#include "unit.h"

#include <stdio.h>

static const char *
print_at(const char *text, u32 width)
{
    return printed(module_of(text), &(struct print_options){.width = width});
}

/* `from` is printed as `expected`, which is printed unchanged */
static void
assert_prints(const char *from, const char *expected)
{
    ck_assert_str_eq(print_at(from, 0), expected);
    ck_assert_str_eq(print_at(expected, 0), expected);
}

static const char *
repeat(char c, size_t n)
{
    char *s = arena_alloc(&mem, n + 1);
    memset(s, c, n);
    s[n] = 0;
    return s;
}

static const char *
format(const char *pattern, const char *a)
{
    return arena_printf(&mem, pattern, a).at;
}

START_TEST(test_flat_until_80)
{
    /* 46 columns besides the primitive */
    const char *fits = format("{ lambda ; a:f32[]. let b:f32[] = %s a in (b,) }", repeat('x', 34));
    ck_assert_uint_eq(strlen(fits), 80);
    assert_prints(fits, fits);
    const char *longer = repeat('x', 35);
    assert_prints(format("{ lambda ; a:f32[]. let b:f32[] = %s a in (b,) }", longer),
                  format("{ lambda ; a:f32[]. let\n    b:f32[] = %s a\n  in (b,) }", longer));
}
END_TEST

START_TEST(test_empty_bodies)
{
    assert_prints("{ lambda ; . let  in () }", "{ lambda ; . let  in () }");
    assert_prints("{ lambda ; . let in () }", "{ lambda ; . let  in () }");
    assert_prints("{ lambda a:i32[1]; b:f32[]. let  in (b, 1.0:f32[], a) }",
                  "{ lambda a:i32[1]; b:f32[]. let  in (b, 1.0:f32[], a) }");
    assert_prints("{ lambda ; a:i32[] b:i32[] c:i32[] d:i32[] e:i32[] f:i32[] g:i32[] h:i32[] i:i32[] j:i32[]. let  in "
                  "(a,) }",
                  "{ lambda ; a:i32[] b:i32[] c:i32[] d:i32[] e:i32[] f:i32[] g:i32[] h:i32[] i:i32[]\n    j:i32[]. "
                  "let\n    \n  in (a,) }");
}
END_TEST

START_TEST(test_lists_fill_past_80)
{
    /* a separator breaks only if its own column is past the width: lines may be longer than 80 */
    assert_prints(
        "{ lambda ; a:i32[]. let "
        "b:i32[] c:i32[] d:i32[] e:i32[] f:i32[] g:i32[] h:i32[] i:i32[] j:i32[] k:i32[] l:i32[] = foo a a a a "
        "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a in (b, c, d, e, f, g, h, i, j, "
        "k, l, b, c, d, e, f, g, h, i, j, k, l, b, c, d, e, f, g) }",
        "{ lambda ; a:i32[]. let\n"
        "    b:i32[] c:i32[] d:i32[] e:i32[] f:i32[] g:i32[] h:i32[] i:i32[] j:i32[] k:i32[]\n"
        "      l:i32[] = foo a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a\n"
        "      a a a a a a a a a\n"
        "  in (b, c, d, e, f, g, h, i, j, k, l, b, c, d, e, f, g, h, i, j, k, l, b, c, d,\n"
        "    e, f, g) }");
}
END_TEST

START_TEST(test_operands_stay_outside_the_group)
{
    const char *text = "{ lambda ; a:f32[8,512,512]. let\n"
                       "    b:f32[32,512,512] = convert_element_type[new_dtype=float32 weak_type=False] a\n"
                       "    c:f32[32,512,512,512] = convert_element_type[\n"
                       "      new_dtype=float32\n"
                       "      weak_type=False\n"
                       "    ] a\n"
                       "  in (b, c) }";
    assert_prints(text, text);
}
END_TEST

START_TEST(test_nested_programs)
{
    const char *text = "{ lambda ; a:f32[1]. let\n"
                       "    b:f32[1] = jit[\n"
                       "      name=inner_fn\n"
                       "      jaxpr={ lambda ; a:f32[1]. let b:f32[1] = add a 1.0:f32[] in (b,) }\n"
                       "    ] a\n"
                       "    c:f32[1] = cond[\n"
                       "      branches=(\n"
                       "        { lambda ; d:f32[1]. let e:f32[1] = sin d in (e,) }\n"
                       "        { lambda ; f:f32[1]. let\n"
                       "            g:f32[1] = reduce_something_with_a_long_name[axes=(0, 1, 2)] f\n"
                       "          in (g,) }\n"
                       "      )\n"
                       "    ] 0:i32[] a\n"
                       "  in (c,) }";
    assert_prints(text, text);
}
END_TEST

START_TEST(test_empty_tuple_at_column_79)
{
    const char *key = repeat('k', 72);
    const char *broken =
        arena_printf(&mem,
                     "{ lambda ; a:f32[]. let\n    b:f32[] = foo[\n      b=1\n      %s=(\n        \n      "
                     ")\n    ] a\n  in (b,) }",
                     key)
            .at;
    assert_prints(format("{ lambda ; a:f32[]. let b:f32[] = foo[b=1 %s=()] a in (b,) }", key), broken);
    const char *flat = format(
        "{ lambda ; a:f32[]. let\n    b:f32[] = foo[\n      b=1\n      %s=()\n    ] a\n  in (b,) }", repeat('k', 71));
    assert_prints(flat, flat);
}
END_TEST

START_TEST(test_multi_line_values)
{
    /* a newline within a value counts as one column, and does not start a new line for the layout */
    const char *text = "{ lambda ; a:f32[]. let\n"
                       "    b:f32[] = foo[arr=[[0 1]\n [2 3]] k=1] a\n"
                       "    c:f32[] = foo[arr=[[0 1]\n [2 3]] k=1] b\n"
                       "  in (c,) }";
    assert_prints(text, text);
}
END_TEST

START_TEST(test_effects)
{
    assert_prints("{ lambda ; a:f32[]. let  in (a,) : {  } }", "{ lambda ; a:f32[]. let  in (a,) : {  } }");
    assert_prints("{ lambda ; a:f32[]. let debug_print[fmt=x] a in () : { Debug, OrderedIO } }",
                  "{ lambda ; a:f32[]. let debug_print[fmt=x] a in () : { Debug, OrderedIO } }");
}
END_TEST

START_TEST(test_equations_without_results_or_operands)
{
    assert_prints("{ lambda ; a:f32[]. let eff ; eff[k=1] a in () }",
                  "{ lambda ; a:f32[]. let eff ; eff[k=1] a in () }");
}
END_TEST

START_TEST(test_shared_programs)
{
    const char *text = "let f = { lambda ; a:f32[1]. let b:f32[1] = add a 1.0:f32[] in (b,) } in\n"
                       "{ lambda ; c:f32[1]. let\n"
                       "    d:f32[1] = jit[name=f jaxpr=f] c\n"
                       "    e:f32[1] = jit[name=f jaxpr=f] d\n"
                       "  in (e,) }";
    assert_prints(text, text);
}
END_TEST

START_TEST(test_other_widths)
{
    const char *text = "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b in (c,) }";
    ck_assert_str_eq(print_at(text, 65),
                     "{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n    c:f32[] = cos b\n  in (c,) }");
    ck_assert_str_eq(print_at(text, 66), text);
    ck_assert_str_eq(print_at(print_at(text, 20), 80), text);
}
END_TEST

START_TEST(test_comments)
{
    const char *text = "{ lambda ; a:f32[]. let\n"
                       "    b:f32[] = sin a     # t.py:2:8 (g)\n"
                       "                        # []\n"
                       "    c:f32[] = cos b     # t.py:3:11 (g)\n"
                       "                        # []\n"
                       "  in (c,) }";
    struct module *m = module_of(text);
    m->programs.at[0].versions = range_at(JAX_LITERALS_TYPED);
    struct sink out;
    sink_init_memory(&out, &mem);
    print_program(&out, m, 0, NULL);
    ck_assert_uint_eq(out.n, strlen(text));
    ck_assert_mem_eq(out.at, text, out.n);
    /* the engine of 0.6.2 keeps a short program flat, and its comments accumulate */
    m->programs.at[0].versions = range_at(JAX_COMMENTS_IN_LINES);
    const char *flat = "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b in (c,) } # t.py:2:8 (g)\n"
                       "                                                                   # []\n"
                       "                                                                   # t.py:3:11 (g)\n"
                       "                                                                   # []";
    sink_init_memory(&out, &mem);
    print_program(&out, m, 0, NULL);
    ck_assert_str_eq(arena_copy(&mem, (struct slice){out.at, out.n}).at, flat);
    ck_assert_str_eq(print_at(flat, 0), flat);
    sink_init_memory(&out, &mem);
    print_program(&out, m, 0, &(struct print_options){.comments = COMMENTS_NONE});
    ck_assert_str_eq(arena_copy(&mem, (struct slice){out.at, out.n}).at,
                     "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b in (c,) }");
}
END_TEST

START_TEST(test_width_of_non_ascii)
{
    const char *text =
        "{ lambda ; a:f32[]. let b:f32[] = foo[k=\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
        "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9] a in (b,) }";
    struct module *m = module_of(text);
    struct sink out;
    sink_init_memory(&out, &mem);
    m->programs.at[0].versions = range_at(JAX_LITERALS_TYPED);
    print_program(&out, m, 0, NULL);
    ck_assert_uint_eq(out.n, strlen(text));
    sink_init_memory(&out, &mem);
    m->programs.at[0].versions = range_at(JAX_PRINTER_IN_CPP);
    print_program(&out, m, 0, NULL);
    ck_assert_ptr_nonnull(memchr(out.at, '\n', out.n));
}
END_TEST

START_TEST(test_deep_nesting_is_linear)
{
    /* every body begins a line: without a bound, indentation would be quadratic; operands must remain operands */
    enum { DEPTH = 5000 };
    struct sink text, out;
    sink_init_memory(&text, &mem);
    for (u32 i = 0; i < DEPTH; i++)
        sink_printf(&text, "{ lambda ; a:f32[] c:f32[]. let b:f32[] = f[jaxpr=");
    sink_printf(&text, "{ lambda ; a:f32[] c:f32[]. let  in (a,) }");
    for (u32 i = 0; i < DEPTH; i++)
        sink_printf(&text, "] a c in (b,) }");
    const char *once = print_at(arena_copy(&mem, (struct slice){text.at, text.n}).at, 0);
    sink_init_memory(&out, &mem);
    ck_assert_uint_lt(strlen(once), (size_t)DEPTH * 7 * 1100);
    ck_assert_uint_eq(module_of(once)->eqns.n, DEPTH);
    ck_assert_str_eq(print_at(once, 0), once);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("print");
    TCase *layout = tcase_create("layout");
    tcase_add_checked_fixture(layout, mem_open, mem_close);
    tcase_add_test(layout, test_flat_until_80);
    tcase_add_test(layout, test_empty_bodies);
    tcase_add_test(layout, test_lists_fill_past_80);
    tcase_add_test(layout, test_operands_stay_outside_the_group);
    tcase_add_test(layout, test_nested_programs);
    tcase_add_test(layout, test_empty_tuple_at_column_79);
    tcase_add_test(layout, test_multi_line_values);
    tcase_add_test(layout, test_effects);
    tcase_add_test(layout, test_equations_without_results_or_operands);
    tcase_add_test(layout, test_shared_programs);
    tcase_add_test(layout, test_other_widths);
    tcase_add_test(layout, test_comments);
    tcase_add_test(layout, test_width_of_non_ascii);
    tcase_add_test(layout, test_deep_nesting_is_linear);
    suite_add_tcase(suite, layout);
    return suite_run(suite);
}
