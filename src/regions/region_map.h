/* SPDX-License-Identifier: Apache-2.0
 *
 * How the operands of an equation map to the arguments of its regions, its nested programs: which operand each
 * binder receives, which are carried and which select, for the calls, loops and branches of JAX, of three
 * generations of Catalyst and of PennyLane. The parameters distinguish them; missing counts follow from the number
 * of results. O(parameters). */
#ifndef JX_REGION_MAP_H
#define JX_REGION_MAP_H

#include "ir/module.h"

enum region_kind {
    REGION_NONE,   /* the equation has no program, or its operands cannot be mapped */
    REGION_CALL,   /* operands in order, results in order */
    REGION_LOOP,   /* a counted loop: its body also takes an index, which is not an operand */
    REGION_SCAN,   /* a loop along arrays: constants, carry, slices; results: carry, stacked */
    REGION_WHILE,  /* regions: WHILE_BODY, WHILE_CONDITION */
    REGION_BRANCH, /* one region for each branch; the first operands select one */
    REGION_MAPPED, /* operands map to binders, but types and results may differ: shards, slices, refs, solvers */
};

/* The regions of a while loop. */
enum { WHILE_BODY, WHILE_CONDITION };

/* The regions of custom_linear_solve, and their names in its parameters. */
enum { SOLVE_MATVEC, SOLVE_VECMAT, SOLVE_SOLVE, SOLVE_TRANSPOSE, SOLVE_PROGRAMS };
extern const char *const solve_programs[SOLVE_PROGRAMS];

enum region_system { SYSTEM_JAX, SYSTEM_CATALYST, SYSTEM_CATALYST_G0, SYSTEM_PENNYLANE };

/* Consecutive binders that receive consecutive operands. */
struct operand_range {
    u32 binder, n, operand; /* operand NONE: an index of the loop, or a constant of a closed program */
};

/* One nested program: its binders (constvars first), range by range. */
struct region {
    jaxpr_t jaxpr; /* NONE: a missing branch */
    struct operand_range ranges[4];
    u32 n_ranges;
    u32 consts, n_consts; /* the operands [consts, consts + n_consts) are its constants */
};

/* Result i of the equation is result i of each region except a condition; those of a scan after the carry are
 * stacked. */
struct region_map {
    u8 kind;   /* enum region_kind */
    u8 system; /* enum region_system */
    VEC(struct region) regions;
    u32 operands;   /* how many operands the parameters require; NONE if that is unknown */
    u32 selectors;  /* BRANCH: how many leading operands select */
    u32 carry;      /* loops: the first operand that is carried (implicit ones first) .. */
    u32 body_carry; /* .. and the binder of the body that receives it */
    u32 n_carry;    /* how many are carried, implicit ones included; a scan's slices come after them */
    u32 implicit;   /* how many of them are implicit */
    u32 index;      /* LOOP: the body's binder for the index; NONE elsewhere */
    u32 found;      /* the last result of region_of */
    u32 of;         /* the equation that it was read for, plus one; 0: none */
};

/* computes the map of equation e; *map must be zero or an earlier map, whose memory is reused. False for REGION_NONE.
 * Linear in the parameters and programs of the equation */
bool region_map_read(const struct module *m, eqn_t e, struct region_map *map);

/* region_map_read, unless map is that of this equation already and nothing has changed since */
static inline bool
region_map_again(const struct module *m, eqn_t e, struct region_map *map)
{
    return map->of == e + 1 ? map->kind != REGION_NONE : region_map_read(m, e, map);
}

/* the parameter with the program of an equation that only calls it, or NULL; *inlined: whether the equations of the
 * program may replace it */
const struct param *call_find(const struct module *m, eqn_t e, bool *inlined);

static inline bool
region_map_loops(const struct region_map *map)
{
    return map->kind == REGION_LOOP || map->kind == REGION_SCAN || map->kind == REGION_WHILE;
}

/* whether binders have the types of the operands that they receive, and results those of the first region */
static inline bool
region_map_keeps_types(const struct region_map *map)
{
    return map->kind != REGION_SCAN && map->kind != REGION_MAPPED;
}

/* the operand that a binder of a region receives, or NONE */
u32 region_operand(const struct region *r, u32 binder);

/* the first binder that receives an operand, as a variable; NONE if none does. Linear in the regions */
var_t region_map_binder(const struct module *m, const struct region_map *map, u32 operand);

/* the region that is program j, or NULL; the search begins at the last result, so that finding each in turn is
 * linear */
const struct region *region_of(struct region_map *map, jaxpr_t j);

/* How many operands of a scan are constants and how many are carried. */
struct scan_counts {
    u32 consts, carry;
    bool trees; /* in `ft_in`, since 0.11; `num_consts` and `num_carry` before */
};

/* whether a parameter of scan counts its constants or carry */
bool scan_is_count(struct slice key);

/* the counts of a scan; false if its parameters do not have them */
bool scan_counts(const struct module *m, eqn_t e, struct scan_counts *out);

/* frees the memory of a map */
void region_map_free(const struct module *m, struct region_map *map);

/* the program of a parameter, also if it is the name of a `let`; NONE if there is none */
jaxpr_t eqn_jaxpr(const struct module *m, eqn_t e, struct slice key);

/* the integer of a parameter; `missing` if there is none, or it is negative or too large */
i64 eqn_int(const struct module *m, eqn_t e, struct slice key, i64 missing);

#endif
