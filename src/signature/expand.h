/* SPDX-License-Identifier: Apache-2.0
 *
 * Expanded signatures of a program by the strategies of Catalyst's loops and branches. */
#ifndef JX_SIGNATURE_EXPAND_H
#define JX_SIGNATURE_EXPAND_H

#include "resolve/dim_resolve.h"
#include "ir/signature.h"

/* A strategy (catalyst/jax_extras/tracing.py, ExpansionStrategy). */
struct strategy {
    bool draft;   /* of the drafts before 0.7: every size of an argument is an implicit argument */
    bool unshare; /* every occurrence of a size is a size of its own */
    bool inputs;  /* drafts: sizes that are arguments are returned, too */
    bool index;   /* a size that is the loop's index must be returned as a result */
    bool ready;   /* the results are already expanded */
    bool last;    /* the last occurrence of a repeated result counts, as in JAX and Catalyst */
};

/* empties *out and fills out->in: constants, unbound sizes in types of arguments, arguments; leading arguments that are
 * sizes of others are implicit. The types of sizes are looked up in scope, by name */
void signature_expand_arguments(struct module *m, jaxpr_t j, const struct strategy *how, const struct binders *scope,
                                struct signature *out);

/* fills out->out. out->in must be filled before, as its flags show how many arguments are implicit. Reports D129 */
void signature_expand_results(struct module *m, struct diags *ds, jaxpr_t j, const struct strategy *how,
                              const struct binders *scope, struct signature *out);

#endif
