/* SPDX-License-Identifier: Apache-2.0
 *
 * The caller's threads: the library starts none. Work is divided into parts, each with its own pool, so that threads
 * share only data that none of them changes. */
#ifndef JX_EXECUTOR_H
#define JX_EXECUTOR_H

#include "base/mem.h"

struct executor {
    /* calls work(arg, i) exactly once for each i below n, on any threads; returns after all calls have returned */
    void (*run)(void *user, void (*work)(void *arg, u32 i), void *arg, u32 n);
    void *user;
    u32 threads; /* how many parts to make; below 2: one thread does all the work */
};

/* true if there is an executor of more than one thread. executor may be NULL */
static inline bool
executor_is_parallel(const struct executor *executor)
{
    return executor != NULL && executor->threads > 1;
}

/* runs work(arg, i) for each i below n. A failed allocation in pools[i] ends only that call; after all calls, the
 * function fails as an allocation in `mem` does. A pool may be `mem` itself */
void executor_run(const struct executor *executor, struct mem *mem, struct mem *const *pools, u32 n,
                  void (*work)(void *, u32), void *arg);

#endif
