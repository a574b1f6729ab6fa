/* SPDX-License-Identifier: Apache-2.0
 *
 * Parsing: where values end, what the forms of equations mean, and what remains after errors. */
#include "base/utf8.h"
#include "resolve/check.h"
#include "parse/parse.h"
#include "unit.h"

static struct module module;
static struct diags diags;

static struct module *
parse_n(const char *text, size_t n)
{
    diags_init(&diags, &mem);
    struct text bytes;
    text_init(&mem, &bytes, SLICE("test"), text, n);
    parse_module(&module, &mem, bytes, &(struct parse_how){.no_fast_path = false}, &diags);
    return &module;
}

static struct module *
parse(const char *text)
{
    struct module *m = parse_n(text, strlen(text));
    ck_assert_msg(diags.errors == 0, "%.*s in %s", (int)diags.list.at[0].message.n, diags.list.at[0].message.at, text);
    return m;
}

static bool
is(struct slice s, const char *want)
{
    return slice_eq(s, slice_of(want));
}

/* the values of the first equation of the first program, `key=value` joined by `|` */
static const char *
values(const struct module *m)
{
    struct sink out;
    struct name_buffer buffer;
    sink_init_memory(&out, &mem);
    for (param_t p = m->eqns.at[m->jaxprs.at[m->programs.at[0].main].eqns].params; p != NONE;
         p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        sink_slice(&out, param->key == NONE ? SLICE("-") : module_name(m, param->key, &buffer));
        sink_char(&out, '=');
        sink_slice(&out, module_bytes(m, param->span));
        sink_printf(&out, "%s", param->next == NONE ? "" : "|");
    }
    sink_char(&out, 0);
    return out.at;
}

static const char *
values_of(const char *list)
{
    return values(parse(arena_printf(&mem, "{ lambda ; a:f32[]. let b:f32[] = foo[%s] a in (b,) }", list).at));
}

START_TEST(flat_values_end_at_the_next_key)
{
    static const char *cases[][2] = {
        {"k=1", "k=1"},
        {"axes=(0, 1) dtype=float32", "axes=(0, 1)|dtype=float32"},
        {"fmt= ordered=False", "fmt=|ordered=False"},
        {"name=a b jaxpr=1", "name=a b|jaxpr=1"},
        {"name=it's k=1", "name=it's|k=1"},
        {"x=y=1", "x=y=1"},
        {"d={'a b=': 1} e=2", "d={'a b=': 1}|e=2"},
        {"k=x y=2 ] z m=", "k=x|y=2 ] z m="},
        {"q=<QNode: device='<d (wires=1) at 0x7>', shots=3> s=0",
         "q=<QNode: device='<d (wires=1) at 0x7>', shots=3>|s=0"},
        {"a=(b'x]', \"it's\") c=1", "a=(b'x]', \"it's\")|c=1"},
        {"arr=[[0 1]\n [2 3]] k=1", "arr=[[0 1]\n [2 3]]|k=1"},
        {"x=Wrapped function:\n\nCore: f\n y=2", "x=Wrapped function:\n\nCore: f\n|y=2"},
    };
    for (size_t i = 0; i < countof(cases); i++)
        ck_assert_str_eq(values_of(cases[i][0]), cases[i][1]);
}
END_TEST

START_TEST(broken_lists_go_by_columns)
{
    ck_assert_str_eq(values(parse("{ lambda ; a:f32[]. let\n"
                                  "    b:f32[] = foo[\n"
                                  "      fmt=x[{} y=1\n"
                                  "two\n"
                                  "      has=True\n"
                                  "      z=b\n"
                                  "    ] a\n"
                                  "  in (b,) }")),
                     "fmt=x[{} y=1\ntwo|has=True|z=b");
}
END_TEST

START_TEST(programs_inside_values)
{
    const struct module *m = parse("{ lambda ; a:i32[] b:f32[]. let\n"
                                   "    c:f32[] = cond[\n"
                                   "      branches=(\n"
                                   "        { lambda ; d:f32[]. let  in (d,) }\n"
                                   "        { lambda ; e:f32[]. let f:f32[] = sin e in (f,) }\n"
                                   "      )\n"
                                   "    ] a b\n"
                                   "  in (c,) }");
    const struct eqn *e = &m->eqns.at[m->jaxprs.at[m->programs.at[0].main].eqns];
    const struct param *p = &m->params.at[e->params];
    ck_assert_uint_eq(m->programs.n, 1);
    ck_assert_uint_eq(m->jaxprs.n, 3);
    ck_assert_int_eq(p->kind, PARAM_TUPLE);
    ck_assert_int_eq(m->segments.at[p->a].kind, SEGMENT_JAXPR);
    ck_assert_uint_eq(m->jaxprs.at[m->segments.at[p->a].a].parent, 0);
    ck_assert_uint_eq(e->n_atoms, 2);
}
END_TEST

START_TEST(lists_of_programs_are_pasted_prints)
{
    const struct module *m =
        parse("{ lambda ; a:f32[]. let b:f32[] = foo[branches=[{ lambda ; a:f32[]. let\n"
              "    b:f32[] = sin a\n"
              "  in (b,) }, None, let f = { lambda ; a:f32[]. let  in (a,) } in\n"
              "{ lambda ; b:f32[]. let c:f32[] = jit[name=f jaxpr=f] b in (c,) }] k=1] a in (b,) }");
    const struct param *p = &m->params.at[m->eqns.at[m->jaxprs.at[m->programs.at[m->programs.n - 1].main].eqns].params];
    ck_assert_int_eq(p->kind, PARAM_MIXED);
    ck_assert_uint_eq(m->programs.n, 3);
    ck_assert_uint_eq(m->lets.n, 1);
    ck_assert_uint_eq(m->lets.at[0].references, 1);
    u32 pasted = 0;
    for (u32 i = 0; i < m->programs.n; i++)
        pasted += m->programs.at[i].pasted;
    ck_assert_uint_eq(pasted, 2);
}
END_TEST

START_TEST(text_that_only_looks_like_a_program)
{
    const struct module *m = parse("{ lambda ; a:f32[]. let\n"
                                   "    b:f32[] = foo[\n"
                                   "      s={ lambda ; a. let in\n"
                                   "      t=1\n"
                                   "    ] a\n"
                                   "  in (b,) }");
    ck_assert_uint_eq(m->jaxprs.n, 1);
    ck_assert_str_eq(values(m), "s={ lambda ; a. let in|t=1");
    ck_assert_uint_eq(diags.warnings, 1); /* it is reported */
}
END_TEST

START_TEST(shared_programs_may_come_later)
{
    const struct module *m = parse("let f = { lambda ; a:f32[]. let b:f32[] = jit[name=g jaxpr=g] a in (b,) } in\n"
                                   "let g = { lambda ; c:f32[]. let  in (c,) } in\n"
                                   "{ lambda ; d:f32[]. let\n"
                                   "    e:f32[] = cond[branches=(f g)] 0:i32[] d\n"
                                   "    h:f32[] = jit[name=f jaxpr=nothing] e\n"
                                   "  in (h,) }");
    ck_assert_uint_eq(m->lets.n, 2);
    ck_assert_uint_eq(m->lets.at[0].references, 1);
    ck_assert_uint_eq(m->lets.at[1].references, 2);
    eqn_t second = m->eqns.at[m->jaxprs.at[m->programs.at[0].main].eqns].next;
    param_t p = eqn_param(m, second, SLICE("jaxpr"));
    ck_assert_int_eq(m->params.at[p].kind, PARAM_SHARED);
    ck_assert_uint_eq(m->params.at[p].a, NONE);
    ck_assert_int_eq(m->params.at[eqn_param(m, second, SLICE("name"))].kind, PARAM_TEXT);
}
END_TEST

START_TEST(forms_of_refs)
{
    static const struct {
        const char *eqn, *prim;
        int form;
        u32 atoms, results;
    } cases[] = {
        {"b:f32[8] <- a[...]", "get", EQN_GET, 1, 1},
        {"b:f32[] <- a[i,:]{bitcast(int32)}[0]", "get", EQN_GET, 1, 1},
        {"a[:,0] <- 2.0:f32[]", "swap", EQN_STORE, 2, 0},
        {"b:f32[], a[0] <- a[0], 7.0:f32[]", "swap", EQN_SWAP, 2, 1},
        {"a[i] += v", "addupdate", EQN_ADDUPDATE, 2, 0},
        {"b:f32[4] <- a[i,:] mask=m other=v", "masked_load", EQN_GET, 3, 1},
        {"dma_start(p0) a[...] -> v[...] i[...]", "dma_start", EQN_RAW, 3, 0},
        {"semaphore_wait[dec] a[...] 1:i32[]", "semaphore_wait", EQN_RAW, 2, 0},
        {"semaphore_signal a[...] 2:i32[]1:i32[]", "semaphore_signal", EQN_RAW, 3, 0},
        {"eff a", "eff", EQN_CALL, 1, 0},
        {" = eff a", "eff", EQN_CALL_BARE, 1, 0},
        {"Foo.linearized[nz=(True,)] a", "Foo.linearized", EQN_CALL, 1, 0},
        {"scatter-add a", "scatter-add", EQN_CALL, 1, 0},
    };
    for (size_t i = 0; i < countof(cases); i++) {
        const struct module *m =
            parse(arena_printf(&mem, "{ lambda ; a:Ref{f32[8]} i:i32[] v:f32[] m:bool[4]. let\n    %s\n  in () }",
                               cases[i].eqn)
                      .at);
        struct name_buffer buffer;
        const struct eqn *e = &m->eqns.at[m->jaxprs.at[0].eqns];
        ck_assert_msg(is(module_name(m, e->prim, &buffer), cases[i].prim), "%s", cases[i].eqn);
        ck_assert_msg(e->form == (u32)cases[i].form && e->n_atoms == cases[i].atoms && e->n_vars == cases[i].results,
                      "%s: %u %u %u", cases[i].eqn, e->form, e->n_atoms, e->n_vars);
    }
}
END_TEST

START_TEST(words_are_keywords_by_place)
{
    const struct module *m = parse("{ lambda ; in:f32[] let:f32[]. let\n"
                                   "    lambda:f32[] = mul in let\n"
                                   "    inf:f32[] = sin lambda\n"
                                   "    b:f32[] = add inf inf:f32[]\n"
                                   "  in (b, in) }");
    const struct eqn *last = &m->eqns.at[m->jaxprs.at[0].last];
    ck_assert_uint_eq(m->jaxprs.at[0].n_eqns, 3);
    ck_assert_uint_eq(m->jaxprs.at[0].n_outs, 2);
    ck_assert_int_eq(atom_kind(m->atoms.at[last->atoms]), ATOM_NAME);
    ck_assert_int_eq(atom_kind(m->atoms.at[last->atoms + 1]), ATOM_LIT);
}
END_TEST

START_TEST(literals)
{
    static const struct {
        const char *text;
        int kind;
    } cases[] = {{"1:i32[]", LIT_INT},
                 {"-0.0:f32[]", LIT_FLOAT},
                 {"1e-05", LIT_FLOAT},
                 {"-inf:f32[]", LIT_FLOAT},
                 {"nan", LIT_FLOAT},
                 {"True:bool[]", LIT_BOOL},
                 {"(1+2j):c64[]", LIT_COMPLEX},
                 {"2j", LIT_COMPLEX},
                 {"[...]:f32[3]", LIT_ARRAY},
                 {"(b'',):float0[]", LIT_FLOAT0},
                 {"1:bf16[]", LIT_INT}};
    for (size_t i = 0; i < countof(cases); i++) {
        const struct module *m =
            parse(arena_printf(&mem, "{ lambda ; . let a:f32[] = id %s in (a,) }", cases[i].text).at);
        ck_assert_uint_eq(m->literals.n, 1);
        ck_assert_msg(m->literals.at[0].kind == (u32)cases[i].kind, "%s", cases[i].text);
    }
}
END_TEST

START_TEST(oldest_texts)
{
    const struct module *m = parse("{ lambda b ;  ; a.\n"
                                   "  let c d = scan[ jaxpr={ lambda  ; a b.\n"
                                   "                          let c = add a b\n"
                                   "                          in (c, a) }\n"
                                   "                  length=3\n"
                                   "                  tr=(  ) ] a b\n"
                                   "       = eff a\n"
                                   "      e f g h =\n"
                                   "        quad[ k=1 ] a\n"
                                   "  in [c, d] }");
    const struct jaxpr *j = &m->jaxprs.at[m->programs.at[0].main];
    ck_assert_uint_eq(j->n_eqns, 3);
    ck_assert_uint_eq(j->n_outs, 2);
    ck_assert_uint_eq(j->n_consts, 1);
    ck_assert_uint_eq(m->eqns.at[j->last].n_vars, 4);
    ck_assert_uint_eq(m->vars.at[j->vars].type, NONE);
}
END_TEST

START_TEST(comments_colours_and_line_ends_are_not_syntax)
{
    const struct module *m = parse("\xEF\xBB\xBF{ \x1b[34;1mlambda \x1b[39;22m; a\x1b[35m:f32[]\x1b[39m. let\r\n"
                                   "    b:f32[] = sin a # t.py:3:6 (f)\r\n"
                                   "                    # []\r\n"
                                   "  in (b,) }\r\n");
    ck_assert_uint_eq(m->jaxprs.at[0].n_eqns, 1);
    ck_assert_uint_eq(m->comments.n, 2);
    ck_assert(is(module_bytes(m, m->comments.at[0].text), "t.py:3:6 (f)"));
    ck_assert(!memchr(m->text.at, '\r', m->text.n) && !memchr(m->text.at, '\x1b', m->text.n));
}
END_TEST

START_TEST(characters_that_end_lines_are_found)
{
    static const u32 ends[] = {'\v', 0x85, 0x2028, 0x2029}, others[] = {'\n', '\r', '\f', 0x2027, 0x202A};
    for (size_t i = 0; i < countof(ends); i++) {
        char text[8] = "ab";
        ck_assert(is_line_end(ends[i]));
        size_t n = 1 + utf8_encode(text + 1, ends[i]);
        ck_assert(has_line_end((struct slice){text, n}));
        ck_assert(!has_line_end((struct slice){text, n - 1}));
    }
    for (size_t i = 0; i < countof(others); i++) {
        char text[8] = "ab";
        ck_assert(!is_line_end(others[i]));
        ck_assert(!has_line_end((struct slice){text, utf8_encode(text, others[i])}));
    }
}
END_TEST

START_TEST(streams_hold_many_programs)
{
    const struct module *m =
        parse("{ lambda ; . let  in () }\n\n{ lambda ; a:f32[]. let  in (a,) } { lambda ; . let  in () }");
    ck_assert_uint_eq(m->programs.n, 3);
    ck_assert_uint_eq(m->programs.at[1].offset, 27);
}
END_TEST

/* codes of the diagnostics, joined */
static const char *
codes(const char *text)
{
    struct sink out;
    parse_n(text, strlen(text));
    struct resolution found = {0};
    check_scopes(&module, &found, &diags);
    check_underscores(&module, &found, LEVEL_WARNING, &diags);
    diags_sort(&diags);
    sink_init_memory(&out, &mem);
    for (u32 i = 0; i < diags.list.n; i++)
        sink_printf(&out, "%s%s", i ? " " : "", diag_info(diags.list.at[i].code).code);
    sink_char(&out, 0);
    return out.at;
}

START_TEST(one_mistake_is_one_report)
{
    static const char *cases[][2] = {
        {"{ lambda ; a:f32[]. let b:f32[] sin a; c:f32[] = cos b in (c,) }", "S001"},
        {"{ lambda ; a:f32[]. let b:f32[] = add a, a; c:f32[] = cos ) b in (c,) }", "S001 S001"},
        {"{ lambda ; a:f32[]. let b:f32[] = sin a in (b c) }", "S001"},
        {"{ lambda ; a:. let  in (a,) }", "S001"},
        {"{ lambda ; a:f32[3. let  in (a,) }", "S002"},
        {"{ lambda ; a:f32[]. let b:f32[] = f[k=(1 a in (b,) }", "S002"},
        {"{ lambda ; a:f32[]. let b:f32[] = f[k=(1 ", "S003"},
        {"{ lambda ; a:f32[]. let b:f32[] =", "S003"},
        {"", "S006"},
        {"hello { lambda ; . let  in () } world", "S009 S009"},
        {"{ lambda ; a:f32[] a:f32[]. let  in (a,) }", "S010"},
        {"{ lambda ; a:f32[]. let b:f32[] = sin c; c:f32[] = sin a in (b,) }", "S011"},
        {"{ lambda ; a:f32[]. let b:f32[] = add z z; c:f32[] = sin z in (b,) }", "S012"},
        {"{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr=f] a in (b,) }", "S013"},
        {"let f = { lambda ; . let jit[jaxpr=g]  in () } in\nlet g = { lambda ; . let jit[jaxpr=f]  in () } in\n{ "
         "lambda ; . let  in () }",
         "S014"},
        {"let f = { lambda ; . let  in () } in\nlet f = { lambda ; . let  in () } in\n{ lambda ; . let  in () }",
         "S015"},
        {"{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr={ lambda ; c:f32[]. let d:f32[] = add c a in (d,) }] a in (b,) }",
         "S016"},
        {"{ lambda ; a:f32[]. let ...; b:f32[] = sin z in (b,) }", "S018"},
        {"{ lambda ; a. let b = sin a in (b,) }", "S019"},
        {"{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = cos _ in (_,) }", "S012"},
        {"{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }] a in (b,) }",
         ""},
    };
    for (size_t i = 0; i < countof(cases); i++)
        ck_assert_msg(strcmp(codes(cases[i][0]), cases[i][1]) == 0, "%s: %s", cases[i][0], codes(cases[i][0]));
}
END_TEST

START_TEST(every_prefix_is_an_error_and_no_crash)
{
    static const char text[] = "let f = { lambda ; a:f32[]. let  in (a,) } in\n"
                               "{ lambda c:f32[2*b - 1]; d:Ref{f32[8]}. let\n"
                               "    e:f32[] = jit[name=f jaxpr=f] 1.0:f32[]\n"
                               "    g:f32[] <- d[0]\n"
                               "    h:f32[] = cond[branches=({ lambda ; i:f32[]. let  in (i,) } f)] 0:i32[] g\n"
                               "    k:f32[] = foo[x=[{ lambda ; i:f32[]. let  in (i,) }, 'a]'] y=()] h (1+2j):c64[]\n"
                               "  in (k,) : { Debug } }";
    for (size_t n = 1; n < sizeof text - 1; n++) {
        parse_n(text, n);
        check_scopes(&module, &(struct resolution){0}, &diags);
        ck_assert_msg(diags.errors > 0, "no error in %.*s", (int)n, text);
        mem_close();
        mem_open();
    }
    parse(text);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("parse");
    TCase *tests = tcase_create("parse");
    tcase_add_checked_fixture(tests, mem_open, mem_close);
    tcase_add_test(tests, flat_values_end_at_the_next_key);
    tcase_add_test(tests, broken_lists_go_by_columns);
    tcase_add_test(tests, programs_inside_values);
    tcase_add_test(tests, lists_of_programs_are_pasted_prints);
    tcase_add_test(tests, text_that_only_looks_like_a_program);
    tcase_add_test(tests, shared_programs_may_come_later);
    tcase_add_test(tests, forms_of_refs);
    tcase_add_test(tests, words_are_keywords_by_place);
    tcase_add_test(tests, literals);
    tcase_add_test(tests, oldest_texts);
    tcase_add_test(tests, comments_colours_and_line_ends_are_not_syntax);
    tcase_add_test(tests, characters_that_end_lines_are_found);
    tcase_add_test(tests, streams_hold_many_programs);
    tcase_add_test(tests, one_mistake_is_one_report);
    tcase_add_test(tests, every_prefix_is_an_error_and_no_crash);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
