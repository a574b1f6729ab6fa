/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives without a row in grammar/primitives.def. */
#ifndef JX_STRANGER_H
#define JX_STRANGER_H

#include "verify/checker.h"

/* whether an equation makes an operator of PennyLane, whose primitives are named as its many classes are: `RX`. There
 * is nothing else that its result could be */
bool makes_operator(const struct module *m, eqn_t e);

/* reports T011: under --strict for every such equation, else as a warning, once a name, for one that is the slip of a
 * known one, or holds what looks like a blank and is none */
void report_unknown_primitive(struct checker *c, eqn_t e);

/* warns where a value of such an equation begins and ends like one of Python's but is none, and where a line of its
 * parameters occurs twice. Linear in its values */
void report_unknown_values(struct checker *c, eqn_t e);

#endif
