/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameter lists met before, whose parameters are copied instead of read again. */
#ifndef JX_PARAM_LISTS_H
#define JX_PARAM_LISTS_H

#include "parse/token_source.h"

/* the list of a plain equation of `prim` begins with the `[` at open: notes what there is before it */
void param_list_open(struct token_source *f, name_t prim, const char *open);

/* the list that the last equation had open was closed: keeps it, if it is plain and the one that was noted */
void param_list_close(struct token_source *f);

/* the end of the list whose `[` is at open, if the primitive had the same list before: then f->list is that one;
 * else NULL */
const char *param_list_before(struct token_source *f, name_t prim, const char *open);

/* where the last line of a list that begins at open begins; NULL where the list has no line end */
const char *param_list_line(const struct param_list *list, const char *open);

/* gives the equation that began last the parameters of f->list */
void param_list_build(struct token_source *f);

/* gives the memory of all lists back */
void param_lists_free(struct token_source *f);

#endif
