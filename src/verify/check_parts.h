/* SPDX-License-Identifier: Apache-2.0
 *
 * Checking the programs of a module on several threads. */
#ifndef JX_CHECK_PARTS_H
#define JX_CHECK_PARTS_H

#include "resolve/check.h"

/* check_types on the threads of the options' crew; false, with nothing done, where the module is small, or there is
 * something to report, which one thread then does. Linear in the module */
bool check_parts(struct module *m, const struct check_options *options, const struct resolution *found,
                 struct diags *ds);

#endif
