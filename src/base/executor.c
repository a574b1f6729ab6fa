/* SPDX-License-Identifier: Apache-2.0
 *
 * A failed allocation is a longjmp, which must not leave its thread: each part catches its own. */
#include "base/executor.h"

struct parts {
    struct mem *const *pools;
    void (*work)(void *arg, u32 i);
    void *arg;
    bool *failed;
};

static void
run_part(void *arg, u32 i)
{
    const struct parts *p = arg;
    struct mem *pool = p->pools[i];
    jmp_buf *before = pool->oom, out;
    pool->oom = &out;
    if (setjmp(out) == 0)
        p->work(p->arg, i);
    else
        p->failed[i] = true;
    pool->oom = before;
}

void
executor_run(const struct executor *executor, struct mem *mem, struct mem *const *pools, u32 n,
             void (*work)(void *, u32), void *arg)
{
    struct parts parts = {pools, work, arg, mem_zeroed(mem, n)};
    bool failed = false;
    executor->run(executor->user, run_part, &parts, n);
    for (u32 i = 0; i < n; i++)
        failed |= parts.failed[i];
    mem_free(mem, parts.failed);
    if (failed)
        longjmp(*mem->oom, 1);
}
