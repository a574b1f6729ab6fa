/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of printed effects. */
#ifndef JX_EFFECT_CHECK_H
#define JX_EFFECT_CHECK_H

#include "verify/rule.h"

/* checks that the effects of the equation and its nested programs are among those printed for its program `home`, if
 * any are. Reports T022 */
bool rule_effects(struct rule *r, jaxpr_t home);

#endif
