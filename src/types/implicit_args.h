/* SPDX-License-Identifier: Apache-2.0
 *
 * Leading arguments or results that only provide sizes. */
#ifndef JX_LEADING_H
#define JX_LEADING_H

#include "base/names.h"

/* the number of the first n values, by name, that only provide sizes to later types: these are, in order, the sizes
 * that the types use. `used` has the k sizes of the types after all n values, each once and in order of use; sizes
 * provided by other leading values are not among them. Linear */
u32 leading_sizes(struct mem *mem, const name_t *names, u32 n, const name_t *used, u32 k);

#endif
