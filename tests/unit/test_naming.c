/* SPDX-License-Identifier: Apache-2.0
 *
 * Names as the printers of JAX choose them: each text first gets other names, and must come back with those that the
 * given version of JAX would have chosen. */
#include "resolve/check.h"
#include "print/naming.h"
#include "print/print.h"
#include "parse/parse.h"
#include "unit.h"

static const char *
renamed(const char *text, u32 version)
{
    struct module m;
    struct diags diags;
    diags_init(&diags, &mem);
    struct text bytes;
    text_init(&mem, &bytes, SLICE("test"), text, strlen(text));
    parse_module(&m, &mem, bytes, &(struct parse_how){.no_fast_path = false}, &diags);
    check_scopes(&m, &(struct resolution){0}, &diags);
    ck_assert_msg(diags.errors == 0, "errors in: %s", text);
    for (program_t p = 0; p < m.programs.n; p++) {
        m.programs.at[p].versions = (struct version_range){{version}, {version}};
        m.programs.at[p].dated = true;
        if (!m.programs.at[p].pasted && m.programs.at[p].main != NONE)
            rename_program(&m, p, m.programs.at[p].versions, false);
    }
    return printed(&m, NULL);
}

START_TEST(test_order_of_appearance)
{
    ck_assert_str_eq(
        renamed("{ lambda k:f32[3]; y:f32[] x:i32[]. let w:f32[] = sin y; v:f32[3] = mul k w in (v, x) }", 428),
        "{ lambda a:f32[3]; b:f32[] c:i32[]. let\n    d:f32[] = sin b\n    e:f32[3] = mul a d\n  in (e, c) }");
}
END_TEST

START_TEST(test_two_letters_follow_z)
{
    ck_assert_str_eq(
        renamed("{ lambda ; x0:i8[] x1:i8[] x2:i8[] x3:i8[] x4:i8[] x5:i8[] x6:i8[] x7:i8[] x8:i8[] x9:i8[] "
                "y0:i8[] y1:i8[] y2:i8[] y3:i8[] y4:i8[] y5:i8[] y6:i8[] y7:i8[] y8:i8[] y9:i8[] z0:i8[] "
                "z1:i8[] z2:i8[] z3:i8[] z4:i8[] z5:i8[] z6:i8[]. let  in (z5, z6) }",
                1200),
        "{ lambda ; a:i8[] b:i8[] c:i8[] d:i8[] e:i8[] f:i8[] g:i8[] h:i8[] i:i8[] j:i8[]\n"
        "    k:i8[] l:i8[] m:i8[] n:i8[] o:i8[] p:i8[] q:i8[] r:i8[] s:i8[] t:i8[] u:i8[]\n"
        "    v:i8[] w:i8[] x:i8[] y:i8[] z:i8[] ba:i8[]. let\n    \n  in (z, ba) }");
}
END_TEST

static const char nested[] = "{ lambda ; x:f32[1]. let\n"
                             "    y:f32[1] = jit[\n"
                             "      name=f\n"
                             "      jaxpr={ lambda ; p:f32[1] q:f32[1]. let r:f32[1] = add p q in (r,) }\n"
                             "    ] x x\n"
                             "  in (y,) }";

START_TEST(test_jit_takes_outer_names)
{
    /* from 0.5.3; the second input is the same operand and gets a name of its own */
    ck_assert_str_eq(renamed(nested, 503),
                     "{ lambda ; a:f32[1]. let\n"
                     "    b:f32[1] = jit[\n"
                     "      name=f\n"
                     "      jaxpr={ lambda ; a:f32[1] c:f32[1]. let b:f32[1] = add a c in (b,) }\n"
                     "    ] a a\n"
                     "  in (b,) }");
    ck_assert_str_eq(renamed(nested, 428),
                     "{ lambda ; a:f32[1]. let\n"
                     "    b:f32[1] = jit[\n"
                     "      name=f\n"
                     "      jaxpr={ lambda ; c:f32[1] d:f32[1]. let e:f32[1] = add c d in (e,) }\n"
                     "    ] a a\n"
                     "  in (b,) }");
}
END_TEST

START_TEST(test_results_named_out_of_order)
{
    /* a fresh inner output names its outer result before the left side is built */
    ck_assert_str_eq(
        renamed("{ lambda ; x:f32[]. let u:i32[] v:f32[] = jit[name=f jaxpr={ lambda ; x:f32[]. let w:f32[] = "
                "sin x in (2:i32[], w) }] x in (u, v) }",
                1200),
        "{ lambda ; a:f32[]. let\n"
        "    c:i32[] b:f32[] = jit[\n"
        "      name=f\n"
        "      jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (2:i32[], b) }\n"
        "    ] a\n"
        "  in (c, b) }");
}
END_TEST

START_TEST(test_unused_results)
{
    static const char text[] = "{ lambda ; x:f32[2]. let\n"
                               "    i:i32[] u:f32[] = scan[\n"
                               "      jaxpr={ lambda ; p:f32[]. let r:f32[] = sin p; s:f32[] = cos p in (s, p) }\n"
                               "    ] x\n"
                               "  in (u,) }";
    /* from 0.10.1 the printer decides, for the top only */
    ck_assert_str_eq(renamed(text, 1001),
                     "{ lambda ; a:f32[2]. let\n"
                     "    _:i32[] b:f32[] = scan[\n"
                     "      jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c; e:f32[] = cos c in (e, c) }\n"
                     "    ] a\n"
                     "  in (b,) }");
    /* up to 0.10.0 tracing decided which variables are `_`: the others are named */
    ck_assert_str_eq(renamed(text, 1000),
                     "{ lambda ; a:f32[2]. let\n"
                     "    b:i32[] c:f32[] = scan[\n"
                     "      jaxpr={ lambda ; d:f32[]. let e:f32[] = sin d; f:f32[] = cos d in (f, d) }\n"
                     "    ] a\n"
                     "  in (c,) }");
}
END_TEST

START_TEST(test_dropped_result_passes_inward)
{
    ck_assert_str_eq(
        renamed("{ lambda ; x:f32[]. let u:f32[] = jit[name=f jaxpr={ lambda ; y:f32[]. let z:f32[] = sin y; "
                "t:f32[] = cos z in (z,) }] x in (x,) }",
                1200),
        "{ lambda ; a:f32[]. let\n"
        "    _:f32[] = jit[\n"
        "      name=f\n"
        "      jaxpr={ lambda ; a:f32[]. let _:f32[] = sin a; b:f32[] = cos _ in (_,) }\n"
        "    ] a\n"
        "  in (a,) }");
}
END_TEST

START_TEST(test_variables_avoid_names_of_lets)
{
    static const char text[] = "let b = { lambda ; x:f32[1]. let y:f32[1] = sin x in (y,) } in\n"
                               "{ lambda ; z:f32[1]. let\n"
                               "    w:f32[1] = jit[name=b jaxpr=b] z\n"
                               "    v:f32[1] = jit[name=b jaxpr=b] w\n"
                               "  in (v,) }";
    /* no variable has the name of a let; up to 0.10.0 only those printed before are known */
    ck_assert_str_eq(renamed(text, 1001), "let b = { lambda ; a:f32[1]. let c:f32[1] = sin a in (c,) } in\n"
                                          "{ lambda ; d:f32[1]. let\n"
                                          "    e:f32[1] = jit[name=b jaxpr=b] d\n"
                                          "    f:f32[1] = jit[name=b jaxpr=b] e\n"
                                          "  in (f,) }");
    ck_assert_str_eq(renamed(text, 801), "let b = { lambda ; a:f32[1]. let b:f32[1] = sin a in (b,) } in\n"
                                         "{ lambda ; c:f32[1]. let\n"
                                         "    d:f32[1] = jit[name=b jaxpr=b] c\n"
                                         "    e:f32[1] = jit[name=b jaxpr=b] d\n"
                                         "  in (e,) }");
}
END_TEST

START_TEST(test_one_object_printed_twice)
{
    /* up to 0.10.0 a let contains in full what is hoisted after it: the names of the copy are those of the let */
    ck_assert_str_eq(renamed("let f = { lambda ; x:f32[1]. let\n"
                             "    y:f32[1] = scan[jaxpr={ lambda ; p:f32[1]. let q:f32[1] = sin p in (q,) }] x\n"
                             "  in (y,) } in\n"
                             "let g = { lambda ; p:f32[1]. let q:f32[1] = sin p in (q,) } in\n"
                             "{ lambda ; r:f32[1]. let s:f32[1] = jit[name=f jaxpr=f] r in (s,) }",
                             428),
                     "let f = { lambda ; a:f32[1]. let\n"
                     "    b:f32[1] = scan[jaxpr={ lambda ; c:f32[1]. let d:f32[1] = sin c in (d,) }] a\n"
                     "  in (b,) } in\n"
                     "let g = { lambda ; c:f32[1]. let d:f32[1] = sin c in (d,) } in\n"
                     "{ lambda ; e:f32[1]. let h:f32[1] = jit[name=f jaxpr=f] e in (h,) }");
}
END_TEST

START_TEST(test_names_in_kept_text_follow)
{
    ck_assert_str_eq(
        renamed("{ lambda ; r:Ref{f32[8]} n:i32[] v:f32[]. let w:f32[] <- r[n]; r[n] <- v; r[0:4] += w in () : "
                "{ Read<r>, Write<r>, Accum<r> } }",
                801),
        "{ lambda ; a:Ref{f32[8]} b:i32[] c:f32[]. let\n"
        "    d:f32[] <- a[b]\n"
        "    a[b] <- c\n"
        "    a[0:4] += d\n"
        "  in () : { Read<a>, Write<a>, Accum<a> } }");
    ck_assert_str_eq(renamed("{ lambda ; n:i32[] x:f32[n,4]. let y:f32[n,4] = sin x in (y,) }", 503),
                     "{ lambda ; a:i32[] b:f32[a,4]. let c:f32[a,4] = sin b in (c,) }");
}
END_TEST

START_TEST(test_unused_swap)
{
    static const char text[] = "{ lambda ; r:Ref{f32[]} v:f32[]. let w:f32[], r[...] <- r[...], v in () }";
    ck_assert_str_eq(renamed(text, 1001), "{ lambda ; a:Ref{f32[]} b:f32[]. let a[...] <- b in () }");
    ck_assert_str_eq(renamed(text, 801), "{ lambda ; a:Ref{f32[]} b:f32[]. let c:f32[], a[...] <- a[...], b in () }");
}
END_TEST

START_TEST(test_suffixes)
{
    ck_assert_str_eq(renamed("{ lambda ; g_:f32[3] h:f32[]. let  in (h,) }", 503),
                     "{ lambda ; a_:f32[3] b:f32[]. let  in (b,) }");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("naming");
    TCase *versions = tcase_create("versions");
    tcase_add_checked_fixture(versions, mem_open, mem_close);
    tcase_add_test(versions, test_order_of_appearance);
    tcase_add_test(versions, test_two_letters_follow_z);
    tcase_add_test(versions, test_jit_takes_outer_names);
    tcase_add_test(versions, test_results_named_out_of_order);
    tcase_add_test(versions, test_unused_results);
    tcase_add_test(versions, test_dropped_result_passes_inward);
    tcase_add_test(versions, test_variables_avoid_names_of_lets);
    tcase_add_test(versions, test_one_object_printed_twice);
    tcase_add_test(versions, test_names_in_kept_text_follow);
    tcase_add_test(versions, test_unused_swap);
    tcase_add_test(versions, test_suffixes);
    suite_add_tcase(suite, versions);
    return suite_run(suite);
}
