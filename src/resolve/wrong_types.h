/* SPDX-License-Identifier: Apache-2.0
 *
 * Types whose text cannot be one, or that no known printer prints. */
#ifndef JX_WRONG_TYPES_H
#define JX_WRONG_TYPES_H

#include "diag/diag.h"
#include "ir/module.h"

/* whether the text of a type is not one, or is probably damaged, or *unknown is true: JAX, Catalyst and PennyLane are
 * not known to print it, so that it may be a type of users. Of a ref, its element type is judged too */
bool type_is_wrong(const struct module *m, type_t id, bool *unknown);

/* Types of a module that are only unknown. Zeros, except for `strict`, before the first. */
struct unknown_types {
    bool strict;      /* each is an error (T026) */
    struct memo seen; /* by type_t */
};

/* reports such a type (D108) at the binder that has it: as an error, or as a warning if it is probably damaged. One
 * that is only unknown is counted (diags_unknown_type) unless that was done */
void report_type(struct unknown_types *unknown, const struct module *m, struct diags *ds, struct span binder,
                 type_t id);

#endif
