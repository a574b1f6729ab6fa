/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes over programs. A pass works on a resolved module in place, never reports anything and never sees a version of
 * JAX where it does not itself differ between versions. While passes run, programs are open: nothing is hoisted into
 * a `let`, every parameter points at its jaxpr, and one jaxpr_t may be a parameter in many places; so what walks an
 * open program must visit each jaxpr once (ir/reach.h), for its unfolding can be exponential. share_program closes
 * it. */
#ifndef JX_REWRITE_H
#define JX_REWRITE_H

#include "ir/module.h"

struct inferrer;

/* What a pass did. */
enum outcome {
    PASS_NOTHING,
    PASS_DONE,    /* it changed something; collapse and expand: or looked for something to change */
    PASS_RENAMES, /* there are new variables, which need names */
    PASS_STUCK,   /* a name is bound nowhere, an equation of unknown kind could not pass one on, or see `stays` */
};

/* What passes over the programs of one module share. */
struct passes {
    struct module *m;
    struct inferrer *rules;        /* of the same module: the types of results */
    struct version_range versions; /* the JAX whose dead code elimination is followed */
    u32 count, stays;              /* of pass_args_to_consts */
    bool excused;                  /* pass_repair leaves sizes that are errors as they are printed */
    bool symbols;                  /* names in shapes of the program at hand are symbols, not variables */
};

/* opens a program: parameters that name a shared program point at it, and there are no lets any more. Up to 0.10.0 a
 * let printed before another holds that other in full; such copies become one jaxpr again. Linear */
void open_program(struct module *m, program_t program);

/* decides anew which jaxprs of an open program come first as `let NAME = ..`, and what they are called, as JAX of
 * these versions do (jax/_src/core.py, pp_toplevel_jaxpr: 0.4.22 to 0.12); older ones share nothing. Linear, but that
 * up to 0.10.0 programs hoisted later are printed in full inside those hoisted before: where that would more than
 * double the text again and again, they are named instead. `legible`: programs held where a name would be read as a
 * string are printed in full, which JAX does not care about. `every`: all that can have a name are hoisted */
void share_program(struct module *m, program_t program, struct version_range versions, bool legible, bool every);

/* instead of share_program: every nested program is printed in full at each use; false, with nothing done,
 * where that would be very much longer. Linear in what comes out */
bool unshare_program(struct module *m, program_t program);

/* constvars of the main jaxpr become its first arguments (jax/_src/interpreters/partial_eval.py,
 * convert_constvars_jaxpr). O(1) */
enum outcome pass_constants(struct passes *p, program_t program);

/* constvars of nested programs whose equations have operands for them (PennyLane's loops and branches, `n_consts`)
 * become first arguments; counts and slices stay, for they talk of operands. A program that something holds without
 * operands for its constvars keeps them. The program need not be open. Linear */
enum outcome pass_nested_constants(struct passes *p, program_t program);

/* puts right the sizes that printers got wrong: de Bruijn references become names or numbers, and results of calls,
 * loops and branches are sized as the program inside says, and sizes that name what belongs to another program, or
 * nothing, are what is passed or what the equation gives. The program need not be open, nor resolved where such a size
 * is a result. Linear */
enum outcome pass_repair(struct passes *p, program_t program);

/* closes nested programs that mention variables of outer ones: these become leading arguments, their sizes before them,
 * and are passed on. The program need not be open, nor resolved where names are captured. Linear, but that every
 * program on the way of a capture is gone through */
enum outcome pass_captures(struct passes *p, program_t program);

/* gives types to binders that print none, as far as operands and rules determine them: results of equations, binders of
 * programs inside them. The program need not be open. Linear */
enum outcome pass_annotate(struct passes *p, program_t program);

/* nested programs of branches that take constants of their own, or as many arguments as they need, take those of all,
 * one branch after another, as the equation passes them (catalyst/jax_extras/tracing.py, jaxpr_pad_consts). Linear in
 * what comes out */
enum outcome pass_pad_branches(struct passes *p, program_t program);

/* calls of closed programs (pjit, closed_call ..) inside an open program become the equations of those programs, but
 * for programs with constvars, with refs, and large ones that are called from more than one place. Linear in what comes
 * out, which is at most a fixed multiple of the program */
enum outcome pass_inline(struct passes *p, program_t program);

/* whether pass_inline would do anything; the program need not be open */
bool inline_due(struct module *m, program_t program, bool symbols);

/* the first p->count arguments become the last constants, the inverse of pass_constants. PASS_STUCK, with nothing done,
 * where one is sized by an argument that stays, or there are fewer: p->stays is its position, n_ins if there are fewer
 */
enum outcome pass_args_to_consts(struct passes *p, program_t program);

/* takes implicit arguments and results out of Catalyst's loops and branches and of the outermost program, where
 * pass_expand would put them back. Names are left unbound by it. Nothing wants to be renamed. Not for programs whose
 * sizes are symbols of jax.export. Linear */
enum outcome pass_collapse(struct passes *p, program_t program);

/* unbound sizes become implicit arguments, sizes that results name implicit results. Nothing is done where
 * they are symbols of jax.export */
enum outcome pass_expand(struct passes *p, program_t program);

/* constvars of closed programs inside an open program, and array literals, become constvars of the outermost one,
 * through every equation in between; branches take those of one another. Those inside equations of unknown kind stay.
 * Linear, but that branches something else holds as well are copied, up to a multiple of the program */
enum outcome pass_lift(struct passes *p, program_t program);

/* whether pass_lift would do anything; the program need not be open */
bool lift_due(struct module *m, program_t program);

/* removes unused equations from an open program, nested ones included, as dce_jaxpr of these versions do with every
 * result used and every argument kept (jax/_src/interpreters/partial_eval.py). Each nested program is worked on once
 * for every set of results that is asked of it. Where names of dims are variables, not symbols, sizes stay as long as a
 * type names them. PASS_DONE also where only the tree of some loop's operands is written otherwise, which JAX does even
 * where it removes nothing (and then each time again: here a tree bears the marks of one elimination) */
enum outcome pass_dce(struct passes *p, program_t program);

#endif
