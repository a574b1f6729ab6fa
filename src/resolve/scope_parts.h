/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of several programs resolved at once. */
#ifndef JX_SCOPE_PARTS_H
#define JX_SCOPE_PARTS_H

#include "resolve/check.h"

/* check_scopes on the threads of an executor, if there is nothing to report; else, or if the module is small, it does
 * nothing. check_scopes may be called afterwards in any case. executor may be NULL. Linear */
void check_scopes_parts(struct module *m, struct resolution *found, const struct executor *executor);

/* scope.c: resolves names of the programs [from, end) of a view of a module; the first is the number-th of the stream.
 * True if there is nothing to report or record except found->underscored, which belongs to the view's pool, and
 * elements of found->places, which the caller allocates */
bool resolve_programs(struct module *view, program_t from, program_t end, u32 number, struct resolution *found);

#endif
