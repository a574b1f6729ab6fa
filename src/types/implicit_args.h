/* SPDX-License-Identifier: Apache-2.0
 *
 * Leading arguments or results that only provide sizes. */
#ifndef JX_IMPLICIT_ARGS_H
#define JX_IMPLICIT_ARGS_H

#include "base/names.h"

/* how many of n leading values, given by name, only provide sizes: the greatest number of them that are, in order,
 * sizes in later types. `used` are the k sizes in the types of what follows the n values, each once and in order of
 * use. Linear */
u32 leading_sizes(struct mem *mem, const name_t *names, u32 n, const name_t *used, u32 k);

#endif
