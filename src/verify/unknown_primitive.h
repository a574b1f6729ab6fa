/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives without a row in grammar/primitives.def. */
#ifndef JX_STRANGER_H
#define JX_STRANGER_H

#include "verify/checker.h"

/* true the first time a primitive is asked about. Constant */
bool first_use_of_unknown(struct checker *c, name_t prim);

/* reports T011, once a name: under --strict for every unknown primitive, else as a warning for one that is the slip of
 * a known one, or holds what looks like a blank and is none */
void report_unknown_primitive(struct checker *c, eqn_t e);

#endif
