/* SPDX-License-Identifier: Apache-2.0
 *
 * The difference of two texts by lines. */
#ifndef JX_DIFF_LINES_H
#define JX_DIFF_LINES_H

#include "base/sink.h"

/* writes a unified diff of two texts, after `header`; writes nothing and returns false where they are equal */
bool lines_diff(struct mem *mem, struct sink *out, struct slice header, struct slice from, struct slice to);

#endif
