/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a text of programs can be divided into parts that are read independently. */
#ifndef JX_DIVIDE_H
#define JX_DIVIDE_H

#include "base/vec.h"

/* The beginning of a part, or the end of the text. */
struct division {
    u64 at;
    u32 line; /* from 1 */
};

struct divisions {
    struct division *at;
    u32 n, cap;
};

/* lists where parts begin, and then the end of the text: at least two entries. Each part but the last has at least
 * DIVIDE_LEAST bytes, so that small programs share a module. Linear in the text */
void divide_programs(struct mem *m, struct slice text, struct divisions *all);

enum { DIVIDE_LEAST = 8 << 10 };

#endif
