/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program costs to run, by what its text says: operations, bytes moved, bytes live, as polynomials in the sizes
 * that are left open and in how often each `while` runs. The formulas are columns of grammar/primitives.def. Nothing is
 * judged and nothing reported; what a formula asks for and cannot find counts as zero and is counted in `unknown`.
 *
 * The model is a machine that runs equations one by one: each reads its operands from memory and writes its results
 * there, an array lives from the equation that binds it to the last one that reads it, arguments and constants of the
 * outermost program live throughout. A `scan` runs its program `length` times, a `while` a number of times that has a
 * symbol, of a `cond` the dearest branch counts. A program under `shard_map` or `pmap` counts as on one device. */
#ifndef JX_COST_H
#define JX_COST_H

#include "cost/amount.h"
#include "ir/module.h"

enum cost_by { COST_BY_PRIMITIVE, COST_BY_SHAPE, COST_BY_SOURCE };

/* Operations and traffic of something. */
struct cost {
    struct amount_kept flops;           /* elementary operations of any element type, as XLA counts them */
    struct amount_kept transcendentals; /* exp, log, sin, sqrt ..: apart, as XLA has them */
    struct amount_kept read, written;   /* bytes */
};

/* One row of a table: all equations of one primitive, shape or source. */
struct cost_row {
    u32 key;                  /* a name_t; a type_t (NONE: no results); an index into comments (NONE: none) */
    struct amount_kept times; /* how often such equations run */
    struct cost cost;
    u32 unknown; /* how many equations of it have an unknown operation count or size */
};

/* One program: the outermost one, or one that an equation holds. */
struct cost_program {
    jaxpr_t jaxpr;
    eqn_t holder;             /* the equation that was found to run it first; NONE: outermost */
    struct amount_kept times; /* how often it runs in all */
    struct cost cost;         /* of one run, programs inside included */
    /* bytes live at its dearest place: its constants, its own results, what programs inside hold at that place, and the
     * arguments of the outermost program. With open sizes an upper bound: each coefficient is the largest one met */
    struct amount_kept peak;
    eqn_t peak_at; /* the first equation where most bytes are live; NONE: at the binders */
    bool idle;     /* a branch that does not count, for another one is dearer */
    bool applied;  /* run element by element, like the program of a reduction: moves no bytes of its own */
};

/* One run of one equation, what it runs included, and the bytes live while it runs. */
struct cost_focus {
    struct cost cost;
    struct amount_kept live;
    u32 unknown; /* 1: its operation count or a size is not known */
    bool found;
};

/* What all runs of one equation take, programs inside left out; open sizes count as 1024. */
struct cost_charge {
    eqn_t eqn;
    u32 program;  /* that holds it: an index into costs.programs */
    double flops; /* elementary operations, transcendental ones included */
    double bytes; /* read and written */
};

/* The bytes live while one equation of the outermost program runs; open sizes count as 1024. */
struct cost_moment {
    eqn_t eqn; /* NONE: before the first one */
    double bytes;
};

/* A variable of the outermost program that is live where most bytes are. */
struct cost_held {
    var_t var;
    double bytes;
};

/* What a picture of costs is drawn from. */
struct cost_detail {
    VEC(struct cost_charge) charges; /* holders before what they hold */
    VEC(struct cost_moment) moments; /* in the order they run */
    VEC(struct cost_held) held;      /* largest first */
};

struct costs {
    struct amounts amounts;            /* everything below is kept there */
    VEC(struct cost_program) programs; /* the outermost first, holders before what they hold */
    VEC(struct cost_row) rows;         /* dearest first */
    u32 unknown;                       /* how many equations have an unknown operation count or size */
    u32 dead;                          /* how many equations compute what nothing reads */
    struct cost_focus focus;           /* of the equation that was asked about */
};

/* Works out what one program of m costs; after check_scopes and check_dims. With `live`, equations that compute what
 * nothing reads are left out; `focus` is an equation to be answered by itself, or NONE. `costs` need not be set before;
 * its memory is m->mem's, and costs_drop gives it back. A shared program is looked at once, however often it is
 * referred to; where it is called with different sizes the names inside it remain symbols. Linear in the program;
 * no recursion */
void costs_read(struct module *m, program_t program, enum cost_by by, bool live, eqn_t focus, struct costs *costs);
void costs_drop(struct costs *costs);

/* the same without a focus, and what each equation takes; `detail` need not be set before, and cost_detail_drop gives
 * its memory back */
void costs_read_detail(struct module *m, program_t program, enum cost_by by, struct costs *costs,
                       struct cost_detail *detail);
void cost_detail_drop(struct mem *mem, struct cost_detail *detail);

#endif
