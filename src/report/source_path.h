/* SPDX-License-Identifier: Apache-2.0
 *
 * The Python source of an equation, according to the comments that JAX prints after it: the scopes of its name
 * stack, its function, and its line. */
#ifndef JX_SOURCE_PATH_H
#define JX_SOURCE_PATH_H

#include "ir/module.h"

enum { PATH_PARTS = 10 };

enum source_kind { PATH_SCOPE, PATH_FUNCTION, PATH_LINE };

/* The parts of a path, outermost first; at most PATH_PARTS - 2 scopes. */
struct source_path {
    struct slice part[PATH_PARTS];
    u8 kind[PATH_PARTS]; /* enum source_kind */
    u32 n;               /* 0 if the equation has no such comments */
};

/* reads the comments of an equation, after comments_anchor; the parts are bytes of the module. Linear in the
 * comments */
void source_path_read(const struct module *m, eqn_t e, struct source_path *place);

/* the text of the parameter `name` of an equation, or its primitive; bytes of the module or of `buffer` */
struct slice called_name(const struct module *m, eqn_t e, struct name_buffer *buffer);

#endif
