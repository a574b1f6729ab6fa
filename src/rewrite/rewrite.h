/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes over programs. A pass works on a resolved module in place, never reports anything and never sees a version of
 * JAX where it does not itself differ between versions. While passes run, programs stand open: nobody is hoisted into
 * a `let`, every parameter points at its jaxpr, and one jaxpr_t may be a parameter in many places; so what walks an
 * open program must visit each jaxpr once (ir/reach.h), for its unfolding can be exponential. share_program closes it. */
#ifndef JX_REWRITE_H
#define JX_REWRITE_H

#include "ir/module.h"

/* opens a program: parameters that name a shared program point at it, and there are no lets any more. Up to 0.10.0 a
 * let printed before another holds that other in full; such copies become one jaxpr again. Linear */
void open_program(struct module *m, program_t program);

/* decides anew which jaxprs of an open program stand in front as `let NAME = ..`, and what they are called, as JAX of
 * this era does (jax/_src/core.py, pp_toplevel_jaxpr: 0.4.22 to 0.12); older ones share nothing. Linear, but that up
 * to 0.10.0 programs hoisted later are printed in full inside those hoisted before: where that would more than
 * double the text again and again, they are named instead. `legible`: programs held where a name would be read as a
 * string stand in full, which JAX does not care about */
void share_program(struct module *m, program_t program, const struct era *era, bool legible);

/* instead of share_program: every nested program stands in full wherever it is held; false, with nothing done, where
 * that would be very much longer. Linear in what comes out */
bool unshare_program(struct module *m, program_t program);

/* constvars of the main jaxpr become its first arguments (jax/_src/interpreters/partial_eval.py,
 * convert_constvars_jaxpr). O(1) */
void pass_constants(struct module *m, program_t program);

/* puts right the sizes that printers got wrong: de Bruijn references become names or numbers, and results of calls, loops
 * and branches are sized as the program inside says. The program need not be open. True where a result without a name
 * got one, so that the program wants names. Linear */
bool pass_repair(struct module *m, program_t program);

/* closes nested programs that mention variables of outer ones: these become leading arguments, their sizes before them,
 * and are passed on. The program need not be open, nor resolved where names are captured. False where an equation of
 * unknown kind could not pass something on. */
bool pass_captures(struct module *m, program_t program);

/* the first n arguments become the last constants, the inverse of pass_constants. Where one is sized by an argument that
 * stays, or there are not as many, nothing changes and its position (n_ins: not as many) is returned; else NONE */
u32 pass_args_to_consts(struct module *m, program_t program, u32 n);

/* takes implicit arguments and results out of Catalyst's loops and branches and of the outermost program, where
 * pass_expand would put them back. Names are left unbound by it. Nothing wants to be renamed. Linear */
void pass_collapse(struct module *m, program_t program);

/* sizes that nobody binds become implicit arguments, sizes that results name implicit results. False where names are
 * left that nobody binds */
bool pass_expand(struct module *m, program_t program);

/* constvars of closed programs inside an open program, and array literals, become constvars of the outermost one, through
 * every equation in between. Those of branches stay where they are */
void pass_lift(struct module *m, program_t program);

/* removes the equations nobody needs from an open program, nested ones included, as dce_jaxpr of this era does with
 * every result used and every argument kept (jax/_src/interpreters/partial_eval.py). Each nested program is worked on
 * once for every set of results that is asked of it. Where names of dims are variables, not symbols, sizes stay as
 * long as a type names them */
void pass_dce(struct module *m, program_t program, const struct era *era, bool symbols);

#endif
