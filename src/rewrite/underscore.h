/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of one name: those called `_` that are used after all, and those that are one object to JAX. */
#ifndef JX_NAMESAKES_H
#define JX_NAMESAKES_H

#include "ir/reach.h"

/* Settles which variable each `_` of a jaxpr means. Linear */
void underscores_differ(struct module *m, jaxpr_t id, name_t underscore);

/* Settles which variable each `_` of a jaxpr means, and gives those that are used a name of their own, so that nothing
 * about them says that they may be dropped: from 0.5.3 a jit passes the names of its results inward, `_` among them,
 * and several results may be called so. Linear */
void underscores_resolve(struct module *m, jaxpr_t id, name_t underscore);

/* Makes variables of one name and type in different jaxprs copies of the first: up to 0.5.2 JAX gives no name twice, so
 * that what is called alike is one object, which several programs made of one another hold. Linear */
void underscores_join(struct module *m, const struct jaxprs *list, name_t underscore);

#endif
