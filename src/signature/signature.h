/* SPDX-License-Identifier: Apache-2.0
 *
 * The signature of a program, derived from its text. */
#ifndef JX_SIGNATURE_H
#define JX_SIGNATURE_H

#include "resolve/dim_resolve.h"
#include "ir/signature.h"

/* The state of deriving signatures of a module's programs. */
struct signer {
    struct module *m;
    struct binders binders[2];
    eqn_t *owners;  /* by var_t: the equation that binds it; NULL if no type contains a reference */
    u32 *out_stamp; /* by var_t: the signature that returns it .. */
    u32 *out_first; /* .. and its first result that is the variable */
    u32 stamp;
    bool as_jax; /* as in JAX: the last occurrence of a result counts, and printed references are kept */
    bool loops;  /* as in Catalyst: the index of a loop, after the implicit arguments, may be a size of results */
    bool wide;   /* some type of the module has 64 bits, so that untyped literals do */
};

/* initializes a signer for a resolved module; signer_drop frees its memory */
void signer_init(struct signer *s, struct module *m);
void signer_drop(struct signer *s);

/* derives the signature of a jaxpr from its types alone. References printed in binders are resolved first. Leading
 * integer scalars that are sizes of later entries are implicit; a size of a result that is neither an argument nor an
 * earlier result becomes a leading implicit result (jax/_src/interpreters/partial_eval.py, _add_implicit_outputs, but
 * unless s->as_jax the first occurrence of a result counts: a reference points left). Constants are entries of the
 * in_type where a size refers to them: one of an argument, or, unless s->as_jax, any InDBIdx, so that both types refer
 * to the same list. `variables`: dims are variables, not symbols. Empties and fills *out. Linear in the jaxpr without
 * nested programs */
void signature_derive(struct signer *s, jaxpr_t j, bool variables, struct signature *out);

#endif
