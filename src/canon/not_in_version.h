/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program has that a JAX version does not print. */
#ifndef JX_NOT_IN_VERSION_H
#define JX_NOT_IN_VERSION_H

#include "canon/canon.h"
#include "diag/diag.h"

/* A primitive, and a key of it or NONE. */
struct absent_name {
    name_t prim, key;
};

/* The version, and what was reported for it: each name once. */
struct not_in_version {
    struct canon *c;
    struct diags *ds;
    struct version_range version;
    VEC(struct absent_name) reported;
    bool literal; /* a literal's type was reported */
};

/* reports what respell_program left and this version does not print: primitives, parameters and values that rows of
 * grammar/versions.def give to other versions, and types of literals. Each is reported once. Linear in the program */
void report_not_in_version(struct not_in_version *u, program_t program);

#endif
