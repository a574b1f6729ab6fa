/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs passes over the programs of a module, in one order, and establishes what each needs: an open program, types
 * without errors, names resolved again. It reports and prints nothing. The caller closes and renames opened
 * programs (share_program, rename_program). */
#ifndef JX_PASS_MANAGER_H
#define JX_PASS_MANAGER_H

#include "resolve/dim_resolve.h"
#include "rewrite/rewrite.h"

/* The passes: bits, in the order in which they run. */
enum pass {
    PASS_REPAIR = 1 << 0,
    PASS_CAPTURES = 1 << 1,
    PASS_PAD_BRANCHES = 1 << 2,
    PASS_ANNOTATE = 1 << 3,
    PASS_COLLAPSE = 1 << 4,
    PASS_EXPAND = 1 << 5,
    PASS_LIFT = 1 << 6,
    PASS_NESTED_CONSTANTS = 1 << 7,
    PASS_CONSTANTS = 1 << 8,
    PASS_ARGS_TO_CONSTS = 1 << 9,
    PASS_INLINE = 1 << 10,
    PASS_DCE = 1 << 11,
    PASS_SPELL = 1 << 12, /* run by the caller, after the others */
};

/* Properties of passes, as sets of passes. */
enum {
    /* need programs without errors, except those that they fix */
    PASSES_TYPED = PASS_REPAIR | PASS_ANNOTATE | PASS_COLLAPSE | PASS_EXPAND,
    PASSES_BINDING = PASS_REPAIR | PASS_CAPTURES | PASS_EXPAND,       /* accept unbound names, and bind them */
    PASSES_OPENING = PASS_LIFT | PASS_INLINE | PASS_DCE | PASS_SPELL, /* need an open program */
    PASSES_EXCERPT = PASS_CONSTANTS | PASS_ARGS_TO_CONSTS,            /* need no equations: an excerpt suffices */
};

/* the pass with a name, 0 if there is none */
unsigned pass_find(struct slice name);

/* the name of the i-th pass; NULL past the last */
const char *pass_name(u32 i);

/* The passes over one module, and what they did to the current program. */
struct pass_manager {
    struct passes with;
    struct binders scopes[2];
    bool dynamic;          /* some type has a size that is not a number */
    unsigned wanted, todo; /* passes that were requested; those that are still to run */
    bool changed;          /* some pass changed something .. */
    bool renames;          /* .. and there are new variables, which need names */
    bool bound;            /* passes that bind names ran, and every name is bound */
    bool open;             /* the program is open */
    bool expanded;         /* expand changed it */
};

/* whether passes leave sizes unbound: collapse without expand. Where others are bound, they are errors by intent */
static inline bool
passes_unbind(unsigned passes)
{
    return (passes & (PASS_COLLAPSE | PASS_EXPAND)) == PASS_COLLAPSE;
}

/* whether passes that add types or sizes may give programs of a module errors other than unbound sizes: where sizes are
 * variables, or types are not printed. Linear in the variables */
bool passes_may_break(const struct module *m, unsigned passes);

/* initializes it for a module that was just read; passes_end frees the memory */
void passes_init(struct pass_manager *p, struct module *m);
void passes_end(struct pass_manager *p);

/* whether sizes are symbols, not variables, by the current names of a program. Linear in the program */
bool passes_find_symbols(struct pass_manager *p, program_t program);

/* the same, if what showed the version of the program may be gone */
bool passes_show_symbols(struct pass_manager *p, program_t program);

/* runs those of `passes` that come before PASS_INLINE; false if one returned OUTCOME_STUCK, or left a name unbound.
 * Afterwards p->todo has the others, except those that have nothing to do */
bool passes_run(struct pass_manager *p, program_t program, unsigned passes);

/* reports the argument that blocks pass_args_to_consts, if one does */
void passes_report_staying(const struct pass_manager *p, program_t program, struct diags *ds);

/* opens the program if a pass in p->todo needs that, and runs the passes in p->todo, except PASS_SPELL; false if
 * nothing changed */
bool passes_run_open(struct pass_manager *p, program_t program);

#endif
