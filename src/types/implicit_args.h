/* SPDX-License-Identifier: Apache-2.0
 *
 * Which leading arguments or results are there for their sizes alone. */
#ifndef JX_LEADING_H
#define JX_LEADING_H

#include "base/names.h"

/* how many of the first n values, by name, are there because the types after them ask for sizes: those that are, in
 * order, what is asked for. `asked` has k names, those that the types after all n ask for, each once and in the order
 * in which they are met; a first value that is not a size alone is asked for no more. Linear */
u32 leading_sizes(struct mem *mem, const name_t *page_front, u32 n, const name_t *op_view, u32 k);

#endif
