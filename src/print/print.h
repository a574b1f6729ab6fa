/* SPDX-License-Identifier: Apache-2.0
 *
 * From a module to Jaxpr text, laid out byte for byte as JAX's printer does (jax/_src/pretty_printer.py up to
 * 0.6.1, jaxlib's C++ engine of the same algebra since). Names, literals and parameter values are printed as the
 * module has them; only line breaks and indentation are computed. */
#ifndef JX_PRINT_H
#define JX_PRINT_H

#include "base/sink.h"
#include "ir/module.h"

/* the width JAX prints for */
enum { PRINT_WIDTH = 80 };

/* which comments are printed; COMMENTS_IGNORE: only those that suppress findings */
enum print_comments { COMMENTS_ALL, COMMENTS_IGNORE, COMMENTS_NONE };

/* How to print; zero-initialized, as JAX does. */
struct print_options {
    u32 width; /* columns a group may fill; 0 means PRINT_WIDTH */
    enum print_comments comments;
    /* whose layout is used; NO_VERSION: that of the versions that may have printed the program */
    struct version_range versions;
};

/* prints the lets and the main jaxpr, if any, of a program, without a newline at the end, and the comments on lines
 * of their own before it and, for the last program, after it. `options` may be NULL. Linear in the program and its
 * text */
void print_program(struct sink *out, struct module *m, program_t program, const struct print_options *options);

/* the beginning, in the module's text, of what print_program prints: before the first of the comments above the program
 */
u32 notes_begin(const struct module *m, program_t program);

/* the end of it: after the last of the program's comments */
u32 notes_end(const struct module *m, program_t program);

#endif
