/* SPDX-License-Identifier: Apache-2.0
 *
 * stats: what sharing multiplies, what cycles must not, and sizes of constants. */
#include "ir/stats.h"
#include "parse/parse.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

static struct module module;
static struct stats stats;

static void
count(const char *text)
{
    struct diags diags;
    diags_init(&diags, &mem);
    struct text bytes;
    text_init(&mem, &bytes, SLICE("t"), text, strlen(text));
    parse_module(&module, &mem, bytes, &(struct parse_how){.no_fast_path = false}, &diags);
    program_t first = 0;
    while (first < module.programs.n && module.programs.at[first].pasted)
        first++;
    ck_assert_uint_lt(first, module.programs.n);
    stats_program(&module, first, &stats);
}

/* how often a primitive was counted; 0 if not at all */
static u64
times(const char *prim)
{
    for (u32 i = 0; i < stats.prims.n; i++) {
        struct name_buffer buffer;
        if (slice_eq(module_name(&module, stats.prims.at[i].prim, &buffer), slice_of(prim)))
            return stats.prims.at[i].n;
    }
    return 0;
}

START_TEST(nested_programs_count)
{
    count("{ lambda ; a:f32[]. let\n"
          "    b:f32[] = cond[\n"
          "      branches=(\n"
          "        { lambda ; c:f32[]. let d:f32[] = sin c in (d,) }\n"
          "        { lambda ; e:f32[]. let f:f32[] = cos e; g:f32[] = sin f in (g,) }\n"
          "      )\n"
          "    ] 0:i32[] a\n"
          "    h:f32[] = sin b\n"
          "  in (h,) }\n");
    ck_assert_uint_eq(stats.equations, 5);
    ck_assert_uint_eq(stats.depth, 2);
    ck_assert_uint_eq(times("sin"), 3);
    ck_assert_uint_eq(times("cos"), 1);
    ck_assert_uint_eq(times("cond"), 1);
    ck_assert_uint_eq(times("add"), 0);
}
END_TEST

START_TEST(forms_count_as_their_primitives)
{
    count("{ lambda ; a:Ref{f32[4]} b:i32[]. let\n"
          "    c:f32[] <- a[b]\n"
          "    a[b] <- c\n"
          "    d:f32[], a[0] <- a[0], c\n"
          "    a[1] += d\n"
          "  in (d,) }\n");
    ck_assert_uint_eq(times("get"), 1);
    ck_assert_uint_eq(times("swap"), 2);
    ck_assert_uint_eq(times("addupdate"), 1);
}
END_TEST

START_TEST(sorted_by_count_then_name)
{
    count("{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b; d:f32[] = sin c; e:f32[] = abs d in (e,) }");
    const char *expected[] = {"sin", "abs", "cos"};
    ck_assert_uint_eq(stats.prims.n, 3);
    for (u32 i = 0; i < 3; i++) {
        struct name_buffer buffer;
        ck_assert(slice_eq(module_name(&module, stats.prims.at[i].prim, &buffer), slice_of(expected[i])));
    }
}
END_TEST

/* `levels` lets, each calling the next twice: 2^levels equations when unfolded. */
static char *
doubling(int levels)
{
    char *text = malloc((size_t)levels * 200 + 200), *at = text;
    for (int i = 0; i < levels; i++)
        at += sprintf(at,
                      "let f%d = { lambda ; a:f32[]. let\n    b:f32[] = jit[name=f%d jaxpr=f%d] a\n"
                      "    c:f32[] = jit[name=f%d jaxpr=f%d] b\n  in (c,) } in\n",
                      i, i + 1, i + 1, i + 1, i + 1);
    at += sprintf(at, "let f%d = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n", levels);
    sprintf(at, "{ lambda ; a:f32[]. let b:f32[] = jit[name=f0 jaxpr=f0] a in (b,) }\n");
    return text;
}

START_TEST(sharing_multiplies_without_unfolding)
{
    char *text = doubling(40);
    count(text);
    ck_assert_uint_eq(times("sin"), (u64)1 << 40);
    ck_assert_uint_eq(times("jit"), ((u64)1 << 41) - 1);
    ck_assert_uint_eq(stats.depth, 42);
    free(text);
    text = doubling(100);
    count(text);
    ck_assert_uint_eq(times("sin"), UINT64_MAX);
    ck_assert_uint_eq(stats.equations, UINT64_MAX);
    free(text);
}
END_TEST

START_TEST(cycles_end)
{
    count("let f = { lambda ; a:f32[]. let b:f32[] = jit[name=g jaxpr=g] a in (b,) } in\n"
          "let g = { lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a; c:f32[] = sin b in (c,) } in\n"
          "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a in (b,) }\n");
    ck_assert_uint_ge(times("sin"), 1);
    ck_assert_uint_ge(times("jit"), 3);
}
END_TEST

START_TEST(unused_programs_do_not_count)
{
    count("let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n"
          "{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }\n");
    ck_assert_uint_eq(stats.equations, 1);
    ck_assert_uint_eq(times("sin"), 0);
}
END_TEST

START_TEST(constants_have_sizes)
{
    count("{ lambda a:f32[3,4] b:bool[8] c:bf16[] d:f32[n] e:AbstractQreg(length=2) f:c128[0,5] g:i4[3]; . let\n"
          "    \n  in (a,) }\n");
    ck_assert_uint_eq(stats.constants, 7);
    ck_assert_uint_eq(stats.constant_bytes, 48 + 8 + 2 + 0 + 0 + 0 + 2);
    count("{ lambda a:f64[4294967296,4294967296,4294967296]; . let  in (a,) }");
    ck_assert_uint_eq(stats.constant_bytes, UINT64_MAX);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("stats");
    TCase *tc = tcase_create("stats");
    tcase_add_checked_fixture(tc, mem_open, mem_close);
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, nested_programs_count);
    tcase_add_test(tc, forms_count_as_their_primitives);
    tcase_add_test(tc, sorted_by_count_then_name);
    tcase_add_test(tc, sharing_multiplies_without_unfolding);
    tcase_add_test(tc, cycles_end);
    tcase_add_test(tc, unused_programs_do_not_count);
    tcase_add_test(tc, constants_have_sizes);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
