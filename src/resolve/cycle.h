/* SPDX-License-Identifier: Apache-2.0
 *
 * Definitions that go round in a circle. */
#ifndef JX_CYCLE_H
#define JX_CYCLE_H

#include "ir/module.h"

/* whether an equation of a jaxpr reads, through others or not, what another one binds. Linear in the jaxpr */
bool equation_needs(const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted);

#endif
