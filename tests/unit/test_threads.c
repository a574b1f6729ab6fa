/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts in parallel: threads that share only a configuration call every function, and get the results of a single
 * thread; and one text is processed by many threads, with the results of one. Under ThreadSanitizer
 * (-Db_sanitize=thread) this shows that the library has no global state, and that the parts of a text share none. */
#include "jaxpr.h"
#include "tour.h"
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 20 };

static const char text[] =
    "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\n"
    "{ lambda c:f32[3]; a:f32[3] n:i32[]. let\n"
    "    d:f32[3] = jit[name=f jaxpr=f] a\n"
    "    e:f32[4] = add d c\n"
    "    g:f32[3] = neg unbound\n"
    "  in (d, e, g) }\n"
    "{ lambda ; a:f32[3]. let b:f32[3] = jit[name=g jaxpr={ lambda ; c:f32[3]. let d:f32[3] = cos c "
    "in (d,) }] a; e:f32[3] = exp a in (b,) }\n";

static const char signature[] = "((i32[], False), (f64[DBIdx(val=0)], True))\n";

static const char contracts[] = "contracts:\n"
                                "  - forbid: [cos]\n"
                                "  - {name: g, count: {sin: 2}, shapes: {forbid: [\"[n]\"]}}\n";

/* What one thread wrote, all of it. */
struct story {
    jx_config *config; /* shared by all */
    char at[512 << 10];
    size_t n;
};

static int
append(void *user, const char *bytes, size_t n)
{
    struct story *s = user;
    if (s->n + n > sizeof s->at)
        return 1;
    memcpy(s->at + s->n, bytes, n);
    s->n += n;
    return 0;
}

static int
write_file(void *file, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, file) == n ? 0 : 1;
}

static void
must(enum jx_status status)
{
    if (status != JX_OK)
        abort();
}

static jx_module *
must_read(jx_context *context)
{
    jx_module *module;
    if (jx_read(context, "t.jaxpr", text, sizeof text - 1, &module) != JX_OK)
        abort();
    return module;
}

static void
render(struct story *s, jx_context *context, jx_module *module)
{
    for (int format = JX_RENDER_TEXT; format <= JX_RENDER_JSONL; format++) {
        struct jx_render_options how = {.size = sizeof how, .format = (enum jx_render_format)format};
        must(jx_render(context, &module, 1, &how, append, s));
    }
}

static void
walk(struct story *s, jx_module *module)
{
    struct jx_equation e;
    struct jx_value value, items[8];
    struct jx_variable result;
    struct jx_site sites[4];
    struct jx_span span;
    must(jx_resolve(module));
    for (uint32_t i = 0; jx_equation_at(module, i, &e); i++) {
        append(s, e.primitive.at, e.primitive.n);
        if (jx_parameter_value(module, e.first_parameter, &value) && jx_value_items(module, &value, NULL, items, 8) > 0)
            append(s, items[0].text.at, items[0].text.n);
        if (jx_result_at(module, i, 0, &result) && jx_uses(module, result.id, 0, sites, 4) > 0 &&
            jx_span_at(module, &sites[0], &span))
            append(s, (const char *)&span.from, sizeof span.from);
    }
}

static void
edit(struct story *s, jx_context *context)
{
    jx_document *document;
    jx_module *module;
    must(jx_document_new(context, "t.jaxpr", text, sizeof text - 1, &document));
    must(jx_edit(document, 0, 0, text, sizeof text - 1));
    must(jx_document_module(document, &module));
    must(jx_format(module, NULL, append, s));
    jx_document_free(document);
}

static void
use_tools(struct story *s, jx_context *context)
{
    struct jx_lint_options all = {.size = sizeof all, .select = "ALL", .fixes = true, .keys = true};
    struct jx_graph_options picture = {.size = sizeof picture};
    jx_program_costs *costs;
    struct jx_costs total;
    jx_lint_result *lint;
    struct pieces whole = {text, sizeof text - 1, SIZE_MAX};
    struct pieces types = {signature, sizeof signature - 1, SIZE_MAX};
    struct jx_found found;
    bool any;
    jx_module *module = must_read(context);
    must(jx_lint(module, &all, &lint));
    must(jx_write_baseline(lint, append, s));
    must(jx_write_fixed(lint, append, s));
    jx_lint_free(lint);
    must(jx_contract_check(module, s->config, "a.jaxpr"));
    render(s, context, module);
    must(jx_cost(module, 1, JX_COST_BY_PRIMITIVE, &costs));
    jx_cost_total(costs, &total);
    append(s, total.total.flops.text.at, total.total.flops.text.n);
    jx_cost_free(costs);
    must(jx_write_graph(module, &picture, &any, append, s));
    must(jx_page_add(must_read(context), 1, append, s));
    jx_extract *extract;
    must(jx_extract_begin(context, "t.log", read_pieces, &whole, &extract));
    while (jx_extract_next(extract, &module, &found) == JX_OK && module != NULL)
        append(s, found.text.at, found.text.n);
    jx_extract_end(extract);
    any = true;
    jx_signatures *signatures;
    must(jx_read_signatures(context, "t.sig", read_pieces, &types, types.n, &signatures));
    must(jx_write_read_signatures(signatures, NULL, "t.sig", &any, append, s));
}

static void
do_everything(struct story *s)
{
    jx_context *context = jx_context_new(NULL);
    if (context == NULL)
        abort();
    jx_module *module = must_read(context), *other = must_read(context);
    jx_program_stats *stats;
    jx_differences *differences;
    jx_digest_list *digests;
    jx_rewrite *rewrite;
    bool first = true;
    must(jx_check(module, NULL));
    walk(s, module);
    edit(s, context);
    render(s, context, module);
    must(jx_format(module, NULL, append, s));
    must(jx_write_json(module, &first, append, s));
    first = true;
    must(jx_write_signatures(module, NULL, "t", &first, append, s));
    must(jx_stats(module, 1, &stats));
    jx_stats_free(stats);
    must(jx_digests(other, NULL, &digests));
    struct jx_string digest = jx_digest_at(digests, 1);
    append(s, digest.at, digest.n);
    must(jx_diff(must_read(context), must_read(context), NULL, append, s, &differences));
    must(jx_normalize(must_read(context), NULL, append, s, &rewrite));
    use_tools(s, context);
    jx_context_free(context);
}

static void *
thread_main(void *story)
{
    struct story *s = story;
    for (int i = 0; i < ROUNDS; i++) {
        s->n = 0;
        do_everything(s);
    }
    return NULL;
}

START_TEST(contexts_in_parallel)
{
    if (!configurations_are_read())
        return;
    struct story *alone = calloc(1, sizeof *alone), *stories = calloc(THREADS, sizeof *stories);
    pthread_t threads[THREADS];
    struct pieces whole = {contracts, sizeof contracts - 1, SIZE_MAX};
    jx_context *context = jx_context_new(NULL);
    jx_config *config;
    ck_assert_ptr_nonnull(alone);
    ck_assert_ptr_nonnull(stories);
    ck_assert_ptr_nonnull(context);
    ck_assert_int_eq(jx_read_config(context, ".jaxpr.yaml", read_pieces, &whole, whole.n, &config), JX_OK);
    ck_assert_uint_eq(jx_diagnostic_count(jx_config_module(config), JX_NOTE), 0);
    alone->config = config;
    for (int i = 0; i < THREADS; i++)
        stories[i].config = config;
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, thread_main, &stories[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    do_everything(alone);
    ck_assert_uint_gt(alone->n, 10000);
    ck_assert_ptr_nonnull(memmem(alone->at, alone->n, "K801", 4));
    ck_assert_uint_lt(alone->n, sizeof alone->at - 1000); /* all of it fit */
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(stories[i].n, alone->n);
        ck_assert_int_eq(memcmp(stories[i].at, alone->at, alone->n), 0);
    }
    jx_context_free(context);
    free(alone);
    free(stories);
}
END_TEST

static void *
tour_main(void *story)
{
    struct story *s = story;
    jx_context *context = jx_context_new(NULL);
    for (const struct station *station = stations; station->name != NULL; station++) {
        struct tour t = {.context = context, .write = append, .user = s};
        must(jx_read(context, "t.jaxpr", tour_text, strlen(tour_text), &t.module));
        station->visit(&t);
        must(t.status);
    }
    jx_context_free(context);
    return NULL;
}

START_TEST(every_function_in_parallel)
{
    struct story *stories = calloc(THREADS, sizeof *stories);
    pthread_t threads[THREADS];
    ck_assert_ptr_nonnull(stories);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, tour_main, &stories[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_gt(stories[0].n, 10000);
    for (int i = 1; i < THREADS; i++) {
        ck_assert_uint_eq(stories[i].n, stories[0].n);
        ck_assert_int_eq(memcmp(stories[i].at, stories[0].at, stories[0].n), 0);
    }
    free(stories);
}
END_TEST

/* ---- one text by many threads ---- */

/* programs with names, types, literals, refs, comments, shared and nested programs, and sizes that are variables */
static const char *const varied[] = {
    "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\n"
    "{ lambda c:f32[3]; a:f32[3] n:i32[]. let\n"
    "    d:f32[3] = jit[name=f jaxpr=f] a # file.py:3:6 (f)\n"
    "    e:f32[3] = add d c\n"
    "    g:f32[3] = add e 2.0:f32[]\n"
    "  in (d, g) }\n",
    "# one more\n"
    "{ lambda ; zebra:Ref{f32[4]} p0:f32[8,6]{V:x}. let\n"
    "    a:f32[] <- zebra[0]\n"
    "    zebra[1] <- a\n"
    "    b:f32[] = my_primitive[k=(1, 2) s=word] a\n"
    "  in (b,) }\n",
    "\n{ lambda ; n:i32[] a:f32[n]. let b:f32[n] = neg a; c:f32[n] = add b a in (c,) }\n",
    "{ lambda ; a. let b = sin a\n c = add b nan in (c,) }\n",
    "{ lambda ; a:bool[] b:f32[3]. let\n"
    "    c:f32[3] = cond[\n"
    "      branches=(\n"
    "        { lambda ; d:f32[3]. let e:f32[3] = cos d in (e,) }\n"
    "        { lambda ; d:f32[3]. let  in (d,) }\n"
    "      )\n"
    "    ] 0:i32[] b\n"
    "  in (c,) }\n",
};

enum { VARIED = sizeof varied / sizeof *varied, BIG = 900 << 10, PARTS = 4 };

/* the arguments of a thread of run_each() */
struct work {
    void (*each)(void *arg, uint32_t i);
    void *arg;
    uint32_t i;
};

static void *
work_main(void *work)
{
    struct work *w = work;
    w->each(w->arg, w->i);
    return NULL;
}

static void
run_each(void *calls, void (*each)(void *arg, uint32_t i), void *arg, uint32_t n)
{
    pthread_t threads[64];
    struct work works[64];
    ck_assert_uint_le(n, 64);
    ++*(int *)calls;
    for (uint32_t i = 0; i < n; i++) {
        works[i] = (struct work){each, arg, i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work_main, &works[i]), 0);
    }
    for (uint32_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

/* all output of check, fmt, json, hash and norm, which the caller frees; *calls counts the calls of run_each() */
static char *
write_all(const char *bytes, size_t n, uint32_t threads, int *calls, size_t *length)
{
    char *at;
    FILE *out = open_memstream(&at, length);
    bool first = true;
    jx_context *context = jx_context_new(NULL);
    jx_module *module;
    jx_digest_list *digests;
    ck_assert_ptr_nonnull(out);
    must(jx_set_threads(context, run_each, calls, threads));
    must(jx_read(context, "t.jaxpr", bytes, n, &module));
    must(jx_check(module, NULL));
    must(jx_render(context, &module, 1, &(struct jx_render_options){.size = sizeof(struct jx_render_options)},
                   write_file, out));
    fprintf(out, "%llu %u\n", (unsigned long long)jx_unverified_count(module), jx_diagnostic_count(module, JX_NOTE));
    for (uint32_t i = 0; jx_unverified_primitive(module, i).n > 0; i++)
        write_file(out, jx_unverified_primitive(module, i).at, jx_unverified_primitive(module, i).n);
    must(jx_format(module, NULL, write_file, out));
    must(jx_write_json(module, &first, write_file, out));
    must(jx_digests(module, NULL, &digests));
    for (uint32_t i = 0; jx_digest_at(digests, i).n > 0; i++)
        write_file(out, jx_digest_at(digests, i).at, jx_digest_at(digests, i).n);
    must(jx_normalize(module, NULL, write_file, out, NULL));
    jx_context_free(context);
    fclose(out);
    return at;
}

/* a text of many programs, with `by`, unless it is NULL, in place of the last `skipped` bytes of one in the middle */
static char *
make_text(const char *by, size_t skipped)
{
    char *at = calloc(1, BIG + 4096), *to = at;
    bool replaced = false;
    ck_assert_ptr_nonnull(at);
    for (unsigned i = 0; to - at < BIG; i++) {
        to = stpcpy(to, varied[i * i % 7 % VARIED]);
        if (by != NULL && !replaced && to - at > BIG / 3) {
            to = stpcpy(to - skipped, by);
            replaced = true;
        }
    }
    return at;
}

/* one program, or a shared one and the program that calls it, with `by` in the middle; names come in the order of JAX,
 * `inf` and `nan` included */
static char *
make_program(const char *head, const char *by, const char *end)
{
    static const char *const equations[] = {
        "    %s:f32[3] = sin a\n",
        "    %s:f32[3] = add a 2.0:f32[] # file.py:3:6 (f)\n",
        "    %s:f32[3] = my_primitive[k=(1, 2) s=word] a\n",
        ("    %s:f32[3] = jit[\n      name=g\n"
         "      jaxpr={ lambda ; b:f32[3]. let c:f32[3] = cos b in (c,) }\n    ] a\n"),
        "    %s:f32[3] = jit[name=f jaxpr=f] a\n",
    };
    char *at = calloc(1, BIG + 4096), *to = at, name[] = "aaaa";
    ck_assert_ptr_nonnull(at);
    to = stpcpy(to, head);
    for (unsigned i = 0; to - at < BIG; i++) {
        unsigned left = i + 26 * 27;
        for (int k = 3; k >= 0; k--, left /= 26)
            name[k] = (char)('a' + left % 26);
        to += sprintf(to, equations[i % 7 < 3 ? 0 : i * i % 5], i == 5 ? "inf" : i == 9 ? "nan" : name);
        if (by != NULL && to - at > BIG / 3) {
            to = stpcpy(to, by);
            by = NULL;
        }
    }
    stpcpy(to, end);
    return at;
}

static void
compare_by_many(char *bytes, int least)
{
    size_t n = strlen(bytes), alone_n, many_n;
    int calls = 0;
    char *alone = write_all(bytes, n, 1, &calls, &alone_n);
    ck_assert_int_eq(calls, 0);
    char *many = write_all(bytes, n, PARTS, &calls, &many_n);
    ck_assert_int_ge(calls, least); /* the phases: reading, joining, resolving names, checking, writing */
    ck_assert_uint_eq(alone_n, many_n);
    ck_assert_int_eq(memcmp(alone, many, alone_n), 0);
    free(alone);
    free(many);
    free(bytes);
}

START_TEST(one_program_by_many_threads)
{
    static const char *const heads[] = {
        "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\n{ lambda ; a:f32[3]. let\n",
        "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\nlet g = { lambda ; a:f32[3]. let\n",
    };
    static const char *const ends[] = {
        "    b:f32[3] = neg inf\n  in (b, inf) }\n",
        "    b:f32[3] = neg inf\n  in (b, inf) } in\n{ lambda ; a:f32[3]. let\n"
        "    b:f32[3] c:f32[3] = jit[name=g jaxpr=g] a\n  in (c,) }\n",
    };
    static const char *const edits[] = {
        NULL, "    z:f32[4] = sin a\n", "    z:f32[3] = sin unbound\n", "  what is this\n", "  in (a,) }\n",
    };
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof edits / sizeof *edits; k++)
            compare_by_many(make_program(heads[i], edits[k], ends[i]), edits[k] == NULL ? 4 : 1);
}
END_TEST

START_TEST(one_text_by_many_threads)
{
    static const struct {
        const char *by;
        size_t skipped;
    } edits[] = {
        {NULL, 0},                                                               /* without errors */
        {"{ lambda ; a:f32[3] b:f32[4]. let c:f32[3] = add a b in (c,) }\n", 0}, /* types, */
        {"{ lambda ; a:f32[3]. let b:f32[3] = neg c in (b,) }\n", 0},            /* names, */
        {"what is this\n", 0},                                                   /* other text, */
        {"", 4},                                                                 /* a missing end */
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        compare_by_many(make_text(edits[i].by, edits[i].skipped), 2);
}
END_TEST

/* a jx_write_fn that fails once it was passed as many bytes as the size_t at `room` allowed */
static int
write_some(void *room, const char *bytes, size_t n)
{
    size_t *left = room;
    (void)bytes;
    *left -= n < *left ? n : *left;
    return *left == 0;
}

START_TEST(failed_writes)
{
    int calls = 0;
    char *bytes = make_text(NULL, 0);
    jx_context *context = jx_context_new(NULL);
    jx_module *module;
    ck_assert_ptr_nonnull(context);
    must(jx_set_threads(context, run_each, &calls, PARTS));
    must(jx_read(context, "t.jaxpr", bytes, strlen(bytes), &module));
    for (size_t room = 1; room < BIG / 2; room = room * 30 + 1000) {
        size_t left = room;
        ck_assert_int_eq(jx_format(module, NULL, write_some, &left), JX_WRITE_FAILED);
        left = room;
        ck_assert_int_eq(jx_normalize(module, NULL, write_some, &left, NULL), JX_WRITE_FAILED);
    }
    jx_context_free(context);
    free(bytes);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, contexts_in_parallel);
    tcase_add_test(tc, every_function_in_parallel);
    tcase_add_test(tc, one_text_by_many_threads);
    tcase_add_test(tc, one_program_by_many_threads);
    tcase_add_test(tc, failed_writes);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
