/* SPDX-License-Identifier: Apache-2.0
 *
 * Unbound names of a program with syntax errors. */
#ifndef JX_BROKEN_NAMES_H
#define JX_BROKEN_NAMES_H

#include "resolve/check.h"

/* The offsets of all syntax errors of a module, in order. Zero-initialized; the caller frees `list.at` (mem_free). */
struct syntax_errors {
    VEC(u32) list;
    bool read;
};

/* reads the syntax errors from the findings the first time it is called. Sorts them */
void syntax_errors_read(struct syntax_errors *errors, const struct diags *ds);

/* whether a syntax error begins between two offsets, without the second. Logarithmic */
bool syntax_error_between(const struct syntax_errors *errors, u32 from, u32 to);

/* the offset of the first syntax error of program p that may have hidden a binder: it is not after the `=` of an
 * equation. NONE if there is none. Linear in the lines that have errors */
u32 hidden_binder(const struct module *m, const struct syntax_errors *errors, program_t p);

/* The unbound uses of names in a program. Zero-initialized. */
struct broken_names {
    struct memo uses; /* by name_t: how many uses there are, plus one */
};

/* records an unbound use of a name */
void broken_names_add(struct mem *mem, struct broken_names *b, name_t name);

/* compares the uses with the text of program p; call it after the last broken_names_add, and before
 * broken_names_certain. Linear in the text of the program, and in that after it up to the next program */
void broken_names_read(const struct module *m, struct broken_names *b, program_t p);

/* whether nothing in the text can bind a name: it occurs nowhere but in its unbound uses */
bool broken_names_certain(const struct broken_names *b, name_t name);

#endif
