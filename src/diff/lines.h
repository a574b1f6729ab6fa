/* SPDX-License-Identifier: Apache-2.0
 *
 * The difference of two texts by lines. */
#ifndef JX_DIFF_LINES_H
#define JX_DIFF_LINES_H

#include "base/sink.h"

/* writes a unified diff of two texts, after `header`; writes nothing and returns false if they are equal */
bool lines_diff(struct mem *mem, struct sink *out, struct slice header, struct slice from, struct slice to);

/* lines [x, x1) of one text are replaced by lines [y, y1) of the other */
typedef void lines_changed(void *arg, u32 x, u32 x1, u32 y, u32 y1);

/* reports every run of lines that differ, in order */
void lines_match(struct mem *mem, struct slice from, struct slice to, lines_changed *take, void *arg);

#endif
