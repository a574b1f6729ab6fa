/* SPDX-License-Identifier: Apache-2.0
 *
 * What unit tests share (see unit.h). */
#include "unit.h"
#include "jaxpr.h"
#include "parse/parse.h"
#include "print/print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct mem mem;
static jmp_buf no_memory;

void
mem_open(void)
{
    mem_init(&mem, NULL);
    mem.oom = &no_memory;
    if (setjmp(no_memory))
        ck_abort_msg("out of memory");
}

void
mem_close(void)
{
    mem_drop(&mem);
}

void *
scarce_resize(void *user, void *old, size_t size)
{
    struct scarce *s = user;
    if (size == 0) {
        s->live -= old != NULL;
        free(old);
        return NULL;
    }
    long left = s->left--;
    if (s->once ? left == 0 : left <= 0)
        return NULL;
    s->live += old == NULL;
    return realloc(old, size);
}

ptrdiff_t
read_pieces(void *user, char *into, size_t room)
{
    struct pieces *p = user;
    size_t n = p->n < room ? p->n : room;
    n = n < p->most ? n : p->most;
    memcpy(into, p->at, n);
    p->at += n;
    p->n -= n;
    return (ptrdiff_t)n;
}

bool
configurations_are_read(void)
{
    struct pieces nothing = {"", 0, 1};
    jx_context *context = jx_context_new(NULL);
    jx_config *config;
    enum jx_status status = jx_read_config(context, "t", read_pieces, &nothing, 0, &config);
    if (status == JX_UNSUPPORTED)
        printf("skipped: %s\n", jx_status_text(status));
    jx_context_free(context);
    return status != JX_UNSUPPORTED;
}

struct module *
module_of(const char *text)
{
    struct module *m = arena_alloc(&mem, sizeof *m);
    struct diags diags;
    diags_init(&diags, &mem);
    struct text bytes;
    text_init(&mem, &bytes, SLICE("test"), text, strlen(text));
    parse_module(m, &mem, bytes, &(struct parse_how){.no_fast_path = false}, &diags);
    ck_assert_msg(diags.errors == 0, "%.*s in %s", (int)diags.list.at[0].message.n, diags.list.at[0].message.at, text);
    ck_assert_uint_ge(m->programs.n, 1);
    return m;
}

const char *
printed(struct module *m, const struct print_options *options)
{
    struct sink out;
    sink_init_memory(&out, &mem);
    for (program_t i = 0; i < m->programs.n; i++) {
        if (m->programs.at[i].pasted || m->programs.at[i].main == NONE)
            continue;
        if (out.n)
            sink_char(&out, '\n');
        print_program(&out, m, i, options);
    }
    ck_assert_uint_gt(out.n, 0);
    sink_char(&out, 0);
    return out.at;
}

int
suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    TestResult **failures = srunner_failures(runner);
    for (int i = 0; i < failed; i++)
        if (i == 0 || strcmp(tr_tcname(failures[i]), tr_tcname(failures[i - 1])) != 0)
            printf("repeat: CK_RUN_CASE='%s' %s\n", tr_tcname(failures[i]), program_invocation_name);
    free(failures);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
