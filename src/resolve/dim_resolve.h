/* SPDX-License-Identifier: Apache-2.0
 *
 * What the dims of a type refer to. A dim that is not a number names a variable of its own scope, counts binders (the
 * three de Bruijn references), or is a symbol of jax.export; here each becomes a number, a variable or a text. */
#ifndef JX_DIM_RESOLVE_H
#define JX_DIM_RESOLVE_H

#include "base/memo.h"
#include "resolve/check.h"

/* Variables by name, one scope after another: opening a scope removes the previous one in O(1). The table grows with
 * the names that are bound, not with the module, so that it stays small for a small program of a long stream. */
struct binders {
    struct module *m;
    struct memo vars; /* by name: the scope that bound it last, in the upper half, and the variable */
    u64 scope;        /* the number of the current scope, in the upper half */
};

#define BINDERS_SCOPE (1ull << 32)

/* makes an empty table; binders_drop frees it */
void binders_init(struct binders *b, struct module *m);
void binders_drop(struct binders *b);

/* forgets every name, for the next scope */
static inline void
binders_open(struct binders *b)
{
    b->scope += BINDERS_SCOPE;
}

/* binds the name of v, unless the scope has bound it; `_` binds nothing */
void binders_bind(struct binders *b, var_t v);

/* binds the binders of a jaxpr, then the variables it returns: all that its caller can refer to */
void binders_bind_region(struct binders *b, const struct jaxpr *j);

/* the variable a name is bound to so far, or NONE */
static inline var_t
binders_find(const struct binders *b, name_t name)
{
    u64 bound = memo_get(&b->vars, name);
    return bound - b->scope < BINDERS_SCOPE ? (var_t)bound : NONE;
}

enum size_kind {
    SIZE_INT,   /* value */
    SIZE_VAR,   /* var */
    SIZE_TEXT,  /* a symbol, an expression, a bound: text */
    SIZE_LOOSE, /* a name or reference without a target: text */
};

/* What a dim refers to. */
struct size {
    u8 kind; /* enum size_kind */
    var_t var;
    i64 value;
    struct slice text; /* as printed */
};

/* what a dim of a type refers to. Names are looked up in b (not at all if b is NULL: then they are symbols). References
 * count the operands and results of equation e, or, if e is NONE, the binders of jaxpr j */
struct size size_of_dim(const struct module *m, const struct binders *b, const struct dim *d, jaxpr_t j, eqn_t e);

/* whether the dims of a program are variables; by the first rule that applies: an expression, `dimension_size`,
 * `dim_as_value` or `shape_assertion` say symbols; else a hole in a shape, a reference, an implicit count, or a dim
 * bound to an integer scalar, or all names of dims bound before them in their own scopes, say variables; else symbols.
 * A dim with the name of an integer is ignored if another is not bound before it and a parameter names a size, or if
 * JAX no longer had variables. Opens new scopes of both tables. Linear in the program */
bool dims_are_variables(struct module *m, const struct program *p, struct binders scopes[2]);

/* words that decide whether dims are variables, as names of a module; NONE if it has no such name */
enum { DIM_SYMBOLIC_WORDS = 3, DIM_HOLE_WORDS = 4, DIM_COUNT_WORDS = 5 };
struct dim_words {
    name_t symbolic[DIM_SYMBOLIC_WORDS], holes[DIM_HOLE_WORDS], counts[DIM_COUNT_WORDS];
    u64 may_be; /* a filter: the bits of all these names */
};
struct dim_words dim_words_find(const struct module *m);

/* What an unbound size means if others are bound: an error, or that all are symbols. */
enum dim_reading {
    DIMS_CHECKED, /* either, by other evidence */
    DIMS_OPEN,    /* that all are symbols; nested programs may name what outer ones bind */
    DIMS_CLOSED,  /* that all are symbols; each program binds all that it names */
};

/* dims_are_variables for one of many programs, with words found once for all; *named: whether some dim is a name */
bool dims_score(struct module *m, const struct dim_words *words, const struct program *p, struct binders scopes[2],
                enum dim_reading reading, bool *named);

/* whether an unbound size says that all dims of a program are symbols, whatever else is bound; *symbols: whether an
 * equation or an expression says so, which may name one in a parameter. Linear */
bool dims_must_be_bound(struct module *m, program_t program, bool *symbols);

/* true if a dim's text is an expression over symbols, as jax.export prints it (jax/_src/export/shape_poly.py) */
bool dim_expression(struct slice text);

/* the message for a size that is not one */
#define NO_SIZE "`%s` is not a size: expected a number, a variable, or an expression in variables, such as 2*n + 1"

/* true for i64[], i32[], bint{..}[]: types of values that may be sizes */
bool type_is_dim(const struct module *m, type_t type);

/* true for a variable that may be a dim: its type, where one is printed, is such a type */
bool var_may_be_dim(const struct module *m, var_t v);

#endif
