/* SPDX-License-Identifier: Apache-2.0
 *
 * Refs have one name in a program: what a ref refers to changes, and changes under another name are not tracked. */
#ifndef JX_REFS_H
#define JX_REFS_H

#include "verify/rule.h"

/* no ref occurs twice among operands [first, n); reports T023. JAX says so since 0.11.1 (jax/_src/core.py,
 * check_distinct_refs), and refused to trace it since 0.7.2. Linear in the operands */
bool refs_distinct(struct rule *r, u32 first);

/* no result of the program is a ref; warns of T023. JAX refuses it since 0.7.2 (core.py, _check_jaxpr);
 * nothing is said of texts that are older */
void refs_stay(struct checker *c, jaxpr_t j);

#endif
