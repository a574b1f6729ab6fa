/* SPDX-License-Identifier: Apache-2.0
 *
 * What expansion and collapse share: which sizes of a list of binders or results are unbound, and lists with
 * leading elements removed or added. */
#ifndef JX_SIZES_H
#define JX_SIZES_H

#include "base/memo.h"
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "ir/reach.h"

/* The place of a size: axis `axis` of the type of element i of a list. */
struct size_place {
    name_t name;
    u32 i, axis;
};

struct sizing {
    struct module *m;
    struct binders scope; /* of the last jaxpr */
    struct region_map map;
    VEC(struct size_place) spots;
    VEC(name_t) names; /* scratch */
    type_t size;       /* the type of sizes of unknown type; NONE if none may be assumed */
    struct memo moved; /* of the current jaxpr: variable -> the atom that replaces it, plus one */
};

/* the index of a loop's operand that is the first carried array, before implicit ones are added: a counted loop of
 * Catalyst passes its bounds, step and index before the arrays */
static inline u32
carried_operand(const struct region_map *l)
{
    return l->carry + (l->index != NONE ? 4 : 0);
}

/* sets to 1, by name, the sizes in the types of n variables */
void note_sizes(const struct module *m, var_t first, u32 n, struct memo *names);

/* opens s->scope with all variables of a jaxpr */
void sizing_open(struct sizing *s, jaxpr_t j);

/* fills s->spots with the sizes in types of binders [from, from + n) of j, constvars counted, that are unbound in
 * s->scope: the first occurrence of each name, or, with `each`, each occurrence */
void open_sizes(struct sizing *s, jaxpr_t j, u32 from, u32 n, bool each);

/* fills s->spots with the sizes in types of results [from, n_outs) of j: each occurrence, or, with `once`, the first of
 * each name, unless an earlier result has that name */
void returned_sizes(struct sizing *s, jaxpr_t j, u32 from, bool once);

/* fills s->spots with the sizes in types of results [from, n_outs) of j, each once, that are neither bound in s->scope
 * nor earlier results */
void unknown_sizes(struct sizing *s, jaxpr_t j, u32 from);

/* the type of an atom as an array, or NULL */
const struct type *atom_array_type(const struct module *m, atom_t a);

/* whether a loop, or the branches of a conditional, return each size once, or for each occurrence */
bool returns_once(const struct module *m, eqn_t e, const struct region_map *l);

/* the parameter that counts implicit inputs (results for branches), or NONE */
param_t implicit_param(const struct module *m, eqn_t e, const struct region_map *l);

/* replaces in a jaxpr every variable in s->moved and, with `resolve`, every name bound in s->scope; empties s->moved.
 * O(jaxpr) */
void finish_moved(struct sizing *s, jaxpr_t j, bool resolve);

/* removes binders [at, at + n), all invars, of a jaxpr, constvars counted first; finish_moved then replaces them by
 * their names */
void binders_drop_run(struct sizing *s, jaxpr_t j, u32 at, u32 n);

/* inserts n invars at position `at`, constvars counted first, with the names of s->spots and type `type` */
void binders_add_run(struct sizing *s, jaxpr_t j, u32 at, u32 n, type_t type);

/* removes the first n results of an equation */
void results_drop(struct sizing *s, eqn_t e, u32 n);

/* inserts n results of a type before an equation's own */
void results_add(struct sizing *s, eqn_t e, const name_t *names, u32 n, type_t type);

/* removes the first n results of a jaxpr */
void outs_drop(struct module *m, jaxpr_t j, u32 n);

/* inserts n results before a jaxpr's own */
void outs_add(struct module *m, jaxpr_t j, const atom_t *atoms, u32 n);

/* the type of a program's sizes, by its types and literals: i64[] where something has 64 bits, else i32[]. `sure`:
 * values that may be sizes do not count; NONE if only they would decide. Linear */
type_t sizes_type(struct module *m, const struct jaxprs *list, bool sure);

/* the type of a size: that of a variable of this name in s->scope, or s->size */
type_t size_type(struct sizing *s, name_t name);

/* initializes it for a module; sizing_drop frees the memory */
void sizing_init(struct sizing *s, struct module *m);

/* frees the memory of sizing_init */
void sizing_drop(struct sizing *s);

#endif
