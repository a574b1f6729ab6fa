/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends modules that were read from consecutive parts of one text. */
#ifndef JX_MODULE_APPEND_H
#define JX_MODULE_APPEND_H

#include "ir/module.h"

/* How the ids of a module map to those of the module it is appended to. */
struct module_append {
    struct module *to;
    const struct module *from;
    u32 moved;     /* the offset of its text in the whole text */
    name_t *names; /* of names that are not numerals, from NAME_OTHER on */
    type_t *types;
    struct {
        u32 vars, atoms, uses, pieces, literals, refs, eqns, params, segments, joined, jaxprs, lets, programs, comments;
    } first; /* of each array */
};

enum { APPEND_SHARES = 5 };

/* makes room in `to` for `from`, a module just read without findings, whose text begins at offset `at`; called for all
 * parts in order. Then module_append_share fills all shares, and module_append_end is called for each part, in order;
 * afterwards `from` may be freed */
void module_append_begin(struct module_append *a, struct module *to, const struct module *from, u32 at);
void module_append_end(struct module_append *a);

/* fills share i % APPEND_SHARES of the i / APPEND_SHARES-th of an array of struct module_append, in any order and on
 * any threads: nothing is allocated */
void module_append_share(void *appended, u32 i);

#endif
