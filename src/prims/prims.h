/* SPDX-License-Identifier: Apache-2.0
 *
 * The primitive table: grammar/primitives.def as data, one row a primitive, and the look-up from a name of a module
 * to its row. */
#ifndef JX_PRIM_H
#define JX_PRIM_H

#include "types/aval.h"

enum { ANY_COUNT = 255, NO_ROW = UINT16_MAX };

/* how the element type of a row's first result follows; own: the shape rule looks after all results alone */
enum result_dtype {
    DTYPE_own,
    DTYPE_same, /* that of the operands */
    DTYPE_first,
    DTYPE_out, /* that of the operands, or what a parameter accumulates in */
    DTYPE_bool,
    DTYPE_i32,
    DTYPE_real,
    DTYPE_complex,
    DTYPE_pow,
    DTYPE_new, /* a parameter's */
    DTYPE_param,
    DTYPE_target,
    DTYPE_index,
    DTYPE_dot,
    DTYPE_conv,
    DTYPE_einsum,
};

/* where a result lies on a mesh of explicit axes (verify/sharding_rules.c); 0: no rule is known */
enum result_sharding {
    SHARD_UNKNOWN,
    SHARD_FIRST, /* as that operand */
    SHARD_SECOND,
    SHARD_LAST,
    SHARD_EACH,    /* each result as its operand */
    SHARD_MERGED,  /* as any of the operands */
    SHARD_KEPT,    /* the axes the shape rule keeps */
    SHARD_STACKED, /* the same, of several operands that lie like the first */
    SHARD_RESIZED, /* as the first operand, of which axes get other extents */
    SHARD_BATCH,   /* all axes but the last two */
    SHARD_NOWHERE,
    SHARD_BROADCAST,
    SHARD_RESHAPED,
    SHARD_GATHERED,
    SHARD_SCATTERED,
};

/* what is asked of the shardings of operands */
enum operand_sharding {
    SHARDED_FREELY,
    SHARDED_ALIKE,
    CASES_ALIKE, /* operands 1 and on */
    FIRST_TWO_ALIKE,
    AXIS_WHOLE, /* the axis a parameter names is not sharded */
};

/* what is asked of memory spaces */
enum memory_space {
    SPACE_FREE,
    SPACE_ONE, /* operands and result lie in one */
    SPACE_PUT, /* a parameter says where each result lies */
};

/* how JAX's check_rep follows replication over mesh axes (verify/replication.c) */
enum replication {
    REP_ORDINARY, /* the one set of all operands */
    REP_EACH,     /* each result as its operand */
    REP_CALL,     /* the program's */
    REP_COND,
    REP_SCAN,
    REP_UNVARIED,   /* all axes but those it names */
    REP_EVERYWHERE, /* all axes */
    REP_NOWHERE,    /* none */
    REP_ADDS,       /* the axes it names are added */
    REP_ADDS_STRICTLY,
    REP_DROPS, /* the axes it names go */
    REP_MOVES, /* the operand varies over the axis it names, and so does the result */
    REP_REFUSED,
};

/* What rows say beside their types and parameters, each where it differs from 0. */
struct prim_columns {
    u8 sharding; /* enum result_sharding */
    u8 operands; /* enum operand_sharding */
    u8 space;    /* enum memory_space */
    u8 replication;
    bool sharding_hidden : 1; /* newer prints leave its sharding parameter out */
    bool trusted : 1;         /* nothing is known: binders are taken as printed */
    bool elementwise : 1;     /* types of operands and parameters that name one decide about it alone */
    bool listed : 1;          /* a parameter lists the types of its results */
    bool alike : 1;           /* each result has the type of its operand */
    bool unseen : 1;          /* a call whose program JAX does not compare with its operands */
    bool wide : 1;            /* an instruction of Catalyst, where numbers have 64 bits */
    bool wide_told : 1;       /* the same where it prints a parameter of Catalyst's */
};

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

/* the row of a name that comes from elsewhere than a module, or NULL. O(1) */
const struct prim *prims_named(struct prims *p, struct slice name);

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
