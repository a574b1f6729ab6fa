/* SPDX-License-Identifier: Apache-2.0
 *
 * What precedes the lines of a program in a log, a comment, a listing or a diff, `[rank0]: `, `# `,
 * `2026-11-20T21:07:08.123Z `, `  12 | `, `+`: it is learnt from the program's first two lines. Private to extract. */
#ifndef JX_PREFIX_H
#define JX_PREFIX_H

#include "base/base.h"

/* longer prefixes are not looked for */
enum { PREFIX_MOST = 512 };

struct prefix {
    char at[PREFIX_MOST]; /* what precedes the program's first line, without colours; then what is before each */
    u32 n;
    bool stamp[PREFIX_MOST]; /* which of its digits belong to a stamp, and differ from line to line */
    bool known;              /* the second line showed which part of it is before each line */
    bool visible;            /* it is not of blanks alone: a line without it is not the program's */
    bool signs;              /* the signs of a diff: lines that only the other side has are not the program's */
    u32 number, number_end;  /* it holds the line's number, between these; 0, 0 where it does not */
};

/* learns from the second line, of which n bytes are here (without colours); with `let`, the first line was all of a
 * shared program. False where the line is not indented as JAX does, so that another line may be a better teacher */
bool prefix_learn(struct prefix *prefix, const char *line, u32 n, bool let);

/* how many bytes of a line the prefix takes; NONE where it is not before this line */
u32 prefix_skip(const struct prefix *prefix, const char *line, u32 n);

#endif
