/* SPDX-License-Identifier: Apache-2.0
 *
 * What precedes the lines of a program in a log, a comment, a listing or a diff, such as `[rank0]: `, `# `,
 * `2026-11-20T21:07:08.123Z `, ` 12 | ` or `+`; inferred from the program's first two lines. Private to extract. */
#ifndef JX_PREFIX_H
#define JX_PREFIX_H

#include "base/base.h"

/* the longest prefix */
enum { PREFIX_MOST = 512 };

struct prefix {
    char at[PREFIX_MOST]; /* at first what precedes the program's first line, without colours; once known, what precedes
                             each line */
    u32 n;
    bool stamp[PREFIX_MOST]; /* its digits that belong to a timestamp, and so differ from line to line */
    bool known;              /* the second line showed which part of it precedes each line */
    bool visible;            /* it is not only spaces: a line without it is not the program's */
    bool signs;              /* it is a diff marker: lines with the other marker do not belong to the program */
    u32 number, number_end;  /* the range of the line number in it; 0, 0 if there is none */
};

/* infers the prefix from n bytes of the second line, without colours; with `let`, the first line was a whole shared
 * program. False if the line is not indented as JAX indents it: then a later line may determine the prefix */
bool prefix_learn(struct prefix *prefix, const char *line, u32 n, bool let);

/* the length of the prefix of a line; NONE if the line does not have it */
u32 prefix_skip(const struct prefix *prefix, const char *line, u32 n);

#endif
