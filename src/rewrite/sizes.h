/* SPDX-License-Identifier: Apache-2.0
 *
 * What expansion and collapse share: which sizes a list of binders or results leaves open, and lists that lose or gain
 * leading elements. */
#ifndef JX_SIZES_H
#define JX_SIZES_H

#include "base/memo.h"
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "ir/reach.h"

/* The place of a size: element i of a list, axis k of its type. */
struct spot {
    name_t name;
    u32 i, axis;
};

struct sizing {
    struct module *m;
    struct binders scope; /* of the jaxpr asked about last */
    struct region_map map;
    VEC(struct spot) spots;
    VEC(name_t) names; /* scratch */
    type_t size;       /* of a size whose type is unknown; NONE where none may be made up */
    struct memo moved; /* of the jaxpr at hand: variable -> the atom that replaces it now, plus one */
};

/* binds everything a jaxpr binds */
void sizing_open(struct sizing *s, jaxpr_t j);

/* fills s->spots with the first occurrence of each name that the types of binders [from, from + n) of j, constvars
 * counted, have for a size and that is not bound in s->scope */
void open_sizes(struct sizing *s, jaxpr_t j, u32 from, u32 n);

/* fills s->spots with the sizes that results [from, n_outs) of j name: each occurrence, or, with `once`, each name once
 * and none that such a result is called before */
void returned_sizes(struct sizing *s, jaxpr_t j, u32 from, bool once);

/* fills s->spots with the sizes that results [from, n_outs) of j name, each once, and that are neither in s->scope nor
 * returned before they are named */
void unknown_sizes(struct sizing *s, jaxpr_t j, u32 from);

/* the type of an atom as an array, or NULL */
const struct type *atom_array_type(const struct module *m, atom_t a);

/* the rule by which a loop, or the branches of a conditional, return sizes: each occurrence, or each once */
bool returns_once(const struct module *m, eqn_t e, const struct region_map *l);

/* the parameter that counts implicit inputs (results for branches), or NONE */
param_t implicit_param(const struct module *m, eqn_t e, const struct region_map *l);

/* replaces in a jaxpr every variable that moved, and, with `resolve`, every name by what s->scope has under it; then
 * nothing has moved. O(jaxpr) */
void finish_moved(struct sizing *s, jaxpr_t j, bool resolve);

/* takes binders [at, at + n) out of a jaxpr, constvars counted: who mentions them mentions a name from now on (after
 * finish_moved). All are invars */
void binders_drop_run(struct sizing *s, jaxpr_t j, u32 at, u32 n);

/* puts n invars at position `at`, constvars counted, named by s->spots and typed `type` */
void binders_add_run(struct sizing *s, jaxpr_t j, u32 at, u32 n, type_t type);

/* takes the first n results off an equation */
void results_drop(struct sizing *s, eqn_t e, u32 n);

/* gives an equation n new results of a type before its own */
void results_add(struct sizing *s, eqn_t e, const name_t *names, u32 n, type_t type);

/* takes n results off the front of a jaxpr */
void outs_drop(struct module *m, jaxpr_t j, u32 n);

/* puts n results before a jaxpr's own */
void outs_add(struct module *m, jaxpr_t j, const atom_t *atoms, u32 n);

/* which integers the sizes of a program are, as far as its types and literals show: i64[] where something is as wide,
 * else i32[]. `sure`: what may be a size itself is not counted; NONE where that would have to. Linear */
type_t sizes_type(struct module *m, const struct jaxprs *list, bool sure);

/* the type of a size: that of a variable of this name in s->scope, or s->size */
type_t size_type(struct sizing *s, name_t name);

/* makes ready for a module; sizing_drop gives the memory back */
void sizing_init(struct sizing *s, struct module *m);

/* gives the memory of sizing_init back */
void sizing_drop(struct sizing *s);

#endif
