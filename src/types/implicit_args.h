/* SPDX-License-Identifier: Apache-2.0
 *
 * Leading arguments or results that only provide sizes. */
#ifndef JX_IMPLICIT_ARGS_H
#define JX_IMPLICIT_ARGS_H

#include "base/names.h"

/* how many of the first n values, given by name, are only sizes of later types: the longest run of leading values that
 * are, in order, the sizes in later types. `used` has the k sizes of the types after all n values, each once and in
 * order of use, without sizes that other leading values are. Linear */
u32 leading_sizes(struct mem *mem, const name_t *names, u32 n, const name_t *used, u32 k);

#endif
