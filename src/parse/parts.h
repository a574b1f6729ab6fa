/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a long text on several threads. */
#ifndef JX_PARTS_H
#define JX_PARTS_H

#include "base/executor.h"
#include "parse/text_part.h"

/* text_cuts.c: the next place between p and end where a text that begins at `begin` may be cut, or NULL */
const char *find_cut(const char *begin, const char *p, const char *end, enum cut *cut);

/* reads the text of an empty module on several threads, and returns where one thread must continue: the end of the text
 * if no part has findings, its beginning if it is too short. The module is the same as with one thread. *lookahead is
 * that of token_source for the whole text, and is reduced by what was used. Linear */
const char *read_parts(struct module *m, const struct executor *executor, bool hashes, u64 *lookahead);

/* parse.c: token_source_open begins to read the text of a module; read_programs reads its programs from p on, read_part
 * all of a text that is a part of another one; token_source_close frees what reading needed */
void token_source_open(struct token_source *f, struct module *m, struct diags *ds, bool hashes, u64 lookahead);
void read_programs(struct token_source *f, const char *p);
void read_part(struct token_source *f, struct cut_part *part);
void token_source_close(struct token_source *f);

#endif
