/* SPDX-License-Identifier: Apache-2.0
 *
 * Types whose text cannot be one, or that no known printer prints. */
#ifndef JX_WRONG_TYPES_H
#define JX_WRONG_TYPES_H

#include "diag/diag.h"
#include "ir/module.h"

/* whether the text of a type is not one, is probably damaged, or is unknown: JAX, Catalyst and PennyLane are not known
 * to print it, so that it may be a type of users. Of a ref, its element type is judged too */
bool type_is_odd(const struct module *m, type_t id);

/* Types of a module that are only unknown. Zeros, except for `strict`, before the first. */
struct unknown_types {
    bool strict;      /* each is an error (T026) */
    struct memo seen; /* by type_t */
};

/* reports such a type (D108) at binder i of jaxpr j, or, if e is not NONE, at result i of equation e: as an error, or
 * as a warning if it is probably damaged; false then. One that is only unknown is counted (diags_unknown_type) unless
 * that was done */
bool type_text_fits(struct unknown_types *unknown, const struct module *m, struct diags *ds, type_t id, jaxpr_t j,
                    eqn_t e, u32 i);

#endif
