/* SPDX-License-Identifier: Apache-2.0
 *
 * Abstract values: what is known of the type of a variable, a literal or a result that a rule computes. */
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
    AVAL_UNKNOWN, /* unknown: an unbound or untyped variable, or a result that a rule could not compute */
    AVAL_ARRAY,
    AVAL_REF, /* dtype, rank and dims are those of its elements */
    AVAL_TOKEN,
    AVAL_OTHER, /* an opaque type: equal to the same text; undecided for another opaque type */
};

/* The abstract value of an operand, a binder, or a result that a rule computed. */
struct aval {
    u8 kind;
    u8 classes;         /* set of IN_ classes the element type may have; one bit once dtype is known */
    bool ranked;        /* rank and dims are known */
    bool bounded;       /* an integer type with a bound, `bint{..}`, or an extended type in a parameter */
    bool long_spelling; /* spelled `float32[8]`: hand-written text, whose float literals may have no point */
    bool literal;       /* an operand that is a literal, or shaped from one */
    bool pointed;       /* an untyped literal such as `1.0`, which no type prints that prints others as `2` */
    bool moved;         /* it may vary, and be unreduced and reduced, over other axes than `placed` prints */
    dtype_t dtype;      /* NONE if unknown: any element type of `classes` */
    u32 rank;
    const struct dim *dims;
    type_t type;   /* as printed; NONE if computed or read from a parameter */
    type_t placed; /* the printed type whose memory space and, unless `moved`, mesh axes it has; NONE if unknown */
};

/* an aval of a kind of which nothing else is known */
struct aval aval_of_kind(enum aval_kind kind);

/* an aval of which nothing is known */
struct aval aval_unknown(void);

/* an array; the dims must outlive it */
struct aval aval_array(dtype_t dtype, u32 rank, const struct dim *dims);

/* an array of rank 0 */
struct aval aval_scalar(dtype_t dtype);

/* a copy of `a` with other dims */
struct aval aval_reshaped(const struct aval *a, u32 rank, const struct dim *dims);

/* the printed type whose varying, unreduced and reduced axes it has; NONE if unknown */
static inline type_t
aval_axes(const struct aval *a)
{
    return a->moved ? NONE : a->placed;
}

/* false if `a` is known to be something else than a ref */
static inline bool
aval_may_be_ref(const struct aval *a)
{
    return a->kind != AVAL_ARRAY && a->kind != AVAL_TOKEN;
}

/* the type of what a ref of a type refers to; NONE if it is not known, or for another type */
type_t ref_element(const struct module *m, type_t ref);

/* whether a type is a ref to a ref */
bool is_nested_ref(const struct module *m, const struct aval *a);
/* whether what two refs refer to may agree, as avals_agree says, in refs to refs, too. True for other types */
bool refs_agree(const struct module *m, const struct aval *a, const struct aval *b);

/* the aval of a printed type, and of a variable or literal */
struct aval aval_of_type(const struct module *m, type_t type);
struct aval aval_of_atom(const struct module *m, atom_t atom);

/* sets the element type of `a`: dtype and classes */
void aval_set_dtype(struct aval *a, dtype_t dtype);

/* whether two element types agree; MAYBE if one is unknown, as that of a literal without a type, and may be the
 * other */
enum truth dtypes_agree(const struct aval *a, const struct aval *b);
/* whether two shapes agree; MAYBE if one is unknown */
enum truth shapes_agree(const struct aval *a, const struct aval *b);
/* whether two types agree in shape and element type, as JAX's typematch compares them (jax/_src/core.py). Weak types,
 * shardings, memory spaces and varying axes are not compared */
enum truth avals_agree(const struct aval *a, const struct aval *b);

/* whether some size of a ranked array is unknown */
bool aval_lacks_size(const struct aval *a);

/* the varying axes of a type, `x` or `x,y`, without brackets; empty if it has none */
struct slice vary_axes(const struct type *t);

/* the same of a type by its id; empty for NONE */
struct slice vary_list(const struct module *m, type_t type);

/* the axes that the type of an array prints after a letter, V, U or R; empty if its axes are unknown */
struct slice aval_over(const struct module *m, const struct aval *a, char letter);

#endif
