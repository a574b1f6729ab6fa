/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule engine by itself: the primitive table is well formed, values are read as they are printed, dims add up, and
 * programs of one equation get the code they should. */
#include "resolve/check.h"
#include "types/dims.h"
#include "types/poly.h"
#include "prims/prims.h"
#include "base/value.h"
#include "parse/parse.h"
#include "unit.h"

#include <stdio.h>

/* ---- the table ---- */

static const char *const roles[] = {
#define ROLE(name, what) #name,
    PARAM_ROLES(ROLE)
#undef ROLE
};

static bool
known_role(const char *at, size_t n)
{
    for (size_t i = 0; i < countof(roles); i++)
        if (strlen(roles[i]) == n && memcmp(roles[i], at, n) == 0)
            return true;
    return false;
}

START_TEST(rows_are_well_formed)
{
    for (u32 i = 0; i < prims_count(); i++) {
        struct prim row = prims_row(i), *p = &row;
        ck_assert_msg(p->name[0] && !strchr(p->name, ' '), "row %u: a name is one word", i);
        ck_assert_msg(p->min <= p->max, "%s: at least %u operands, at most %u", p->name, p->min, p->max);
        ck_assert_msg(!strstr(p->params, "  "), "%s: one blank between parameters", p->name);
        struct prim_param param;
        for (const char *at = p->params; prim_param_next(&at, &param);)
            ck_assert_msg(param.key.n && known_role(param.role.at, param.role.n), "%s: no role %.*s", p->name,
                          (int)param.role.n, param.role.at);
    }
}
END_TEST

START_TEST(names_are_unique)
{
    for (u32 i = 0; i < prims_count(); i++)
        for (u32 j = i + 1; j < prims_count(); j++)
            ck_assert_msg(strcmp(prims_row(i).name, prims_row(j).name) != 0, "two rows are called %s",
                          prims_row(i).name);
}
END_TEST

START_TEST(roles_are_found)
{
    u32 i = 0;
    while (i < prims_count() && strcmp(prims_row(i).name, "scan") != 0)
        i++;
    ck_assert_uint_lt(i, prims_count());
    struct prim row = prims_row(i), *scan = &row;
    ck_assert(slice_eq(prim_role(scan, SLICE("jaxpr")), SLICE("JAXPR")));
    ck_assert_uint_eq(prim_role(scan, SLICE("jaxp")).n, 0);
    ck_assert_uint_eq(prim_role(scan, SLICE("nonsense")).n, 0);
}
END_TEST

START_TEST(calls_hold_programs)
{
    for (u32 i = 0; i < prims_count(); i++) {
        struct prim row = prims_row(i);
        ck_assert_msg(row.is.control != CONTROL_CALL || strstr(row.params, "=JAXPR"), "`%s` calls no program",
                      row.name);
    }
}
END_TEST

START_TEST(slips_are_corrected)
{
    ck_assert_str_eq(prims_suggest(SLICE("broadcast_in_dimm")), "broadcast_in_dim");
    ck_assert_ptr_null(prims_suggest(SLICE("qqqqqqqqqq")));
    ck_assert_ptr_null(prims_suggest((struct slice){"", 0}));
}
END_TEST

/* ---- values ---- */

static bool
read_int(const char *text, i64 *out)
{
    struct cursor c = cursor_of(slice_of(text));
    return value_int(&c, out) && value_done(&c);
}

START_TEST(integers_are_read)
{
    static const struct {
        const char *text;
        i64 value;
    } right[] = {{"3", 3}, {"-1", -1}, {" 12 ", 12}, {"np.int64(4)", 4}, {"np.int32(-2)", -2}, {"True", 1}};
    static const char *const wrong[] = {"", "-", "3.0", "a", "np.float32(1.0)", "99999999999999999999", "Truely", "3a"};
    i64 value;
    for (size_t i = 0; i < countof(right); i++) {
        ck_assert_msg(read_int(right[i].text, &value), "%s", right[i].text);
        ck_assert_int_eq(value, right[i].value);
    }
    for (size_t i = 0; i < countof(wrong); i++)
        ck_assert_msg(!read_int(wrong[i], &value), "%s", wrong[i]);
}
END_TEST

START_TEST(elements_are_counted)
{
    static const struct {
        const char *text;
        u32 count;
    } right[] = {{"()", 0},
                 {"(1,)", 1},
                 {"(1, 2)", 2},
                 {"[1, [2, 3], (4,)]", 3},
                 {"('a, b', \"c)\")", 2},
                 {"(P('x', None), {'a': 1, 'b': 2})", 2}};
    u32 count;
    for (size_t i = 0; i < countof(right); i++) {
        ck_assert_msg(value_count(slice_of(right[i].text), &count), "%s", right[i].text);
        ck_assert_uint_eq(count, right[i].count);
    }
    ck_assert(!value_count(SLICE("1"), &count));
    ck_assert(!value_count(SLICE("(1"), &count));
    ck_assert(!value_count(SLICE("(1) 2"), &count));
}
END_TEST

START_TEST(fields_are_found)
{
    struct slice text = SLICE("G(offset_dims=(1, 2), map=(), nested=Q(map=(7,)), last='a=b, c')"), field;
    ck_assert(value_field(text, "offset_dims", &field));
    ck_assert(slice_eq(field, SLICE("(1, 2)")));
    ck_assert(value_field(text, "map", &field));
    ck_assert(slice_eq(field, SLICE("()")));
    ck_assert(value_field(text, "last", &field));
    ck_assert(slice_eq(field, SLICE("'a=b, c'")));
    ck_assert(!value_field(text, "offset", &field));
    ck_assert(!value_field(SLICE("no parentheses"), "x", &field));
}
END_TEST

/* ---- dims ---- */

START_TEST(dims_add_up)
{
    struct dim three = dim_of(3), zero = dim_of(0), huge = dim_of(INT64_MAX);
    ck_assert(dim_is(dim_add(three, dim_of(4)), 7));
    ck_assert(dim_is(dim_sub(three, dim_of(4)), -1));
    ck_assert(dim_is(dim_mul(three, dim_of(4)), 12));
    ck_assert(dim_is(dim_mul(huge, zero), 0));
    ck_assert_int_eq(dim_add(huge, dim_of(1)).kind, DIM_HUGE);
    ck_assert_int_eq(dim_mul(huge, dim_of(2)).kind, DIM_HUGE);
    ck_assert_int_eq(dim_sub(dim_of(1), dim_of(-INT64_MAX)).kind, DIM_HUGE);
    ck_assert_int_eq(dim_sub(dim_add(huge, three), three).kind, DIM_UNKNOWN);
    ck_assert_int_eq(dim_add(dim_of(-INT64_MAX), dim_of(-2)).kind, DIM_UNKNOWN);
    ck_assert(dim_is(dim_floordiv(dim_of(-7), dim_of(2)), -4));
    ck_assert(dim_is(dim_dilate(dim_of(4), 3), 10));
    ck_assert(dim_is(dim_dilate(zero, 3), 0));
    ck_assert(dim_is(dim_stride(dim_of(10), dim_of(3), 2), 4));
    ck_assert(dim_is(dim_stride(dim_of(2), dim_of(3), 2), 0));
}
END_TEST

START_TEST(huge_products_are_exact)
{
    struct dim word = dim_of(65536), four[4] = {word, word, word, word}, half = dim_of((i64)1 << 32);
    struct dim same[2] = {half, half}, other[2] = {half, dim_of(((i64)1 << 32) - 1)}, huge = dims_product(four, 4),
               five = dim_of(5);
    ck_assert_int_eq(huge.kind, DIM_HUGE);
    ck_assert_int_eq(dims_products_equal(four, 4, same, 2), YES);
    ck_assert_int_eq(dims_products_equal(four, 4, other, 2), NO);
    ck_assert_int_eq(dims_products_equal(four, 4, &five, 1), NO);
    ck_assert_int_eq(dim_equal(&huge, &five), NO);
    ck_assert_int_eq(dim_at_most(five, huge), YES);
}
END_TEST

START_TEST(unknown_dims_decide_nothing)
{
    struct dim unknown = dim_unknown(), three = dim_of(3), four = dim_of(4);
    ck_assert_int_eq(dim_equal(&unknown, &three), MAYBE);
    ck_assert_int_eq(dim_equal(&unknown, &unknown), MAYBE);
    ck_assert_int_eq(dim_equal(&three, &four), NO);
    ck_assert_int_eq(dim_equal(&three, &three), YES);
    ck_assert_int_eq(dim_at_most(three, unknown), MAYBE);
    ck_assert_int_eq(dim_at_most(four, three), NO);
}
END_TEST

static enum truth
expressions_equal(const char *a, const char *b)
{
    struct dim left = {.kind = DIM_EXPR, .text = slice_of(a)}, right = {.kind = DIM_EXPR, .text = slice_of(b)};
    return dim_equal(&left, &right);
}

START_TEST(expressions_are_polynomials)
{
    ck_assert_int_eq(expressions_equal("2*b - 1", "2*b - 1"), YES);
    ck_assert_int_eq(expressions_equal("2*b - 1", "- 1 + b + b"), YES);
    ck_assert_int_eq(expressions_equal("a*b^2", "b*a*b"), YES);
    ck_assert_int_eq(expressions_equal("a + -1", "a - 1"), YES);
    ck_assert_int_eq(expressions_equal("2*b - 1", "2*b"), NO);
    ck_assert_int_eq(expressions_equal("a", "b"), NO);
    ck_assert_int_eq(expressions_equal("floordiv(b, 2) + 1", "1 + floordiv(b, 2)"), YES);
    ck_assert_int_eq(expressions_equal("floordiv(b, 2)", "b"), NO);
    ck_assert_int_eq(expressions_equal("max(0, b - 2)", "max(0, b - 3)"), NO);
    ck_assert_int_eq(expressions_equal("2 b", "3 b"), MAYBE);
    ck_assert_int_eq(expressions_equal("", "b"), MAYBE);
}
END_TEST

static enum truth
expression_at_most(const char *a, const char *b)
{
    struct dim left = {.kind = DIM_EXPR, .text = slice_of(a)}, right = {.kind = DIM_EXPR, .text = slice_of(b)};
    return dim_at_most(left, right);
}

START_TEST(symbolic_dims_are_ordered)
{
    ck_assert_int_eq(expression_at_most("b", "b"), YES);
    ck_assert_int_eq(expression_at_most("b", "a*b + b"), YES);
    ck_assert_int_eq(expression_at_most("b", "a*b"), MAYBE); /* as in JAX, which adds up bounds of terms */
    ck_assert_int_eq(expression_at_most("b", "a"), MAYBE);
    ck_assert_int_eq(expression_at_most("a + 1", "a"), NO);
    ck_assert_int_eq(expression_at_most("a + b", "a - b"), NO);
    ck_assert_int_eq(expression_at_most("2*b - 2", "b"), MAYBE);
    ck_assert_int_eq(expression_at_most("floordiv(b, 2)", "b"), YES);
    ck_assert_int_eq(expression_at_most("floordiv(b + 1, 2)", "b"), YES);
    ck_assert_int_eq(expression_at_most("b", "2*floordiv(b, 2)"), MAYBE);
    ck_assert_int_eq(expression_at_most("b", "2*floordiv(b, 2) + 1"), YES);
    ck_assert_int_eq(expression_at_most("mod(a, 3)", "a"), YES);
    ck_assert_int_eq(expression_at_most("mod(a, b)", "b - 1"), YES);
    ck_assert_int_eq(expression_at_most("b", "mod(a, b)"), NO);
    ck_assert_int_eq(expression_at_most("mod(a, b - 1)", "b"), MAYBE); /* b may be 1 */
    ck_assert_int_eq(expression_at_most("min(a, b)", "max(a, 3)"), YES);
    ck_assert_int_eq(expression_at_most("max(a, b)", "a"), MAYBE);
    ck_assert_int_eq(expression_at_most("max(a, b)", "a + b"), YES);
    ck_assert_int_eq(expression_at_most("max(floordiv(a, 2) - 1, 0)", "a"), YES);
    ck_assert_int_eq(expression_at_most("floordiv(a, 2)*floordiv(a, 2)", "a*a"), MAYBE);
    ck_assert_int_eq(dim_divisible((struct dim){.kind = DIM_EXPR, .text = SLICE("4*floordiv(b, 3) + 2")}, 2), YES);
    ck_assert_int_eq(dim_divisible((struct dim){.kind = DIM_EXPR, .text = SLICE("3*floordiv(b, 3)")}, 2), MAYBE);
}
END_TEST

static const char *
written(const struct dim *d)
{
    struct sink out;
    sink_init_memory(&out, &mem);
    ck_assert(poly_write(&out, d));
    sink_char(&out, 0);
    return out.at;
}

START_TEST(symbolic_dims_divide)
{
    struct dim even = {.kind = DIM_EXPR, .text = slice_of("4*h + 2*w + 3")}, half;
    struct dim wanted = {.kind = DIM_EXPR, .text = slice_of("2*h + w + 1")};
    half = dim_floordiv(even, dim_of(2));
    ck_assert_int_eq(dim_equal(&half, &wanted), YES);
    ck_assert_str_eq(written(&half), "2*h + w + 1");
    ck_assert_int_eq(dim_floordiv(even, dim_of(3)).kind, DIM_UNKNOWN);
    ck_assert_int_eq(dim_divisible(even, 2), NO);
    ck_assert_int_eq(dim_divisible(dim_sub(even, dim_of(3)), 2), YES);
    /* windows of 3, 2 apart, of 4*h + 2*w + 3 elements */
    half = dim_stride(even, dim_of(3), 2);
    ck_assert_int_eq(dim_equal(&half, &wanted), YES);
    /* there may be no window of 13 for the smallest symbols: JAX prints a maximum */
    half = dim_stride(even, dim_of(13), 2);
    wanted.text = slice_of("max(2*h + w - 4, 0)");
    ck_assert_int_eq(dim_equal(&half, &wanted), YES);
    ck_assert_int_eq(dim_equal(&wanted, &half), YES);
    wanted.text = slice_of("max(floordiv(4*h + 2*w - 10, 2) + 1, 0)");
    ck_assert_int_eq(dim_equal(&half, &wanted), YES);
    wanted.text = slice_of("max(floordiv(4*h + 2*w - 9, 2) + 1, 0)");
    ck_assert_int_eq(dim_equal(&half, &wanted), NO);
    wanted.text = slice_of("max(floordiv(4*h + 2*w - 10, 3) + 1, 0)");
    ck_assert_int_eq(dim_equal(&half, &wanted), NO);
    wanted.text = slice_of("mod(h, 2)");
    ck_assert_int_eq(dim_equal(&half, &wanted), MAYBE);
    ck_assert_str_eq(written(&half), "max(floordiv(4*h + 2*w - 10, 2) + 1, 0)");
}
END_TEST

START_TEST(symbolic_dims_add_up)
{
    struct dim b = {.kind = DIM_EXPR, .text = SLICE("b")}, want = {.kind = DIM_EXPR, .text = SLICE("3*b - 2")};
    struct dim dilated = dim_dilate(b, 3), twice = dim_add(b, b), none = dim_sub(twice, dim_mul(b, dim_of(2)));
    ck_assert_int_eq(dim_equal(&dilated, &want), YES);
    ck_assert_int_eq(dim_equal(&twice, &want), NO);
    ck_assert(dim_is(none, 0));
    ck_assert_int_eq(dim_mul(b, b).kind, DIM_UNKNOWN);
}
END_TEST

/* ---- programs of one equation ---- */

/* the code of the first finding about types, or "" */
static const char *
first_code(const char *text)
{
    struct module *m = module_of(text);
    struct diags ds;
    struct check_options options = {0};
    struct resolution found = {0};
    diags_init(&ds, &mem);
    check_scopes(m, &found, &ds);
    ck_assert_msg(ds.errors == 0, "%s: %.*s", text, (int)ds.list.at[0].message.n, ds.list.at[0].message.at);
    check_types(m, &options, &found, &ds);
    return ds.list.n ? diag_info(ds.list.at[0].code).code : "";
}

static const struct {
    const char *code, *header, *equation;
} one_equation[] = {
    {"", "a:f32[3]", "b:f32[3] = sin a"},
    {"", "a:f32[3]", "b:f32[3] = add a 1.0:f32[]"},
    {"", "a:f32[3] c:f32[]", "b:f32[3] = mul c a"},
    {"", "a:f32[3,1] c:f32[1,4]", "b:f32[3,4] = add a c"},
    {"T003", "a:f32[3]", "b:f32[4] = sin a"},
    {"T003", "a:c64[3]", "b:c64[3] = abs a"},
    {"", "a:c64[3]", "b:f32[3] = abs a"},
    {"T005", "a:f32[3]", "b:f32[3] = sin a a"},
    {"T006", "a:f32[3]", "b:f32[3] c:f32[3] = sin a"},
    {"T007", "a:f32[3] c:f16[3]", "b:f32[3] = add a c"},
    {"T007", "a:i32[3]", "b:i32[3] = exp a"},
    {"T008", "a:f32[3] c:f32[4]", "b:f32[3] = add a c"},
    {"T008", "a:f32[3] c:f32[3,1]", "b:f32[3] = add a c"},
    {"T009", "a:f32[3]", "b:f32[] = reduce_sum[axes=(1,)] a"},
    {"T010", "a:f32[3,3]", "b:f32[] = reduce_sum[axes=(0, 0)] a"},
    {"", "a:f32[2,0]", "b:f32[2] = reduce_sum[axes=(np.int64(1),)] a"},
    {"", "a:f32[2,3]", "b:f32[3,2] = transpose[permutation=(1, 0)] a"},
    {"", "a:f32[b,3]", "b:f32[3,b] = transpose[permutation=(1, 0)] a"},
    {"", "a:f32[7]", "b:f32[3] = slice[limit_indices=(7,) start_indices=(1,) strides=(2,)] a"},
    {"T003", "a:f32[7]", "b:f32[2] = slice[limit_indices=(7,) start_indices=(1,) strides=(2,)] a"},
    {"", "a:f32[0]", "b:f32[1] = pad[padding_config=((0, 1, 5),)] a 0.0:f32[]"},
    {"", "a:f32[3]", "b:f32[6] = pad[padding_config=((-1, 2, 1),)] a 0.0:f32[]"},
    {"", "a:f32[4]", "b:u8[4,4] = bitcast_convert_type[new_dtype=uint8] a"},
    {"T008", "a:u8[4,3]", "b:f32[4] = bitcast_convert_type[new_dtype=float32] a"},
    {"", "a:bool[] c:f32[2]", "b:f32[2] = select_n a c c"},
    {"T005", "a:bool[] c:f32[2]", "b:f32[2] = select_n a c c c"},
    {"", "a:i32[] c:f32[2]", "b:f32[2] = select_n a c c c"},
    {"", "a:f32[2] c:i32[]", "b:f32[2] = pow a c"},
    {"T007", "a:i32[2] c:i32[]", "b:i32[2] = pow a c"},
    {"", "a:i8[2,3] c:i8[3,2]",
     "b:i32[2,2] = dot_general[dimension_numbers=(([1], [0]), ([], [])) "
     "preferred_element_type=int32] a c"},
    {"T010", "a:i32[2,3] c:i32[3,2]",
     "b:i8[2,2] = dot_general[dimension_numbers=(([1], [0]), ([], [])) "
     "preferred_element_type=int8] a c"},
    {"", "a:f32[5]", "b:f32[2] c:i32[2] = top_k[axis=0 k=2] a"},
    {"", "a:f32[5]", "b:f32[5] = my_primitive[k=3] a"},
    {"", "a:f32[5]", "b:f32[9] = my_primitive[k=3] a"},
    {"S018", "a:f32[5]", "b:f32[9] = reduce_sum[axes=...] a"},
    {"T025", "a:Ref{f32[5]}", "b:f32[5] = sin a"},
    {"T004", "a:f32[5]", "b:f32[5] = add a True:f32[]"},
};

START_TEST(equations_get_their_code)
{
    char text[1024];
    snprintf(text, sizeof text, "{ lambda ; %s. let %s in () }\n", one_equation[_i].header, one_equation[_i].equation);
    ck_assert_msg(strcmp(first_code(text), one_equation[_i].code) == 0, "%s: `%s`, not `%s`", text, first_code(text),
                  one_equation[_i].code);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("rules");
    TCase *table = tcase_create("table"), *values = tcase_create("values"), *programs = tcase_create("programs");
    tcase_add_test(table, rows_are_well_formed);
    tcase_add_test(table, names_are_unique);
    tcase_add_test(table, roles_are_found);
    tcase_add_test(programs, calls_hold_programs);
    tcase_add_test(table, slips_are_corrected);
    tcase_add_test(values, integers_are_read);
    tcase_add_test(values, elements_are_counted);
    tcase_add_test(values, fields_are_found);
    tcase_add_test(values, dims_add_up);
    tcase_add_test(values, huge_products_are_exact);
    tcase_add_test(values, unknown_dims_decide_nothing);
    tcase_add_test(values, expressions_are_polynomials);
    tcase_add_test(values, symbolic_dims_are_ordered);
    tcase_add_test(values, symbolic_dims_divide);
    tcase_add_test(values, symbolic_dims_add_up);
    tcase_add_checked_fixture(values, mem_open, mem_close);
    tcase_add_checked_fixture(programs, mem_open, mem_close);
    tcase_add_loop_test(programs, equations_get_their_code, 0, (int)countof(one_equation));
    suite_add_tcase(suite, table);
    suite_add_tcase(suite, values);
    suite_add_tcase(suite, programs);
    return suite_run(suite);
}
