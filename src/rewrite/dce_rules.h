/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules of dead code elimination share: masks, and parameters that depend on the operands and results. */
#ifndef JX_DCE_RULES_H
#define JX_DCE_RULES_H

#include "rewrite/dce.h"

/* mask_all: whether all n elements are marked; mask_count: how many are. Masks have a byte for each element */
bool mask_all(const u8 *bits, u32 n);
u32 mask_count(const u8 *bits, u32 n);

/* sets masks so that nothing of the equation is needed; returns DCE_DROP */
enum dce_answer dce_drop(struct dce_visit *t);

/* copies the parameters of the equation, so that they can be changed */
void params_copy(struct dce *d, struct dce_visit *t);

/* a parameter of the turn's list, or NONE */
param_t params_find(const struct dce *d, const struct dce_visit *t, struct slice key);

/* keeps the marked elements of each tuple named in keys (see struct dce_row) that has n elements; call params_copy
 * before */
void params_filter(struct dce *d, struct dce_visit *t, const char *keys, const u8 *keep, u32 n);

/* sets a parameter to a number, if it is printed; call params_copy before */
void params_set_int(struct dce *d, struct dce_visit *t, const char *key, u32 value);

/* loops and branches: dce_loops.c */
dce_rule dce_scan, dce_while, dce_cond;

#endif
