/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends modules that were read from consecutive parts of one text. */
#ifndef JX_MODULE_APPEND_H
#define JX_MODULE_APPEND_H

#include "ir/module.h"

/* Where a text is cut: between programs, or inside one: before a shared program or the main one, or between equations
 * of either. The module read before a cut inside a program is completed by items without text: the end of the jaxpr,
 * and an empty main jaxpr. The module read after the cut begins with such a jaxpr, and its let. */
enum cut { CUT_BETWEEN, CUT_TOP, CUT_SHARED, CUT_MAIN };

/* true for a cut between equations */
static inline bool
cut_in_body(enum cut cut)
{
    return cut == CUT_SHARED || cut == CUT_MAIN;
}

/* What is open at a cut. */
struct module_open {
    enum cut cut;
    struct program program; /* what was read of it */
    jaxpr_t jaxpr;          /* the jaxpr that is cut, or NONE */
};

/* How the ids of a module map to those of the module it is appended to. */
struct module_append {
    struct module *to;
    const struct module *from;
    enum cut begins, ends;
    jaxpr_t open;  /* the jaxpr that its first jaxpr continues, if it begins inside one */
    u32 moved;     /* the offset of its text in the whole text */
    name_t *names; /* of names that are not numerals, from NAME_OTHER on */
    type_t *types;
    struct {
        u32 vars, atoms, uses, pieces, literals, refs, eqns, params, segments, joined, jaxprs, lets, programs, comments;
    } first; /* by array: where its elements begin in `to` */
};

enum { APPEND_SHARES = 5 };

/* removes from the module of a first part, which ends at a cut, the items that complete it, and fills *open */
void module_open_end(struct module *m, enum cut ends, struct module_open *open);

/* makes room in `to` for `from`, a module just read without findings, whose text begins at offset `at` and ends at a
 * cut. `open` is what is open before it, and becomes what is open after it, except for its program; called for all
 * parts in order. Then module_append_share fills all shares, and module_append_end is called for each part, in order,
 * with the open program: it returns the program of `to` that began in an earlier part and ends in this one, or NONE.
 * Afterwards `from` may be freed */
void module_append_begin(struct module_append *a, struct module *to, const struct module *from, u32 at, enum cut ends,
                         struct module_open *open);
program_t module_append_end(struct module_append *a, struct program *open);

/* fills share i % APPEND_SHARES of the i / APPEND_SHARES-th of an array of struct module_append, in any order and on
 * any threads: nothing is allocated */
void module_append_share(void *appended, u32 i);

#endif
