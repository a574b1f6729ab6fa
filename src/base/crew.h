/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of the caller: the library starts none. work is cut into parts, each with a pool of its own, so that
 * threads share nothing that one of them changes. */
#ifndef JX_CREW_H
#define JX_CREW_H

#include "base/mem.h"

struct crew {
    /* calls work(arg, i) for each i below n, once, on any threads, and returns when all calls have */
    void (*run)(void *user, void (*work)(void *arg, u32 i), void *arg, u32 n);
    void *user;
    u32 threads; /* how many parts to make; below 2: one thread does all */
};

/* true if there is a crew of more than one thread. crew may be NULL */
static inline bool
crew_helps(const struct crew *crew)
{
    return crew != NULL && crew->threads > 1;
}

/* runs work(arg, i) for each i below n, where a failed allocation of pools[i] ends that call alone. If one was ended
 * so, it exits as a failed allocation of `mem` does, after all calls. A pool may be `mem` itself */
void crew_work(const struct crew *crew, struct mem *mem, struct mem *const *pools, u32 n, void (*work)(void *, u32),
               void *arg);

#endif
