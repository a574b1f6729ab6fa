/* SPDX-License-Identifier: Apache-2.0
 *
 * A ref has one name in a program, as writes under another name are not tracked, and is not used after its end. */
#ifndef JX_REF_ALIAS_H
#define JX_REF_ALIAS_H

#include "verify/rule.h"

/* checks that no ref occurs twice among operands [first, n); reports T023. JAX checks it since 0.11.1
 * (jax/_src/core.py, check_distinct_refs), and refuses to trace such a program since 0.7.2. Linear in the operands */
bool refs_distinct(struct rule *r, u32 first);

/* warns with T023 where a result of the program is a ref. JAX refuses it since 0.7.2 (core.py, _check_jaxpr); older
 * texts are not checked. No error, as the canonical form of an older text looks like a newer one */
void refs_stay(struct checker *c, jaxpr_t j);

/* records that operand 0, a ref, ends with this equation */
void ref_ends(struct rule *r);

/* checks that no operand is a ref that an earlier equation ended, which JAX finds when it compiles the program; reports
 * T025. Linear in the operands */
bool refs_live(struct rule *r);

#endif
