/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of printed values that several roles share. All are linear in the bytes of the text. */
#ifndef JX_VALUE_KINDS_H
#define JX_VALUE_KINDS_H

#include "prims/prims.h"

/* an integer, exact in 64 bits; `True` is one in Python, but not in JAX's parameters */
bool is_int(struct slice s);

/* `True` or `False`; `None` */
bool is_bool(struct slice s);
bool is_none(struct slice s);

/* `True` or `False`; JAX accepts 0 and 1 for them */
bool is_flag(struct slice s);

/* `<class 'X'>`, which is not an object of the class */
bool is_class(struct slice s);

/* `NamedSharding(..)`, or `<.. object at 0x..>`, Python's default repr */
bool is_record(struct slice s);

/* an element type, `dtype(..)`, a set or a spec: objects that are neither types of values nor devices */
bool is_other_object(struct slice s);

/* two integers; an integer that is not negative */
bool is_pair(struct slice s);
bool is_count(struct slice s);

/* whether a value is a tuple or list, all of whose elements are of a kind */
bool all_elements(struct slice s, bool (*is)(struct slice));

/* a tuple of sizes as JAX prints them */
bool is_dims(struct slice s);

/* whether values of a role consist of words of JAX (unread_values.c) */
bool role_has_words(enum param_role role);

/* whether a value is of the kind of a role that no rule reads (unread_values.c) */
bool unread_fits(const struct prim_param *param, struct slice s);

#endif
