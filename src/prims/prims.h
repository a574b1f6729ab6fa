/* SPDX-License-Identifier: Apache-2.0
 *
 * The primitive table: grammar/primitives.def as data, one row a primitive, and the look-up from a name of a module
 * to its row. */
#ifndef JX_PRIM_H
#define JX_PRIM_H

#include "prims/columns.h"
#include "types/aval.h"

enum { ANY_COUNT = 255, NO_ROW = UINT16_MAX };

/* One row. Parameters are one string: `name=ROLE name?=ROLE name! ..`; prim_param_next reads it. Roles: DTYPE,
 * SHAPE, AXES (a tuple of axes), AXIS, INT, INTS, BOOL, DIMNUMS, JAXPR, JAXPRS (a tuple of programs), AVALS, SPECS,
 * NAMES (mesh axes), FLAGS (a tuple of booleans), TEXT. Effects are one string of the words JAX prints. */
struct prim {
    const char *name;
    const char *also; /* other names through the versions, blank-separated */
    const char *params;
    const char *effects;
    u32 in;      /* a byte of IN_ classes for operands 0, 1, 2, 3 and on; 0 repeats the byte before */
    u8 min, max; /* operands; ANY_COUNT: no upper bound */
    u8 dtype;    /* enum result_dtype */
    u16 row;     /* its place in the table, by which verify/rules knows the rule of its shape */
    struct prim_columns is;
};

/* operand classes by position */
#define IN2(a, b) ((u32)(a) | (u32)(b) << 8)
#define IN3(a, b, c) ((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16)

/* the classes operand i may have, 0 when nobody said */
static inline u32
prim_classes(const struct prim *p, u32 i)
{
    u32 in = p->in;
    for (u32 at = i > 3 ? 3 : i; at > 0; at--)
        if (in >> (8 * at) & 255)
            return in >> (8 * at) & 255;
    return in & 255;
}

/* whether it does nothing but compute its results, but for the programs it holds; a mesh axis is only read */
static inline bool
prim_is_pure(const struct prim *p)
{
    return (!p->effects[0] || !strcmp(p->effects, "NamedAxis")) && !p->is.trusted && !p->is.impure;
}

/* finds rows by a module's names; a miss is remembered like a hit */
struct prims {
    struct mem *mem;
    u16 *made_of; /* row -> index into made + 1, 0 not asked for yet */
    VEC(const struct prim *) made;
    name_t cached[512];
    u16 rows[512];   /* index into made + 1, 0 unknown primitive */
    bool other[512]; /* it is another name of its row */
};

/* makes the table of known primitives, its memory mem's */
void prims_init(struct mem *mem, struct prims *p);

/* gives that memory back; rows that were found stay as long as mem */
void prims_free(struct prims *p);

/* the row of a primitive's name, or NULL. O(1) */
const struct prim *prims_find(struct prims *p, const struct module *m, name_t name);

/* the name of a primitive's row where that is another, or else NULL. O(1) */
const char *prims_newest(struct prims *p, const struct module *m, name_t name);

/* how many rows there are, and one of them; its strings live for ever */
u32 prims_count(void);
struct prim prims_row(u32 row);

/* copies the row of a name that need not be a module's; false where there is none. O(1) */
bool prim_named(struct slice name, struct prim *row);

/* the columns of an equation's primitive, and those of a name; of what has no row all are 0. O(1) */
const struct prim_columns *eqn_columns(const struct module *m, eqn_t e);
const struct prim_columns *prim_columns(struct slice name);

/* the known name nearest to an unknown one (edit distance at most 2), or NULL. O(table) */
const char *prims_suggest(struct slice name);

/* A parameter as a row's string has it. */
struct prim_param {
    struct slice key, role; /* role is TEXT where the row gives none */
    bool optional;          /* `?`: a print may leave it out */
    bool telling;           /* `!`: an equation without any of these is no such primitive, but one of the same name */
};

/* takes the next parameter of a row's string at *at, which begins as its `params`; false at the end */
bool prim_param_next(const char **at, struct prim_param *param);

/* the role of the parameter of this key, empty where the row does not know it */
struct slice prim_role(const struct prim *p, struct slice key);

#endif
