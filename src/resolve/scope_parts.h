/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of several programs resolved at once. */
#ifndef JX_SCOPE_PARTS_H
#define JX_SCOPE_PARTS_H

#include "resolve/check.h"

/* does what check_scopes does, by a crew, where nothing is to be reported; else, and where there is too little
 * to do, that is left to check_scopes, which may follow in any case. crew may be NULL. Linear */
void check_scopes_parts(struct module *m, struct resolution *found, const struct crew *crew);

/* scope.c: resolves names of the programs from `from` to before `end`, the first of which is the number-th of the
 * stream, for a view of a module. True where check_scopes keeps nothing of them but found->underscored, which is the
 * view's */
bool resolve_programs(struct module *view, program_t from, program_t end, u32 number, struct resolution *found);

/* cuts the stream into n parts of about as many bytes: first[i] gets the first program of part i, first[n] the end */
void share_programs(const struct module *m, u32 n, program_t *first);

#endif
