/* SPDX-License-Identifier: Apache-2.0
 *
 * Fresh names, given as the printer of a JAX version gives them (jax/_src/core.py, JaxprPpContext). */
#ifndef JX_NAMING_H
#define JX_NAMING_H

#include "ir/module.h"

enum naming_how {
    NAMING_SYMBOLS = 1, /* names of dims are symbols of jax.export and stay */
    /* what a variable was called does not matter: no suffix stays, unused results are `_` everywhere, and none is
     * called like a symbol, so that the text is read as it was meant */
    NAMING_PLAIN = 2,
    NAMING_ONCE = 4, /* no two jaxprs have the same variables: none is the twin of another */
};

/* names every variable of a resolved program anew, in the order in which JAX meets them: shared jaxprs first, then
 * binders before equations, results before parameters. Variables inside kept text (ref statements, effects, dims)
 * follow. Which programs are shared stays as it is; programs pasted into parameters are named on their own, as their
 * prints are. `how`: flags of enum naming_how. Linear */
void rename_program(struct module *m, program_t program, struct version_range versions, unsigned how);

#endif
