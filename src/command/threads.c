/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads for the parts of one file. They are started for each call: that takes a hundredth of the time of the
 * smallest part. */
#include "command/command.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_STARTED = 255, MOST_THREADS = MOST_STARTED + 1 };

struct parts {
    void (*work)(void *arg, uint32_t i);
    void *arg;
    uint32_t n;
    atomic_uint next;
};

static void *
do_parts(void *arg)
{
    struct parts *p = arg;
    for (uint32_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n;)
        p->work(p->arg, i);
    return NULL;
}

void
threads_run(void *user, void (*work)(void *arg, uint32_t i), void *arg, uint32_t n)
{
    struct parts parts = {work, arg, n, 0};
    pthread_t started[MOST_STARTED];
    uint32_t wanted = (uint32_t)(uintptr_t)user - 1, count = 0;
    wanted = wanted < n - 1 ? wanted : n - 1;
    wanted = wanted < MOST_STARTED ? wanted : MOST_STARTED;
    while (count < wanted && pthread_create(&started[count], NULL, do_parts, &parts) == 0)
        count++;
    do_parts(&parts);
    while (count > 0)
        pthread_join(started[--count], NULL);
}

int
threads_wanted(const struct invocation *in)
{
    uint32_t wanted = option_number(in, OPTION_jobs, 1);
    return wanted < 1 ? 1 : wanted > MOST_THREADS ? MOST_THREADS : (int)wanted;
}

enum jx_status
threads_set(jx_context *context, int threads)
{
    uint32_t n = (uint32_t)(threads < MOST_STARTED ? threads : MOST_STARTED);
    return jx_set_threads(context, threads_run, (void *)(uintptr_t)n, n);
}
