/* SPDX-License-Identifier: Apache-2.0
 *
 * What a type's text means, for every form the printers have. */
#include "base/lexical.h"
#include "ir/type.h"
#include "unit.h"

static struct names names;
static struct types types;

static void
setup(void)
{
    mem_open();
    names_init(&mem, &names, 1000);
    types_init(&types, &mem, &names);
}

static const struct type *
read(const char *text)
{
    return type_get(&types, types_intern(&types, slice_of(text)));
}

START_TEST(arrays)
{
    static const struct {
        const char *text;
        dtype_t dtype;
        u32 rank;
        bool dynamic;
        const char *space, *vary;
    } cases[] = {
        {"f32[]", DT_f32, 0, false, "", ""},
        {"bool[8,2]", DT_bool, 2, false, "", ""},
        {"bf16[n,3]", DT_bf16, 2, true, "", ""},
        {"f32[2*b - 1,mod(a, 2)]", DT_f32, 2, true, "", ""},
        {"f32<host>[8@x,2]", DT_f32, 2, false, "host", ""},
        {"f32[4]{V:(x,y), U:z}", DT_f32, 1, false, "", "{V:(x,y), U:z}"},
        {"i32[;i:3]", DT_i32, 0, false, "", ";i:3"},
        {"bf16[4,512;x:8]", DT_bf16, 2, false, "", ";x:8"},
        {"i32[3{\xe2\x89\xa4"
         "5}]",
         DT_i32, 1, true, "", ""},
        {"float32[8]", DT_f32, 1, false, "", ""},
        {"f8_e4m3b11fnuz[0]", DT_f8_e4m3b11fnuz, 1, false, "", ""},
    };
    for (size_t i = 0; i < countof(cases); i++) {
        const struct type *t = read(cases[i].text);
        ck_assert_int_eq(t->kind, TYPE_ARRAY);
        ck_assert_uint_eq(t->dtype, cases[i].dtype);
        ck_assert_uint_eq(t->rank, cases[i].rank);
        ck_assert_int_eq(t->dynamic, cases[i].dynamic);
        ck_assert(slice_eq(t->space, slice_of(cases[i].space)));
        ck_assert(slice_eq(t->vary, slice_of(cases[i].vary)));
    }
}
END_TEST

START_TEST(dims)
{
    const struct type *t = read("f32[8@(x,y),n,2*b - 1,DBIdx(val=0),InDBIdx(1),OutDBIdx(val=2),floordiv(a, 2)]");
    static const struct {
        u8 kind;
        i64 value;
        const char *text, *sharding;
    } want[] = {
        {DIM_INT, 8, "8", "(x,y)"},          {DIM_NAME, 0, "n", ""},
        {DIM_EXPR, 2, "2*b - 1", ""},        {DIM_DBIDX, 0, "DBIdx(val=0)", ""},
        {DIM_INDBIDX, 1, "InDBIdx(1)", ""},  {DIM_OUTDBIDX, 2, "OutDBIdx(val=2)", ""},
        {DIM_EXPR, 0, "floordiv(a, 2)", ""},
    };
    ck_assert_uint_eq(t->rank, countof(want));
    for (u32 i = 0; i < t->rank; i++) {
        const struct dim *d = &type_dims(&types, t)[i];
        ck_assert_int_eq(d->kind, want[i].kind);
        if (d->kind != DIM_EXPR)
            ck_assert_int_eq(d->value, want[i].value);
        ck_assert(slice_eq(d->text, slice_of(want[i].text)));
        ck_assert(slice_eq(d->sharding, slice_of(want[i].sharding)));
    }
}
END_TEST

START_TEST(extended_dtypes)
{
    read("key<rbg>[2]"); /* adding a type moves those known */
    const struct type *fry = read("key<fry>[2]"), *rbg = read("key<rbg>[2]");
    ck_assert_int_eq(fry->kind, TYPE_ARRAY);
    ck_assert_int_eq(dtype_class(fry->dtype), CLASS_EXTENDED);
    ck_assert_uint_ne(fry->dtype, rbg->dtype);
    ck_assert(slice_eq(dtype_text(&names, fry->dtype), SLICE("key<fry>")));
    ck_assert_uint_eq(fry->space.n, 0);
}
END_TEST

START_TEST(refs)
{
    static const struct {
        const char *text, *inner, *space;
    } cases[] = {
        {"Ref{f32[8]}", "f32[8]", ""},
        {"Ref<vmem>{f32[8,128]}", "f32[8,128]", "vmem"},
        {"Ref{float32[8]}", "f32[8]", ""},
        {"MemRef<None>{float32[8]}", "f32[8]", "None"},
        {"Ref<MemorySpace.Host>{i32[]}", "i32[]", "MemorySpace.Host"},
    };
    for (size_t i = 0; i < countof(cases); i++) {
        struct type t = *read(cases[i].text);
        ck_assert_int_eq(t.kind, TYPE_REF);
        ck_assert_uint_eq(t.inner, types_intern(&types, slice_of(cases[i].inner)));
        ck_assert(slice_eq(t.space, slice_of(cases[i].space)));
    }
    ck_assert(read("Ref{f32[n]}")->dynamic);
}
END_TEST

START_TEST(everything_else_is_opaque)
{
    static const char *texts[] = {"AbstractQreg(length=2)",
                                  "QArrayTy(shape=(3, 4))",
                                  "Tup{float32[3],float32[]}",
                                  "Log",
                                  "AbstractMeasurement(n_wires=2, has_eigvals=True)",
                                  "f32",
                                  "[",
                                  "]",
                                  "f32[",
                                  "Ref{",
                                  "Ref"};
    for (size_t i = 0; i < countof(texts); i++)
        ck_assert_int_eq(read(texts[i])->kind, TYPE_OPAQUE);
    ck_assert_int_eq(read("*")->kind, TYPE_UNIT);
    ck_assert_int_eq(read("Tok")->kind, TYPE_TOKEN);
}
END_TEST

START_TEST(types_are_interned_by_text)
{
    type_t first = types_intern(&types, SLICE("f32[3]"));
    for (int i = 0; i < 3000; i++)
        types_intern(&types, arena_printf(&mem, "f32[%d]", i));
    ck_assert_uint_eq(types_intern(&types, SLICE("f32[3]")), first);
    ck_assert_uint_eq(types.list.n, 3000);
}
END_TEST

START_TEST(hostile_nesting_stays_flat)
{
    char text[4 * 5000 + 1];
    for (int i = 0; i < 5000; i++)
        memcpy(text + 4 * i, "Ref{", 4);
    text[sizeof text - 1] = 0;
    ck_assert_int_eq(read(text)->kind, TYPE_OPAQUE);
}
END_TEST

START_TEST(scanning_stops_where_types_do)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {
        {"f32[2*b - 1,mod(a, 2)] b", 22},
        {"f32[]. let", 5},
        {"f32[4]{V:x, U:y}; c", 16},
        {"f32[],", 5},
        {"Ref<MemorySpace.Host>{i32[]}. let", 28},
        {"f.<locals>.QTy(shape=(3, 4)) x", 28},
        {"f32[])", 5},
        {" x", 0},
        {"f32[3\n]", 5},
    };
    for (size_t i = 0; i < countof(cases); i++) {
        const char *end = cases[i].text + strlen(cases[i].text);
        ck_assert_uint_eq((size_t)(type_scan(cases[i].text, end) - cases[i].text), cases[i].n);
    }
}
END_TEST

START_TEST(dtypes_have_two_spellings)
{
    for (dtype_t d = 0; d < DT_COUNT; d++) {
        ck_assert_uint_eq(dtype_find(dtype_text(&names, d)), d);
        ck_assert_uint_eq(dtype_find(dtype_long(&names, d)), d);
    }
    ck_assert_uint_eq(dtype_find(SLICE("float31")), NONE);
    ck_assert_uint_eq(dtype_bits(DT_c128), 128);
    ck_assert_int_eq(dtype_class(DT_u4), CLASS_UNSIGNED);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("type");
    TCase *tests = tcase_create("type");
    tcase_add_checked_fixture(tests, setup, mem_close);
    tcase_add_test(tests, arrays);
    tcase_add_test(tests, dims);
    tcase_add_test(tests, extended_dtypes);
    tcase_add_test(tests, refs);
    tcase_add_test(tests, everything_else_is_opaque);
    tcase_add_test(tests, types_are_interned_by_text);
    tcase_add_test(tests, hostile_nesting_stays_flat);
    tcase_add_test(tests, scanning_stops_where_types_do);
    tcase_add_test(tests, dtypes_have_two_spellings);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
