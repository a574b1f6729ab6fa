/* SPDX-License-Identifier: Apache-2.0
 *
 * How the operands of an equation reach its regions, the programs it holds: which operand each binder receives, what is
 * carried round and what selects, for the calls, loops and branches of JAX, of three generations of Catalyst and of
 * PennyLane. The parameters distinguish them; what they leave open is counted back from the results. O(parameters). */
#ifndef JX_REGION_MAP_H
#define JX_REGION_MAP_H

#include "ir/module.h"

enum region_kind {
    REGION_NONE,   /* holds no program, or one whose binders cannot be placed */
    REGION_CALL,   /* operands in order, results in order */
    REGION_LOOP,   /* a counted loop: its body also takes an index, which is not an operand */
    REGION_SCAN,   /* a loop along arrays: constants, carry, slices; results: carry, stacked */
    REGION_WHILE,  /* regions: WHILE_BODY, WHILE_CONDITION */
    REGION_BRANCH, /* one region a branch; the first operands select */
    REGION_MAPPED, /* operands reach binders, but types and results may be others: shards, slices, refs, solvers */
};

/* The regions of a while loop. */
enum { WHILE_BODY, WHILE_CONDITION };

enum region_system { SYSTEM_JAX, SYSTEM_CATALYST, SYSTEM_CATALYST_G0, SYSTEM_PENNYLANE };

/* A run of binders that receive a run of operands. */
struct operand_range {
    u32 binder, n, operand; /* operand NONE: bound by the loop itself, or a constant of a closed program */
};

/* One nested program: its binders (constvars first), range by range. */
struct region {
    jaxpr_t jaxpr; /* NONE: a branch that is missing */
    struct operand_range ranges[4];
    u32 n_ranges;
    u32 consts, n_consts; /* the operands that are its constants, of loops and of PennyLane's branches */
};

/* Result i of the equation is result i of each region, but of a condition; of a scan those after the carry are
 * stacked. */
struct region_map {
    u8 kind;   /* enum region_kind */
    u8 system; /* enum region_system */
    VEC(struct region) regions;
    u32 operands;   /* how many operands the parameters ask for; NONE when that is unknown */
    u32 selectors;  /* BRANCH: operands in front that select */
    u32 carry;      /* loops: first operand that is carried (implicit ones first) .. */
    u32 body_carry; /* .. and the binder of the body it goes to */
    u32 n_carry;    /* how many are carried, implicit ones included; a scan's slices come after them */
    u32 implicit;   /* how many of them are implicit */
    u32 index;      /* LOOP: the body's binder for the index; NONE elsewhere */
    u32 found;      /* the region that region_of found last */
    u32 of;         /* the equation it was read for, plus one; 0: for none */
};

/* finds out how equation e binds its programs; what map held is forgotten, its memory kept. False for REGION_NONE.
 * Linear in the parameters and programs of the equation */
bool region_map_read(const struct module *m, eqn_t e, struct region_map *map);

/* region_map_read, but what was read last for the same equation is kept, for callers that have changed nothing since:
 * an equation may hold many programs, and each is asked about */
static inline bool
region_map_again(const struct module *m, eqn_t e, struct region_map *map)
{
    return map->of == e + 1 ? map->kind != REGION_NONE : region_map_read(m, e, map);
}

/* the parameter that holds the program of an equation that merely calls it, or NULL; *inlined: the equations of the
 * program may replace it */
const struct param *call_find(const struct module *m, eqn_t e, bool *inlined);

static inline bool
region_map_loops(const struct region_map *map)
{
    return map->kind == REGION_LOOP || map->kind == REGION_SCAN || map->kind == REGION_WHILE;
}

/* whether binders have the types of the operands they receive, and results those of the first region */
static inline bool
region_map_keeps_types(const struct region_map *map)
{
    return map->kind != REGION_SCAN && map->kind != REGION_MAPPED;
}

/* the operand a binder of a region receives, or NONE */
u32 region_operand(const struct region *r, u32 binder);

/* the first binder that receives an operand, as a variable; NONE where none does. Linear in the regions */
var_t region_map_binder(const struct module *m, const struct region_map *map, u32 operand);

/* the region that is program j, or NULL; looked for from the one found last on, so that asking for each in turn is
 * linear */
const struct region *region_of(struct region_map *map, jaxpr_t j);

/* How many operands of a scan are constants and how many are carried. */
struct scan_counts {
    u32 consts, carry;
    bool trees; /* in `ft_in`, since 0.11; `num_consts` and `num_carry` before */
};

/* whether a parameter of scan says how its operands are split */
bool scan_is_count(struct slice key);

/* false where an equation does not have them */
bool scan_counts(const struct module *m, eqn_t e, struct scan_counts *out);

/* gives the memory back */
void region_map_free(const struct module *m, struct region_map *map);

/* the program of a parameter, followed through a `let`; NONE where there is none */
jaxpr_t eqn_jaxpr(const struct module *m, eqn_t e, struct slice key);

/* the integer of a parameter, `missing` where there is none */
i64 eqn_int(const struct module *m, eqn_t e, struct slice key, i64 missing);

#endif
