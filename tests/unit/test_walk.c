/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking: types, values of parameters, definitions, uses and places, as bindings of other languages read them. */
#include "library.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* ---- types ---- */

/* a type in words that tests can compare */
static const char *
type_words(jx_module *module, uint32_t id)
{
    static char words[512];
    static const char *const kinds[] = {"array", "ref", "token", "unit", "opaque"};
    static const char *const dims[] = {"", "name ", "poly ", "bounded ", "dbidx ", "indbidx ", "outdbidx ", "opaque "};
    struct jx_type t;
    struct jx_dim d;
    struct jx_term term;
    int n;
    ck_assert(jx_type_at(module, id, &t));
    n = snprintf(words, sizeof words, "%s %.*s", kinds[t.kind], (int)t.dtype.n, t.dtype.at);
    for (uint32_t i = 0; i < t.rank; i++) {
        ck_assert(jx_dim_at(module, id, i, &d));
        n += snprintf(words + n, sizeof words - (size_t)n, " [%s", dims[d.kind]);
        if (d.kind != JX_DIM_NAME && d.kind != JX_DIM_POLYNOMIAL && d.kind != JX_DIM_OPAQUE)
            n += snprintf(words + n, sizeof words - (size_t)n, "%lld", (long long)d.value);
        else if (d.kind != JX_DIM_POLYNOMIAL)
            n += snprintf(words + n, sizeof words - (size_t)n, "%.*s", (int)d.text.n, d.text.at);
        for (uint32_t k = 0; k < d.terms; k++) {
            ck_assert(jx_term_at(module, id, i, k, &term));
            n += snprintf(words + n, sizeof words - (size_t)n, "(%lld", (long long)term.coefficient);
            for (uint32_t f = 0; f < term.factors; f++)
                n += snprintf(words + n, sizeof words - (size_t)n, " %.*s", (int)term.factor[f].n, term.factor[f].at);
            n += snprintf(words + n, sizeof words - (size_t)n, ")");
        }
        ck_assert(!jx_term_at(module, id, i, d.terms, &term));
        if (d.sharding.n > 0)
            n += snprintf(words + n, sizeof words - (size_t)n, "@%.*s", (int)d.sharding.n, d.sharding.at);
        n += snprintf(words + n, sizeof words - (size_t)n, "]");
    }
    ck_assert(!jx_dim_at(module, id, t.rank, &d));
    if (t.memory_space.n > 0)
        n += snprintf(words + n, sizeof words - (size_t)n, " in %.*s", (int)t.memory_space.n, t.memory_space.at);
    if (t.varying.n > 0)
        snprintf(words + n, sizeof words - (size_t)n, " over %.*s", (int)t.varying.n, t.varying.at);
    return words;
}

static const char *const types[][2] = {
    {"f32[]", "array f32"},
    {"i32[8,n]", "array i32 [8] [name n]"},
    {"float32[2]", "array f32 [2]"},
    {"f32[2*b^2 - 1]", "array f32 [poly (2 b b)(-1)]"},
    {"f32[8@x,4@(x,y)]{V:x}", "array f32 [8@x] [4@(x,y)] over x"},
    {"f32[4]{V:(x,y)}", "array f32 [4] over x,y"},
    {"f32<host>[8]", "array f32 [8] in host"},
    {"key<fry>[2]", "array key<fry> [2]"},
    {"f64[DBIdx(0),OutDBIdx(1)]", "array f64 [dbidx 0] [outdbidx 1]"},
    {"f32[99999999999999999999]", "array f32 [opaque 99999999999999999999]"},
    {"Ref<vmem>{f32[8]}", "ref  in vmem"},
    {"Tok", "token "},
    {"AbstractQreg(length=2)", "opaque "},
};

START_TEST(types_are_taken_apart)
{
    char text[256];
    struct jx_program p;
    struct jx_variable v;
    struct jx_type t;
    snprintf(text, sizeof text, "{ lambda ; a:%s. let in (a,) }\n", types[_i][0]);
    jx_module *module = read_text(text);
    ck_assert(jx_program_at(module, 0, &p));
    ck_assert(jx_binder_at(module, p.jaxpr, 0, &v));
    ck_string(v.type, types[_i][0]);
    ck_assert_str_eq(type_words(module, v.type_id), types[_i][1]);
    ck_assert(jx_type_at(module, v.type_id, &t));
    if (t.kind == JX_TYPE_REF)
        ck_assert_str_eq(type_words(module, t.inner), "array f32 [8]");
    ck_assert(!jx_type_at(module, JX_NONE, &t));
}
END_TEST

/* ---- values ---- */

/* appends a value in words to `words`, with its items in parentheses; the caller's buffer must be large enough */
static void
put_value(jx_module *module, const struct jx_value *v, char *words)
{
    static const char *const kinds[] = {"none", "bool",  "int",  "float", "str",  "dtype",  "name",    "enum",
                                        "type", "tuple", "list", "set",   "dict", "record", "program", "text"};
    struct jx_value item, *before = NULL;
    uint32_t n = 0;
    if (v->key.n > 0)
        sprintf(words + strlen(words), "%.*s=", (int)v->key.n, v->key.at);
    strcat(words, kinds[v->kind]);
    if (v->word.n > 0)
        sprintf(words + strlen(words), " %.*s", (int)v->word.n, v->word.at);
    if (v->kind == JX_VALUE_BOOL || (v->kind == JX_VALUE_INTEGER && v->exact))
        sprintf(words + strlen(words), " %lld", (long long)v->integer);
    else if (v->kind == JX_VALUE_INTEGER || v->kind == JX_VALUE_FLOAT)
        sprintf(words + strlen(words), " ~%g", v->number);
    ck_assert_int_eq(v->kind == JX_VALUE_TEXT, v->reason[0] != 0);
    if (v->kind < JX_VALUE_TUPLE || v->kind > JX_VALUE_RECORD)
        return;
    strcat(words, "(");
    while (jx_value_items(module, v, before, &item, 1) == 1) {
        strcat(words, n++ > 0 ? " " : "");
        put_value(module, &item, words);
        before = &item;
    }
    strcat(words, ")");
    ck_assert_uint_eq(n, v->items);
}

static const char *const values[][2] = {
    {"None", "none"},
    {"True", "bool 1"},
    {"-3", "int -3"},
    {"123456789012345678901234567890", "int ~1.23457e+29"},
    {"1e-05", "float ~1e-05"},
    {"-inf", "float ~-inf"},
    {"'a, (b'", "str a, (b"},
    {"float32", "dtype f32"},
    {"step", "name step"},
    {"GatherScatterMode.CLIP", "enum GatherScatterMode.CLIP"},
    {"<AccuracyMode.HIGH: 2>", "enum AccuracyMode.HIGH"},
    {"float32[8,n]", "type"},
    {"()", "tuple()"},
    {"[]", "list()"},
    {"{}", "dict()"},
    {"(0,)", "tuple(int 0)"},
    {"(([1], [0]), ([], []))", "tuple(tuple(list(int 1) list(int 0)) tuple(list() list()))"},
    {"{'x': 1, 'y': (2, None)}", "dict('x'=int 1 'y'=tuple(int 2 none))"},
    {"{'x', 'y'}", "set(str x str y)"},
    {"GatherDimensionNumbers(offset_dims=(1,), mode=fill)", "record GatherDimensionNumbers(offset_dims=tuple(int 1) "
                                                            "mode=name fill)"},
    {"PartitionSpec('x', None)", "record PartitionSpec(str x none)"},
    {"<function f at 0x7f0000000000>", "text"},
    {"a + b", "text"},
    {"(1, <object>, {'a': [1, 2.5]})", "tuple(int 1 text dict('a'=list(int 1 float ~2.5)))"},
    {"{ lambda ; a:f32[]. let in (a,) }", "program"},
    {"[{ lambda ; a:f32[]. let in (a,) }, 3, { lambda ; . let in () }]", "list(program int 3 program)"},
    {"Solve(solve={ lambda ; a:f32[]. let in (a,) }, n=2)", "record Solve(solve=program n=int 2)"},
};

START_TEST(values_are_taken_apart)
{
    char text[512], words[512] = "";
    struct jx_program p;
    struct jx_jaxpr j;
    struct jx_equation e;
    struct jx_value v;
    snprintf(text, sizeof text, "{ lambda ; a:f32[]. let b:f32[] = foo[k=%s] a in (b,) }\n", values[_i][0]);
    jx_module *module = read_text(text);
    ck_assert(jx_program_at(module, 0, &p));
    ck_assert(jx_jaxpr_at(module, p.jaxpr, &j));
    ck_assert(jx_equation_at(module, j.first_equation, &e));
    ck_assert(jx_parameter_value(module, e.first_parameter, &v));
    ck_string(v.text, values[_i][0]);
    put_value(module, &v, words);
    ck_assert_str_eq(words, values[_i][1]);
    if (strstr(values[_i][0], "lambda") != NULL)
        return; /* text alone contains no programs */
    words[0] = 0;
    ck_assert(jx_value_of(module, v.text, &v));
    put_value(module, &v, words);
    ck_assert_str_eq(words, values[_i][1]);
}
END_TEST

START_TEST(programs_of_tuples_are_items)
{
    jx_module *module = read_text("let f = { lambda ; a:f32[]. let in (a,) } in\n"
                                  "{ lambda ; i:i32[] a:f32[]. let\n"
                                  "    b:f32[] = cond[branches=( { lambda ; a:f32[]. let in (a,) } f )] i a\n"
                                  "    c:f32[] = cond[branches=()] i b\n"
                                  "  in (c,) }\n");
    struct jx_program p;
    struct jx_jaxpr j;
    struct jx_equation e[3];
    struct jx_value v, items[4];
    ck_assert(jx_program_at(module, 0, &p));
    ck_assert(jx_jaxpr_at(module, p.jaxpr, &j));
    ck_assert_uint_eq(jx_equations(module, j.first_equation, e, 3), 2);
    ck_assert(jx_parameter_value(module, e[0].first_parameter, &v));
    ck_assert_int_eq(v.kind, JX_VALUE_TUPLE);
    ck_assert_uint_eq(v.items, 2);
    ck_assert_uint_eq(jx_value_items(module, &v, NULL, items, 4), 2);
    ck_assert_int_eq(items[0].kind, JX_VALUE_PROGRAM);
    ck_assert_uint_eq(items[0].jaxpr, jx_parameter_jaxpr(module, e[0].first_parameter, 0));
    ck_assert_uint_eq(items[1].jaxpr, jx_parameter_jaxpr(module, e[0].first_parameter, 1));
    ck_string(items[1].word, "f");
    ck_assert(jx_jaxpr_at(module, items[0].jaxpr, &j));
    ck_assert_uint_eq(j.parent, e[0].id);
    ck_assert(jx_parameter_value(module, e[1].first_parameter, &v));
    ck_assert_int_eq(v.kind, JX_VALUE_TUPLE);
    ck_assert_uint_eq(v.items, 0);
    ck_assert_uint_eq(jx_value_items(module, &v, NULL, items, 4), 0);
}
END_TEST

/* ---- sites ---- */

/* looking up each byte of the name at a site's start finds this site */
static void
check_found(jx_module *module, const struct jx_site *site, const struct jx_span *span, size_t name)
{
    struct jx_site found;
    for (uint32_t i = 0; i < name && span->place.end_line == span->place.line; i++) {
        ck_assert_uint_eq(jx_sites_at(module, span->place.line, span->place.column + i, &found, 1), 1);
        ck_assert_msg(found.part == site->part && found.id == site->id && found.index == site->index &&
                          found.inner == site->inner,
                      "%u:%u: part %d of %u, not %d of %u", span->place.line, span->place.column + i, found.part,
                      found.id, site->part, site->id);
        ck_assert_uint_eq(jx_site_variable(module, &found), jx_site_variable(module, site));
        ck_assert_uint_ne(jx_site_variable(module, site), JX_NONE);
    }
}

/* every variable of a text, its definition and uses: each site must contain its name */
static uint32_t
check_sites(const char *text)
{
    jx_module *module = read_text(text);
    struct jx_jaxpr j;
    struct jx_equation e;
    struct jx_variable v;
    struct jx_site sites[32];
    struct jx_span span;
    uint32_t seen = 0;
    ck_assert(!jx_definition(module, 0, sites));
    ck_assert_int_eq(jx_resolve(module), JX_OK);
    ck_assert_int_eq(jx_resolve(module), JX_OK);
    for (uint32_t id = 0; jx_jaxpr_at(module, id, &j); id++)
        for (uint32_t i = j.first_equation; jx_equation_at(module, i, &e); i = e.next)
            for (uint32_t k = 0; jx_result_at(module, i, k, &v); k++) {
                ck_assert(jx_definition(module, v.id, &sites[0]));
                ck_assert(sites[0].part == JX_PART_RESULT && sites[0].id == i && sites[0].index == k);
                uint32_t n = 1 + jx_uses(module, v.id, 0, sites + 1, 31);
                for (uint32_t s = 0; s < n; s++) {
                    ck_assert_msg(jx_span_at(module, &sites[s], &span), "site %u of %.*s", s, (int)v.name.n, v.name.at);
                    ck_assert_msg(memcmp(text + span.from, v.name.at, v.name.n) == 0, "`%.*s` is not %.*s",
                                  (int)(span.to - span.from), text + span.from, (int)v.name.n, v.name.at);
                    ck_assert_uint_le(span.from + v.name.n, span.to);
                    check_found(module, &sites[s], &span, v.name.n);
                    seen++;
                }
            }
    return seen;
}

START_TEST(sites_are_in_the_text_that_was_read)
{
    static const char *const texts[] = {
        "{ lambda ; x:f32[4] r:Ref{f32[4]}. let\n"
        "    abc:f32[4] = add x  x\n"
        "    i:i32[] = foo[k=1] abc 2.0:f32[]\n"
        "    d:f32[] <- r[i]\n"
        "    r[i] <- d\n"
        "    r[0:i] += d\n"
        "    e:f32[] = scan[jaxpr={ lambda ; g:f32[]. let h:f32[] = sin g in (h,) } n=3] d\n"
        "  in (abc, e) }\n",
        /* lines that a terminal wrapped, no-break spaces, tabs */
        "{ lambda ; x:f32[4]. let\n"
        "\tabc:f32[4]\xc2\xa0= add x \xc2\xa0x\n"
        "    d:f32[4] = mul abc ab\nc\n"
        "    e:f32[4] = mul abc d\r\n"
        "  in (abc, e) }\n",
        /* a byte order mark, and the colours of a terminal */
        "\xef\xbb\xbf{ \x1b[34m\x1b[1mlambda \x1b[39m\x1b[22m; x\x1b[35m:f32[4]\x1b[39m. "
        "\x1b[34m\x1b[1mlet\x1b[39m\x1b[22m\n"
        "    abc\x1b[35m:f32[4]\x1b[39m\xc2\xa0= add x \x1b[1mx\x1b[22m\n"
        "    d\x1b[35m:f32[4]\x1b[39m = mul abc \x1b[1mabc\x1b[22m\r\n"
        "    e\x1b[35m:f32[4]\x1b[39m = mul \x1b[36mabc d\x1b[39m\n"
        "  \x1b[34m\x1b[1min\x1b[39m\x1b[22m (abc, \x1b[1me\x1b[22m) }\n",
        /* colours, and lines that a terminal wrapped */
        "{ \x1b[1mlambda\x1b[22m ; x:f32[4]. let\n"
        "    abc:f32[4] = \x1b[1madd\x1b[22m x x\n"
        "    defg:f32[4] = concatenate[dimension=0] \x1b[1mabc\x1b[22m 1.\n0:f32[] \x1b[1mabc\x1b[22m\n"
        "    hijk:f32[4] = concatenate[dimension=0] \x1b[1mabc\x1b[22m 2.\n0:f32[] \x1b[1mdefg\x1b[22m\n"
        "  in (abc, \x1b[1mdefg\x1b[22m, hijk) }\n",
    };
    ck_assert_uint_ge(check_sites(texts[0]), 12);
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++)
        check_sites(texts[i]);
}
END_TEST

START_TEST(every_place_has_a_site)
{
    static const char text[] = "let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n"
                               "{ lambda ; c:f32[]. let\n"
                               "    d:f32[] = jit[name=f jaxpr=f] c\n"
                               "    e:f32[] = jit[jaxpr={ lambda ; g:f32[]. let h:f32[] = cos g in (h,) } n=3] d\n"
                               "  in (e,) }\n";
    static const struct {
        const char *at;
        enum jx_part part;
    } places[] = {
        {"let f", JX_PART_PROGRAM},  {"{ lambda ; a", JX_PART_JAXPR}, {"a:f32", JX_PART_BINDER},
        {"sin", JX_PART_PRIMITIVE},  {"b,", JX_PART_OUTPUT},          {"b:f32[] = sin", JX_PART_RESULT},
        {"= sin", JX_PART_EQUATION}, {"f] c", JX_PART_PARAMETER},     {"c\n", JX_PART_OPERAND},
        {"h:f32", JX_PART_RESULT},   {"cos", JX_PART_PRIMITIVE},      {"3]", JX_PART_PARAMETER},
    };
    jx_module *module = read_text(text);
    struct jx_site site, path[8];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *at = strstr(text, places[i].at), *line = at;
        uint32_t n = 1;
        while (line > text && line[-1] != '\n')
            line--;
        for (const char *p = text; p < line; p++)
            n += *p == '\n';
        ck_assert_uint_eq(jx_sites_at(module, n, (uint32_t)(at - line) + 1, &site, 1), 1);
        ck_assert_uint_ge(jx_sites_at(module, n, (uint32_t)(at - line) + 1, path, 8), 1);
        ck_assert_int_eq(memcmp(path, &site, sizeof site), 0);
        ck_assert_msg(site.part == places[i].part, "%s: part %d, not %d", places[i].at, site.part, places[i].part);
    }
    static const enum jx_part around[] = {JX_PART_PRIMITIVE, JX_PART_EQUATION, JX_PART_JAXPR,  JX_PART_PARAMETER,
                                          JX_PART_EQUATION,  JX_PART_JAXPR,    JX_PART_PROGRAM};
    const char *fourth = strstr(text, "    e:f32");
    uint32_t depth = jx_sites_at(module, 4, (uint32_t)(strstr(fourth, "cos") - fourth) + 1, path, 8);
    ck_assert_uint_eq(depth, sizeof around / sizeof *around);
    for (uint32_t i = 0; i < depth; i++)
        ck_assert_int_eq(path[i].part, around[i]);
    ck_assert_uint_eq(jx_site_variable(module, path), JX_NONE);
    ck_assert_uint_eq(jx_sites_at(module, 0, 1, &site, 1), 0);
    ck_assert_uint_eq(jx_sites_at(module, 1, 0, &site, 1), 0);
    ck_assert_uint_eq(jx_sites_at(module, 1, 1000, &site, 1), 0);
    ck_assert_uint_eq(jx_sites_at(module, 1000, 1, &site, 1), 0);
    ck_assert_uint_eq(jx_sites_at(NULL, 1, 1, &site, 1), 0);
}
END_TEST

START_TEST(uses_can_be_read_in_pieces)
{
    jx_module *module = read_text("{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a a; d:f32[] = mul a b in (a, d) }\n");
    struct jx_site all[8], one;
    struct jx_variable a;
    struct jx_operand o;
    ck_assert(jx_binder_at(module, 0, 0, &a));
    ck_assert_uint_eq(jx_uses(module, a.id, 0, all, 8), 0);
    ck_assert(jx_operand_at(module, 0, 0, &o));
    ck_assert_uint_eq(o.variable, JX_NONE);
    ck_assert_int_eq(jx_resolve(module), JX_OK);
    ck_assert(jx_operand_at(module, 0, 0, &o));
    ck_assert_uint_eq(o.variable, a.id);
    ck_assert_uint_eq(o.type_id, a.type_id);
    ck_assert_uint_eq(jx_uses(module, a.id, 0, all, 8), 4);
    ck_assert_int_eq(all[3].part, JX_PART_OUTPUT);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(jx_uses(module, a.id, i, &one, 1), 1);
        ck_assert_int_eq(memcmp(&one, &all[i], sizeof one), 0);
    }
    ck_assert_uint_eq(jx_uses(module, a.id, 4, &one, 1), 0);
    ck_assert_uint_eq(jx_uses(module, a.id, UINT32_MAX, &one, 1), 0);
    ck_assert_int_eq(jx_check(module, NULL), JX_OK);
    ck_assert_uint_eq(jx_diagnostic_count(module, JX_WARNING), 0);
}
END_TEST

START_TEST(nothing_is_found_where_nothing_is)
{
    jx_module *module = read_text("{ lambda ; a:f32[]. let in (a,) }\n");
    struct jx_span span;
    struct jx_value v;
    ck_assert_int_eq(jx_resolve(module), JX_OK);
    for (unsigned part = 0; part < 20; part++)
        for (uint32_t k = 0; k < 4; k++) {
            struct jx_site site = {(enum jx_part)part, k == 0 ? JX_NONE : k, k == 2 ? JX_NONE : k, JX_NONE};
            ck_assert(!jx_span_at(module, &site, &span));
        }
    ck_assert(!jx_parameter_value(module, 0, &v));
    ck_assert(!jx_parameter_value(NULL, 0, &v));
    ck_assert_int_eq(jx_resolve(NULL), JX_MISUSE);
    ck_assert_uint_eq(jx_equation_source(module, 0).n, 0);
}
END_TEST

START_TEST(structures_may_be_older_or_newer)
{
    jx_module *module = read_text("{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n");
    struct {
        struct jx_equation known;
        uint64_t later;
    } newer[2];
    struct jx_equation e;
    memset(newer, 0xff, sizeof newer);
    ck_assert((jx_equation_at)(module, 0, &newer[0].known, sizeof newer[0]));
    ck_assert_uint_eq(newer[0].later, 0);
    memset(&e, 0xff, sizeof e);
    ck_assert((jx_equation_at)(module, 0, &e, sizeof e.primitive));
    ck_string(e.primitive, "sin");
    ck_assert_uint_eq(e.results, UINT32_MAX);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("walk");
    TCase *tc = tcase_create("walk");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, types_are_taken_apart, 0, sizeof types / sizeof *types);
    tcase_add_loop_test(tc, values_are_taken_apart, 0, sizeof values / sizeof *values);
    tcase_add_test(tc, programs_of_tuples_are_items);
    tcase_add_test(tc, sites_are_in_the_text_that_was_read);
    tcase_add_test(tc, every_place_has_a_site);
    tcase_add_test(tc, uses_can_be_read_in_pieces);
    tcase_add_test(tc, nothing_is_found_where_nothing_is);
    tcase_add_test(tc, structures_may_be_older_or_newer);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
