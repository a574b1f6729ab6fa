/* SPDX-License-Identifier: Apache-2.0
 *
 * Unbound names of a program with syntax errors. */
#ifndef JX_BROKEN_NAMES_H
#define JX_BROKEN_NAMES_H

#include "resolve/broken_lines.h"

/* The unbound uses of names in a program. Zero-initialized. */
struct broken_names {
    struct memo uses; /* by name_t: how many uses there are, plus one */
};

/* records an unbound use of a name, which is not on a broken line */
void broken_names_add(struct mem *mem, struct broken_names *b, name_t name);

/* the text of program p, and what follows it up to the next one */
struct span broken_names_text(const struct module *m, program_t p);

/* compares the uses with the text of a program; call it after the last broken_names_add, and before
 * broken_names_certain. Lost names that the text does not confirm may be any. Linear in the text */
void broken_names_read(const struct module *m, struct broken_names *b, struct span text, struct broken_lines *lines);

/* whether nothing in the text can bind a name: it occurs nowhere but in unbound uses, and where broken lines read it */
bool broken_names_certain(const struct broken_names *b, name_t name);

#endif
