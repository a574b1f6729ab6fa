/* SPDX-License-Identifier: Apache-2.0
 *
 * The caller's threads: the library starts none. Work is divided into parts, each with its own pool, so that threads
 * share only data that none of them changes. */
#ifndef JX_CREW_H
#define JX_CREW_H

#include "base/mem.h"

struct crew {
    /* calls work(arg, i) exactly once for each i below n, on any threads; returns after all calls have returned */
    void (*run)(void *user, void (*work)(void *arg, u32 i), void *arg, u32 n);
    void *user;
    u32 threads; /* how many parts to make; below 2: one thread does all the work */
};

/* true if there is a crew of more than one thread. crew may be NULL */
static inline bool
crew_helps(const struct crew *crew)
{
    return crew != NULL && crew->threads > 1;
}

/* runs work(arg, i) for each i below n. A failed allocation in pools[i] ends only that call; after all calls, the
 * function fails as an allocation in `mem` does. A pool may be `mem` itself */
void crew_work(const struct crew *crew, struct mem *mem, struct mem *const *pools, u32 n, void (*work)(void *, u32),
               void *arg);

#endif
