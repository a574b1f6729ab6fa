/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects that programs print. */
#ifndef JX_EFFECTS_H
#define JX_EFFECTS_H

#include "verify/rule.h"

/* what the equation does, itself or through its programs, is among the effects its program `home` prints, where it
 * prints any. Reports T022 */
bool rule_effects(struct rule *r, jaxpr_t home);

#endif
