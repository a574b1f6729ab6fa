/* SPDX-License-Identifier: Apache-2.0
 *
 * Cyclic definitions. */
#ifndef JX_CYCLE_H
#define JX_CYCLE_H

#include "ir/module.h"

/* whether equation `from` of a jaxpr depends, directly or not, on results of equation `wanted`. Linear in the jaxpr */
bool equation_needs(const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted);

#endif
