/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache of parameter lists, whose parameters are copied instead of parsed again. */
#ifndef JX_PARAM_LISTS_H
#define JX_PARAM_LISTS_H

#include "parse/token_source.h"

/* begins the list of a plain equation of `prim`, whose `[` is at open: records the state before it */
void param_list_open(struct token_source *f, name_t prim, const char *open);

/* ends the list of the last equation, and caches it if it is plain and param_list_open began it */
void param_list_close(struct token_source *f);

/* looks up the list whose `[` is at open: if the primitive had the same list before, returns its end and sets
 * f->lists.found; else NULL */
const char *param_list_before(struct token_source *f, name_t prim, const char *open);

/* the beginning of the last line of a list that begins at open; NULL if the list has no line end */
const char *param_list_line(const struct param_list *list, const char *open);

/* copies the parameters of f->lists.found to the last equation */
void param_list_build(struct token_source *f);

/* frees the cache */
void param_lists_free(struct token_source *f);

#endif
