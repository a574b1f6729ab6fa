/* SPDX-License-Identifier: Apache-2.0
 *
 * Types (JAX: avals) as printed after the colon of a binder or literal. Types are interned by their text, which is
 * parsed when it is first seen. Nothing is rejected here: what cannot be parsed is OPAQUE and is compared by its bytes.
 * The forms are those of jax/_src/core.py (str_short, 0.2.22 to 0.12). */
#ifndef JX_TYPE_H
#define JX_TYPE_H

#include "base/names.h"

typedef u32 type_t;  /* index into types.list; NONE: no type printed */
typedef u32 dtype_t; /* a DT_ constant, or DT_EXTENDED + the name_t of an extended dtype's text */

enum {
#define DTYPE(short_name, long_name, class, bits) DT_##short_name,
#include "dtypes.def"
#undef DTYPE
    DT_COUNT,
    DT_EXTENDED = 1u << 30
};

enum dtype_class { CLASS_BOOL, CLASS_SIGNED, CLASS_UNSIGNED, CLASS_FLOAT, CLASS_COMPLEX, CLASS_FLOAT0, CLASS_EXTENDED };

enum type_kind {
    TYPE_ARRAY,  /* f32[8,n], with sharding, varying axes and memory space */
    TYPE_REF,    /* Ref{f32[8]}, Ref<vmem>{..}, MemRef<..>{..}: inner is the element type */
    TYPE_TOKEN,  /* Tok */
    TYPE_UNIT,   /* * (up to 0.3.9) */
    TYPE_OPAQUE, /* anything else: AbstractQreg(length=2), QArrayTy(shape=(3, 4)) .. */
};

enum dim_kind {
    DIM_INT,      /* value */
    DIM_NAME,     /* a variable of the program or a symbol of jax.export: name */
    DIM_EXPR,     /* a symbolic expression, `2*b - 1`: text only */
    DIM_DBIDX,    /* DBIdx(value) */
    DIM_INDBIDX,  /* InDBIdx(value) */
    DIM_OUTDBIDX, /* OutDBIdx(value) */
    DIM_BOUNDED,  /* `3{≤5}`: value, text */
};

struct dim {
    u8 kind; /* enum dim_kind */
    name_t name;
    i64 value;             /* of INT and references; NAME: its binding, see types/dims.h */
    struct slice text;     /* as printed, without the sharding */
    struct slice sharding; /* `x` of `8@x`, or `(x,y)`; empty when none */
};

struct type {
    struct slice text;  /* the whole type as printed */
    u8 kind;            /* enum type_kind */
    bool dynamic;       /* some dim is not a plain integer (the inner type's, for a ref) */
    dtype_t dtype;      /* ARRAY; else NONE */
    u32 dims, rank;     /* ARRAY: index into types.dims, and how many */
    type_t inner;       /* REF: the element type, in its short spelling; else NONE */
    struct slice space; /* memory space `host` of f32<host>[8] or `vmem` of Ref<vmem>{..}; empty when none */
    struct slice vary;  /* varying-axes text `{V:x}` after the shape, with its braces; or `;i:4` of a named shape */
};

struct types {
    struct mem *mem;
    struct names *names; /* the table of dim names and extended dtypes */
    VEC(struct type) list;
    VEC(struct dim) dims;
    u32 *slots;
    u32 slot_mask;
    bool dynamic;           /* some type has a size that is not a plain integer */
    bool wide;              /* some array is of i64 or f64 */
    bool varying;           /* some array prints its varying axes, `{V:x}` */
    bool reducing;          /* some array prints axes over which it is unreduced or reduced: `{U:x}`, `{R:x}` */
    struct dim *variables;  /* the dims after check_dims for scopes whose dims are variables; NULL: there are none */
    const struct dim *view; /* what type_dims returns instead of dims, or NULL */
};

/* how many axes of a mesh are examined: a mesh with more is ignored, and so are further axes of a type */
enum { MESH_AXES = 48 };

/* the part of an array's type that lists axes after a letter, `U:x`, `U_min:(x,y)`; empty if there is none */
struct slice type_reduces(const struct type *t, char letter);

/* the axes in that part, `x` or `x,y`; for the letter V, the varying axes */
struct slice type_axes(const struct type *t, char letter);

/* makes an empty table; names outlives it */
void types_init(struct types *t, struct mem *m, struct names *names);

/* the id of the type printed as text; keeps the pointer, so the bytes must outlive the table. O(length) */
type_t types_intern(struct types *t, struct slice text);

/* the type of an unbound size: i64[] if an array has 64-bit elements, else i32[] */
type_t types_size_type(struct types *t);

/* the record of a type; the pointer is valid until the next types_intern */
static inline const struct type *
type_get(const struct types *t, type_t id)
{
    return &t->list.at[id];
}

/* the dims of a type, `rank` of them; valid until the next types_intern */
static inline const struct dim *
type_dims(const struct types *t, const struct type *type)
{
    return (t->view ? t->view : t->dims.at) + type->dims;
}

/* the array type of a type, or of the elements of a ref; NULL for anything else, and for NONE */
static inline const struct type *
types_array(const struct types *t, type_t id)
{
    const struct type *type = id == NONE ? NULL : type_get(t, id);
    if (type && type->kind == TYPE_REF)
        type = type->inner == NONE ? NULL : type_get(t, type->inner);
    return type && type->kind == TYPE_ARRAY ? type : NULL;
}

/* float0 in parameters: NumPy has no name for it (jax/_src/dtypes.py, float0) */
#define FLOAT0_PARAM SLICE("[('float0', 'V')]")

/* the dtype spelled short (`f32`) or long (`float32`, as parameters print it); NONE when the text is neither */
dtype_t dtype_find(struct slice text);

/* the long name of an element type that a text names as binders and literals do, `float32` for `f32`; empty if it does
 * not */
struct slice dtype_of_short(struct slice text);

/* the element type that a misspelling such as `fp32` or `F32` means, `f32`; empty if there is none */
struct slice dtype_meant(struct slice text);

/* whether the name of some element type is these letters and a width */
bool dtype_class_named(struct slice letters);

/* the short spelling (`f32`, `key<fry>`) */
struct slice dtype_text(const struct names *names, dtype_t dtype);

/* the long spelling (`float32`, `key<fry>`) */
struct slice dtype_long(const struct names *names, dtype_t dtype);

/* which class a dtype belongs to */
enum dtype_class dtype_class(dtype_t dtype);

/* bits of one element: 32 of f32, 64 of c64; 0 for extended dtypes and float0 */
u32 dtype_bits(dtype_t dtype);

/* whether a text is an integer that an integer dtype does not hold; false for other texts and dtypes */
bool dtype_overflows(dtype_t dtype, struct slice text);

/* the algorithm of an array of random keys, `fry` of `key<fry>`; empty for other dtypes */
struct slice dtype_key(const struct names *names, dtype_t dtype);

/* the number of u32 words in a key of an algorithm (jax/_src/prng.py); 0 if unknown */
u32 key_words(struct slice algorithm);

/* type_elements counts the elements of a type, or of the inner type of a ref; type_bytes counts their bytes. A lower
 * bound if *known is cleared: a size that is not a number counts as 1, a type that is not an array has one element, and
 * element types of unknown width have no bytes. Both saturate at UINT64_MAX */
u64 type_elements(const struct types *t, type_t id, bool *known);
u64 type_bytes(const struct types *t, type_t id, bool *known);

/* the offset of the `[` that opens the shape of a type, the first one outside other brackets; text.n if there is none.
 * Linear */
size_t type_shape_offset(struct slice text);

#endif
