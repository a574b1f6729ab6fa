/* SPDX-License-Identifier: Apache-2.0
 *
 * Which versions of JAX a text can be from. The comment of a case names the change that its text shows. */

#include "parse/parse.h"
#include "unit.h"

static const struct {
    const char *text;
    u32 low, high;
} cases[] = {
    /* no evidence */
    {"{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }", 149, 1200},
    /* literals have types from 0.6.1 */
    {"{ lambda ; a:f32[]. let b:f32[] = mul a 2.0 in (b,) }", 149, 600},
    {"{ lambda ; a:f32[]. let b:f32[] = mul a 2.0:f32[] in (b,) }", 601, 1200},
    /* broadcast_in_dim hides its shape from 0.9.1 */
    {"{ lambda ; a:f32[]. let b:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] a in (b,) }", 149, 900},
    {"{ lambda ; a:f32[]. let b:f32[3] = broadcast_in_dim a in (b,) }", 901, 1200},
    /* `name` moved to the front at 0.4.22; the body takes over outer names from 0.5.3 */
    {"{ lambda ; a:f32[]. let b:f32[] = pjit[jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) } name=f] a in (b,) "
     "}",
     400, 421},
    {"{ lambda ; a:f32[]. let b:f32[] = pjit[name=f jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }] a in (b,) "
     "}",
     422, 502},
    {"{ lambda ; a:f32[]. let b:f32[] = pjit[name=f jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }] a in (b,) "
     "}",
     503, 699},
    {"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }] a in (b,) "
     "}",
     700, 1200},
    /* a name used before it is bound: 0.10.1 */
    {"let f = { lambda ; a:f32[]. let b:f32[] = jit[name=g jaxpr=g] a in (b,) } in\n"
     "let g = { lambda ; c:f32[]. let d:f32[] = sin c in (d,) } in\n"
     "{ lambda ; e:f32[]. let h:f32[] = jit[name=f jaxpr=f] e in (h,) }",
     1001, 1200},
    /* an equals sign without results: up to 0.4.21 */
    {"{ lambda ; a:f32[]. let  = eff a in () }", 149, 421},
    {"{ lambda ; a:Ref{float32[]}. let  in () }", 316, 700},
    {"{ lambda ; a:Ref{f32[]}. let  in () }", 701, 1200},
    /* evidence that contradicts earlier evidence is ignored */
    {"{ lambda ; a:f32[]. let b:f32[] = mul a 2.0; c:f32[3] = broadcast_in_dim b in (c,) }", 149, 600},
};

START_TEST(test_range)
{
    struct version_range found = program_versions(module_of(cases[_i].text), 0);
    ck_assert_msg(found.first.encoded == cases[_i].low && found.last.encoded == cases[_i].high,
                  "%u..%u, not %u..%u: %s", found.first.encoded, found.last.encoded, cases[_i].low, cases[_i].high,
                  cases[_i].text);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("version");
    TCase *ranges = tcase_create("ranges");
    tcase_add_checked_fixture(ranges, mem_open, mem_close);
    tcase_add_loop_test(ranges, test_range, 0, countof(cases));
    suite_add_tcase(suite, ranges);
    return suite_run(suite);
}
