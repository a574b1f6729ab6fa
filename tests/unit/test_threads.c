/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts in parallel: threads that share nothing do everything at once, and each gets what one alone gets. Under
 * ThreadSanitizer (-Db_sanitize=thread) this also shows that the library keeps no state of its own. */
#include "jaxpr.h"
#include "unit.h"

#include <pthread.h>
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

/* What one thread wrote, all of it. */
struct story {
    char at[64 << 10];
    size_t n;
};

static int
tell(void *user, const char *bytes, size_t n)
{
    struct story *s = user;
    if (s->n + n > sizeof s->at)
        return 1;
    memcpy(s->at + s->n, bytes, n);
    s->n += n;
    return 0;
}

static jx_module *
must_read(jx_context *context)
{
    jx_module *module;
    if (context == NULL || jx_read(context, "t.jaxpr", text, sizeof text - 1, &module) != JX_OK)
        abort();
    return module;
}

static void
do_everything(struct story *s)
{
    jx_context *context = jx_context_new(NULL);
    jx_module *module = must_read(context), *other = must_read(context);
    struct jx_stats stats;
    struct jx_diff_counts counts;
    bool first = true;
    jx_check(module, NULL);
    for (int format = JX_RENDER_TEXT; format <= JX_RENDER_JSONL; format++) {
        struct jx_render_options how = {.size = sizeof how, .format = (enum jx_render_format)format};
        jx_render(context, &module, 1, &how, tell, s);
    }
    jx_format(module, NULL, tell, s);
    jx_write_json(module, &first, tell, s);
    first = true;
    jx_write_signatures(module, NULL, "t", &first, tell, s);
    jx_stats(module, 1, &stats);
    jx_digests(other, NULL);
    struct jx_string digest = jx_digest_at(other, 1);
    tell(s, digest.at, digest.n);
    jx_diff(must_read(context), must_read(context), NULL, &counts, tell, s);
    jx_normalize(must_read(context), NULL, tell, s);
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
    struct story *alone = calloc(1, sizeof *alone), *stories = calloc(THREADS, sizeof *stories);
    pthread_t threads[THREADS];
    ck_assert_ptr_nonnull(alone);
    ck_assert_ptr_nonnull(stories);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, thread_main, &stories[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    do_everything(alone);
    ck_assert_uint_gt(alone->n, 1000);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(stories[i].n, alone->n);
        ck_assert_int_eq(memcmp(stories[i].at, alone->at, alone->n), 0);
    }
    free(alone);
    free(stories);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, contexts_in_parallel);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
