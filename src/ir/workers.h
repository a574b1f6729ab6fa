/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on a module by several threads. Each has a module of its own, a view or a copy, and takes shares of the work
 * until none is left; the text it writes for a share is passed on in the order of the shares, as soon as possible. */
#ifndef JX_WORKERS_H
#define JX_WORKERS_H

#include "base/executor.h"
#include "base/sink.h"
#include "ir/module.h"

/* Consecutive programs. */
struct program_share {
    program_t from, end;
    u32 number; /* of the first, in the stream */
};

struct worker;

/* The work, and how it is divided. */
struct workers_how {
    u32 threads, shares;                      /* how many, at least 1 */
    bool change;                              /* the work changes its module: threads get copies instead of views */
    void (*work)(struct worker *, void *arg); /* runs on each thread: takes shares with worker_next until none is
                                               * left */
    void *arg;
    struct sink *out; /* to whose writer the text is passed; NULL: nothing is written */
};

/* One of the threads. */
struct worker {
    struct module module; /* its own, in a pool of its own: module.mem */
    struct workers *all;
    u32 share;        /* the current one, from 0 */
    struct sink *out; /* where it writes the text of this share, or NULL */
};

/* does the work on the threads of an executor. What they allocated is kept until workers_end */
struct workers *workers_run(const struct module *whole, struct mem *mem, const struct executor *executor,
                            const struct workers_how *how);
void workers_end(struct workers *all);

/* takes the next share; false if none is left */
bool worker_next(struct worker *w);

/* divides the stream into n shares of about the same number of bytes. Linear in the programs */
void share_programs(const struct module *m, u32 n, struct program_share *shares);

#endif
