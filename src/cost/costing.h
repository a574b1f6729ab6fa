/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of one costs_read: private to src/cost. */
#ifndef JX_COSTING_H
#define JX_COSTING_H

#include "regions/region_map.h"
#include "prims/prims.h"
#include "resolve/dim_resolve.h"
#include "cost/cost.h"

enum { COST_RANK = 32 }; /* a shape with more axes has unknown costs */

struct costing;

/* An equation as formulas see it. */
struct op_view {
    struct costing *c;
    jaxpr_t j; /* the jaxpr that contains it */
    eqn_t e;
    const struct eqn *eqn;
};

/* Computes the units of work of an equation; false if its text does not determine them. */
typedef bool count_fn(const struct op_view *q, struct amount *out);

/* A program that an equation runs. */
struct site {
    jaxpr_t jaxpr;
    u8 run; /* enum prim_run */
    u32 nth;
};

/* operations and traffic of one equation */
struct eqn_cost {
    struct amount flops, transcendentals, read, written;
    bool unknown; /* operations or a size are unknown */
};

/* What is kept for a jaxpr besides its struct cost_jaxpr. */
struct node {
    u32 waiting;               /* sites that were not visited yet */
    struct amount_kept moving; /* how often it runs other than element by element */
};

struct costing {
    struct module *m;
    struct costs *out;
    struct cost_detail *detail;       /* NULL: not computed */
    struct cost_equations *equations; /* NULL: not computed */
    struct amounts *t;
    enum cost_by by;
    bool live;        /* equations in `dead` are left out */
    struct memo dead; /* by equation: 1 where nothing reads its results */
    struct prims prims;
    struct memo elements; /* by type: static number of elements, the bits of a double */
    struct memo values;   /* by variable: index into env + 1 of its value in the sizes of the outermost program */
    VEC(struct amount_kept) env;
    struct memo trips;   /* by equation: the symbol of how often it loops, + 1 */
    struct memo node_of; /* by jaxpr: index into out->jaxprs and nodes, + 1 */
    VEC(struct node) nodes;
    VEC(u32) order; /* programs, each after all that run it */
    VEC(struct site) sites;
    struct region_map map;
    struct binders scope; /* names of scope_of, where dims are variables */
    jaxpr_t scope_of;
    bool scope_made;
    struct memo last;       /* by variable: the last equation that reads it, + 1; NONE: it is a result */
    struct memo row_of;     /* by key: index into rows + 1 */
    struct amounts sources; /* texts of comments */
};

/* the first equation of a program that is not left out, and the next after e; NONE after the last */
eqn_t cost_first(const struct costing *c, jaxpr_t j);
eqn_t cost_next(const struct costing *c, eqn_t e);

/* ---- size.c ---- */

/* sets *out to the value of a variable that is a size, or to a symbol of its own if it is unknown */
void cost_variable(struct costing *c, jaxpr_t j, var_t v, struct amount *out);

/* set *out to the value of a dim, and to the bytes of a type, in the scope of j; false if it is unknown */
bool cost_dim(struct costing *c, jaxpr_t j, const struct dim *d, struct amount *out);
bool cost_bytes(struct costing *c, jaxpr_t j, type_t type, struct amount *out);

/* the bytes that operand i has in memory: 0 for a literal that is a scalar; false if they are unknown */
bool cost_operand_bytes(const struct op_view *q, u32 i, struct amount *out);

/* the bytes of operand i once it is stored in operand 0, even if it is a literal */
bool cost_stored_bytes(const struct op_view *q, u32 i, struct amount *out);

/* the dims of an operand that is an array; NULL if it is not, or has more than COST_RANK axes */
const struct dim *cost_operand_dims(const struct op_view *q, u32 i, u32 *rank);

/* the number of elements of operand i, and of result i; false if it is unknown */
bool cost_operand_elements(const struct op_view *q, u32 i, struct amount *out);
bool cost_result_elements(const struct op_view *q, u32 i, struct amount *out);

/* the value of a literal that is an integer; false if it is not */
bool cost_literal(const struct module *m, u32 literal, i64 *out);

/* a symbol named after the line of an offset, `while@12`, or `while@12:5` if another owner has that */
u32 cost_place_symbol(struct costing *c, struct slice what, u32 offset, u32 owner);

/* ---- formula.c, window.c ---- */

/* the text of a parameter, without spaces around it; false if there is none */
bool cost_text(const struct op_view *q, const char *key, struct slice *out);

/* the cost of one equation, without its nested programs */
void cost_equation(struct costing *c, jaxpr_t j, eqn_t e, struct eqn_cost *out);

#define COST_UNIT(name) count_fn count_##name;
COST_UNITS(COST_UNIT)
#undef COST_UNIT

/* the name of a primitive in primitives.def; bytes of `buffer` or of the table */
struct slice cost_prim(struct costing *c, name_t prim, struct name_buffer *buffer);

/* ---- runs.c ---- */

/* fills c->sites with the programs an equation runs, in printed order */
void cost_sites(struct costing *c, eqn_t e);

/* how often the program of a site runs in one run of its equation */
void cost_times(const struct op_view *q, const struct site *site, struct amount *out);

/* whether the program of a site runs in a loop, and whether it is applied element by element */
static inline bool
site_loops(const struct site *site)
{
    return site->run >= RUN_LENGTH && site->run <= RUN_GRID;
}

static inline bool
site_applies(const struct site *site)
{
    return site->run >= RUN_REDUCTIONS;
}

/* ---- live.c ---- */

/* computes the peak of a program; those of its nested programs must be known */
void cost_peak(struct costing *c, u32 program);

/* fills detail->held, after cost_peak of the outermost program */
void cost_held_at_peak(struct costing *c);

#endif
