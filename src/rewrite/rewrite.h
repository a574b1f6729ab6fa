/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes over programs. A pass works on a resolved module in place, and reports nothing. While passes run, programs
 * are open: nothing is hoisted into a `let`, every parameter has its jaxpr, and one jaxpr_t may be a parameter in
 * many places, so that walks must visit each jaxpr once (ir/reach.h): the expanded program can be exponentially
 * large. share_program closes it. */
#ifndef JX_REWRITE_H
#define JX_REWRITE_H

#include "resolve/check.h"

struct inferrer;

/* What a pass did. */
enum outcome {
    OUTCOME_NOTHING,
    OUTCOME_DONE,    /* it changed something; collapse and expand: or may have */
    OUTCOME_RENAMES, /* it made variables that need names */
    OUTCOME_STUCK,   /* a name is unbound, an equation of unknown kind could not pass one on, or see `stays` */
};

/* The state of passes over the programs of one module. */
struct passes {
    struct module *m;
    struct inferrer *rules;        /* infers types of results of the same module */
    struct version_range versions; /* the versions of JAX whose rules of dead code elimination apply */
    u32 count, stays, size;        /* of pass_args_to_consts */
    bool excused;                  /* pass_repair does not change sizes that are errors */
    bool symbols;                  /* names in shapes of the current program are symbols, not variables */
    /* of pass_expand: */
    enum dialect dialect; /* whose loops the program gets; DIALECT_AUTO: those of Catalyst, in the form that was
                           * collapsed */
    bool unshare;         /* loops that may resize get a size for each occurrence, and inner sizes get new names */
    bool captures;        /* pass_captures runs later, and passes the variables of names that are unbound now */
};

/* opens a program: parameters that name a shared program get its jaxpr, and lets are removed. Up to 0.10.0 a let
 * printed before another contains a copy of that other; such copies become one jaxpr again. Linear */
void open_program(struct module *m, program_t program);

/* closes an open program: decides which jaxprs are hoisted as `let NAME = ..`, and their names, as these versions of
 * JAX do (jax/_src/core.py, pp_toplevel_jaxpr: 0.4.22 to 0.12); older ones hoist nothing. Linear, except that up to
 * 0.10.0 programs hoisted later are printed in full inside those hoisted before, unless that would repeatedly more than
 * double the text. `legible`: programs whose name would be read as a string are printed in full, unlike in JAX.
 * `every`: all that can have a name are hoisted */
void share_program(struct module *m, program_t program, struct version_range versions, bool legible, bool every);

/* closes an open program so that every nested program is printed in full at each use; false, with nothing done, if the
 * text would be much longer. Linear in the result */
bool unshare_program(struct module *m, program_t program);

/* constvars of the main jaxpr become its first arguments (jax/_src/interpreters/partial_eval.py,
 * convert_constvars_jaxpr). O(1) */
enum outcome pass_constants(struct passes *p, program_t program);

/* constvars of nested programs whose equations have operands for them (PennyLane's loops and branches, `n_consts`)
 * become first arguments; counts and slices are kept, as they refer to operands. A program that is also used without
 * operands for its constvars keeps them. The program need not be open. Linear */
enum outcome pass_nested_constants(struct passes *p, program_t program);

/* repairs sizes that printers got wrong: de Bruijn references become names or numbers, results of calls, loops and
 * branches get the sizes of the nested program's results, and sizes that are unbound, or bound by another program,
 * become what is passed or what the equation returns. The program need not be open, nor resolved where such a size is a
 * result. Linear */
enum outcome pass_repair(struct passes *p, program_t program);

/* closure-converts nested programs that use variables of outer ones: these become leading arguments, after their sizes,
 * and are passed on. The program need not be open, nor resolved where names are captured. Linear for each capture in
 * the programs that it passes through */
enum outcome pass_captures(struct passes *p, program_t program);

/* adds types to binders without one, where operands and rules determine them: results of equations, binders of nested
 * programs. The program need not be open. Linear */
enum outcome pass_annotate(struct passes *p, program_t program);

/* makes branches with constants of their own, or only the arguments they need, take those of all branches, one after
 * another, as the equation passes them (catalyst/jax_extras/tracing.py, jaxpr_pad_consts). Linear in the result */
enum outcome pass_pad_branches(struct passes *p, program_t program);

/* replaces calls of closed programs (pjit, closed_call ..) in an open program by the equations of these, except for
 * programs with constvars or refs, and large ones with more than one call. Linear in the result, which is at most a
 * fixed multiple of the program */
enum outcome pass_inline(struct passes *p, program_t program);

/* whether pass_inline would do anything; the program need not be open */
bool inline_due(struct module *m, program_t program, bool symbols);

/* the first p->count arguments become the last constants, the inverse of pass_constants. OUTCOME_STUCK, with nothing
 * changed, if a remaining argument is a size of one of them: then p->stays is its position; or if there are fewer
 * arguments: then p->stays is n_ins */
enum outcome pass_args_to_consts(struct passes *p, program_t program);

/* removes implicit arguments and results of Catalyst's loops and branches and of the outermost program, where
 * pass_expand would add them again. Leaves names unbound, and adds no variables. Not for programs whose sizes are
 * symbols of jax.export. Linear */
enum outcome pass_collapse(struct passes *p, program_t program);

/* makes unbound sizes implicit arguments, and sizes in types of results implicit results; does nothing where they are
 * symbols of jax.export. The types may not fit afterwards, if a program needs sizes to be equal that are separate now
 */
enum outcome pass_expand(struct passes *p, program_t program);

/* turns constvars of closed programs in an open program, and array literals, into constvars of the outermost program,
 * which every equation in between passes on; branches take those of each other. Constants in equations of unknown kind
 * are kept. Linear, except that branches with several uses are copied, up to a multiple of the program */
enum outcome pass_lift(struct passes *p, program_t program);

/* whether pass_lift would do anything; the program need not be open */
bool lift_due(struct module *m, program_t program);

/* removes unused equations from an open program and its nested ones, as dce_jaxpr of these versions does with every
 * result used and every argument kept (jax/_src/interpreters/partial_eval.py). Each nested program is visited once for
 * every set of its results that is needed. Where names of dims are variables, not symbols, sizes are kept while a type
 * names them. OUTCOME_DONE also if only the tree of some loop's operands is respelled, which JAX does even if it
 * removes nothing; here a tree is respelled once */
enum outcome pass_dce(struct passes *p, program_t program);

#endif
