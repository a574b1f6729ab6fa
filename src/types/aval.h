/* SPDX-License-Identifier: Apache-2.0
 *
 * Types as values: what is known of the type of a variable, a literal or a result that a rule computes. */
#ifndef JX_AVAL_H
#define JX_AVAL_H

#include "types/dims.h"

/* classes of element types as a set: bit i is enum dtype_class i */
enum {
    IN_BOOL = 1 << CLASS_BOOL,
    IN_SIGNED = 1 << CLASS_SIGNED,
    IN_UNSIGNED = 1 << CLASS_UNSIGNED,
    IN_FLOAT = 1 << CLASS_FLOAT,
    IN_COMPLEX = 1 << CLASS_COMPLEX,
    IN_FLOAT0 = 1 << CLASS_FLOAT0,
    IN_KEY = 1 << CLASS_EXTENDED, /* extended element types */
    IN_INT = IN_SIGNED | IN_UNSIGNED,
    IN_NUM = IN_INT | IN_FLOAT | IN_COMPLEX,
    IN_ORDERED = IN_INT | IN_FLOAT | IN_BOOL,
    IN_BITS = IN_INT | IN_BOOL,
    IN_INEXACT = IN_FLOAT | IN_COMPLEX,
    IN_ARRAY = IN_NUM | IN_BOOL,
    IN_ANY = IN_ARRAY | IN_FLOAT0 | IN_KEY,
};

enum aval_kind {
    AVAL_UNKNOWN, /* nothing known: an unbound or untyped variable, a value a rule could not work out */
    AVAL_ARRAY,
    AVAL_REF, /* dtype, rank and dims are those of what it refers to */
    AVAL_TOKEN,
    AVAL_OTHER, /* an opaque type: equal to the same text, undecided against the rest */
};

/* A type as a value: of an operand, of a binder, or worked out by a rule. */
struct aval {
    u8 kind;
    u8 classes;         /* set of IN_ classes the element type may have; one bit once dtype is known */
    bool ranked;        /* rank and dims are known */
    bool bounded;       /* an integer type with a bound, `bint{..}`, or an extended type a parameter names */
    bool long_spelling; /* spelled `float32[8]`: text of people, whose literals have no point */
    bool literal;       /* an operand that is a literal, or shaped from one */
    dtype_t dtype;      /* NONE when not known: any element type of `classes` */
    u32 rank;
    const struct dim *dims;
    type_t type; /* as printed; NONE when worked out or read from a parameter */
};

/* an aval of which nothing is known, an array, and an array of rank 0 */
struct aval aval_unknown(void);
struct aval aval_array(dtype_t dtype, u32 rank, const struct dim *dims);
struct aval aval_scalar(dtype_t dtype);

/* a copy of `a` with other dims */
struct aval aval_reshaped(const struct aval *a, u32 rank, const struct dim *dims);

/* what is known of a printed type, and of a variable or literal */
struct aval aval_of_type(const struct module *m, type_t type);
struct aval aval_of_atom(const struct module *m, atom_t atom);

/* what is wrong with a type that reads like an array or a ref but lost a part, such as `64[n]`, `f[n]` and `key[]`, or
 * has its shape in other brackets, `f32(8,16)` (D108); NULL where nothing is known */
const char *type_fault(const struct type *t);

/* gives `a` an element type: sets dtype and classes */
void aval_set_dtype(struct aval *a, dtype_t dtype);

/* whether two element types agree: literals without a type take any of their kind */
enum truth dtypes_agree(const struct aval *a, const struct aval *b);
/* whether shapes agree */
enum truth shapes_agree(const struct aval *a, const struct aval *b);
/* whether two types agree in shape and element type, as JAX's typematch compares them (jax/_src/core.py). Weak types,
 * shardings, memory spaces and varying axes are not compared */
enum truth avals_agree(const struct aval *a, const struct aval *b);

/* the axes a type varies over, `x` or `x,y`, without brackets; empty where it has none */
struct slice vary_list(const struct module *m, type_t type);

#endif
