/* SPDX-License-Identifier: Apache-2.0
 *
 * cost: polynomials, the table of formulas, loops, shared programs, which must not be expanded, and liveness. */
#include "resolve/check.h"
#include "prims/prims.h"
#include "cost/cost.h"
#include "unit.h"

static struct costs costs;
static char text[4000];

/* an amount as text */
static const char *
format_text(const struct amount_kept *a)
{
    struct sink out;
    sink_init_memory(&out, &mem);
    amount_write(&out, &costs.amounts, a);
    ck_assert_uint_lt(out.n, sizeof text);
    memcpy(text, out.at, out.n);
    text[out.n] = 0;
    return text;
}

static bool live;

static void
cost(const char *program)
{
    struct module *m = module_of(program);
    struct diags diags;
    const struct check_options how = {0};
    program_t first = 0;
    while (m->programs.at[first].pasted)
        first++;
    struct resolution found = {0};
    diags_init(&diags, &mem);
    check_scopes(m, &found, &diags);
    check_dims(m, &how, &found, &diags);
    costs_read(m, first, COST_BY_PRIMITIVE, live, &costs);
}

START_TEST(what_nothing_reads_is_counted_or_left_out)
{
    static const char program[] = "{ lambda ; a:f32[8]. let b:f32[8] = sin a; c:f32[8] = exp b; d:f32[8] = cos a;\n"
                                  "_:f32[8] = add c d; in (d,) }";
    for (int i = 0; i < 2; i++) {
        live = i == 1;
        cost(program);
        ck_assert_uint_eq(costs.dead, 3);
        ck_assert_str_eq(format_text(&costs.jaxprs.at[0].cost.transcendentals), i ? "8" : "24");
        ck_assert_uint_eq(costs.rows.n, i ? 1 : 4);
    }
    live = false;
}
END_TEST

START_TEST(what_has_effects_or_is_a_size_is_not_dead)
{
    cost("{ lambda ; a:Ref{f32[8]} n:i32[]. let b:f32[8] <- a[:]; m:i32[] = add n 1:i32[];\n"
         "c:f32[m] = broadcast_in_dim[broadcast_dimensions=() shape=(None,) sharding=None] 1.0:f32[] m; in (c,) }");
    ck_assert_uint_eq(costs.dead, 0);
}
END_TEST

START_TEST(polynomials_add_and_multiply)
{
    struct amounts *t = &costs.amounts;
    struct amount n, m, a, b;
    struct amount_kept kept = {0};
    amounts_init(t, &mem);
    amount_symbol(t, &n, amounts_symbol(t, SLICE("n"), NONE, SLICE("n")));
    amount_symbol(t, &m, amounts_symbol(t, SLICE("m"), NONE, SLICE("m")));
    amount_copy(&a, &n);
    amount_add_times(&a, &m, 2);
    a.constant = 3; /* n + 2 m + 3 */
    amount_copy(&b, &n);
    b.constant = -1; /* n - 1 */
    amount_multiply(t, &a, &b);
    amount_keep(t, &kept, &a);
    ck_assert_str_eq(format_text(&kept), "n^2 + 2*n*m + 2*n - 2*m - 3");
    amount_copy(&b, &a);
    amount_add_times(&a, &b, -1);
    ck_assert_uint_eq(a.n, 0);
    amount_set(&a, 5);
    amount_add(&a, &n);
    amount_set(&b, 7);
    amount_add_times(&b, &m, 4);
    amount_most(&a, &b);
    amount_keep(t, &kept, &a);
    ck_assert_str_eq(format_text(&kept), "n + 4*m + 7");
}
END_TEST

START_TEST(numbers_of_any_size_have_a_text)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = {
        {0, "0"},
        {7, "7"},
        {9007199254740992.0, "9007199254740992"},
        {1e21, "1e+21"},
        {1.234567e30, "1.23457e+30"},
        {1.0 / 3, "0.333333"},
        {2.5, "2.5"},
        {1e301, "over 1e300"},
        {999999.5e15, "1e+21"},
        {-4, "-4"},
        {12345.75, "12345.8"},
    };
    amounts_init(&costs.amounts, &mem);
    for (size_t i = 0; i < countof(numbers); i++) {
        struct amount a;
        struct amount_kept kept = {0};
        amount_set(&a, numbers[i].value);
        amount_keep(&costs.amounts, &kept, &a);
        ck_assert_str_eq(format_text(&kept), numbers[i].text);
    }
}
END_TEST

START_TEST(what_does_not_fit_says_so)
{
    struct amounts *t = &costs.amounts;
    struct amount sum, one;
    amounts_init(t, &mem);
    amount_set(&sum, 0);
    for (u32 i = 0; i < AMOUNT_TERMS + 1; i++) {
        struct slice name = arena_printf(&mem, "n%u", i);
        amount_symbol(t, &one, amounts_symbol(t, name, NONE, name));
        amount_add(&sum, &one);
        ck_assert(sum.more == (i == AMOUNT_TERMS));
    }
    amount_set(&sum, 1);
    for (u32 i = 0; i < AMOUNT_FACTORS + 1; i++) {
        amount_symbol(t, &one, i);
        amount_multiply(t, &sum, &one);
    }
    ck_assert(sum.more && sum.n == 0);
    amount_set(&sum, 1e200);
    amount_scale(&sum, 1e200);
    ck_assert(sum.constant == AMOUNT_LIMIT);
}
END_TEST

START_TEST(loops_multiply)
{
    cost("{ lambda ; a:f32[8]. let\n"
         "b:f32[8] = scan[jaxpr={ lambda ; c:f32[8]. let\n"
         "d:f32[8] = while[body_jaxpr={ lambda ; e:f32[8]. let f:f32[8] = sin e in (f,) } body_nconsts=0\n"
         "cond_jaxpr={ lambda ; g:f32[8]. let h:f32[] = reduce_sum[axes=(0,)] g; i:bool[] = lt h 1.0:f32[] in (i,) }\n"
         "cond_nconsts=0] c in (d,) } length=10 linear=(False,) num_carry=1 num_consts=0 reverse=False unroll=1] a\n"
         "in (b,) }");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].cost.transcendentals), "80*while@3");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].cost.flops), "80*while@3 + 80");
    ck_assert_uint_eq(costs.jaxprs.n, 4);
    ck_assert_str_eq(format_text(&costs.jaxprs.at[1].times), "10");
    ck_assert_uint_eq(costs.unknown, 0);
}
END_TEST

START_TEST(shared_programs_are_looked_at_once)
{
    struct sink s;
    sink_init_memory(&s, &mem);
    sink_printf(&s, "let f0 = { lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) } in\n");
    for (int i = 1; i <= 40; i++)
        sink_printf(&s,
                    "let f%d = { lambda ; a:f32[2]. let b:f32[2] = jit[name=f jaxpr=f%d] a\n"
                    "c:f32[2] = jit[name=f jaxpr=f%d] b in (c,) } in\n",
                    i, i - 1, i - 1);
    sink_printf(&s, "{ lambda ; a:f32[2]. let b:f32[2] = jit[name=f jaxpr=f40] a in (b,) }");
    cost(arena_copy(&mem, (struct slice){s.at, s.n}).at);
    ck_assert_uint_eq(costs.jaxprs.n, 42);
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].cost.transcendentals), "2199023255552"); /* 2 * 2^40 */
}
END_TEST

START_TEST(sizes_go_into_programs)
{
    cost("{ lambda ; a:i32[] b:f32[a]. let\n"
         "c:f32[a] = pjit[name=f jaxpr={ lambda ; d:i32[] e:f32[d]. let f:f32[d] = sin e in (f,) }] a b\n"
         "g:f32[4] = pjit[name=f jaxpr={ lambda ; h:i32[] i:f32[h]. let j:f32[h] = cos i in (j,) }] 4 k\n"
         "in (c, g) }");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].cost.transcendentals), "a + 4");
}
END_TEST

START_TEST(a_cond_costs_what_its_most_expensive_branch_does)
{
    cost("{ lambda ; a:i32[] b:f32[8]. let\n"
         "c:f32[8] = cond[branches=({ lambda ; d:f32[8]. let e:f32[8] = neg d in (e,) }\n"
         "{ lambda ; f:f32[8]. let g:f32[8] = neg f; h:f32[8] = neg g in (h,) })] a b in (c,) }");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].cost.flops), "16");
    ck_assert(costs.jaxprs.at[1].idle);
    ck_assert(!costs.jaxprs.at[2].idle);
}
END_TEST

START_TEST(live_bytes)
{
    /* in bytes: a 32, b 32, c 64; then b is freed, and d takes 64: 32 + 64 + 64 */
    cost("{ lambda ; a:f32[8]. let b:f32[8] = sin a; c:f32[16] = concatenate[dimension=0] b b\n"
         "d:f32[16] = neg c; e:f32[16] = neg d in (e,) }");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].peak), "160");
    /* the memory of a body, including its own copy of the carry, counts while its equation runs */
    cost("{ lambda ; a:f32[8]. let b:f32[8] = scan[jaxpr={ lambda ; c:f32[8]. let\n"
         "d:f32[100] = broadcast_in_dim[broadcast_dimensions=() shape=(100,)] 1.0:f32[]\n"
         "e:f32[8] = slice[limit_indices=(8,) start_indices=(0,) strides=None] d in (e,) }\n"
         "length=10 linear=(False,) num_carry=1 num_consts=0 reverse=False unroll=1] a in (b,) }");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[1].peak), "432");
    ck_assert_str_eq(format_text(&costs.jaxprs.at[0].peak), "528");
}
END_TEST

START_TEST(each_equation_by_itself)
{
    struct module *m = module_of("{ lambda ; a:f32[8]. let b:f32[8] = sin a; c:f32[8] = jit[name=f jaxpr={ lambda ; "
                                 "d:f32[8]. let e:f32[8] = neg d; g:f32[8] = neg e in (g,) }] b; h:f32[8] = mul c a in "
                                 "(h,) }");
    static const char *const flops[] = {"0", "16", "8"}, *const alive[] = {"64", "160", "96"};
    struct diags diags;
    const struct check_options how = {0};
    struct resolution found = {0};
    struct cost_equations equations;
    diags_init(&diags, &mem);
    check_scopes(m, &found, &diags);
    check_dims(m, &how, &found, &diags);
    eqn_t e = m->jaxprs.at[m->programs.at[0].main].eqns;
    costs_read_equations(m, 0, &costs, &equations);
    ck_assert_uint_eq(equations.each.n, 5);
    for (int i = 0; i < 3; i++, e = m->eqns.at[e].next) {
        const struct cost_equation *one = cost_equations_find(&equations, e);
        ck_assert_ptr_nonnull(one);
        ck_assert_str_eq(format_text(&one->cost.flops), flops[i]);
        ck_assert_str_eq(format_text(&one->live), alive[i]);
    }
    ck_assert_ptr_null(cost_equations_find(&equations, m->eqns.n));
    cost_equations_drop(&mem, &equations);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("cost");
    TCase *tc = tcase_create("cost");
    tcase_add_checked_fixture(tc, mem_open, mem_close);
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, polynomials_add_and_multiply);
    tcase_add_test(tc, what_nothing_reads_is_counted_or_left_out);
    tcase_add_test(tc, what_has_effects_or_is_a_size_is_not_dead);
    tcase_add_test(tc, numbers_of_any_size_have_a_text);
    tcase_add_test(tc, what_does_not_fit_says_so);
    tcase_add_test(tc, loops_multiply);
    tcase_add_test(tc, shared_programs_are_looked_at_once);
    tcase_add_test(tc, sizes_go_into_programs);
    tcase_add_test(tc, a_cond_costs_what_its_most_expensive_branch_does);
    tcase_add_test(tc, live_bytes);
    tcase_add_test(tc, each_equation_by_itself);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
