/* SPDX-License-Identifier: Apache-2.0
 *
 * Cyclic definitions. */
#ifndef JX_CYCLE_H
#define JX_CYCLE_H

#include "diag/diag.h"
#include "ir/module.h"

/* whether equation `from`, which binds `name`, depends on equation `wanted`, which reads it earlier, at `at`; if so,
 * reports S011 with a note for each equation between them. Linear in the jaxpr */
bool report_cycle(struct diags *ds, const struct module *m, jaxpr_t j, eqn_t from, eqn_t wanted, struct span at,
                  struct slice name);

#endif
