/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules that were read from consecutive stretches of one text become one. */
#ifndef JX_MODULE_APPEND_H
#define JX_MODULE_APPEND_H

#include "ir/module.h"

/* Where a module's ids are in the one it is appended to. */
struct module_append {
    struct module *to;
    const struct module *from;
    u32 moved;     /* where its text begins in the whole one */
    name_t *names; /* of names that are not numerals, from NAME_OTHER on */
    type_t *types;
    struct {
        u32 vars, atoms, uses, pieces, literals, refs, eqns, params, segments, joined, jaxprs, lets, programs, comments;
    } first; /* of each array */
};

enum { APPEND_SHARES = 5 };

/* makes room in `to` for a module as it was read, without findings and before passes, from its text at offset `at` on;
 * stretches are begun in their order. Then the shares of all are filled, and at last module_append_end is called for
 * each, in order; `from` is needed no more */
void module_append_begin(struct module_append *a, struct module *to, const struct module *from, u32 at);
void module_append_end(struct module_append *a);

/* fills share i % APPEND_SHARES of the i / APPEND_SHARES-th of an array of struct module_append, in any order and on
 * any threads: nothing is allocated */
void module_append_share(void *appended, u32 i);

#endif
