/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of a module: scopes, dimension variables, types. Every error is reported once; what cannot be verified is
 * trusted. */
#ifndef JX_CHECK_H
#define JX_CHECK_H

#include "base/executor.h"
#include "diag/diag.h"
#include "regions/span.h"

enum dialect {
    DIALECT_AUTO,
    DIALECT_JAX,
    DIALECT_CATALYST,
    DIALECT_CATALYST_G1,
    DIALECT_CATALYST_G0,
    DIALECT_PENNYLANE
};
enum dims_mode { DIMS_AUTO, DIMS_VARS, DIMS_SYMBOLIC };

struct check_options {
    bool strict; /* what cannot be verified is an error */
    bool as_jax; /* what JAX accepts is not an error, but at most a warning */
    enum dialect dialect;
    enum dims_mode dims;
    const struct executor *executor; /* threads that check_types may use; NULL: one thread */
    const u8 *only;                  /* by index in the stream: 0 for programs that are not checked; NULL: all are */
};

/* A jaxpr that reads a variable called `_`. */
struct underscored {
    jaxpr_t jaxpr;
    u32 program; /* its index in the stream */
    bool outermost, excerpt;
};

/* What check_scopes and check_dims found, for later checks. Zero-initialized before check_scopes. */
struct resolution {
    bool scopes;         /* check_scopes ran: atoms are ATOM_VAR if a binder was found */
    struct memo unbound; /* by jaxpr_t: if it uses an unbound name, the index of the diagnostic, plus one */
    struct memo rebound; /* by var_t, 1: its name was bound before, which was reported */
    VEC(struct underscored) underscored; /* outer before inner; for check_underscores */
    struct memo unsized; /* by var_t, 1: an error of a size in its type, or of its type as a size, was reported */
    u32 *places;         /* by program_t: how many jaxprs it has, and equations in them */
};

/* reports for each program, as a note, which system printed it, by its parameters, and whether its sizes are variables
 * or symbols. After check_scopes; linear */
void check_dialect(struct module *m, const struct check_options *options, struct diags *ds);

/* resolves names in every program of m in place (ATOM_NAME -> ATOM_VAR) and reports unbound, rebound and unknown
 * shared names; each jaxpr is a closed scope. Does nothing the second time. Linear */
void check_scopes(struct module *m, struct resolution *found, struct diags *ds);

/* resolves reads of `_`, which check_scopes does not, to the only variable that types and positions allow; if they
 * allow several, reports it at `level` and leaves the read unresolved. After check_scopes. Linear, except that an
 * equation may be checked for each of a few readings */
void check_underscores(struct module *m, struct resolution *found, enum diag_level level, struct diags *ds);

/* checks dimension variables: each is bound before it is used and is an integer scalar, no de Bruijn reference is in a
 * binder, and sizes agree across calls, loops and branches. After check_scopes; linear */
void check_dims(struct module *m, const struct check_options *options, struct resolution *found, struct diags *ds);

/* checks all parameters by the columns of their rows, for verbs that do not call check_types: a value that cannot be
 * read is a warning, once for each program, primitive and key, or, with `refuse`, an error, once for each program; with
 * `missing`, a required parameter that is missing is a warning, too. `programs` are the n programs of the stream.
 * Linear */
void check_params(struct module *m, const program_t *programs, u32 n, bool refuse, bool missing, struct diags *ds);

/* checks the types of every equation of a resolved module. Linear in the module */
void check_types(struct module *m, const struct check_options *options, const struct resolution *found,
                 struct diags *ds);

/* What verify_programs reads of a program: nothing, everything, or everything but that sizes are unbound. */
enum verify_which { VERIFY_NOTHING, VERIFY_ALL, VERIFY_UNBOUND };

/* checks the sizes and types of programs after passes: `which` has an enum verify_which for each of the stream, NULL
 * means VERIFY_ALL. Sets bytes in `wrong`: 1 if ds has an error in the program, also an earlier one, or a name in it
 * is unbound; else 0. Linear in the module */
void verify_programs(struct module *m, struct resolution *found, const u8 *which, u8 *wrong, struct diags *ds);

/* how many errors, or unusual sizes, are explained, each by a search that is linear in the program */
enum { EXPLAINED = 64 };

/* a name to be printed by %s in a message; see diag_quote */
static inline const char *
quote_name(const struct module *m, struct diags *ds, name_t name)
{
    struct name_buffer buffer;
    return diag_quote(ds, module_name(m, name, &buffer));
}

#endif
