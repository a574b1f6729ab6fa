/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging the programs of a module on several threads. */
#ifndef JX_CHECK_PARTS_H
#define JX_CHECK_PARTS_H

#include "resolve/check.h"

/* does what check_types does, by the crew of the options; false, and nothing is done, where there is too little to do,
 * or something was found, which one thread reports. Linear in the module */
bool check_parts(struct module *m, const struct check_options *options, const struct resolution *found,
                 struct diags *ds);

#endif
