/* SPDX-License-Identifier: Apache-2.0
 *
 * Comments in programs. */
#ifndef JX_COMMENT_H
#define JX_COMMENT_H

#include "parse/token_source.h"

/* adds the comment after the `#` at p; returns the end of its line */
const char *record_comment(struct token_source *f, const char *p);

/* whether the first comment that reads like a line of a program is inside of one */
bool comments_hide(const struct module *m);

/* warns of comments on lines of their own, inside of programs, that say that lines were left out (S018) */
void report_comments(const struct module *m, struct diags *ds);

#endif
