/* SPDX-License-Identifier: Apache-2.0
 *
 * The signature of a program, derived from its text. */
#ifndef JX_SIGNATURE_H
#define JX_SIGNATURE_H

#include "resolve/dim_resolve.h"
#include "ir/signature.h"

/* What deriving signatures needs of a whole module. */
struct signer {
    struct module *m;
    struct binders binders[2];
    eqn_t *owners;  /* by var_t: the equation that binds it; NULL where no type holds a reference */
    u32 *out_stamp; /* by var_t: the signature that returns it .. */
    u32 *out_first; /* .. and where it does first */
    u32 stamp;
    bool as_jax; /* what JAX had: the last occurrence of a result counts, printed references stay as they are */
    bool loops;  /* of Catalyst: the index of a loop, after the implicit arguments, is named as a result */
    bool wide;   /* some type of the module has 64 bits: untyped literals have too */
};

/* makes ready to derive signatures of a resolved module; signer_drop gives the memory back */
void signer_init(struct signer *s, struct module *m);
void signer_drop(struct signer *s);

/* derives the signature of a jaxpr from its types alone. A reference printed in a binder is followed first. Leading
 * integer scalars that later entries count on are implicit; a dim that a result needs and neither an argument nor a
 * result to the left gives becomes an implicit result in front (jax/_src/interpreters/partial_eval.py,
 * _add_implicit_outputs, but unless s->as_jax the first occurrence of a result counts: a reference points left).
 * Constants are entries of the in_type where a size counts them: an argument's, and, unless s->as_jax, any InDBIdx, so
 * that both types count one list. variables: whether dims are
 * variables or symbols. Adds to out, which is emptied first. Linear in the jaxpr, nested programs apart */
void signature_derive(struct signer *s, jaxpr_t j, bool variables, struct signature *out);

#endif
