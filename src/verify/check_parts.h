/* SPDX-License-Identifier: Apache-2.0
 *
 * Checking the programs of a module on several threads. */
#ifndef JX_CHECK_PARTS_H
#define JX_CHECK_PARTS_H

#include "resolve/check.h"

/* check_types on the threads of the options' executor. Returns false, and leaves *ds unchanged, if the module is too
 * small, if options->only is set, or if there is something to report: one thread must then check it. Linear in the
 * module */
bool check_parts(struct module *m, const struct check_options *options, const struct resolution *found,
                 struct diags *ds);

#endif
