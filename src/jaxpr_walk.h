/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking through the programs of a module: equations, operands, types, values of parameters, definitions and uses, and
 * where each is in the text. jaxpr.h includes it. Everything has a small integer as its id. Nothing is parsed again,
 * and a call takes time proportional to its result unless its comment says otherwise. A wrong id or index returns
 * false, 0 or JX_NONE.
 *
 * Functions that fill a structure take its size last, so that structures may grow; a macro of the same name passes it
 * for callers in C and C++: jx_jaxpr_at(module, id, &jaxpr). Those that fill an array of `room` structures return how
 * many they filled. */
#ifndef JAXPR_WALK_H
#define JAXPR_WALK_H

#include "jaxpr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- programs ---- */

struct jx_program {
    uint32_t jaxpr;        /* the program itself; JX_NONE if none could be read */
    uint32_t first_shared; /* `let NAME = { .. } in` before it: consecutive ids for jx_shared_at */
    uint32_t shared;       /* how many of them */
    struct jx_place place;
    bool broken; /* had syntax errors */
    bool elided; /* has `...` in place of equations */
};

/* `{ lambda constants ; inputs . let equations in outputs }` */
struct jx_jaxpr {
    uint32_t constants, inputs, outputs, equations;
    uint32_t first_equation;  /* the next is in jx_equation.next */
    uint32_t parent;          /* the equation that has it as a parameter; JX_NONE for a whole or shared program */
    struct jx_string effects; /* `Debug` of ` : { Debug }`; empty when there are none or they were not printed */
};

/* A binder, or a result of an equation. */
struct jx_variable {
    struct jx_string name, type; /* type is empty when none was printed */
    uint32_t id, type_id;        /* type_id is for jx_type_at; JX_NONE when none was printed */
};

enum jx_operand_kind { JX_VARIABLE, JX_LITERAL, JX_REFERENCE };

/* An operand of an equation or an output of a jaxpr: `a`, `2.0:f32[]`, `a[0,:]`. */
struct jx_operand {
    enum jx_operand_kind kind;
    struct jx_string text;  /* the name, or the literal's value: see jx_value_of */
    struct jx_string type;  /* of a literal; empty when none was printed */
    struct jx_string index; /* of a reference: `[0,:]`; else empty */
    uint32_t variable;      /* after jx_resolve: the variable that is read; JX_NONE for literals and unbound names */
    uint32_t type_id;       /* of the literal, or after jx_resolve of the variable; JX_NONE when not printed */
};

struct jx_equation {
    struct jx_string primitive;
    uint32_t results, operands;
    uint32_t first_parameter; /* the next is in jx_parameter.next */
    uint32_t next;            /* the next equation of the same jaxpr */
    uint32_t id;
};

struct jx_parameter {
    struct jx_string key;   /* empty: the text of an equation with special syntax, such as `a[0] <- b` */
    struct jx_string value; /* as printed, nested programs included; jx_parameter_value takes it apart */
    uint32_t jaxprs;        /* how many programs it contains or names; jx_parameter_jaxpr returns them */
    uint32_t next;
};

/* How many programs the text contains. */
JX_API uint32_t jx_program_count(jx_module *module);

/* The i-th program of the text, from 0; the `let` and the jaxpr with an id from one of the structures here. */
JX_API bool jx_program_at(jx_module *module, uint32_t program, struct jx_program *answer, size_t size);
JX_API bool jx_shared_at(jx_module *module, uint32_t shared, struct jx_string *name, uint32_t *jaxpr);
JX_API bool jx_jaxpr_at(jx_module *module, uint32_t jaxpr, struct jx_jaxpr *answer, size_t size);

/* The i-th binder of a jaxpr, constants first, and its i-th output. */
JX_API bool jx_binder_at(jx_module *module, uint32_t jaxpr, uint32_t i, struct jx_variable *answer, size_t size);
JX_API bool jx_output_at(jx_module *module, uint32_t jaxpr, uint32_t i, struct jx_operand *answer, size_t size);

/* An equation, its i-th result and its i-th operand; a parameter of one. */
JX_API bool jx_equation_at(jx_module *module, uint32_t equation, struct jx_equation *answer, size_t size);
JX_API bool jx_result_at(jx_module *module, uint32_t equation, uint32_t i, struct jx_variable *answer, size_t size);
JX_API bool jx_operand_at(jx_module *module, uint32_t equation, uint32_t i, struct jx_operand *answer, size_t size);
JX_API bool jx_parameter_at(jx_module *module, uint32_t parameter, struct jx_parameter *answer, size_t size);

/* The same in bulk: an equation and those after it in the same jaxpr; results and operands of an equation from the
 * `first` on. */
JX_API uint32_t jx_equations(jx_module *module, uint32_t equation, struct jx_equation *into, uint32_t room,
                             size_t size);
JX_API uint32_t jx_results(jx_module *module, uint32_t equation, uint32_t first, struct jx_variable *into,
                           uint32_t room, size_t size);
JX_API uint32_t jx_operands(jx_module *module, uint32_t equation, uint32_t first, struct jx_operand *into,
                            uint32_t room, size_t size);

/* The k-th program inside a parameter, or JX_NONE; for a shared one, the jaxpr that its `let` binds. Linear in k. */
JX_API uint32_t jx_parameter_jaxpr(jx_module *module, uint32_t parameter, uint32_t k);

/* ---- definitions, uses, places ---- */

/* Resolves names to variables, for jx_operand.variable, jx_definition and jx_uses; unbound names become diagnostics, as
 * in jx_check. Linear; later calls do nothing. */
JX_API JX_CHECKED enum jx_status jx_resolve(jx_module *module);

/* What a site is. */
enum jx_part {
    JX_PART_PROGRAM,   /* id: a program */
    JX_PART_JAXPR,     /* id: a jaxpr */
    JX_PART_BINDER,    /* the index-th binder of jaxpr id */
    JX_PART_OUTPUT,    /* the index-th output of jaxpr id */
    JX_PART_EQUATION,  /* id: an equation */
    JX_PART_PRIMITIVE, /* the primitive of equation id */
    JX_PART_RESULT,    /* the index-th result of equation id */
    JX_PART_OPERAND,   /* the index-th operand of equation id */
    JX_PART_INDEXER,   /* the inner-th variable in the indexers of the index-th operand of equation id */
    JX_PART_PARAMETER, /* the value of parameter id */
};

/* A part of the text, such as an operand. No version adds fields. */
struct jx_site {
    enum jx_part part;
    uint32_t id, index, inner;
};

/* The place of a site in the input: byte offsets, the end exclusive, and lines and columns. They refer to the input
 * even if its text was repaired. Binders, results, operands and outputs begin with their name. No version adds fields.
 */
struct jx_span {
    uint64_t from, to;
    struct jx_place place;
};

/* The binder or result that defines a variable; false before jx_resolve. */
JX_API bool jx_definition(jx_module *module, uint32_t variable, struct jx_site *site);

/* The operands, indexers and outputs that read a variable, from the `first` on; sizes in types that name it are not
 * among them. */
JX_API uint32_t jx_uses(jx_module *module, uint32_t variable, uint32_t first, struct jx_site *into, uint32_t room);

/* Where a site is; false if it is not in the text. Linear in the equation or the header, without what is nested. */
JX_API bool jx_span_at(jx_module *module, const struct jx_site *site, struct jx_span *span);

/* The text that was read, to which offsets of spans refer: for a program that was found in other text, its own lines
 * without prefixes and escapes. It lives as long as the module. */
JX_API struct jx_string jx_module_text(const jx_module *module);

/* The offset in that text of a line and column; JX_NONE if there is none. */
JX_API uint32_t jx_offset_at(jx_module *module, uint32_t line, uint32_t column);

/* The variable that a binder or result is, or that an operand, output or indexer reads; JX_NONE for other sites, for
 * literals and unbound names, and before jx_resolve. */
JX_API uint32_t jx_site_variable(jx_module *module, const struct jx_site *site);

/* The sites that cover a place, a line and a column from 1 on, in code points, innermost first: a part of an equation
 * or header, the equation, its jaxpr, the parameter that this is in, and so on up to the program. Returns how many were
 * filled: 0 if there is no program. Linear in the equations of the jaxprs around the place. */
JX_API uint32_t jx_sites_at(jx_module *module, uint32_t line, uint32_t column, struct jx_site *into, uint32_t room);

/* Where an equation is: from its first byte to the end of that line. */
JX_API bool jx_equation_place(jx_module *module, uint32_t equation, struct jx_place *place);

/* The line of Python that JAX says an equation comes from, `step.py:3:6 (f)`; empty if it did not print one. */
JX_API struct jx_string jx_equation_source(jx_module *module, uint32_t equation);

/* ---- types ---- */

enum jx_type_kind {
    JX_TYPE_ARRAY, /* `f32[8,n]` */
    JX_TYPE_REF,   /* `Ref{f32[8]}` */
    JX_TYPE_TOKEN, /* `Tok` */
    JX_TYPE_UNIT,  /* `*` */
    JX_TYPE_OPAQUE /* anything else: only its text is known */
};

enum jx_dtype_kind {
    JX_DTYPE_BOOL,
    JX_DTYPE_SIGNED,
    JX_DTYPE_UNSIGNED,
    JX_DTYPE_FLOAT,
    JX_DTYPE_COMPLEX,
    JX_DTYPE_FLOAT0,
    JX_DTYPE_EXTENDED, /* `key<fry>` */
    JX_DTYPE_NONE      /* the type is not an array */
};

/* A type as printed. JAX does not print weak types. */
struct jx_type {
    enum jx_type_kind kind;
    struct jx_string text;
    struct jx_string dtype; /* short, `f32`; empty if the type is not an array */
    enum jx_dtype_kind dtype_kind;
    uint32_t bits;                 /* of an element; 0 if not known */
    uint32_t rank;                 /* how many dimensions jx_dim_at has */
    uint32_t inner;                /* of a ref: the type it refers to; else JX_NONE */
    struct jx_string memory_space; /* `host` of `f32<host>[8]`, `vmem` of `Ref<vmem>{..}`; else empty */
    struct jx_string varying;      /* `x,y` of `f32[8]{V:(x,y)}`; else empty */
};

enum jx_dim_kind {
    JX_DIM_INTEGER,    /* value */
    JX_DIM_NAME,       /* a variable of the program, or a symbol of jax.export */
    JX_DIM_POLYNOMIAL, /* of symbols: terms */
    JX_DIM_BOUNDED,    /* `3{<=5}`: value */
    JX_DIM_DBIDX,      /* `DBIdx(value)` */
    JX_DIM_INDBIDX,    /* `InDBIdx(value)` */
    JX_DIM_OUTDBIDX,   /* `OutDBIdx(value)` */
    JX_DIM_OPAQUE      /* only its text is known, such as an integer beyond 64 bits */
};

struct jx_dim {
    enum jx_dim_kind kind;
    int64_t value;
    struct jx_string text;     /* without the sharding */
    struct jx_string sharding; /* `x` or `(x,y)` of `8@x`; empty when none was printed; see jx_value_of */
    uint32_t terms;            /* of a polynomial: how many jx_term_at has */
};

/* A term of a polynomial, such as `2*b^2`. Its factors, which are sorted, are symbols and calls such as
 * `floordiv(b, 2)`; a power is a repeated factor. No version adds fields. */
struct jx_term {
    int64_t coefficient;
    uint32_t factors;
    struct jx_string factor[8];
};

/* A type, its i-th dimension, and the k-th term of that one. jx_term_at is linear in the text of the dimension. */
JX_API bool jx_type_at(jx_module *module, uint32_t type, struct jx_type *answer, size_t size);
JX_API bool jx_dim_at(jx_module *module, uint32_t type, uint32_t i, struct jx_dim *answer, size_t size);
JX_API bool jx_term_at(jx_module *module, uint32_t type, uint32_t i, uint32_t k, struct jx_term *answer);

/* ---- values ---- */

/* The kinds of values; after each, the fields of struct jx_value that it sets. */
enum jx_value_kind {
    JX_VALUE_NONE,
    JX_VALUE_BOOL,    /* integer: 0 or 1 */
    JX_VALUE_INTEGER, /* integer, where `exact`; number */
    JX_VALUE_FLOAT,   /* number */
    JX_VALUE_STRING,  /* word: what is between the quotes, escapes as printed */
    JX_VALUE_DTYPE,   /* word: `f32`, however it was spelled */
    JX_VALUE_NAME,    /* word: a bare word, `f` of `name=f` */
    JX_VALUE_ENUM,    /* word: `GatherScatterMode.CLIP` */
    JX_VALUE_TYPE,    /* type_id, of `float32[8]` */
    JX_VALUE_TUPLE,   /* items, as the next four */
    JX_VALUE_LIST,
    JX_VALUE_SET,
    JX_VALUE_DICT,    /* items have keys */
    JX_VALUE_RECORD,  /* `Name(field=.., ..)`, word: `Name`; items have keys where fields have names */
    JX_VALUE_PROGRAM, /* jaxpr; word: its name where it is shared */
    JX_VALUE_TEXT     /* not understood: only `text` is set, and `reason`, which says why */
};

/* The value of a parameter, or a part of one. */
struct jx_value {
    enum jx_value_kind kind;
    struct jx_string text; /* as printed */
    struct jx_string key;  /* of an item of a dict or record, as printed; else empty */
    struct jx_string word;
    int64_t integer;
    double number;
    bool exact;                  /* the integer fits in 64 bits */
    uint32_t items;              /* how many jx_value_items has */
    uint32_t jaxpr;              /* JX_NONE if it is not a program, or the program is missing */
    uint32_t type_id;            /* JX_NONE where it is not a type */
    const char *reason;          /* static; empty if the value was understood */
    uint32_t parameter, segment; /* internal */
};

/* jx_parameter_value: the value of a parameter; jx_value_of: that of any text of this module that was printed as a
 * value, such as a literal or a sharding. Linear in the text. */
JX_API bool jx_parameter_value(jx_module *module, uint32_t parameter, struct jx_value *answer, size_t size);
JX_API bool jx_value_of(jx_module *module, struct jx_string text, struct jx_value *answer, size_t size);

/* The items of a value that follow the item `before` (NULL: from the first on). Linear in their text. `before` may be a
 * part of `into`. */
JX_API uint32_t jx_value_items(jx_module *module, const struct jx_value *value, const struct jx_value *before,
                               struct jx_value *into, uint32_t room, size_t size);

#define jx_program_at(module, id, answer) jx_program_at(module, id, answer, sizeof *(answer))
#define jx_jaxpr_at(module, id, answer) jx_jaxpr_at(module, id, answer, sizeof *(answer))
#define jx_binder_at(module, id, i, answer) jx_binder_at(module, id, i, answer, sizeof *(answer))
#define jx_output_at(module, id, i, answer) jx_output_at(module, id, i, answer, sizeof *(answer))
#define jx_equation_at(module, id, answer) jx_equation_at(module, id, answer, sizeof *(answer))
#define jx_result_at(module, id, i, answer) jx_result_at(module, id, i, answer, sizeof *(answer))
#define jx_operand_at(module, id, i, answer) jx_operand_at(module, id, i, answer, sizeof *(answer))
#define jx_parameter_at(module, id, answer) jx_parameter_at(module, id, answer, sizeof *(answer))
#define jx_equations(module, id, into, room) jx_equations(module, id, into, room, sizeof *(into))
#define jx_results(module, id, first, into, room) jx_results(module, id, first, into, room, sizeof *(into))
#define jx_operands(module, id, first, into, room) jx_operands(module, id, first, into, room, sizeof *(into))
#define jx_type_at(module, id, answer) jx_type_at(module, id, answer, sizeof *(answer))
#define jx_dim_at(module, id, i, answer) jx_dim_at(module, id, i, answer, sizeof *(answer))
#define jx_parameter_value(module, id, answer) jx_parameter_value(module, id, answer, sizeof *(answer))
#define jx_value_of(module, text, answer) jx_value_of(module, text, answer, sizeof *(answer))
#define jx_value_items(module, value, before, into, room) \
    jx_value_items(module, value, before, into, room, sizeof *(into))

#ifdef __cplusplus
}
#endif
#endif
