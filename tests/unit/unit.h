/* SPDX-License-Identifier: Apache-2.0
 *
 * What unit tests share: a pool that lives as long as one test, a text read into it, a reader, an allocator that fails,
 * and how a suite is run. */
#ifndef UNIT_H
#define UNIT_H

#include "base/mem.h"

#include <check.h>

/* The memory of the running test; a failed allocation in it fails the test. */
extern struct mem mem;

/* A checked fixture: opens `mem` before a test. */
void mem_open(void);

/* The other half of the fixture: frees everything in `mem`. */
void mem_close(void);

/* An allocator that succeeds `left` times and then fails, every time or `once`; `live` counts the blocks not freed. */
struct scarce {
    long left, live;
    bool once;
};

/* The resize function of a jx_allocator whose user is a struct scarce. */
void *scarce_resize(void *user, void *old, size_t size);

/* A text supplied at most `most` bytes at a time. */
struct pieces {
    const char *at;
    size_t n, most;
};

/* A jx_read_fn whose user is a struct pieces. */
ptrdiff_t read_pieces(void *user, char *into, size_t room);

/* False, with a message, if the library was built without libyaml: a test that needs a configuration is skipped. */
bool configurations_are_read(void);

struct module;

/* Reads `text`, which contains at least one program and no syntax error, into `mem`; anything else fails the test. */
struct module *module_of(const char *text);

struct print_options;

/* Prints the programs of a module, one below the other. Returns a string of `mem`. */
const char *printed(struct module *m, const struct print_options *options);

/* Runs `suite`, prints how to repeat failures, and frees it. Returns the result of main(): 0 if every test passed. */
int suite_run(Suite *suite);

#endif
