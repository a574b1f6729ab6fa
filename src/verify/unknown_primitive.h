/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives without a row in grammar/primitives.def. */
#ifndef JX_UNKNOWN_PRIMITIVE_H
#define JX_UNKNOWN_PRIMITIVE_H

#include "verify/checker.h"

/* whether an equation makes an operator of PennyLane, shown by the type of its result: such primitives have the names
 * of its many classes, `RX` */
bool makes_operator(const struct module *m, eqn_t e);

/* whether the primitive of an equation has the name of a variable that is bound shortly before */
bool is_named_as_variable(const struct module *m, eqn_t e);

/* reports T011: with --strict for every such equation unless it makes an operator; else once per name, for an element
 * type, and as a warning for a variable, for a misspelled known primitive, and for one that is joined with its
 * operands */
void report_unknown_primitive(struct checker *c, eqn_t e);

/* warns if a value of such an equation looks like a Python value but is not one, or leaves a bracket open, and if a
 * line is read as part of a value or as an operand. Linear in its values */
void report_unknown_values(struct checker *c, eqn_t e);

#endif
