/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory spaces in types, `f32<host>[8]`: arrays that are computed with lie in one, and results lie there too. */
#ifndef JX_SPACE_H
#define JX_SPACE_H

#include "verify/rule.h"

/* whether some array of the module is printed in the host's memory */
bool spaces_shown(const struct module *m);

/* whether two arrays lie in one memory space: the host's is kept apart from all others but `any`. True where one is not
 * printed, and of all else than arrays (jax/_src/core.py, typematch, 0.7.1 on) */
bool spaces_agree(const struct module *m, const struct aval *a, const struct aval *b);

/* the operands of array primitives lie in one space and the results where they do, those of device_put where it puts
 * them; spaces_shown() holds. Reports T003, T008. Linear in operands and results */
bool rule_spaces(struct rule *r);

#endif
