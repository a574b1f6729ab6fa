/* SPDX-License-Identifier: Apache-2.0
 *
 * The specs of a shard_map, for its rule (rules/shard_map.c) and for what they say about unreduced and reduced axes. */
#ifndef JX_SHARD_SPECS_H
#define JX_SHARD_SPECS_H

#include "verify/mesh.h"

/* What a shard_map does to its mesh. */
struct mapping {
    struct mesh mesh;
    u64 manual;         /* the axes that are manual in its program */
    bool printed;       /* the text shows which these are */
    bool says, checked; /* it has `check_vma`, and its value */
};

/* How a spec distributes one operand or result. */
struct layout {
    i64 *factors;          /* by axis of the array: the product of the sizes of its mesh axes, */
    struct slice *entries; /* and their names, as the spec prints them */
    u64 set;               /* the mesh axes in the spec, */
    struct slice twice;    /* and the second name of a repeated one, else empty */
    i64 n_axes;            /* the number of its entries */
    struct slice unknown;  /* a name that is not an axis of the mesh, else empty */
    bool unread;           /* and it is after the last axis of the operand or result, which JAX does not check */
};

/* The specs of a parameter, and the one that specs_next has read. */
struct specs {
    const char *key;
    const struct mapping *map;
    struct cursor rest;
    bool of_results;
    u32 n, i;
    struct slice text;
    struct layout layout;
};

/* reports the name of an axis that the mesh does not have, which JAX's checker finds, too, if it `matters` there */
bool not_in_mesh(struct rule *r, bool matters, const char *key, struct slice name);

/* the first axis of a set, for messages */
const char *format_first(struct rule *r, const struct specs *s, u64 axes);

/* adds a note where a spec is printed */
bool note_entry(struct rule *r, const struct specs *s);

/* checks that `unreduced={'x'}`, `reduced={'x'}` and `unreduced_kind=max` of a spec are what the type of the operand,
 * or of the program's result, prints: `{U:x}`. The binder, or the result outside, must print the same
 * (jax/_src/shard_map.py 0.12, _shard_shaped_array, _unshard_shaped_array). Linear in the axes of the mesh */
bool reductions_fit(struct rule *r, const struct specs *s, jaxpr_t j);

#endif
