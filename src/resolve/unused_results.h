/* SPDX-License-Identifier: Apache-2.0
 *
 * Results called `_`: nothing reads them. */
#ifndef JX_DROPPED_H
#define JX_DROPPED_H

#include "ir/module.h"

/* Whether equations of a program whose results have not been resolved may read a variable called `dropped`, which is
 * `_`. JAX calls those so that it drops, which nothing reads; but where it drops a result of jit, it gives the inner
 * variable the same name (jax/_src/pjit.py, _pjit_pp_rule), and then that inner program prints `_` among its results or
 * binders. The outermost one has no name from elsewhere: an argument `_` is read by hand-written text, unless results
 * are called so, too */
bool underscore_is_read(const struct module *m, jaxpr_t j, name_t dropped, bool outermost);

#endif
