/* SPDX-License-Identifier: Apache-2.0
 *
 * The primitives and types of a program, each with how often and where it first occurs. Collected once for all
 * contracts. */
#ifndef JX_INVENTORY_H
#define JX_INVENTORY_H

#include "prims/prims.h"
#include "ir/reach.h"

enum { SHOWN = 3 }; /* places kept of each primitive and type */

/* A primitive of a program. */
struct used_prim {
    name_t name;
    const struct prim *row; /* NULL: unknown */
    u64 count;              /* as `jaxpr stats` counts: equations of a shared program once for each use */
    u32 places;             /* how many equations of the text are of it .. */
    eqn_t first[SHOWN];     /* .. and the first of them */
};

enum place_kind { PLACE_BINDER, PLACE_RESULT, PLACE_OPERAND };

/* The place of a type. */
struct type_place {
    u8 kind; /* enum place_kind */
    u32 of;  /* the jaxpr of a binder, otherwise the equation */
    u32 i;   /* which binder (constants first), result or operand */
    u32 at;  /* offset of the jaxpr or the equation in the text */
};

struct used_type {
    type_t type;
    u32 places, made; /* how often it occurs; how often as the type of a result of an equation or of a constant */
    struct type_place first[SHOWN], first_made[SHOWN];
};

struct inventory {
    jaxpr_t root;
    u64 equations;
    VEC(struct used_prim) prims;
    VEC(struct used_type) types;
};

/* collects the primitives and types of a jaxpr and its nested programs; inventory_drop frees the lists. Linear */
void inventory_collect(struct module *m, struct prims *prims, jaxpr_t root, struct inventory *out);
void inventory_drop(struct module *m, struct inventory *inventory);

/* the span of a place in the text */
struct span type_place_span(const struct module *m, const struct type_place *place);

/* true if a pattern of a contract matches a primitive, by its printed name or any name of its row */
bool prim_is_meant(const struct module *m, const struct used_prim *prim, struct slice pattern);

/* the first name of a primitive's row that a pattern matches; empty if there is none */
struct slice prim_matched_name(const struct used_prim *prim, struct slice pattern);

#endif
