/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program costs to run, according to its text: operations, bytes moved, bytes live, as polynomials in its open
 * sizes and in how often each `while` runs. The formulas are columns of grammar/primitives.def. Nothing is checked or
 * reported; a quantity that a formula needs and the text lacks is zero, and counted in `unknown`.
 *
 * The model is a machine that runs equations one by one: each reads its operands from memory and writes its results
 * there, an array lives from the equation that binds it to the last one that reads it, arguments and constants of
 * the outermost program live throughout. A `scan` runs its program `length` times, a `while` a number of times that
 * is a symbol, a `cond` its most expensive branch. A program under `shard_map` or `pmap` counts as on one device. */
#ifndef JX_COST_H
#define JX_COST_H

#include "base/memo.h"
#include "cost/amount.h"
#include "ir/module.h"

enum cost_by { COST_BY_PRIMITIVE, COST_BY_SHAPE, COST_BY_SOURCE };

/* Operations and traffic of something. */
struct cost {
    struct amount_kept flops;           /* elementary operations of any element type, as XLA counts them */
    struct amount_kept transcendentals; /* exp, log, sin, sqrt ..: counted apart, as XLA does */
    struct amount_kept read, written;   /* bytes */
};

/* One row of a table: all equations of one primitive, shape or source. */
struct cost_row {
    u32 key;                  /* a name_t; a type_t (NONE: no results); an index into comments (NONE: none) */
    struct amount_kept times; /* how often such equations run */
    struct cost cost;
    u32 unknown; /* how many of these equations have an unknown operation count or size */
};

/* One jaxpr: the outermost one, or one nested in an equation. */
struct cost_jaxpr {
    jaxpr_t jaxpr;
    eqn_t holder;             /* the first equation that runs it; NONE: outermost */
    struct amount_kept times; /* how often it runs in all */
    struct cost cost;         /* of one run, nested programs included */
    /* the most bytes live at one equation, including its results, the bytes live in the programs it runs, and the
     * arguments and constants of the outermost program. With symbolic sizes an upper bound: the largest of each
     * coefficient */
    struct amount_kept peak;
    eqn_t peak_at; /* the first equation where most bytes are live; NONE: at the binders */
    bool idle;     /* a branch that does not count, because another costs more */
    bool applied;  /* run element by element, like the program of a reduction: moves no bytes of its own */
};

/* The cost of one run of an equation, including the programs it runs, and the bytes live during it. */
struct cost_equation {
    struct cost cost;
    struct amount_kept live;
    bool unknown; /* its operation count or a size is not known */
};

/* All equations that a program runs. */
struct cost_equations {
    struct memo index; /* by equation: index into `each` + 1 */
    VEC(struct cost_equation) each;
};

/* The cost of all runs of one equation, without nested programs; symbolic sizes count as 1024. */
struct cost_charge {
    eqn_t eqn;
    u32 program;  /* the program that contains it: an index into costs.jaxprs */
    double flops; /* elementary operations, transcendental ones included */
    double bytes; /* read and written */
};

/* The bytes live while one equation of the outermost program runs; symbolic sizes count as 1024. */
struct cost_moment {
    eqn_t eqn; /* NONE: before the first one */
    double bytes;
};

/* A variable of the outermost program that is live at its peak. */
struct cost_held {
    var_t var;
    double bytes;
};

/* The data of a picture of costs. */
struct cost_detail {
    VEC(struct cost_charge) charges; /* callers before callees */
    VEC(struct cost_moment) moments; /* in the order of the equations */
    VEC(struct cost_held) held;      /* largest first */
};

struct costs {
    struct amounts amounts;        /* stores the amounts below */
    VEC(struct cost_jaxpr) jaxprs; /* the outermost first, callers before callees */
    VEC(struct cost_row) rows;     /* most expensive first */
    u32 unknown;                   /* how many equations have an unknown operation count or size */
    u32 dead;                      /* how many equations have results that nothing reads */
};

/* Computes the cost of one program of m; after check_scopes and check_dims. With `live`, equations whose results
 * nothing reads are left out. Initializes `costs`, whose memory is m->mem's; costs_drop frees it. A shared program
 * is visited once; if its callers pass different sizes, the names of these sizes remain symbols. Linear in the
 * program */
void costs_read(struct module *m, program_t program, enum cost_by by, bool live, struct costs *costs);
void costs_drop(struct costs *costs);

/* the same without rows, but with the cost of each equation; initializes `equations`, whose amounts are stored in
 * `costs`; cost_equations_drop frees it */
void costs_read_equations(struct module *m, program_t program, struct costs *costs, struct cost_equations *equations);
void cost_equations_drop(struct mem *mem, struct cost_equations *equations);

/* the cost of an equation; NULL if the program does not run it */
static inline struct cost_equation *
cost_equations_find(const struct cost_equations *equations, eqn_t e)
{
    u64 at = memo_get(&equations->index, e);
    return at ? &equations->each.at[at - 1] : NULL;
}

/* costs_read by primitive, and the cost of all runs of each equation; initializes `detail`, which cost_detail_drop
 * frees */
void costs_read_detail(struct module *m, program_t program, struct costs *costs, struct cost_detail *detail);
void cost_detail_drop(struct mem *mem, struct cost_detail *detail);

#endif
