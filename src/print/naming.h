/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of variables as the printer of a JAX version chooses them (jax/_src/core.py, JaxprPpContext). */
#ifndef JX_NAMING_H
#define JX_NAMING_H

#include "ir/module.h"

enum naming_how {
    NAMING_SYMBOLS = 1,  /* names in sizes are symbols of jax.export and are kept */
    NAMING_PLAIN = 2,    /* ignores old names: no suffix is kept, and all unused results are `_` */
    NAMING_ONCE = 4,     /* no two jaxprs have the same variables: none is printed with the names of another */
    NAMING_APART = 8,    /* no variable gets the name of a symbol, which could change the meaning of the text */
    NAMING_CLASHES = 16, /* with NAMING_SYMBOLS: variables that have the name of a symbol keep it, which shows that the
                          * symbol is none of them */
};

/* renames every variable of a resolved program, in JAX's order: shared jaxprs first, then binders before equations,
 * results before parameters. Names in text (ref forms, effects, sizes) are updated. Sharing is unchanged; programs
 * pasted into parameters are named separately. `how`: flags of enum naming_how. Linear */
void rename_program(struct module *m, program_t program, struct version_range versions, unsigned how);

#endif
