/* SPDX-License-Identifier: Apache-2.0
 *
 * Printed meshes, and the mesh axes that an equation may name. */
#ifndef JX_MESH_H
#define JX_MESH_H

#include "verify/rule.h"

/* a size that is not printed as a number */
enum { UNKNOWN_SIZE = -1 };

/* One axis of a mesh: `'i': 4`. */
struct mesh_axis {
    struct slice name; /* without quotes */
    i64 size;          /* or UNKNOWN_SIZE */
    bool left;         /* in `bound`: the shard_map that binds the axis leaves it to the compiler */
};

/* The axes of a mesh, in its order: bit i of a set is axes[i]. */
struct mesh {
    struct mesh_axis axes[MESH_AXES];
    u32 n;
    u32 types;               /* how many types of axes are printed, */
    struct slice type_list;  /* and their list */
    struct slice odd_type;   /* the first type that JAX does not have */
    bool typed;              /* `axis_types=(Manual, Explicit)` is printed: */
    u64 manual, is_explicit; /* the sets of axes of these types */
};

/* reads the axes of `Mesh('i': 4, 'j': 2, axis_types=(Auto, Auto))`; false if it has none or too many of them */
bool mesh_read(struct slice text, struct mesh *out);

/* checks that each axis of the mesh in parameter `key` has devices, a name of its own and, if types are printed, a
 * type; reports T010 */
bool mesh_fits(struct rule *r, const char *key, const struct mesh *mesh);

/* warns (T010) if a mesh in parameter `key` with explicit axes does not have the axes of the first such mesh in the
 * program, whatever their types: JAX compares the meshes of operands with the one around an equation
 * (jax/_src/lax/utils.py, _get_array_abstract_eval) */
void mesh_compare(struct rule *r, const char *key, struct slice text, const struct mesh *mesh);

/* the index of the axis with a name, which has no quotes; NONE if there is none */
u32 mesh_find(const struct mesh *mesh, struct slice name);

/* the axes of the mesh that an array prints after a letter, as a set: {V:x}, {U:(x,y)} */
u64 printed_axes(const struct rule *r, const struct mesh *mesh, const struct aval *a, char letter);

/* a name without its quotes */
struct slice unquoted(struct slice name);

/* An iterator over the mesh axes that a parameter of a collective names, `i` or `('i', 'j')`. */
struct axis_names {
    struct cursor rest;
    struct slice one; /* the value, until it is returned as the only name */
    bool listed;
};

/* starts at the first name of a value */
struct axis_names axis_names_of(struct slice value);

/* takes the next name without its quotes, or the next position (`0`), as *position says; false after the last one */
bool axis_names_next(struct axis_names *names, struct slice *name, bool *position);

/* A letter of types, `{U:x}`, and the field of a spec that says the same. */
extern const struct reduction {
    char letter;
    const char *field;
} reductions[2];

/* the axes of the mesh in a field of a spec, `P('x', unreduced={'y'})`, as a set; *odd is a name that the mesh lacks */
u64 spec_reduced(const struct mesh *mesh, struct slice spec, const char *field, struct slice *odd);

/* the number of entries of a spec, `P('x', None)`, without those at its end that are None */
u32 spec_entries(struct slice spec);

/* the sharding of an axis, `x`, `(x,y)` or empty, over the mesh axes of a set that are named by the entry of a spec,
 * `'x'` or `('x', 'y')`, or by `own`, the sharding in a type */
struct slice spec_names(struct rule *r, const struct mesh *mesh, u64 set, struct slice entry, struct slice own);

/* every axis of the mesh, as a set */
static inline u64
mesh_all(const struct mesh *mesh)
{
    return (1ull << mesh->n) - 1;
}

/* What an equation binds for its nested programs: axes by name, and whether varying axes are checked. */
struct bound {
    u32 axes, n;                 /* in the checker's list */
    bool has_check_vma, checked; /* it has `check_vma`, and its value */
};

/* A call of a shared program. */
struct call {
    eqn_t e;
    u32 before; /* the index of the previous call of the program, plus one; 0: there is none */
};

/* the size of a mesh axis that a shard_map or pmap around the equation binds; 0 if none within 256 levels of nesting
 * does */
i64 rule_axis_size(struct rule *r, struct slice name);

/* the product of the sizes of the axes that `axis_name` or `axes` of the equation names; 0 if one is unknown */
i64 rule_axes_size(struct rule *r);

/* adds to the last finding where each of those axes is bound, with its size; always false */
bool rule_note_axes(struct rule *r);

/* the same for the mesh of the nearest enclosing shard_map */
bool rule_note_mesh(struct rule *r);

/* the same for the list of manual axes of the nearest shard_map that binds a mesh axis */
bool rule_note_manual(struct rule *r, struct slice name);

/* Whether enclosing equations bind a mesh axis; AXIS_BOUND if the text does not show it. */
enum axis_scope {
    AXIS_BOUND,
    AXIS_LEFT,    /* the nearest shard_map with the axis leaves it to the compiler */
    AXIS_UNBOUND, /* there are meshes around the equation, and none has it */
    AXIS_FREE,    /* nothing around the equation binds axes */
};
enum axis_scope rule_axis_scope(struct rule *r, struct slice name);

/* whether the text shows that a shard_map or pmap around the equation makes a mesh axis manual */
bool rule_axis_is_manual(struct rule *r, struct slice name);

/* What is shown of a mesh axis around an equation: the mesh of a jit, or of a shard_map, declares it. */
enum axis_kind { AXIS_UNSHOWN, AXIS_MANUAL, AXIS_EXPLICIT };
enum axis_kind rule_axis_kind(struct rule *r, struct slice name);

/* how many axes the grid of the enclosing pallas_call has, and in *there the place of the grid; NONE if it is
 * unknown */
u32 rule_grid_axes(struct rule *r, struct where *there);

/* whether the nearest shard_map around the equation has `check_vma=True` */
bool rule_varying_checked(struct rule *r);

#endif
