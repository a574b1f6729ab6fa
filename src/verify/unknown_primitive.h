/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives without a row in grammar/primitives.def. */
#ifndef JX_UNKNOWN_PRIMITIVE_H
#define JX_UNKNOWN_PRIMITIVE_H

#include "verify/checker.h"

/* whether an equation makes an operator of PennyLane, whose primitives are named as its many classes are: `RX`. Its
 * result can be nothing else */
bool makes_operator(const struct module *m, eqn_t e);

/* whether the primitive of an equation has the name of a variable that is bound shortly before */
bool is_named_as_variable(const struct module *m, eqn_t e);

/* reports T011: with --strict for every such equation, else as a warning, once per name, for a misspelled known
 * primitive or a name with a character that only looks like a space */
void report_unknown_primitive(struct checker *c, eqn_t e);

/* warns if a value of such an equation begins and ends like a Python value but is not one, and if a line of its
 * parameters occurs twice. Linear in its values */
void report_unknown_values(struct checker *c, eqn_t e);

#endif
